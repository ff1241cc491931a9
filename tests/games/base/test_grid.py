"""Squares, rays and neighbours, compared with simple arithmetic on columns and rows."""

import pytest

from pbmserv.games.base.grid import COMPASS, COMPASS_NAMES, ORTHOGONAL, Grid, replaced

GRIDS = [Grid(8, 8), Grid(4, 4), Grid(6, 6), Grid(5, 3), Grid(1, 1), Grid(2, 12)]
each_grid = pytest.mark.parametrize("grid", GRIDS, ids=lambda g: f"{g.columns}x{g.rows}")


def names(grid: Grid, squares: tuple[int, ...]) -> list[str]:
    return [grid.name(s) for s in squares]


@each_grid
def test_names_and_numbers_are_the_same_thing(grid: Grid) -> None:
    every = [grid.name(s) for s in range(grid.size)]
    assert len(set(every)) == grid.size == grid.columns * grid.rows
    assert [grid.square(name) for name in every] == list(range(grid.size))


def test_numbers_go_east_and_then_north() -> None:
    grid = Grid(8, 8)
    assert [grid.name(s) for s in (0, 1, 7, 8, 63)] == ["a1", "b1", "h1", "a2", "h8"]
    assert Grid(2, 12).name(23) == "b12"


@pytest.mark.parametrize("name", ["i1", "a9", "a0", "`1", "A1"])
def test_off_the_board(name: str) -> None:
    with pytest.raises(ValueError, match="is not on the board"):
        Grid(8, 8).square(name)


def test_the_compass_turns_clockwise() -> None:
    assert dict(zip(COMPASS_NAMES, COMPASS, strict=True)) == {
        "N": (0, 1),
        "NE": (1, 1),
        "E": (1, 0),
        "SE": (1, -1),
        "S": (0, -1),
        "SW": (-1, -1),
        "W": (-1, 0),
        "NW": (-1, 1),
    }
    assert [COMPASS_NAMES[d] for d in ORTHOGONAL] == ["N", "E", "S", "W"]


def test_rays_go_to_the_edge_nearest_first() -> None:
    grid = Grid(8, 8)
    e5 = grid.square("e5")
    rays = {name: names(grid, grid.ray(e5, d)) for d, name in enumerate(COMPASS_NAMES)}
    assert rays == {
        "N": ["e6", "e7", "e8"],
        "NE": ["f6", "g7", "h8"],
        "E": ["f5", "g5", "h5"],
        "SE": ["f4", "g3", "h2"],
        "S": ["e4", "e3", "e2", "e1"],
        "SW": ["d4", "c3", "b2", "a1"],
        "W": ["d5", "c5", "b5", "a5"],
        "NW": ["d6", "c7", "b8"],
    }


@each_grid
def test_a_ray_is_repeated_steps(grid: Grid) -> None:
    for square in range(grid.size):
        for direction, (east, north) in enumerate(COMPASS):
            row, column = divmod(square, grid.columns)
            steps = [(column + east * i, row + north * i) for i in range(1, grid.size + 1)]
            on_board = [c + r * grid.columns for c, r in steps if 0 <= c < grid.columns and 0 <= r < grid.rows]
            assert list(grid.ray(square, direction)) == on_board


@each_grid
def test_neighbours_are_mutual(grid: Grid) -> None:
    for square in range(grid.size):
        for every in (ORTHOGONAL, tuple(range(8))):
            around = grid.neighbours(square, every)
            assert len(set(around)) == len(around)
            assert all(square in grid.neighbours(other, every) for other in around)


def test_neighbours_come_in_the_order_of_the_directions() -> None:
    grid = Grid(8, 8)
    assert names(grid, grid.neighbours(grid.square("b2"))) == ["b3", "c2", "b1", "a2"]
    assert names(grid, grid.neighbours(grid.square("a1"))) == ["a2", "b1"]
    assert names(grid, grid.neighbours(grid.square("h8"), (4, 5))) == ["h7", "g7"]


def test_replaced_copies() -> None:
    values = ("a", "b", "c")
    assert [replaced(values, i, "x") for i in range(3)] == [("x", "b", "c"), ("a", "x", "c"), ("a", "b", "x")]
    assert values == ("a", "b", "c")
