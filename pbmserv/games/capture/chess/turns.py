"""Chess: what a move makes of a position, and how games end. FIDE Laws of Chess, articles 5 and 9."""

from dataclasses import replace
from functools import partial
from hashlib import blake2b

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess.men import EMPTY, HOME, SIDES, Move, Position, in_check
from pbmserv.games.capture.chess.moving import board_after, can_capture_in_passing, legal
from pbmserv.games.capture.chess.sealed import is_sealed

CLAIMED, FORCED = (3, 100), (5, 150)  #: how often a position stands, and quiet plies, until a draw (9.2 and 9.3, 9.6)
_KEY = 8  #: bytes
_ALMOST_BARE = frozenset(".KkPp")


def begun(board: str, fischer: bool = False) -> Position:
    """Return the first position of a game. A rook between king and edge can castle."""
    rooks = tuple(s for s in range(64) if board[s] in "Rr" and s // 8 in (0, 7))
    return with_key(Position(board, rooks=rooks, fischer=fischer))


def after(position: Position, move: Move) -> Position:
    """Return the position after a legal move."""
    board = position.board
    seat, man = position.turn, board[move.source]
    is_pawn = man in "Pp"
    is_quiet = not is_pawn and (board[move.target] == EMPTY or move.rook >= 0)
    rooks = position.rooks and _rooks_after(position, move)
    is_jump = is_pawn and abs(move.target - move.source) == 16
    now = Position(
        "".join(board_after(position, move)),
        1 - seat,
        rooks,
        (move.source + move.target) // 2 if is_jump else -1,
        position.quiet + 1 if is_quiet else 0,
        position.past if is_quiet and rooks == position.rooks else (),
        fischer=position.fischer,
    )
    return settled(now)


def settled(position: Position) -> Position:
    """Return a position with its key and its ending, and without a square passed over where nobody can capture."""
    if position.passed >= 0 and not can_capture_in_passing(position):
        position = replace(position, passed=-1)  # positions are the same if the same moves are possible (9.2.3)
    return _judged(with_key(position))


def claim(position: Position) -> str:
    """Return why a player can claim a draw now: the key of an ending; "" if nobody can."""
    return _by_counting(position, CLAIMED, ("threefold", "fifty"))


def is_dead(board: str) -> bool:
    """Return whether no men are left with which either side could give mate (5.2.2)."""
    return not any(map(partial(could_mate, board), range(len(SIDES))))


def could_mate(board: str, seat: Seat) -> bool:
    """Return whether the men of a seat could ever give mate to the men of the other, if both helped (6.9).

    A lone knight cannot mate a king that has only queens: each queen that takes a square from the king can also
    capture the knight. Bishops of one colour need a man that can stand on the other colour without a way out: a
    pawn, a knight or a bishop. A rook or queen beside the king, where a bishop gives check between two squares of
    the other colour, can always step in, and one king cannot guard both of them. lichess and python-chess
    (`has_insufficient_material`) have the same rule by men. FIDE's is finer: it asks for any series of legal moves,
    so that what cannot move, or can only capture, also counts (M. Ambrona, "A Practical Algorithm for Chess
    Unwinnability", FUN 2022). Of this we judge only walls of pawns, which end a game at once (`is_sealed`).
    """
    pawn, knight, bishop, rook, queen, _ = tuple(SIDES[seat])
    own = {man for man in board if man in SIDES[seat][:5]}
    if own & {pawn, rook, queen} or own == {knight, bishop}:
        return True
    others = {man.lower() for man in board if man in SIDES[1 - seat][:5]}
    if own == {knight}:
        return board.count(knight) > 1 or not others <= {"q"}
    shades = {(s + s // 8) % 2 for s, man in enumerate(board) if man in "Bb"}
    return bool(own) and (len(shades) > 1 or not others.isdisjoint("pn"))


def _is_sealed(board: str) -> bool:
    return _ALMOST_BARE.issuperset(board) and is_sealed(board)


def with_key(position: Position) -> Position:
    """Add the key of the position to its past."""
    facts = f"{position.board}{position.turn}{position.rooks}{position.passed}"
    key = blake2b(facts.encode(), digest_size=_KEY).hexdigest()
    return replace(position, past=(*position.past, key))


def _rooks_after(position: Position, move: Move) -> tuple[int, ...]:
    """Return the rooks that can still castle after a move of a king or a rook, or the capture of a rook."""
    gone = {move.source, move.target}
    home = HOME[position.turn]
    if position.board[move.source] == SIDES[position.turn][5]:
        gone.update(range(home, home + 8))
    return tuple(rook for rook in position.rooks if rook not in gone)


def _judged(position: Position) -> Position:
    """Return the position with its ending, if it has one."""
    over = _ending(position)
    return replace(position, over=over) if over else position


def _ending(position: Position) -> str:
    if next(legal(position), None) is None:
        return "mate" if in_check(position.board, position.turn) else "stalemate"
    if is_dead(position.board) or (position.passed < 0 and _is_sealed(position.board)):
        return "dead"
    return _by_counting(position, FORCED, ("fivefold", "seventyfive"))


def _by_counting(position: Position, most: tuple[int, int], endings: tuple[str, str]) -> str:
    times, plies = most
    if len(position.past) >= times and position.past.count(position.past[-1]) >= times:
        return endings[0]
    return endings[1] if position.quiet >= plies else ""
