"""Tables are cut into cells where all their rows are blank, and each row is told by itself."""

import pytest

from pbmserv.letters.text.flowing_tables import Row, rows_of

STANDINGS = """\
place  player                rating  boards    won  drawn   lost
    1  maximilian_the_2*      1723?      12      7      1      4
  ...
   17  alice                   1400      30     10      0     20"""
BOARDS = """\
 board  game         ply  last change   players (* has the turn)
   101  tumble         0  01 Mar 12:00  *alice, bob
        Your move by 21 March, 12:00
   102  backgammon    12  01 Mar 12:00  maximilian_the_2, robert,
                                        *carol"""
HISTORY = """\
   101  01 Mar 2026   12 plies  alice, maximilian_the_2
        alice wins (by resignation)"""
SEEKS = """\
     1  tumble -c: bob, 1 place left, rated, reminder after 7 days, time limit
        21 days
     2  3io: alice"""


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (STANDINGS, [[("place", "1"), ("player", "maximilian_the_2*"), ("rating", "1723?"), ("boards", "12")]]),
        (
            BOARDS,
            [
                [("board", "101"), ("game", "tumble"), ("ply", "0"), ("last change", "01 Mar 12:00")],
                [("", "Your move by 21 March, 12:00")],
                [("board", "102"), ("game", "backgammon"), ("ply", "12"), ("last change", "01 Mar 12:00")],
            ],
        ),
        (
            HISTORY,
            [
                [("", "101"), ("", "01 Mar 2026"), ("", "12 plies"), ("", "alice, maximilian_the_2")],
                [("", "alice wins (by resignation)")],
            ],
        ),
        (
            SEEKS,
            [
                [("", "1"), ("", "tumble -c: bob, 1 place left, rated, reminder after 7 days, time limit 21 days")],
                [("", "2"), ("", "3io: alice")],
            ],
        ),
    ],
)
def test_each_cell_says_what_it_is(text: str, rows: list[Row]) -> None:
    assert [row[:4] for row in rows_of(text.split("\n"))][: len(rows)] == rows


def test_what_goes_on_in_the_next_line_stays_in_its_cell() -> None:
    assert rows_of(BOARDS.split("\n"))[-1][-1] == ("players (* has the turn)", "maximilian_the_2, robert, *carol")
