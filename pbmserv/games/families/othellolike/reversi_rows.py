"""Games like othello as rows of data."""

from dataclasses import dataclass, field
from typing import ClassVar

from pbmserv.games.families import GameRow


@dataclass(frozen=True, eq=False, repr=False)
class Reversi(GameRow):
    """What is special about a game like othello.

    `side`: squares of a side, an even number up to 10. `loses`: who has most discs has lost. `free`: players put down
    the first four discs themselves, in the middle.
    """

    side: int = 8
    loses: bool = False
    free: bool = False
    family: str = field(default="othello", kw_only=True)
    page: str = field(default="othellolike", kw_only=True)
    kind: ClassVar[str] = "territory"


ROWS = (
    Reversi(
        "reversi6",
        "Small Reversi",
        "Othello on a board of six by six.",
        credit="Reversi (London, about 1883).",
        aliases=("othello6",),
        side=6,
    ),
    Reversi(
        "reversi10",
        "Large Reversi",
        "Othello on a board of ten by ten.",
        credit="Reversi (London, about 1883).",
        aliases=("othello10",),
        side=10,
    ),
    Reversi(
        "losingreversi",
        "Losing Reversi",
        "The player who owns fewest discs at the end wins.",
        credit="Reversi (London, about 1883).",
        aliases=("antireversi", "antiothello"),
        loses=True,
    ),
    Reversi(
        "oldreversi",
        "Old Reversi",
        "Players put the first four discs into the middle themselves.",
        credit="Lewis Waterman, Reversi (London, 1883).",
        aliases=("freereversi",),
        free=True,
    ),
)
