"""The course of a game of Go: stones and passes, then the count on which both players have to agree.

After two passes, the player who passed last names dead stones and sends `count`. The other one agrees with `count`,
names other stones and sends `count`, or plays on. So it always is somebody's turn, and nothing is removed that one of
them thinks is alive. docs/adr/0040-counting-by-mail.md has the reasons.
"""

from dataclasses import dataclass, replace

from pbmserv.games.base import Note, Seat, Step
from pbmserv.games.territory.go import area
from pbmserv.games.territory.go.stones import placed

NAMES = ("Black", "White")
MOST_NAMED = 20  #: groups that can be named in one turn: each naming begins the time of its turn again


@dataclass(frozen=True, slots=True)
class Count:
    """Both have passed. `second`: who passed last; `dead`: the points of dead stones, in ascending order.

    `offered`: those with which the opponent wants to count; None: nobody has said so. `named`: how often the seat to
    move has named stones in this turn. `agreed`: the game is over.
    """

    second: Seat
    dead: tuple[int, ...] = ()
    offered: tuple[int, ...] | None = None
    named: int = 0
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """`points`: X for Black, O for White or a dot for each point, a1 b1 …; `komi` in halves of a point.

    `taken`: how many stones each seat has captured; `seen`: the numbers of all positions so far, the present one last;
    `passed`: the last turn was a pass; `resumed`: they could not agree, and no stone was put down since. Then two
    passes count the board as it stands.
    """

    points: str
    turn: Seat = 0
    komi: int = 15
    handicap: int = 0
    taken: tuple[int, int] = (0, 0)
    seen: tuple[int, ...] = ()
    passed: bool = False
    resumed: bool = False
    count: Count | None = None

    @property
    def is_over(self) -> bool:
        """Whether the board has been counted."""
        return self.count is not None and self.count.agreed

    @property
    def counted(self) -> str:
        """The points as they are counted: without the dead stones."""
        return area.cleared(self.points, self.count.dead) if self.count else self.points

    @property
    def halves(self) -> tuple[int, int]:
        """The area of each seat in halves of a point. White also has the komi, and a point for each handicap stone."""
        black, white = (2 * area.area(self.counted, seat) for seat in range(len(NAMES)))
        return black, white + self.komi + 2 * self.handicap


def with_stone(position: Position, point: int) -> Step[Position]:
    """Return the position after the seat to move has put a stone on a point where it may. Raises ValueError."""
    seat = position.turn
    after = placed(position.points, position.seen[-1], seat, point)
    if after is None:
        raise ValueError(f"suicide on {point}")
    taken, count = position.taken, len(after.taken)
    if count:
        taken = (taken[0] + count, taken[1]) if seat == 0 else (taken[0], taken[1] + count)
    seen = (*position.seen, after.key)
    told = f"{NAMES[seat]} captures {count} stones." if count > 1 else f"{NAMES[seat]} captures 1 stone."
    notes = (Note(told),) if count else ()
    return Step(Position(after.points, 1 - seat, position.komi, position.handicap, taken, seen), notes)


def with_pass(position: Position) -> Step[Position]:
    """Return the position after a pass. After the second one, the player who passed begins the count."""
    seat = position.turn
    if not position.passed:
        return Step(replace(position, turn=1 - seat, passed=True))
    if position.resumed:
        count = Count(seat, agreed=True)
        return Step(
            replace(position, count=count), (Note("Both have passed again: the board is counted as it stands."),)
        )
    return Step(replace(position, count=Count(seat)), (Note(f"Both have passed. {NAMES[seat]} begins the count."),))


def with_group(position: Position, count: Count, point: int, *, dead: bool) -> Step[Position]:
    """Return the position after the stones that belong together with one on this point were named."""
    group = area.groups(position.points)[point]
    left = set(count.dead) | set(group) if dead else set(count.dead) - set(group)
    after = replace(count, dead=tuple(sorted(left)), named=count.named + 1)
    return Step(replace(position, count=after))


def with_offer(position: Position, count: Count) -> Step[Position]:
    """Return the position after `count`: over if the opponent wants the same count, else it is the opponent's turn."""
    if count.offered == count.dead:
        return Step(replace(position, count=replace(count, agreed=True)))
    after = replace(count, offered=count.dead, named=0)
    return Step(replace(position, turn=1 - position.turn, count=after))


def played_on(position: Position, count: Count) -> Step[Position]:
    """Return the position in which they play on: it is the turn of the player who did not pass last."""
    after = replace(position, turn=1 - count.second, passed=False, resumed=True, count=None)
    return Step(after, (Note("They play on. If both pass now, the board is counted as it stands."),))
