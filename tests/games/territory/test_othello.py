"""Othello: how discs are turned, passed turns and ends, and random games beside OpenSpiel."""

from dataclasses import replace

import pytest

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.base.board import Start, begin, play
from pbmserv.games.base.log import Entry
from pbmserv.games.base.picture import EARLIER, LAST
from pbmserv.games.territory.othello import GRID, Othello, Position
from pbmserv.letters.pictures.diagrams import last_marks
from pbmserv.rng import NoChance
from tests.games.oracle.agreement import Rival, compare
from tests.games.oracle.engine import with_oracle

GAME = Othello()
OPENING = GAME.setup({}, 2, NoChance())


def squares_of(**men: str) -> str:
    """The 64 squares with discs on them, such as `B="a1 b2"`."""
    squares = ["."] * GRID.size
    for man, names in men.items():
        for name in names.split():
            squares[GRID.square(name)] = man
    return "".join(squares)


def played(position: Position, *texts: str) -> Position:
    for text in texts:
        position = GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position
    return position


def named(position: Position, man: str) -> str:
    return " ".join(GRID.name(s) for s in range(GRID.size) if position.squares[s] == man)


class TestTurning:
    def test_black_begins_with_four_moves(self) -> None:
        assert GAME.to_move(OPENING) == {0}
        assert [GAME.format(m) for m in GAME.legal_moves(OPENING, 0)] == ["d3", "c4", "f5", "e6"]

    def test_the_tiger_opening(self) -> None:
        """The best known opening, as books of the game write it: f5 d6 c3 d3 c4."""
        after = played(OPENING, "f5", "d6", "c3", "d3", "c4")
        assert named(after, "B") == "c3 c4 d4 e4 e5 f5"
        assert named(after, "W") == "d3 d5 d6"

    def test_discs_are_turned_in_all_eight_directions(self) -> None:
        position = Position(squares_of(W="c3 d3 e3 c4 e4 c5 d5 e5", B="b2 d2 f2 b4 f4 b6 d6 f6"))
        assert named(played(position, "d4"), "W") == ""

    def test_only_an_unbroken_line_up_to_an_own_disc_is_turned(self) -> None:
        position = Position(squares_of(W="b1 c1 e1 a2 a3", B="d1 f1"))
        assert named(played(position, "a1"), "W") == "e1 a2 a3"

    def test_a_disc_turned_by_a_move_turns_no_others(self) -> None:
        position = Position(squares_of(W="b1 b2", B="c1 b3"))
        assert named(played(position, "a1"), "W") == "b2"


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("d4", "'d4' is not possible: there is a disc on d4 already."),
            ("a1", "'a1' is not possible: it would turn no disc."),
        ],
    )
    def test_why_not(self, text: str, why: str) -> None:
        with pytest.raises(IllegalMove) as caught:
            GAME.parse(OPENING, 0, text)
        assert (caught.value.text, caught.value.hint) == (why, "Send a move such as: d3")

    def test_not_a_move(self) -> None:
        with pytest.raises(NotAMove):
            GAME.parse(OPENING, 0, "d9")


class TestEnds:
    def test_who_has_no_move_is_passed_over(self) -> None:
        position = Position(squares_of(B="c1 a3 h8", W="b1 a2 g8"))
        step = GAME.apply(position, 0, GRID.square("a1"), NoChance())
        assert step.missed == (1,)
        assert GAME.to_move(step.position) == {0}

    def test_of_two_moves_in_a_turn_one_sees_which_came_last(self) -> None:
        board, log = begin(Start(GAME, {}, 2, "")), list[Entry]()
        board = replace(board, position=Position(squares_of(B="c1 a3 h8", W="b1 a2 g8")))
        for text in ("a1", "f8"):
            change = play(board, 0, text)
            board, log = change.board, [*log, change.entry]
        assert last_marks(board, 1, log) == {"a1": EARLIER, "f8": LAST}

    def test_the_end_when_nobody_can_move(self) -> None:
        after = played(Position(squares_of(B="c1", W="b1")), "a1")
        assert GAME.to_move(after) == frozenset()
        assert GAME.outcome(after) == Outcome("count", (1, 2), (64, 0))

    def test_empty_squares_count_for_the_winner(self) -> None:
        after = played(Position(squares_of(B="c1 h8", W="b1 a8 b8 c8 d8 e8 f8")), "a1")
        assert GAME.scores(after) == (4, 6)
        assert GAME.outcome(after) == Outcome("count", (2, 1), (4, 60))

    def test_a_draw(self) -> None:
        after = played(Position(squares_of(B="c1", W="b1 a8 b8 c8")), "a1")
        assert GAME.outcome(after) == Outcome("count", (1, 1), (32, 32))

    def test_the_shortest_game(self) -> None:
        """Black wins after nine plies, because no white disc is left: a game that books show."""
        board = begin(Start(GAME, {}, 2, "0" * 32))
        for text in ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"):
            (seat,) = board.to_move
            board = play(board, seat, text).board
        assert board.result == Outcome("count", (1, 2), (64, 0))


def drawing(position: Position) -> str:
    """The position as OpenSpiel draws it."""
    first = "Terminal State:" if position.over else ("Black (x) to play:", "White (o) to play:")[position.turn]
    letters, squares = "  a b c d e f g h  ", position.squares.translate(str.maketrans("BW.", "xo-"))
    rows = (f"{row + 1} {' '.join(squares[row * 8 : row * 8 + 8])} {row + 1}" for row in range(8))
    return "\n".join([first, letters, *rows, letters])


def actions(position: Position, seat: Seat, move: int) -> tuple[str, ...]:
    return (GAME.format(move),)


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees() -> None:
    report = compare(GAME, Rival("othello", actions, drawing=drawing, passes="pass"), plies=2000)
    assert report.endings["count"] >= 30
