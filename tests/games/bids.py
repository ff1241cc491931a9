"""A tiny game for the tests of hidden moves: in each round all players bid at the same time, in secret."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbmserv.games.base import Game, Info, Note, Options, Outcome, Played, Seat, Step, View
from pbmserv.rng import Rng

ROUNDS = 3
NOBODY_KNOWS = -1  #: what a view shows in place of a bid


@dataclass(frozen=True)
class Position:
    """`bids`: those of this round, by seat; None: not yet. `sums`: those of the rounds that are over."""

    bids: tuple[int | None, ...]
    sums: tuple[int, ...]
    round: int = 1


class Bids(Game[Position, str]):
    """Bid from 1 to 9 in three rounds. The highest sum wins. Who bids 7 whispers to the next seat that it was a 7."""

    info = Info(
        key="bids",
        name="Bids",
        summary="Bid more than the others.",
        seats=(2, 3),
        pattern="[1-9]",
        endings={"bids": "all have bidden"},
        credit="Made for the tests of pbmserv.",
        hidden=True,
    )
    position_type = Position

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position((None,) * seats, (0,) * seats)

    def to_move(self, position: Position) -> frozenset[Seat]:
        if position.round > ROUNDS:
            return frozenset()
        return frozenset(seat for seat, bid in enumerate(position.bids) if bid is None)

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return list("123456789")

    def format(self, move: str) -> str:
        return move

    def public_text(self, move: Played[Position], reader: Seat | None) -> str:
        return "bid" if move.before.round == move.now.round else move.text

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        seats = len(position.bids)
        notes = (Note("That was a 7.", frozenset({(seat + 1) % seats})),) if move == "7" else ()
        bids = tuple(int(move) if s == seat else bid for s, bid in enumerate(position.bids))
        if None in bids:
            return Step(replace(position, bids=bids), notes)
        sums = tuple(old + (bid or 0) for old, bid in zip(position.sums, bids, strict=True))
        return Step(Position((None,) * seats, sums, position.round + 1), notes)

    def outcome(self, position: Position) -> Outcome | None:
        if position.round <= ROUNDS:
            return None
        return Outcome("bids", tuple(1 + sum(x > mine for x in position.sums) for mine in position.sums))

    def view(self, position: Position, seat: Seat | None) -> View[Position]:
        known = enumerate(position.bids)
        return View(
            seat, replace(position, bids=tuple(b if b is None or s == seat else NOBODY_KNOWS for s, b in known))
        )

    def scene(self, view: View[Position]) -> Mapping[str, Any]:
        return {"round": view.position.round, "bids": view.position.bids, "sums": view.position.sums}
