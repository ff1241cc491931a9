"""The engines of a server: each is started when somebody asks it, and after a fault, when its pause is over."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.robots.engines.gnubg import Gnubg
from pbmserv.robots.engines.gtp import Gtp
from pbmserv.robots.engines.hub import Hub
from pbmserv.robots.engines.process import EngineFault, Process
from pbmserv.robots.engines.protocol import Protocol
from pbmserv.robots.engines.told import (
    RESIGNS,
    CannotPlay,
    EngineMove,
    EngineSettings,
    Line,
    NoEngine,
    PlayedSoFar,
    Strength,
)
from pbmserv.robots.engines.uci import Uci

#: Seconds after a fault in which an engine is not started again: doubled each time, until it has lived for LAST_PAUSE.
FIRST_PAUSE, LAST_PAUSE = 10.0, 3600.0
_PROTOCOLS: Mapping[str, type[Protocol]] = {"uci": Uci, "gtp": Gtp, "gnubg": Gnubg, "hub": Hub}

_USUAL = Strength()

T = TypeVar("T")


@dataclass
class _Engine:
    """An engine and its process. `trouble`: its last fault, "" if it has answered since; `until`: its pause ends."""

    settings: EngineSettings
    trouble: str | None = None
    speaks: Protocol | None = None
    began: float = 0.0
    pause: float = FIRST_PAUSE
    until: float = 0.0


class Engines:
    """Asks engines, one question at a time, and keeps one process for each until `close`."""

    def __init__(self, settings: Mapping[str, EngineSettings], clock: Callable[[], float] = monotonic) -> None:
        self._engines = {name: _Engine(of) for name, of in settings.items()}
        self._clock = clock
        self._asking = threading.RLock()
        self._news = dict[str, str]()

    @property
    def names(self) -> frozenset[str]:
        """The names of all engines that are set."""
        return frozenset(self._engines)

    def for_game(self, game: AnyGame) -> str | None:
        """Return the name of the first engine that can judge boards of a game; None if there is none."""
        return next((name for name, engine in self._engines.items() if speaks(engine.settings, game)), None)

    def choose(self, name: str, record: PlayedSoFar, limit: Strength) -> EngineMove:
        """Return what an engine does, its move as a canonical text. Raises NoEngine, CannotPlay, EngineFault."""

        def ask(engine: Protocol) -> EngineMove:
            _demand(engine, record)
            reply = engine.choose(record, limit)
            if reply.text == RESIGNS:
                return reply
            try:
                move = record.game.parse(record.position, record.turn, reply.text)
            except PlayerError:
                raise EngineFault(f"it made the illegal move {reply.text[:80]}") from None
            return reply._replace(text=record.game.format(move))

        return self._ask(name, ask)

    def analyse(self, name: str, record: PlayedSoFar, lines: int = 1, limit: Strength = _USUAL) -> list[Line]:
        """Return the best ways to go on, the best first. Raises NoEngine, CannotPlay, EngineFault."""

        def ask(engine: Protocol) -> list[Line]:
            _demand(engine, record)
            return engine.analyse(record, limit, lines)

        return self._ask(name, ask)

    def luck(self, name: str, record: PlayedSoFar) -> float:
        """Return how much better the dice of now are than on average. Raises NoEngine, CannotPlay, EngineFault."""
        return self._ask(name, lambda engine: engine.luck(record, _USUAL))

    def check(self, name: str, limit: Strength, game: AnyGame | None = None) -> bool:
        """Start an engine; return whether it has a network. `game`: what it shall play.

        Raises NoEngine, EngineFault, CannotPlay.
        """

        def ask(engine: Protocol) -> bool:
            engine.check(limit)
            if game:
                engine.demand(game)
            return engine.process.has_network

        return self._ask(name, ask)

    def news(self) -> dict[str, str]:
        """Return the faults since the last call, by engine; "" for one that answers now, and did not before."""
        news, self._news = self._news, {}
        return news

    def close(self) -> None:
        """End all processes."""
        with self._asking:
            for engine in self._engines.values():
                _end(engine)

    def _ask(self, name: str, work: Callable[[Protocol], T]) -> T:
        engine = self._engines.get(name)
        if engine is None:
            raise NoEngine(f"No engine {name} is set in the table [engines.{name}] of the settings.")
        with self._asking:
            if self._clock() < engine.until:
                raise NoEngine(f"The engine {name} pauses: {engine.trouble}")
            try:
                done = work(engine.speaks or self._start(engine))
            except EngineFault as fault:
                self._rest(name, engine, str(fault))
                raise
            if engine.trouble != "":
                engine.trouble = self._news[name] = ""
            return done

    def _start(self, engine: _Engine) -> Protocol:
        protocol = _PROTOCOLS[engine.settings.protocol]
        process = Process(engine.settings, *protocol.words)
        try:
            engine.speaks = protocol(process, engine.settings)
        except BaseException:
            process.end()
            raise
        engine.began = self._clock()
        return engine.speaks

    def _rest(self, name: str, engine: _Engine, trouble: str) -> None:
        """End a process that has made a fault, and let its engine pause."""
        _end(engine)
        now = self._clock()
        if engine.until and now - engine.began <= LAST_PAUSE:
            engine.pause = min(2 * engine.pause, LAST_PAUSE)
        else:
            engine.pause = FIRST_PAUSE
        engine.until = now + engine.pause
        engine.trouble = self._news[name] = trouble


def speaks(settings: EngineSettings, game: AnyGame) -> bool:
    """Return whether the protocol of an engine has a word for a game. Where something is hidden, none has."""
    return isinstance(game, _PROTOCOLS[settings.protocol].games) and not game.info.hidden


def _demand(engine: Protocol, record: PlayedSoFar) -> None:
    if not speaks(engine.settings, record.game):
        raise CannotPlay(f"Its protocol has no word for {record.game.info.name}.")


def _end(engine: _Engine) -> None:
    if engine.speaks:
        engine.speaks.process.end()
        engine.speaks = None
