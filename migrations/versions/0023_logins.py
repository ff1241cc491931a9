"""Logins by OAuth2, with encrypted tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "login",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("renewed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trouble", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_login"),
    )


def downgrade() -> None:
    op.drop_table("login")
