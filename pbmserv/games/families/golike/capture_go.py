"""Capture go: who first takes stones has won. How many is an option, and so is the size of the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import tanh
from typing import cast

from pbmserv.games.base import (
    OWN,
    PASS,
    Info,
    InTurn,
    Numbers,
    Option,
    Options,
    Outcome,
    Picture,
    Seat,
    Step,
    View,
    bits,
)
from pbmserv.games.base.sheet import Sheet
from pbmserv.games.formats.sgf import Properties
from pbmserv.games.territory.go import POINT, Go, phases
from pbmserv.games.territory.go.influence import chains
from pbmserv.games.territory.go.lattice import SIZES, lattice_of
from pbmserv.games.territory.go.picture import picture_of
from pbmserv.games.territory.go.sgf import DIALECT
from pbmserv.games.territory.go.stones import EMPTY, SIGNS, allowed, key_of, placed
from pbmserv.rng import Rng

_USUAL = 9


@dataclass(frozen=True, slots=True)
class Race(phases.Position):
    """`goal`: so many stones must be taken; `over`: how the board ended."""

    goal: int = 1
    over: str = ""


def _own(position: phases.Position) -> Race:
    """Return a position as that of this game, which it is: Go is told in its own."""
    return cast(Race, position)


def _root(sheet: Sheet) -> Properties:
    first: Race = sheet.first
    return {"SZ": [str(lattice_of(first.points).size)], "RU": [f"capture={first.goal}"]}


class CaptureGo(Go):
    """Two players, no chance, nothing hidden. Nobody passes, so there is no count."""

    info = Info(
        key="capturego",
        name="Capture Go",
        kind="territory",
        page="golike",
        family="go",
        aliases=("atarigo", "firstcapture"),
        summary="Who first takes a stone wins, on a small board and without passes.",
        seats=(2,),
        pattern=f"{POINT}|{PASS}",
        endings={"taken": "enough stones are taken", "nomove": "the opponent cannot move"},
        repetition=OWN,  # superko: such a move is not legal
        credit="a way to begin with Go, taught by Yasutoshi Yasuda.",
        options=(
            Option(
                "size",
                "points of a side, an odd number from 5, if not 9",
                values=tuple(str(size) for size in SIZES if size != _USUAL),
                usual=str(_USUAL),
            ),
            Option("captures", "stones that must be taken to win, if not 1", numbers=Numbers(2, 20), usual="1"),
        ),
    )
    position_type = Race
    formats = (replace(DIALECT, root=_root, margin=lambda _: "").format,)

    def setup(self, options: Options, seats: int, rng: Rng) -> Race:
        points = EMPTY * int(options.get("size", _USUAL)) ** 2
        return Race(points, komi=0, seen=(key_of(points),), goal=int(options.get("captures", 1)))

    def legal_moves(self, position: phases.Position, seat: Seat) -> Sequence[str]:
        names = lattice_of(position.points).names
        return tuple(names[p] for p in allowed(position.points, position.seen[-1], seat, position.seen))

    def why_not(self, position: phases.Position, seat: Seat, text: str) -> str:
        if text == PASS:
            return "'pass' is not possible: nobody passes here."
        return super().why_not(position, seat, text)

    def apply(self, position: phases.Position, seat: Seat, move: str, rng: Rng) -> Step[phases.Position]:
        step, goal = phases.with_stone(position, lattice_of(position.points).numbers[move]), _own(position).goal
        now = Race(**{f.name: getattr(step.position, f.name) for f in fields(phases.Position)}, goal=goal)
        free = allowed(now.points, now.seen[-1], now.turn, now.seen)
        over = "taken" if now.taken[seat] >= now.goal else "" if next(free, None) is not None else "nomove"
        return Step(replace(now, over=over) if over else now, step.notes)

    def end(self, position: phases.Position) -> str:
        return _own(position).over

    def outcome(self, position: phases.Position) -> Outcome | None:
        return InTurn.outcome(self, position)

    def evaluate(self, position: phases.Position, seat: Seat) -> float:
        """Stones taken, then chains with few liberties; those of who is to move can still run."""
        size, taken, goal = lattice_of(position.points).size, position.taken, _own(position).goal
        free, *pieces = (bits.of(position.points, size, sign) for sign in (EMPTY, *SIGNS))
        value = 4.0 * (taken[seat] - taken[1 - seat]) / goal
        for side, sign in ((seat, 1), (1 - seat, -1)):
            for stones, liberties in chains(pieces[side], free, size):
                danger = {1: 3.0 if side != position.turn else 1.0, 2: 0.6}.get(liberties, 0.0)
                value += sign * (0.02 * min(liberties, 8) - danger * min(stones, goal) / goal)
        return tanh(value / 2)

    def loud(self, position: phases.Position, seat: Seat) -> Sequence[str]:
        """Moves that take stones."""
        lattice, points, key = lattice_of(position.points), position.points, position.seen[-1]
        own = SIGNS[1 - seat]
        near = (p for p, stone in enumerate(points) if stone == EMPTY)
        beside = (p for p in near if any(points[there] == own for there in lattice.neighbours[p]))
        after = {p: placed(points, key, seat, p) for p in beside}
        return [lattice.names[p] for p, now in after.items() if now and now.taken and now.key not in position.seen]

    def choice(self, position: phases.Position, seat: Seat, nodes: int, rng: Rng) -> None:  # type: ignore[override]
        """The thinking of go counts areas, so it is not for this game."""

    def agreement(self, view: View[phases.Position], rng: Rng) -> Sequence[str]:
        return ()

    def in_points(self, value: float) -> None:  # type: ignore[override]  # the game is not about points
        pass

    def picture(self, view: View[phases.Position]) -> Picture:
        black, white = view.position.taken
        line = f"Captured: by Black {black}, by White {white}. To win: {_own(view.position).goal}"
        return replace(picture_of(view.position, view.seat), lines=(line,))

    def help_facts(self) -> Mapping[str, object]:
        """Return a drawn turn: `position`, in which `text` takes a stone."""
        luck = Rng("help-capturego", 0)
        position: phases.Position = self.setup({"size": "5"}, 2, luck)
        while not (takes := self.loud(position, position.turn)):
            move = luck.choice(self.legal_moves(position, position.turn))
            position = self.apply(position, position.turn, move, luck).position
        return {"position": position, "player": self.names[position.turn], "text": takes[0].upper()}
