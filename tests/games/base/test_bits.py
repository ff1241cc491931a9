"""Sets of squares as numbers say the same as squares that are counted one by one."""

from collections.abc import Callable, Iterable

from hypothesis import given
from hypothesis import strategies as st

from pbmserv.games.base import bits
from pbmserv.games.base.grid import Grid

Reach = Callable[[Iterable[int]], set[int]]

grids = st.builds(Grid, st.integers(2, 10), st.integers(2, 10))
boards = grids.flatmap(lambda grid: st.tuples(st.just(grid), st.text("..WBx", min_size=grid.size, max_size=grid.size)))


def numbered(found: int, grid: Grid) -> set[int]:
    """Return the numbers of the squares of a set."""
    return {square for square, alone in enumerate(bits.each(grid)) if found & alone}


def queens(grid: Grid, squares: str) -> Reach:
    def reach(front: Iterable[int]) -> set[int]:
        found = set[int]()
        for square in front:
            for direction in range(8):
                for there in grid.ray(square, direction):
                    if squares[there] != ".":
                        break
                    found.add(there)
        return found

    return reach


def neighbours(grid: Grid, squares: str) -> Reach:
    return lambda front: {n for s in front for n in grid.neighbours(s) if squares[n] == "."}


def steps(squares: str, man: str, reach: Reach) -> dict[int, int]:
    """Return how often a colour has to move to be on each square that it can reach."""
    front, found, moves = {s for s, sign in enumerate(squares) if sign == man}, dict[int, int](), 0
    while front:
        moves += 1
        front = {s for s in reach(front) if s not in found}
        found |= dict.fromkeys(front, moves)
    return found


@given(boards)
def test_a_set_has_the_squares_with_a_sign(board: tuple[Grid, str]) -> None:
    grid, squares = board
    assert numbered(bits.of(squares, grid.columns, "W"), grid) == {s for s, sign in enumerate(squares) if sign == "W"}


@given(boards)
def test_what_one_step_and_a_queen_reach(board: tuple[Grid, str]) -> None:
    grid, squares = board
    free, white = (bits.of(squares, grid.columns, sign) for sign in ".W")
    men = [s for s, sign in enumerate(squares) if sign == "W"]
    assert numbered(bits.beside(white, grid.columns) & free, grid) == neighbours(grid, squares)(men)
    touched = {n for s in men for n in grid.neighbours(s, tuple(range(8)))}
    assert numbered(bits.around(white, grid.columns), grid) - {*men} == touched - {*men}
    assert numbered(bits.slid(white, free, grid.columns), grid) == queens(grid, squares)(men)


@given(boards, st.integers(1, 5))
def test_who_reaches_more_squares_first(board: tuple[Grid, str], rounds: int) -> None:
    grid, squares = board
    free, white, black = (bits.of(squares, grid.columns, sign) for sign in ".WB")
    for reach, spread in (
        (queens(grid, squares), lambda found: bits.slid(found, free, grid.columns)),
        (neighbours(grid, squares), lambda found: bits.beside(found, grid.columns)),
    ):
        mine, other = (steps(squares, man, reach) for man in "WB")
        early = [
            {s for s, n in one.items() if n <= rounds and n < two.get(s, 99)}
            for one, two in ((mine, other), (other, mine))
        ]
        assert bits.lead(white, black, free, spread, rounds) == len(early[0]) - len(early[1])
