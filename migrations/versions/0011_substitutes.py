"""Substitutes: seats that somebody left, the seeks for them, and the boards on which the game goes on.

A server of an earlier version would begin such a seek as an ordinary board, so a downgrade closes it. Nor does it know
boards that ended because a substitute came, so a downgrade makes that a decision of the admin.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_ENTRY = sa.table("entry", *(sa.column(name) for name in ("board", "kind", "text")))
_BOARD = sa.table("board", sa.column("number"), sa.column("state", sa.JSON))
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
    _decide_handed_over()
    op.execute("UPDATE seek SET closed = created WHERE continues IS NOT NULL AND closed IS NULL")
    op.drop_index("ix_seek_continues", "seek")
    op.drop_index("ix_board_continues", "board")
    op.drop_column("seek", "wanted")
    for table in ("seek", "board"):
        op.drop_column(table, "left_seat")
        op.drop_column(table, "continues")


def _decide_handed_over() -> None:
    """Make an adjudication of each end by a substitute, with the same ranks: whoever left is last, the others draw."""
    e, b, connection = _ENTRY.c, _BOARD.c, op.get_bind()
    ended = sa.select(b.number, b.state).join(_ENTRY, e.board == b.number).where(e.kind == "substitute")
    for number, state in connection.execute(ended).all():
        result, seats = state["result"], len(state["result"]["ranks"])
        ranks = " ".join("2" if seat in state["out"] else "1" for seat in range(seats))
        these = sa.update(_ENTRY).where(e.board == number, e.kind == "substitute")
        connection.execute(these.values(kind="adjudicate", text=ranks))
        if result["reason"] == "substitute":  # else an admin has decided after that
            result["reason"] = "adjudicated"
            connection.execute(sa.update(_BOARD).where(b.number == number).values(state=state))
