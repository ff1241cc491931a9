"""Moves that wait for the player's turn (`queue`), or for the player's confirmation (`submit`)."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import Statement
from pbmserv.db.queries import Queries
from pbmserv.games.base import Seat
from pbmserv.model import Queued, Submitted

_QUEUED = Statement(
    sa.select(tables.queued)
    .where(tables.queued.c.board == sa.bindparam("board"))
    .order_by(tables.queued.c.seat, tables.queued.c.number)
)


class WaitingMoveQueries(Queries):
    """Queries about moves that wait."""

    def queues(self, board: int) -> dict[Seat, list[Queued]]:
        """Return the queues of a board by seat, each in the order of its moves. Empty queues are left out."""
        queues: dict[Seat, list[Queued]] = {}
        if board in self._noticed.unqueued:
            return queues
        for row in self._rows(_QUEUED, board=board):
            queues.setdefault(row.seat, []).append(Queued(row.mine, row.theirs))
        return queues

    def set_queues(self, board: int, queues: Mapping[Seat, Sequence[Queued]]) -> None:
        """Replace all queues of a board."""
        self._noticed.unqueued.discard(board)
        self._c.execute(sa.delete(tables.queued).where(tables.queued.c.board == board))
        rows = [
            {"board": board, "seat": seat, "number": number, "theirs": q.theirs, "mine": q.own}
            for seat, queue in queues.items()
            for number, q in enumerate(queue, start=1)
        ]
        if rows:
            self._c.execute(sa.insert(tables.queued), rows)

    def submitted(self, board: int, seat: Seat) -> Submitted | None:
        """Return what a seat has submitted; None if there is nothing."""
        c = tables.submitted.c
        row = self._c.execute(sa.select(tables.submitted).where(c.board == board, c.seat == seat)).first()
        return Submitted(row.length, tuple(row.moves.split())) if row else None

    def submit(self, board: int, seat: Seat, length: int, moves: Sequence[str]) -> None:
        """Store moves until `confirm`. They replace moves that were submitted before."""
        values = {"length": length, "moves": " ".join(moves)}
        self._put(tables.submitted, {"board": board, "seat": seat}, values)

    def forget_submitted(self, board: int, seat: Seat) -> None:
        """Delete what a seat has submitted."""
        c = tables.submitted.c
        self._c.execute(sa.delete(tables.submitted).where(c.board == board, c.seat == seat))
