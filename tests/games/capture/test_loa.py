"""Lines of Action: moves by the number of men, ends, repetitions, and random games beside OpenSpiel."""

import pytest

from pbmserv.errors import IllegalMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.capture.loa import LinesOfAction, Position, is_together
from pbmserv.games.capture.stepping import GRID, Move
from pbmserv.rng import NoChance
from tests.games.base.logged import Logged
from tests.games.oracle.agreement import Difference, Rival, compare, into_ends
from tests.games.oracle.engine import with_oracle

GAME = LinesOfAction()
OPENING = GAME.setup({}, 2, NoChance())


def position_of(turn: Seat = 0, **men: str) -> Position:
    squares = ["."] * GRID.size
    for man, names in men.items():
        for name in names.split():
            squares[GRID.square(name)] = man
    return Position("".join(squares), turn)


def played(texts: str, position: Position) -> Position:
    for text in texts.split():
        position = GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position
    return position


def texts(position: Position, source: str) -> list[str]:
    moves = (GAME.format(move) for move in GAME.legal_moves(position, position.turn))
    return [text for text in moves if text.startswith(source)]


class TestMoving:
    def test_the_opening(self) -> None:
        assert GAME.to_move(OPENING) == {0}
        assert len(GAME.legal_moves(OPENING, 0)) == 36
        assert [GRID.name(s) for s, man in enumerate(OPENING.squares) if man == "B"] == [
            *(f"{column}1" for column in "bcdefg"), *(f"{column}8" for column in "bcdefg"),
        ]  # fmt: skip

    def test_a_man_goes_as_far_as_there_are_men_on_the_line(self) -> None:
        assert texts(OPENING, "b1") == ["b1-b3", "b1-d3", "b1-h1"]

    def test_it_jumps_over_own_men_and_captures_where_it_lands(self) -> None:
        assert texts(OPENING, "c1") == ["c1-c3", "c1-e3", "c1xa3"]

    def test_it_does_not_jump_over_enemies(self) -> None:
        position = position_of(B="a1 h8", W="b1 c1")
        assert "a1-d1" not in texts(position, "a1")
        with pytest.raises(IllegalMove, match="cannot jump over men of the opponent"):
            GAME.parse(position, 0, "a1-d1")

    def test_men_behind_count_too(self) -> None:
        assert "d4-f6" not in texts(position_of(B="d4 a1", W="h8"), "d4")
        assert "d4-g7" in texts(position_of(B="d4 a1", W="h8"), "d4")

    def test_a_scrambled_start_alternates(self) -> None:
        squares = GAME.setup({"scrambled": ""}, 2, NoChance()).squares
        edge = [f"{c}8" for c in "bcdefg"] + [f"h{r}" for r in range(7, 1, -1)]
        edge += [f"{c}1" for c in "gfedcb"] + [f"a{r}" for r in range(2, 8)]
        assert "".join(squares[GRID.square(name)] for name in edge) == "BW" * 12
        assert squares.count(".") == 40

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("a2-c2", "no man of yours is on a2."),
            ("b1-b4", "there are 2 men on this line, so a man goes 2 squares on it."),
            ("b1-c3", "c3 is not on a line from b1."),
            ("b1-b1", "b1 is not on a line from b1."),
            ("c8xc6", "there is nothing to capture on c6."),
        ],
    )
    def test_why_not(self, text: str, why: str) -> None:
        with pytest.raises(IllegalMove) as caught:
            GAME.parse(OPENING, 0, text)
        assert caught.value.text == f"'{text}' is not possible: {why}"

    def test_not_onto_an_own_man(self) -> None:
        with pytest.raises(IllegalMove, match="a man of yours is on c3"):
            GAME.parse(position_of(B="a1 c3", W="h1"), 0, "a1c3")


class TestEnds:
    def test_men_are_together_also_diagonally(self) -> None:
        assert is_together(position_of(B="a1 b2 c1 d2").squares, 0)
        assert not is_together(position_of(B="a1 b2 d2").squares, 0)
        assert is_together(position_of(B="a1", W="c3").squares, 0)

    def test_who_brings_them_together_wins(self) -> None:
        after = played("a1-a3", position_of(B="a1 a4", W="h1 h8"))
        assert GAME.outcome(after) == Outcome("together", (1, 2))
        assert GAME.to_move(after) == frozenset()

    def test_a_capture_can_bring_the_enemy_together(self) -> None:
        after = played("a1xd1", position_of(B="a1 h1 h8", W="d1 d7 d8"))
        assert GAME.outcome(after) == Outcome("together", (2, 1))

    def test_if_both_are_together_who_moved_wins(self) -> None:
        after = played("a1xa3", position_of(B="a1 b4", W="a3 h7 h8"))
        assert GAME.outcome(after) == Outcome("together", (1, 2))

    def test_the_third_time_is_a_draw(self) -> None:
        logged, shuffle = Logged(GAME), ("b1-b3", "a7-c7", "b3-b1", "c7-a7")
        assert logged.moves(*shuffle, *shuffle[:-1]).result is None
        assert logged.moves(shuffle[-1]).result == Outcome("repetition", (1, 1))

    def test_who_cannot_move_is_passed_over(self) -> None:
        before = position_of(W="a1 h8", B="a2 b1 b2 g7 g8 h7 d5")
        step = GAME.apply(before, 0, GAME.parse(before, 0, "d5-d6"), NoChance())
        assert step.missed == (1,)
        assert GAME.to_move(step.position) == {0}


def actions(position: Position, seat: Seat, move: Move) -> tuple[str, ...]:
    return (GAME.format(move),)


def drawing(position: Position) -> str:
    squares = position.squares.translate(str.maketrans("BW", "xo"))
    rows = (f"{row + 1}{squares[row * 8 : row * 8 + 8]}\n" for row in reversed(range(8)))
    player = "none (terminal)" if position.winner is not None else "xo"[position.turn]
    return "".join(rows) + f" abcdefgh\n\n\nCurrent player: {player}"


def is_second_time(difference: Difference) -> bool:
    """OpenSpiel ends the game as a draw when the same men stand for the second time, whoever is to move.

    We end it when they stand for the third time with the same player to move. The board does that, not the rules.
    """
    squares = [position.squares for position in difference.before]
    return difference.what == "end" and difference.position.squares in squares


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees() -> None:
    rival = Rival("lines_of_action", actions, drawing=drawing, known={"second time": is_second_time})
    report = compare(GAME, rival, plies=1500, choose=into_ends(GAME))
    assert report.endings["together"] >= 10
