"""Chess: which moves are legal, also castling and the capture en passant. FIDE Laws of Chess, article 3."""

from collections.abc import Iterator, Sequence

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess.pieces import (
    DIAGONAL,
    EMPTY,
    FORWARD,
    HOME,
    KING,
    KNIGHT,
    LINES,
    PAWN_CAPTURES,
    PROMOTIONS,
    RAYS,
    SECOND,
    SIDES,
    STRAIGHT,
    Move,
    Position,
    Squares,
)

_PIECES = tuple(map(tuple, SIDES))  #: of each seat


def legal(position: Position) -> Iterator[Move]:
    """Yield the legal moves of the seat to move, piece by piece from a1, castling last."""
    safe = _never_exposing(position)
    own = SIDES[position.turn]
    for source, piece in enumerate(position.board):
        if piece in own:
            for move in _moves_of(position, source):
                if (source in safe and move.target != position.passed) or _leaves_king_safe(position, move):
                    yield move
    yield from castlings(position)


def legal_of(position: Position, source: int) -> list[Move]:
    """Return the legal moves of one piece of the seat to move, without castling."""
    return [move for move in _moves_of(position, source) if _leaves_king_safe(position, move)]


def could_go(position: Position, source: int, target: int) -> bool:
    """Return whether a piece of the seat to move reaches a square, if its king does not matter."""
    return any(move.target == target for move in _moves_of(position, source))


def castlings(position: Position) -> Iterator[Move]:
    """Yield the possible castlings, towards the a-file first. 3.8.2; in Fischer random chess as in the appendix."""
    if position.rooks:
        home = HOME[position.turn]
        for rook in position.rooks:
            if home <= rook < home + 8 and (move := _castling(position, rook)):
                yield move


def board_after(position: Position, move: Move) -> list[str]:
    """Return the board after a move."""
    board = list(position.board)
    piece = board[move.source]
    board[move.source] = EMPTY
    if move.rook >= 0:
        king_to, rook_to = castled(position.board.index(piece), move.rook)
        rook = board[move.rook]
        board[move.rook] = EMPTY
        board[king_to], board[rook_to] = piece, rook
        return board
    if move.target == position.passed and piece in "Pp":
        board[move.target - FORWARD[position.turn]] = EMPTY
    if move.promotion:
        piece = SIDES[position.turn]["pnbrqk".index(move.promotion)]
    board[move.target] = piece
    return board


def castled(king: int, rook: int) -> tuple[int, int]:
    """Return where king and rook stand after castling."""
    home = rook & 56
    return (home + 6, home + 5) if rook > king else (home + 2, home + 3)


def _castling(position: Position, rook: int) -> Move | None:
    board, seat = position.board, position.turn
    king = board.index(SIDES[seat][5])
    king_to, rook_to = castled(king, rook)
    between = range(min(king, rook, king_to, rook_to), max(king, rook, king_to, rook_to) + 1)
    way = range(min(king, king_to), max(king, king_to) + 1)
    if any(board[s] != EMPTY for s in between if s not in (king, rook)):
        return None
    if any(attacked(board, s, 1 - seat) for s in way if s != king_to or s == king):
        return None
    move = Move(king, rook if position.fischer else king_to, rook=rook)
    return move if _leaves_king_safe(position, move) else None


def _moves_of(position: Position, source: int) -> Iterator[Move]:
    """Yield the moves of a piece as if its king could be captured."""
    board, seat = position.board, position.turn
    if board[source] in "Pp":
        for target in _pawn_targets(position, source):
            if 8 <= target < 56:
                yield Move(source, target)
            else:
                for promotion in PROMOTIONS:
                    yield Move(source, target, promotion)
        return
    for target in _targets(board, source, board[source].lower(), SIDES[seat]):
        yield Move(source, target)


def _targets(board: str, source: int, kind: str, own: str) -> list[int]:
    if kind == "n":
        return [t for t in KNIGHT[source] if board[t] not in own]
    if kind == "k":
        return [t for t in KING[source] if board[t] not in own]
    targets = []
    for ray in RAYS[kind][source]:
        for t in ray:
            piece = board[t]
            if piece == EMPTY:
                targets.append(t)
                continue
            if piece not in own:
                targets.append(t)
            break
    return targets


def _pawn_targets(position: Position, source: int) -> list[int]:
    board, seat = position.board, position.turn
    step, theirs = FORWARD[seat], SIDES[1 - seat]
    targets = []
    if board[source + step] == EMPTY:
        targets.append(source + step)
        if source in SECOND[seat] and board[source + 2 * step] == EMPTY:
            targets.append(source + 2 * step)
    targets += [t for t in PAWN_CAPTURES[seat][source] if board[t] in theirs or t == position.passed]
    return targets


def _never_exposing(position: Position) -> frozenset[int]:
    """Return squares from which a piece can go away without exposing its king, whose square is not among them."""
    king = position.board.index(SIDES[position.turn][5])
    return frozenset() if attacked(position.board, king, 1 - position.turn) else _OFF_LINE[king]


_OFF_LINE = tuple(frozenset(range(64)) - lines - {square} for square, lines in enumerate(LINES))


def _leaves_king_safe(position: Position, move: Move) -> bool:
    return not in_check(board_after(position, move), position.turn)


def passed_over(position: Position, move: Move) -> int:
    """Return the square on which this move lets a pawn be captured en passant; -1 if none. Only the next move may."""
    is_jump = position.board[move.source] in "Pp" and abs(move.target - move.source) == 16
    return (move.source + move.target) // 2 if is_jump else -1


def can_capture_in_passing(position: Position) -> bool:
    """Return whether a pawn of the seat to move can legally capture on the square `passed`."""
    behind: Sequence[int] = PAWN_CAPTURES[1 - position.turn][position.passed]
    pawn = SIDES[position.turn][0]
    return any(position.board[s] == pawn and _leaves_king_safe(position, Move(s, position.passed)) for s in behind)


def attacked(board: Sequence[str], square: int, by: Seat) -> bool:
    """Return whether a piece of a seat could capture on this square."""
    pawn, knight, bishop, rook, queen, king = _PIECES[by]
    for s in KNIGHT[square]:
        if board[s] == knight:
            return True
    for s in PAWN_CAPTURES[1 - by][square]:
        if board[s] == pawn:
            return True
    return (
        _seen(board, STRAIGHT[square], rook, queen)
        or _seen(board, DIAGONAL[square], bishop, queen)
        or any(board[s] == king for s in KING[square])
    )


def in_check(board: Sequence[str], seat: Seat) -> bool:
    """Return whether the king of a seat is attacked."""
    return attacked(board, board.index(SIDES[seat][5]), 1 - seat)


def _seen(board: Sequence[str], rays: tuple[Squares, ...], one: str, other: str) -> bool:
    """Return whether the first piece on one of these rays is of one of two kinds."""
    for ray in rays:
        for s in ray:
            piece = board[s]
            if piece != EMPTY:
                if piece in (one, other):
                    return True
                break
    return False
