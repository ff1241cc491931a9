"""Tafl as rows of data."""

from dataclasses import dataclass, field

from pbmserv.games.families import GameRow


@dataclass(frozen=True, eq=False, repr=False)
class Tafl(GameRow):
    """What is special about a game of tafl.

    `setup`: rows from the top: `a` attacks, `d` defends, `k` is the king, on his throne, a number is so many empty
    squares. `corners`: the king must reach one of them, and only he stops there; else any square of the edge.
    `walled`: nobody comes to the throne again or crosses it, and it helps to capture the last man beside a king who is
    shut in there; else it is crossed, and the king can go back. `strong`: four capture the king everywhere; else
    two do, away from the throne. `encircled`: attackers win when nobody can get through to the edge. `weakest`: how
    many positions robots of level 1 may make.
    """

    setup: str
    corners: bool = True
    walled: bool = False
    strong: bool = False
    encircled: bool = False
    weakest: int = 60
    family: str = field(default="hnefatafl", kw_only=True)
    page: str = field(default="tafl", kw_only=True)


ROWS = (
    Tafl(
        "hnefatafl",
        "Hnefatafl",
        "Bring the king to a corner, or stop it with twice as many men.",
        "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3",
        credit="old boards, and the rules of the Fetlar Hnefatafl Panel (2008).",
        family="",
        aliases=("tafl", "fetlar", "vikingchess"),
        strong=True,
        encircled=True,
    ),
    Tafl(
        "brandubh",
        "Brandubh",
        "The small tafl of Ireland: five against eight, and two can capture the king.",
        "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3",
        credit="old boards of Ireland, and the rules of the World Tafl Federation.",
        aliases=("brandub",),
        weakest=12,
    ),
    Tafl(
        "tablut",
        "Tablut",
        "The tafl of Lapland: the king must reach the edge, and cannot go back.",
        "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3",
        credit="the diary of Carl Linnaeus (1732), as John C. Ashton read it (2010).",
        corners=False,
        walled=True,
    ),
)
