"""Ratings, the changes that each board made to them, and high scores of solitaires.

Both are lists of players. We find places, pages and neighbours without counting everybody (docs/adr/0021). A list is
sorted by `level`, which is a rounded value, and within a level by the value itself. The table `level` has the number of
players at each level. A player's place is the sum of all higher levels, plus the number of better players at the same
level. There are some hundreds of levels, even with many players, and few players at each.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from math import floor
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import AnySelect, Rows
from pbmserv.db.queries import Queries
from pbmserv.model import BoardRow, Rating, RatingLine
from pbmserv.model.boards import options_text
from pbmserv.model.ratings import BestScore, PairLine, ScoreLine
from pbmserv.model.rows import CountedSeat, RatedPlayer, ScoredPlayer
from pbmserv.points import Score

_SEAT = tables.seat.c
_CHANGE = (
    sa.update(tables.seat)
    .where(_SEAT.board == sa.bindparam("of"), _SEAT.seat == sa.bindparam("nth"))
    .values(mu_before=sa.bindparam("was"), mu_after=sa.bindparam("became"))
)
_DIGITS = 7  #: how many binary digits of a score its level keeps: there are 64 levels between a score and its double


@dataclass(frozen=True)
class Ladder:
    """A list of players: its name, its table, and the column by which it is sorted. Equal values share a place."""

    name: str
    table: sa.Table
    value: str
    game: str
    variant: str = ""

    def has(self, row: sa.FromClause) -> sa.ColumnElement[bool]:
        """The condition for rows of the table, or of an alias of it, to belong to the list."""
        of_game: sa.ColumnElement[bool] = row.c.game == self.game
        return sa.and_(of_game, row.c.variant == self.variant) if "variant" in row.c else of_game

    def order(self, row: sa.FromClause) -> tuple[sa.ColumnElement[Any], ...]:
        """Return the sort order of the list, the highest first. Among equals, the newest account comes first."""
        return row.c.level, row.c[self.value], row.c.player_id

    @property
    def keys(self) -> dict[str, str]:
        """Return the key columns of the list's rows in the table `level`."""
        return {"list": self.name, "game": self.game, "variant": self.variant}

    @property
    def levels(self) -> sa.ColumnElement[bool]:
        """The condition for rows of the table `level` to belong to the list."""
        return sa.and_(*(tables.level.c[name] == value for name, value in self.keys.items()))


def ratings_of(game: str) -> Ladder:
    """The rating list of a game."""
    return Ladder("ratings", tables.rating, "mu", game)


def scores_of(game: str, variant: str) -> Ladder:
    """The high scores of a solitaire with one set of options."""
    return Ladder("scores", tables.score, "best", game, variant)


def rating_level(mu: float) -> int:
    """The level of a rating: there is one for each point that players see."""
    return floor(60 * mu)


def score_level(best: Score) -> int:
    """The level of a score: its leading digits. A level is as wide as a 128th to a 64th of the scores at it."""
    points = floor(best)
    rest = max(abs(points).bit_length() - _DIGITS, 0)
    return points >> rest << rest


class RatingQueries(Queries):
    """Queries about ratings and scores. To change them, first call `BoardQueries.lock_endings`."""

    def find(self, game: str, player_id: int) -> Rating | None:
        """Return a player's rating in a game; None before the first rated board."""
        return self.find_many([game], player_id).get(game)

    def find_many(self, games: Collection[str], player_id: int) -> dict[str, Rating]:
        """Return a player's ratings in these games; those in which there is none yet are left out."""
        c = tables.rating.c
        query = sa.select(c.game, c.mu, c.sigma, c.boards, c.won, c.drawn, c.lost)
        rows = self._c.execute(query.where(c.game.in_(games), c.player_id == player_id))
        return {game: Rating(*values) for game, *values in rows}

    def set(self, game: str, player_id: int, rating: Rating, before: Rating | None = None) -> None:
        """Write a rating. `before`: the one that it replaces, None if there was none."""
        values = {**asdict(rating), "level": rating_level(rating.mu)}
        self._put(tables.rating, {"game": game, "player_id": player_id}, values)
        self._shift(ratings_of(game), rating_level(before.mu) if before else None, rating_level(rating.mu))

    def set_changes(self, number: int, changes: Sequence[tuple[float, float]]) -> None:
        """Write the changes of ratings by a board: (mu before, mu after) by seat."""
        for seat, (before, after) in enumerate(changes):
            here = sa.update(tables.seat).where(tables.seat.c.board == number, tables.seat.c.seat == seat)
            self._c.execute(here.values(mu_before=before, mu_after=after))

    def changes(self, number: int) -> list[tuple[float, float] | None]:
        """Return what a board changed: for each seat (mu before, mu after), or None if it was not rated."""
        c = tables.seat.c
        query = sa.select(c.mu_before, c.mu_after).where(c.board == number).order_by(c.seat)
        return [None if r.mu_after is None else (r.mu_before, r.mu_after) for r in self._c.execute(query)]

    def boards_before(self, row: BoardRow, one: int, other: int, since: datetime, most: int) -> int:
        """Return how many boards of its game two players have ended since a time and before this one; at most `most`.

        Only those that counted. `one`: who of the two has fewer, because all of them are looked through.
        """
        b, s, theirs = tables.board.c, tables.seat.c, tables.seat.alias().c
        this = sa.select(b.ending).where(b.number == row.number).scalar_subquery()
        met = sa.exists().where(theirs.board == s.board, theirs.player_id == other)
        board = tables.board.alias().c
        known = (board.number == s.board, board.game == row.key, board.over >= since, board.ending < this)
        ended = sa.exists().where(*known)
        query = sa.select(s.board).where(s.player_id == one, s.mu_after.is_not(None), ended, met)
        return int(self._c.scalar(sa.select(sa.func.count()).select_from(query.limit(most).subquery())) or 0)

    def pairs(self, since: datetime, limit: int, game: str = "") -> list[PairLine]:
        """Return who has most boards with whom that counted and have ended since a time, in each game."""
        b, s, theirs = tables.board.c, tables.seat.c, tables.seat.alias()
        boards = sa.func.count(sa.distinct(b.number))
        won = sa.func.sum(sa.case((s.rank < theirs.c.rank, 1), else_=0))
        query = sa.select(b.game, s.player_id, theirs.c.player_id, boards, won)
        query = query.select_from(tables.board).join(tables.seat, s.board == b.number)
        query = query.join(theirs, sa.and_(theirs.c.board == b.number, theirs.c.player_id > s.player_id))
        query = query.where(b.over >= since, s.mu_after.is_not(None))
        query = query.where(b.game == game) if game else query
        grouped = query.group_by(b.game, s.player_id, theirs.c.player_id)
        return [PairLine(*row) for row in self._c.execute(grouped.order_by(boards.desc()).limit(limit))]

    def peers(self, player_id: int, since: datetime) -> list[str]:
        """Return from where a player's moves have come since a time, each once. Old mails are forgotten."""
        e, s, m = tables.entry.c, tables.seat.c, tables.mail.c
        query = sa.select(m.peer).distinct().select_from(tables.entry).join(tables.mail, m.id == e.mail_id)
        query = query.join(tables.seat, sa.and_(s.board == e.board, s.seat == e.seat))
        return sorted(self._c.scalars(query.where(s.player_id == player_id, e.at >= since, m.peer != "")))

    def standings(self, game: str, first: int, count: int) -> list[RatingLine]:
        """Rated players of a game, the best first, from position `first` (0: the best) on."""
        return [_rating_line(row) for row in self._page(ratings_of(game), first, count)]

    def standings_near(self, game: str, player_id: int, reach: int) -> list[RatingLine]:
        """Return a rated player with `reach` players above and `reach` below; empty if the player has no rating."""
        return [_rating_line(row) for row in self._near(ratings_of(game), player_id, reach)]

    def count(self, game: str) -> int:
        """How many rated players a game has."""
        return self._count(ratings_of(game))

    def let_count(self, number: int, counts: bool) -> None:
        """Write whether a finished board counts. If it did not before, call `replace` afterwards."""
        c = tables.seat.c
        values = {"mu_before": 0.0, "mu_after": 0.0} if counts else {"mu_before": None, "mu_after": None}
        wrong = sa.update(tables.seat).where(c.board == number, c.mu_after.is_(None) == counts)
        self._c.execute(wrong.values(values))

    def counted(self, games: Collection[str]) -> list[CountedSeat]:
        """Return the seats of the boards of these games that count, in the order in which the boards ended."""
        b, s = tables.board.c, tables.seat.c
        of_board = (b.game, b.rules, b.over, b.settings["counting"].as_integer().label("counting"))
        query = sa.select(*of_board, s.board, s.seat, s.player_id, s.rank, s.mu_before, s.mu_after)
        query = query.join(tables.board, b.number == s.board).where(b.game.in_(games), s.mu_after.is_not(None))
        return self._found(query.order_by(b.ending, s.seat))

    def replace(
        self,
        games: Collection[str],
        ratings: Mapping[tuple[str, int], Rating],
        changes: Sequence[tuple[int, int, float, float]],
    ) -> None:
        """Write all ratings of these games, and what boards changed: (board, seat, mu before, mu after)."""
        rows = [
            {"game": game, "player_id": player_id, **asdict(rating), "level": rating_level(rating.mu)}
            for (game, player_id), rating in ratings.items()
        ]
        self._c.execute(sa.delete(tables.rating).where(tables.rating.c.game.in_(games)))
        if rows:
            self._c.execute(sa.insert(tables.rating), rows)
        if changes:
            self._c.execute(_CHANGE, [dict(zip(("of", "nth", "was", "became"), c, strict=True)) for c in changes])
        self.count_levels()

    # --- high scores -------------------------------------------------------------------------------------------------

    def scores(self, game: str, variant: str, limit: int) -> list[ScoreLine]:
        """The high-score table of a solitaire with one set of options, the best first: so many people, and robots."""
        robots = self._robots_in(game, [variant]).get(variant, [])
        page = self._page(scores_of(game, variant), 0, limit + len(robots))
        rows = [_score_line(row, robots) for row in page]
        people = [place for place, row in enumerate(rows, 1) if row.place]
        return rows[: people[limit - 1]] if len(people) >= limit else rows

    def score(self, game: str, variant: str, player_id: int) -> ScoreLine | None:
        """Return a player's line of a high-score table; None if the player is not in it."""
        robots = self._robots_in(game, [variant]).get(variant, [])
        return next((_score_line(row, robots) for row in self._near(scores_of(game, variant), player_id, 0)), None)

    def has_scores(self, player_id: int) -> bool:
        """Return whether a player is in any high-score table."""
        c = tables.score.c
        return self._c.scalar(sa.select(c.best).where(c.player_id == player_id).limit(1)) is not None

    def variants(self, game: str) -> dict[str, int]:
        """The sets of options with which boards of a solitaire have ended: options -> how many people did that."""
        c = tables.level.c
        players = sa.func.sum(c.players)
        query = sa.select(c.variant, players).where(c.list == "scores", c.game == game).group_by(c.variant)
        counts = {r[0]: int(r[1]) for r in self._c.execute(query.having(players > 0).order_by(c.variant))}
        robots = self._robots_in(game, list(counts))
        return {variant: count - len(robots.get(variant, ())) for variant, count in counts.items()}

    def _robots_in(self, game: str, variants: Sequence[str]) -> dict[str, list[Score]]:
        """Return the best scores of robots in a solitaire: options -> scores. There are only a few."""
        c, scores = tables.score.c, dict[str, list[Score]]()
        here = (c.game == game, c.variant.in_(variants))
        robots = sa.select(tables.player.c.id).where(sa.literal_column("player.robot"))  # as in the index of robots
        ids = set(self._c.scalars(sa.select(c.player_id).where(*here, c.player_id.in_(robots))))
        if ids:  # asked on its own, so that each is found by the key
            for variant, best in self._c.execute(sa.select(c.variant, c.best).where(*here, c.player_id.in_(ids))):
                scores.setdefault(variant, []).append(best)
        return scores

    def add_score(self, row: BoardRow) -> None:
        """Count the score of a finished board, if it is a solitaire."""
        result = row.board.result
        if result is None or not result.scores or len(row.players) > 1:
            return
        score, before = result.scores[0], self._best_score(row)
        old = before or BestScore(score, 0, 0)
        self._set_best_score(row, before, BestScore(max(old.best, score), old.total + score, old.boards + 1))

    def remake_score(self, row: BoardRow) -> None:
        """Count all scores of a player in a solitaire again, because a result was changed or undone."""
        if len(row.players) == 1:
            query = _ended(tables.seat.c.player_id == row.players[0].id, *_like(row, tables.board))
            made = self._c.execute(query).first()
            self._set_best_score(row, self._best_score(row), BestScore(*made[3:]) if made else None)

    def remake_scores(self) -> None:
        """Compute all high scores again from the finished boards. Call `count_levels` afterwards."""
        self._c.execute(sa.delete(tables.score))
        keys = ("game", "variant", "player_id")
        made = [(dict(zip(keys, key, strict=True)), record) for key, record in self.scores_of_boards().items()]
        if made:
            rows = [{**key, **r._asdict(), "level": score_level(r.best)} for key, r in made]
            self._c.execute(sa.insert(tables.score), rows)

    def scores_of_boards(self) -> dict[tuple[str, str, int], BestScore]:
        """Return the results of finished solitaires: (game, options, player id) -> BestScore."""
        return {tuple(r[:3]): BestScore(*r[3:]) for r in self._c.execute(_ended())}

    def _best_score(self, row: BoardRow) -> BestScore | None:
        """Return the results so far of a solitaire's player."""
        c = tables.score.c
        query = sa.select(c.best, c.total, c.boards).where(c.player_id == row.players[0].id, *_like(row, tables.score))
        best = self._c.execute(query).first()
        return BestScore(*best) if best else None

    def _set_best_score(self, row: BoardRow, before: BestScore | None, after: BestScore | None) -> None:
        game, variant, player_id = row.key, options_text(row.board.start.options), row.players[0].id
        levels = [score_level(score.best) if score else None for score in (before, after)]
        self._shift(scores_of(game, variant), *levels)
        keys = {"game": game, "variant": variant, "player_id": player_id}
        if after is None:
            self._c.execute(sa.delete(tables.score).filter_by(**keys))
            return
        self._put(tables.score, keys, {**after._asdict(), "level": score_level(after.best)})

    # --- both lists --------------------------------------------------------------------------------------------------

    def count_levels(self) -> None:
        """Count the players at each level of each list again."""
        self._c.execute(sa.delete(tables.level))
        for ladder in (ratings_of(""), scores_of("", "")):
            c = ladder.table.c
            keys = (c.game, c.variant if "variant" in c else sa.literal(""), c.level)
            counted = sa.select(sa.literal(ladder.name), *keys, sa.func.count()).group_by(*keys)
            self._c.execute(sa.insert(tables.level).from_select([x.name for x in tables.level.c], counted))

    def _count(self, ladder: Ladder) -> int:
        players = sa.func.coalesce(sa.func.sum(tables.level.c.players), 0)
        return int(self._c.execute(sa.select(players).where(ladder.levels)).scalar_one())

    def _page(self, ladder: Ladder, first: int, count: int) -> Rows:
        """`count` rows of a list from position `first` (0: the top) on, as `_listed` makes them."""
        table = ladder.table
        query = sa.select(table).where(ladder.has(table)).order_by(*(c.desc() for c in ladder.order(table)))
        if first:
            level, above = self._level_at(ladder, first)
            query = query.where(table.c.level <= level).offset(first - above)
        return self._listed(ladder, query.limit(count))

    def _near(self, ladder: Ladder, player_id: int, reach: int) -> Rows:
        """Return a player's row with `reach` rows above and `reach` below; empty if the player is not in the list."""
        table = ladder.table
        order = ladder.order(table)
        place = self._c.execute(sa.select(*order).where(ladder.has(table), table.c.player_id == player_id)).first()
        if place is None:
            return []
        query, here = sa.select(table).where(ladder.has(table)), sa.tuple_(*place, types=[c.type for c in order])
        above = query.where(sa.tuple_(*order) > here).order_by(*order).limit(reach)
        below = query.where(sa.tuple_(*order) <= here).order_by(*(c.desc() for c in order)).limit(reach + 1)
        return [*self._listed(ladder, above), *self._listed(ladder, below)] if reach else self._listed(ladder, below)

    def _shift(self, ladder: Ladder, before: int | None, after: int | None) -> None:
        """Count a player at level `after` and no longer at `before`. None means not in the list."""
        if before == after:
            return
        c = tables.level.c
        if before is not None:
            left = sa.update(tables.level).where(ladder.levels, c.level == before)
            self._c.execute(left.values(players=c.players - 1))
        if after is not None:
            statement = self._insert(tables.level).values(**ladder.keys, level=after, players=1)
            more = {"players": c.players + 1}
            self._c.execute(statement.on_conflict_do_update(index_elements=list(tables.level.primary_key), set_=more))

    def _level_at(self, ladder: Ladder, position: int) -> tuple[int, int]:
        """Return the level at a position of a list (0: the top), and the number of players above that level."""
        c = tables.level.c
        higher = (sa.func.sum(c.players).over(order_by=c.level.desc()) - c.players).label("above")
        steps = sa.select(c.level, higher).where(ladder.levels).subquery()
        query = sa.select(steps.c.level, steps.c.above).where(steps.c.above <= position)
        row = self._c.execute(query.order_by(steps.c.above.desc(), steps.c.level).limit(1)).first()
        return (row.level, int(row.above)) if row else (0, 0)

    def _listed(self, ladder: Ladder, query: AnySelect) -> Rows:
        """The rows that a query finds in the list's table, the highest first, with `userid` and `place` added."""
        row = query.subquery("listed")
        person = (tables.player.c.userid, tables.player.c.robot)
        listed = sa.select(row, *person, _place(ladder, row).label("place"))
        listed = listed.join(tables.player, tables.player.c.id == row.c.player_id)
        return list(self._c.execute(listed.order_by(*(c.desc() for c in ladder.order(row)))))


def _ended(*conditions: sa.ColumnElement[bool]) -> AnySelect:
    """The finished solitaires, added up: game, variant, player_id, and the fields of BestScore."""
    b, s, other = tables.board.c, tables.seat.c, tables.seat.alias("other")
    alone = ~sa.exists().where(other.c.board == s.board, other.c.seat == 1)
    best, total = sa.func.max(s.score).label("best"), sa.func.sum(s.score).label("total")
    reached = (best, total, sa.func.count().label("boards"))
    query = sa.select(b.game, b.variant, s.player_id, *reached).select_from(tables.seat.join(tables.board))
    return query.where(s.score.is_not(None), alone, *conditions).group_by(b.game, b.variant, s.player_id)


def _like(row: BoardRow, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
    """The conditions for rows of a table to have the game and the options of a board."""
    return table.c.game == row.key, table.c.variant == options_text(row.board.start.options)


def _rating_line(row: RatedPlayer) -> RatingLine:
    return RatingLine(row.place, row.userid, Rating(row.mu, row.sigma, row.boards, row.won, row.drawn, row.lost))


def _score_line(row: ScoredPlayer, robots: Sequence[Score]) -> ScoreLine:
    """Return a line. `robots`: the best scores of robots in the list, which take no places."""
    place = 0 if row.robot else row.place - sum(best > row.best for best in robots)
    return ScoreLine(place, row.userid, row.best, row.total / row.boards, row.boards)


def _place(ladder: Ladder, row: sa.FromClause) -> sa.ColumnElement[int]:
    """The place of a row: 1 for the best; equals share one."""
    c, other = tables.level.c, ladder.table.alias("other")
    above = sa.select(sa.func.coalesce(sa.func.sum(c.players), 0)).where(ladder.levels, c.level > row.c.level)
    same_level = (ladder.has(other), other.c.level == row.c.level)
    better = sa.select(sa.func.count()).where(*same_level, other.c[ladder.value] > row.c[ladder.value])
    return 1 + above.correlate(row).scalar_subquery() + better.correlate(row).scalar_subquery()
