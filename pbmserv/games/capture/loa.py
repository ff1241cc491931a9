"""Lines of Action: a piece moves as far as there are pieces on its line, and all pieces together win.

The rules of Claude Soucie in "A Gamut of Games" by Sid Sackson, second edition.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import tanh
from typing import NamedTuple

from pbmserv.games.base import FIVE_LEVELS, Info, Option, Options, Picture, Piece, Seat, Step, View, bits
from pbmserv.games.base.picture import captured, chequered
from pbmserv.games.capture.stepping import GRID, PATTERN, Move, SteppingGame, parts_of
from pbmserv.rng import Rng

SIGNS = "BW"  #: by seat: Black moves first
_PIECES = {"B": (Piece("black", "B", art="checker"),), "W": (Piece("white", "W", art="checker"),), ".": ()}
_MEN = 12  #: of each player at the beginning
#: The pieces at the beginning, the top row first.
_USUAL = (".BBBBBB.", *["W......W"] * 6, ".BBBBBB.")
#: "Scrambled eggs": colours alternate along the edge.
_SCRAMBLED = (".BWBWBW.", *["W......B", "B......W"] * 3, ".WBWBWB.")


@dataclass(frozen=True, slots=True)
class Position:
    """`squares`: 64 characters, B, W or a dot, a1 b1 …; `winner`: None while the pieces of neither are together."""

    squares: str
    turn: Seat = 0
    winner: Seat | None = None


class LinesOfAction(SteppingGame[Position]):
    """Two players, no chance, nothing hidden."""

    info = Info(
        key="loa",
        name="Lines of Action",
        kind="capture",
        summary="Move men as far as there are men on their line, and bring all of yours together.",
        seats=(2,),
        pattern=PATTERN,
        endings={
            "together": "all men are together",
            "repetition": "the same position stood for the third time",
        },
        repetition=3,
        nodes=(8, *FIVE_LEVELS[1:]),
        credit="Lines of Action, (c) 1969 Claude Soucie.",
        options=(Option("scrambled", "scrambled start: the colours alternate along the edge"),),
    )
    names = ("Black", "White")
    position_type = Position

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position("".join(reversed(_SCRAMBLED if "scrambled" in options else _USUAL)))

    def position_key(self, position: Position) -> str:
        return position.squares

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        return list(_all_moves(position.squares, seat))

    def move_to(self, position: Position, seat: Seat, source: int, target: int) -> Move | None:
        way = _WAYS[source].get(_DIRECTIONS[source].get(target, -1))
        move = _move(position.squares, source, way, seat) if way and position.squares[source] == SIGNS[seat] else None
        return move if move and move.target == target else None

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        source, sign, target = parts_of(text)
        squares, start, end = position.squares, GRID.name(source), GRID.name(target)
        if squares[source] != SIGNS[seat]:
            return f"'{text}' is not possible: no man of yours is on {start}."
        direction = _DIRECTIONS[source].get(target)
        if direction is None:
            return f"'{text}' is not possible: {end} is not on a line from {start}."
        steps, pieces = GRID.ray(source, direction).index(target) + 1, _WAYS[source][direction].pieces(squares)
        if steps != pieces:
            return (
                f"'{text}' is not possible: there are {pieces} men on this line, so a man goes {pieces} squares on it."
            )
        if squares[target] == SIGNS[seat]:
            return f"'{text}' is not possible: a man of yours is on {end}."
        if sign == "x" and squares[target] == ".":
            return f"'{text}' is not possible: there is nothing to capture on {end}."
        return f"'{text}' is not possible: a man cannot jump over men of the opponent."

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Pieces that stand close to their middle will soon be together."""
        own, other = (_spread(position.squares, side) for side in (seat, 1 - seat))
        return tanh((other - own) / 2)

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        pieces = list(position.squares)
        pieces[move.source], pieces[move.target] = ".", SIGNS[seat]
        squares, other = "".join(pieces), 1 - seat
        winner = seat if is_together(squares, seat) else None
        if winner is None and move.captures and is_together(squares, other):
            winner = other
        if winner is not None:
            return Step(Position(squares, other, winner))
        stuck = next(_all_moves(squares, other), None) is None
        return Step(Position(squares, seat if stuck else other), missed=(other,) * stuck)

    def end(self, position: Position) -> str:
        return "" if position.winner is None else "together"

    def winner(self, position: Position) -> Seat | None:
        return position.winner

    def picture(self, view: View[Position]) -> Picture:
        squares, winner = view.position.squares, view.position.winner
        wins = () if winner is None else [s for s, piece in enumerate(squares) if piece == SIGNS[winner]]
        black, white = (_MEN - squares.count(sign) for sign in SIGNS)
        beside = captured((_PIECES["B"][0], black), (_PIECES["W"][0], white))
        return chequered(GRID, map(_PIECES.__getitem__, squares), top=(), wins=wins, beside=beside)


def is_together(squares: str, seat: Seat) -> bool:
    """Return whether all pieces of a seat are connected, also diagonally. A single piece is."""
    left = bits.of(squares, GRID.columns, SIGNS[seat])
    front = left & -left
    while front:
        left ^= front
        front = bits.around(front, GRID.columns) & left
    return not left


def _spread(squares: str, seat: Seat) -> float:
    """Return how far the pieces of a seat stand from their middle, on average, and how little they touch each other."""
    pieces = [divmod(s, GRID.columns) for s, piece in enumerate(squares) if piece == SIGNS[seat]]
    row, column = sum(r for r, _ in pieces) / len(pieces), sum(c for _, c in pieces) / len(pieces)
    away = sum(max(abs(r - row), abs(c - column)) for r, c in pieces) / len(pieces)
    beside = set(pieces)
    touching = sum((r + x, c + y) in beside for r, c in pieces for x, y in ((0, 1), (1, 0), (1, 1), (1, -1)))
    return away - 0.6 * touching / len(pieces) + 0.08 * (abs(row - 3.5) + abs(column - 3.5))


def _all_moves(squares: str, seat: Seat) -> Iterator[Move]:
    for source, piece in enumerate(squares):
        if piece == SIGNS[seat]:
            yield from _moves(squares, source, seat)


def _moves(squares: str, source: int, seat: Seat) -> Iterator[Move]:
    """Yield the moves of one piece, clockwise from north."""
    for way in _WAYS[source].values():
        if move := _move(squares, source, way, seat):
            yield move


def _move(squares: str, source: int, way: "_Way", seat: Seat) -> Move | None:
    """Return the move of a piece in one direction."""
    steps = way.pieces(squares)
    if steps > len(way.ray):
        return None
    target = way.ray[steps - 1]
    if squares[target] == SIGNS[seat] or SIGNS[1 - seat] in squares[way.between[steps - 1]]:
        return None
    return Move(source, target, captures=squares[target] != ".")


class _Way(NamedTuple):
    """What lies in a direction from a square: the squares on the ray, and what to cut out of the board.

    `line`: the whole line through the square, from edge to edge, of `length` squares. `between`: what a piece passes on
    its way to each square of the ray.
    """

    ray: tuple[int, ...]
    line: slice
    length: int
    between: tuple[slice, ...]

    def pieces(self, squares: str) -> int:
        """Return how many pieces are on the whole line, on both sides of the square and on it."""
        return self.length - squares[self.line].count(".")


def _way(source: int, direction: int) -> _Way:
    ray, back = GRID.ray(source, direction), GRID.ray(source, (direction + 4) % 8)
    line, step = sorted((source, *ray, *back)), ray[0] - source
    between = tuple(slice(source + step, target, step) for target in ray)
    return _Way(ray, slice(line[0], line[-1] + 1, abs(step)), len(line), between)


#: By square: the directions in which there are others, clockwise from north, and in which each of these is.
_WAYS = tuple({d: _way(square, d) for d in range(8) if GRID.ray(square, d)} for square in range(GRID.size))
_DIRECTIONS = tuple({target: d for d, way in ways.items() for target in way.ray} for ways in _WAYS)
