"""A second implementation of Tumbling Down: slow and simple, with coordinates. It shares no code with the first."""

from collections.abc import Iterator

Square = tuple[int, int]  #: column and row, from 1
Stacks = dict[Square, str]  #: occupied squares only, men from the bottom up

DIRECTIONS = [(east, north) for east in (-1, 0, 1) for north in (-1, 0, 1) if (east, north) != (0, 0)]


def is_on_board(square: Square) -> bool:
    return all(1 <= x <= 8 for x in square)


def step(square: Square, direction: Square) -> Square:
    return square[0] + direction[0], square[1] + direction[1]


def single(stacks: Stacks, source: Square, direction: Square) -> Stacks:
    """Move the top man one square (D7)."""
    after = dict(stacks)
    target = step(source, direction)
    after[source], man = after[source][:-1], after[source][-1]
    after[target] = after.get(target, "") + man
    return {square: stack for square, stack in after.items() if stack}


def tumble(stacks: Stacks, source: Square, direction: Square) -> Stacks:
    """Move all men of a stack, bottom man first. Men who would fall off the board stay on the last square (D8)."""
    after = dict(stacks)
    here = source
    for man in after.pop(source):
        beyond = step(here, direction)
        here = beyond if is_on_board(beyond) else here
        after[here] = after.get(here, "") + man
    return after


def successors(stacks: Stacks, colour: str) -> Iterator[Stacks]:
    """The board after each move of a colour. A man who stands alone has two moves in each direction."""
    for source in [square for square, stack in stacks.items() if stack[-1] == colour]:
        for direction in DIRECTIONS:
            if is_on_board(step(source, direction)):
                yield single(stacks, source, direction)
                yield tumble(stacks, source, direction)


def king_height(stacks: Stacks, colour: str) -> int:
    return max((len(stack) for stack in stacks.values() if set(stack) == {colour}), default=0)


def verdict(before: Stacks, after: Stacks, mover: str) -> str:
    """The reason for the end: `king`, `nomove`, or an empty text while the game goes on (D12-D19)."""
    other = "BW".replace(mover, "")
    height = king_height(before, other)
    for square, stack in before.items():
        if stack == other * height and after.get(square, "")[:height] == stack:
            top = after[square].lstrip(other)
            if top and set(top) == {mover}:
                return "king"
    return "" if any(stack[-1] == other for stack in after.values()) else "nomove"


def perft(stacks: Stacks, mover: str, depth: int) -> int:
    """The number of sequences of `depth` moves. A game that is over has no further moves."""
    if depth == 0:
        return 1
    other = "BW".replace(mover, "")
    return sum(
        perft(after, other, depth - 1)
        for after in successors(stacks, mover)
        if depth == 1 or not verdict(stacks, after, mover)
    )
