"""Breakthrough: men go forward only, and the first on the other side of the board wins. Rules: Dan Troyka, 2000."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbmserv.games.base import Game, Info, Options, Outcome, Picture, Piece, Seat, Step, View
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.picture import chequered
from pbmserv.rng import Rng

GRID = Grid(8, 8)
MEN = "WB"  #: by seat: White moves first
_AHEAD = ((7, 0, 1), (5, 4, 3))  #: directions of a man of each seat: straight ahead is in the middle
_LAST = (7, 0)  #: the row that wins
_MOVE = re.compile(r"([a-h][1-8])([-x]?)([a-h][1-8])")
_PIECES = {"W": (Piece("white", "W"),), "B": (Piece("black", "B"),), ".": ()}


@dataclass(frozen=True, slots=True)
class Move:
    """A man goes from a square to another, and captures if an enemy is there."""

    source: int
    target: int
    captures: bool


@dataclass(frozen=True, slots=True)
class Position:
    """`squares`: 64 characters, W, B or a dot, a1 b1 …; `won`: the ending, "" while nobody has won.

    The winner moved last.
    """

    squares: str
    turn: Seat = 0
    won: str = ""


class Breakthrough(Game[Position, Move]):
    """Two players, no chance, nothing hidden."""

    info = Info(
        key="breakthrough",
        name="Breakthrough",
        summary="Lead one of your men to the other side of the board.",
        seats=(2,),
        pattern=_MOVE.pattern,
        endings={"home": "a man has reached the last row", "men": "all men of the opponent are captured"},
        credit="Breakthrough, (c) 2000 Dan Troyka.",
    )
    position_type = Position

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position("W" * 16 + "." * 32 + "B" * 16)

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("White", "Black")

    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset() if position.won else frozenset({position.turn})

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        mine = (s for s, man in enumerate(position.squares) if man == MEN[seat])
        return [move for source in mine for move in _moves(position.squares, source, seat)]

    def format(self, move: Move) -> str:
        return f"{GRID.name(move.source)}{'x' if move.captures else '-'}{GRID.name(move.target)}"

    def spellings(self, position: Position, move: Move) -> tuple[str, ...]:
        source, target = GRID.name(move.source), GRID.name(move.target)
        return (f"{source}{target}", f"{source}-{target}") if move.captures else (f"{source}{target}",)

    def parse(self, position: Position, seat: Seat, text: str) -> Move:
        """Return the move as the default does, but without listing the moves of other men."""
        wanted = self.normalise(text)
        match = _MOVE.fullmatch(wanted)
        if match is None:
            raise self.not_a_move(position, seat, text)
        source, target = GRID.square(match[1]), GRID.square(match[3])
        if position.squares[source] == MEN[seat]:
            for move in _moves(position.squares, source, seat):
                if move.target == target and (move.captures or match[2] != "x"):
                    return move
        raise self.illegal(position, seat, wanted)

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        match = _MOVE.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} has not the form of a move")
        source, target = match[1], match[3]
        if position.squares[GRID.square(source)] != MEN[seat]:
            return f"'{text}' is not possible: no man of yours is on {source}."
        if GRID.square(target) not in _steps(GRID.square(source), seat):
            return f"'{text}' is not possible: a man goes one square ahead, straight or diagonally."
        there = position.squares[GRID.square(target)]
        if there == MEN[seat]:
            return f"'{text}' is not possible: a man of yours is on {target}."
        if there == ".":
            return f"'{text}' is not possible: there is nothing to capture on {target}."
        return f"'{text}' is not possible: men capture diagonally, not straight ahead."

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        squares = list(position.squares)
        squares[move.source], squares[move.target] = ".", MEN[seat]
        won = ""
        if move.target // GRID.columns == _LAST[seat]:
            won = "home"
        elif MEN[1 - seat] not in squares:
            won = "men"
        return Step(Position("".join(squares), 1 - seat, won))

    def outcome(self, position: Position) -> Outcome | None:
        if not position.won:
            return None
        return Outcome(position.won, ranks=(2, 1) if position.turn == 0 else (1, 2))

    def picture(self, view: View[Position]) -> Picture:
        return chequered(GRID, map(_PIECES.__getitem__, view.position.squares))


def _steps(source: int, seat: Seat) -> list[int]:
    """Return the squares in front of a man, those that are on the board."""
    return [ray[0] for direction in _AHEAD[seat] if (ray := GRID.ray(source, direction))]


def _moves(squares: str, source: int, seat: Seat) -> list[Move]:
    found = []
    for direction in _AHEAD[seat]:
        for target in GRID.ray(source, direction)[:1]:
            there, straight = squares[target], direction == _AHEAD[seat][1]
            if there == "." or (there != MEN[seat] and not straight):
                found.append(Move(source, target, captures=there != "."))
    return found
