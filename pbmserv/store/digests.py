"""Board letters that are collected for a digest, and the digests that were sent."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.games.base import Seat


class Collected(NamedTuple):
    """A board letter that waits; `comment` may be empty."""

    board: int
    by: str
    comment: str


class Sent(NamedTuple):
    """A digest that was sent; `boards`: number -> seat and length of the log then."""

    player_id: int
    boards: dict[int, tuple[Seat, int]]


class Digests(Queries):
    """Queries about digests."""

    def collect(self, player_id: int, board: int, by: str, comment: str, now: datetime) -> None:
        """Keep a board letter for the next digest."""
        values = {"player_id": player_id, "board": board, "by": by, "comment": comment, "created": now}
        self._c.execute(sa.insert(tables.collected).values(values))

    def digest_readers(self) -> list[tuple[int, datetime]]:
        """Who has letters waiting, and since when."""
        c = tables.collected.c
        query = sa.select(c.player_id, sa.func.min(c.created, type_=tables.Utc())).group_by(c.player_id)
        return [(r[0], r[1]) for r in self._c.execute(query.order_by(c.player_id))]

    def take_collected(self, player_id: int) -> list[Collected]:
        """What waits for a reader, by board and age; it waits no longer."""
        c = tables.collected.c
        taken = sa.delete(tables.collected).where(c.player_id == player_id)
        rows = sorted(self._c.execute(taken.returning(c.board, c.id, c.by, c.comment)))
        return [Collected(r.board, r.by, r.comment) for r in rows]

    def add_digest(self, player_id: int, boards: Sequence[tuple[int, Seat, int]], now: datetime) -> int:
        """Write down that a digest goes out; its number."""
        values = {"player_id": player_id, "sent": now, "boards": [list(b) for b in boards]}
        return int(self._c.execute(sa.insert(tables.digest).values(values).returning(tables.digest.c.id)).scalar_one())

    def digest(self, number: int) -> Sent | None:
        """A digest that was sent."""
        c = tables.digest.c
        row = self._c.execute(sa.select(c.player_id, c.boards).where(c.id == number)).first()
        return Sent(row.player_id, {n: (seat, length) for n, seat, length in row.boards}) if row else None
