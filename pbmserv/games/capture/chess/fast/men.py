"""Chess for searches: the men on the board, what they attack, and what is on them by numbers.

A man is a number: 1 to 6 are White's pawn, knight, bishop, rook, queen and king, 7 to 12 are Black's, and 0 is none.
"""

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess.fast.standing import HEAVY, VALUES, packed
from pbmserv.games.capture.chess.fast.tables import (
    BISHOP,
    BISHOP_ALONE,
    BISHOP_MASK,
    BIT,
    KING,
    KNIGHT,
    PAWN,
    ROOK,
    ROOK_ALONE,
    ROOK_MASK,
)
from pbmserv.games.capture.chess.pieces import EMPTY, SIDES
from pbmserv.rng import Rng

SIGNS = EMPTY + "".join(SIDES)
PAWNS, KINGS = (1, 7), (6, 12)  #: by seat
PRICE = (0, *(VALUES[sign] for sign in SIGNS.lower()[1:]))  #: of each man, in hundredths of a pawn
WEIGHT = tuple(HEAVY.get(sign, 0) for sign in SIGNS.lower())  #: what each man adds to `Men.heavy`
WORTH = tuple(tuple(packed(sign, s) if sign != EMPTY else 0 for s in range(64)) for sign in SIGNS)

_numbers = Rng("chess", 0)  # the same in each process
_MOST = 1 << 62
MAN_KEY = tuple(tuple(_numbers.randrange(_MOST) if sign != EMPTY else 0 for _ in range(64)) for sign in SIGNS)
ROOK_KEY, PASSED_KEY = (tuple(_numbers.randrange(_MOST) for _ in range(64)) for _ in range(2))
TURN_KEY = (0, _numbers.randrange(_MOST))  #: by seat


class Men:
    """The men on a board.

    `man_on`: by square; `bits`: the squares of each man; `sides`: of each seat; `key`: which men stand where;
    `worth`: what that is worth to White, for `standing.value`; `heavy`: how many pieces there are.
    """

    __slots__ = ("bits", "heavy", "key", "man_on", "sides", "worth")

    def __init__(self, board: str) -> None:
        self.man_on = [0] * 64
        self.bits = [0] * len(SIGNS)
        self.sides = [0, 0]
        self.key = self.worth = self.heavy = 0
        for square, sign in enumerate(board):
            if sign != EMPTY:
                self.put(SIGNS.index(sign), square)

    def put(self, man: int, square: int) -> None:
        """Put a man on an empty square."""
        self._change(man, square)
        self.man_on[square] = man
        self.worth += WORTH[man][square]
        self.heavy += WEIGHT[man]

    def take(self, square: int) -> int:
        """Take the man on a square off the board, and return it."""
        man = self.man_on[square]
        self._change(man, square)
        self.man_on[square] = 0
        self.worth -= WORTH[man][square]
        self.heavy -= WEIGHT[man]
        return man

    def _change(self, man: int, square: int) -> None:
        self.bits[man] ^= BIT[square]
        self.sides[man > 6] ^= BIT[square]
        self.key ^= MAN_KEY[man][square]

    def attackers(self, square: int, by: Seat, men: int) -> int:
        """Return from where a seat attacks a square, if these squares are not empty."""
        bits, first = self.bits, 6 * by
        queen = bits[first + 5]
        near = (
            PAWN[1 - by][square] & bits[first + 1] | KNIGHT[square] & bits[first + 2] | KING[square] & bits[first + 6]
        )
        if far := BISHOP_ALONE[square] & (bits[first + 3] | queen):
            near |= BISHOP[square][men & BISHOP_MASK[square]] & far
        if far := ROOK_ALONE[square] & (bits[first + 4] | queen):
            near |= ROOK[square][men & ROOK_MASK[square]] & far
        return near

    def board(self) -> str:
        """Return the board as the rules know it."""
        return "".join([SIGNS[man] for man in self.man_on])
