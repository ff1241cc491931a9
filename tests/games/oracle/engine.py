"""Our end of the line to the process of OpenSpiel."""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = Path(__file__).with_name("process.py")
_PATIENCE = 10  #: seconds in which a process ends whose pipe is closed

#: For tests that compare a game with OpenSpiel.
with_oracle = pytest.mark.skipif(
    find_spec("pyspiel") is None,
    reason="OpenSpiel is not installed: pip install -e '.[oracle]', where there is a wheel of it",
)


class OracleDied(Exception):
    """The process of OpenSpiel ended in the middle of a game. The text says how, and after which actions."""


class OracleRefused(Exception):
    """OpenSpiel could not answer a question, for example because it does not know an action."""


@dataclass(frozen=True)
class State:
    """What OpenSpiel says about its position. `player` is None when the game is over."""

    player: int | None
    over: bool
    returns: tuple[float, ...]
    drawing: str


class Oracle:
    """A process of OpenSpiel with one game at a time. Use it with `with`."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-u", str(_PROGRAM))) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._played: list[str] = []

    def __enter__(self) -> "Oracle":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def new(self, game: str, parameters: Mapping[str, Any]) -> State:
        """Begin a game."""
        self._played = [f"{game} {dict(parameters) or ''}".strip()]
        return self._state(self._ask({"ask": "new", "game": game, "parameters": dict(parameters)}))

    def apply(self, actions: Sequence[str]) -> State:
        """Make these actions, one after the other."""
        self._played += actions
        return self._state(self._ask({"ask": "apply", "actions": list(actions)}))

    def legal(self, deep: int = 1) -> list[tuple[str, ...]]:
        """Return the sequences of up to `deep` actions that are legal for the player to move."""
        return [tuple(actions) for actions in self._ask({"ask": "legal", "deep": deep})["legal"]]

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # it is dead, and what we last asked was never read
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ValueError("the process has no pipes")
        try:
            stdin.write(json.dumps(question) + "\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise OracleDied(f"OpenSpiel {self._end()} after: {' '.join(self._played)}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise OracleRefused(f"{answer['error']} after: {' '.join(self._played)}")
        return answer

    def _end(self) -> str:
        """Say how the process ended."""
        code = self._process.wait(_PATIENCE)
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"

    @staticmethod
    def _state(answer: Mapping[str, Any]) -> State:
        return State(answer["player"], answer["over"], tuple(answer["returns"]), answer["drawing"])
