"""Ratings and what a board changed in them; the high scores of solitaires."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.store.boards import options_text
from pbmserv.store.ladders import Ladders, rating_level, ratings_of, score_level, scores_of
from pbmserv.store.types import BoardRow, Rating, Record, Scores, Standing


class Ratings(Ladders):
    """Queries about ratings and scores. Both change under `lock_endings` only."""

    def rating(self, game: str, player_id: int) -> Rating | None:
        """A player's rating in a game; None before his first rated board."""
        c = tables.rating.c
        query = sa.select(c.mu, c.sigma, c.boards, c.won, c.drawn, c.lost)
        row = self._c.execute(query.where(c.game == game, c.player_id == player_id)).first()
        return Rating(*row) if row else None

    def set_rating(self, game: str, player_id: int, rating: Rating, before: Rating | None = None) -> None:
        """Write a rating in the place of the one before; None: there was none."""
        values = {**asdict(rating), "level": rating_level(rating.mu)}
        statement = self._insert(tables.rating).values(game=game, player_id=player_id, **values)
        self._c.execute(statement.on_conflict_do_update(index_elements=["game", "player_id"], set_=values))
        self._shift(ratings_of(game), rating_level(before.mu) if before else None, rating_level(rating.mu))

    def set_changes(self, number: int, changes: Sequence[tuple[float, float]]) -> None:
        """Write what a board changed: mu before and after, by seat."""
        for seat, (before, after) in enumerate(changes):
            here = sa.update(tables.seat).where(tables.seat.c.board == number, tables.seat.c.seat == seat)
            self._c.execute(here.values(mu_before=before, mu_after=after))

    def changes(self, number: int) -> list[tuple[float, float] | None]:
        """What a board changed, by seat; None where it was not rated."""
        c = tables.seat.c
        query = sa.select(c.mu_before, c.mu_after).where(c.board == number).order_by(c.seat)
        return [None if r.mu_after is None else (r.mu_before, r.mu_after) for r in self._c.execute(query)]

    def standings(self, game: str, first: int, count: int) -> list[Standing]:
        """Rated players of a game, the best first, from position `first` (0: the best)."""
        return [_standing(row) for row in self._page(ratings_of(game), first, count)]

    def standings_near(self, game: str, player_id: int, reach: int) -> list[Standing]:
        """The rated players around one of them, so many above and below; nobody if he has no rating."""
        return [_standing(row) for row in self._near(ratings_of(game), player_id, reach)]

    def rated(self, game: str) -> int:
        """How many rated players a game has."""
        return self._count(ratings_of(game))

    def clear_ratings(self) -> None:
        """Forget all ratings and all changes."""
        self._c.execute(sa.delete(tables.rating))
        self._c.execute(sa.delete(tables.level))
        self._c.execute(sa.update(tables.seat).values(mu_before=None, mu_after=None))

    # --- high scores -------------------------------------------------------------------------------------------------

    def scores(self, game: str, variant: str, limit: int) -> list[Scores]:
        """The high-score table of a solitaire with one set of options, the best first."""
        return [_scores(row) for row in self._page(scores_of(game, variant), 0, limit)]

    def score(self, game: str, variant: str, player_id: int) -> Scores | None:
        """A player's line in a high-score table; None if he is not in it."""
        return next((_scores(row) for row in self._near(scores_of(game, variant), player_id, 0)), None)

    def variants(self, game: str) -> dict[str, int]:
        """The sets of options with which boards of a solitaire have ended, and how many players did that."""
        c = tables.level.c
        players = sa.func.sum(c.players)
        query = sa.select(c.variant, players).where(c.list == "scores", c.game == game).group_by(c.variant)
        return {r[0]: int(r[1]) for r in self._c.execute(query.having(players > 0).order_by(c.variant))}

    def add_score(self, row: BoardRow) -> None:
        """A board of one player has ended: count its score."""
        result = row.board.result
        if result is None or not result.scores or len(row.players) > 1:
            return
        score, before = result.scores[0], self._record(row)
        old = before or Record(score, 0, 0)
        self._set_record(row, before, Record(max(old.best, score), old.total + score, old.boards + 1))

    def remake_score(self, row: BoardRow) -> None:
        """The end of a board of one player was changed or taken back: count all scores of its player anew."""
        if len(row.players) == 1:
            query = _ended(tables.seat.c.player_id == row.players[0].id, *_like(row, tables.board))
            made = self._c.execute(query).first()
            self._set_record(row, self._record(row), Record(*made[3:]) if made else None)

    def remake_scores(self) -> None:
        """Forget all high scores and make them anew from the finished boards; `count_levels` has to follow."""
        self._c.execute(sa.delete(tables.score))
        keys = ("game", "variant", "player_id")
        made = [(dict(zip(keys, key, strict=True)), record) for key, record in self.scores_of_boards().items()]
        if made:
            rows = [{**key, **r._asdict(), "level": score_level(r.best)} for key, r in made]
            self._c.execute(sa.insert(tables.score), rows)

    def scores_of_boards(self) -> dict[tuple[str, str, int], Record]:
        """What the finished boards of single players come to: (game, options, player) -> record."""
        return {tuple(r[:3]): Record(*r[3:]) for r in self._c.execute(_ended())}

    def _record(self, row: BoardRow) -> Record | None:
        """What the player of a solitaire's board has reached so far."""
        c = tables.score.c
        query = sa.select(c.best, c.total, c.boards).where(c.player_id == row.players[0].id, *_like(row, tables.score))
        found = self._c.execute(query).first()
        return Record(*found) if found else None

    def _set_record(self, row: BoardRow, before: Record | None, after: Record | None) -> None:
        game, variant, player_id = row.board.game.info.key, options_text(row.board.start.options), row.players[0].id
        levels = [score_level(record.best) if record else None for record in (before, after)]
        self._shift(scores_of(game, variant), *levels)
        keys = {"game": game, "variant": variant, "player_id": player_id}
        if after is None:
            self._c.execute(sa.delete(tables.score).filter_by(**keys))
            return
        values = {**after._asdict(), "level": score_level(after.best)}
        statement = self._insert(tables.score).values(**keys, **values)
        self._c.execute(statement.on_conflict_do_update(index_elements=list(keys), set_=values))


def _ended(*conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """What the finished boards of single players say: game, variant, player, and the fields of Record."""
    b, s, other = tables.board.c, tables.seat.c, tables.seat.alias("other")
    alone = ~sa.exists().where(other.c.board == s.board, other.c.seat == 1)
    total = sa.cast(sa.func.sum(s.score), sa.BigInteger)
    record = (sa.func.max(s.score).label("best"), total.label("total"), sa.func.count().label("boards"))
    query = sa.select(b.game, b.variant, s.player_id, *record).select_from(tables.seat.join(tables.board))
    return query.where(s.score.is_not(None), alone, *conditions).group_by(b.game, b.variant, s.player_id)


def _like(row: BoardRow, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
    """The game and the options of a board."""
    return table.c.game == row.board.game.info.key, table.c.variant == options_text(row.board.start.options)


def _standing(row: Any) -> Standing:
    return Standing(row.place, row.userid, Rating(row.mu, row.sigma, row.boards, row.won, row.drawn, row.lost))


def _scores(row: Any) -> Scores:
    return Scores(row.place, row.userid, row.best, row.total / row.boards, row.boards)
