"""The Go Text Protocol, version 2: GNU Go and KataGo for Go, MoHex for Hex. Points are named as in our log."""

import re
from collections.abc import Iterator
from math import isqrt
from typing import cast

from pbmserv.games.base import PASS, SWAP, Seat
from pbmserv.games.connection.hex import Hex
from pbmserv.games.territory.go import Go
from pbmserv.games.territory.go.influence import of_points
from pbmserv.games.territory.go.lattice import lattice_of
from pbmserv.robots.engines.process import START, EngineFault, Process
from pbmserv.robots.engines.protocol import Protocol, followed
from pbmserv.robots.engines.told import (
    RESIGNS,
    CannotPlay,
    EngineMove,
    EngineSettings,
    Line,
    PlayedSoFar,
    Strength,
)

_OWN_PART = 0.5  #: of its hard time in which an engine is told to be ready
_COLOURS = "bw"
_POINT = re.compile(r"[a-t][1-9][0-9]?")
_ESTIMATE = re.compile(r"([BW])\+(\d+(?:\.\d+)?)|0")
_INFO = re.compile(r"move (\w+) .*scoreLead (-?[\d.]+) .*pv (.+)")
_VISITS, _ANALYSIS = "kata-set-param", "kata-analyze"
_EVERY = 100  #: hundredths of a second of an analysis

Stones = Iterator[tuple[Seat, str]]


class Gtp(Protocol):
    """An engine that speaks GTP."""

    games = (Go, Hex)

    def __init__(self, process: Process, settings: EngineSettings) -> None:
        super().__init__(process, settings)
        told = process.ask("list_commands", _AnswerEnds(1), START)
        self.commands = {line.removeprefix("=").strip() for line in told}
        if settings.setup:
            process.ask("\n".join(settings.setup), _AnswerEnds(len(settings.setup)), START)

    def check(self, limit: Strength) -> None:
        if limit.elo is not None:
            raise CannotPlay("Engines that speak GTP cannot play by Elo.")
        if limit.nodes is not None and _VISITS not in self.commands:
            raise CannotPlay("This engine knows no number of nodes: give it a level in its command.")

    def choose(self, record: PlayedSoFar, limit: Strength) -> EngineMove:
        self.check(limit)
        if isinstance(record.game, Go) and record.position.count:
            raise CannotPlay("It knows nothing of a count by mail.")
        self._set_up(record, limit)
        text = self._said(f"genmove {_COLOURS[record.turn]}").lower()
        return (
            EngineMove(RESIGNS, -1.0, True) if text == RESIGNS else EngineMove(SWAP if text.startswith(SWAP) else text)
        )

    def analyse(self, record: PlayedSoFar, limit: Strength, lines: int) -> list[Line]:
        if _ANALYSIS not in self.commands and "estimate_score" not in self.commands:
            raise CannotPlay("This engine does not say what a position is worth.")
        self._set_up(record, limit)
        return self._lines(record, lines) if _ANALYSIS in self.commands else [self._estimate(record)]

    def _lines(self, record: PlayedSoFar, lines: int) -> list[Line]:
        """Let KataGo think until it reports, and stop it by another command."""
        ask = f"{_ANALYSIS} {_COLOURS[record.turn]} {_EVERY}"
        told = self.answer(ask, lambda line: line.startswith("info "))[-1]
        self.answer("name", _AnswerEnds(1))
        ways = [(float(match[2]), match[3].lower().split()) for match in map(_INFO.match, told.split("info ")) if match]
        return [Line(of_points(score), score, followed(record, moves)) for score, moves in ways[:lines]]

    def _estimate(self, record: PlayedSoFar) -> Line:
        """Ask GNU Go who is ahead, and what it would play."""
        match = _ESTIMATE.match(self._said("estimate_score"))
        if not match:
            raise EngineFault("it does not say who is ahead")
        score = float(match[2] or 0) * (1 if match[1] == "BW"[record.turn] else -1)
        best = self._said(f"reg_genmove {_COLOURS[record.turn]}").lower()
        return Line(of_points(score), score, followed(record, [best]))

    def _set_up(self, record: PlayedSoFar, limit: Strength) -> None:
        """Begin the game again and play all of its moves."""
        first = record.positions[0]
        if isinstance(record.game, Go):  # with area counted, a stone of handicap is worth a point for White
            size, komi, stones = isqrt(len(first.points)), [f"komi {first.komi / 2 + first.handicap:g}"], _of_go(record)
        else:
            size, komi, stones = isqrt(len(first.cells)), [], _of_hex(record)
        game = [f"boardsize {size}", "clear_board", *komi, *(f"play {_COLOURS[s]} {point}" for s, point in stones)]
        told = self.answer("\n".join(game), _AnswerEnds(len(game)))
        if wrong := [line for line in told if line.startswith("?")]:
            raise CannotPlay(f"It does not take this game: {wrong[0]}")
        pace = [f"time_settings 0 {max(1, round(_OWN_PART * self.settings.seconds))} 1"]
        if _VISITS in self.commands and (nodes := limit.nodes or self.settings.nodes):
            pace.append(f"{_VISITS} maxVisits {nodes}")
        self.answer("\n".join(pace), _AnswerEnds(len(pace)))  # which it need not know

    def _said(self, command: str) -> str:
        told = self.answer(command, _AnswerEnds(1))
        reply = next(line for line in told if line.startswith(("=", "?")))
        if reply.startswith("?"):
            raise EngineFault(f"it says {reply[:80]} to {command}")
        return reply[1:].strip()


class _AnswerEnds:
    """Tells the line after which so many answers are complete: each begins with = or ?, and ends with an empty line."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._begun = False

    def __call__(self, line: str) -> bool:
        if line.startswith(("=", "?")):
            self._begun = True
        elif not line and self._begun:
            self._begun = False
            self._left -= 1
        return self._left == 0


def _of_go(record: PlayedSoFar) -> Stones:
    """Yield the stones and passes of a game, those of the first position first: of it no stone can be captured."""
    points = record.positions[0].points
    names = lattice_of(points).names
    yield from (("XO".index(sign), names[point]) for point, sign in enumerate(points) if sign in "XO")
    yield from ((seat, text) for seat, text in record.moves if text == PASS or _POINT.fullmatch(text))


def _of_hex(record: PlayedSoFar) -> Stones:
    """Yield the stones of a game. After a swap the first one is another's, and elsewhere."""
    start = 1 + max((ply for ply, (_, text) in enumerate(record.moves) if text == SWAP), default=-1)
    position, game = record.positions[start], cast(Hex, record.game)
    names = game.lattice(position.cells).names
    yield from ((game.pieces.index(piece), names[cell]) for cell, piece in enumerate(position.cells) if piece in "RB")
    yield from record.moves[start:]
