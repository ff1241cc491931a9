"""Games like nine men's morris as rows of data."""

from dataclasses import dataclass, field

from pbmserv.games.capture.morris import SLANTED, STRAIGHT
from pbmserv.games.families import GameRow

_THREE = ("a1-b1-c1", "a2-b2-c2", "a3-b3-c3", "a1-a2-a3", "b1-b2-b3", "c1-c2-c3")
#: Two squares; a line of two points only joins them.
_SIX = (
    *("a1-c1-e1", "a5-c5-e5", "a1-a3-a5", "e1-e3-e5", "b2-c2-d2", "b4-c4-d4", "b2-b3-b4", "d2-d3-d4"),
    *("a3-b3", "d3-e3", "c1-c2", "c4-c5"),
)


@dataclass(frozen=True, eq=False, repr=False)
class Mill(GameRow):
    """What is special about a game like morris.

    `lines`: the names of the points on each line, which need a square between two of them to be drawn apart; three
    points are a mill. `men`: of each player. `flies`: three men, all of them down, move to any empty point. `mixes`:
    men may move before all are down. `wins`: who closes a mill has won, and nothing is taken.
    """

    lines: tuple[str, ...]
    men: int
    flies: bool = False
    mixes: bool = False
    wins: bool = False
    family: str = field(default="morris", kw_only=True)
    page: str = field(default="morrislike", kw_only=True)


ROWS = (
    Mill(
        "morris3",
        "Three Men's Morris",
        "Three men each on nine points: who has them in a row wins.",
        (*_THREE, "a1-b2-c3", "a3-b2-c1"),
        3,
        credit="a game of many lands, called tapatan in the Philippines.",
        aliases=("threemensmorris", "tapatan"),
        wins=True,
    ),
    Mill(
        "nineholes",
        "Nine Holes",
        "Three men each that move to any hole: who has them in a row wins.",
        _THREE,
        3,
        credit="a game that stands cut into seats of English cathedrals.",
        flies=True,
        wins=True,
    ),
    Mill(
        "morris5",
        "Five Men's Morris",
        "Mills with five men each, on two squares.",
        _SIX,
        5,
        credit="a game of the Middle Ages.",
        aliases=("fivemensmorris",),
    ),
    Mill(
        "morris6",
        "Six Men's Morris",
        "Mills with six men each, on two squares.",
        _SIX,
        6,
        credit="a game of the Middle Ages.",
        aliases=("sixmensmorris",),
    ),
    Mill(
        "morris12",
        "Twelve Men's Morris",
        "Mills with twelve men each, and diagonal lines.",
        STRAIGHT + SLANTED,
        12,
        credit="a game older than its name.",
        aliases=("twelvemensmorris",),
    ),
    Mill(
        "lasker",
        "Lasker Morris",
        "Mills with ten men each, which may move before all are down.",
        STRAIGHT,
        10,
        credit="Emanuel Lasker, 1931.",
        aliases=("laskermorris", "morris10"),
        flies=True,
        mixes=True,
    ),
)
