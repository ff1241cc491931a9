"""Webhooks of players. The outbox keeps the events for them, too."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("player_id", _NUMBER, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("form", sa.String(10), nullable=False),
        sa.Column("nonce", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_webhook_player_id"),
        sa.PrimaryKeyConstraint("player_id", name="pk_webhook"),
    )
    op.add_column("outbox", sa.Column("webhook", _NUMBER))
    there = sa.text("webhook IS NOT NULL")
    op.create_index("ix_outbox_webhook", "outbox", ["webhook"], postgresql_where=there, sqlite_where=there)


def downgrade() -> None:
    op.execute("DELETE FROM outbox WHERE webhook IS NOT NULL")  # older releases would take them for letters
    op.execute("DELETE FROM preference WHERE name = 'webhook'")
    op.drop_index("ix_outbox_webhook", "outbox")
    op.drop_column("outbox", "webhook")
    op.drop_table("webhook")
