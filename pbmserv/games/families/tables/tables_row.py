"""A game of tables as a row of data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from pbmserv.games.families import GameRow
from pbmserv.games.race.backgammon.places import ACROSS, BAR, Men

HALF = 12  #: points of half of the way
START = 24  #: where the men of most games begin
HOLD_ALONE, HOLD_BY_TWO = 1, 2
AGAINST, ROUND, ALIKE = "against", "round", "alike"
HIT, PIN_DOWN, BLOCK = "hit", "pin", "block"
_FACING = {
    AGAINST: ACROSS,
    ROUND: (0, *((point + HALF - 1) % START + 1 for point in range(1, BAR)), BAR),
    ALIKE: tuple(range(BAR + 1)),
}


@dataclass(frozen=True, eq=False, repr=False)
class Table(GameRow):
    """What is special about a game; what is not named is as in backgammon. Players count points from their own side.

    `start`: place -> men of each player at the beginning; 25 is outside of the board.
    `cube`: it has the match and the doubling cube. Then only `start` can differ from backgammon.
    `gnubg`: what files of gnubg call a game with the cube, if it knows it.
    `runs`: the opponent runs AGAINST, or the same way: ROUND from the point 12 points further, or ALIKE from the same.
    `meets`: a single man of the opponent is hit (HIT), is pinned below the man who comes (PIN_DOWN), or holds its
    point (BLOCK). `dice`: how many. `doubles`: how many men move with a double.
    `head`: so many men may leave the first point in a turn, 0: any; with the doubles of `head_twice`, two in the first.
    `scout`: the first man must be past the opponent's start before another leaves.
    `no_block_at_start`: never six points in a row in the first quarter, nor just before all men of the opponent.
    `no_block_behind`: never six points in a row without a man of the opponent before them.
    `mother`: the last man on the first point, who loses the game when pinned there.
    `hits_from_home`: nobody hits before a man of theirs is at home.
    `half_waits`: no man goes beyond half the way while others are outside; else those who are outside move first.
    """

    start: Mapping[int, int]
    cube: bool = False
    gnubg: str = ""
    runs: str = AGAINST
    meets: str = HIT
    dice: int = 2
    doubles: int = 4
    head: int = 0
    head_twice: tuple[int, ...] = ()
    scout: bool = False
    no_block_at_start: bool = False
    no_block_behind: bool = False
    mother: bool = False
    hits_from_home: bool = False
    half_waits: bool = False
    family: str = field(default="backgammon", kw_only=True)
    page: str = field(default="tables", kw_only=True)
    kind: ClassVar[str] = "race"

    @cached_property
    def opening(self) -> Men:
        """The men of each player at the beginning."""
        return tuple(self.start.get(place, 0) for place in range(BAR + 1 + START * (self.meets == PIN_DOWN)))

    @cached_property
    def facing(self) -> tuple[int, ...]:
        """The number that the opponent gives to each place of a player."""
        return _FACING[self.runs]

    @cached_property
    def holds(self) -> int:
        """How many men hold a point."""
        return HOLD_ALONE if self.meets == BLOCK else HOLD_BY_TWO
