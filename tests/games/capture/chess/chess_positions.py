"""Positions of chess from the text that chess programs use (FEN), and how many moves there are in them."""

from pbmserv.games.capture.chess.laws import FIDE
from pbmserv.games.capture.chess.moving import legal
from pbmserv.games.capture.chess.opening import with_key
from pbmserv.games.capture.chess.pieces import GRID, Move, Position


def position_of(fen: str, *, fischer: bool = False) -> Position:
    """Read a position. The rights to castle are KQkq, or with `fischer` the files of the rooks."""
    rows, side, rights, passed, *numbers = fen.split()
    board = "".join("".join("." * int(c) if c.isdigit() else c for c in row) for row in reversed(rows.split("/")))
    return with_key(
        Position(
            board,
            turn="wb".index(side),
            rooks=tuple(sorted(_rook(right, board) for right in rights if right != "-")),
            passed=-1 if passed == "-" else GRID.square(passed),
            quiet=int(numbers[0]) if numbers else 0,
            fischer=fischer,
        )
    )


def _rook(right: str, board: str) -> int:
    home = 0 if right.isupper() else 56
    if right in "KQkq":
        return home + (7 if right in "Kk" else 0)
    return home + "abcdefgh".index(right.lower())


def perft(position: Position, plies: int, known: dict[tuple[object, ...], int] | None = None) -> int:
    """Return how many ways there are to play so many plies.

    A position that comes about in several ways is counted once: `known` has the numbers found so far. The number of
    moves since a capture and the positions before are not compared, because no move depends on them.
    """
    known = {} if known is None else known
    key = (plies, position.board, position.turn, position.rooks, position.passed)
    if key not in known:
        moves = list(legal(position))
        known[key] = len(moves) if plies == 1 else sum(perft(FIDE.after(position, m), plies - 1, known) for m in moves)
    return known[key]


def named(position: Position, text: str) -> Move:
    """Return the legal move with these two squares."""
    (found,) = (m for m in legal(position) if GRID.name(m.source) + GRID.name(m.target) + m.promotion == text)
    return found
