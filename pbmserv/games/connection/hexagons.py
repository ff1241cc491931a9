"""A family of games: stones on hexagons that stay where they are, a goal, and the pie rule. Hex and Havannah are two.

A cell is named by its column and its row: rows go down from the top, and columns run across them.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise
from typing import NamedTuple

from pbmserv.games.base import (
    SWAP,
    Cell,
    InTurn,
    Note,
    Options,
    Picture,
    Piece,
    PiePosition,
    PieRule,
    Seat,
    Step,
    View,
)
from pbmserv.games.base.picture import WIN
from pbmserv.games.base.pie import UNCUT, offers
from pbmserv.rng import Rng

#: To the six places around one, clockwise from the east. Each row begins half a cell further right, or further left.
RIGHTWARDS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
LEFTWARDS = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
EMPTY = "."
#: By colour. Black and white differ without gloss, with which an image of hundreds of stones would be large.
_ART = {"black": "pebble", "white": "pebble", "red": "stone", "blue": "stone-dark"}
_FAIR = 12  #: one cell of so many is neither so near the middle nor so far that one of both should win
NOWHERE = -1  #: in place of a neighbour, beyond the edge

Place = tuple[int, int]  #: column and row, from 0


@dataclass(frozen=True, slots=True)
class Position(PiePosition):
    """`cells`: a piece of one of the two or EMPTY for each cell, by rows; `won`: how the last move won, or ""."""

    cells: str
    turn: Seat = 0
    won: str = ""


class Lattice(NamedTuple):
    """The cells of a board by number."""

    places: tuple[Place, ...]
    names: tuple[str, ...]
    numbers: Mapping[str, int]
    around: tuple[tuple[int, ...], ...]  #: of each cell the six places around it, clockwise from the east
    near: tuple[tuple[int, ...], ...]  #: those of them that are on the board
    rows: tuple[tuple[int, ...], ...]  #: the cells by rows, as they are drawn
    offsets: tuple[int, ...]  #: of the rows, in halves of a cell
    middle: tuple[float, float]

    @classmethod
    def of(cls, places: Iterable[Place], steps: Sequence[Place]) -> "Lattice":
        """Make the board of these places, which are in order. `steps`: RIGHTWARDS or LEFTWARDS."""
        places = tuple(places)
        rows = tuple(tuple(cells) for _, cells in groupby(range(len(places)), key=lambda cell: places[cell][1]))
        begins = [2 * places[row[0]][0] + (1 if steps == RIGHTWARDS else -1) * y for y, row in enumerate(rows)]
        offsets = tuple(begin - min(begins) for begin in begins)
        at = {place: number for number, place in enumerate(places)}
        around = tuple(tuple(at.get((x + dx, y + dy), NOWHERE) for dx, dy in steps) for x, y in places)
        names = tuple(f"{chr(97 + x)}{y + 1}" for x, y in places)
        near = tuple(tuple(n for n in there if n != NOWHERE) for there in around)
        numbers = {name: number for number, name in enumerate(names)}
        middle = (sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places))
        return cls(places, names, numbers, around, near, rows, offsets, middle)

    @property
    def ends(self) -> tuple[str, ...]:
        """The letters of columns that begin below a row, on the right of it; none at all if all begin at the top."""
        last = [self.places[row[-1]][0] for row in self.rows]
        letters = [chr(65 + below) if below > here else "" for here, below in pairwise((*last, last[-1]))]
        return tuple(letters) if any(letters) else ()

    def group(self, cells: str, start: int) -> set[int]:
        """Return the cells that are connected with `start` by pieces like the one there."""
        piece, members, left = cells[start], {start}, [start]
        while left:
            for cell in self.near[left.pop()]:
                if cells[cell] == piece and cell not in members:
                    members.add(cell)
                    left.append(cell)
        return members


class Stones(PieRule[Position], InTurn[Position, str]):
    """Two players put a stone on an empty cell in turn. A move is the name of a cell.

    A game says of which places its board consists and what the goal is (`reached`). Its `info` has the option `size`.
    """

    pieces: str  #: by seat
    steps: Sequence[Place] = LEFTWARDS
    lines: tuple[str, ...] = ()  #: below the picture
    edges: tuple[str, ...] = ()  #: of a rhombus: their colours
    position_type = Position
    draws = frozenset({"full"})

    @abstractmethod
    def places(self, size: int) -> Iterable[Place]:
        """Return the cells of a board of this size, row by row."""

    @abstractmethod
    def reached(self, lattice: Lattice, cells: str, last: int) -> str:
        """Return how the stone on `last` wins, a key of `info.endings`; "" if it does not."""

    def from_middle(self, cells: str, place: Place) -> float:
        """Return how far a place is from the middle of the board."""
        x, y = self.lattice(cells).middle
        return abs(place[0] - x) + abs(place[1] - y)

    def ground(self, cells: str, cell: int) -> str:
        """Return the colour of a cell."""
        return "sand"

    def lattice(self, cells: str) -> Lattice:
        """Return the board that has so many cells."""
        return _lattice(self, len(cells))

    def opening(self, options: Options, seats: int, rng: Rng) -> Position:
        (size,) = (option for option in self.info.options if option.name == "size")
        return Position(cells=EMPTY * len(tuple(self.places(int(options.get("size", size.usual))))))

    def moves(self, position: Position, seat: Seat) -> Sequence[str]:
        names = self.lattice(position.cells).names
        return [name for name, piece in zip(names, position.cells, strict=True) if piece == EMPTY]

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        """A cell needs no list of hundreds of others."""
        cell = self.lattice(position.cells).numbers.get(text, NOWHERE)
        is_free = cell != NOWHERE and position.cells[cell] == EMPTY
        return (text,) if is_free else super().named(position, seat, text)

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        if text in self.lattice(position.cells).numbers:
            return f"'{text}' is not possible: {text} is occupied."
        return f"'{text}' is not possible: there is no cell {text} on this board."

    def example(self, position: Position, seat: Seat) -> str:
        """Return the empty cell that is nearest to the middle."""
        lattice = self.lattice(position.cells)
        return min(
            self.moves(position, seat),
            key=lambda name: self.from_middle(position.cells, lattice.places[lattice.numbers[name]]),
        )

    def moved(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        lattice = self.lattice(position.cells)
        last = lattice.numbers[move]
        cells = position.cells[:last] + self.pieces[seat] + position.cells[last + 1 :]
        return Step(Position(cells=cells, turn=1 - seat, won=self.reached(lattice, cells, last)))

    def end(self, position: Position) -> str:
        return position.won or ("" if EMPTY in position.cells else "full")

    def exchanged(self, position: Position) -> Step[Position]:
        """The stone stays where it is, and changes its colour."""
        first = position.cells.index(self.pieces[0])
        note = Note(f"The stone on {self.lattice(position.cells).names[first]} changes its colour.")
        return Step(self.taken_over(position, first, first), (note,))

    def picture(self, view: View[Position]) -> Picture:
        cells, lattice = view.position.cells, self.lattice(view.position.cells)
        colours = dict(zip(self.pieces, map(str.lower, self.names), strict=True))
        wins = self._winning(view.position)
        drawn = [
            _cell(lattice.names[n], self.ground(cells, n), piece, colours.get(piece, ""), n in wins)
            for n, piece in enumerate(cells)
        ]
        return Picture(
            rows=tuple(tuple(drawn[cell] for cell in row) for row in lattice.rows),
            files=tuple(lattice.names[cell][0].upper() for cell in lattice.rows[0]),
            ranks=tuple(str(row + 1) for row in range(len(lattice.rows))),
            offsets=lattice.offsets,
            ends=lattice.ends,
            edges=self.edges,
            lines=(*self.lines, *offers(view.position)),
        )

    def _winning(self, position: Position) -> set[int]:
        """Return the cells of the chain that won; the winner moved last."""
        cells, lattice = position.cells, self.lattice(position.cells)
        own = [n for n, piece in enumerate(cells) if position.won and piece == self.pieces[1 - position.turn]]
        last = next((n for n in own if self.reached(lattice, cells, n) == position.won), None)
        return set() if last is None else lattice.group(cells, last)

    def agreement(self, view: View[Position], rng: Rng) -> Sequence[str]:
        """Cut the pie fairly, and take over a first stone that is nearer to the middle than half of the cells.

        A search sees too few plies of an empty board to know how much a first stone is worth.
        """
        cells, lattice = view.position.cells, self.lattice(view.position.cells)
        if not view.position.pie or view.seat != view.position.turn:
            return ()
        order = sorted(range(len(cells)), key=lambda cell: self.from_middle(cells, lattice.places[cell]))
        if view.position.pie == UNCUT:
            return (lattice.names[rng.choice(order[len(order) // 2 :][: max(1, len(order) // _FAIR)])],)
        far = [self.from_middle(cells, place) for place in lattice.places]
        (first,) = (cell for cell, piece in enumerate(cells) if piece != EMPTY)
        return (SWAP,) if 2 * sum(there > far[first] for there in far) >= len(far) else ()

    def taken_over(self, position: Position, first: int, target: int) -> Position:
        """Return the position with a stone of seat 1 on `target` in place of the first stone, and seat 0 to move."""
        cells = position.cells[:first] + EMPTY + position.cells[first + 1 :]
        return replace(position, cells=cells[:target] + self.pieces[1] + cells[target + 1 :], turn=0)


@cache
def _lattice(game: Stones, cells: int) -> Lattice:
    size = next(size for size in range(1, cells + 1) if len(tuple(game.places(size))) == cells)
    return Lattice.of(game.places(size), game.steps)


@cache
def _cell(name: str, ground: str, piece: str, colour: str, wins: bool) -> Cell:
    return Cell(name, ground, (Piece(colour, piece, art=_ART[colour]),) if colour else (), state=WIN * wins)
