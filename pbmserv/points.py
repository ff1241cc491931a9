"""The points that a game counts: whole numbers, or numbers with one decimal, as with a komi of 7.5."""

from decimal import Decimal

#: 12, 12.5 or 0.1, but never 12.0. `score_of` makes one from any number.
Score = float


def score_of(number: float | Decimal) -> Score:
    """Return points in their only form, rounded to tenths: 12.5, and 12 rather than 12.0."""
    tenths = round(number * 10)
    return tenths / 10 if tenths % 10 else tenths // 10
