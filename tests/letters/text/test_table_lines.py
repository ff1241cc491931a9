"""Names in the table of a season: they are cut where the columns are narrow."""

import pytest

from pbmserv.letters.text import table_lines
from pbmserv.tournaments.standings import TableLine


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("alice", "alice"),
        ("alice-of-wonderland-", "alice-of-wonderland-"),
        ("robert (ROBOT)", "robert (ROBOT)"),
        ("robert-of-the-north-", "robert-of-the-north-"),
        ("robert-of-the-north- (ROBOT)", "robert-of-th (ROBOT)"),
    ],
)
def test_a_robot_stays_marked(name: str, short: str) -> None:
    line = TableLine(1, 7, 0, 0, 0, 0, 0, 0)
    (row,) = table_lines.crossed([line], (), {7: name})
    assert row.short == short


@pytest.mark.parametrize(("columns", "cell"), [(2, "1"), (11, "½"), (6, "12:1"), (6, "123:-")])
def test_the_results_fit_a_phone(columns: int, cell: str) -> None:
    lines = [TableLine(place, place, 0, 0, 0, 0, 0, 0) for place in range(1, 12)]
    crossed = table_lines.crossed(lines, (), dict.fromkeys(range(12), "x" * 20))
    rows = [row._replace(cells=(cell,) * columns) for row in crossed]
    grid = table_lines.grid(rows, first=7)
    assert max(map(len, grid)) <= table_lines.MOST_COLUMNS
    assert grid[0].split() == [str(n) for n in range(7, 7 + columns)]
    assert grid[1].split()[:2] == ["1", "x" * len(grid[1].split()[1])]
