"""Chess: what a move makes of a position, and how games end. FIDE Laws of Chess, articles 5 and 9.

The laws are an object: a variant derives from `Laws`, changes what it plays differently, and is given to `Chess.laws`.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Self

from pbmserv.games.base import Options, Seat
from pbmserv.games.capture.chess import moving
from pbmserv.games.capture.chess.opening import POSITIONS, opening, with_key
from pbmserv.games.capture.chess.pieces import EMPTY, HOME, SIDES, Move, Position
from pbmserv.games.capture.chess.sealed import is_sealed
from pbmserv.rng import Rng

CLAIMED, FORCED = (3, 100), (5, 150)  #: how often a position stands, and quiet plies, until a draw (9.2 and 9.3, 9.6)
_ALMOST_BARE = frozenset(".KkPp")


class Laws:
    """The laws of FIDE."""

    is_followed = False  #: whether a legal move is known to follow, so that none is looked for to find the end

    def followed(self) -> Self:
        """Return the same laws for a position after which a move was played."""
        laws = copy(self)
        laws.is_followed = True
        return laws

    def opening(self, options: Options, rng: Rng) -> Position:
        """Return the first position of a game; in Fischer random chess, chance chooses one of 960."""
        return opening(rng.randrange(POSITIONS), fischer=True) if "960" in options else opening()

    def legal(self, position: Position) -> Iterator[Move]:
        """Yield the legal moves of the seat to move."""
        return moving.legal(position)

    @property
    def has_usual_moves(self) -> bool:
        """Whether the moves are those of FIDE, so that one can be looked for without the others."""
        return type(self).legal is Laws.legal

    @property
    def are_usual(self) -> bool:
        """Whether a game goes as FIDE has it, so that the fast form of a search plays the same game."""
        own = type(self)
        return (own.legal, own.after, own.settled, own.ended) == (Laws.legal, Laws.after, Laws.settled, Laws.ended)

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move."""
        return self.settled(_moved(position, move))

    def settled(self, position: Position) -> Position:
        """Return a position with its key and its end, and without a square passed over where nobody can capture."""
        if position.passed >= 0 and not moving.can_capture_in_passing(position):
            position = replace(position, passed=-1)  # positions are the same if the same moves are possible (9.2.3)
        position = with_key(position)
        over = self.ended(position)
        return replace(position, over=over) if over else position

    def ended(self, position: Position) -> str:
        """Return how a game has ended with this position, a key of `Chess.info.endings`; "" if it goes on.

        A variant that has another end asks for that first: it wins for who moved last, if it is none of `Chess.draws`.
        """
        if not self.is_followed and next(self.legal(position), None) is None:
            return "mate" if moving.in_check(position.board, position.turn) else "stalemate"
        if self.is_dead(position):
            return "dead"
        return _by_counting(position, FORCED, ("fivefold", "seventyfive"))

    def is_dead(self, position: Position) -> bool:
        """Return whether nobody can win any more (5.2.2)."""
        return not (self.can_win(position, 0) or self.can_win(position, 1))

    def can_win(self, position: Position, seat: Seat) -> bool:
        """Return whether a seat could win by any series of moves. Some pieces never give mate (6.9), nor sealed ones.

        A variant in which there are other ways to win must override this: where nobody can win, the board ends.
        """
        return could_mate(position.board, seat) and not _is_sealed(position)


class FirstLaws(Laws):
    """As long as the board went on, only a king alone did not win on time."""

    def is_dead(self, position: Position) -> bool:
        return FIDE.is_dead(position)

    def can_win(self, position: Position, seat: Seat) -> bool:
        return any(piece in SIDES[seat][:5] for piece in position.board)


FIDE, FIRST = Laws(), FirstLaws()


def claim(position: Position) -> str:
    """Return why a player can claim a draw now: the key of an ending; "" if nobody can."""
    return _by_counting(position, CLAIMED, ("threefold", "fifty"))


def could_mate(board: str, seat: Seat) -> bool:
    """Return whether the pieces of a seat could ever give mate to the pieces of the other, if both helped (6.9).

    A lone knight cannot mate a king that has only queens: each queen that takes a square from the king can also
    capture the knight. Bishops of one colour need a piece that can stand on the other colour without a way out: a
    pawn, a knight or a bishop. A rook or queen beside the king, where a bishop gives check between two squares of
    the other colour, can always step in, and one king cannot guard both of them. lichess and python-chess
    (`has_insufficient_material`) have the same rule by pieces. FIDE's is finer: it asks for any series of legal moves,
    so that what cannot move, or can only capture, also counts (M. Ambrona, "A Practical Algorithm for Chess
    Unwinnability", FUN 2022). Of this we judge only walls of pawns, which end a game at once (`is_sealed`).
    """
    pawn, knight, bishop, rook, queen, _ = tuple(SIDES[seat])
    if pawn in board or rook in board or queen in board:
        return True
    own = {piece for piece in (knight, bishop) if piece in board}
    if len(own) > 1:
        return True
    others = {piece.lower() for piece in SIDES[1 - seat][:5] if piece in board}
    if own == {knight}:
        return board.count(knight) > 1 or not others <= {"q"}
    shades = {(s + s // 8) % 2 for s, piece in enumerate(board) if piece in "Bb"}
    return bool(own) and (len(shades) > 1 or not others.isdisjoint("pn"))


def _is_sealed(position: Position) -> bool:
    return position.passed < 0 and _ALMOST_BARE.issuperset(position.board) and is_sealed(position.board)


def _moved(position: Position, move: Move) -> Position:
    board = position.board
    seat, piece = position.turn, board[move.source]
    is_pawn = piece in "Pp"
    is_quiet = not is_pawn and (board[move.target] == EMPTY or move.rook >= 0)
    rooks = position.rooks and _rooks_after(position, move)
    return Position(
        moving.board_after(position, move),
        1 - seat,
        rooks,
        moving.passed_over(position, move),
        position.quiet + 1 if is_quiet else 0,
        position.past if is_quiet and rooks == position.rooks else (),
        fischer=position.fischer,
    )


def _rooks_after(position: Position, move: Move) -> tuple[int, ...]:
    """Return the rooks that can still castle after a move of a king or a rook, or the capture of a rook."""
    gone = {move.source, move.target}
    home = HOME[position.turn]
    if position.board[move.source] == SIDES[position.turn][5]:
        gone.update(range(home, home + 8))
    return tuple(rook for rook in position.rooks if rook not in gone)


def _by_counting(position: Position, most: tuple[int, int], endings: tuple[str, str]) -> str:
    times, plies = most
    if len(position.past) >= times and position.past.count(position.past[-1]) >= times:
        return endings[0]
    return endings[1] if position.quiet >= plies else ""
