"""What a game is: a stateless object over frozen positions. It knows nothing of mail, SQL, players or time."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from pbmserv.errors import AmbiguousMove, IllegalMove, MoveError, NotAMove, PlayerError, quote
from pbmserv.games.base.men import ALIKE
from pbmserv.games.base.picture import Picture
from pbmserv.games.base.stored import Form, form_of
from pbmserv.points import Score, score_of
from pbmserv.rng import Rng

Seat = int  #: a place at a board, 0 .. n-1
Options = Mapping[str, str]  #: the options of a board: name -> value, "" for a plain switch
OWN = -1  #: of `Info.repetition`
MOST_IN_CAPTION = 24  #: characters of a link to a move
P = TypeVar("P")  #: position: a frozen dataclass of plain values
M = TypeVar("M")  #: move: hashable, equal when it is the same move
_SQUARE = re.compile(r"[a-z][1-9][0-9]?")
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:[.,][0-9]{1,6})?", re.ASCII)


_compiled = cache(re.compile)  #: asked for each move; `re.fullmatch` takes twice as long to find its pattern


def number_text(number: float) -> str:
    """Return a number with all digits that options can have, which are twelve."""
    return f"{number or 0:.12g}"  # `or 0`: no -0


@dataclass(frozen=True)
class Numbers:
    """The numbers that an option can have: from `least` to `most` in steps of `step`. All three are exact as floats."""

    least: float
    most: float
    step: float = 1

    def read(self, text: str) -> str:
        """Return the number in its only spelling, such as `6.5` for `6,50`; "" if it is none of these."""
        if not _NUMBER.fullmatch(text):
            return ""
        number = float(text.replace(",", "."))
        fits = self.least <= number <= self.most and (number - self.least) % self.step == 0
        return number_text(number) * fits


@dataclass(frozen=True)
class Option:
    """An option of the challenge: `-name`, or `-name=value` with one of `values` or one of `numbers`.

    `shuffles`: with it, chance sets up the board, also in a game that has no chance otherwise.
    `usual`: the value that a board has without the option. Naming it is the same as leaving the option out.
    """

    name: str
    text: str
    values: tuple[str, ...] = ()
    shuffles: bool = False
    numbers: Numbers | None = None
    usual: str = ""

    def read(self, value: str) -> str:
        """Return the only spelling of a value, "" for a plain switch. Raises PlayerError, telling what is possible."""
        if self.usual and value == self.usual:
            return value
        if self.numbers:
            if found := self.numbers.read(value):
                return found
            least, most, step = map(number_text, (self.numbers.least, self.numbers.most, self.numbers.step))
            raise PlayerError(
                f"The option '-{self.name}' needs a number from {least} to {most} in steps of {step}.",
                f"Write for example: -{self.name}={self.samples[-1]}",
            )
        if value not in self.samples:
            choices = ", ".join(f"-{self.name}={v}" for v in self.values) or f"-{self.name}"
            raise PlayerError(f"The option '-{self.name}' is written like this: {choices}")
        return value

    @property
    def samples(self) -> tuple[str, ...]:
        """All values, or the least, the most and one of the numbers between. A plain switch has the value ""."""
        if self.numbers is None:
            return self.values or ("",)
        least, most, step = self.numbers.least, self.numbers.most, self.numbers.step
        middle = least + (most - least) // step // 2 * step
        return tuple(number_text(number) for number in dict.fromkeys((least, most, middle)))


@dataclass(frozen=True)
class Display:
    """One way to draw the board. Each reader can choose one. The first of a game is the default."""

    name: str
    text: str


@dataclass(frozen=True)
class Info:
    """Facts about a game for the server, the help pages and the tests.

    `pattern` matches a whole canonical or alternative move text in lower case, whether legal or not.
    `endings` maps each `Outcome.reason` to a phrase that can follow "White wins: ".
    `kind` is one of `pbmserv.games.base.kinds.KINDS`. Lists of games have a part for each.
    """

    key: str
    name: str
    summary: str
    seats: tuple[int, ...]
    pattern: str
    endings: Mapping[str, str]
    credit: str
    kind: str = "other"
    aliases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    displays: tuple[Display, ...] = ()
    agreements: frozenset[str] = frozenset({"draw", "undo"})  #: what players of this game can agree on
    chance: bool = False
    hidden: bool = False
    #: how often the same position stands, with the same seats to move, until the rules call the board a draw. OWN: they
    #: say something else about this; 0: nothing, so players can agree on a number when they begin a board
    repetition: int = 0
    #: the seat that moves first; None: an option or chance decides, or several seats move at once
    first: Seat | None = 0
    #: how many positions robots of each level may make for a move, the weakest level first
    nodes: tuple[int, int, int] = (60, 600, 5000)
    rules: int = 1  #: version of the rules, including the random draws and their order

    def draws(self, options: Options) -> bool:
        """Return whether a board with these options has chance, if only at its beginning."""
        return self.chance or any(option.shuffles and option.name in options for option in self.options)


@dataclass(frozen=True)
class Note:
    """One sentence about something that happened in a move. `seats`: who may read it; None: everybody."""

    text: str
    seats: frozenset[Seat] | None = None


@dataclass(frozen=True)
class Step(Generic[P]):
    """The position after a move, and the notes about the move."""

    position: P
    notes: tuple[Note, ...] = ()
    missed: tuple[Seat, ...] = ()  #: seats that had no move afterwards and were skipped, in order
    revealed: bool = False  #: something hidden was revealed, so the move cannot be taken back


@dataclass(frozen=True)
class Outcome:
    """How a board ended.

    `ranks`: one for each seat, 1 is best, equal means tied. A solitaire has one rank and a score.
    """

    reason: str
    ranks: tuple[int, ...]
    scores: tuple[Score, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", tuple(map(score_of, self.scores)))

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats with the best rank; empty if all seats share it."""
        if len(set(self.ranks)) == 1:
            return ()
        return tuple(s for s, rank in enumerate(self.ranks) if rank == min(self.ranks))


@dataclass(frozen=True)
class View(Generic[P]):
    """A position as one seat may see it (None: as a spectator may). Of a board, `board.view_of` makes it."""

    seat: Seat | None
    position: P = field(repr=False)


class Game(ABC, Generic[P, M]):
    """The rules of one game. All methods are pure functions: they return new values and store nothing."""

    info: ClassVar[Info]
    position_type: ClassVar[Any]  #: the dataclass P
    names_of_men: ClassVar[Mapping[str, str]] = ALIKE  #: name -> kind of man, see `man_of` and games/base/men.py
    is_stand_in: ClassVar[bool] = False  #: it stands for a game whose rules are not there

    @abstractmethod
    def setup(self, options: Options, seats: int, rng: Rng) -> P:
        """Return the position before the first move. `options` and `seats` have passed `check`."""

    @abstractmethod
    def to_move(self, position: P) -> frozenset[Seat]:
        """Return the seats that may move: none if and only if `outcome` is not None."""

    @abstractmethod
    def legal_moves(self, position: P, seat: Seat) -> Sequence[M]:
        """Return all legal moves of a seat whose turn it is. Their order depends on the position only."""

    @abstractmethod
    def apply(self, position: P, seat: Seat, move: M, rng: Rng) -> Step[P]:
        """Return the position after a legal move."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the board ended; None while it goes on."""

    @abstractmethod
    def format(self, move: M) -> str:
        """Return the canonical text of a move: lower case, no spaces. `parse` understands it."""

    def worth(self, position: P, seat: Seat) -> float | None:
        """Return how good a position is for a seat, for robots; None if the game has no opinion.

        Positions that are over are not asked about. Between -1 (it will lose) and 1 (it will win); with two players,
        what is good for one is as bad for the other. In a solitaire: the points that it will have, as a finite number.
        """
        return None

    def guess(self, view: View[P], rng: Rng) -> P:
        """Return a position that agrees with all that a seat can see: what is hidden is drawn from `rng`.

        Robots think about such positions, because they never get the true one.
        """
        return view.position

    def agreement(self, view: View[P], rng: Rng) -> Sequence[str]:
        """Return the moves that a robot sends at once where the rules ask players to agree on something.

        So it is fair whatever its level. Empty: there is nothing to agree on, and it thinks about its move. The first
        must be legal in the position, and each other one after the one before it.
        """
        return ()

    def claim(self, position: P) -> str:
        """Return why each player can end the board as a draw now, without consent: a key of `info.endings`; else "".

        In chess this is so when the same position stands for the third time. Players claim it with `propose`.
        """
        return ""

    def can_win(self, position: P, seat: Seat) -> bool:
        """Return whether a seat could still win by any series of legal moves. By default it could.

        If it cannot, the board is a draw when its only opponents lose on time. In chess: FIDE Laws, article 6.9.
        """
        return True

    def sameness(self, position: P) -> str:
        """Return a text that two positions have in common if and only if they count as the same for repetition.

        By default this is all that is stored of them. Leave out what only counts, such as moves without progress. The
        seats that are to move are compared, too.
        """
        return self.dump(position)

    def check(self, options: Options, seats: int) -> None:
        """Raise PlayerError, naming the clash, if these options or this number of seats do not go together."""
        if seats not in self.info.seats:
            wanted = " or ".join(str(n) for n in self.info.seats)
            raise PlayerError(f"{self.info.name} is for {wanted} player{'s' * (wanted != '1')}, not for {seats}.")

    def scene(self, view: View[P]) -> Mapping[str, Any]:
        """Return plain data for the templates of the diagram and of the spoken board.

        A game with a picture needs neither: then they are made from the picture.
        """
        return {}

    def picture(self, view: View[P]) -> Picture | None:
        """Return what the board looks like, for letters and web pages; None if it has only a diagram.

        Each cell that a move can name has its name. Marks are added by the server.
        """
        return None

    def cells_of(self, text: str) -> tuple[str, ...]:
        """Return the names of the cells that a canonical move text names, in the order in which a player touches them.

        By default these are all squares in the text, such as a1 and b10. A move of no cell has a button of its own.
        """
        return tuple(_SQUARE.findall(text))

    def touch_orders(self, position: P, move: M) -> Iterable[tuple[str, ...]]:
        """Return other orders than that of `cells_of` in which a player can touch the cells of a move.

        If a game has such orders, players touch their moves cell by cell on their own pages. By default there are none.
        """
        return ()

    def marked_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        """Return the cells of a move that was played, as the picture of a reader (None: a spectator) names them.

        A game overrides this if its players have different names for the same place.
        """
        return self.cells_of(text)

    def man_of(self, position: P, move: M) -> str:
        """Return which kind of man a legal move moves, as in `names_of_men`; "" if all men are alike."""
        return ""

    def caption(self, position: P, move: M) -> str:
        """Return what a link to a move says in the list of moves that begin on the same cell.

        By default this is its last cell in capitals, or the text of the move. It is shorter than MOST_IN_CAPTION.
        """
        text = self.format(move)
        cells = self.cells_of(text)
        return cells[-1].upper() if len(cells) > 1 else text

    def usual_options(self, named: Options) -> Options:
        """The options of a new board whose challenge names these. Boards that have begun keep those that they have."""
        return named

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """Return the names of the seats in the rules, such as White and Black."""
        return tuple(f"Player {s + 1}" for s in range(seats))

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        """Return the names of the seats on a board with these options, if they are not always the same."""
        return self.seat_names(seats)

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the team of each seat. Partners share a team and a rank. By default each seat is its own team."""
        return tuple(range(seats))

    def normalise(self, text: str) -> str:
        """Return `text` in the form in which texts of moves are compared."""
        return text.strip().lower()

    def words(self, text: str) -> list[str]:
        """Split a word into moves. In most games a word is one move."""
        return [text]

    def moves_in(self, words: Sequence[str]) -> list[str]:
        """Return the moves in the words of a line. A game overrides this if people write one move with blanks."""
        return [move for word in words for move in self.words(word)]

    def why_not(self, position: P, seat: Seat, text: str) -> str:
        """Return a sentence that says why the move `text` is not possible.

        `text` is normalised and matches the pattern.
        """
        return f"'{text}' is not possible now."

    def named(self, position: P, seat: Seat, text: str) -> Sequence[M]:
        """Return the legal moves that `text` names: normally one or none. It is normalised and matches the pattern.

        By default the text must be that of `format`. A game overrides this if players write a move in other ways, too,
        or if a text can be read without listing all moves. It never completes or corrects a move.
        """
        return [move for move in moves_of(self, position, seat) if self.format(move) == text]

    def parse(self, position: P, seat: Seat, text: str) -> M:
        """Return the legal move that `text` names. Raises NotAMove, IllegalMove or AmbiguousMove."""
        wanted = self.normalise(text)
        if not self.is_move(wanted):
            raise self.not_a_move(position, seat, text)
        found = self.named(position, seat, wanted)
        if len(found) > 1:
            raise AmbiguousMove(text, [self.format(move) for move in found])
        if not found:
            raise self.illegal(position, seat, wanted)
        return found[0]

    def is_move(self, text: str) -> bool:
        """Return whether the normalised `text` has the form of a move of this game."""
        return _compiled(self.info.pattern).fullmatch(text) is not None

    def not_a_move(self, position: P, seat: Seat, text: str) -> MoveError:
        """Make the error for a text that cannot be a move of this game."""
        return NotAMove(f"{quote(text)} is not a move in {self.info.name}.", self._advice(position, seat))

    def illegal(self, position: P, seat: Seat, text: str) -> MoveError:
        """Make the error for a move that is not possible now."""
        return IllegalMove(self.why_not(position, seat, text), self._advice(position, seat))

    def example(self, position: P, seat: Seat) -> str:
        """Return the text of a legal move that makes a good example."""
        return self.format(moves_of(self, position, seat)[0])

    def view(self, position: P, seat: Seat | None) -> View[P]:
        """Return what a seat may see. By default this is everything; a game with hidden things removes them here.

        When a board is over, everybody sees everything, and the server does not ask.
        """
        return View(seat, position)

    def public_text(self, text: str) -> str:
        """Return what everybody reads in place of a canonical move text until the board is over; by default the text.

        A game in which a move itself is hidden returns a word that names no cell, such as `ship`.
        """
        return text

    def scores(self, position: P) -> tuple[Score, ...] | None:
        """Return the current score of each seat; None if the game has no scores."""
        return None

    def retire(self, position: P, seat: Seat, rng: Rng) -> Step[P]:
        """Return the position after a seat resigned or forfeited and two or more teams are left.

        The game may be over in this position. If it goes on, it must never be this seat's turn again.
        """
        raise NotImplementedError(f"{self.info.key} has no rule for a seat that leaves")

    def rejoin(self, position: P, seat: Seat) -> P:
        """Return the position after a substitute has taken the seat of one that left: `retire` the other way round.

        Only games whose boards go on after `retire` need it. The seat has what it had when it left, and gets its turns
        again. Raises PlayerError if the game has no rule for this.
        """
        raise PlayerError(f"{self.info.name} has no rule for a substitute.", "The others can only play on without one.")

    def dump(self, position: P) -> str:
        """Return the position as JSON."""
        return self._form.dump(position)

    def load(self, text: str | bytes) -> P:
        """Return the position that `dump` wrote. Raises ValueError for other texts."""
        return self._form.load(text)  # type: ignore[no-any-return]

    @cached_property
    def _form(self) -> Form:
        return form_of(self.position_type)

    def _advice(self, position: P, seat: Seat) -> str:
        return f"Send a move such as: {self.example(position, seat)}"


#: The type of a game in the rest of the server, which does not know its position and its moves.
AnyGame = Game[Any, Any]


def moves_of(game: Game[P, M], position: P, seat: Seat) -> tuple[M, ...]:
    """Return `legal_moves`, which are made once for all who ask about the same position.

    A mail and its letters need them to read the move, to see whether the board is over, and for the example, the links
    and the word `moves`.
    """
    try:
        return _moves(game, position, seat)  # type: ignore[no-any-return]
    except TypeError:  # a game of others has positions that can change, so nothing can be kept
        return tuple(game.legal_moves(position, seat))


@lru_cache(maxsize=64)  # of the boards that are played on right now
def _moves(game: AnyGame, position: Any, seat: Seat) -> Any:
    return tuple(game.legal_moves(position, seat))
