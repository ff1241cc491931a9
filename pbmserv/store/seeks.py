"""Open challenges and who has joined them."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.store.players import PLAYER_COLUMNS
from pbmserv.store.types import Player, Seek, Settings


class Seeks(Queries):
    """Queries about seeks."""

    def add_seek(
        self,
        game: str,
        options: dict[str, str],
        settings: Settings,
        seats: int,
        rating: tuple[int, int] | None,
        random: bool,
        player: Player,
        now: datetime,
    ) -> Seek:
        """Open a seek; `player` has the first place."""
        low, high = rating or (None, None)
        values = {
            "game": game,
            "options": options,
            "settings": asdict(settings),
            "seats": seats,
            "rating_from": low,
            "rating_to": high,
            "random": random,
            "created": now,
        }
        number = self._c.execute(sa.insert(tables.seek).values(values).returning(tables.seek.c.number)).scalar_one()
        self.join_seek(number, player)
        return Seek(number, game, options, settings, seats, rating, random, now, (player,))

    def seek(self, number: int) -> Seek | None:
        """The open seek with this number, locked until the transaction ends."""
        found = self._seeks(self._locked(sa.select(tables.seek).where(tables.seek.c.number == number)))
        return found[0] if found else None

    def open_seeks(self, game: str | None = None, limit: int | None = None) -> list[Seek]:
        """The open seeks that are listed, the oldest first; all of them without a limit."""
        query = sa.select(tables.seek).where(~tables.seek.c.settings["private"].as_boolean())
        c = tables.seek.c
        query = query.order_by(c.created, c.number) if game is None else query.where(c.game == game).order_by(c.number)
        return self._seeks(query.limit(limit))

    def seeks_of(self, player: Player) -> list[Seek]:
        """The open seeks in which a player has a place."""
        mine = sa.select(tables.seeker.c.seek).where(tables.seeker.c.player_id == player.id)
        return self._seeks(sa.select(tables.seek).where(tables.seek.c.number.in_(mine)).order_by(tables.seek.c.number))

    def seeks_before(self, created: datetime, most: int | None = None) -> list[Seek]:
        """Open seeks that were opened before a time, locked until the transaction ends; all of them without `most`."""
        query = (
            sa.select(tables.seek)
            .where(tables.seek.c.created < created)
            .order_by(tables.seek.c.created, tables.seek.c.number)
        )
        return self._seeks(self._locked(query.limit(most)))

    def join_seek(self, number: int, player: Player) -> None:
        """Give a player the next place."""
        place = sa.select(sa.func.coalesce(sa.func.max(tables.seeker.c.place), -1) + 1).where(
            tables.seeker.c.seek == number
        )
        values = {"seek": number, "place": place.scalar_subquery(), "player_id": player.id}
        self._c.execute(sa.insert(tables.seeker).values(values))

    def leave_seek(self, number: int, player: Player) -> None:
        """Take a player's place away."""
        c = tables.seeker.c
        self._c.execute(sa.delete(tables.seeker).where(c.seek == number, c.player_id == player.id))

    def close_seek(self, number: int, now: datetime, board: int | None = None) -> None:
        """The seek is over; `board` came of it."""
        self._c.execute(sa.update(tables.seek).where(tables.seek.c.number == number).values(closed=now, board=board))

    def _seeks(self, query: sa.Select[Any]) -> list[Seek]:
        """Those of a query's seeks that are open: somebody whose account is open still has a place."""
        rows = list(self._c.execute(query.where(tables.seek.c.closed.is_(None))))
        players = self._players([r.number for r in rows])
        return [_seek(r, players[r.number]) for r in rows if players[r.number]]

    def _players(self, numbers: Sequence[int]) -> dict[int, list[Player]]:
        c = tables.seeker.c
        query = (
            sa.select(*PLAYER_COLUMNS, c.seek).join(tables.seeker).where(c.seek.in_(numbers)).order_by(c.seek, c.place)
        )
        found: dict[int, list[Player]] = {n: [] for n in numbers}
        for row in self._c.execute(query.where(tables.player.c.closed.is_(None))):
            found[row.seek].append(Player(*row[: len(PLAYER_COLUMNS)]))
        return found


def _seek(row: Any, players: list[Player]) -> Seek:
    rating = None if row.rating_from is None else (row.rating_from, row.rating_to)
    settings = Settings(**row.settings)
    return Seek(row.number, row.game, row.options, settings, row.seats, rating, row.random, row.created, tuple(players))
