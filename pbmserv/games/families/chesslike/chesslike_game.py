"""Games like chess: the game of a row."""

import re
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from math import tanh
from typing import ClassVar, Self, cast

from pbmserv.games.base import InTurn, Note, Options, Picture, Score, Seat, Step, View, moves_of
from pbmserv.games.base.pieces import CHESSMEN
from pbmserv.games.base.sheet import Format
from pbmserv.games.families.chesslike import writing
from pbmserv.games.families.chesslike.army import IN_LANGUAGES
from pbmserv.games.families.chesslike.chesslike_files import CSA, PGN
from pbmserv.games.families.chesslike.ends import CLAIMED, after
from pbmserv.games.families.chesslike.helping import help_facts
from pbmserv.games.families.chesslike.picture import picture_of
from pbmserv.games.families.chesslike.placing import Move, Position
from pbmserv.games.families.chesslike.row import EMPTY, Variant
from pbmserv.games.families.chesslike.row_rules import RowRules
from pbmserv.rng import Rng

_ENDINGS = {
    "mate": "checkmate",
    "stalemate": "stalemate",
    "fivefold": "the position stood five times",
    "seventyfive": "seventy-five moves without a capture or a move of a pawn",
    "threefold": "claimed, because the position stood three times",
    "fifty": "claimed after fifty moves without a capture or a move of a pawn",
}
_REPEATED = {
    "repeated": "the same position came back too often",
    "perpetual": "perpetual check",
    "quiet": "too many moves without a capture or a move of a pawn",
}
_BY_POINTS = {
    "repeated": "the same position came back too often, and points decide",
    "quiet": "too many moves without a capture, and points decide",
    "passed": "both passed, and points decide",
    "faced": "the generals face each other, and points decide",
}
_LEAD = 600  #: hundredths of a pawn with which a seat nearly wins
_WITH_DROPS = 1200  #: where captured men come again, on the other side
_NODES = (60, 600, 5000)
_NODES_WITH_DROPS = (75, *_NODES[1:])  #: there are more moves
_SQUARE = re.compile("[1-9][a-i]")
_IN_CHESS = dict(zip("pnbrqk", ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))
_CLAIMS = {
    "threefold": "The position stands for the third time: propose ends the board as a draw.",
    "fifty": "Fifty moves without capture or pawn move: propose ends the board as a draw.",
}


def game_of(row: Variant) -> "ChessLike":
    """Return the game of a row. Its class has the row's name."""
    nodes = _NODES_WITH_DROPS if row.drops else _NODES
    info = row.info(pattern=writing.pattern(row), endings=_endings(row), repetition=-1, nodes=nodes)
    return row.game(ChessLike, info, rules=RowRules(row), names_of_pieces=_names(row), names=row.sides)


class ChessLike(InTurn[Position, Move]):
    """Two players, no chance, nothing hidden."""

    position_type = Position
    said_signs = writing.SAID_SIGNS
    rules: ClassVar[RowRules]

    @property
    def formats(self) -> tuple[Format, ...]:
        return (PGN, CSA) if self.rules.row.csa else (PGN,)

    def followed(self) -> Self:
        return cast(Self, _followed(self))

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return self.rules.start()

    def position_key(self, position: Position) -> str:
        return position.past[-1]

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        return tuple(self.rules.legal(position))

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        then = after(self.rules, position, move)
        return Step(then, tuple(map(Note, self._notes(then))))

    def _notes(self, position: Position) -> Sequence[str]:
        if position.over:
            return ()
        notes = ["Check."] if self.rules.is_check(position) else []
        if self.rules.row.points and self.rules.are_facing(position.board):
            notes.append("The generals face each other: end that, or pass, and points decide.")
        reason = self.claim(position)
        return [*notes, _CLAIMS[reason]] if reason else notes

    def end(self, position: Position) -> str:
        return position.over

    def winner(self, position: Position) -> Seat | None:
        return None if position.won < 0 else position.won

    def scores(self, position: Position) -> tuple[Score, ...] | None:
        return self.rules.points(position.board) if self.rules.row.points else None

    def claim(self, position: Position) -> str:
        if self.rules.row.perpetual:
            return ""
        if position.past.count(position.past[-1]) >= CLAIMED[0]:
            return "threefold"
        return "fifty" if position.quiet >= CLAIMED[1] and not self.rules.row.counts else ""

    def takes(self, position: Position, move: Move) -> bool:
        return self.rules.takes(position, move)

    def normalise(self, text: str) -> str:
        return writing.normal(self.rules.row, text)

    def format(self, move: Move) -> str:
        return writing.canonical(self.rules, move)

    def written(self, position: Position, seat: Seat, text: str) -> str:
        moves = moves_of(self, position, seat)
        move = next(m for m in moves if self.format(m) == text)
        if self.rules.falls or self.rules.row.as_xiangqi:
            return writing.san(self.rules, position, move, moves)
        then = after(self.rules, position, move)
        is_check = self.rules.in_check(then.board, then.turn)
        sign = "#" if then.over == "mate" else "+" if is_check else ""
        return writing.san(self.rules, position, move, moves) + sign

    def spoken(self, written: str) -> str:
        return writing.spoken(self.rules.row, written)

    def said(self, position: Position, seat: Seat, words: Sequence[str]) -> Sequence[Move]:
        text = self.normalise(writing.as_written(self.rules.row, words))
        return self.named(position, seat, text) if self.is_move(text) else ()

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """Look only at the man whose square the text names, or at those that come on its square, if it names one."""
        if "*" in text and not self.rules.row.must_capture:
            target = self.rules.grid.square(text.partition("*")[2])
            return writing.named(self.rules, position, text, tuple(self.rules.drops_on(position, target)))
        source, goal = writing.way_of(self.rules.row, text)
        if source < 0 or position.board[source] not in self.rules.own[seat]:
            return writing.named(self.rules, position, text, moves_of(self, position, seat))
        if exact := writing.named(self.rules, position, text, self.rules.legal_along(position, source, goal)):
            return exact
        return writing.named(self.rules, position, text, moves_of(self, position, seat))

    def example(self, position: Position, seat: Seat) -> str:
        """Return a move of a pawn towards the middle if there is one, else a move near the middle."""
        columns, rows = self.rules.grid.columns, self.rules.grid.rows

        def dull(move: Move) -> tuple[bool, float]:
            row, column = divmod(move.target, columns)
            is_pawn = move.source >= 0 and position.board[move.source] in self.rules.pawn
            return not is_pawn, abs(row - (rows - 1) / 2) + abs(column - (columns - 1) / 2)

        return self.format(min(moves_of(self, position, seat), key=dull))

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {writing.obstacle(self.rules, position, text)}."

    def caption(self, position: Position, move: Move) -> str:
        return writing.san(self.rules, position, move, moves_of(self, position, position.turn))

    def piece_of(self, position: Position, move: Move) -> str:
        if writing.is_word(self.rules, move):
            return ""
        return move.drop or (position.board[move.source].lower() if move.source >= 0 else "")

    def cells_of(self, text: str) -> tuple[str, ...]:
        man, sign, square = text.partition("*")
        if sign:
            return f"{man}*", square
        return tuple(_SQUARE.findall(text)) if self.rules.falls else super().cells_of(text)

    def loud(self, position: Position, seat: Seat) -> Sequence[Move]:
        """Captures and promotions; in check all moves. With drops only captures, the best first: else it has no end."""
        moves, rules = self.legal_moves(position, seat), self.rules
        if rules.row.drops:
            return sorted(
                (move for move in moves if rules.takes(position, move)), key=lambda move: self._gain(position, move)
            )
        if rules.in_check(position.board, seat):
            return moves
        return [move for move in moves if move.promotion or rules.takes(position, move)]

    def _gain(self, position: Position, move: Move) -> tuple[int, int]:
        """Return what a capture takes, the most first, and by what. A square is empty if a pawn is taken in passing."""
        kinds = self.rules.row.kinds
        taken, taker = (position.board[square].lower() for square in (move.target, move.source))
        return -kinds[taken if taken in kinds else self.rules.row.pawn].value, kinds[taker].value

    def evaluate(self, position: Position, seat: Seat) -> float:
        """The values of the men, more for those that come forward or stand near the middle."""
        rules = self.rules
        value = sum(rules.worth[man][square] for square, man in enumerate(position.board) if man != EMPTY)
        for side, hand in zip((1, -1), position.hands, strict=True):
            value += side * sum(rules.row.kinds[man].value for man in hand)
        if rules.row.checks:
            value += 150 * (position.checks[0] - position.checks[1])
        if rules.row.must_capture:
            value = -value
        return tanh((value if seat == 0 else -value) / (_WITH_DROPS if rules.row.drops else _LEAD))

    def help_facts(self) -> Mapping[str, object]:
        return help_facts(self, self.rules)

    def picture(self, view: View[Position]) -> Picture:
        return picture_of(self.rules, view.position)


@cache
def _followed(game: ChessLike) -> ChessLike:
    """Return the game with its rules for positions after which a move was played; games themselves store nothing."""
    rules = copy(game)
    vars(rules)["rules"] = game.rules.followed()  # of this object alone
    return rules


def _names(row: Variant) -> Mapping[str, str]:
    """Return the names of the men, which players may write."""
    names = {man.name.split()[-1]: letter for letter, man in reversed([*row.kinds.items()])}  # plain before promoted
    chess = {word: names.get(_IN_CHESS.get(kind, ""), kind) for word, kind in CHESSMEN.items()}
    return {**chess, **names, **{word: names[name] for word, name in IN_LANGUAGES.items() if name in names}}


def _endings(row: Variant) -> Mapping[str, str]:
    """Return the endings that the row can have."""
    special = {
        "goal": (row.goal, "the king has reached the middle"),
        "home": (row.home, "the lion is safe on the last rank"),
        "entered": (row.entering, "the king is safe in the other camp"),
        "late": (row.most, "five hundred moves"),
        "checks": (row.checks, "enough checks"),
        "blown": (row.explodes, "the king was blown up"),
        "race": (row.race, "the king is on the last rank"),
        "level": (row.race, "both kings are on the last rank"),
        "extinct": (row.extinct, "a kind of men has died out"),
        "bare": (row.bare, "only the king is left"),
        "kings": (row.bare or row.counts, "only the two kings are left"),
        "counted": (row.counts, "the count has come to its end"),
        "lost": (row.must_capture, "all men are lost"),
        "men": (not row.must_capture, "all men are captured"),
    }
    usual = {"mate": _ENDINGS["mate"], "stalemate": _ENDINGS["stalemate"], **_REPEATED} if row.perpetual else _ENDINGS
    if row.counts:
        usual = {reason: text for reason, text in usual.items() if reason != "fifty"}
    if row.chase:
        usual |= {"chase": "perpetual chase", "quiet": "too many moves without a capture"}
    if row.points:
        usual = {"mate": usual["mate"], "perpetual": usual["perpetual"]} | _BY_POINTS
    return usual | {reason: text for reason, (has, text) in special.items() if has}
