"""Tumbling Down positions in the notation of the rules: `A2:B2W1 C3:W4`, each stack from the bottom up."""

import re

from pbmserv.games.base import Seat
from pbmserv.games.capture.tumbling_down import GRID, Position, runs

NAMES = ("Black", "White")


def stack_of(text: str) -> str:
    """The men of a stack from the bottom up: `B2W1` gives `BBW`."""
    return "".join(colour * int(count) for colour, count in re.findall(r"([BW])(\d+)", text))


def position_of(text: str, turn: Seat = 0) -> Position:
    """The position with stacks on the listed squares only."""
    stacks = [""] * GRID.size
    for cell in text.split():
        name, _, stack = cell.partition(":")
        stacks[GRID.square(name.lower())] = stack_of(stack)
    return Position(tuple(stacks), turn)


def text_of(position: Position) -> str:
    """The text of a position, as `position_of` reads it, sorted by column and then by row."""
    cells = {GRID.name(s).upper(): "".join(runs(stack)) for s, stack in enumerate(position.stacks) if stack}
    return " ".join(f"{name}:{cells[name]}" for name in sorted(cells))
