"""Draughts a second time, from the sentences of the rules, for rows that no other program knows.

Boards are dicts, and squares are (column, row) from the top left. It is slow, and it knows moves only.
"""

from collections.abc import Iterator
from typing import NamedTuple

Square = tuple[int, int]
Way = tuple[tuple[Square, ...], tuple[Square, ...]]  #: where a man lands, and what it takes
_CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_SIDES = ((0, -1), (-1, 0), (1, 0), (0, 1))
_FAR_SIDES = tuple((2 * x, 2 * y) for x, y in _SIDES)  #: to the next dark square


class Said(NamedTuple):
    """What is said of a game."""

    width: int = 8
    men_take_backward: bool = False
    goes_straight: bool = False
    takes_straight: bool = False
    takes: str = "any"  #: any, most, most then kings, kings first, dearest


SAID = {
    "spanishdraughts": Said(takes="most then kings"),
    "canadiandraughts": Said(12, men_take_backward=True, takes="most"),
    "poolcheckers": Said(men_take_backward=True),
    "czechdraughts": Said(takes="kings first"),
    "turkishdraughts": Said(goes_straight=True, takes="most"),
    "frisiandraughts": Said(10, men_take_backward=True, takes_straight=True, takes="dearest"),
}


def legal(said: Said, men: dict[Square, str], colour: str) -> set[tuple[Square, Square, frozenset[Square]]]:
    """Return first square, last square and captured men of all legal moves."""
    own = [square for square, man in men.items() if man.lower() == colour]
    takes = [(men[square], way) for square in own for way in _taking(said, men, square)]
    if not takes:
        return {(square, target, frozenset()) for square in own for target in _going(said, men, square)}
    if said.takes.startswith("most"):
        most = max(len(taken) for _, (_, taken) in takes)
        takes = [(man, way) for man, way in takes if len(way[1]) == most]
    if said.takes == "most then kings":
        kings = max(sum(men[square].isupper() for square in taken) for _, (_, taken) in takes)
        takes = [(man, way) for man, way in takes if sum(men[square].isupper() for square in way[1]) == kings]
    if said.takes == "kings first" and any(man.isupper() for man, _ in takes):
        takes = [(man, way) for man, way in takes if man.isupper()]
    if said.takes == "dearest":  # two kings go before three men, and kings take before men
        worth = {
            (man, way): (sum(3 if men[square].isupper() else 2 for square in way[1]), -len(way[1]), man.isupper())
            for man, way in takes
        }
        takes = [take for take in takes if worth[take] == max(worth.values())]
    return {(squares[0], squares[-1], frozenset(taken)) for _, (squares, taken) in takes}


def _directions(said: Said, man: str, taking: bool) -> list[Square]:
    forward = 1 if man in "bB" else -1
    around = _SIDES if said.goes_straight else _CORNERS
    if man.isupper() or (taking and said.men_take_backward):
        return [*around, *(_FAR_SIDES if taking and said.takes_straight else ())]
    return [(x, y) for x, y in around if y == forward or y == 0]


def _line(said: Said, square: Square, step: Square) -> Iterator[Square]:
    x, y = square[0] + step[0], square[1] + step[1]
    while 0 <= x < said.width and 0 <= y < said.width:
        yield x, y
        x, y = x + step[0], y + step[1]


def _going(said: Said, men: dict[Square, str], square: Square) -> Iterator[Square]:
    for step in _directions(said, men[square], taking=False):
        for place, target in enumerate(_line(said, square, step)):
            if target in men or (place and men[square].islower()):
                break
            yield target


def _taking(said: Said, men: dict[Square, str], square: Square) -> list[Way]:
    rest = {at: man for at, man in men.items() if at != square}
    return [way for way in _further(said, rest, men[square], ((square,), ()), (0, 0)) if way[1]]


def _further(said: Said, men: dict[Square, str], man: str, way: Way, came: Square) -> list[Way]:
    """Return all complete ways on from here. `came`: the last step; nobody turns back on it."""
    squares, taken = way
    ways: list[Way] = []
    for step in _directions(said, man, taking=True):
        if step == (-came[0], -came[1]):
            continue
        goals = [
            _further(said, men if not said.goes_straight else _without(men, enemy), man, (
                (*squares, goal), (*taken, enemy)), step)
            for enemy, goal in _jumps(said, men, man, squares[-1], step)
            if enemy not in taken
        ]  # fmt: skip
        longer = [goal for goal in goals if max(len(ends[1]) for ends in goal) > len(taken) + 1]
        ways += [ends for goal in longer or goals for ends in goal]
    return ways or [way]


def _without(men: dict[Square, str], square: Square) -> dict[Square, str]:
    return {at: man for at, man in men.items() if at != square}


def _jumps(
    said: Said, men: dict[Square, str], man: str, square: Square, step: Square
) -> Iterator[tuple[Square, Square]]:
    """Yield the enemy that can be taken in a direction, with each square behind it."""
    line = list(_line(said, square, step))
    seen = [place for place, at in enumerate(line) if at in men]
    if not seen or men[line[seen[0]]].lower() == man.lower() or (man.islower() and seen[0]):
        return
    behind = line[seen[0] + 1 : seen[1] if seen[1:] else None]
    yield from ((line[seen[0]], goal) for goal in (behind if man.isupper() else behind[:1]))
