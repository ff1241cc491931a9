"""Games about lines: a worked turn for the help page, from a game of its own."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from pbmserv.games.base import Step
from pbmserv.games.families.lines.lines_row import EMPTY, LineRow
from pbmserv.rng import NoChance, Rng

_NEAR = 3  #: on points, how far from the middle that game is played at most
_STONES = 9  #: on nine boards before the turn


def help_facts(game: Any) -> Mapping[str, object]:
    """Return the row, and a turn: its `kind`, the `position`, who sends which `text`, and a `note` about it."""
    for attempt in count():
        luck, position = Rng(f"help-{game.info.key}", attempt), game.setup({}, 2, NoChance())
        while not game.end(position):
            move = luck.choice(_near(game.row, game.legal_moves(position, position.turn)))
            step = game.apply(position, position.turn, move, luck)
            if kind := _kind(game, position, move, step):
                notes = (*(note.text for note in step.notes), *game.told(step.position), "")
                facts = {"row": game.row, "kind": kind, "position": position, "text": move, "note": notes[0]}
                return {**facts, "names": game.names, "player": game.names[position.turn]}
            position = step.position
    raise AssertionError


def _near(row: LineRow, moves: Sequence[str]) -> Sequence[str]:
    """Return the moves near the middle of a large board, or all if there are none."""
    if not row.sides:
        return moves
    middle = row.sides[0] // 2
    points = [m for m in moves if m[-1].isdigit()]
    near = [m for m in points if max(abs(ord(m[0]) - 97 - middle), abs(int(m[1:]) - 1 - middle)) <= _NEAR]
    return near or moves


def _kind(game: Any, position: Any, move: str, step: Step[Any]) -> str:
    """Return what a move shows; "" for nothing special."""
    row: LineRow = game.row
    if row.forbids:
        return "banned" * bool(position.turn == 0 and game.told(position))
    if row.pairs or row.pops:
        return "captures" * bool(step.notes) or "pops" * (move[0] == "x")
    if row.nested:
        return "sends" * bool(
            len(position.squares) - position.squares.count(EMPTY) >= _STONES and step.position.part >= 0
        )
    return ("loses" if row.loses else "wins") * bool(step.position.won)
