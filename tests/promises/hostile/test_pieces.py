"""Texts that regular expressions look for cost almost no time, however often a mail repeats them.

The bound is ten times what a mail may take on an idle machine. It finds costs that grow with the square of the size.
"""

import pytest

from tests.examples import some_of
from tests.promises.hostile.pieces import CLASSES, costs, expressions, literals

SECONDS = 0.5
#: What a quarter of a large mail may cost at the first look: more than its quarter of what any mail takes today, and a
#: third of what it would take if the whole took SECONDS because its cost grows with the square.
QUARTER = 0.01
#: The pieces that took most time when they were measured, before or after the bounds were set.
SLOWEST = ("<", "<=", "9", "9" * 1000 + "\n", "a ", "Date:\nTo:\n", "1 2024:\n>\n")


def _slow(pieces: tuple[str, ...]) -> list[tuple[float, str, str]]:
    """Return what is slow twice: a collection of garbage in a large process can fall into one measurement."""
    once = [found for found in costs(pieces) if found[0] > SECONDS]
    return [again for _, place, piece in once for again in costs((piece,), (place,)) if again[0] > SECONDS]


def _slow_in_quarters(pieces: tuple[str, ...]) -> list[tuple[float, str, str]]:
    """Return the same, but make mails in their full size only of what costs much in a quarter."""
    many = [(place, piece) for spent, place, piece in costs(pieces, part=4) if spent > QUARTER]
    return [found for place, piece in many for found in costs((piece,), (place,)) if found[0] > SECONDS]


@pytest.mark.slow
def test_the_slowest_pieces() -> None:
    assert _slow(SLOWEST) == []


@pytest.mark.slow
def test_every_expression_has_pieces() -> None:
    assert len(set(expressions())) > 50
    assert {"<!--", "still being retried"} <= set(literals())


@pytest.mark.slow  # 250 mails, and 2,000 with `make soak`
def test_each_class_of_characters() -> None:
    assert _slow_in_quarters(tuple(some_of(CLASSES, 8))) == []


@pytest.mark.slow  # 150 mails, and 70,000 with `make soak`
@pytest.mark.timeout(1800)
def test_literals_of_all_expressions() -> None:
    assert _slow_in_quarters(tuple(some_of(literals(), 420))) == []
