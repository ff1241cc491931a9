"""The legal moves of a seat, arranged so that a player can make each of them by touching something."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import structlog

from pbmserv.games.base import AnyGame, Seat, moves_of
from pbmserv.games.base.board import Board
from pbmserv.model.rows import Json

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Way(NamedTuple):
    """A move, and what a link to it says."""

    text: str
    caption: str


@dataclass(frozen=True)
class Touches:
    """All legal moves, each in one place only. Captions are in English."""

    cells: Mapping[str, str] = field(default_factory=dict)  #: cell -> the move that is made by touching this cell alone
    starts: Mapping[str, Sequence[Way]] = field(default_factory=dict)  #: cell -> the moves that begin there
    others: Sequence[str] = ()  #: the moves that name no cell
    begun: Sequence[str] = ()  #: the cells with which all of them begin, which are touched already
    shown: Mapping[str, str] = field(default_factory=dict)  #: how players write those of the others that look different

    @classmethod
    def of(cls, packed: Json) -> "Touches":
        """Return those that were stored as JSON."""
        starts = {cell: [Way(*way) for way in ways] for cell, ways in packed["starts"].items()}
        return cls(packed["cells"], starts, packed["others"], packed["begun"], packed.get("shown", {}))

    @property
    def texts(self) -> frozenset[str]:
        """The moves as they are written."""
        started = (way.text for ways in self.starts.values() for way in ways)
        return frozenset((*self.cells.values(), *started, *self.others))

    @property
    def count(self) -> int:
        """How many moves there are."""
        return len(self.cells) + sum(map(len, self.starts.values())) + len(self.others)


NO_TOUCHES = Touches()
_NUMBER = re.compile(r"([0-9]+)")


@lru_cache(maxsize=65_536)
def in_order(text: str) -> tuple[str | int, ...]:
    """Return by what cells and moves are sorted: a2 stands before a10."""
    return tuple(int(part) if part.isdecimal() else part for part in _NUMBER.split(text))


def by_caption(ways: Iterable[Way]) -> list[Way]:
    """Sort moves by what links to them say. What a man becomes stays in the order of the game."""
    return sorted(ways, key=lambda way: in_order(way.caption.partition("=")[0]))


def goals(game: AnyGame, ways: Sequence[Way]) -> dict[str, list[Way]]:
    """Return the moves that begin on one cell by the cell where each of them ends."""
    ways_to = dict[str, list[Way]]()
    for way in ways:
        ways_to.setdefault(game.cells_of(way.text)[-1], []).append(way)
    return ways_to


def touches(board: Board, seat: Seat) -> Touches:
    """Arrange the legal moves of a seat. There are none to touch if the game fails to say where they begin.

    A cell is a link if only one move consists of it, or if the move is written like the cell.
    """
    if seat not in board.to_move:
        return NO_TOUCHES
    try:
        return _arranged(board, seat)
    except Exception as bug:  # in a game of others; its moves can still be written
        log.exception("moves_without_links", game=board.game.info.key, bug=type(bug).__name__)
        return NO_TOUCHES


def touches_from(board: Board, seat: Seat, begun: Sequence[str]) -> Touches:
    """Arrange the legal moves that begin with some cells by the cell that comes next."""
    game, position, count = board.game, board.position, len(begun)
    ways, others = dict[str, list[Way]](), list[str]()
    for move in _listed(board, seat):
        text, cells = _written(game, move)
        if cells[:count] == tuple(begun):
            if len(cells) > count:
                ways.setdefault(cells[count], []).append(Way(text, game.caption(position, move)))
            else:
                others.append(text)
    only = {cell: group[0].text for cell, group in ways.items() if len(group) == 1}
    return Touches(only, {cell: group for cell, group in ways.items() if cell not in only}, others, tuple(begun))


def touch_orders(board: Board, seat: Seat) -> dict[tuple[str, ...], str]:
    """Return the legal moves of a seat by the cells that are touched for each, one by one and in any order.

    There are none if the moves of this game are touched as `touches` arranges them.
    """
    game, position, texts = board.game, board.position, dict[tuple[str, ...], str]()
    if seat not in board.to_move:
        return texts
    try:
        for move in moves_of(game, position, seat):
            if others := list(game.touch_orders(position, move)):
                text, cells = _written(game, move)
                texts |= {cells: text} | dict.fromkeys(others, text)
    except Exception as bug:  # in a game of others
        log.exception("moves_without_orders", game=game.info.key, bug=type(bug).__name__)
        return {}
    return texts


def _arranged(board: Board, seat: Seat) -> Touches:
    game, position = board.game, board.position
    caption = game.caption
    starts, others = defaultdict[str, list[Way]](list), list[str]()
    alone = dict[str, list[tuple[str, object]]]()  #: cell -> the moves that name no other cell, with their texts
    for move in _listed(board, seat):
        text, cells = _written(game, move)
        if not cells:
            others.append(text)
        elif len(cells) == 1:
            alone.setdefault(cells[0], []).append((text, move))
        else:
            starts[cells[0]].append(Way(text, caption(position, move)))
    linked = dict[str, str]()
    for cell, moves in alone.items():
        texts = [text for text, _ in moves]
        if len(moves) == 1 or cell in texts:
            linked[cell] = cell if cell in texts else texts[0]
        if rest := [(text, move) for text, move in moves if text != linked.get(cell)]:
            starts[cell].extend(Way(text, caption(position, move)) for text, move in rest)
    return Touches(linked, dict(starts), others)


def _listed(board: Board, seat: Seat) -> Iterator[object]:
    """Yield the legal moves, each of those that do the same once."""
    game, position = board.game, board.position
    return (move for move in moves_of(game, position, seat) if not game.repeats(position, move))


@lru_cache(maxsize=16_384)  # 8 MB
def _written(game: AnyGame, move: object) -> tuple[str, tuple[str, ...]]:
    """Return the text of a move and the cells that it names. Most moves of a letter were in one before it."""
    text = game.format(move)
    return text, game.cells_of(text)
