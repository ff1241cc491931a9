"""Breakthrough: pieces go forward only, and the first on the other side of the board wins. Rules: Dan Troyka, 2000."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import tanh
from types import MappingProxyType

from pbmserv.games.base import FIVE_LEVELS, Info, Options, Picture, Piece, Seat, Step, View
from pbmserv.games.base.picture import captured, chequered
from pbmserv.games.capture.stepping import GRID, PATTERN, Move, SteppingGame, parts_of
from pbmserv.rng import Rng

SIGNS = "WB"  #: by seat: White moves first
_AHEAD = ((7, 0, 1), (5, 4, 3))  #: directions of a piece of each seat: straight ahead is in the middle
_LAST = (7, 0)  #: the row that wins
_MEN = 16  #: of each player at the beginning
_PIECES = {"W": (Piece("white", "W", art="shield"),), "B": (Piece("black", "B", art="shield-down"),), ".": ()}


@dataclass(frozen=True, slots=True)
class Position:
    """`squares`: 64 characters, W, B or a dot, a1 b1 …; `won`: the ending, "" while nobody has won.

    The winner moved last.
    """

    squares: str
    turn: Seat = 0
    won: str = ""


class Breakthrough(SteppingGame[Position]):
    """Two players, no chance, nothing hidden."""

    info = Info(
        key="breakthrough",
        name="Breakthrough",
        kind="capture",
        summary="Lead one of your men to the other side of the board.",
        seats=(2,),
        pattern=PATTERN,
        endings={"home": "a man has reached the last row", "men": "all men of the opponent are captured"},
        nodes=FIVE_LEVELS,
        credit="Breakthrough, (c) 2000 Dan Troyka.",
    )
    names = ("White", "Black")
    position_type = Position
    men_worth = MappingProxyType({"man": 1})

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position("W" * 16 + "." * 32 + "B" * 16)

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        sources = (s for s, piece in enumerate(position.squares) if piece == SIGNS[seat])
        return [move for source in sources for move in _moves(position.squares, source, seat)]

    def move_to(self, position: Position, seat: Seat, source: int, target: int) -> Move | None:
        moves = _moves(position.squares, source, seat) if position.squares[source] == SIGNS[seat] else ()
        return next((move for move in moves if move.target == target), None)

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        source, _, target = parts_of(text)
        if position.squares[source] != SIGNS[seat]:
            return f"'{text}' is not possible: no man of yours is on {GRID.name(source)}."
        if target not in _steps(source, seat):
            return f"'{text}' is not possible: a man goes one square ahead, straight or diagonally."
        if position.squares[target] == SIGNS[seat]:
            return f"'{text}' is not possible: a man of yours is on {GRID.name(target)}."
        if position.squares[target] == ".":
            return f"'{text}' is not possible: there is nothing to capture on {GRID.name(target)}."
        return f"'{text}' is not possible: men capture diagonally, not straight ahead."

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        squares = list(position.squares)
        squares[move.source], squares[move.target] = ".", SIGNS[seat]
        won = ""
        if move.target // GRID.columns == _LAST[seat]:
            won = "home"
        elif SIGNS[1 - seat] not in squares:
            won = "men"
        return Step(Position("".join(squares), 1 - seat, won))

    def end(self, position: Position) -> str:
        return position.won

    def evaluate(self, position: Position, seat: Seat) -> float:
        """A piece is worth more, the further it has come."""
        value = 0
        for square, piece in enumerate(position.squares):
            if piece != ".":
                row = square // GRID.columns
                value += 10 + row**2 if piece == "W" else -10 - (7 - row) ** 2
        return tanh((value if seat == 0 else -value) / 100)

    def men(self, position: Position, seat: Seat) -> Mapping[str, int]:
        return {"man": position.squares.count(SIGNS[seat])}

    def picture(self, view: View[Position]) -> Picture:
        squares = view.position.squares
        home = [s for seat in (0, 1) for s in _row(_LAST[seat]) if squares[s] == SIGNS[seat]]
        white, black = (_MEN - squares.count(sign) for sign in SIGNS)
        beside = captured((_PIECES["W"][0], white), (_PIECES["B"][0], black))
        return chequered(GRID, map(_PIECES.__getitem__, squares), wins=home, beside=beside)


def _row(row: int) -> range:
    return range(row * GRID.columns, (row + 1) * GRID.columns)


def _steps(source: int, seat: Seat) -> list[int]:
    """Return the squares in front of a piece, those that are on the board."""
    return [ray[0] for direction in _AHEAD[seat] if (ray := GRID.ray(source, direction))]


def _moves(squares: str, source: int, seat: Seat) -> list[Move]:
    moves = []
    for direction in _AHEAD[seat]:
        for target in GRID.ray(source, direction)[:1]:
            there, straight = squares[target], direction == _AHEAD[seat][1]
            if there == "." or (there != SIGNS[seat] and not straight):
                moves.append(Move(source, target, captures=there != "."))
    return moves
