"""How moves are written, and what players read about those that are not possible."""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, wraps
from typing import ClassVar, ParamSpec, TypeVar, cast

from pbmserv.errors import AmbiguousMove, IllegalMove, MoveError, NotAMove, quote
from pbmserv.games.base.pieces import ALIKE
from pbmserv.games.base.rules import M, Rules, moves_of
from pbmserv.games.base.values import P, Seat

Q = ParamSpec("Q")
R = TypeVar("R")
_SHORT = 40  #: characters: the text of nearly every move

_compiled = cache(re.compile)  #: asked for each move; `re.fullmatch` takes twice as long to find its pattern

SUCH_AS = "Send a move such as: "  #: how the advice begins that says nothing of the move that was sent
_CAPTURE = re.compile("(?<=[a-z0-9])x(?=[a-z]?[0-9])", re.IGNORECASE)
_BETWEEN = re.compile(r" ?([-x/+*]) ?| ")
_TO, _TAKES = (re.compile(rf"(?<=[0-9]){sign}(?=[a-z]?[0-9])") for sign in "-x")


def keeps_short(read: Callable[Q, R]) -> Callable[Q, R]:
    """Keep what a function makes of short texts, which are its last argument: logs have the same ones again and again.

    Long texts are hardly moves, and thousands of them would fill the memory.
    """
    kept = cast(Callable[Q, R], lru_cache(maxsize=1 << 12)(read))  # its arguments are hashable

    @wraps(read)
    def kept_or_read(*args: Q.args, **kwargs: Q.kwargs) -> R:
        return (kept if len(str(args[-1])) <= _SHORT else read)(*args, **kwargs)

    return kept_or_read


class Notation(Rules[P, M]):
    """The texts of moves. A game needs `format`; `named` is for those who write a move in other ways, too."""

    names_of_pieces: ClassVar[Mapping[str, str]] = ALIKE  #: name -> kind of piece, see base/pieces.py
    said_signs: ClassVar[Mapping[str, str]] = {}  #: words that are said for a part of a move -> this part, see `said`

    @abstractmethod
    def format(self, move: M) -> str:
        """Return the canonical text of a move: lower case, no spaces. `parse` understands it."""

    def written(self, position: P, seat: Seat, text: str) -> str:
        """Return how players of the game write a move, which is legal, and whose `format` is this text.

        So it stands in tables of moves, letters and pages; by default as `format` writes it. Somebody may send it back:
        `parse` understands it, too. It is asked once, when the move is played, and stored (ADR 69).
        """
        return text

    def logged(self, position: P, seat: Seat, text: str) -> str:
        """Return how players note a move that was played: as `written`, and what was given, such as dice."""
        return self.written(position, seat, text)

    def spoken(self, written: str) -> str:
        """Return in words what `written` returned, for players who hear their letters; it is translated word by word.

        "": they hear what the others read. By default a dash is `to` and an x is `takes`.
        """
        return _TAKES.sub(" takes ", _TO.sub(" to ", written)) if written[-1:].isdigit() else ""

    def named(self, position: P, seat: Seat, text: str) -> Sequence[M]:
        """Return the legal moves that `text` names: normally one or none. It is normalised and matches the pattern.

        By default the text must be that of `format`. A game overrides this if players write a move in other ways, too,
        or if a text can be read without listing all moves. It never completes or corrects a move.
        """
        return [move for move in moves_of(self, position, seat) if self.format(move) == text]

    def said(self, position: P, seat: Seat, words: Sequence[str]) -> Sequence[M]:
        """Return the legal moves that these words name together, as somebody says them.

        They are cells, letters and numbers in lower case, kinds of pieces in capitals, `-` for to, `x` for takes, and
        what stands in `said_signs`.
        """
        kinds, texts = {word.lower() for word in words if word.isupper()}, texts_said(words)
        told = [self.normalise(text) for text in texts]
        named = (move for text in told if self.is_move(text) for move in self.named(position, seat, text))
        moves = {self.format(move): move for move in named}.values()
        return [move for move in moves if kinds <= {self.piece_of(position, move)}]

    def foreign(self, position: P, text: str) -> Sequence[str]:
        """Return the texts of the moves that a text may be as other programs write them, legal or not; by default none.

        They need the position: in SGF, a point depends on the size of the board.
        """
        return ()

    def means(self, position: P, line: str) -> bool:
        """Return whether a line in lower case may mean the move whose word is in it; by default, it may."""
        return True

    def asks_back(self, position: P, seat: Seat, text: str, line: str = "") -> str:
        """Return why the writer of a legal move is asked in an answer whether it is meant; "" if it is clear.

        `line`: all that was written, in lower case.
        """
        return ""

    def parse(self, position: P, seat: Seat, text: str) -> M:
        """Return the legal move that `text` names. Raises NotAMove, IllegalMove or AmbiguousMove."""
        normal = self.normalise(text)
        if not self.is_move(normal):
            raise self.not_a_move(position, seat, text)
        moves = self.named(position, seat, normal)
        if len(moves) > 1:
            raise self.ambiguous(position, seat, text, [self.format(move) for move in moves])
        if not moves:
            raise self.illegal(position, seat, normal)
        takes = ("x" in text or "X" in text) and _CAPTURE.search(text)
        if takes and not self.takes(position, moves[0]):  # who writes so may see another board
            shown = self.written(position, seat, self.format(moves[0]))
            reason = "nothing can be captured there"
            hint = f"If you mean the move without a capture, send {shown}"
            raise IllegalMove(f"'{text.strip()}' is not possible: {reason}.", hint)
        return moves[0]

    def takes(self, position: P, move: M) -> bool:
        """Return whether a move captures, in games that write it with an `x`; in all others, true."""
        return True

    def is_move(self, text: str) -> bool:
        """Return whether the normalised `text` has the form of a move of this game."""
        return _compiled(self.info.pattern).fullmatch(text) is not None

    def normalise(self, text: str) -> str:
        """Return `text` in the form in which texts of moves are compared."""
        return text.strip().lower()

    def words(self, text: str) -> list[str]:
        """Split a word into moves. In most games a word is one move."""
        return [text]

    def moves_in(self, words: Sequence[str]) -> list[str]:
        """Return the moves in the words of a line. A game overrides this if people write one move with blanks."""
        return [move for word in words for move in self.words(word)]

    def ambiguous(self, position: P, seat: Seat, text: str, moves: Sequence[str]) -> AmbiguousMove:
        """Make the error for a text that may be any of these legal moves, which are given as `format` writes them.

        It tells them apart as players do, unless their pieces are of several kinds: then a letter caused the doubt.
        """
        named = [one for move in moves for one in self.named(position, seat, move)]
        is_clear = len({self.piece_of(position, one) for one in named}) == 1
        return AmbiguousMove(text, moves, [self.written(position, seat, move) for move in moves] if is_clear else ())

    def not_a_move(self, position: P, seat: Seat, text: str) -> MoveError:
        """Make the error for a text that cannot be a move of this game."""
        return NotAMove(f"{quote(text)} is not a move in {self.info.name}.", self._advice(position, seat))

    def illegal(self, position: P, seat: Seat, text: str) -> MoveError:
        """Make the error for a move that is not possible now."""
        return IllegalMove(self.why_not(position, seat, text), self._advice(position, seat))

    def why_not(self, position: P, seat: Seat, text: str) -> str:
        """Return a sentence that says why the move `text` is not possible.

        `text` is normalised and matches the pattern.
        """
        return f"'{text}' is not possible now."

    def example(self, position: P, seat: Seat) -> str:
        """Return the text of a legal move that makes a good example."""
        return self.format(moves_of(self, position, seat)[0])

    def shown_example(self, position: P, seat: Seat) -> str:
        """Return the example as players of the game write it."""
        return self.written(position, seat, self.example(position, seat))

    def piece_of(self, position: P, move: M) -> str:
        """Return which kind of piece a legal move moves, as in `names_of_pieces`; "" if all pieces are alike."""
        return ""

    def _advice(self, position: P, seat: Seat) -> str:
        return f"{SUCH_AS}{self.shown_example(position, seat)}"


def texts_said(words: Sequence[str]) -> tuple[str, ...]:
    """Return the texts that words of `said` are: without anything between two cells, and with a dash."""
    told = " ".join(word for word in words if not word.isupper())
    return told.replace(" ", "").replace("-", ""), _BETWEEN.sub(lambda m: m[1] or "-", told)


def parts(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    """Return the groups of a move text. Raises ValueError for a text that has not the form of a move."""
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} has not the form of a move")
    return match.groups()
