"""One table for everything that is counted for a limit: by player, by address, by origin, for the whole server.

The counts of the day of the upgrade begin anew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_quota_day", table_name="quota")
    op.drop_table("quota")
    op.create_table(
        "counter",
        sa.Column("subject", sa.String(80), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "what", name=op.f("pk_counter")),
    )
    op.create_index("ix_counter_ends", "counter", ["ends"])


def downgrade() -> None:
    op.drop_index("ix_counter_ends", table_name="counter")
    op.drop_table("counter")
    op.create_table(
        "quota",
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_quota_player_id")),
        sa.PrimaryKeyConstraint("player_id", "what", "day", name=op.f("pk_quota")),
    )
    op.create_index("ix_quota_day", "quota", ["day"])
