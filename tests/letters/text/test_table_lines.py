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
