"""Amazons: moves and arrows, the end, counts of moves, and random games beside OpenSpiel."""

import re

import pytest

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.base.picture import LAST
from pbmserv.games.territory.amazons import LAYOUTS, Amazons, Position
from pbmserv.rng import NoChance
from tests.games.oracle.agreement import Rival, compare
from tests.games.oracle.engine import with_oracle

GAME = Amazons()
OPENING = GAME.setup({}, 2, NoChance())
SMALL = GAME.setup({"size": "6"}, 2, NoChance())


def played(texts: str, position: Position = OPENING) -> Position:
    for text in texts.split():
        position = GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position
    return position


def small(*rows: str, turn: Seat = 0) -> Position:
    """A board of six by six, the top row first."""
    return Position("".join(reversed(rows)), turn)


class TestMoving:
    def test_the_opening(self) -> None:
        assert GAME.to_move(OPENING) == {0}
        assert [OPENING.grid.name(s) for s, man in enumerate(OPENING.squares) if man == "W"] == ["d1", "g1", "a4", "j4"]
        assert [OPENING.grid.name(s) for s, man in enumerate(OPENING.squares) if man == "B"] == [
            "a7", "j7", "d10", "g10",
        ]  # fmt: skip

    def test_the_first_move_is_one_of_2176(self) -> None:
        """The number that articles about the game give."""
        assert len(GAME.legal_moves(OPENING, 0)) == 2176

    @pytest.mark.parametrize("text", ["d1-d7/g7", "d1d7g7", "d1-d7-g7", "d1-d7(g7)", "D1-D7xG7"])
    def test_spellings(self, text: str) -> None:
        assert GAME.parse(OPENING, 0, text) == "d1-d7/g7"

    def test_two_digits_are_read_as_one_number(self) -> None:
        assert GAME.parse(OPENING, 0, "a4a5a6") == "a4-a5/a6"
        after = played("d1d2a5")
        assert GAME.parse(after, 1, "d10d9b9") == "d10-d9/b9"

    def test_an_amazon_shoots_over_the_square_that_it_left(self) -> None:
        after = played("d1-d4/d1")
        assert [after.squares[after.grid.square(name)] for name in ("d1", "d4")] == ["x", "W"]
        assert GAME.parse(OPENING, 0, "d1-d4/d1")

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("d2-d3/d4", "no amazon of yours is on d2."),
            ("a7-a6/a5", "no amazon of yours is on a7."),
            ("d1-e3/e4", "the way from d1 to e3 is not free and straight."),
            ("d1-h1/h2", "the way from d1 to h1 is not free and straight."),
            ("d1-d10/d9", "the way from d1 to d10 is not free and straight."),
            ("d1-d7/e9", "the arrow's way from d7 to e9 is not free and straight."),
            ("d1-d7/d7", "the arrow's way from d7 to d7 is not free and straight."),
            ("d1-d7/a7", "the arrow's way from d7 to a7 is not free and straight."),
        ],
    )
    def test_why_not(self, text: str, why: str) -> None:
        with pytest.raises(IllegalMove) as caught:
            GAME.parse(OPENING, 0, text)
        assert caught.value.text == f"'{text}' is not possible: {why}"

    def test_squares_beyond_a_small_board(self) -> None:
        with pytest.raises(IllegalMove, match="there is no square j4 on this board"):
            GAME.parse(SMALL, 0, "j4-j5/j6")

    def test_an_amazon_alone_is_no_move(self) -> None:
        with pytest.raises(NotAMove):
            GAME.parse(OPENING, 0, "d1-d7")


class TestEnds:
    def test_who_cannot_move_loses(self) -> None:
        before = small("Bx....", "xx....", "......", "......", "......", "W.....")
        after = played("a1-b1/a1", before)
        assert GAME.outcome(after) == Outcome("stuck", (1, 2))
        assert GAME.to_move(after) == frozenset()

    def test_a_player_can_enclose_himself_last(self) -> None:
        before = small("B.xxxx", "xxxxxx", "xxxxxx", "xxxxxx", "xxxxxx", "xxxx.W")
        middle = played("f1-e1/f1", before)
        assert GAME.to_move(middle) == {1}
        assert GAME.outcome(played("a6-b6/a6", middle)) == Outcome("stuck", (2, 1))


def actions(position: Position, seat: Seat, move: str) -> tuple[str, ...]:
    """OpenSpiel counts rows from the top and columns from the left, from 1."""
    sign, rows = "XO"[seat], position.grid.rows
    places = (f"({rows + 1 - int(name[1:])}, {ord(name[0]) - 96})" for name in re.split("[-/]", move))
    return tuple(f"{sign} {deed} {place}" for deed, place in zip(("From", "To", "Shoot:"), places, strict=True))


def drawing(position: Position) -> str:
    side = position.grid.columns
    squares = position.squares.translate(str.maketrans("WBx", "XO#"))
    return "\n".join(squares[row * side : (row + 1) * side] for row in reversed(range(side)))


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize(("size", "plies"), [("10", 300), ("6", 700)])
def test_openspiel_agrees(size: str, plies: int) -> None:
    rival = Rival("amazons", actions, {"board_size": int(size)}, drawing, deep=3)
    report = compare(GAME, rival, plies, options={} if size == "10" else {"size": size})
    assert report.endings["stuck"] >= 3


def test_every_size_of_the_option_has_a_layout() -> None:
    assert {value for option in GAME.info.options for value in option.values} | {"10"} == set(LAYOUTS)


def test_where_an_amazon_left_is_marked_so_also_below_her_arrow() -> None:
    assert Amazons().marks("d1-d7/d1", 0, None) == {"d7": LAST, "d1": LAST}
