"""Chess for searches: the legal moves, without a try whether each one leaves the king safe.

A move is a number: `source | target << 6`, and for some moves more: the man that a pawn becomes, CASTLING with the
square of the rook as target, or IN_PASSING.
"""

from typing import Final

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess.fast.men import KINGS, PAWNS, PRICE, Men
from pbmserv.games.capture.chess.fast.tables import (
    ALL,
    BETWEEN,
    BISHOP,
    BISHOP_ALONE,
    BISHOP_MASK,
    BIT,
    FILE,
    KING,
    KNIGHT,
    LAST_RANKS,
    LINE,
    PAWN,
    PUSHES,
    ROOK,
    ROOK_ALONE,
    ROOK_MASK,
    STEPS,
    squares,
)
from pbmserv.games.capture.chess.moving import castled
from pbmserv.games.capture.chess.pieces import FORWARD

PLAIN = 1 << 12  #: a move below this number is neither a promotion nor castling nor a capture in passing
CASTLING, IN_PASSING = 1 << 16, 1 << 17
IS_CHECK: Final = 5  #: where an `Aim` says whether its seat is in check
_SECOND_PUSH = (0xFF << 16, 0xFF << 40)  #: squares from which a pawn goes one step more
_SEVENTH = (0xFF << 48, 0xFF << 8)  #: from where a pawn promotes, by seat
_NOT_LEFT, _NOT_RIGHT, _NOT_LAST = ALL ^ FILE[0], ALL ^ FILE[7], ALL ^ LAST_RANKS
_QUEEN = 5
_BECOMES = (5, 4, 3, 2)  #: queen, rook, bishop, knight


Aim = tuple[Seat, int, int, int, int, bool]
"""Whose moves are wanted, and where to.

The seat, where its king stands, the squares on which all moves but those of the king must end, all squares that are not
empty, the seat's men that must stay between its king and an attacker, and whether it is in check.
"""


def aim_of(men: Men, seat: Seat) -> Aim:
    """Return what a seat can aim at with all its moves."""
    bits, own, everybody, first = men.bits, men.sides[seat], men.sides[0] | men.sides[1], 6 - 6 * seat
    king, queen = bits[KINGS[seat]].bit_length() - 1, bits[first + 5]
    checkers, shields = PAWN[seat][king] & bits[first + 1] | KNIGHT[king] & bits[first + 2], 0
    far = BISHOP_ALONE[king] & (bits[first + 3] | queen) | ROOK_ALONE[king] & (bits[first + 4] | queen)
    while far:
        square = far.bit_length() - 1
        far ^= BIT[square]
        hiding = BETWEEN[king][square] & everybody
        if not hiding:
            checkers |= BIT[square]
        elif not hiding & (hiding - 1):
            shields |= hiding & own
    if not checkers:
        return seat, king, ALL ^ own, everybody, shields, False
    targets = 0 if checkers & (checkers - 1) else checkers | BETWEEN[king][checkers.bit_length() - 1]
    return seat, king, targets, everybody, shields, True


def captures(men: Men, aim: Aim, passed: int, needed: float = 0) -> list[int]:
    """Return the legal captures and promotions, those first that promise most.

    `needed`: captures of men that are worth no more than this (hundredths of a pawn) may be left out.
    """
    seat, king, targets, _, _, _ = aim
    theirs, pawns = men.sides[1 - seat], men.bits[PAWNS[seat]]
    promotes = pawns & _SEVENTH[seat]
    if needed >= PRICE[1] and not promotes:
        first = 6 - 6 * seat
        for man in range(first + 1, first + _QUEEN):
            if PRICE[man] <= needed:
                theirs ^= men.bits[man]
        if not theirs:
            return []
    moves = _steps(men, aim, targets & theirs)
    if near := KING[king] & theirs:
        moves += _king_steps(men, aim, near)
    hits = targets & theirs
    before = (
        (hits & _NOT_LEFT) >> 9 | (hits & _NOT_RIGHT) >> 7
        if seat == 0
        else (hits & _NOT_LEFT) << 7 | (hits & _NOT_RIGHT) << 9
    )
    if before & pawns or promotes or passed >= 0:
        moves += _pawn_captures(men, aim, before & pawns, hits, passed)
    if len(moves) > 1:
        on, price = men.man_on, PRICE
        moves.sort(key=lambda move: price[on[move & 63]] - 16 * (price[on[move >> 6 & 63]] + price[move >> 12 & 7]))
    return moves


def gain(men: Men, move: int) -> int:
    """Return what a move takes and promotes to, in hundredths of a pawn."""
    return PRICE[men.man_on[move >> 6 & 63]] + PRICE[move >> 12 & 7]


def seems_bad(men: Men, move: int) -> bool:
    """Return whether a capture takes less than it costs when it is answered on the same square."""
    man = men.man_on[move & 63]
    if move >= PLAIN or PRICE[man] <= PRICE[men.man_on[move >> 6]]:
        return False
    square, seat = move >> 6, man > KINGS[0]
    others = (men.sides[0] | men.sides[1]) ^ BIT[move & 63]
    guards = men.attackers(square, 1 - seat, others)
    if guards == men.bits[KINGS[1 - seat]]:  # a king alone may not capture what another man protects
        return not men.attackers(square, seat, others) & ~BIT[move & 63]
    return bool(guards)


def quiet(men: Men, aim: Aim, rights: int) -> list[int]:
    """Return the other legal moves."""
    _, king, targets, everybody, _, is_check = aim
    empty = ALL ^ everybody
    moves = _steps(men, aim, targets & empty)
    moves += _pushes(men, aim, _NOT_LAST)
    if near := KING[king] & empty:
        moves += _king_steps(men, aim, near)
    if rights and not is_check:
        moves += _castlings(men, aim, rights)
    return moves


def has_moves(men: Men, aim: Aim, passed: int) -> bool:
    """Return whether there is any legal move."""
    seat, _, _, everybody, shields, is_check = aim
    if not is_check:
        pawns = men.bits[PAWNS[seat]] & ~shields
        if (pawns << 8 if seat == 0 else pawns >> 8) & ~everybody:
            return True
    return bool(quiet(men, aim, 0) or captures(men, aim, passed))


def _steps(men: Men, aim: Aim, targets: int) -> list[int]:
    """Return the moves of knights, bishops, rooks and queens to these squares."""
    moves = list[int]()
    if not targets:
        return moves
    seat, king, _, everybody, shields, _ = aim
    bits, first = men.bits, 6 * seat
    queens = bits[first + 5]
    left = bits[first + 2] & ~shields
    while left:
        square = left.bit_length() - 1
        left ^= BIT[square]
        if there := KNIGHT[square] & targets:
            moves += STEPS[square][there]
    for alone, sights, masks, left in (
        (BISHOP_ALONE, BISHOP, BISHOP_MASK, bits[first + 3] | queens),
        (ROOK_ALONE, ROOK, ROOK_MASK, bits[first + 4] | queens),
    ):
        while left:
            square = left.bit_length() - 1
            left ^= BIT[square]
            if alone[square] & targets and (there := sights[square][everybody & masks[square]] & targets):
                if BIT[square] & shields:
                    there &= LINE[king][square]
                moves += STEPS[square][there]
    return moves


def _king_steps(men: Men, aim: Aim, targets: int) -> list[int]:
    seat, king, _, everybody, _, _ = aim
    others = everybody ^ BIT[king]
    return [king | to << 6 for to in squares(targets) if not men.attackers(to, 1 - seat, others)]


def _pushes(men: Men, aim: Aim, rows: int) -> list[int]:
    """Return the moves straight ahead of pawns to these rows."""
    seat, king, targets, everybody, shields, _ = aim
    empty = ALL ^ everybody
    pawns = men.bits[PAWNS[seat]]
    if shields & pawns:  # such a pawn goes ahead only on the file of its king
        pawns, shields = pawns & ~shields, shields & pawns
        for square in squares(shields):
            if LINE[king][square] & BIT[square + FORWARD[seat]]:
                pawns |= BIT[square]
    ahead = (pawns << 8 if seat == 0 else pawns >> 8) & empty
    further = ahead & _SECOND_PUSH[seat]
    further = (further << 8 if seat == 0 else further >> 8) & empty
    one, two = PUSHES[seat]
    ends = targets & rows
    return [*one[ahead & ends], *two[further & ends]]


def _pawn_captures(men: Men, aim: Aim, hitting: int, hits: int, passed: int) -> list[int]:
    """Return the captures of pawns, and all promotions. `hitting`: the pawns that attack one of these squares."""
    seat, king, _, _, shields, _ = aim
    moves, attacks, pawns = list[int](), PAWN[seat], men.bits[PAWNS[seat]]
    for square in squares(hitting):
        there = attacks[square] & hits
        if BIT[square] & shields:
            there &= LINE[king][square]
        moves += STEPS[square][there]
    if pawns & _SEVENTH[seat]:
        moves += _pushes(men, aim, LAST_RANKS)
        moves = [m for move in moves for m in _promoted(move)]
    if passed >= 0:
        moves += [
            s | passed << 6 | IN_PASSING
            for s in squares(PAWN[1 - seat][passed] & pawns)
            if is_passing_safe(men, seat, s, passed)
        ]
    return moves


def _promoted(move: int) -> list[int]:
    return [move | man << 12 for man in _BECOMES] if BIT[move >> 6] & LAST_RANKS else [move]


def is_passing_safe(men: Men, seat: Seat, source: int, passed: int) -> bool:
    """Return whether a seat's king is safe when its pawn captures on the square that a pawn has passed over."""
    caught = BIT[passed - FORWARD[seat]]
    after = (men.sides[0] | men.sides[1]) ^ BIT[source] ^ caught | BIT[passed]
    king = men.bits[KINGS[seat]].bit_length() - 1
    return not men.attackers(king, 1 - seat, after) & ~caught


def _castlings(men: Men, aim: Aim, rights: int) -> list[int]:
    home = 0xFF << 56 * aim[0]
    return [aim[1] | rook << 6 | CASTLING for rook in squares(rights & home) if _can_castle(men, aim, rook)]


def _can_castle(men: Men, aim: Aim, rook: int) -> bool:
    seat, king, _, everybody, _, _ = aim
    others = everybody & ~(BIT[king] | BIT[rook])
    king_to, rook_to = castled(king, rook)
    first, last = min(king, rook, king_to, rook_to), max(king, rook, king_to, rook_to)
    if others & ((2 << last) - (1 << first)):
        return False
    way = range(min(king, king_to), max(king, king_to) + 1)
    if any(men.attackers(square, 1 - seat, everybody) for square in way if square not in (king, king_to)):
        return False
    return not men.attackers(king_to, 1 - seat, others | BIT[rook_to])
