"""What all protocols of engines have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.rng import ChanceNeeded, NoChance
from pbmserv.robots.engines.process import Process
from pbmserv.robots.engines.told import CannotPlay, EngineMove, EngineSettings, Line, PlayedSoFar, Strength


class Protocol(ABC):
    """An engine that was started and has said what it is."""

    games: ClassVar[tuple[type[AnyGame], ...]]  #: those that can be asked about in this protocol, and their variants
    words: ClassVar[tuple[str, ...]] = ()  #: after the command of the engine

    def __init__(self, process: Process, settings: EngineSettings) -> None:
        """Raises EngineFault."""
        self.process = process
        self.settings = settings

    @abstractmethod
    def check(self, limit: Strength) -> None:
        """Raise CannotPlay if the engine knows no such limit."""

    def demand(self, game: AnyGame) -> None:  # noqa: B027 - most engines play what their protocol has
        """Raise CannotPlay if this engine does not play a game for which its protocol has a word."""

    @abstractmethod
    def choose(self, record: PlayedSoFar, limit: Strength) -> EngineMove:
        """Return what the engine does now. Raises EngineFault, CannotPlay."""

    @abstractmethod
    def analyse(self, record: PlayedSoFar, limit: Strength, lines: int) -> list[Line]:
        """Return the best ways to go on, the best first. Raises EngineFault, CannotPlay."""

    def luck(self, record: PlayedSoFar, limit: Strength) -> float:
        """Return how much better the dice are than on average, in the unit of scores.

        Raises EngineFault, CannotPlay.
        """
        raise CannotPlay("it says nothing of luck")

    def answer(self, text: str, is_last: Callable[[str], bool]) -> list[str]:
        """Ask within the hard time of the engine."""
        return self.process.ask(text, is_last, self.settings.seconds)


def _as_written(game: AnyGame, position: object, text: str) -> str:
    return text


def followed(
    record: PlayedSoFar, texts: Sequence[str], ours: Callable[[AnyGame, object, str], str] = _as_written
) -> tuple[str, ...]:
    """Return the canonical texts of moves one after the other; without those from the first on that is not possible.

    In games with dice it is one move, because nobody knows the next dice. `ours`: reads a text of the protocol.
    """
    game, position, moves = record.game, record.position, list[str]()
    for text in texts:
        try:
            (seat,) = game.to_move(position)
            move = game.parse(position, seat, ours(game, position, text))
            moves.append(game.format(move))
            position = game.apply(position, seat, move, NoChance()).position
        except (PlayerError, ChanceNeeded, ValueError):
            break
    return tuple(moves)
