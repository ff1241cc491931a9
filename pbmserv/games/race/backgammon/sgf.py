"""Backgammon as SGF: a match is several games in one file.

Points are the letters a to x, as White counts them; y is the bar, and z is off. A turn begins with its dice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from string import ascii_lowercase

from pbmserv.games.base import Seat
from pbmserv.games.base.sheet import Format, Ply, Sheet
from pbmserv.games.formats.sgf import WHITE_FIRST, Dialect, Properties, by_scores, tree
from pbmserv.games.race.backgammon.cube import DOUBLE, DROP, TAKE
from pbmserv.games.race.backgammon.places import BAR, OFF, facing
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.games.race.backgammon.throws import plays

_SAID = (DOUBLE, TAKE, DROP)
_WORTH = {"single": "1", "gammon": "2", "backgammon": "3"}


def _root(sheet: Sheet) -> Properties:
    """Return the length of a match and the score before this game; and how men stand, if another game has them so."""
    position: Position = sheet.first
    rules = ":".join(filter(None, ("Crawford" * (position.goal > 0), position.variation)))
    white, black = position.score
    match = {"MI": [f"length:{position.goal}", f"ws:{white}", f"bs:{black}"]} if position.goal else {}
    men = _setup(position) if type(position)().men != Position().men else {}
    return {**({"RU": [rules]} if rules else {}), **match, **men}


def _setup(position: Position) -> Properties:
    """Return where the men stand, and the cube."""
    men = {f"A{colour}": _points(position, seat) for seat, colour in enumerate(WHITE_FIRST)}
    cube = {} if position.cube == 1 else {"CV": [str(position.cube)], "CP": [WHITE_FIRST[position.owner].lower()]}
    return {"AE": ["a:y"], **men, **cube}


def _points(position: Position, seat: Seat) -> list[str]:
    """Return a letter for each man of a seat."""
    return [_letter(place, seat) for place, count in enumerate(position.of(seat)) for _ in range(count)]


def _move(ply: Ply) -> Properties:
    """Return the dice and the steps of a turn, or a word about the cube. A roll stands before its turn."""
    colour, position = WHITE_FIRST[ply.seat], ply.position
    if ply.text in _SAID:
        return {colour: [ply.text]}
    if not position.dice:
        return {}
    steps = next(iter(plays(position.throw)[ply.text]))
    dice = "".join(map(str, position.dice))
    return {colour: [dice + "".join(_letter(place, ply.seat) for step in steps for place in step)]}


def _letter(place: int, seat: Seat) -> str:
    if place in (OFF, BAR):
        return "z" if place == OFF else "y"
    return ascii_lowercase[(place if seat == 0 else facing(place)) - 1]


def _margin(sheet: Sheet) -> str:
    """Return how many points the last game brought."""
    result = sheet.board.result
    if result is None or result.reason not in (*_WORTH, "match"):
        return by_scores(sheet)
    return _WORTH.get(result.reason) or str(max(_gained(sheet.first, sheet.board.position)))


def _gained(before: Position, after: Position) -> Sequence[int]:
    return [now - then for then, now in zip(before.score, after.score, strict=True)]


_DIALECT = Dialect(6, _root, _setup, _move, colours=lambda _: WHITE_FIRST, margin=_margin)


def _write(sheet: Sheet) -> str:
    """Return each game of the board as a tree of its own."""
    games = list(_games(sheet))
    return "".join(tree(_nodes(game, number, games[number + 1 :])) for number, game in enumerate(games))


def _games(sheet: Sheet) -> Iterator[Sheet]:
    """Yield the games of a match: at the end of each, the score changes."""
    for _, plies in groupby(sheet.plies, key=lambda ply: ply.position.score):
        yield replace(sheet, plies=tuple(plies))
    has_begun = sheet.plies and sheet.plies[-1].position.score == sheet.board.position.score
    if not has_begun and not sheet.board.position.won:
        yield replace(sheet, plies=())


def _nodes(game: Sheet, number: int, later: Sequence[Sheet]) -> Iterator[Properties]:
    """Yield the nodes of a game. `number`: of the games before it; `later`: those after it."""
    first = _DIALECT.first_node(game)
    if "MI" in first:
        first["MI"] = [first["MI"][0], f"game:{number}", *first["MI"][1:]]
    if later:
        white, black = _gained(game.first, later[0].first)
        first["RE"] = [f"W+{white}" if white else f"B+{black}"]
    yield first
    yield from map(_DIALECT.node, game.plies)


SGF = Format("sgf", _DIALECT.format.media_type, _write)
