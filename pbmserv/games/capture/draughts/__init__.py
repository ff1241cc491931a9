"""Draughts: English draughts (checkers) after the WCDF, and international draughts after the FMJD."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import tanh
from types import MappingProxyType
from typing import ClassVar, final

from pbmserv.games.base import (
    OWN,
    Cell,
    Info,
    InTurn,
    Note,
    Option,
    Options,
    Picture,
    Piece,
    Seat,
    Step,
    View,
    moves_of,
)
from pbmserv.games.base.picture import captured
from pbmserv.games.base.pieces import DRAUGHTSMEN
from pbmserv.games.capture.draughts.jumping import EMPTY, Move, Path
from pbmserv.games.capture.draughts.pdn import PDN
from pbmserv.games.capture.draughts.style import ENGLISH, INTERNATIONAL, STYLES, Position, Style
from pbmserv.rng import Rng

_PIECES = {
    "b": Piece("black", "•", letter="b", art="man"),
    "B": Piece("black", "♛\ufe0e", letter="B", art="man-king"),
    "w": Piece("white", "◦", letter="w", art="man"),
    "W": Piece("white", "♕\ufe0e", letter="W", art="man-king"),
}
_SIGN = re.compile("[-x]")
_NAME = re.compile(r"[a-h]?\d+")  #: of a square
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_MOST_BETWEEN = 8  #: squares between the ends of a capture of which some can be left out; of more, all or none
_LIGHT = Cell(ground="light")
_CLAIMS = {
    "threefold": "The position stands for the third time: propose ends the board as a draw.",
    "forty": "Forty moves without progress: propose ends the board as a draw.",
}


class Draughts(InTurn[Position, Move]):
    """Two players, no chance, nothing hidden."""

    info = Info(
        key="draughts",
        name="Draughts",
        kind="capture",
        aliases=("checkers",),
        summary="Jump over the enemy men until none of them can move.",
        seats=(2,),
        pattern=r"\d{1,2}(?:[-x]\d{1,2})+",
        endings={
            "nomove": "the opponent cannot move",
            "threefold": "the same position stood for the third time",
            "forty": "claimed after forty moves without a capture or a move of a man",
            "twentyfive": "twenty-five moves with kings only and without a capture",
            "sixteen": "sixteen moves with three men against one king",
            "five": "five moves with one or two men against one king",
        },
        credit="the rules of the federations WCDF (8x8) and FMJD (10x10).",
        repetition=OWN,
        nodes=(2, 600, 5000),
        options=(Option("international", "10x10 squares, flying kings, and the longest capture"),),
    )
    names = ("Black", "White")
    position_type = Position
    squares: ClassVar[Sequence[str]] = Style.names  #: the names of the squares
    draws = frozenset({"threefold", "twentyfive", "sixteen", "five"})
    formats = (PDN,)
    names_of_pieces = DRAUGHTSMEN
    loud_is_forced = True
    men_worth = MappingProxyType({"king": 2, "man": 1})

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return (INTERNATIONAL if "international" in options else ENGLISH).opening()

    def style(self, position: Position) -> Style:
        """Return the rules by which a position is played. A variant has its own."""
        return STYLES[len(position.board)]

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        """White begins in international draughts, Black in English draughts."""
        return ("White", "Black") if "international" in options else self.seat_names(seats)

    def position_key(self, position: Position) -> str:
        return position.board

    @final
    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        return self.style(position).moves(position, seat)

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        then = self.style(position).after(position, move)
        reason = "" if then.over else self.claim(then)
        return Step(then, (Note(_CLAIMS[reason]),) if reason else ())

    def end(self, position: Position) -> str:
        return position.over

    @final
    def can_win(self, position: Position, seat: Seat) -> bool:
        return self.style(position).can_win(position, seat)

    def claim(self, position: Position) -> str:
        return self.style(position).claim(position)

    def format(self, move: Move) -> str:
        return self.text(move, move.paths[0] if move.full else (move.source, move.target))

    def text(self, move: Move, path: Sequence[int]) -> str:
        """Return the text of a move with these squares of its way."""
        return self._joined(path, "x" if move.captured else "-")

    def _joined(self, path: Sequence[int], sign: str) -> str:
        return sign.join([self.squares[square] for square in path])

    def normalise(self, text: str) -> str:
        normal = super().normalise(text)
        return _ZEROS.sub("", normal) if "0" in normal else normal

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """Look for all squares of a way, else for some of them."""
        style = self.style(position)
        path, captures = _path(style, text), "x" in text
        if -1 in path or (captures and "-" in text):  # both signs, or digits of another alphabet
            return []
        if not captures:
            return style.steps_on(position, seat, path)
        moves = [move for move in moves_of(self, position, seat) if move.captured]
        return [move for move in moves if path in move.paths] or [move for move in moves if _leads(move, path)]

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {self._obstacle(position, seat, text)}."

    def _obstacle(self, position: Position, seat: Seat, text: str) -> str:
        """Return why a move is not possible."""
        style, board, path = self.style(position), position.board, _path(self.style(position), text)
        names = _SIGN.split(text)
        if wrong := [name for name, square in zip(names, path, strict=True) if not 0 <= square < style.size]:
            return f"there is no square {wrong[0]}"
        source, target = self.squares[path[0]], self.squares[path[-1]]
        if board[path[0]] == EMPTY:
            return f"{source} is empty"
        if board[path[0]].lower() != style.colours[seat]:
            return f"the man on {source} is not yours"
        return _obstacle(style, position, seat, text, path) or f"the man on {source} cannot go to {target}"

    def cells_of(self, text: str) -> tuple[str, ...]:
        return tuple(_NAME.findall(text))

    def piece_of(self, position: Position, move: Move) -> str:
        return "k" if position.board[move.source].isupper() else "m"

    def caption(self, position: Position, move: Move) -> str:
        return self._joined(move.paths[0][1:] if move.full else (move.target,), "x")

    def loud(self, position: Position, seat: Seat) -> Sequence[Move]:
        """All moves if there are captures, because one must be made."""
        moves = self.legal_moves(position, seat)
        return moves if moves and moves[0].captured else ()

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        board = zip(self.squares, view.position.board, strict=False)
        return {"men": [(name, man) for name, man in board if man != EMPTY]}

    def evaluate(self, position: Position, seat: Seat) -> float:
        """A king counts more than two men; men are worth more on their way to the last row, and at home."""
        style, value = self.style(position), 0.0
        for square, man in enumerate(position.board):
            if man != EMPTY:
                row = square // style.per_row
                ahead = row if man == "b" else style.width - 1 - row
                worth = style.king if man.isupper() else 1 + 0.02 * ahead + 0.05 * (ahead == 0)
                value += worth if man.lower() == style.colours[seat] else -worth
        return tanh(value / 5)

    def men(self, position: Position, seat: Seat) -> Mapping[str, int]:
        man = self.style(position).colours[seat]
        return {"king": position.board.count(man.upper()), "man": position.board.count(man)}

    def picture(self, view: View[Position]) -> Picture:
        style, board = self.style(view.position), view.position.board
        rows = tuple(tuple(self._cells(style, board, row)) for row in range(style.width))
        first = style.opening().board
        lost = ((_PIECES[man], first.count(man) - board.lower().count(man)) for man in "bw")
        return Picture(rows, beside=captured(*lost), top=(style.colours.index("b"),))

    def _cells(self, style: Style, board: str, row: int) -> Iterator[Cell]:
        """Yield the cells of a row, with the light squares between the dark ones."""
        for square in range(row * style.per_row, (row + 1) * style.per_row):
            dark = _cell(self.squares[square], board[square])
            if style.fills_board:
                yield dark
            else:
                yield from (dark, _LIGHT) if (row + style.is_mirrored) % 2 else (_LIGHT, dark)


def _path(style: Style, text: str) -> Path:
    """Return the squares that a text names; -1 for what is no square on any board."""
    return tuple(style.numbers.get(name, -1) for name in _SIGN.split(text))


def _parts_of(path: Path) -> Iterator[Path]:
    """Yield the ways to write a path with some of its squares: always the first and the last."""
    first, *between, last = path
    counts = range(len(between)) if len(between) <= _MOST_BETWEEN else (0,)
    return ((first, *some, last) for count in counts for some in combinations(between, count))


@cache
def _cell(name: str, man: str) -> Cell:
    pieces = () if man == EMPTY else (_PIECES[man],)
    return Cell(name, "dark", pieces, text=name, in_corner=True)


def _leads(move: Move, numbers: Path) -> bool:
    """Return whether a move goes over these squares, from the first to the last of them."""
    return any(numbers == path or numbers in _parts_of(path) for path in move.paths)


def _obstacle(style: Style, position: Position, seat: Seat, text: str, path: Path) -> str:
    """Return why a man of one's own cannot go this way; "" if nothing better is known."""
    board, source, target = position.board, path[0], path[-1]
    moves = style.legal(board, style.colours[seat])
    if "-" in text and any(_leads(move, path) for move in moves if move.captured):
        return "that is a capture, so write x and not a dash"
    if not moves[0].captured and "x" in text and style.could_go(board, source, target):
        return "nothing is captured, so write a dash and not x"
    if moves[0].captured and ("x" in text or style.could_capture(board, source, target)):
        return style.too_few or f"{style.names[source]} does not capture so, or not all that it must"
    if moves[0].captured and (style.could_go(board, source, target) or style.captures_most):
        return "you must capture"
    return ""
