"""What a game tells of itself and of its boards: facts, options, steps, outcomes and views."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pbmserv.errors import PlayerError
from pbmserv.points import Score, score_of

Seat = int  #: a place at a board, 0 .. n-1
Options = Mapping[str, str]  #: the options of a board: name -> value, "" for a plain switch
OWN = -1  #: of `Info.repetition`
P = TypeVar("P")  #: position: a frozen dataclass of plain values
T = TypeVar("T")
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:[.,][0-9]{1,6})?", re.ASCII)


def at_once(kind: type[T], /, **fields: object) -> T:
    """Return a frozen dataclass with all its fields: `kind(…)` sets one after the other, three times as slowly."""
    new = object.__new__(kind)
    object.__setattr__(new, "__dict__", fields)
    return new


def changed(position: P, /, **values: object) -> P:
    """Return a position with other values in these fields. `dataclasses.replace` takes four times as long.

    Its class must have neither slots nor cached properties.
    """
    return at_once(type(position), **vars(position) | values)


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
            if number := self.numbers.read(value):
                return number
            least, most, step = map(number_text, (self.numbers.least, self.numbers.most, self.numbers.step))
            raise PlayerError(
                f"The option '-{self.name}' needs a number from {least} to {most} in steps of {step}.",
                self._without() or f"Write for example: -{self.name}={self.samples[-1]}",
            )
        if value not in self.samples:
            choices = ", ".join(f"-{self.name}={v}" for v in self.values) or f"-{self.name}"
            raise PlayerError(f"The option '-{self.name}' is written like this: {choices}", self._without())
        return value

    def _without(self) -> str:
        return f"The usual value is -{self.name}={self.usual}, which you can leave out." if self.usual else ""

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


FIVE_LEVELS = (60, 180, 600, 1800, 5000)  #: for `Info.nodes`, if three levels leave a gap between two of them


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
    #: the key of the game that lists name in its place, because it is one of many of its kind; "": it is listed itself
    family: str = ""
    page: str = ""  #: the name of its help page, if games share one; "": its key
    aliases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    displays: tuple[Display, ...] = ()
    agreements: frozenset[str] = frozenset({"draw", "undo"})  #: what players of this game can agree on
    chance: bool = False
    hidden: bool = False
    steps: bool = False  #: a turn has several moves as a rule, so the others are told when it is over
    #: how often the same position stands, with the same seats to move, until the rules call the board a draw. OWN: they
    #: say something else about this; 0: nothing, so players can agree on a number when they begin a board
    repetition: int = 0
    #: the seat that moves first; None: an option or chance decides, or several seats move at once
    first: Seat | None = 0
    #: how many positions robots of each level may make for a move, the weakest level first: three levels or five
    nodes: tuple[int, ...] = (60, 600, 5000)
    #: the number of the weakest level: 0 if there is one for beginners below those that count
    lowest_level: int = 1
    near: tuple[float, ...] = ()  #: what robots of each level may lose by a choice (`Level.near`); empty: as usual
    rules: int = 1  #: version of the rules, including the random draws and their order

    def __repr__(self) -> str:
        """Return what these facts follow from: they can be long, and sets among them have no order."""
        return f"Info(key={self.key!r}, rules={self.rules})"

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
class Played(Generic[P]):
    """A move of a board that goes on: its canonical text, the position in which it was made, and the one of now."""

    seat: Seat
    text: str
    before: P
    now: P


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
