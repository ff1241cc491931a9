"""Ratings and what a board changed in them."""

from collections.abc import Sequence
from dataclasses import asdict

import sqlalchemy as sa

from pbmserv import db
from pbmserv.store.base import Queries
from pbmserv.store.types import Player, Rating, Scores


class Ratings(Queries):
    """Queries about ratings."""

    def rating(self, game: str, player_id: int) -> Rating | None:
        """A player's rating in a game; None before his first rated board. It changes under `lock_endings` only."""
        c = db.rating.c
        query = sa.select(c.mu, c.sigma, c.boards, c.won, c.drawn, c.lost)
        row = self._c.execute(query.where(c.game == game, c.player_id == player_id)).first()
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

    def standings(self, game: str, first: int, count: int) -> list[tuple[str, Rating]]:
        """Rated players of a game, the best first, from place `first` (0: the best)."""
        c, p = db.rating.c, db.player.c
        columns = (p.userid, c.mu, c.sigma, c.boards, c.won, c.drawn, c.lost)
        query = sa.select(*columns).join(db.player).where(c.game == game).order_by(c.mu.desc(), p.userid)
        return [(r.userid, Rating(*r[1:])) for r in self._c.execute(query.offset(first).limit(count))]

    def rated(self, game: str) -> int:
        """How many rated players a game has."""
        return self._c.execute(sa.select(sa.func.count()).where(db.rating.c.game == game)).scalar_one()

    def place(self, game: str, player: Player) -> int | None:
        """A player's place in the standings, 0 for the best; None if he has no rating."""
        c, p = db.rating.c, db.player.c
        mine = self.rating(game, player.id)
        if mine is None:
            return None
        # In two counts: whoever is better is counted by the index alone, without a look at his account.
        better = sa.select(sa.func.count()).where(c.game == game, c.mu > mine.mu)
        equal = sa.select(sa.func.count()).select_from(db.rating.join(db.player))
        before = equal.where(c.game == game, c.mu == mine.mu, p.userid < player.userid)
        return int(self._c.execute(better).scalar_one()) + int(self._c.execute(before).scalar_one())

    def scores(self, game: str, variant: str, limit: int | None = None) -> list[Scores]:
        """The high-score table of a solitaire with one set of options, the best first; all of it without a limit."""
        b, s, p = db.board.c, db.seat.c, db.player.c
        best, average = sa.func.max(s.score), sa.func.avg(s.score)
        query = (
            sa.select(p.userid, best, average, sa.func.count())
            .select_from(db.seat.join(db.board).join(db.player, p.id == s.player_id))
            .where(b.game == game, b.variant == variant, s.score.is_not(None))
            .group_by(p.userid)
            .order_by(best.desc(), p.userid)
            .limit(limit)
        )
        return [Scores(r[0], int(r[1]), float(r[2]), r[3]) for r in self._c.execute(query)]

    def variants(self, game: str) -> list[str]:
        """The sets of options with which boards of a game have ended."""
        c = db.board.c
        query = sa.select(c.variant).where(c.game == game, c.over.is_not(None)).distinct().order_by(c.variant)
        return list(self._c.scalars(query))

    def clear_ratings(self) -> None:
        """Forget all ratings and all changes."""
        self._c.execute(sa.delete(db.rating))
        self._c.execute(sa.update(db.seat).values(mu_before=None, mu_after=None))
