"""The position: men, dice, and what stands beside the board in a match."""

from dataclasses import dataclass
from typing import ClassVar

from pbmserv.games.base import Seat
from pbmserv.games.race.backgammon.places import OPENING, Dice, Digits, Men, all_off, digits, men_of
from pbmserv.games.race.backgammon.throws import Throw

NOBODY = -1
NAMES = ("White", "Black")
BEFORE_CRAWFORD, CRAWFORD, AFTER_CRAWFORD = range(3)


@dataclass(frozen=True, slots=True)
class Position:
    """A position of backgammon.

    `men`: by seat, as `places.digits` writes them. `dice`: of `turn`, the higher one first; there are none while
    `turn` can double or has to answer a double.

    In a match, `goal` is the points that win it and `score` those of each seat. `owner`: who may double; NOBODY: both
    may. `doubled`: `turn` has to take or to drop. `crawford`: whether the Crawford game is to come, is now, or is over.
    """

    variation: ClassVar[str] = ""  #: what files of gnubg call a game with another set-up

    men: tuple[Digits, Digits] = (digits(OPENING), digits(OPENING))
    turn: Seat = 0
    dice: Dice = ()
    goal: int = 0
    score: tuple[int, int] = (0, 0)
    cube: int = 1
    owner: Seat = NOBODY
    doubled: bool = False
    crawford: int = BEFORE_CRAWFORD
    won: str = ""  #: how the board ended: a key of the endings

    def of(self, seat: Seat) -> Men:
        """Return the men of a seat."""
        return men_of(self.men[seat])

    @property
    def throw(self) -> Throw:
        """The dice of the player to move, and all men."""
        return Throw(men_of(self.men[self.turn]), men_of(self.men[1 - self.turn]), self.dice)

    @property
    def winner(self) -> Seat:
        """Who won the board that is over."""
        first, second = self.score if self.goal else (all_off(self.of(seat)) for seat in (0, 1))
        return 0 if first > second else 1
