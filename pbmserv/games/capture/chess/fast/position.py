"""Chess for searches: a position whose moves are made and taken back."""

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from math import atanh, tanh

from pbmserv.games.base import Outcome, Seat
from pbmserv.games.base.in_turn import ranks_of
from pbmserv.games.capture.chess.fast import moves as generated
from pbmserv.games.capture.chess.fast.men import (
    KINGS,
    MAN_KEY,
    PASSED_KEY,
    PAWNS,
    PRICE,
    ROOK_KEY,
    SIGNS,
    TURN_KEY,
    WEIGHT,
    WORTH,
    Men,
)
from pbmserv.games.capture.chess.fast.moves import (
    CASTLING,
    IN_PASSING,
    IS_CHECK,
    PLAIN,
    Aim,
    aim_of,
    gain,
    is_passing_safe,
    seems_bad,
)
from pbmserv.games.capture.chess.fast.standing import driving, mating, mixed
from pbmserv.games.capture.chess.fast.tables import BIT, PAWN, bits_of, squares
from pbmserv.games.capture.chess.laws import CLAIMED, FORCED, Laws
from pbmserv.games.capture.chess.moving import castled
from pbmserv.games.capture.chess.pieces import FORWARD, Move, Position

_BACK_RANK = (0xFF, 0xFF << 56)  #: by seat
_SCALE = 600  #: hundredths of a pawn: what is ahead by this wins three boards of four
_MARGIN = 150  #: hundredths of a pawn that a capture may be worth more than what it takes
_MOST = 1 - 1e-9  #: a value that nothing is above
_QUEEN = 5
_ALONE = 3  #: men on a board on which a king alone may be mated
_FEW_LEFT = 10  #: men on a board on which a king may have only pawns left


#: What a move changes, as it was: the move, the man that it captures, rights, square passed over, quiet plies, key, key
#: of the men, their worth, and the aim.
_Before = tuple[int, int, int, int, int, Hashable, int, int, Aim | None]


class FastPosition:
    """A `Searcher` of chess as the laws of FIDE have it, also of Fischer random chess.

    It says the same as the laws (tests/games/capture/chess/test_fast.py) but for positions that come back, which a
    search knows by their keys.
    """

    __slots__ = ("_aim", "_before", "_fischer", "_laws", "_men", "_passed", "_quiet", "_rights", "key", "seat")

    def __init__(self, position: Position, laws: Laws) -> None:
        self._laws, self._fischer = laws, position.fischer
        self._men = Men(position.board)
        self.seat: Seat = position.turn
        self._rights = bits_of(position.rooks)
        self._passed, self._quiet = position.passed, position.quiet
        self._aim: Aim | None = None
        self._before = list[_Before]()
        self.key: Hashable = self._key()

    def _key(self) -> int:
        key = self._men.key ^ TURN_KEY[self.seat]
        if self._rights:
            key ^= _rights_key(self._rights)
        return key ^ PASSED_KEY[self._passed] if self._passed >= 0 else key

    def aim(self) -> Aim:
        """Return what the seat to move can aim at."""
        if self._aim is None:
            self._aim = aim_of(self._men, self.seat)
        return self._aim

    def outcome(self) -> Outcome | None:
        aim = self._aim = self._aim or aim_of(self._men, self.seat)
        if not generated.has_moves(self._men, aim, self._passed):
            if aim[IS_CHECK]:
                return Outcome("mate", ranks_of(1 - self.seat))
            return Outcome("stalemate", ranks_of(None))
        if self._may_be_dead() and self._laws.is_dead(self._as_rules()):
            return Outcome("dead", ranks_of(None))
        return Outcome("seventyfive", ranks_of(None)) if self._quiet >= FORCED[1] else None

    def _may_be_dead(self) -> bool:
        """Return whether the laws must be asked if anybody can win: there are minor pieces only, or blocked pawns."""
        bits = self._men.bits
        white, black = bits[1], bits[7]
        if white or black:
            return not self._men.heavy and not (white << 8 | black >> 8) & ~(white | black)
        return not (bits[4] | bits[5] | bits[10] | bits[11])

    def _as_rules(self) -> Position:
        board, rooks = self._men.board(), tuple(squares(self._rights))
        return Position(board, self.seat, rooks, self._passed, self._quiet, fischer=self._fischer)

    def is_claimable(self) -> bool:
        return self._quiet >= CLAIMED[1]

    def moves(self, good: Mapping[int, int]) -> Sequence[int]:
        """Return captures that win something, quiet moves, and captures that seem to lose something."""
        men, aim = self._men, self.aim()
        captures, quiet = generated.captures(men, aim, self._passed), generated.quiet(men, aim, self._rights)
        if good:
            quiet.sort(key=good.__getitem__, reverse=True)
        bad = [move for move in captures if seems_bad(men, move)]
        return [*(move for move in captures if move not in bad), *quiet, *bad] if bad else captures + quiet

    def loud(self, least: float) -> Sequence[int]:
        """Return captures and promotions, but for those that seem to lose something or gain too little; or evasions."""
        men, aim = self._men, self.aim()
        if aim[IS_CHECK]:
            return self.moves({})
        needed = _SCALE * atanh(min(least, _MOST)) - self._points() - _MARGIN if least > -1 else -1
        captures = generated.captures(men, aim, self._passed, needed) if needed < 2 * PRICE[_QUEEN] else []
        return [m for m in captures if gain(men, m) > needed and not seems_bad(men, m)]

    def is_tense(self) -> bool:
        """Return whether the seat is in check; even if all its moves are captures, it could stand worse."""
        return self.aim()[IS_CHECK]

    def make(self, move: int) -> None:  # in one piece, because it is the most frequent step of a search
        men, seat, source, target = self._men, self.seat, move & 63, move >> 6 & 63
        on, bits, sides = men.man_on, men.bits, men.sides
        man, caught, rights = on[source], on[target], self._rights
        self._before.append((move, caught, rights, self._passed, self._quiet, self.key, men.key, men.worth, self._aim))
        if move >= PLAIN:
            caught = self._make_odd(move)
        else:
            both, keys, worths = BIT[source] | BIT[target], MAN_KEY[man], WORTH[man]
            bits[man] ^= both
            sides[seat] ^= both
            on[source], on[target] = 0, man
            men.key ^= keys[source] ^ keys[target]
            men.worth += worths[target] - worths[source]
            if caught:
                bits[caught] ^= BIT[target]
                sides[1 - seat] ^= BIT[target]
                men.key ^= MAN_KEY[caught][target]
                men.worth -= WORTH[caught][target]
                men.heavy -= WEIGHT[caught]
        if rights:
            self._rights = rights & ~(BIT[source] | BIT[target] | (_BACK_RANK[seat] if man == KINGS[seat] else 0))
        self._aim = None
        self._quiet = 0 if caught or man == PAWNS[seat] else self._quiet + 1
        self._passed = -1
        self.seat = 1 - seat
        if man == PAWNS[seat] and abs(source - target) == 16:
            self._pass_over((source + target) // 2)
        self.key = self._key()

    def _make_odd(self, move: int) -> int:
        """Move the men of castling, a promotion or a capture in passing. Return the man that was captured."""
        men, source, target = self._men, move & 63, move >> 6 & 63
        man = men.take(source)
        if move & CASTLING:
            king_to, rook_to = castled(source, target)
            rook = men.take(target)
            men.put(man, king_to)
            men.put(rook, rook_to)
            return 0
        place = target - FORWARD[self.seat] if move & IN_PASSING else target
        caught = men.take(place) if men.man_on[place] else 0
        men.put(man if move & IN_PASSING else man - 1 + (move >> 12 & 7), target)
        return caught

    def unmake(self) -> None:
        move, caught, self._rights, self._passed, self._quiet, self.key, key, worth, self._aim = self._before.pop()
        men, self.seat = self._men, 1 - self.seat
        if move >= PLAIN:
            self._unmake_odd(move, caught)
        elif move:
            source, target = move & 63, move >> 6
            on, both, man = men.man_on, BIT[source] | BIT[target], men.man_on[target]
            men.bits[man] ^= both
            men.sides[self.seat] ^= both
            on[source], on[target] = man, caught
            if caught:
                men.bits[caught] ^= BIT[target]
                men.sides[1 - self.seat] ^= BIT[target]
                men.heavy += WEIGHT[caught]
        men.key, men.worth = key, worth

    def _unmake_odd(self, move: int, caught: int) -> None:
        men, source, target, seat = self._men, move & 63, move >> 6 & 63, self.seat
        if move & CASTLING:
            king, rook = map(men.take, castled(source, target))
            men.put(king, source)
            men.put(rook, target)
            return
        man = men.take(target)
        men.put(man if move & IN_PASSING else PAWNS[seat], source)
        if move & IN_PASSING:
            men.put(PAWNS[1 - seat], target - FORWARD[seat])
        elif caught:
            men.put(caught, target)

    def _pass_over(self, square: int) -> None:
        """Note that a pawn has passed over a square, if a pawn of the seat to move can capture it there."""
        men, seat = self._men, self.seat
        beside = PAWN[1 - seat][square] & men.bits[PAWNS[seat]]
        if beside and any(is_passing_safe(men, seat, source, square) for source in squares(beside)):
            self._passed = square

    def make_none(self) -> bool:
        """Not in check, and not with pawns alone, where it is often bad to have to move."""
        men, seat = self._men, self.seat
        pieces = men.sides[seat] ^ men.bits[PAWNS[seat]] ^ men.bits[KINGS[seat]]
        if not pieces or self.aim()[IS_CHECK]:
            return False
        self._before.append((0, 0, self._rights, self._passed, self._quiet, self.key, men.key, men.worth, self._aim))
        self._aim, self._passed, self.seat = None, -1, 1 - seat
        self.key = self._key()
        return True

    def value(self) -> float:
        """The usual values of the men, and where they stand."""
        return tanh(self._points() / _SCALE)

    def _points(self) -> float:
        """Return by how much the seat that moves stands better, in hundredths of a pawn."""
        men = self._men
        points = mixed(men.worth, men.heavy)
        left = (men.sides[0] | men.sides[1]).bit_count()
        if left <= _FEW_LEFT:
            points += mating(men.board(), self.seat) if left == _ALONE else self._driving()
        return points if self.seat == 0 else -points

    def _driving(self) -> float:
        """Return how near White is to driving a king to the edge that has only pawns left; negative for Black."""
        bits, sides = self._men.bits, self._men.sides
        bare = [sides[seat] == bits[PAWNS[seat]] | bits[KINGS[seat]] for seat in (0, 1)]
        if bare[0] == bare[1]:
            return 0
        weak = int(bare[1])
        kings = [bits[KINGS[seat]].bit_length() - 1 for seat in (1 - weak, weak)]
        value = driving(*kings) if bits[6 * (1 - weak) + 4] or bits[6 * (1 - weak) + 5] else 0
        return value if weak else -value

    def named(self, move: int) -> Move:
        source, target = move & 63, move >> 6 & 63
        if move & CASTLING:
            return Move(source, target if self._fischer else castled(source, target)[0], rook=target)
        promotion = SIGNS[move >> 12 & 7].lower() if PLAIN <= move < CASTLING else ""
        return Move(source, target, promotion)


@cache  # at most 2^16 of Fischer random chess
def _rights_key(rights: int) -> int:
    key = 0
    for square in squares(rights):
        key ^= ROOK_KEY[square]
    return key
