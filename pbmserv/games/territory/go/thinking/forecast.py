"""What a robot does when the game is nearly over: it passes, names dead stones, and agrees to a fair count.

It plays the board to its end many times (see `playout`). Who owns a point in nearly all of these games owns it.
"""

from typing import NamedTuple

from pbmserv.games.base import PASS, Seat
from pbmserv.games.territory.go import area
from pbmserv.games.territory.go.lattice import lattice_of
from pbmserv.games.territory.go.phases import MOST_NAMED, Count, Position
from pbmserv.games.territory.go.sgf import COUNT, RESUME
from pbmserv.games.territory.go.stones import EMPTY, SIGNS
from pbmserv.games.territory.go.thinking.field import NOWHERE, Field, each
from pbmserv.games.territory.go.thinking.playout import Dice, Playout
from pbmserv.games.territory.go.thinking.shapes import Shapes
from pbmserv.rng import Rng

_GAMES = 100  #: they take a tenth of a second on 9x9, and half a second on 19x19
_DEAD = 0.6  #: a group is dead if the enemy owns its points in this part of the games
_SURE = 0.7  #: a point is not open any more if the same colour owns it in this part of the games
_CLEAR = 0.85  #: the same before a robot passes first
_PATIENCE = 5  #: of so many counts that are too good for a robot, it answers one by playing on
_LEAST = 0.5  #: part of the board that has stones before the end is thought about


class _Forecast(NamedTuple):
    """How the board will end. `black`: in which part of the games Black owned each point."""

    points: str
    black: tuple[float, ...]
    komi: float

    @property
    def dead(self) -> tuple[int, ...]:
        """Return the points of the dead stones, in ascending order."""
        dead = list[int]()
        for first, group in area.groups(self.points).items():
            owned = sum(self.black[point] for point in group) / len(group)
            if first == group[0] and (1 - owned if self.points[first] == SIGNS[0] else owned) >= _DEAD:
                dead += group
        return tuple(sorted(dead))

    @property
    def lead(self) -> float:
        """Return by how many points Black will be ahead, if each point belongs to who owned it more often."""
        return sum(1 if owned >= 0.5 else -1 for owned in self.black) - self.komi

    @property
    def is_settled(self) -> bool:
        """Whether what is still open cannot change who wins."""
        return abs(self.lead) > 2 * self._open(_SURE)

    @property
    def is_clear(self) -> bool:
        """Whether nothing is open, so that nobody has to move any more."""
        return not self._open(_CLEAR)

    def _open(self, sure: float) -> int:
        return sum(1 - sure < owned < sure for owned in self.black)

    def counted(self, dead: tuple[int, ...]) -> float:
        """Return by how many points Black is ahead if the board is counted with these dead stones."""
        points = area.cleared(self.points, dead)
        return area.area(points, 0) - area.area(points, 1) - self.komi


def agreed(position: Position, seat: Seat, rng: Rng) -> tuple[str, ...]:
    """Return the moves of a robot that passes or counts; none while it is to put stones on the board."""
    if position.count:
        return _count(position, position.count, seat, rng)
    stones = len(position.points) - position.points.count(EMPTY)
    if not position.passed and stones < _LEAST * len(position.points):
        return ()
    # Whoever passes first lets the opponent move, who need not pass as well.
    forecast = _forecast(position, seat if position.passed else 1 - seat, rng)
    if not (forecast.is_settled if position.passed else forecast.is_clear):
        return ()
    sign = 1 if seat == 0 else -1
    lead = sign * forecast.lead
    if position.resumed:  # two passes count the board as it stands: first take what is dead
        stands = sign * forecast.counted(())
        return (PASS,) if stands > 0 or lead <= 0 else ()
    return (PASS,)


def _count(position: Position, count: Count, seat: Seat, rng: Rng) -> tuple[str, ...]:
    """Agree to a count with the result of our own, else name what is dead, also of its own, or play on.

    A result that is better for us than our own would not be fair: the opponent forgot stones, or named the wrong ones.
    """
    forecast, sign = _forecast(position, seat, rng), 1 if seat == 0 else -1
    own = forecast.dead
    if count.offered is not None:
        theirs, ours = (_result(sign * forecast.counted(dead)) for dead in (count.offered, own))
        if theirs == ours:
            return (*_names(position, count, count.offered), COUNT)
        # Whoever names stones has thought about it, so to name others to the end of time would lead to no end.
        if count.offered and (theirs < ours or rng.randrange(_PATIENCE) == 0):
            return (RESUME,)
    return (*_names(position, count, own), COUNT)


def _result(lead: float) -> int:
    """Return 1 for a win, 0 for a draw, -1 for a loss."""
    return (lead > 0) - (lead < 0)


def _names(position: Position, count: Count, own: tuple[int, ...]) -> tuple[str, ...]:
    """Return the moves that name stones until these are dead."""
    names, dead = lattice_of(position.points).names, set(count.dead)
    firsts = [group[0] for first, group in area.groups(position.points).items() if first == group[0]]
    changed = [point for point in firsts if (point in dead) != (point in own)]
    words = (f"{'alive' if point in dead else 'dead'}-{names[point]}" for point in changed)
    return tuple(words)[: max(MOST_NAMED - count.named, 0)]


def _forecast(position: Position, seat: Seat, rng: Rng) -> _Forecast:
    """Play the board to its end many times, in which a seat moves first."""
    field, dice = Field(position.points), Dice(rng)
    sums, shapes, numbers = [0] * len(position.points), Shapes(field.ground.size), field.ground.numbers
    for _ in range(_GAMES):
        playout = Playout(field.copy(), dice, shapes, {})
        playout.play(seat, NOWHERE)
        for point in each(playout.field.areas()[0]):
            sums[numbers[point]] += 1
    komi = position.komi / 2 + position.handicap
    return _Forecast(position.points, tuple(n / _GAMES for n in sums), komi)
