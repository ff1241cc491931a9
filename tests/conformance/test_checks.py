"""The suite finds the mistakes of authors: each broken game here has one of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbmserv.conformance import checks, test_info, test_notation
from pbmserv.conformance.walks import Playthrough, Walk, record, setups
from pbmserv.errors import MoveError, NotAMove
from pbmserv.games.base import Note, Options, Outcome, Score, Seat, Step
from pbmserv.rng import ChanceNeeded, Rng
from tests.games.toy import HIDDEN, Position, Toy


def played(game: Toy, leave: frozenset[int] = frozenset()) -> Playthrough:
    """A recorded random game with three seats. A seat leaves before each ply in `leave`."""
    setup = next(s for s in setups(game) if s.seats == 3)
    return record(game, Walk(game.info.key, setup, 1, leave))


class NoPhrase(Toy):
    info = replace(Toy.info, endings={"other": "something else happened"})


class MovesAfterTheEnd(Toy):
    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset({position.turn})


class OneRank(Toy):
    def outcome(self, position: Position) -> Outcome | None:
        outcome = super().outcome(position)
        return outcome and replace(outcome, ranks=(1,))


class TwoMovesOneText(Toy):
    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return [*super().legal_moves(position, seat), "1"]


class UnknownText(Toy):
    info = replace(Toy.info, pattern="[12]|one|two|roll|peek|take.*")

    def format(self, move: str) -> str:
        return f"take {move}"


class Remembers(Toy):
    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        self.last = move
        return super().apply(position, seat, move, rng)


class SecretDice(Toy):
    info = replace(Toy.info, chance=False)


class OraclePreview(Toy):
    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        try:
            return super().apply(position, seat, move, rng)
        except ChanceNeeded:
            return super().apply(position, seat, "1", rng)


class LeakyMoves(Toy):
    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        moves = super().legal_moves(position, seat)
        return moves if position.secret == HIDDEN else moves[::-1]


class Mumbles(Toy):
    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        return replace(super().apply(position, seat, move, rng), notes=(Note("took some"),))


class LongFractions(Toy):
    def scores(self, position: Position) -> tuple[Score, ...]:
        return tuple(stones * 1.0 for stones in position.taken)


class BadExample(Toy):
    def example(self, position: Position, seat: Seat) -> str:
        return "one"


class Ghost(Toy):
    def retire(self, position: Position, seat: Seat, rng: Rng) -> Step[Position]:
        return Step(position)


class HidesUnasked(Toy):
    info = replace(Toy.info, hidden=False)


class Completes(Toy):
    def parse(self, position: Position, seat: Seat, text: str) -> str:
        legal = self.legal_moves(position, seat)
        return next((m for m in legal if text and m.startswith(text)), None) or super().parse(position, seat, text)


class Echoes(Toy):
    def not_a_move(self, position: Position, seat: Seat, text: str) -> MoveError:
        return NotAMove(f"{text} is not a move.", "Send: 1")


@dataclass(frozen=True)
class ListPosition(Position):
    """A frozen position with a list in it, which can still change."""

    piles: Any = None


class Mutable(Toy):
    position_type = ListPosition

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return ListPosition(**{**vars(super().setup(options, seats, rng)), "piles": [1]})


@pytest.mark.parametrize(
    ("game", "check", "message"),
    [
        (NoPhrase, checks.endings, "`info.endings` has no phrase for it"),
        (MovesAfterTheEnd, checks.endings, "it must be empty exactly when there is an outcome"),
        (OneRank, checks.endings, "one rank per seat"),
        (TwoMovesOneText, checks.legal_moves, "gives '1' for a legal move, but `parse` says: '1' could mean 1 or 1"),
        (UnknownText, checks.canonical_texts, "has a space"),
        (Mutable, checks.positions, "A part of the position can change .unhashable type: 'list'"),
        (Remembers, checks.statelessness, "A game is stateless"),
        (SecretDice, checks.chance, "`info.chance` is False, but the game draws"),
        (OraclePreview, checks.preview, "catch ChanceNeeded"),
        (LeakyMoves, checks.views, "they depend on what it cannot see"),
        (HidesUnasked, checks.views, "`info.hidden` is False"),
        (Mumbles, checks.notes, "A note is a whole sentence"),
        (LongFractions, checks.scores, "Pass each number through `score_of`"),
        (BadExample, checks.examples, "not the text of a legal move"),
        (Ghost, checks.leavers, "have left and are to move again"),
    ],
)
def test_a_broken_game_fails(game: type[Toy], check: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check(played(game(), frozenset({1})))
    check(played(Toy(), frozenset({1})))


def test_a_parser_that_completes_fails() -> None:
    with pytest.raises(AssertionError, match=r"`parse` takes .* but `named` does not"):
        test_notation.test_what_is_not_legal_is_never_accepted(Completes(), slice(1))


def test_an_echoed_password_fails() -> None:
    with pytest.raises(AssertionError, match="could be a password and is echoed"):
        test_notation.test_junk_gets_an_answer(Echoes())


def test_a_view_that_hides_unasked_fails() -> None:
    with pytest.raises(AssertionError, match="`view` is overridden, but"):
        test_info.test_only_hidden_games_override_view(HidesUnasked())
