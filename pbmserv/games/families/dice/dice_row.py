"""Games of dice at one table: what a row says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from pbmserv.games.base import Option
from pbmserv.games.families import GameRow

Dice = tuple[int, ...]  #: the faces, in ascending order
Worth = Callable[[Dice], int]  #: the points of dice

SEATS = tuple(range(2, 9))


@dataclass(frozen=True, eq=False, repr=False)
class DiceRow(GameRow):
    """A game. `options`: as in `Info`."""

    family: str = field(default="yacht", kw_only=True)
    page: str = field(default="yacht", kw_only=True)
    options: tuple[Option, ...] = field(default=(), kw_only=True)
    kind: ClassVar[str] = "race"


@dataclass(frozen=True, eq=False, repr=False)
class BoxRow(DiceRow):
    """Points are written in boxes. `boxes`: by the name in moves; each is filled `times` times.

    `dice`, `throws`: how many there are in a turn. `bonus`: for so many points in the boxes of the six faces, so many
    more. `keeps`: what can be kept: "" anything, MORE: kept dice stay, and each throw needs one more; CREW: a 6, a 5
    and a 4 in this order first. `low`: the fewest points win.
    """

    boxes: Mapping[str, Worth]
    times: int = 1
    dice: int = 5
    throws: int = 3
    bonus: tuple[int, int] = (0, 0)
    keeps: str = ""
    low: bool = False

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The first place of each box in a sheet."""
        return {box: n * self.times for n, box in enumerate(self.boxes)}


MORE, CREW = "more", "crew"


@dataclass(frozen=True, eq=False, repr=False)
class PotRow(DiceRow):
    """Points of a turn are at stake until the player stops. `target`: so many points end the game.

    `worth`: the points of a throw; 0: those of the turn are lost, -1: all are. `aside`: not the whole throw counts, but
    the dice that are set aside, the others are thrown again; `entry`: the first turn that counts has so many points.
    """

    worth: Worth = sum
    target: int = 100
    dice: int = 1
    aside: bool = False
    entry: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class CupRow(DiceRow):
    """Dice below cups, and bids. `dice`: in each cup; `lives`: how many lost challenges a player can bear.

    `pairs`: bids are throws of two dice, which only the last bidder has; else all dice of the table count.
    """

    dice: int = 5
    lives: int = 5
    pairs: bool = False
