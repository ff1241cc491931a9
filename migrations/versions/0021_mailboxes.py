"""Mailboxes from which mails are fetched by IMAP, and which of their mails are committed."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mailbox",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("validity", sa.BigInteger, nullable=False),
        sa.Column("uid", sa.BigInteger, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True)),
        sa.Column("old", sa.Integer, nullable=False),
        sa.Column("looked", sa.DateTime(timezone=True)),
        sa.Column("heard", sa.DateTime(timezone=True)),
        sa.Column("trouble", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_mailbox"),
    )
    op.create_table(
        "fetched",
        sa.Column("mailbox", sa.Text, nullable=False),
        sa.Column("validity", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("uid", sa.BigInteger, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("mailbox", "validity", "uid", name="pk_fetched"),
    )


def downgrade() -> None:
    op.drop_table("fetched")
    op.drop_table("mailbox")
