"""Substitutes: seats that somebody left, the seeks for them, and the boards on which the game goes on.

A server of an earlier version would begin such a seek as an ordinary board, so a downgrade closes it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_GOES_ON = sa.text("continues IS NOT NULL")
_OPEN = sa.text("continues IS NOT NULL AND closed IS NULL")


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    for table in ("board", "seek"):
        op.add_column(table, sa.Column("continues", number))
        op.add_column(table, sa.Column("left_seat", sa.JSON))
    op.add_column("seek", sa.Column("wanted", number))
    op.create_index(
        "ix_board_continues", "board", ["continues"], unique=True, sqlite_where=_GOES_ON, postgresql_where=_GOES_ON
    )
    op.create_index("ix_seek_continues", "seek", ["continues"], unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN)


def downgrade() -> None:
    op.execute("UPDATE seek SET closed = created WHERE continues IS NOT NULL AND closed IS NULL")
    op.drop_index("ix_seek_continues", "seek")
    op.drop_index("ix_board_continues", "board")
    op.drop_column("seek", "wanted")
    for table in ("seek", "board"):
        op.drop_column(table, "left_seat")
        op.drop_column(table, "continues")
