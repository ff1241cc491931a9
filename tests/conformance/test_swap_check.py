"""The suite finds the mistakes of games with the pie rule: each broken game here has one of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from pbmserv.conformance import checks
from pbmserv.conformance.walks import Playthrough, Walk, record, setups
from pbmserv.games.base import (
    SWAP,
    AnyGame,
    Cell,
    Note,
    Options,
    Outcome,
    Picture,
    PiePosition,
    PieRule,
    Seat,
    Step,
    View,
    with_swap,
)
from pbmserv.games.base import board as play
from pbmserv.games.base.log import Entry, Kind
from pbmserv.games.base.pie import offers
from pbmserv.rng import Rng
from tests.conformance.toy_boards import PIECES, Pebbles

NAMES = Pebbles.names


@dataclass(frozen=True)
class Position(PiePosition):
    """`cells`: a seat or a dot for each cell; `turn`: the seat to move."""

    cells: str = "." * len(NAMES)
    turn: Seat = 0


class Pie(PieRule[Position]):
    """Put a pebble on a free cell, in turn. Who puts the last one wins."""

    info = with_swap(replace(Pebbles.info, key="pie", name="Pie"))
    position_type = Position

    def opening(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position()

    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset({position.turn}) if "." in position.cells else frozenset()

    def moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return [name for name, man in zip(NAMES, position.cells, strict=True) if man == "."]

    def moved(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        at = NAMES.index(move)
        return Step(Position(cells=f"{position.cells[:at]}{seat}{position.cells[at + 1 :]}", turn=1 - seat))

    def exchanged(self, position: Position) -> Step[Position]:
        return Step(Position(cells=position.cells.replace("0", "1")), (Note("The pebble changed its colour."),))

    def outcome(self, position: Position) -> Outcome | None:
        return None if "." in position.cells else Outcome("full", (1, 2) if position.turn else (2, 1))

    def picture(self, view: View[Position]) -> Picture:
        position = view.position
        men = (() if man == "." else (PIECES[int(man)],) for man in position.cells)
        cells = tuple(Cell(name, pieces=man) for name, man in zip(NAMES, men, strict=True))
        return Picture((cells[:3], cells[3:]), lines=offers(position))


class Always(Pie):
    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return [*self.moves(position, seat), SWAP]


class Never(Pie):
    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return self.moves(position, seat)


class DeafToOptions(Pie):
    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return super().setup({}, seats, rng)


class NoOption(Pie):
    info = replace(Pebbles.info, key="pie", pattern="[a-c][12]|swap")


class Silent(Pie):
    def picture(self, view: View[Position]) -> Picture:
        return replace(super().picture(view), lines=())


class Repeats(Pie):
    def exchanged(self, position: Position) -> Step[Position]:
        return replace(super().exchanged(position), position=replace(position, turn=0))


class StillSecond(Pie):
    def exchanged(self, position: Position) -> Step[Position]:
        step = super().exchanged(position)
        return replace(step, position=replace(step.position, turn=1))


class Wordless(Pie):
    def exchanged(self, position: Position) -> Step[Position]:
        return replace(super().exchanged(position), notes=())


class OwnSwap(Pebbles):
    """Has a move of this name without the rule."""

    names = (*NAMES[:-1], SWAP)
    info = replace(Pebbles.info, pattern="[a-c][12]|swap")

    def picture(self, view: View[object]) -> None:  # type: ignore[override]
        return None


def played(game: AnyGame, *, noswap: bool = False) -> Playthrough:
    setup = next(s for s in setups(game) if bool(s.options) == noswap)
    return record(game, Walk(game.info.key, setup, 1))


@pytest.mark.parametrize(
    ("game", "noswap", "message"),
    [
        (Always, False, "'swap' has to be impossible before ply 1"),
        (Never, False, "'swap' has to be possible before ply 2"),
        (DeafToOptions, True, "'swap' has to be impossible before ply 2"),
        (NoOption, False, "by `with_swap`"),
        (Silent, False, "put `offers` into `lines`"),
        (Repeats, False, "the men on the board are the same"),
        (StillSecond, False, "seat 0 is to move"),
        (Wordless, False, "A note of `exchanged`"),
        (OwnSwap, False, "Only a PieRule has this move"),
    ],
)
def test_a_broken_game_fails(game: type[AnyGame], noswap: bool, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        checks.swap(played(game(), noswap=noswap))


@pytest.mark.parametrize("noswap", [False, True])
def test_the_whole_game_passes(noswap: bool) -> None:
    for check in checks.CHECKS:
        check(played(Pie(), noswap=noswap))


def test_swap_can_be_taken_back_and_is_possible_again() -> None:
    start = play.Start(Pie(), {}, 2, "0" * 32)
    board, log = play.begin(start), list[Entry]()
    for kind, seat, text in ((Kind.MOVE, 0, "a1"), (Kind.MOVE, 1, "SWAP"), (Kind.UNDO, 1, ""), (Kind.ACCEPT, 0, "")):
        change = play.follow(board, Entry(seat, kind, text), log)
        board = change.board
        log.append(change.entry)
    assert board.ply == 1
    assert SWAP in Pie().legal_moves(board.position, 1)
    assert play.replay(start, log) == board
