"""The picture of chess: the men, the king in check, and the men that were captured."""

from collections.abc import Iterator
from functools import cache

from pbmserv.games.base import Cell, Picture, Piece, Seat, Tray
from pbmserv.games.base.picture import CHECK, on_grid
from pbmserv.games.capture.chess.moving import in_check
from pbmserv.games.capture.chess.pieces import EMPTY, GRID, SIDES, Position

_FIGURES = dict(zip("PNBRQKpnbrqk", "♙♘♗♖♕♔♟♞♝♜♛♚", strict=True))
_AS_TEXT = "\ufe0e"  #: behind a sign: it is a character and not a coloured picture
_ART = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
_SEVERAL = {"p": "pawns", "n": "knights", "b": "bishops", "r": "rooks", "q": "queens"}
_AT_FIRST = {"q": 1, "r": 2, "b": 2, "n": 2, "p": 8}
_NAMES = ("White", "Black")


def picture_of(position: Position) -> Picture:
    """Return the board with the captured men below it."""
    seat = position.turn
    attacked = SIDES[seat][-1] if in_check(position.board, seat) else ""
    cells = [_cell(s, piece, piece == attacked) for s, piece in enumerate(position.board)]
    beside = tuple(tray for taker in (0, 1) for tray in _captured(position.board, taker))
    return on_grid(GRID, cells, top=(1,), beside=beside)


@cache  # 64 squares, and what can stand there
def _cell(square: int, piece: str, attacked: bool) -> Cell:
    row, column = divmod(square, 8)
    ground = "light" if (row + column) % 2 else "dark"
    return Cell(GRID.name(square), ground, () if piece == EMPTY else (_man(piece),), state=CHECK if attacked else "")


@cache
def _man(piece: str, count: int = 0) -> Piece:
    colour = "white" if piece.isupper() else "black"
    return Piece(colour, _FIGURES[piece] + _AS_TEXT, count, letter=piece, art=_ART[piece.lower()])


def _captured(board: str, taker: Seat) -> Iterator[Tray]:
    """Yield a tray with the men that a seat has captured; none if there are none."""
    if men := list(_lost(board, 1 - taker)):
        cells = tuple(Cell(pieces=(_man(man, count),)) for man, count in men)
        holds = tuple(_in_words(man.lower(), count) for man, count in men)
        yield Tray(f"Captured by {_NAMES[taker]}", cells, only_drawn=True, holds=holds)


def _in_words(man: str, count: int) -> str:
    return _ART[man] if count == 1 else f"{count} {_SEVERAL[man]}"


def _lost(board: str, seat: Seat) -> Iterator[tuple[str, int]]:
    """Yield the men that a seat has lost, with their numbers. A pawn that became another piece is not lost."""
    there = {man: board.count(man) for man in SIDES[seat]}
    became = sum(max(0, there[man] - _AT_FIRST[man.lower()]) for man in SIDES[seat] if man.lower() in "qrbn")
    for man in sorted(SIDES[seat][:-1], key=lambda man: list(_AT_FIRST).index(man.lower())):
        lost = _AT_FIRST[man.lower()] - there[man] - (became if man.lower() == "p" else 0)
        if lost > 0:
            yield man, lost
