"""Tumbling Down: stacks that move by one man or tumble in a line. Clauses D1-D24 of the rules.

A stack is a string of B and W, bottom man first; a position holds one for every square of the grid.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from math import tanh

from pbmserv.errors import IllegalMove
from pbmserv.games.base import (
    FIVE_LEVELS,
    Cell,
    Display,
    Info,
    InTurn,
    Option,
    Options,
    Picture,
    Piece,
    Seat,
    Step,
    View,
    moves_of,
)
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.notation import parts
from pbmserv.games.base.picture import on_grid
from pbmserv.games.base.pieces import changed_by
from pbmserv.rng import Rng

GRID = Grid(8, 8)
SIGNS = "BW"  #: by seat: Black moves first (D4)
_COLOURS = {"B": "black", "W": "white"}
_MOVE = re.compile(r"([a-h][1-8])-?([a-h][1-8])([tm]?)")

# D5: the heights of Black's stacks, northernmost row first. White's are the same after half a turn.
_STANDARD = ("..1.....", ".121....", "12321...", "234321..")
_CORNERS = (".......1", "......12", ".....122", "....1223", "...12234")


@dataclass(frozen=True, slots=True)
class Move:
    """A move from a square to the last square reached (D24): the top man alone, or a tumble of the whole stack."""

    source: int
    target: int
    tumble: bool


@dataclass(frozen=True, slots=True)
class Position:
    """`stacks`: 64 strings; `turn`: the seat to move; `won`: the ending, "" while nobody has won.

    The winner moved last.
    """

    stacks: tuple[str, ...]
    turn: Seat = 0
    won: str = ""


class TumblingDown(InTurn[Position, Move]):
    """Two players, no chance, nothing hidden."""

    info = Info(
        key="tumble",
        name="Tumbling Down",
        kind="capture",
        aliases=("tumblingdown",),
        summary="Stacks of men tumble across the board. Cover the tallest enemy stack to win.",
        seats=(2,),
        pattern=_MOVE.pattern,
        endings={"king": "a king was captured", "nomove": "the opponent has no stack left"},
        nodes=FIVE_LEVELS,
        credit="Tumbling Down, (c) 2000 Michael Shuck.",
        options=(Option("c", "corner layout: the armies stand in two opposite corners"),),
        displays=(
            Display("h", "a mixed stack is written row by row, from the bottom of its square up"),
            Display("u", "a mixed stack is written column by column, each from the bottom up"),
        ),
    )
    names = ("Black", "White")
    position_type = Position
    names_of_pieces = changed_by("tumble", "tumbling", "kipp", "umkipp", "purzel")
    said_signs = dict.fromkeys(("tumble", "tumbles", "tumbling", "kippt", "kippen"), "t")

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        layout = _CORNERS if "c" in options else _STANDARD
        heights = [int(h) for h in "".join(reversed(layout)).replace(".", "0").ljust(GRID.size, "0")]
        return Position(
            tuple("B" * black + "W" * white for black, white in zip(heights, reversed(heights), strict=True))
        )

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        own = ((s, stack) for s, stack in enumerate(position.stacks) if stack[-1:] == SIGNS[seat])
        return [move for s, stack in own for move in _moves_of(s, len(stack))]

    def format(self, move: Move) -> str:
        return f"{GRID.name(move.source)}-{GRID.name(move.target)}{'t' * move.tumble}"

    def spoken(self, written: str) -> str:
        return super().spoken(written.removesuffix("t")) + ", tumble" * written.endswith("t")

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """Look only at one stack. A tumble can name each square in its direction."""
        source, towards, letter = _parts(text)
        stack = position.stacks[source]
        moves = _moves_of(source, len(stack)) if stack[-1:] == SIGNS[seat] else ()
        return [move for move in moves if move.tumble == (letter == "t") and _names(move, towards)]

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        start, towards, letter = _parts(text)
        source, target, tumble = GRID.name(start), GRID.name(towards), letter == "t"
        stack = position.stacks[start]
        if not stack:
            return f"'{text}' is not possible: {source} is empty."
        if stack[-1] != SIGNS[seat]:
            return f"'{text}' is not possible: the top man on {source} is not yours."
        if tumble:
            return (
                f"'{text}' is not possible: a tumble goes in a straight line, and {target} is not on one from {source}."
            )
        return f"'{text}' is not possible: a single man goes one square, and {target} is not next to {source}."

    def illegal(self, position: Position, seat: Seat, text: str) -> IllegalMove:
        source, target, _ = _parts(text)
        stack = position.stacks[source]
        hint = super().illegal(position, seat, text).hint
        if stack[-1:] == SIGNS[seat] and not text.endswith("t") and _direction(source, target) is not None:
            hint = f"To tumble the whole stack in that direction, add a t: {text.rstrip('m')}t"
        return IllegalMove(self.why_not(position, seat, text), hint)

    def example(self, position: Position, seat: Seat) -> str:
        """Return a tumble of the first tall stack, because newcomers forget the t."""
        tumbles = (m for m in moves_of(self, position, seat) if m.tumble)
        return self.format(max(tumbles, key=lambda m: len(position.stacks[m.source])))

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        kings = kings_of(position.stacks, 1 - seat)
        stacks = _drop(position.stacks, move)
        won = ""
        if any(is_good_capture(stacks[k], seat) for k in kings):
            won = "king"  # D16
        elif not any(s[-1:] == SIGNS[1 - seat] for s in stacks):
            won = "nomove"  # D19
        return Step(Position(stacks, turn=1 - seat, won=won))

    def end(self, position: Position) -> str:
        return position.won

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        stacks = view.position.stacks
        return {"ranks": [_rank(number, stacks[number * 8 - 8 : number * 8]) for number in range(8, 0, -1)]}

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Kings count most, up to three; then stacks with a man of the seat on top, tall ones a little more."""
        own, other = (_strength(position.stacks, side) for side in (seat, 1 - seat))
        return tanh((own - other) / 12)

    def picture(self, view: View[Position]) -> Picture:
        return on_grid(GRID, [_cell(s, stack) for s, stack in enumerate(view.position.stacks)], top=(1,))

    def left_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        return self.cells_of(text)[:1]

    def repeats(self, position: Position, move: Move) -> bool:
        """A tumble of a single man is a move of this man (D11)."""
        return move.tumble and len(position.stacks[move.source]) == 1

    def caption(self, position: Position, move: Move) -> str:
        return _caption(move)


@cache  # a letter has a hundred of them
def _caption(move: Move) -> str:
    target = GRID.name(move.target).upper()
    return f"{target} tumbles" if move.tumble else target


def kings_of(stacks: Sequence[str], seat: Seat) -> list[int]:
    """Return the squares of the tallest stacks with only men of this seat (D12-D14)."""
    pure = {s: len(stack) for s, stack in enumerate(stacks) if stack and stack == SIGNS[seat] * len(stack)}
    tallest = max(pure.values(), default=0)
    return [s for s, height in pure.items() if height == tallest]


def is_good_capture(stack: str, seat: Seat) -> bool:
    """Return whether `stack` has only men of the opponent at the bottom and only men of this seat above (D16, D17)."""
    return [colour for colour, _ in groupby(stack)] == [SIGNS[1 - seat], SIGNS[seat]]


def _strength(stacks: Sequence[str], seat: Seat) -> float:
    """Return how strong a seat is: stacks that it owns, by their men, and how many kings it has."""
    man = SIGNS[seat]
    owned = sum(1 + 0.15 * len(stack) for stack in stacks if stack[-1:] == man)
    return owned + 2.0 * min(len(kings_of(stacks, seat)), 3)


@lru_cache(maxsize=4096)  # most stacks of a board have not changed since its last diagram
def runs(stack: str) -> tuple[str, ...]:
    """Return the runs of a stack from the bottom up, colour and count: "BBW" gives B2, W1 (D21)."""
    return tuple(f"{colour}{len(list(men))}" for colour, men in groupby(stack))


@lru_cache(maxsize=4096)
def _cell(square: int, stack: str) -> Cell:
    """Return a square with its stack as chips, a chip for each run."""
    row, column = divmod(square, GRID.columns)
    chips = tuple(Piece(_COLOURS[run[0]], run[0], int(run[1:])) for run in runs(stack))
    return Cell(GRID.name(square), "light" if (row + column) % 2 else "dark", chips)


def _rank(number: int, stacks: Sequence[str]) -> dict[str, object]:
    """Return a row for the template. `mixed`: the most runs in a stack; `long_runs`: whether a count has two digits."""
    cells = [runs(stack) or ("",) for stack in stacks]
    long_runs = any(len(run) > 2 for cell in cells for run in cell)
    return {"number": number, "cells": cells, "mixed": max(map(len, cells)), "long_runs": long_runs}


@cache
def _moves_of(source: int, height: int) -> tuple[Move, ...]:
    """Return the moves of a stack of this height: single man, then tumble, clockwise from north (D7, D8, D10, D11)."""
    rays = (ray for direction in range(8) if (ray := GRID.ray(source, direction)))
    ways = (((ray[0], False), (ray[min(height, len(ray)) - 1], True)) for ray in rays)
    return tuple(Move(source, target, tumble) for way in ways for target, tumble in way)


def _parts(text: str) -> tuple[int, int, str]:
    """Return the two squares of a move, and the letter behind them. Raises ValueError for other texts."""
    source, towards, letter = parts(_MOVE, text)
    return GRID.square(source), GRID.square(towards), letter


def _names(move: Move, square: int) -> bool:
    """Return whether `square` can be the second square of this move.

    For a tumble, the direction is enough (section 5).
    """
    if move.tumble:
        direction = _direction(move.source, square)
        return direction is not None and direction == _direction(move.source, move.target)
    return square == move.target


@cache
def _direction(source: int, target: int) -> int | None:
    """Return the direction from one square to another; None if they are not on a line."""
    return next((d for d in range(8) if target in GRID.ray(source, d)), None)


def _drop(stacks: tuple[str, ...], move: Move) -> tuple[str, ...]:
    """Return the stacks after a move. A tumble drops the bottom man first. At the edge the rest stays together (D8)."""
    after = list(stacks)
    stack = stacks[move.source]
    if not move.tumble:
        after[move.source] = stack[:-1]
        after[move.target] += stack[-1]
        return tuple(after)
    ray = GRID.ray(move.source, _direction(move.source, move.target) or 0)
    after[move.source] = ""
    for i, square in enumerate(ray[: len(stack)]):
        after[square] += stack[i:] if i == len(ray) - 1 else stack[i]
    return tuple(after)
