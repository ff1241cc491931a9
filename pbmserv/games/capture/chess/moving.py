"""Chess: which moves are legal, also castling and the capture en passant. FIDE Laws of Chess, article 3."""

from collections.abc import Iterator
from functools import cache, lru_cache
from operator import itemgetter

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess.pieces import (
    EMPTY,
    FORWARD,
    HOME,
    KING,
    KNIGHT,
    PAWN_CAPTURES,
    PROMOTIONS,
    RAYS,
    SECOND,
    SIDES,
    Move,
    Position,
)

_PIECES = tuple(map(tuple, SIDES))  #: of each seat
#: By square, the pieces a knight's move away and a king's move away, as a function of the board.
_A_JUMP_AWAY, _A_STEP_AWAY = (tuple(itemgetter(*squares) for squares in steps) for steps in (KNIGHT, KING))


def _slices(kind: str) -> tuple[tuple[slice, ...], ...]:
    """Return for each square what to cut out of a board to have the squares on the ways of a rook or a bishop."""
    return tuple(tuple(_slice(square, ray) for ray in rays) for square, rays in enumerate(RAYS[kind]))


def _slice(square: int, ray: tuple[int, ...]) -> slice:
    step = ray[0] - square
    end = ray[-1] + step
    return slice(ray[0], end if end >= 0 else None, step)


_STRAIGHT, _DIAGONAL = _slices("r"), _slices("b")
#: What moves along lines, by seat.
_ON_STRAIGHT, _ON_DIAGONAL = ((("R", "Q"), ("r", "q")), (("B", "Q"), ("b", "q")))


def _behind(king: int) -> tuple[tuple[slice, slice, tuple[tuple[str, str], ...]] | None, ...]:
    """Return for each square, seen from a king: what lies between, what behind it on their line, what moves there."""
    lines = {
        square: (slice(ray[0], square, ray[0] - king), _slice(square, ray[at + 1 :]), kinds)
        for rays, kinds in ((RAYS["r"], _ON_STRAIGHT), (RAYS["b"], _ON_DIAGONAL))
        for ray in rays[king]
        for at, square in enumerate(ray[:-1])
    }
    return tuple(map(lines.get, range(64)))


_BEHIND = tuple(map(_behind, range(64)))


#: By kind and square: what lies on the way to each square that the piece could reach on an empty board.
_BETWEEN = {
    kind: tuple(
        {square: slice(ray[0], square, ray[0] - source) for ray in rays for square in ray}
        for source, rays in enumerate(all_rays)
    )
    for kind, all_rays in RAYS.items()
} | {kind: tuple(dict.fromkeys(squares, slice(0)) for squares in steps) for kind, steps in (("n", KNIGHT), ("k", KING))}


def legal(position: Position) -> Iterator[Move]:
    """Yield the legal moves of the seat to move, piece by piece from a1, castling last."""
    own = SIDES[position.turn]
    for source, piece in enumerate(position.board):
        if piece in own and (targets := _targets(position, source)):
            is_free = _is_free(position, source)
            for target in targets:
                moves = _moves_to(source, target, piece in "Pp")
                if (is_free and target != position.passed) or _leaves_king_safe(position, moves[0]):
                    yield from moves
    yield from castlings(position)


def legal_to(position: Position, source: int, target: int) -> tuple[Move, ...]:
    """Return the legal moves of one piece of the seat to move to a square, without castling."""
    if not could_go(position, source, target):
        return ()
    moves = _moves_to(source, target, position.board[source] in "Pp")
    is_safe = target != position.passed and _is_free(position, source)
    return moves if is_safe or _leaves_king_safe(position, moves[0]) else ()


def could_go(position: Position, source: int, target: int) -> bool:
    """Return whether a piece of the seat to move reaches a square, if its king does not matter."""
    board = position.board
    kind = board[source].lower()
    if kind == "p":
        return target in _pawn_targets(position, source)
    between = _BETWEEN[kind][source].get(target)
    return between is not None and board[target] not in SIDES[position.turn] and not board[between].strip(EMPTY)


def castlings(position: Position) -> Iterator[Move]:
    """Yield the possible castlings, towards the a-file first. 3.8.2; in Fischer random chess as in the appendix."""
    if position.rooks:
        home = HOME[position.turn]
        for rook in position.rooks:
            if home <= rook < home + 8 and (move := _castling(position, rook)):
                yield move


def board_after(position: Position, move: Move) -> str:
    """Return the board after a move."""
    source, target, promotion, rook = move
    board = position.board
    piece = board[source]
    if rook >= 0:
        squares, (king_to, rook_to) = list(board), castled(source, rook)
        squares[source] = squares[rook] = EMPTY
        squares[king_to], squares[rook_to] = piece, board[rook]
        return "".join(squares)
    if target == position.passed and piece in "Pp":
        board = _with(board, target - FORWARD[position.turn], EMPTY)
    if promotion:
        piece = SIDES[position.turn]["pnbrqk".index(promotion)]
    return _with(_with(board, source, EMPTY), target, piece)


def _with(board: str, square: int, piece: str) -> str:
    return f"{board[:square]}{piece}{board[square + 1 :]}"


def is_loud(position: Position, move: Move) -> bool:
    """Return whether a move captures or promotes."""
    in_passing = move.target == position.passed and position.board[move.source] in "Pp"
    return bool(move.promotion) or in_passing or (position.board[move.target] != EMPTY and move.rook < 0)


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


@cache  # at most 2 x 64 x 64
def _moves_to(source: int, target: int, is_pawn: bool) -> tuple[Move, ...]:
    """Return the move of a piece to a square, or the four of a pawn that is promoted there."""
    promotions = PROMOTIONS if is_pawn and not 8 <= target < 56 else ("",)
    return tuple(Move(source, target, promotion) for promotion in promotions)


def _targets(position: Position, source: int) -> list[int]:
    """Return where a piece of the seat to move can go, as if its king could be captured."""
    board, own = position.board, SIDES[position.turn]
    kind = board[source].lower()
    if kind == "p":
        return _pawn_targets(position, source)
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


def _is_free(position: Position, source: int) -> bool:
    """Return whether no move of a piece that is not the king can expose its own king."""
    board, turn = position.board, position.turn
    king = board.index(SIDES[turn][5])
    if source == king or in_check(board, turn):
        return False
    line = _BEHIND[king][source]
    if not line:
        return True
    between, behind, kinds = line
    is_pinned = board[behind].lstrip(EMPTY).startswith(kinds[1 - turn]) and not board[between].strip(EMPTY)
    return not is_pinned


def _leaves_king_safe(position: Position, move: Move) -> bool:
    board = board_after(position, move)
    return not attacked(board, board.index(SIDES[position.turn][5]), 1 - position.turn)


def passed_over(position: Position, move: Move) -> int:
    """Return the square on which this move lets a pawn be captured en passant; -1 if none. Only the next move may."""
    is_jump = position.board[move.source] in "Pp" and abs(move.target - move.source) == 16
    return (move.source + move.target) // 2 if is_jump else -1


def can_capture_in_passing(position: Position) -> bool:
    """Return whether a pawn of the seat to move can legally capture on the square `passed`."""
    behind = PAWN_CAPTURES[1 - position.turn][position.passed]
    pawn = SIDES[position.turn][0]
    return any(position.board[s] == pawn and _leaves_king_safe(position, Move(s, position.passed)) for s in behind)


def attacked(board: str, square: int, by: Seat) -> bool:
    """Return whether a piece of a seat could capture on this square."""
    pawn, knight, _, _, _, king = _PIECES[by]
    return (
        knight in _A_JUMP_AWAY[square](board)
        or king in _A_STEP_AWAY[square](board)
        or pawn in [board[s] for s in PAWN_CAPTURES[1 - by][square]]
        or _sees(board, _STRAIGHT[square], _ON_STRAIGHT[by])
        or _sees(board, _DIAGONAL[square], _ON_DIAGONAL[by])
    )


@lru_cache(maxsize=64)  # a move, its end and its notes ask about the same position
def in_check(board: str, seat: Seat) -> bool:
    """Return whether the king of a seat is attacked."""
    return attacked(board, board.index(SIDES[seat][5]), 1 - seat)


def _sees(board: str, lines: tuple[slice, ...], pieces: tuple[str, str]) -> bool:
    """Return whether the first piece on one of these lines is one of these."""
    for line in lines:  # noqa: SIM110 - any() takes half as long again
        if board[line].lstrip(EMPTY).startswith(pieces):
            return True
    return False
