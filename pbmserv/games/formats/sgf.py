"""Writes boards in the Smart Game Format (SGF, FF[4]), which many games of stones share.

A game says in its `Dialect` which number it has there and how it writes positions and moves. The two seats are Black
and White in SGF, whatever the rules call them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from string import ascii_lowercase
from typing import Any

from pbmserv import __version__
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.sheet import Format, Ply, Sheet

MEDIA_TYPE = "application/x-go-sgf"
BLACK_FIRST, WHITE_FIRST = "BW", "WB"  #: the colours of the seats
_ENDS = {"resign": "R", "forfeit": "T"}
_WIDTH = 79
Properties = Mapping[str, Sequence[str]]


def by_scores(sheet: Sheet) -> str:
    """Return by how much a board was won: the difference of the scores, R, T, or "" if nothing was counted."""
    result = sheet.board.result
    if result is None or result.reason not in sheet.game.info.endings or not result.scores:
        return _ENDS.get(result.reason, "") if result else ""
    most, least = max(result.scores), min(result.scores)
    return f"{most - least:g}"


@dataclass(frozen=True)
class Dialect:
    """What is a game's own in SGF.

    `number`: its GM. `root`: more properties of the first node, such as SZ. `setup`: the stones of a position with
    which a fork begins. `move`: the properties of a move; none if it is no move in SGF. `colours`: of the seats, as the
    board is now. `margin`: what stands behind the colour of the winner.
    """

    number: int | str
    root: Callable[[Sheet], Properties]
    setup: Callable[[Any], Properties]
    move: Callable[[Ply], Properties]
    colours: Callable[[Sheet], str] = lambda _: BLACK_FIRST
    margin: Callable[[Sheet], str] = by_scores

    @property
    def format(self) -> Format:
        """The format of the game."""
        return Format("sgf", MEDIA_TYPE, self.written)

    def written(self, sheet: Sheet) -> str:
        """Return the whole file: the first node, and one for each move."""
        return tree([self.first_node(sheet), *map(self.node, sheet.plies)])

    def node(self, ply: Ply) -> Properties:
        """Return a move with the comment of a review."""
        move = self.move(ply)
        return {**move, "C": [text(ply.comment)]} if move and ply.comment else move

    def first_node(self, sheet: Sheet) -> dict[str, Sequence[str]]:
        """Return the first node: what the game is, who plays, and how it ended."""
        facts, colours = sheet.facts, self.colours(sheet)
        node: dict[str, Sequence[str]] = {"FF": ["4"], "GM": [str(self.number)], "CA": ["UTF-8"]}
        node |= {"AP": [f"pbmserv:{__version__}"], **self.root(sheet)}
        node |= {f"P{colour}": [text(facts.players[colours.index(colour)])] for colour in BLACK_FIRST}
        node |= {"GN": [text(sheet.title)], "PC": [text(facts.site)]}
        node["DT"] = [",".join(dict.fromkeys(filter(None, (facts.begun, facts.ended))))]
        if sheet.board.result:
            node["RE"] = [self._result(sheet, colours)]
        if sheet.board.start.origin:
            node |= {**self.setup(sheet.first), "PL": [self._first_colour(sheet, colours)]}
        return node

    def _first_colour(self, sheet: Sheet, colours: str) -> str:
        """Return the colour of the first move that SGF has; without one, that of the seat to move."""
        moved = (colour for ply in sheet.plies for colour in BLACK_FIRST if colour in self.move(ply))
        seat = sheet.plies[0].seat if sheet.plies else min(sheet.board.to_move, default=0)
        return next(moved, colours[seat])

    def _result(self, sheet: Sheet, colours: str) -> str:
        if sheet.result is None:
            return "Void"
        winners = sheet.result.winners
        return f"{colours[winners[0]]}+{self.margin(sheet)}" if winners else "Draw"


def tree(nodes: Iterable[Properties]) -> str:
    """Return a game of these nodes, without those that are empty."""
    return "(" + "\n".join(_lines(map(_node, filter(None, nodes)))) + ")\n"


def point(grid: Grid, square: int) -> str:
    """Return two letters for a square of a grid whose row 1 is the lowest: its column, and its row from the top."""
    row, column = divmod(square, grid.columns)
    return ascii_lowercase[column] + ascii_lowercase[grid.rows - 1 - row]


def stones(signs: Mapping[str, str], squares: Iterable[tuple[str, str]]) -> Properties:
    """Return what sets up a position. `squares`: the sign and the point of each; `signs`: the property for a sign."""
    placed = sorted((signs[sign], point) for sign, point in squares if sign in signs)
    return {name: [point for _, point in points] for name, points in groupby(placed, key=lambda stone: stone[0])}


def text(value: str) -> str:
    """Return words as the value of a property."""
    return re.sub(r"([\]\\])", r"\\\1", " ".join(value.split()))


def _node(properties: Properties) -> list[str]:
    """Return the parts of a node, none of which is broken over lines."""
    parts = [f"{name * (i == 0)}[{value}]" for name, values in properties.items() for i, value in enumerate(values)]
    return [f";{parts[0]}", *parts[1:]]


def _lines(nodes: Iterable[list[str]]) -> Iterator[str]:
    """Yield lines of a width that all programs read."""
    line = ""
    for part in (part for node in nodes for part in node):
        if len(line) + len(part) > _WIDTH:
            yield line
            line = ""
        line += part
    yield line
