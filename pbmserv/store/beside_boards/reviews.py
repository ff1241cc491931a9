"""Reviews of finished boards: those that are asked for, that a process works on, and that are done."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.games.base import Seat
from pbmserv.model.boards import ReviewRow
from pbmserv.model.rows import Json

_C = tables.review.c


class ReviewQueries(Queries):
    """Queries about reviews."""

    def find(self, board: int, *, lock: bool = False) -> ReviewRow | None:
        """Return the review of a board, done or not; None if nobody has asked for one."""
        query = sa.select(tables.review).where(_C.board == board)
        row = self._c.execute(self._locked(query) if lock else query).first()
        return _review(row) if row else None

    def ask(self, board: int, length: int, seats: Sequence[Seat], now: datetime) -> None:
        """Let a board be reviewed, from the beginning, for the players of these seats."""
        values = {"length": length, "asked": now, "seats": list(seats), "until": 0.0, "verdicts": []}
        self._put(tables.review, {"board": board}, {**values, "done": None, "result": None})

    def add_reader(self, review: ReviewRow, seat: Seat) -> None:
        """Let the player of one more seat get the letter. Lock the review before."""
        self._change(review.board, seats=sorted({*review.seats, seat}))

    def waiting(self, now: float, limit: int) -> list[int]:
        """Return the boards whose reviews a process can go on with now, the oldest first."""
        query = sa.select(_C.board).where(_C.done.is_(None), _C.until <= now)
        return list(self._c.scalars(query.order_by(_C.asked, _C.board).limit(limit)))

    def is_asked(self) -> bool:
        """Return whether a review is not done yet."""
        return self._c.scalar(sa.select(_C.board).where(_C.done.is_(None)).limit(1)) is not None

    def take(self, board: int, now: float, until: float) -> ReviewRow | None:
        """Take a review until a time, or let it wait until then; None if another process has it, or it is done."""
        free = sa.update(tables.review).where(_C.board == board, _C.done.is_(None), _C.until <= now)
        row = self._c.execute(free.values(until=until).returning(*_C)).first()
        return _review(row) if row else None

    def go_on(self, review: ReviewRow, verdicts: Sequence[object], until: float) -> bool:
        """Store what the judge has said so far, unless another process has the review. Returns success."""
        own = sa.update(tables.review).where(_C.board == review.board, _C.until == review.until, _C.done.is_(None))
        return self._c.execute(own.values(verdicts=list(verdicts), until=until)).rowcount == 1

    def finish(self, review: ReviewRow, result: Json, now: datetime) -> ReviewRow | None:
        """Store a finished review, and return it with its readers; None if another process has it."""
        own = sa.update(tables.review).where(_C.board == review.board, _C.until == review.until, _C.done.is_(None))
        row = self._c.execute(own.values(done=now, result=result, verdicts=[]).returning(*_C)).first()
        return _review(row) if row else None

    def results(self, player_id: int | None = None) -> list[tuple[str, int, str, Seat, float | None, str | None, Json]]:
        """Return who played on reviewed boards: userid, board, game, seat, rating (mu) before it, engines, review.

        `player_id`: only this player; None: all. The newest boards come first.
        """
        s, b, p = tables.seat.c, tables.board.c, tables.player.c
        query = sa.select(p.userid, b.number, b.game, s.seat, s.mu_before, b.settings["engines"].as_string(), _C.result)
        query = (
            query.select_from(tables.review)
            .join(tables.board, b.number == _C.board)
            .join(tables.seat, s.board == b.number)
        )
        query = query.join(tables.player, p.id == s.player_id).where(_C.result.is_not(None), ~p.robot)
        query = query if player_id is None else query.where(p.id == player_id)
        return [tuple(row) for row in self._c.execute(query.order_by(b.number.desc(), s.seat))]

    def remove(self, board: int) -> None:
        """Forget the review of a board, because the board has gone on."""
        self._c.execute(sa.delete(tables.review).where(_C.board == board))

    def _change(self, board: int, **values: object) -> None:
        self._c.execute(sa.update(tables.review).where(_C.board == board).values(values))


def _review(row: Any) -> ReviewRow:
    board, length, asked, seats, *rest = row
    return ReviewRow(board, length, asked, tuple(seats), *rest)
