"""Games like othello: all rows together, beside the rules in a few words, and what is special about each."""

import os
import random
from itertools import product

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import IllegalMove
from pbmserv.games import find
from pbmserv.games.base import Outcome
from pbmserv.games.families.othellolike.reversi_game import game_of
from pbmserv.games.families.othellolike.reversi_rows import ROWS, Reversi
from pbmserv.games.territory.othello import Position
from pbmserv.rng import NoChance

_POSITIONS = 60 * int(os.environ.get("SOAK", "1")) ** 2  #: of each row

Discs = dict[tuple[int, int], str]


def _turned(discs: Discs, at: tuple[int, int], colour: str) -> set[tuple[int, int]]:
    """Walk away from a square in each direction as long as there are enemy discs; an own one behind them turns them."""
    turned = set()
    for dx, dy in product((-1, 0, 1), (-1, 0, 1)):
        way, (x, y) = set(), (at[0] + dx, at[1] + dy)
        while discs.get((x, y), colour) != colour:
            way.add((x, y))
            x, y = x + dx, y + dy
        turned |= way if discs.get((x, y)) == colour else set()
    return turned


def _legal(row: Reversi, discs: Discs, colour: str) -> set[tuple[int, int]]:
    empty = {square for square in product(range(row.side), range(row.side)) if square not in discs}
    middle = {square for square in empty if {*square} <= {row.side // 2 - 1, row.side // 2}}
    return middle if row.free and middle else {square for square in empty if _turned(discs, square, colour)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_moves_discs_and_turns_are_those_of_the_rules_in_words(row: Reversi) -> None:
    game, luck, count = game_of(row), random.Random(os.environ.get("SEED", "1")), 0
    while count < _POSITIONS:
        position = game.setup({}, 2, NoChance())
        discs = {(s % row.side, s // row.side): sign for s, sign in enumerate(position.squares) if sign != "."}
        while not game.end(position):
            colour, moves = "BW"[position.turn], game.legal_moves(position, position.turn)
            assert {(s % row.side, s // row.side) for s in moves} == _legal(row, discs, colour)
            at = (move := luck.choice(moves)) % row.side, move // row.side
            discs |= dict.fromkeys({at} | _turned(discs, at, colour), colour)
            position, count = game.apply(position, position.turn, move, NoChance()).position, count + 1
            assert {(s % row.side, s // row.side): c for s, c in enumerate(position.squares) if c != "."} == discs
            missed = position.turn == "BW".index(colour)
            assert game.end(position) or missed != bool(_legal(row, discs, "WB"["BW".index(colour)]))
        assert not _legal(row, discs, "B") | _legal(row, discs, "W")


@pytest.mark.parametrize(
    ("key", "outcome"),
    [("reversi6", Outcome("count", (1, 2), (34, 2))), ("losingreversi", Outcome("count", (2, 1), (3, 2)))],
)
def test_who_has_won(key: str, outcome: Outcome) -> None:
    game = find(key)
    side: int = game.side  # type: ignore[attr-defined]
    assert game.outcome(Position("BBBWW".ljust(side**2, "."), over=True)) == outcome


def test_the_first_four_discs_of_old_reversi_come_to_the_middle() -> None:
    game = find("oldreversi")
    position = game.setup({}, 2, NoChance())
    with pytest.raises(IllegalMove, match="the first discs come to the middle, such as d4"):
        game.parse(position, 0, "c4")
    for text in ("d4", "d5", "e4", "e5", "d6"):
        position = game.apply(position, position.turn, game.parse(position, position.turn, text), NoChance()).position
    assert (position.squares.count("B"), position.squares.count("W")) == (4, 1)


def test_a_square_of_the_tenth_row() -> None:
    game = find("reversi10")
    assert game.format(99) == "j10"
    with pytest.raises(IllegalMove, match="it would turn no disc"):
        game.parse(game.setup({}, 2, NoChance()), 0, "J10")


@pytest.mark.slow
@pytest.mark.parametrize("row", [ROWS[1], *(pytest.param(row, marks=pytest.mark.slow) for row in ROWS[::2])])
def test_every_check_of_conformance(row: Reversi) -> None:
    playthrough = record(find(row.key), Walk(row.key, Setup((), 2), 1))
    for check in CHECKS:
        check(playthrough)
