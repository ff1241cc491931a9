"""The organiser's time zone and the first start of a tournament, so that a series keeps its day."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tournament", sa.Column("zone", sa.String(40), nullable=False, server_default="UTC"))
    op.add_column("tournament", sa.Column("first", sa.DateTime(timezone=True)))
    op.execute("UPDATE tournament SET first = start")


def downgrade() -> None:
    op.drop_column("tournament", "first")
    op.drop_column("tournament", "zone")
