"""Dots and Boxes: players draw lines between dots, and who completes a box owns it and draws again.

A line is named by its two dots, such as `a1-b1`; a1 is the dot at the bottom on the left.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt, tanh
from typing import NamedTuple

from pbmserv.games.base import FIVE_LEVELS, Cell, Info, InTurn, Option, Options, Picture, Piece, Seat, Step, View
from pbmserv.games.base.grid import Grid, replaced
from pbmserv.games.base.in_turn import leader
from pbmserv.games.base.notation import parts
from pbmserv.games.base.picture import EAST, NORTH, SOUTH, WEST
from pbmserv.rng import Rng

OWNERS = "RB"  #: by seat: Red moves first
_USUAL = 5  #: boxes on each side
_OTHERS = ("3", "4", "6")  #: seven would not fit into a narrow window
_MOVE = re.compile(r"([a-g][1-7])-?([a-g][1-7])")
#: A line, said by a box.
_SIDE_SAID = re.compile(r"(?:the )?(top|bottom|left|right)(?: side)? of (?:the )?box ([a-f])([1-6])")
#: A line, said by a box that only one line is missing of, or that closes it.
_OPEN_SAID = re.compile(
    r"(?:(?:the )?(top|bottom|left|right)(?: side)? of (?:the|that|your|my) (?:open |last |unfinished )?box)"
    r"(?:,? please)?"
)
_SIDES = ("bottom", "left", "right", "top")  #: as `frame_of` has the lines around a box
_CLOSING_SAID = re.compile(
    r"(?:i(?:'ll)? )?(?:close|take|complete|finish|grab|claim) (?:the|a|that|my|your) (?:last |open )?box"
    r"(?: (?:in|on|at) the (?:middle|centre|center|left|right|top|bottom))?(?:,? please)?|"
    r"ich (?:schließe|nehme) (?:das|ein) (?:kästchen|feld)|je (?:ferme|prends) la case"
)
_OWNED = {"R": (Piece("red", "R", art="box-round"),), "B": (Piece("blue", "B", art="box-cross"),), ".": ()}
_ACROSS = (Piece("", "\N{BOX DRAWINGS HEAVY HORIZONTAL}", letter="-"),)
_LINE = 60  #: the width of a line in percent of that of a box, so that it can be touched
_UPRIGHT = (Piece("", "\N{BOX DRAWINGS HEAVY VERTICAL}", letter="|"),)


@dataclass(frozen=True, slots=True)
class Position:
    """`lines`: whether each line is drawn, in the order of `frame_of`; `boxes`: R, B or a dot for each, from a1 on."""

    lines: tuple[bool, ...]
    boxes: tuple[str, ...]
    turn: Seat = 0

    @property
    def side(self) -> int:
        """How many boxes each side has."""
        return isqrt(len(self.boxes))


class Frame(NamedTuple):
    """The lines of a board by name; the numbers of the four lines around each box; of the boxes beside each line.

    Boxes are counted from a1 on.
    """

    lines: dict[str, int]
    around: tuple[tuple[int, ...], ...]
    beside: tuple[tuple[int, ...], ...]


class DotsAndBoxes(InTurn[Position, str]):
    """Two players, no chance, nothing hidden. A move is the name of a line."""

    info = Info(
        key="dots",
        name="Dots and Boxes",
        kind="territory",
        aliases=("boxes",),
        summary="Draw lines between dots, and close more boxes than your opponent.",
        seats=(2,),
        pattern=_MOVE.pattern,
        endings={"boxes": "all boxes are closed"},
        nodes=(3, *FIVE_LEVELS[1:]),
        credit="La Pipopipette (1889) by Edouard Lucas.",
        options=(Option("size", "boxes on each side, if not 5", values=_OTHERS, usual=str(_USUAL)),),
    )
    names = ("Red", "Blue")
    position_type = Position

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        side = int(options.get("size", _USUAL))
        return Position((False,) * len(frame_of(side).lines), (".",) * side**2)

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return [name for name, number in frame_of(position.side).lines.items() if not position.lines[number]]

    def format(self, move: str) -> str:
        return move

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        """The two dots of a line, in either order."""
        name, lines = _line(text), frame_of(position.side).lines
        return (name,) if name in lines and not position.lines[lines[name]] else ()

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        one, two = _line(text).split("-")
        if f"{one}-{two}" in frame_of(position.side).lines:
            return f"'{text}' is not possible: there is a line from {one} to {two} already."
        return f"'{text}' is not possible: {one} and {two} are not two dots beside each other on this board."

    def foreign(self, position: Position, text: str) -> Sequence[str]:
        """Return the line that closes a box, or that is its side; players name a box by its dot at the lower left."""
        if _CLOSING_SAID.fullmatch(text):
            return self._closing(position)
        if spoken := _OPEN_SAID.fullmatch(text):
            return self._closing(position, spoken[1])
        match = _SIDE_SAID.fullmatch(text)
        if match is None:
            return ()
        column, row = match[2], int(match[3])
        right, above = chr(ord(column) + 1), row + 1
        return {
            "top": (f"{column}{above}-{right}{above}",),
            "bottom": (f"{column}{row}-{right}{row}",),
            "left": (f"{column}{row}-{column}{above}",),
            "right": (f"{right}{row}-{right}{above}",),
        }[match[1]]

    def _closing(self, position: Position, side: str = "") -> Sequence[str]:
        """Return the lines that close a box, or only those on one side of theirs."""
        frame = frame_of(position.side)
        missing = ([at for at, n in enumerate(around) if not position.lines[n]] for around in frame.around)
        boxes = ((around, left) for around, left in zip(frame.around, missing, strict=True) if len(left) == 1)
        last = {around[at] for around, (at,) in boxes if side in ("", _SIDES[at])}
        return [name for name, number in frame.lines.items() if number in last]

    def cells_of(self, text: str) -> tuple[str, ...]:
        return (text,)

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        frame = frame_of(position.side)
        lines = replaced(position.lines, frame.lines[move], True)
        boxes = tuple(
            OWNERS[seat] if owner == "." and all(lines[n] for n in around) else owner
            for owner, around in zip(position.boxes, frame.around, strict=True)
        )
        again = boxes != position.boxes
        return Step(Position(lines, boxes, seat if again else 1 - seat))

    def end(self, position: Position) -> str:
        return "" if "." in position.boxes else "boxes"

    def winner(self, position: Position) -> Seat | None:
        return leader(*self.scores(position))

    def scores(self, position: Position) -> tuple[int, ...]:
        return tuple(position.boxes.count(owner) for owner in OWNERS)

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        position = view.position
        side, lines = position.side, frame_of(position.side).lines
        boxes = [(Grid(side, side).name(box), owner) for box, owner in enumerate(position.boxes) if owner != "."]
        return {
            "letters": [chr(65 + column) for column in range(side + 1)],
            "rows": [_text_row(position, row) for row in reversed(range(2 * side + 1))],
            "drawn": [name for name, number in lines.items() if position.lines[number]],
            "boxes": [(name, self.seat_names(2)[OWNERS.index(owner)]) for name, owner in boxes],
            "count": self._count(position),
        }

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Boxes count, and those that the player to move can close, and who has to open the first chain.

        While no box can be closed, the number of lines that give nothing away tells who draws the last of them.
        """
        frame, lines, closable, value = frame_of(position.side), position.lines, 0, 0.0
        drawn = [sum(lines[n] for n in around) for around in frame.around]
        for owner, sides in zip(position.boxes, drawn, strict=True):
            closable += sides == 3
            if owner != ".":
                value += 1 if owner == OWNERS[seat] else -1
        first = 0.8 * closable
        if not closable:
            safe = sum(not line and all(drawn[n] < 2 for n in on) for line, on in zip(lines, frame.beside, strict=True))
            first = (1 if safe % 2 else -1) / (1 + safe / 4)
        return tanh((value + (first if position.turn == seat else -first)) / 6)

    def picture(self, view: View[Position]) -> Picture:
        position, side = view.position, view.position.side
        rows = tuple(_row(position, row) for row in reversed(range(2 * side + 1)))
        files = tuple("" if place % 2 else chr(65 + place // 2) for place in range(2 * side + 1))
        ranks = tuple("" if place % 2 else str(place // 2 + 1) for place in reversed(range(2 * side + 1)))
        sizes = tuple(100 if place % 2 else _LINE for place in range(2 * side + 1))
        return Picture(rows, files, ranks, lines=(self._count(position),), widths=sizes, heights=sizes)

    def _count(self, position: Position) -> str:
        red, blue = self.scores(position)
        return f"Boxes: Red {red}, Blue {blue}"


@cache
def frame_of(side: int) -> Frame:
    """Return the frame of a board with as many boxes on each side. Lines go from dot to dot, to the east first."""
    dots = Grid(side + 1, side + 1)
    pairs = [
        f"{dots.name(dot)}-{dots.name(there)}"
        for dot in range(dots.size)
        for direction in (2, 0)
        for there in dots.ray(dot, direction)[:1]
    ]
    lines = {name: number for number, name in enumerate(pairs)}
    corners = [row * (side + 1) + column for row in range(side) for column in range(side)]
    around = []
    for a in corners:
        b, c, d = a + 1, a + side + 1, a + side + 2
        sides = ((a, b), (a, c), (b, d), (c, d))
        around.append(tuple(lines[f"{dots.name(one)}-{dots.name(two)}"] for one, two in sides))
    beside = (tuple(box for box, sides in enumerate(around) if line in sides) for line in range(len(lines)))
    return Frame(lines, tuple(around), tuple(beside))


def _line(text: str) -> str:
    """Return the name that the line of a move has: the lower or left dot comes first."""
    return "-".join(sorted(parts(_MOVE, text), key=lambda dot: (dot[1], dot[0])))


def _row(position: Position, row: int) -> tuple[Cell, ...]:
    """Return a row of the picture: dots are in even rows and columns, boxes in odd ones, lines between them."""
    return tuple(_place(position, row, column) for column in range(2 * position.side + 1))


def _place(position: Position, row: int, column: int) -> Cell:
    lines = frame_of(position.side).lines
    if row % 2 and column % 2:
        return Cell(ground="light", pieces=_OWNED[position.boxes[row // 2 * position.side + column // 2]])
    if row % 2 or column % 2:
        name = _between(row, column)
        return _segment(name, row % 2 == 1, position.lines[lines[name]])
    around = ((NORTH, row + 1, column), (EAST, row, column + 1), (SOUTH, row - 1, column), (WEST, row, column - 1))
    numbers = ((way, lines.get(_between(r, c))) for way, r, c in around)
    return _dot(tuple(way for way, number in numbers if number is not None and position.lines[number]))


@cache
def _between(row: int, column: int) -> str:
    """Return the name of the line at a place of the picture."""
    here, there = f"{chr(97 + column // 2)}{row // 2 + 1}", f"{chr(97 + (column + 1) // 2)}{(row + 1) // 2 + 1}"
    return f"{here}-{there}"


@cache
def _segment(name: str, upright: bool, drawn: bool) -> Cell:
    pieces, lines = (_UPRIGHT, (NORTH, SOUTH)) if upright else (_ACROSS, (EAST, WEST))
    return Cell(name, "light", pieces, lines=lines, line="black") if drawn else Cell(name, "light")


@cache
def _dot(lines: tuple[int, ...]) -> Cell:
    return Cell(ground="light", lines=lines, line="black", art="knot")


def _text_row(position: Position, row: int) -> tuple[str, str]:
    """Return the label of a row of dots ("" between them) and its text: three characters between two dots."""
    cells = _row(position, row)
    signs = [cell.pieces[0].in_ascii if cell.pieces else " " for cell in cells]
    if row % 2:
        return "", "".join(f" {sign} " if place % 2 else sign for place, sign in enumerate(signs))
    return str(row // 2 + 1), "".join(sign * 3 if place % 2 else "+" for place, sign in enumerate(signs))
