"""Moves that wait for the turn (`queue`) or confirmation (`submit`), and words that wait beside offered ones."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import Statement
from pbmserv.db.queries import ROWS_AT_ONCE, Queries
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

    # --- words beside moves that are offered -------------------------------------------------------------------------

    def words_beside(self, board: int, player_id: int, move: str, length: int) -> str:
        """Return the words that go with a move that was offered when the log had this length; "" if there are none."""
        c = tables.offered.c
        row = (c.board == board, c.player_id == player_id, c.move == move, c.length == length)
        return self._c.scalar(sa.select(c.words).where(*row)) or ""

    def offer(self, board: int, player_id: int, move: str, length: int, words: str, now: datetime) -> None:
        """Store the words that go with a move that is offered. They replace those of the same move."""
        key = {"board": board, "player_id": player_id, "move": move}
        self._put(tables.offered, key, {"length": length, "words": words, "written": now})

    def forget_offered(self, board: int, player_id: int) -> None:
        """Delete the words beside moves that a player was offered on a board."""
        c = tables.offered.c
        self._c.execute(sa.delete(tables.offered).where(c.board == board, c.player_id == player_id))

    def forget(self, before: datetime) -> int:
        """Delete words beside offers from before a time, at most ROWS_AT_ONCE. Returns how many."""
        c = tables.offered.c
        old = sa.select(c.board, c.player_id, c.move).where(c.written < before).order_by(c.written).limit(ROWS_AT_ONCE)
        key = sa.tuple_(c.board, c.player_id, c.move)
        return self._c.execute(sa.delete(tables.offered).where(key.in_(old))).rowcount
