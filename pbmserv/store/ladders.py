"""Lists of players by what they have reached: places, pages and neighbours, found without counting everybody.

A list is sorted by `level`, a rounded value, and within a level by the value itself. The table `level` says how many
players stand at each. So a place is the sum of the levels above and a count of who is better at the same level: there
are some hundreds of levels, however many players there are, and few players at each (docs/adr/0021).
"""

from dataclasses import dataclass
from math import floor
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries

_DIGITS = 7  #: binary ones of a score that its level keeps: 64 levels between a score and its double


@dataclass(frozen=True)
class Ladder:
    """One list: its name, its table, and the column by which that is sorted. Equal values share a place."""

    name: str
    table: sa.Table
    value: str
    game: str
    variant: str = ""

    def has(self, row: sa.FromClause) -> sa.ColumnElement[bool]:
        """Whether a row of the table, or of an alias of it, belongs to the list."""
        mine: sa.ColumnElement[bool] = row.c.game == self.game
        return sa.and_(mine, row.c.variant == self.variant) if "variant" in row.c else mine

    def order(self, row: sa.FromClause) -> tuple[sa.ColumnElement[Any], ...]:
        """What the list is sorted by, highest first; of equals, the newest account comes first."""
        return row.c.level, row.c[self.value], row.c.player_id

    @property
    def keys(self) -> dict[str, str]:
        """What its rows in the table `level` have in common."""
        return {"list": self.name, "game": self.game, "variant": self.variant}

    @property
    def levels(self) -> sa.ColumnElement[bool]:
        """The condition for its rows in the table `level`."""
        return sa.and_(*(tables.level.c[name] == value for name, value in self.keys.items()))


def ratings_of(game: str) -> Ladder:
    """The rating list of a game."""
    return Ladder("ratings", tables.rating, "mu", game)


def scores_of(game: str, variant: str) -> Ladder:
    """The high scores of a solitaire with one set of options."""
    return Ladder("scores", tables.score, "best", game, variant)


def rating_level(mu: float) -> int:
    """One level for each point that players see."""
    return floor(60 * mu)


def score_level(best: int) -> int:
    """A score without its smaller part: levels are as wide as a 64th to a 128th of the scores at them."""
    rest = max(abs(best).bit_length() - _DIGITS, 0)
    return best >> rest << rest


class Ladders(Queries):
    """Queries about lists of players."""

    def _count(self, ladder: Ladder) -> int:
        """How many players a list has."""
        players = sa.func.coalesce(sa.func.sum(tables.level.c.players), 0)
        return int(self._c.execute(sa.select(players).where(ladder.levels)).scalar_one())

    def _page(self, ladder: Ladder, first: int, count: int) -> list[Any]:
        """Rows of a list from a position (0: the top): the columns of its table, `userid` and `place`."""
        table = ladder.table
        query = sa.select(table).where(ladder.has(table)).order_by(*(c.desc() for c in ladder.order(table)))
        if first:
            level, above = self._level_at(ladder, first)
            query = query.where(table.c.level <= level).offset(first - above)
        return self._listed(ladder, query.limit(count))

    def _near(self, ladder: Ladder, player_id: int, reach: int) -> list[Any]:
        """The rows around a player, so many above and below his own; none if he is not in the list."""
        table = ladder.table
        order = ladder.order(table)
        mine = self._c.execute(sa.select(*order).where(ladder.has(table), table.c.player_id == player_id)).first()
        if mine is None:
            return []
        query, here = sa.select(table).where(ladder.has(table)), sa.tuple_(*mine)
        above = query.where(sa.tuple_(*order) > here).order_by(*order).limit(reach)
        below = query.where(sa.tuple_(*order) <= here).order_by(*(c.desc() for c in order)).limit(reach + 1)
        return [*self._listed(ladder, above), *self._listed(ladder, below)] if reach else self._listed(ladder, below)

    def _shift(self, ladder: Ladder, before: int | None, after: int | None) -> None:
        """A player comes from one level to another; None: he was, or is, not in the list."""
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

    def count_levels(self) -> None:
        """Count the players at all levels anew."""
        self._c.execute(sa.delete(tables.level))
        for ladder in (ratings_of(""), scores_of("", "")):
            c = ladder.table.c
            keys = (c.game, c.variant if "variant" in c else sa.literal(""), c.level)
            counted = sa.select(sa.literal(ladder.name), *keys, sa.func.count()).group_by(*keys)
            self._c.execute(sa.insert(tables.level).from_select([x.name for x in tables.level.c], counted))

    def _level_at(self, ladder: Ladder, position: int) -> tuple[int, int]:
        """The level at which a position of a list is, and how many players stand above that level."""
        c = tables.level.c
        higher = (sa.func.sum(c.players).over(order_by=c.level.desc()) - c.players).label("above")
        steps = sa.select(c.level, higher).where(ladder.levels).subquery()
        query = sa.select(steps.c.level, steps.c.above).where(steps.c.above <= position)
        row = self._c.execute(query.order_by(steps.c.above.desc(), steps.c.level).limit(1)).first()
        return (row.level, int(row.above)) if row else (0, 0)

    def _listed(self, ladder: Ladder, query: sa.Select[Any]) -> list[Any]:
        """The rows of a query over the list's table, highest first, with `userid` and `place`."""
        row = query.subquery("listed")
        listed = sa.select(row, tables.player.c.userid, _place(ladder, row).label("place"))
        listed = listed.join(tables.player, tables.player.c.id == row.c.player_id)
        return list(self._c.execute(listed.order_by(*(c.desc() for c in ladder.order(row)))))


def _place(ladder: Ladder, row: sa.FromClause) -> sa.ColumnElement[int]:
    """The place of a row: 1 for the best, the same for equals."""
    c, other = tables.level.c, ladder.table.alias("other")
    above = sa.select(sa.func.coalesce(sa.func.sum(c.players), 0)).where(ladder.levels, c.level > row.c.level)
    same_level = (ladder.has(other), other.c.level == row.c.level)
    better = sa.select(sa.func.count()).where(*same_level, other.c[ladder.value] > row.c[ladder.value])
    return 1 + above.correlate(row).scalar_subquery() + better.correlate(row).scalar_subquery()
