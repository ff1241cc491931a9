"""The Hub protocol, version 2: Scan for international draughts and games like it."""

import re
from math import tanh
from typing import Any

from pbmserv.games.base import AnyGame
from pbmserv.games.capture.draughts import Draughts
from pbmserv.games.capture.draughts.jumping import Move
from pbmserv.games.capture.draughts.style import INTERNATIONAL, Style
from pbmserv.games.families.draughtslike.draughtslike_game import DraughtsLike
from pbmserv.robots.engines.process import START, EngineFault, Process
from pbmserv.robots.engines.protocol import Protocol, followed
from pbmserv.robots.engines.told import CannotPlay, EngineMove, EngineSettings, Line, PlayedSoFar, Strength

_NODES = 200_000  #: of a search whose limit nobody has set
_OWN_PART = 0.6  #: of its hard time in which an engine is told to be ready
_MEN = str.maketrans(".", "e")
_WORD = re.compile(r'([\w-]+)=("[^"]*"|\S+)')
_WORTH = 2.5  #: men that nearly win a game


class Hub(Protocol):
    """An engine that speaks Hub."""

    games = (Draughts,)

    def __init__(self, process: Process, settings: EngineSettings) -> None:
        super().__init__(process, settings)
        process.ask("hub", lambda line: line == "wait", START)
        process.ask("\n".join((*settings.setup, "init")), _is_ready, START)
        self._variant = INTERNATIONAL.hub

    def check(self, limit: Strength) -> None:
        if limit.elo is not None:
            raise CannotPlay("Engines that speak Hub cannot play by Elo.")

    def demand(self, game: AnyGame) -> None:
        if isinstance(game, DraughtsLike) and not game.row.hub:
            raise CannotPlay(f"Engines that speak Hub do not play {game.info.name}.")

    def choose(self, record: PlayedSoFar, limit: Strength) -> EngineMove:
        self.check(limit)
        told = self._search(record, limit)
        best, lines = dict(_WORD.findall(told[-1])), [line for line in told if line.startswith("info ")]
        if "move" not in best:
            raise EngineFault("it names no move")
        score = dict(_WORD.findall(lines[-1])).get("score") if lines else None
        text = _ours(record.game, record.position, best["move"].strip('"'))
        return EngineMove(text, None if score is None else tanh(float(score) / _WORTH))

    def analyse(self, record: PlayedSoFar, limit: Strength, lines: int) -> list[Line]:
        told = [dict(_WORD.findall(line)) for line in self._search(record, limit) if line.startswith("info ")]
        best = next((words for words in reversed(told) if {"score", "pv"} <= words.keys()), None)
        if best is None:
            return []
        score = float(best["score"])
        return [Line(tanh(score / _WORTH), score, followed(record, best["pv"].strip('"').split(), _ours))]

    def _play(self, style: Style) -> None:
        """Make the engine play this game. Raises CannotPlay."""
        if not style.hub:
            raise CannotPlay("Engines that speak Hub play international draughts and some games like it only.")
        if style.hub != self._variant:
            self.process.ask(f"set-param name=variant value={style.hub}\ninit", _is_ready, START)
            self._variant = style.hub

    def _search(self, record: PlayedSoFar, limit: Strength) -> list[str]:
        game: Any = record.game
        first = record.positions[0]
        style: Style = game.style(first)
        self._play(style)
        moves = [
            _theirs(game.parse(position, seat, text))
            for position, (seat, text) in zip(record.positions, record.moves, strict=False)
        ]
        men = style.colours[first.turn].upper() + first.board.translate(_MEN)
        nodes = limit.nodes or self.settings.nodes or _NODES
        lines = [
            "new-game",
            f'pos pos={men} moves="{" ".join(moves)}"' if moves else f"pos pos={men}",
            f"level nodes={nodes} move-time={_OWN_PART * self.settings.seconds:g}",
            "go think",
        ]
        return self.answer("\n".join(lines), lambda line: line.startswith("done"))


def _is_ready(line: str) -> bool:
    return line == "ready"


def _theirs(move: Move) -> str:
    """Return a move as Hub writes it: from, to, and the squares of the men that it takes."""
    squares = [str(square + 1) for square in (move.source, move.target, *sorted(move.captured))]
    return ("x" if move.captured else "-").join(squares)


def _ours(game: Any, position: Any, text: str) -> str:
    """Return the canonical text of a move as Hub writes it; the text itself if it is not legal."""
    numbers = [int(number) - 1 for number in re.findall(r"\d+", text)]
    (seat,) = game.to_move(position)
    for move in game.legal_moves(position, seat):
        if [move.source, move.target] == numbers[:2] and sorted(move.captured) == sorted(numbers[2:]):
            return str(game.format(move))
    return text
