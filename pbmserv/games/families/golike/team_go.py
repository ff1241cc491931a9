"""Team go: two against two at one board, who put down stones in turn and may not talk about them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import cast

from pbmserv.games.base import Options, Outcome, Picture, Seat, Step, View
from pbmserv.games.base.evaluation import Choice
from pbmserv.games.base.grid import replaced
from pbmserv.games.territory.go import Go, phases
from pbmserv.rng import Rng

_SEATS = 4


@dataclass(frozen=True, slots=True)
class Turns(phases.Position):
    """`turn` is that of a colour. `movers`: by colour, which seat moves next for it; `out`: the seats that left."""

    movers: tuple[Seat, ...] = (0, 1)
    out: tuple[Seat, ...] = ()


class TeamGo(Go):
    """Four players, no chance, nothing hidden. Seats 0 and 2 are Black, 1 and 3 White."""

    info = replace(
        Go.info,
        key="teamgo",
        name="Team Go",
        family="go",
        aliases=("rengo", "pairgo"),
        summary="Go of two against two: partners put down stones in turn.",
        seats=(_SEATS,),
        credit="Go, as it is played in pairs in Japan.",
    )
    names = ("Black 1", "White 1", "Black 2", "White 2")
    position_type = Turns
    formats = ()  # SGF has two players

    def teams(self, seats: int) -> tuple[int, ...]:
        return tuple(seat % 2 for seat in range(seats))

    def setup(self, options: Options, seats: int, rng: Rng) -> Turns:
        return _with(super().setup(options, seats, rng), Turns(""))

    def to_move(self, position: phases.Position) -> frozenset[Seat]:
        return frozenset() if self.end(position) else frozenset({_own(position).movers[position.turn]})

    def apply(self, position: phases.Position, seat: Seat, move: str, rng: Rng) -> Step[phases.Position]:
        """The partner has the next turn of the colour, unless the partner has left."""
        step, now = super().apply(position, seat % 2, move, rng), _own(position)
        partner = (seat + 2) % _SEATS
        if step.position.turn != position.turn and partner not in now.out:
            now = replace(now, movers=replaced(now.movers, seat % 2, partner))
        return replace(step, position=_with(step.position, now))

    def retire(self, position: phases.Position, seat: Seat, rng: Rng) -> Step[phases.Position]:
        """The partner plays on alone."""
        now, partner = _own(position), (seat + 2) % _SEATS
        movers = replaced(now.movers, seat % 2, partner) if partner not in now.out else now.movers
        return Step(replace(now, out=(*now.out, seat), movers=movers))

    def rejoin(self, position: phases.Position, seat: Seat) -> phases.Position:
        now = _own(position)
        return replace(now, out=tuple(other for other in now.out if other != seat))

    def outcome(self, position: phases.Position) -> Outcome | None:
        outcome = super().outcome(position)
        return outcome and replace(outcome, ranks=outcome.ranks * 2, scores=outcome.scores * 2)

    def position_key(self, position: phases.Position) -> str:
        return f"{super().position_key(position)}{_own(position).movers}{_own(position).out}"

    # Go knows two seats, which are colours.

    def why_not(self, position: phases.Position, seat: Seat, text: str) -> str:
        return super().why_not(position, seat % 2, text)

    def example(self, position: phases.Position, seat: Seat) -> str:
        return super().example(position, seat % 2)

    def evaluate(self, position: phases.Position, seat: Seat) -> float:
        return super().evaluate(position, seat % 2)

    def choice(self, position: phases.Position, seat: Seat, nodes: int, rng: Rng) -> Choice:
        return super().choice(position, seat % 2, nodes, rng)

    def agreement(self, view: View[phases.Position], rng: Rng) -> Sequence[str]:
        return super().agreement(_as_colour(view), rng)

    def picture(self, view: View[phases.Position]) -> Picture:
        return super().picture(_as_colour(view))


def _own(position: phases.Position) -> Turns:
    """Return a position as that of this game, which it is: Go is told in its own."""
    return cast(Turns, position)


def _with(position: phases.Position, before: Turns) -> Turns:
    """Return a position of go with the seats of another one."""
    values = {field.name: getattr(position, field.name) for field in fields(phases.Position)}
    return Turns(**values, movers=before.movers, out=before.out)


def _as_colour(view: View[phases.Position]) -> View[phases.Position]:
    """Return the view of the colour of a seat; what only who is to move reads is not for the partner."""
    seat, turn = view.seat, view.position.turn
    is_waiting = seat is not None and seat % 2 == turn and seat != _own(view.position).movers[turn]
    return View(None if seat is None or is_waiting else seat % 2, view.position)
