"""Everybody against everybody, with the first move as often as the second: the circle method."""

from collections.abc import Iterator, Sequence


def circle(players: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield who meets whom, who makes the first move first.

    Each pair meets once. Everybody moves first on half of the boards, or, if their number is odd, on one more or less:
    who sits at an even distance clockwise on the circle moves first, as in Berger's tables.
    """
    for i, player in enumerate(players):
        for j in range(i + 1, len(players)):
            yield (player, players[j]) if (j - i) % 2 else (players[j], player)
