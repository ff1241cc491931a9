"""Ratings, high scores, and lines of their lists."""

from dataclasses import dataclass
from typing import NamedTuple

from pbmserv.points import Score


@dataclass(frozen=True)
class Rating:
    """A player's rating in one game."""

    mu: float
    sigma: float
    boards: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0


class RatingLine(NamedTuple):
    """A line of a rating list; `place`: 1 for the best."""

    place: int
    userid: str
    rating: Rating


class PairLine(NamedTuple):
    """Two players with boards against each other that counted; `won`: how many of them the first has won."""

    game: str
    one: int
    other: int
    boards: int
    won: int


class BestScore(NamedTuple):
    """A player's results in a solitaire: the best score, the sum of all scores, and the number of boards."""

    best: Score
    total: Score
    boards: int


@dataclass(frozen=True)
class ScoreLine:
    """A line of a high-score table; `place`: 1 for the best, 0 for a robot, which is out of competition."""

    place: int
    userid: str
    best: Score
    average: float
    boards: int
