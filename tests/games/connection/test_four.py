"""Four in a row: falling discs, lines, full boards, and random games beside OpenSpiel."""

import pytest

from pbmserv.errors import IllegalMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.connection.four import SIZES, FourInARow, Position
from pbmserv.rng import NoChance
from tests.games.oracle.agreement import Rival, compare
from tests.games.oracle.engine import with_oracle

GAME = FourInARow()
OPENING = GAME.setup({}, 2, NoChance())


def played(texts: str, position: Position = OPENING) -> Position:
    for text in texts.split():
        position = GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position
    return position


def position_of(*rows: str) -> Position:
    """A board with these rows on the bottom, the top one first."""
    squares = "".join(reversed(rows)).ljust(42, ".")
    return Position(squares, turn=squares.count("R") - squares.count("Y"))


class TestFalling:
    def test_discs_pile_up_in_a_column(self) -> None:
        assert GAME.legal_moves(played("d d"), 0) == ["a1", "b1", "c1", "d3", "e1", "f1", "g1"]

    @pytest.mark.parametrize("text", ["d1", "d", "4", "D", " D1 "])
    def test_a_column_has_a_letter_and_a_number(self, text: str) -> None:
        assert GAME.parse(OPENING, 0, text) == "d1"

    def test_the_tenth_column(self) -> None:
        assert GAME.parse(GAME.setup({"size": "10x7"}, 2, NoChance()), 0, "10") == "j1"

    @pytest.mark.parametrize(
        ("before", "text", "why"),
        [
            ("d d d d d d", "d", "'d' is not possible: column D is full."),
            ("d d d d d d", "d6", "'d6' is not possible: column D is full."),
            ("d", "d1", "'d1' is not possible: a disc in column D falls to d2."),
            ("", "h1", "'h1' is not possible: this board has 7 columns."),
            ("", "8", "'8' is not possible: this board has 7 columns."),
        ],
    )
    def test_why_not(self, before: str, text: str, why: str) -> None:
        position = played(before)
        with pytest.raises(IllegalMove) as caught:
            GAME.parse(position, position.turn, text)
        assert caught.value.text == why


class TestEnds:
    @pytest.mark.parametrize(
        ("texts", "ranks"),
        [
            ("d d c c b b a", (1, 2)),  # a row
            ("d c d c d c d", (1, 2)),  # a column
            ("a d a d a d b d", (2, 1)),  # a column of Yellow
            ("a a b b d d c", (1, 2)),  # the last disc can be in the middle of the line
        ],
    )
    def test_four_in_a_line_win(self, texts: str, ranks: tuple[int, ...]) -> None:
        after = played(texts)
        assert GAME.outcome(after) == Outcome("row", ranks)
        assert GAME.to_move(after) == frozenset()

    @pytest.mark.parametrize(
        "rows",
        [
            ("R......", "YR.....", "YYR....", "RRY...Y"),
            ("......R", ".....RY", "....RYY", "Y...YRR"),
            ("YYY.YYY", "RRR.RRR"),
        ],
        ids=["falling diagonal", "rising diagonal", "more than four"],
    )
    def test_the_last_disc_on_d_wins(self, rows: tuple[str, ...]) -> None:
        before = position_of(*rows)
        assert not before.won
        assert GAME.outcome(played("d", before)) == Outcome("row", (1, 2))

    def test_a_line_does_not_go_around_the_edge(self) -> None:
        assert GAME.outcome(played("a", position_of("Y....YY", "Y...RRR"))) is None

    def test_a_full_board_is_a_draw(self) -> None:
        rows = ("YRYRYRY", "YRYRYRY", "RYRYRYR", "RYRYRYR", "YRYRYRY", "YRYRYRY")
        full = position_of(*rows)
        assert GAME.outcome(full) == Outcome("full", (1, 1))


def drawing(position: Position) -> str:
    """The position as OpenSpiel draws it."""
    columns = position.grid.columns
    squares = position.squares.translate(str.maketrans("RY", "xo"))
    rows = [squares[s : s + columns] for s in range(0, len(squares), columns)]
    return "".join(f"{row}\n" for row in reversed(rows))


def actions(position: Position, seat: Seat, move: str) -> tuple[str, ...]:
    return (f"{'xo'[seat]}{ord(move[0]) - 97}",)


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_openspiel_agrees(size: str) -> None:
    grid = SIZES[size]
    rival = Rival("connect_four", actions, {"columns": grid.columns, "rows": grid.rows}, drawing)
    report = compare(GAME, rival, plies=1000, options={} if size == "7x6" else {"size": size})
    assert report.endings["row"] > 10
