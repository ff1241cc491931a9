"""Ratings and what a board changed in them."""

from collections.abc import Sequence
from dataclasses import asdict

import sqlalchemy as sa

from pbmserv import db
from pbmserv.store.base import Queries
from pbmserv.store.types import Rating


class Ratings(Queries):
    """Queries about ratings."""

    def rating(self, game: str, player_id: int) -> Rating | None:
        """A player's rating in a game; None before his first rated board."""
        c = db.rating.c
        query = sa.select(c.mu, c.sigma, c.boards, c.won, c.drawn, c.lost)
        row = self._c.execute(query.where(c.game == game, c.player_id == player_id).with_for_update()).first()
        return Rating(*row) if row else None

    def set_rating(self, game: str, player_id: int, rating: Rating) -> None:
        """Write a rating."""
        statement = self._insert(db.rating).values(game=game, player_id=player_id, **asdict(rating))
        self._c.execute(statement.on_conflict_do_update(index_elements=["game", "player_id"], set_=asdict(rating)))

    def set_changes(self, number: int, changes: Sequence[tuple[float, float]]) -> None:
        """Write what a board changed: mu before and after, by seat."""
        for seat, (before, after) in enumerate(changes):
            here = sa.update(db.seat).where(db.seat.c.board == number, db.seat.c.seat == seat)
            self._c.execute(here.values(mu_before=before, mu_after=after))

    def changes(self, number: int) -> list[tuple[float, float] | None]:
        """What a board changed, by seat; None where it was not rated."""
        c = db.seat.c
        query = sa.select(c.mu_before, c.mu_after).where(c.board == number).order_by(c.seat)
        return [None if r.mu_after is None else (r.mu_before, r.mu_after) for r in self._c.execute(query)]

    def clear_ratings(self) -> None:
        """Forget all ratings and all changes."""
        self._c.execute(sa.delete(db.rating))
        self._c.execute(sa.update(db.seat).values(mu_before=None, mu_after=None))
