"""Breakthrough: steps, captures, ends, and random games beside OpenSpiel."""

import pytest

from pbmserv.errors import IllegalMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.capture.breakthrough import Breakthrough, Position
from pbmserv.games.capture.stepping import GRID, Move
from pbmserv.rng import NoChance
from tests.games.oracle.agreement import Rival, compare, into_ends
from tests.games.oracle.engine import with_oracle

GAME = Breakthrough()
OPENING = GAME.setup({}, 2, NoChance())


def position_of(turn: Seat = 0, **men: str) -> Position:
    squares = ["."] * GRID.size
    for man, names in men.items():
        for name in names.split():
            squares[GRID.square(name)] = man
    return Position("".join(squares), turn)


def played(text: str, position: Position) -> Position:
    return GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position


def texts(position: Position) -> list[str]:
    return [GAME.format(move) for move in GAME.legal_moves(position, position.turn)]


class TestSteps:
    def test_white_begins_with_22_moves(self) -> None:
        assert GAME.to_move(OPENING) == {0}
        assert len(texts(OPENING)) == 22

    def test_men_go_ahead_only(self) -> None:
        assert texts(position_of(W="d4", B="a8")) == ["d4-c5", "d4-d5", "d4-e5"]
        assert texts(position_of(1, B="d4", W="a1")) == ["d4-c3", "d4-d3", "d4-e3"]

    def test_they_capture_diagonally_only(self) -> None:
        position = position_of(W="d4 b4", B="c5 d5 h8")
        assert texts(position) == ["b4-a5", "b4-b5", "b4xc5", "d4xc5", "d4-e5"]

    @pytest.mark.parametrize("text", ["d4xc5", "d4c5", "d4-c5", "D4XC5"])
    def test_spellings_of_a_capture(self, text: str) -> None:
        assert GAME.parse(position_of(W="d4", B="c5"), 0, text) == Move(GRID.square("d4"), GRID.square("c5"), True)

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("d7-d6", "no man of yours is on d7."),
            ("d4-d5", "men capture diagonally, not straight ahead."),
            ("d4-d3", "a man goes one square ahead, straight or diagonally."),
            ("d4-d6", "a man goes one square ahead, straight or diagonally."),
            ("d4-c5", "a man of yours is on c5."),
            ("d4xe5", "there is nothing to capture on e5."),
        ],
    )
    def test_why_not(self, text: str, why: str) -> None:
        with pytest.raises(IllegalMove) as caught:
            GAME.parse(position_of(W="d4 c5", B="d5 d7"), 0, text)
        assert caught.value.text == f"'{text}' is not possible: {why}"


class TestEnds:
    def test_the_last_row_wins(self) -> None:
        after = played("d7-d8", position_of(W="d7", B="c8 a2"))
        assert GAME.outcome(after) == Outcome("home", (1, 2))
        assert GAME.to_move(after) == frozenset()
        assert GAME.outcome(played("a2-b1", position_of(1, W="d7", B="a2"))) == Outcome("home", (2, 1))

    def test_so_does_the_last_capture(self) -> None:
        assert GAME.outcome(played("d4xe5", position_of(W="d4", B="e5"))) == Outcome("men", (1, 2))


def actions(position: Position, seat: Seat, move: Move) -> tuple[str, ...]:
    """In OpenSpiel Black begins, at the top: our White is its Black, and its rows are counted from the other side."""
    source, target = (f"{name[0]}{9 - int(name[1])}" for name in map(GRID.name, (move.source, move.target)))
    return (f"{source}{target}{'*' * move.captures}",)


def drawing(position: Position) -> str:
    squares = position.squares.translate(str.maketrans("WB", "bw"))
    rows = (f"{8 - row}{squares[row * 8 : row * 8 + 8]}\n" for row in range(8))
    return "".join(rows) + " abcdefgh\n"


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees() -> None:
    report = compare(GAME, Rival("breakthrough", actions, drawing=drawing), plies=2000, choose=into_ends(GAME))
    assert report.endings["home"] >= 10


def test_men_point_ahead_on_a_turned_board_too() -> None:
    picture = GAME.picture(GAME.view(OPENING, 1))
    for shown in (picture, picture.turned()):
        assert [row[0] and row[0].pieces[0].art for row in (shown.rows[0], shown.rows[7])] == ["shield-down", "shield"]
