"""Havannah: rings, bridges and forks, what is none of them, swap, and random games beside OpenSpiel."""

import re
from collections import deque
from collections.abc import Sequence
from itertools import combinations
from math import tanh

import pytest

from pbmserv.errors import IllegalMove
from pbmserv.games.base import SWAP, Outcome, Seat
from pbmserv.games.connection.havannah import Havannah, hexagon_of
from pbmserv.games.connection.hexagons import EMPTY, Lattice, Position
from pbmserv.rng import NoChance, Rng
from tests.games.oracle.agreement import Choose, Report, Rival, at_random, compare, into_ends
from tests.games.oracle.engine import with_oracle

GAME = Havannah()
OPENING = GAME.setup({}, 2, NoChance())


def position_of(white: str, black: str = "", *, size: int = 4, turn: Seat = 0) -> Position:
    opening = GAME.setup({"size": str(size), "noswap": ""}, 2, NoChance())
    numbers, cells = GAME.lattice(opening.cells).numbers, list(opening.cells)
    for man, names in zip("WB", (white, black), strict=True):
        for name in names.split():
            cells[numbers[name]] = man
    return Position(cells="".join(cells), turn=turn)


def played(position: Position, texts: str) -> Position:
    for text in texts.split():
        move = GAME.parse(position, position.turn, text)
        position = GAME.apply(position, position.turn, move, NoChance()).position
    return position


#: A board with sides of four: the corners are a1 d1 g4 g7 d7 a4, and the middle is d4.
AROUND_D4 = "e4 e5 d5 c4 c3"


class TestRings:
    @pytest.mark.parametrize("black", ["", "d4"])
    def test_six_stones_around_a_cell(self, black: str) -> None:
        after = played(position_of(AROUND_D4, black), "d3")
        assert GAME.outcome(after) == Outcome("ring", (1, 2))

    def test_the_cell_inside_can_have_an_own_stone(self) -> None:
        assert GAME.outcome(played(position_of(f"{AROUND_D4} d4"), "d3")) == Outcome("ring", (1, 2))

    def test_the_stone_inside_comes_too_late_to_matter(self) -> None:
        """The ring was there before; so a stone in its middle is never the one that wins."""
        assert played(position_of("e4 e5 d5 c4 c3"), "d4").won == ""

    def test_a_large_ring_around_stones_of_both(self) -> None:
        ring = "c2 d2 e3 f4 f5 f6 e6 d6 c5 b4 b3"
        assert len(ring.split()) == 11
        assert played(position_of(ring, "d4 e5 c4"), "b2").won == "ring"
        assert played(position_of(f"{ring} d4 e5"), "b2").won == "ring"

    def test_a_heap_of_stones_is_no_ring(self) -> None:
        """A triangle and a rhombus have no cell inside."""
        assert played(position_of("d4 e4"), "e5").won == ""
        assert played(position_of("d4 e4 e5"), "d5").won == ""

    def test_a_chain_along_the_edge_encloses_nothing(self) -> None:
        assert played(position_of("b1 b2 c3"), "c1").won == ""

    def test_two_arms_that_meet_at_a_gap_are_a_ring(self) -> None:
        ring = ["c2", "d2", "e3", "f4", "f5", "f6", "e6", "d6", "c5", "b4", "b3", "b2"]
        for last in ring:
            others = " ".join(name for name in ring if name != last)
            assert played(position_of(others), last).won == "ring"


class TestBridges:
    @pytest.mark.parametrize(("stones", "last"), [("a1 b1 c1", "d1"), ("a1 b2 c3 e5 f6 g7", "d4")])
    def test_two_corners(self, stones: str, last: str) -> None:
        assert GAME.outcome(played(position_of(stones), last)) == Outcome("bridge", (1, 2))

    def test_black_too(self) -> None:
        after = played(position_of("", "a1 a2 a3", turn=1), "a4")
        assert GAME.outcome(after) == Outcome("bridge", (2, 1))

    def test_stones_of_the_other_in_the_chain_are_none(self) -> None:
        assert played(position_of("a1 b1", "c1"), "d1").won == ""


class TestForks:
    def test_three_edges(self) -> None:
        """b1 is on the edge at the top, a2 on the one at the left above, g5 on the one at the right below."""
        assert played(position_of("b1 b2 a2 c2 d3 e4 f5"), "g5").won == "fork"

    def test_a_corner_is_on_no_edge(self) -> None:
        assert played(position_of("b1 b2 a2 c3 d4 e5 f6"), "g7").won == ""

    def test_two_edges_are_no_fork(self) -> None:
        assert played(position_of("b1 b2"), "a2").won == ""


def test_the_corners_and_edges() -> None:
    board = hexagon_of(len(OPENING.cells))
    assert sorted(board.lattice.names[cell] for cell in board.corners) == ["a1", "a8", "h1", "h15", "o15", "o8"]
    assert [list(board.edges.values()).count(edge) for edge in range(6)] == [6] * 6


@pytest.mark.parametrize(("size", "cells"), [(4, 37), (5, 61), (6, 91), (7, 127), (8, 169), (9, 217), (10, 271)])
def test_every_size(size: int, cells: int) -> None:
    position = GAME.setup({"size": str(size)}, 2, NoChance())
    assert len(GAME.legal_moves(position, 0)) == cells
    assert GAME.example(position, 0) == f"{chr(96 + size)}{size}"


def test_a_full_board_without_any_of_them_is_a_draw() -> None:
    """No winner: rows of pairs in two colours, shifted so that nothing long is connected."""
    opening = position_of("")
    lattice = GAME.lattice(opening.cells)
    cells = "".join("WB"[(x + y // 2) // 2 % 2] for x, y in lattice.places)
    assert GAME.outcome(Position(cells=cells)) == Outcome("full", (1, 1))


def test_swap_leaves_the_stone_where_it_is() -> None:
    step = GAME.apply(played(OPENING, "e5"), 1, SWAP, NoChance())
    assert step.position == Position(cells=_only("e5", "B"), turn=0)
    assert [note.text for note in step.notes] == ["The stone on e5 is Black's now."]


def _only(name: str, man: str) -> str:
    return "".join(man if each == name else EMPTY for each in GAME.lattice(OPENING.cells).names)


@pytest.mark.parametrize(
    ("text", "why"),
    [("h8", "h8 is occupied"), ("a9", "there is no cell a9 on this board"), ("i1", "there is no cell i1")],
)
def test_a_refusal_says_why(text: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        played(played(OPENING, "h8"), text)


def actions(position: Position, seat: Seat, move: str) -> tuple[str, ...]:
    """In OpenSpiel one swaps by moving to the cell of the first stone."""
    if move == SWAP:
        return (GAME.lattice(position.cells).names[position.cells.index("W")],)
    return (move,)


def drawing(position: Position) -> str:
    """The cells by rows, with O for White and @ for Black."""
    lattice = GAME.lattice(position.cells)
    rows = [""] * (max(y for _, y in lattice.places) + 1)
    for (_, y), man in zip(lattice.places, position.cells, strict=True):
        rows[y] += {"W": "O", "B": "@"}.get(man, man)
    return "\n".join(rows)


def _without_labels(drawn: str) -> str:
    """OpenSpiel writes letters and numbers around the board, and brackets around the last stone."""
    return "\n".join(re.sub(r"[^.O@]", "", line) for line in drawn.split("\n")[1:] if line.strip())


def compared(size: int, plies: int, choose: Choose = at_random, *, swap: bool) -> Report:
    """OpenSpiel crashes if one process of it plays on boards of several sizes. `compare` has a process of its own."""
    options = {"size": str(size)} | ({} if swap else {"noswap": ""})
    rival = Rival("havannah", actions, {"board_size": size, "swap": swap}, drawing, board=_without_labels)
    return compare(GAME, rival, plies, options, choose)


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize(("size", "plies"), [(4, 600), (8, 600), (10, 400)])
@pytest.mark.parametrize("swap", [True, False])
def test_openspiel_agrees(size: int, plies: int, swap: bool) -> None:
    assert compared(size, plies, swap=swap).endings.total() >= 1


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees_about_ends() -> None:
    report = compared(5, 600, into_ends(GAME), swap=True)
    assert report.endings.keys() >= {"ring", "fork"}


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees_about_swap() -> None:
    """Every first move is taken over."""
    compared(4, 400, _swapping, swap=True)


def _swapping(position: Position, moves: Sequence[str], rng: Rng) -> str:
    return SWAP if SWAP in moves else rng.choice(moves)


def test_the_two_threats_of_the_help_page() -> None:
    after = played(position_of("e5 f6 g6 e7 f7", "e4 f5 g5 e6 d7"), "d6")
    wins = {move: GAME.moved(after, 0, move, NoChance()).position.won for move in GAME.moves(after, 0)}
    assert {move: won for move, won in wins.items() if won} == {"d5": "ring", "c6": "fork"}


def _lacks(position: Position, piece: str) -> float:
    """What a side lacks, counted cell by cell."""
    board, chains = hexagon_of(len(position.cells)), list[dict[int, int]]()
    for start in reversed(range(len(position.cells))):
        if position.cells[start] == piece and all(chain.get(start, 9) for chain in chains):
            chains.append(_pieces(position, piece, start))
    lacks = [20.0, 20.0]
    for chain in sorted(chains, key=lambda chain: list(chain.values()).count(0))[-2:]:
        to_edges = (min(chain.get(cell, 9) for cell in board.edges if board.edges[cell] == n) for n in range(6))
        to_corners = (chain.get(corner, 9) for corner in board.corners)
        few, many = sorted((sum(sorted(to_edges)[:3]), sum(sorted(to_corners)[:2])))
        lacks.append(few + 0.1 * many)
    first, second = sorted(lacks)[:2]
    return first + 0.05 * second


def _pieces(position: Position, piece: str, start: int) -> dict[int, int]:
    """How many pieces connect a stone with each cell; with those of its chain none."""
    cells, lattice = position.cells, hexagon_of(len(position.cells)).lattice
    pieces, left = {start: 0}, deque([start])
    while left:
        here = left.popleft()
        around = [cell for cell in lattice.near[here] if cells[cell] == EMPTY]
        ends = {end for a, b in combinations(around, 2) if b in lattice.near[a] for end in _common(lattice, a, b)}
        for cell in {*lattice.near[here], *ends}:
            count = pieces[here] + (cells[cell] == EMPTY)
            if cells[cell] in (EMPTY, piece) and count < pieces.get(cell, 99):
                pieces[cell] = count
                left.append(cell)
    return pieces


def _common(lattice: Lattice, one: int, other: int) -> set[int]:
    return {*lattice.near[one]} & {*lattice.near[other]}


@pytest.mark.parametrize("size", ["4", "7", "8"])
def test_what_chains_lack_is_counted_cell_by_cell(size: str) -> None:
    luck, position = Rng(size, 0), GAME.setup({"size": size, "noswap": ""}, 2, NoChance())
    while not GAME.outcome(position) and position.cells.count(EMPTY) > 20:
        own, other = (_lacks(position, GAME.pieces[seat]) for seat in (position.turn, 1 - position.turn))
        assert GAME.evaluate(position, position.turn) == pytest.approx(tanh(0.2 * (other - own)))
        move = luck.choice(GAME.legal_moves(position, position.turn))
        position = GAME.apply(position, position.turn, move, NoChance()).position
