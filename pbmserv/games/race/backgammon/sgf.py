"""Games of tables as SGF: a match of backgammon is several games in one file.

Points are the letters a to x, as White counts them; y is the bar, and z is off. A turn begins with its dice.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from string import ascii_lowercase

from pbmserv.games.base import Seat
from pbmserv.games.base.sheet import Format, Ply, Sheet
from pbmserv.games.formats.sgf import MEDIA_TYPE, WHITE_FIRST, Dialect, Properties, by_scores, tree
from pbmserv.games.race.backgammon.cube import DOUBLE, DROP, TAKE
from pbmserv.games.race.backgammon.legs import Steps
from pbmserv.games.race.backgammon.places import ACROSS, BAR, OFF, PIN
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.games.race.backgammon.throws import Throw, plays

_SAID = (DOUBLE, TAKE, DROP)
_WORTH = {"single": "1", "gammon": "2", "backgammon": "3"}


@dataclass(frozen=True)
class _Tables:
    """What SGF must know of a game. `across`: White's number of each place of Black; `plays`: the steps of turns."""

    rules: str
    across: Sequence[int]
    plays: Callable[[Throw], Mapping[str, Collection[Steps]]]

    def root(self, sheet: Sheet) -> Properties:
        """Return the length of a match, the score before this game, and how men stand if not as in backgammon."""
        position: Position = sheet.first
        rules = ":".join(filter(None, ("Crawford" * (position.goal > 0), position.variation or self.rules)))
        white, black = position.score
        match = {"MI": [f"length:{position.goal}", f"ws:{white}", f"bs:{black}"]} if position.goal else {}
        men = self.setup(position) if type(position)().men != Position().men else {}
        return {**({"RU": [rules]} if rules else {}), **match, **men}

    def setup(self, position: Position) -> Properties:
        """Return where the men stand, and the cube."""
        men = {f"A{colour}": self._points(position, seat) for seat, colour in enumerate(WHITE_FIRST)}
        cube = {} if position.cube == 1 else {"CV": [str(position.cube)], "CP": [WHITE_FIRST[position.owner].lower()]}
        return {"AE": ["a:y"], **men, **cube}

    def _points(self, position: Position, seat: Seat) -> list[str]:
        """Return a letter for each man of a seat. Those of pinned men come last."""
        men = position.of(seat)
        return [
            self._letter(place - PIN * (place > BAR), seat) for place, count in enumerate(men) for _ in range(count)
        ]

    def move(self, ply: Ply) -> Properties:
        """Return the dice and the steps of a turn, or a word about the cube. A roll stands before its turn."""
        colour, position = WHITE_FIRST[ply.seat], ply.position
        if ply.text in _SAID:
            return {colour: [ply.text]}
        if not position.dice:
            return {}
        steps = next(iter(self.plays(position.throw)[ply.text]))
        dice = "".join(map(str, position.dice))
        return {colour: [dice + "".join(self._letter(place, ply.seat) for step in steps for place in step)]}

    def _letter(self, place: int, seat: Seat) -> str:
        if place in (OFF, BAR):
            return "z" if place == OFF else "y"
        return ascii_lowercase[(place if seat == 0 else self.across[place]) - 1]


def _margin(sheet: Sheet) -> str:
    """Return how many points the last game brought."""
    result = sheet.board.result
    if result is None or result.reason not in (*_WORTH, "match"):
        return by_scores(sheet)
    return _WORTH.get(result.reason) or str(max(_gained(sheet.first, sheet.board.position)))


def _gained(before: Position, after: Position) -> Sequence[int]:
    return [now - then for then, now in zip(before.score, after.score, strict=True)]


def sgf(
    rules: str = "",
    across: Sequence[int] = ACROSS,
    steps: Callable[[Throw], Mapping[str, Collection[Steps]]] = plays,
) -> Format:
    """Return the format of a game: what its rules are called, White's number of Black's places, the steps of turns."""
    game = _Tables(rules, across, steps)
    dialect = Dialect(6, game.root, game.setup, game.move, colours=lambda _: WHITE_FIRST, margin=_margin)
    return Format("sgf", MEDIA_TYPE, partial(_write, dialect))


def _write(dialect: Dialect, sheet: Sheet) -> str:
    """Return each game of the board as a tree of its own."""
    games = list(_games(sheet))
    return "".join(tree(_nodes(dialect, game, number, games[number + 1 :])) for number, game in enumerate(games))


def _games(sheet: Sheet) -> Iterator[Sheet]:
    """Yield the games of a match: at the end of each, the score changes."""
    for _, plies in groupby(sheet.plies, key=lambda ply: ply.position.score):
        yield replace(sheet, plies=tuple(plies))
    has_begun = sheet.plies and sheet.plies[-1].position.score == sheet.board.position.score
    if not has_begun and not sheet.board.position.won:
        yield replace(sheet, plies=())


def _nodes(dialect: Dialect, game: Sheet, number: int, later: Sequence[Sheet]) -> Iterator[Properties]:
    """Yield the nodes of a game. `number`: of the games before it; `later`: those after it."""
    first = dialect.first_node(game)
    if "MI" in first:
        first["MI"] = [first["MI"][0], f"game:{number}", *first["MI"][1:]]
    if later:
        white, black = _gained(game.first, later[0].first)
        first["RE"] = [f"W+{white}" if white else f"B+{black}"]
    yield first
    yield from map(dialect.node, game.plies)
