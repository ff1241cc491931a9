"""What was wrong with a move, in a sentence that a beginner reads. It follows from facts of the game."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from pbmserv.games.base import AnyGame

_WON, _LOST = 0.75, 0.25  #: chances from which on a game is nearly decided
_OPEN = 0.6  #: a chance up to which it is not


class Fall(NamedTuple):
    """The facts of a move that lost something. Chances are of who moved, from 0 to 1.

    `missed`: in how many moves the better move wins by force; `allowed`: in how many the reply does; 0: it does not.
    `lost`, `taken`: men of the mover and of the others that are gone after this move and not after the better one;
    `missed_men`: men of the others of which it is the other way round.
    `points`: what the move cost in a game of points.
    """

    game: AnyGame
    opponent: str
    before: float
    after: float
    missed: int
    allowed: int
    lost: Counter[str]
    taken: Counter[str]
    missed_men: Counter[str]
    points: float | None


def why(fall: Fall) -> str:
    """Return what the move did, as a sentence in English."""
    return _by_force(fall) or _by_men(fall) or _by_points(fall) or _by_chance(fall)


def _by_force(fall: Fall) -> str:
    mates = "mate" in fall.game.info.endings
    if fall.allowed:
        return f"This allowed mate in {fall.allowed}." if mates else _allowed(fall)
    if fall.missed:
        return f"This missed mate in {fall.missed}." if mates else _missed(fall.missed)
    return ""


def _allowed(fall: Fall) -> str:
    if fall.allowed == 1:
        return f"After this {fall.opponent} could win at once."
    return f"After this {fall.opponent} could win in {fall.allowed} moves."


def _missed(moves: int) -> str:
    return "This missed a win at once." if moves == 1 else f"This missed a win in {moves} moves."


def _by_men(fall: Fall) -> str:
    worth = fall.game.men_worth
    lost, taken = _unequal(fall.lost, fall.taken, worth)
    if _total(lost, worth) <= _total(taken, worth):
        return f"This missed a chance to win {_named(fall.missed_men)}." if fall.missed_men and not taken else ""
    return f"This gave {_named(lost)} for {_named(taken)}." if taken else f"This lost {_named(lost)}."


def _unequal(lost: Counter[str], taken: Counter[str], worth: Mapping[str, int]) -> tuple[Counter[str], Counter[str]]:
    """Return men without those that were exchanged for men of the same worth."""
    lost, taken = Counter(lost), Counter(taken)
    for own in sorted(lost, key=worth.__getitem__):
        for other in [man for man in taken if worth[man] == worth[own]]:
            both = min(lost[own], taken[other])
            lost[own] -= both
            taken[other] -= both
    return +lost, +taken


def _total(men: Counter[str], worth: Mapping[str, int]) -> int:
    return sum(worth[man] * count for man, count in men.items())


def _named(men: Counter[str]) -> str:
    """Return `the knight`, `a pawn`, `2 pawns`, `the rook and a pawn`: the most valuable kinds, two at most."""
    words = [f"{count} {_plural(man)}" if count > 1 else f"{_article(man)} {man}" for man, count in men.items()]
    return " and ".join(words[:2])


def _article(man: str) -> str:
    return "a" if man in ("pawn", "man", "piece") else "the"


def _plural(man: str) -> str:
    return "men" if man == "man" else f"{man}s"


def _by_points(fall: Fall) -> str:
    """Return what was lost in points, if the game is about points."""
    if fall.points is None or round(fall.points) < 1:
        return ""
    lost = round(fall.points)
    return f"This cost about {lost} point{'s' * (lost > 1)}."


def _by_chance(fall: Fall) -> str:
    if fall.before >= _WON and fall.after <= _OPEN:
        return "This let the win slip."
    if fall.after <= _LOST:
        return "After this the game was nearly lost."
    if fall.before > 0.5 >= fall.after:
        return "This gave the lead away."
    return "The other move was better."
