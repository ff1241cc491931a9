"""A game like chess as a row of data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pbmserv.games.base.grid import Grid
from pbmserv.games.families import GameRow
from pbmserv.games.families.chesslike.army import MEN, Man
from pbmserv.games.families.chesslike.shogi.shogi_squares import ShogiGrid

EMPTY = "."
_USUAL = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


@dataclass(frozen=True, eq=False, repr=False)
class Variant(GameRow):
    """What is special about a game; what is not named is as in chess.

    `setup`: as in FEN, from the last rank down, upper case for White. `men`: letter -> name in army.py.
    `royal`: the man that must not be attacked; "": none. `becomes`: the letters of what a pawn can become, the usual
    one first, on the rank `zone`, counted from the far side. `castles`: the files to which the king goes, the queen's
    side first; "": it cannot. `double`: the ranks, counted from one's own side, from which a pawn may step two.
    `stalemate`, `mate`: who wins then: -1 nobody, 0 who is to move, 1 who has moved.
    `goal`: squares; whose royal man reaches one of them wins. `checks`: so many checks win. `must_capture`: if one can.
    `extinct`: letters of men; a side that has fewer than `least` of one of these loses. `drops`: captured men come
    again on the side of who took them. `explodes`: a capture removes what stands around. `race`: nobody may give
    check, and the first royal man on the last rank wins. `bare`: who has only the royal man left loses.
    `perpetual`: so often the same position ends the game: who gave check with each move since the first time loses,
    else it is a draw; 0: as in chess. `chase`: who chased the same man with each move loses, too (asia/chasing.py).
    `quiet`: so many plies without a capture or a move of a pawn are a draw.
    `points`: letter -> what this man counts. Then a seat may pass; and two passes in turn, one while kings face each
    other, or what would be a draw elsewhere are won by who counts more, the second seat with one and a half besides.
    `lays`: squares on which each seat, the second first, lays the men of `sets_up` in one move, in one of the `orders`.
    `palace`: two corners of the squares that some men of the first side never leave, the other's are opposite; kings
    may not look at each other along a file. `river`: behind which rank of one's own it flows; 0: there is none.
    `counts`: without pawns moves are counted up to a draw (asia/counting.py).
    `falls_back`: letter -> what this man can become when it moves into, in or out of the last `zone` ranks, and from
    which it falls back when it is captured; such a game counts its squares, writes and draws as shogi does.
    `sets_up`: letter -> how many of this man each seat puts down, and up to which of its own ranks, before anything
    moves. `turns`: squares; a pawn of the first side on one of them, or its last pawn, becomes what its side has not,
    there or a step further, where that attacks nobody and nobody behind it gives check; for the other side the
    opposite squares.
    `drop_laws`: no second pawn on a file, no drop where a man could never move, and no drop of a pawn that mates.
    `home`: the letter of a man that wins when it is safe on the last rank. `entering`: the points with which each seat
    can declare that its king is safe in the zone. `most`: after so many plies of both it is a draw; 0: never.
    `fairy`: the name of the game in Fairy-Stockfish, if that is not its key. `pgn`: its Variant in PGN,
    if that is not its name. `csa`: its records are written as CSA, too. `sides`: the names of the seats.
    """

    setup: str
    men: Mapping[str, str] = field(default_factory=dict)
    royal: str = "k"
    pawn: str = "p"
    becomes: str = "qrbn"
    zone: int = 1
    castles: str = "cg"
    double: tuple[int, ...] = (2,)
    stalemate: int = -1
    mate: int = 1
    goal: str = ""
    checks: int = 0
    must_capture: bool = False
    extinct: str = ""
    least: int = 1
    drops: bool = False
    explodes: bool = False
    race: bool = False
    bare: bool = False
    perpetual: int = 0
    chase: bool = False
    quiet: int = 150
    palace: str = ""
    river: int = 0
    counts: bool = False
    falls_back: Mapping[str, str] = field(default_factory=dict)
    sets_up: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    turns: str = ""
    points: Mapping[str, int] = field(default_factory=dict)
    lays: str = ""
    orders: tuple[str, ...] = ()
    drop_laws: bool = False
    home: str = ""
    entering: tuple[int, ...] = ()
    most: int = 0
    fairy: str = ""
    pgn: str = ""
    csa: bool = False
    sides: tuple[str, str] = ("White", "Black")
    family: str = field(default="chess", kw_only=True)
    page: str = field(default="chesslike", kw_only=True)

    @cached_property
    def board(self) -> str:
        """The first position: a letter or a dot for each square, a1 b1 … from White's side."""
        return "".join("".join(_spread(rank)) for rank in reversed(self.setup.split("/")))

    @cached_property
    def grid(self) -> Grid:
        """The board."""
        ranks = self.setup.count("/") + 1
        make = ShogiGrid if self.falls_back else Grid
        return make(len(self.board) // ranks, ranks)

    @cached_property
    def kinds(self) -> Mapping[str, Man]:
        """The men by letter."""
        there = [*self.hand, *(c for c in self.board.lower() if c != EMPTY)]
        letters = dict.fromkeys([*there, *self.becomes, *(self.falls_back[c] for c in there if c in self.falls_back)])
        names = _USUAL | dict(self.men)
        return {letter: MEN[names[letter]] for letter in letters}

    @cached_property
    def has_army_only(self) -> bool:
        """Whether White has no royal man, and loses when all men are captured."""
        return bool(self.royal) and self.royal.upper() not in self.board and self.royal not in self.hand

    @cached_property
    def hand(self) -> str:
        """The men of each seat that are not on the first board."""
        return "".join(sorted(letter * count for letter, (count, _) in self.sets_up.items()))

    @cached_property
    def palaces(self) -> tuple[frozenset[int], frozenset[int]]:
        """The squares of both palaces; none if there are no palaces."""
        if not self.palace:
            return frozenset(), frozenset()
        (left, low), (right, high) = (
            divmod(self.grid.square(corner), self.grid.columns)[::-1] for corner in self.palace.split("-")
        )
        first = frozenset(r * self.grid.columns + c for r in range(low, high + 1) for c in range(left, right + 1))
        return first, frozenset(self.grid.size - 1 - s for s in first)

    @property
    def as_xiangqi(self) -> bool:
        """Whether moves are written as in books on xiangqi, and kings may not look at each other."""
        return bool(self.palace) and not self.points

    @property
    def judges_boards(self) -> bool:
        """Whether an end depends on the boards that stood before."""
        return self.chase or bool(self.points)

    @cached_property
    def centre(self) -> frozenset[int]:
        """The squares of the goal."""
        return frozenset(map(self.grid.square, self.goal.split()))


def _spread(rank: str) -> list[str]:
    """Return the squares of a rank in FEN: a number is so many empty ones."""
    squares, count = list[str](), ""
    for sign in rank:
        if sign.isdigit():
            count += sign
            continue
        squares += [EMPTY] * int(count or 0) + [sign]
        count = ""
    return squares + [EMPTY] * int(count or 0)
