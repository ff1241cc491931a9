"""Tumbling Down positions as the rules write them: `A2:B2W1 C3:W4`, stacks bottom first."""

import re

from pbmserv.games.base import Seat
from pbmserv.games.tumbling_down import GRID, Position, runs

NAMES = ("Black", "White")


def stack_of(text: str) -> str:
    """`B2W1` is BBW."""
    return "".join(colour * int(count) for colour, count in re.findall(r"([BW])(\d+)", text))


def position_of(text: str, turn: Seat = 0) -> Position:
    """The position in which only the listed squares are occupied."""
    stacks = [""] * GRID.size
    for cell in text.split():
        name, _, stack = cell.partition(":")
        stacks[GRID.square(name.lower())] = stack_of(stack)
    return Position(tuple(stacks), turn)


def text_of(position: Position) -> str:
    """What `position_of` reads, squares by column and then by row."""
    cells = {GRID.name(s).upper(): "".join(runs(stack)) for s, stack in enumerate(position.stacks) if stack}
    return " ".join(f"{name}:{cells[name]}" for name in sorted(cells))
