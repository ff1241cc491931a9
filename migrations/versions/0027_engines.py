"""Robots whose moves an engine of others chooses."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("robot", sa.Column("engine", sa.String(40)))
    op.add_column("robot", sa.Column("elo", sa.Integer))
    op.add_column("robot", sa.Column("nodes", sa.Integer))


def downgrade() -> None:
    for column in ("nodes", "elo", "engine"):
        op.drop_column("robot", column)
