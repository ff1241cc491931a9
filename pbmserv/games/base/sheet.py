"""A board as other programs write it down: what a format of records gets, and what it gives when it reads a file.

A game that has formats is `Recorded`. A format writes a `Sheet` as text. Some also read a file of another program:
they make a `Reading` of each game in it, whose moves are then played under our rules.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from pbmserv.errors import PlayerError
from pbmserv.games.base.board import ENDINGS, Board
from pbmserv.games.base.game import AnyGame
from pbmserv.games.base.log import Kind
from pbmserv.games.base.values import Options, Outcome, Seat

#: Endings in which nobody has won and nobody has drawn.
NOT_PLAYED = ("declined", "voided", "idle")


def phrase_of(game: AnyGame, reason: str) -> str:
    """Return the words for how a board of this game ended, such as `checkmate`."""
    return (ENDINGS | dict(game.info.endings)).get(reason, reason)


class FormatError(PlayerError):
    """A board that a format cannot express, or a file that cannot be read. The text says which part of it."""


@dataclass(frozen=True)
class Facts:
    """What a record tells besides the moves. `begun`, `ended`: days such as 2026-03-01; "" while the board runs."""

    number: int
    players: tuple[str, ...]  #: userids by seat
    site: str  #: where it is played: a URL or a host
    begun: str
    ended: str = ""


@dataclass(frozen=True)
class Ply:
    """One standing move: the position before it, who made it, and its canonical text. `comment`: of a review."""

    position: Any = field(repr=False)
    seat: Seat
    text: str
    comment: str = ""


@dataclass(frozen=True)
class Sheet:
    """A board and the moves on it that were not taken back."""

    facts: Facts
    board: Board
    plies: tuple[Ply, ...]

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.board.game

    @property
    def options(self) -> Options:
        """The options of the board."""
        return self.board.start.options

    @property
    def first(self) -> Any:
        """The position before the first move."""
        return self.plies[0].position if self.plies else self.board.position

    @property
    def result(self) -> Outcome | None:
        """How the board ended; None if it is running or if it was never played to an end."""
        result = self.board.result
        return None if result is None or result.reason in NOT_PLAYED else result

    @property
    def title(self) -> str:
        """The name of the board."""
        return f"{self.game.info.name}, board {self.facts.number}"

    def player(self, colour: str) -> str:
        """Return the userid of the seat with this name, such as White."""
        return self.facts.players[self.board.seat_names.index(colour)]

    def ending(self, names: Sequence[str] = ()) -> str:
        """Return how the board ended, as a sentence; "" if it is running. `names`: of the seats, if not their own."""
        result = self.board.result
        if result is None:
            return ""
        how = phrase_of(self.game, result.reason)
        names = names or self.board.seat_names
        if self.result is None:
            return how.capitalize()
        return f"{' and '.join(names[s] for s in result.winners)} wins: {how}" if result.winners else f"Draw: {how}"


@dataclass(frozen=True)
class Written:
    """A move in a file: where it is, such as `14... Nxe5`, and its text, which `Game.parse` understands."""

    where: str
    text: str


@dataclass(frozen=True)
class Reading:
    """A game in a file.

    `players`: names by seat as they are in the file, "" if it names nobody. `origin`: the first position, None if it is
    that of the game's own rules. `ranks`: the result in the file, None if it has none. `how`: what the file says of the
    end, if the moves do not lead to it: RESIGN, which with equal ranks is a draw that the players agreed on; FORFEIT, a
    loss on time; VOID, an end without a result, whatever the moves say; or ADJUDICATE, anything else: a ruling.
    `left_out`: what was not read, such as `12 comments`.
    """

    options: Options
    players: tuple[str, ...]
    moves: tuple[Written, ...]
    ranks: tuple[int, ...] | None = None
    how: Kind = Kind.ADJUDICATE
    origin: object = field(default=None, repr=False)
    begun: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """A form of records that other programs know.

    `name` is what players write, and the ending of files. `write` raises FormatError for a board that the format cannot
    express. `read` yields the games in the bytes of a file and raises FormatError where it cannot go on; it is bounded
    by the length of the file, however the file is made.
    """

    name: str
    media_type: str
    write: Callable[[Sheet], str]
    read: Callable[[bytes], Iterator["Reading | FormatError"]] | None = None


@runtime_checkable
class Recorded(Protocol):
    """A game that other programs can read, too. JSON is no format of a game: each board has it."""

    @property
    def formats(self) -> tuple[Format, ...]: ...


def formats_of(game: AnyGame) -> tuple[Format, ...]:
    """Return the formats that a game has besides JSON."""
    return game.formats if isinstance(game, Recorded) else ()


def named(formats: Sequence[Format], name: str) -> Format | None:
    """Return the format with this name."""
    return next((f for f in formats if f.name == name), None)
