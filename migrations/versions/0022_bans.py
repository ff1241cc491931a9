"""Bans of addresses and domains."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "ban",
        sa.Column("id", _NUMBER, sa.Identity(start=1), nullable=False),
        sa.Column("what", sa.String(255), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ban"),
        sa.UniqueConstraint("what", name="uq_ban_what"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("ban")
