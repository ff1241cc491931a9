"""A mancala game as a row of data, its positions and its moves."""

from dataclasses import dataclass, field
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.families import GameRow

MOST_LAPS = 300  #: sowings of one turn; then it ends where the last seed has fallen, since some would never end


@dataclass(frozen=True, eq=False, repr=False)
class Sowing(GameRow):
    """What a game is. What is not named is so: each player has one row of pits, and captured seeds leave the board.

    `lay`: the seeds of the pits of a player, a digit each, from the own left; a second row follows from the right.
    `choices`: other numbers of seeds for each pit, as an option. `through_store`: seeds fall into the own store, too;
    whose last seed does moves again. `stays`: the first of several seeds stays in its pit. `relay`: a last seed in a
    pit with seeds takes these up and goes on. `skips`: sowing leaves out the pit where it began.

    What the last seed captures: `opposite`: in an own empty pit, the seeds opposite; `with_last`: and itself.
    `even`: in a pit of the other side, an even number. `tuzdyk`: three there make a pit that captures all later seeds.

    Ends: `half`: more than half of the seeds win. `early`: as soon as one side is empty, else when who is to move has
    no move. `passes`: they miss a turn instead, while there are seeds. `feeds`: an empty other side must get seeds.
    `finisher_takes`: who has an empty side gets the seeds that are left; else each player gets those of the own side.

    With two rows for each player captured seeds are sown again, and who cannot move loses. `head`: where sowing of
    captured seeds begins: at an end of the front row, else behind the last seed. `stock`: seeds that are entered one
    by one; then there are houses. `both_ways`: the player chooses where to go. `front`: an empty front row loses.
    """

    lay: str
    rows: int = 1
    choices: tuple[str, ...] = ()
    through_store: bool = False
    stays: bool = False
    relay: bool = False
    skips: bool = False
    opposite: bool = False
    with_last: bool = False
    even: bool = False
    tuzdyk: bool = False
    half: bool = False
    early: bool = False
    passes: bool = False
    feeds: bool = False
    finisher_takes: bool = False
    stock: int = 0
    head: bool = False
    both_ways: bool = False
    front: bool = False
    family: str = field(default="oware", kw_only=True)
    page: str = field(default="mancala", kw_only=True)

    @property
    def width(self) -> int:
        """The number of pits in a row."""
        return len(self.lay) // self.rows


class Move(NamedTuple):
    """A pit; with a choice of direction, where the first seed falls and the way on the own pits, +1 or -1.

    `safari`: the sowing goes on from the player's house, if it comes there.
    """

    pit: int
    first: int = -1
    way: int = 1
    safari: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """`pits`: the seeds of South's pits, then North's, in the order of `lay`; with one row, that is around the board.

    `stores`: captured seeds by seat; with a stock, those that are not yet entered. `marked`: the tuzdyk or the house of
    each seat, -1 for none. `barred`: a pit that may not be played now. `ended`: the ending, "" while the game goes on.
    At the end `turn` is the loser's, or says nothing in games with stores.
    """

    pits: tuple[int, ...]
    stores: tuple[int, int] = (0, 0)
    turn: Seat = 0
    marked: tuple[int, int] = (-1, -1)
    barred: int = -1
    ended: str = ""


class Turn(NamedTuple):
    """What a move leads to. `captured`: how many seeds. `endless`: it was stopped. `missed`: who has no move now."""

    position: Position
    captured: int = 0
    endless: bool = False
    missed: tuple[Seat, ...] = ()
