"""What is said to an engine and by an engine, whatever its protocol."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from annotated_types import Ge, Le

from pbmserv.games.base import AnyGame, Options, Seat


class CannotPlay(Exception):
    """An engine does not know such boards or such a limit. It is none of its faults."""


class NoEngine(Exception):
    """An engine cannot be asked now: none has this name, or it pauses after a fault."""


@dataclass(frozen=True)
class EngineSettings:
    """An engine as an operator sets it, in a table `[engines.NAME]` of the settings.

    `command`: the program and its words, as in a shell, without variables; `seconds`: its hard time for a move;
    `nodes`: for robots that name no limit, 0: what suits the protocol; `memory`: MB of data, 0: no bound; `user`: who
    runs it, if the server runs as root; `setup`: lines in its protocol, sent once after its start.
    """

    __pydantic_config__: ClassVar[dict[str, object]] = {"extra": "forbid"}

    command: str
    protocol: Literal["uci", "gtp", "gnubg", "hub"]
    seconds: Annotated[float, Ge(0.1), Le(600)] = 5.0
    nodes: Annotated[int, Ge(0)] = 0
    memory: Annotated[int, Ge(0)] = 2000
    user: str = ""
    setup: tuple[str, ...] = ()


class Strength(NamedTuple):
    """How strong a robot plays by an engine: by Elo, by nodes of its search, or as the settings of the engine say."""

    elo: int | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class PlayedSoFar:
    """A game so far, on a board where nothing is hidden: what everybody at the board knows.

    `positions`: the first, and that after each of `moves`, which are canonical texts with the seats that made them.
    """

    game: AnyGame
    options: Options
    positions: Sequence[Any]
    moves: Sequence[tuple[Seat, str]]

    @property
    def position(self) -> Any:
        """The position now."""
        return self.positions[-1]

    @property
    def turn(self) -> Seat:
        """Who is to move; ValueError if it is not one seat."""
        (seat,) = self.game.to_move(self.position)
        return seat

    def until(self, ply: int) -> "PlayedSoFar":
        """Return the record as it was after so many moves."""
        return PlayedSoFar(self.game, self.options, self.positions[: ply + 1], self.moves[:ply])


class EngineMove(NamedTuple):
    """What an engine does: a move as it wrote it, or `RESIGNS`.

    `value`: what it is worth for its seat, from -1, lost, to 1, won; None: it has not said so. `is_lost`: it sees that
    it loses whatever it does.
    """

    text: str
    value: float | None = None
    is_lost: bool = False


RESIGNS = "resign"


class Line(NamedTuple):
    """A way to go on, as an engine sees it.

    `value`: what it is worth for who is to move, from -1, lost, to 1, won. `score`: the same in the unit of the game's
    players: pawns, points, or equity; None if the engine sees the end. `mate`: then in how many moves, negative: who is
    to move is mated. `moves`: canonical texts, the first that of who is to move.
    """

    value: float
    score: float | None
    moves: tuple[str, ...]
    mate: int | None = None
