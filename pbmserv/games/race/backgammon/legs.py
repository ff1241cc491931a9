"""How a turn, which is one move (ADR 41), is written: `24/18+13/11`, `8/5(2)`, `bar/22`, `6/off`, `24/18*/13`.

A star behind a point says that a man is hit there.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pbmserv.games.race.backgammon.places import BAR, OFF

Step = tuple[int, int]  #: from a place to a place, with one die
Steps = tuple[Step, ...]

MOST_STEPS = 4
_NAMES = ("off", *map(str, range(1, BAR)), "bar")
_NUMBERS = {name: place for place, name in enumerate(_NAMES)} | {"b": BAR, "25": BAR, "o": OFF, "0": OFF}
_POINT = "(?:2[0-4]|1[0-9]|[1-9])"
_LEG = rf"(?:bar|{_POINT})(?:/{_POINT}\*?)*/(?:{_POINT}\*?|off)"
#: Any number of legs has the form of a turn, so that a refusal can say that there are too many.
PATTERN = rf"{_LEG}(?:\([2-4]\))?(?:\+{_LEG}(?:\([2-4]\))?)*"
_PART = re.compile(
    rf"(?P<path>(?:bar|b|25|{_POINT})(?:[-/]{_POINT}\*?)*[-/](?:{_POINT}\*?|off|o|0))(?:\((?P<times>[1-4])\))?"
)
_SIGN = re.compile("[-/]")
_BETWEEN = re.compile(r"[\s+,;]+")
#: What is said besides points.
SAID_SIGNS = {
    **dict.fromkeys(("hit", "hits", "hitting", "schlägt", "schlagend"), "*"),
    **dict.fromkeys(("twice", "zweimal", "(2)"), "(2)"),
    **dict.fromkeys(("and", "then", "und", "dann"), ""),
    **dict.fromkeys(("times", "mal"), "times"),
    "bar": "bar",
    **dict.fromkeys(("off", "raus", "aus"), "off"),
}
_TO, _MARKS, _OFF = re.compile(" ?[-/] ?"), re.compile(r" (?=[*(])"), re.compile("(?<=[0-9]) off")
_LONGEST = 100  #: characters of a text that can be a turn


class Leg(NamedTuple):
    """What one man does, or the part of it that is written without a blank. `stars`: where it hits, as written."""

    path: tuple[int, ...]
    stars: frozenset[int] = frozenset()

    def facing(self, across: Sequence[int]) -> "Leg":
        """Return the same as the opponent counts the points. `across`: the opponent's number of each place."""
        return Leg(tuple(across[place] for place in self.path), frozenset(across[place] for place in self.stars))

    def __str__(self) -> str:
        return "/".join([_NAMES[place] + "*" * (place in self.stars) for place in self.path])


def legs_of(text: str) -> tuple[Leg, ...]:
    """Return the legs in a text; none if it is not a turn."""
    return () if len(text) > _LONGEST else _legs_of(text)


@lru_cache(maxsize=1 << 12)  # each text is read several times on its way
def _legs_of(text: str) -> tuple[Leg, ...]:
    legs: list[Leg] = []
    for part in _BETWEEN.split(text):
        match = _PART.fullmatch(part)
        if match is None:
            return ()
        names = _SIGN.split(match["path"])
        path = tuple([_NUMBERS[name.rstrip("*")] for name in names])
        stars = frozenset([place for place, name in zip(path, names, strict=True) if name[-1] == "*"])
        legs += [Leg(path, stars)] * int(match["times"] or 1)
    return tuple(legs) if len(legs) <= MOST_STEPS else ()


@lru_cache(maxsize=1 << 12)
def joined(legs: tuple[Leg, ...]) -> str:
    """Return the text of some legs, from the back to the front; equal ones are counted."""
    order = sorted(legs, key=lambda leg: (leg.path, sorted(leg.stars)), reverse=True)
    counted = {leg: order.count(leg) for leg in order}
    return "+".join(f"{leg}({count})" if count > 1 else str(leg) for leg, count in counted.items())


def said_turn(words: Sequence[str]) -> str:
    """Return the text of a turn that somebody says: `24 - 18 * 13 - 11`, or pairs of points."""
    told = re.sub(" ([2-4]) times", r"(\1)", " ".join(words))
    told = _OFF.sub("/off", _MARKS.sub("", _TO.sub("/", told)))
    if "/" in told:
        return told
    pairs = tuple(zip(words[::2], words[1::2], strict=False))
    return " ".join(map("/".join, pairs)) if len(words) == 2 * len(pairs) else ""


def spoken_turn(text: str) -> str:
    """Return a turn as `said_turn` reads it: `13 to 11 twice, 6 to 4 hits`."""
    signs = {" ": ", ", "/": " to ", "*": " hits", "(2)": " twice", "(3)": ", 3 times", "(4)": ", 4 times"}
    return re.sub(r"[ /*]|\([2-4]\)", lambda sign: signs[sign[0]], text)


@lru_cache(maxsize=1 << 16)
def written(steps: Steps, hits: frozenset[int]) -> str:
    """Return the text of a turn. Turns that lead to the same position have the same text.

    The steps of one man are one leg, which names the points where it hits. `hits`: all points where a man is hit.
    """
    ways: list[list[int]] = []
    left, legs = set(hits), list[Leg]()
    for place, there in sorted(steps, reverse=True):
        going = [way for way in ways if way[-1] == place]
        if going:
            going[-1].append(there)
        else:
            ways.append([place, there])
    for way, count in {tuple(way): ways.count(way) for way in ways}.items():
        stars = frozenset(left.intersection(way[1:]))
        left -= stars
        shown = (way[0], *(place for place in way[1:-1] if place in stars), way[-1])
        legs += [Leg(shown, stars)] * count
    return joined(tuple(legs))
