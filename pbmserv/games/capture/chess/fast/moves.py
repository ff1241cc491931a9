"""Chess for searches: the legal moves, without a try whether each one leaves the king safe.

A move is a number: `source | target << 6`, and for some moves more: the man that a pawn becomes, CASTLING with the
square of the rook as target, or IN_PASSING.
"""

from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess.fast.men import KINGS, PAWNS, PRICE, Men, pinned
from pbmserv.games.capture.chess.fast.tables import (
    ALL,
    BETWEEN,
    BISHOP,
    BISHOP_MASK,
    BIT,
    KING,
    KNIGHT,
    LAST_RANKS,
    LINE,
    PAWN,
    PUSHES,
    ROOK,
    ROOK_MASK,
    STEPS,
    squares,
)
from pbmserv.games.capture.chess.moving import castled
from pbmserv.games.capture.chess.pieces import FORWARD

PLAIN = 1 << 12  #: a move below this number is neither a promotion nor castling nor a capture in passing
CASTLING, IN_PASSING = 1 << 16, 1 << 17
_SECOND_PUSH = (0xFF << 16, 0xFF << 40)  #: squares from which a pawn goes one step more
_SEVENTH = (0xFF << 48, 0xFF << 8)  #: from where a pawn promotes, by seat
_QUEEN = 5
_BECOMES = (5, 4, 3, 2)  #: queen, rook, bishop, knight


class Aim(NamedTuple):
    """Whose moves are wanted, and where to: all but those of the king must end on one of `targets`.

    `men`: all that stands on the board; `shields`: the seat's men that must stay between its king and an attacker.
    """

    seat: Seat
    king: int
    targets: int
    men: int
    shields: int
    is_check: bool


def aim_of(men: Men, seat: Seat) -> Aim:
    """Return what a seat can aim at with all its moves."""
    king = men.bits[KINGS[seat]].bit_length() - 1
    everybody = men.sides[0] | men.sides[1]
    targets = ALL ^ men.sides[seat]
    if checkers := men.attackers(king, 1 - seat, everybody):
        one = checkers & (checkers - 1) == 0
        targets = checkers | BETWEEN[king][checkers.bit_length() - 1] if one else 0
    return Aim(seat, king, targets, everybody, pinned(men, king, seat), bool(checkers))


def captures(men: Men, aim: Aim, passed: int, needed: float = 0) -> list[int]:
    """Return the legal captures and promotions, those first that promise most.

    `needed`: captures of men that are worth no more than this (hundredths of a pawn) may be left out.
    """
    theirs = men.sides[1 - aim.seat]
    if needed >= PRICE[1] and not men.bits[PAWNS[aim.seat]] & _SEVENTH[aim.seat]:
        first = 6 * (1 - aim.seat)
        for man in range(first + 1, first + _QUEEN):
            if PRICE[man] <= needed:
                theirs ^= men.bits[man]
        if not theirs:
            return []
    moves = _steps(men, aim, aim.targets & theirs)
    moves += _king_steps(men, aim, KING[aim.king] & theirs)
    moves += _pawn_captures(men, aim, aim.targets & theirs, passed)
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
    empty = ALL ^ aim.men
    moves = _steps(men, aim, aim.targets & empty)
    moves += _pushes(men, aim, ALL ^ LAST_RANKS)
    moves += _king_steps(men, aim, KING[aim.king] & empty)
    if rights and not aim.is_check:
        moves += _castlings(men, aim, rights)
    return moves


def has_moves(men: Men, aim: Aim, passed: int) -> bool:
    """Return whether there is any legal move."""
    if not (aim.shields or aim.is_check):
        pawns = men.bits[PAWNS[aim.seat]]
        if (pawns << 8 if aim.seat == 0 else pawns >> 8) & ~aim.men:
            return True
    return bool(quiet(men, aim, 0) or captures(men, aim, passed))


def _steps(men: Men, aim: Aim, targets: int) -> list[int]:
    """Return the moves of knights, bishops, rooks and queens to these squares."""
    moves = list[int]()
    if not targets:
        return moves
    bits, first, everybody, shields = men.bits, 6 * aim.seat, aim.men, aim.shields
    queens = bits[first + 5]
    left = bits[first + 2] & ~shields
    while left:
        square = left.bit_length() - 1
        left ^= BIT[square]
        if there := KNIGHT[square] & targets:
            moves += STEPS[square][there]
    for sights, masks, left in (
        (BISHOP, BISHOP_MASK, bits[first + 3] | queens),
        (ROOK, ROOK_MASK, bits[first + 4] | queens),
    ):
        while left:
            square = left.bit_length() - 1
            left ^= BIT[square]
            if there := sights[square][everybody & masks[square]] & targets:
                if BIT[square] & shields:
                    there &= LINE[aim.king][square]
                moves += STEPS[square][there]
    return moves


def _king_steps(men: Men, aim: Aim, targets: int) -> list[int]:
    moves = list[int]()
    if targets:
        king, others = aim.king, aim.men ^ BIT[aim.king]
        for square in squares(targets):
            if not men.attackers(square, 1 - aim.seat, others):
                moves.append(king | square << 6)
    return moves


def _pushes(men: Men, aim: Aim, rows: int) -> list[int]:
    """Return the moves straight ahead of pawns to these rows."""
    seat, empty = aim.seat, ALL ^ aim.men
    pawns = men.bits[PAWNS[seat]]
    if shields := aim.shields & pawns:  # such a pawn goes ahead only on the file of its king
        pawns ^= shields
        for square in squares(shields):
            if LINE[aim.king][square] & BIT[square + FORWARD[seat]]:
                pawns |= BIT[square]
    ahead = (pawns << 8 if seat == 0 else pawns >> 8) & empty
    further = ahead & _SECOND_PUSH[seat]
    further = (further << 8 if seat == 0 else further >> 8) & empty
    one, two = PUSHES[seat]
    ends = aim.targets & rows
    return [*one[ahead & ends], *two[further & ends]]


def _pawn_captures(men: Men, aim: Aim, targets: int, passed: int) -> list[int]:
    """Return the captures of pawns, and all promotions."""
    seat, pawns = aim.seat, men.bits[PAWNS[aim.seat]]
    moves, attacks = list[int](), PAWN[seat]
    if targets:
        near = (
            (targets >> 7 | targets >> 8 | targets >> 9) if seat == 0 else (targets << 7 | targets << 8 | targets << 9)
        )
        for square in squares(pawns & near):
            if there := attacks[square] & targets:
                if BIT[square] & aim.shields:
                    there &= LINE[aim.king][square]
                moves += STEPS[square][there]
    moves += _pushes(men, aim, LAST_RANKS)
    if pawns & _SEVENTH[seat]:
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
    home = 0xFF << 56 * aim.seat
    return [aim.king | rook << 6 | CASTLING for rook in squares(rights & home) if _can_castle(men, aim, rook)]


def _can_castle(men: Men, aim: Aim, rook: int) -> bool:
    king, others = aim.king, aim.men & ~(BIT[aim.king] | BIT[rook])
    king_to, rook_to = castled(king, rook)
    first, last = min(king, rook, king_to, rook_to), max(king, rook, king_to, rook_to)
    if others & ((2 << last) - (1 << first)):
        return False
    way = range(min(king, king_to), max(king, king_to) + 1)
    if any(men.attackers(square, 1 - aim.seat, aim.men) for square in way if square not in (king, king_to)):
        return False
    return not men.attackers(king_to, 1 - aim.seat, others | BIT[rook_to])
