"""Chess after the FIDE Laws of Chess of 2023, and Fischer random chess after their guidelines II."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast, final

from pbmserv.errors import AmbiguousMove, IllegalMove, MoveError
from pbmserv.games.base import (
    OWN,
    Info,
    InTurn,
    Note,
    Option,
    Options,
    Picture,
    Seat,
    Step,
    View,
    moves_of,
)
from pbmserv.games.base.pieces import CHESSMEN
from pbmserv.games.base.searcher import Searcher
from pbmserv.games.base.sheet import Format
from pbmserv.games.capture.chess import san
from pbmserv.games.capture.chess.laws import FIDE, FIRST, Laws, claim
from pbmserv.games.capture.chess.moving import in_check, is_loud
from pbmserv.games.capture.chess.pgn import pgn, san_of
from pbmserv.games.capture.chess.picture import picture_of
from pbmserv.games.capture.chess.pieces import GRID, SIDES, Move, Position
from pbmserv.games.capture.chess.reasons import as_written, notes_of, obstacle
from pbmserv.rng import Rng

if TYPE_CHECKING:
    from pbmserv.games.capture.chess.fast.position import FastPosition

_MEN = ("QRBNP", "qrbnp")  #: of each seat, in the order of `men_worth`


class Chess(InTurn[Position, Move]):
    """Two players, nothing hidden; with -960 chance chooses how the pieces stand."""

    info = Info(
        key="chess",
        name="Chess",
        kind="capture",
        summary="Checkmate the king.",
        seats=(2,),
        pattern=san.PATTERN,
        endings={
            "mate": "checkmate",
            "stalemate": "stalemate",
            "dead": "nobody can give mate any more",
            "threefold": "claimed, because the position stood three times",
            "fivefold": "the position stood five times",
            "fifty": "claimed after fifty moves without a capture or a move of a pawn",
            "seventyfive": "seventy-five moves without a capture or a move of a pawn",
        },
        credit="the Laws of Chess of FIDE, the International Chess Federation.",
        repetition=OWN,
        rules=2,
        nodes=(35, 90, 300, 450, 20_000),
        near=(0.2, 0.05, 0.03, 0.0, 0.0),
        options=(Option("960", "Fischer random chess: dice choose one of 960 ways to begin", shuffles=True),),
    )
    names = ("White", "Black")
    position_type = Position
    draws = frozenset({"stalemate", "dead", "fivefold", "seventyfive"})
    names_of_pieces = CHESSMEN
    said_signs = san.SAID_SIGNS
    men_worth = MappingProxyType({"queen": 9, "rook": 5, "bishop": 3, "knight": 3, "pawn": 1})
    laws: ClassVar[Laws] = FIDE  #: a variant has its own

    @property
    def formats(self) -> tuple[Format, ...]:
        return (pgn(self.laws),)

    def followed(self) -> Self:
        return cast(Self, _followed(self))

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return self.laws.opening(options, rng)

    def position_key(self, position: Position) -> str:
        return position.past[-1]

    @final
    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        return tuple(self.laws.legal(position))

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        then = self.laws.after(position, move)
        return Step(then, tuple(map(Note, notes_of(then))))

    def end(self, position: Position) -> str:
        return position.over

    @final
    def can_win(self, position: Position, seat: Seat) -> bool:
        return self.laws.can_win(position, seat)

    def claim(self, position: Position) -> str:
        return claim(position)

    def normalise(self, text: str) -> str:
        return san.normal(text)

    def format(self, move: Move) -> str:
        return san.canonical(move)

    def written(self, position: Position, seat: Seat, text: str) -> str:
        return san_of(self.laws, position, text)

    def spoken(self, written: str) -> str:
        return san.spoken(written)

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """Look only at the pieces that the text can mean."""
        usual = self.laws.has_usual_moves
        moves = san.candidates(position, text) if usual else moves_of(self, position, seat)
        return san.named(position, text, moves)

    def said(self, position: Position, seat: Seat, words: Sequence[str]) -> Sequence[Move]:
        return san.said(position, words, moves_of(self, position, seat))

    def foreign(self, position: Position, text: str) -> Sequence[str]:
        return list(map(san.canonical, san.foreign(position, text, self.laws.legal(position))))

    def parse(self, position: Position, seat: Seat, text: str) -> Move:
        """Return the move as the default does, but ask if the text is that of another piece in another language.

        A canonical text, as in the log, is nothing else.
        """
        if self.laws.has_usual_moves and (exact := san.exact(position, text)):
            return exact
        try:
            move = super().parse(position, seat, text)
            texts = [san.canonical(move)]
        except AmbiguousMove as several:
            texts = [*several.candidates]
        texts += map(san.canonical, san.abroad(position, text))
        if len(texts) > 1:
            raise self.ambiguous(position, seat, text, texts)
        return move

    def takes(self, position: Position, move: Move) -> bool:
        return san.takes(position, move)

    def illegal(self, position: Position, seat: Seat, text: str) -> MoveError:
        error = super().illegal(position, seat, text)
        if text[0] != san.BISHOP or not self.named(position, seat, f"b{text[1:]}"):
            return error
        return IllegalMove(error.text, "A capital B is a bishop. To move a pawn, send its two squares, such as b2c3.")

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        way = f"e{text[2:]}{text[1:]}"  # of a king that has not moved
        castles = text[0] == "k" and any(
            move.rook >= 0 and san.canonical(move) == way for move in self.laws.legal(position)
        )
        reason = f"to castle, send {'O-O' if text[1] == 'g' else 'O-O-O'}" if castles else obstacle(position, text)
        return f"'{as_written(text)}' is not possible: {reason}."

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        board = view.position.board
        return {"men": [(GRID.name(s), piece) for side in SIDES for s, piece in enumerate(board) if piece in side]}

    def evaluate(self, position: Position, seat: Seat) -> float:
        """The usual values of the men, and where they stand."""
        value = self._fast(position).value()
        return value if seat == position.turn else -value

    def loud(self, position: Position, seat: Seat) -> Sequence[Move]:
        """Captures and promotions; in check all moves."""
        moves = self.legal_moves(position, seat)
        return moves if in_check(position.board, seat) else [move for move in moves if is_loud(position, move)]

    def searcher(self, position: Position, own: Seat) -> Searcher[Move, Any]:
        return self._fast(position) if self.laws.are_usual else super().searcher(position, own)

    def _fast(self, position: Position) -> "FastPosition":
        from pbmserv.games.capture.chess.fast.position import FastPosition  # its tables are only for robots

        return FastPosition(position, self.laws)

    def men(self, position: Position, seat: Seat) -> Mapping[str, int]:
        return {name: position.board.count(man) for name, man in zip(self.men_worth, _MEN[seat], strict=True)}

    def picture(self, view: View[Position]) -> Picture:
        return picture_of(view.position)

    def piece_of(self, position: Position, move: Move) -> str:
        return position.board[move.source].lower()

    def caption(self, position: Position, move: Move) -> str:
        return san.san(position, move)


class FirstChess(Chess):
    """For boards that began when only a king alone did not win on time."""

    info = replace(Chess.info, rules=1)
    laws = FIRST


@cache
def _followed(game: Chess) -> Chess:
    """Return the game with its laws for positions after which a move was played; games themselves store nothing."""
    rules = copy(game)
    vars(rules)["laws"] = game.laws.followed()  # of this object alone
    return rules
