"""A tiny game for the tests of boards, with up to four seats, chance, a secret and missed turns."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbmserv import games
from pbmserv.games.base import AnyGame, Game, Info, Note, Option, Options, Outcome, Score, Seat, Step, View, score_of
from pbmserv.rng import Rng
from tests.tools.packages import forget

TEMPLATES = Path(__file__).parents[1] / "conformance" / "templates"  #: with those of these games
HIDDEN = -1  #: what a view shows in place of the secret


@dataclass(frozen=True)
class Position:
    """`pile`: stones left; `taken`: stones of each seat; `secret`: a number that only seats in `known` have seen.

    `half`: everybody has half a point from the beginning.
    """

    pile: int
    secret: int
    taken: tuple[int, ...]
    turn: Seat = 0
    known: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()
    half: bool = False


class Toy(Game[Position, str]):
    """Take one or two stones, roll for one to three, or peek at the secret.

    When the pile is gone, the player with the most stones wins.
    A player who leaves exactly five stones makes the next seat miss its turn.
    """

    info = Info(
        key="toy",
        name="Toy",
        summary="Take stones until none is left.",
        seats=(1, 2, 3, 4),
        pattern="[12]|one|two|roll|peek",
        endings={"empty": "the pile is gone"},
        credit="Made for the tests of pbmserv.",
        options=(Option("big", "twice as many stones"), Option("half", "each player begins with half a stone")),
        chance=True,
        hidden=True,
    )
    position_type = Position

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position(24 if "big" in options else 12, rng.randrange(10), (0,) * seats, half="half" in options)

    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset({position.turn}) if position.pile else frozenset()

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        moves = ["1", "2"][: position.pile]
        return [*moves, *["roll"] * (position.pile > 2), *["peek"] * (seat not in position.known)]

    def format(self, move: str) -> str:
        return move

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        return super().named(position, seat, {"one": "1", "two": "2"}.get(text, text))

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        if move == "peek":
            note = Note(f"The secret is {position.secret}.", frozenset({seat}))
            return self._next(replace(position, known=(*position.known, seat)), (note,), revealed=True)
        stones = 1 + rng.randrange(3) if move == "roll" else int(move)
        taken = (*position.taken[:seat], position.taken[seat] + stones, *position.taken[seat + 1 :])
        after = replace(position, pile=position.pile - stones, taken=taken)
        return self._next(after, (Note(f"Took {stones}."),))

    def outcome(self, position: Position) -> Outcome | None:
        if position.pile:
            return None
        merits = [-1 if seat in position.out else stones for seat, stones in enumerate(position.taken)]
        return Outcome("empty", tuple(1 + sum(x > mine for x in merits) for mine in merits), self.scores(position))

    def scores(self, position: Position) -> tuple[Score, ...]:
        return tuple(score_of(stones + 0.5 * position.half) for stones in position.taken)

    def view(self, position: Position, seat: Seat | None) -> View[Position]:
        return View(seat, position if seat in position.known else replace(position, secret=HIDDEN))

    def retire(self, position: Position, seat: Seat, rng: Rng) -> Step[Position]:
        """Skip the seat's turns from now on. By chance a stone is added to the pile, so that leaving draws."""
        after = replace(position, out=(*position.out, seat), pile=position.pile + rng.randrange(2))
        return self._next(after) if seat == position.turn else Step(after)

    def rejoin(self, position: Position, seat: Seat) -> Position:
        """Give the seat its turns back."""
        return replace(position, out=tuple(other for other in position.out if other != seat))

    def scene(self, view: View[Position]) -> Mapping[str, Any]:
        position = view.position
        secret = "?" if position.secret == HIDDEN else position.secret
        return {"pile": position.pile, "taken": position.taken, "turn": position.turn, "secret": secret}

    def _next(self, position: Position, notes: tuple[Note, ...] = (), *, revealed: bool = False) -> Step[Position]:
        order = self._after(position, position.turn)
        missed = order[:1] if position.pile == 5 and len(order) > 1 else ()
        return Step(replace(position, turn=order[len(missed)]), notes, missed, revealed)

    def _after(self, position: Position, seat: Seat) -> tuple[Seat, ...]:
        """The seats that move after this one, in order. The seat itself is the last, if it has not left."""
        seats = len(position.taken)
        return tuple(s for s in ((seat + i) % seats for i in range(1, seats + 1)) if s not in position.out)


@contextmanager
def installed(*others: AnyGame) -> Iterator[None]:
    """Let the server have other games besides its own."""
    own = games.GAMES
    try:
        games.GAMES = (*own, *others)
        forget()
        yield
    finally:
        games.GAMES = own
        forget()
