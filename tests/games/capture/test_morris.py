"""Nine men's morris: mills, what may be taken, moving and flying, how games end, and the board with diagonals."""

from collections.abc import Sequence

import pytest

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.capture.morris import EMPTY, POINTS, SIGNS, Morris, Move, Position
from pbmserv.rng import NoChance, Rng
from tests.games.base.logged import Logged
from tests.games.oracle.agreement import Difference, Rival, compare
from tests.games.oracle.engine import with_oracle

GAME = Morris()


def position_of(
    white: str, black: str, *, hands: tuple[int, int] = (0, 0), turn: int = 0, options: str = ""
) -> Position:
    men = dict.fromkeys(white.split(), "w") | dict.fromkeys(black.split(), "b")
    board = "".join(men.get(point, EMPTY) for point in POINTS)
    return Position(board, hands, turn, twelve="twelve" in options, flying="flying" in options)


def played(position: Position, *texts: str) -> Position:
    for text in texts:
        move = GAME.parse(position, position.turn, text)
        position = GAME.apply(position, position.turn, move, NoChance()).position
    return position


def texts(position: Position) -> set[str]:
    return {GAME.format(move) for move in GAME.legal_moves(position, position.turn)}


def men_of(position: Position, seat: int) -> set[str]:
    return {point for point, man in zip(POINTS, position.board, strict=True) if man == SIGNS[seat]}


def test_the_first_man_can_be_put_on_any_of_24_points() -> None:
    assert texts(GAME.setup({}, 2, NoChance())) == set(POINTS)
    assert len(POINTS) == 24


def test_the_worked_turn_of_the_help_page() -> None:
    position = position_of("a1 a4 b6", "d7 g7 g4", hands=(6, 6))
    assert {text for text in texts(position) if text.startswith("a7")} == {"a7xd7", "a7xg7", "a7xg4"}
    after = played(position, "a7xg4")
    assert men_of(after, 1) == {"d7", "g7"}
    assert after.hands == (5, 6)


def test_a_man_in_a_mill_is_safe_unless_all_are() -> None:
    mill = "g1 g4 g7"
    assert {t for t in texts(position_of("a1 a4 d6", f"{mill} d7", hands=(1, 0))) if t.startswith("a7")} == {"a7xd7"}
    all_in_mills = texts(position_of("a1 a4 d6", mill, hands=(1, 0)))
    assert {t for t in all_in_mills if t.startswith("a7")} == {"a7xg1", "a7xg4", "a7xg7"}


def test_two_mills_at_once_take_one_man() -> None:
    position = position_of("a1 a4 d7 g7", "b2 b4 c4 f2", hands=(1, 1))
    assert len(men_of(played(position, "a7xb2"), 1)) == 3


def test_a_mill_of_men_that_already_stand_there_is_not_closed() -> None:
    assert "d2-f2" in texts(position_of("a1 a4 a7 d2", "g1 g4 e5 e4"))


def test_a_mill_can_be_opened_and_closed_again() -> None:
    position = position_of("a1 a4 a7 f2", "g1 g4 e5 e4 c3")
    assert len(men_of(played(position, "a4-b4", "c3-d3", "b4-a4xg1"), 1)) == 4


def test_men_move_along_lines_to_the_next_point() -> None:
    assert {t for t in texts(position_of("a1 f2 d3 f6", "g7 g4 d7 b4")) if t.startswith("a1")} == {"a1-a4", "a1-d1"}
    diagonal = position_of("a1 f2 d3 f6", "g7 g4 d7 b4", options="twelve")
    assert {t for t in texts(diagonal) if t.startswith("a1")} == {"a1-a4", "a1-d1", "a1-b2"}


def test_a_diagonal_is_a_mill_with_twelve_men_only() -> None:
    assert "c3" in texts(position_of("a1 b2", "g7 g4", hands=(5, 5)))
    assert "c3xg7" in texts(position_of("a1 b2", "g7 g4", hands=(5, 5), options="twelve"))


@pytest.mark.parametrize(("options", "flies"), [("", False), ("flying", True)])
def test_three_men_fly_with_the_option(options: str, flies: bool) -> None:
    assert ("a1-e5" in texts(position_of("a1 d2 f6", "g7 g4 d7 b4", options=options))) == flies
    assert "a1-e5" not in texts(position_of("a1 d2 f6 g1", "g7 g4 d7 b4", options=options))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a7", "that closes a mill, so say which man you take, such as a7xg4."),
        ("a7xa1", "you cannot take a man on a1: it must be the enemy's, and not in a mill unless all are."),
        ("b6xg4", "that closes no mill, so you take nothing."),
        ("a1", "a1 is occupied."),
        ("a1-d1", "you still have men to put down."),
        ("d4", "there is no point d4."),
    ],
)
def test_a_refusal_says_why_while_men_are_put_down(text: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        played(position_of("a1 a4", "g7 g4", hands=(5, 5)), text)
    assert refused.value.text == f"'{text}' is not possible: {why}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("b2", "all your men are on the board, so move one."),
        ("b2-b4", "you have no man on b2."),
        ("a1-a4", "a4 is occupied."),
        ("a1-a7", "a7 is not next to a1 on a line."),
    ],
)
def test_a_refusal_says_why_while_men_move(text: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        played(position_of("a1 a4 d2 f2", "g7 g4 e5"), text)
    assert refused.value.text == f"'{text}' is not possible: {why}"


@pytest.mark.parametrize("text", ["", "h1", "a0", "a1-", "a1xx", "a1-a4-a7", "xa1"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        played(GAME.setup({}, 2, NoChance()), text)


def test_the_dash_may_be_missing() -> None:
    position = position_of("a1 d2 d3 f6", "g7 g4 d7 b4")
    assert played(position, "A1A4") == played(position, "a1-a4")


def test_who_has_two_men_left_loses() -> None:
    lost = played(position_of("a1 a4 d7 d2", "g7 b2 e5"), "d7-a7xb2")
    assert GAME.outcome(lost) == Outcome("few", (1, 2))


def test_who_cannot_move_loses() -> None:
    position = played(position_of("a4 d1 g4 d7 b4 f4", "a1 g1 a7 g7"), "b4-b2")
    assert GAME.outcome(position) == Outcome("nomove", (1, 2))


def test_two_men_on_the_board_are_enough_while_others_wait() -> None:
    assert played(position_of("a1 a4", "g7 g4", hands=(2, 2)), "a7xg7").over == ""


def test_a_full_board_is_a_draw() -> None:
    white, black = "a1 a4 a7 b4 c3 c4 e5 f2 f4 f6 g7", "b2 b6 c5 d1 d3 d5 d6 d7 e3 e4 g1 g4"
    position = position_of(white, black, hands=(1, 0), options="twelve")
    assert GAME.outcome(played(position, "d2")) == Outcome("full", (1, 1))


def test_the_third_repetition_is_a_draw() -> None:
    around = ("a1-d1", "g7-d7", "d1-a1", "d7-g7")
    logged = Logged(GAME, origin=position_of("a1 b4 c5 f2", "g7 e4 e3 b6"))
    assert logged.moves(*around, *around[:-1]).result is None
    assert logged.moves(around[-1]).result == Outcome("repetition", (1, 1))


def test_fifty_moves_without_a_mill_are_a_draw() -> None:
    position = position_of("a1 b4 c5 f2", "g7 e4 e3 b6")
    late = Position(position.board, (0, 0), quiet=98)
    assert played(late, "a1-d1").over == ""
    assert GAME.outcome(played(late, "a1-d1", "g7-d7")) == Outcome("quiet", (1, 1))


# OpenSpiel, which always lets three men fly


def their_point(point: int) -> str:
    """Its points have numbers from the top left."""
    return str(sorted(POINTS, key=lambda name: (-int(name[1]), name[0])).index(POINTS[point]))


def actions(position: Position, seat: Seat, move: Move) -> tuple[str, ...]:
    target = their_point(move.target)
    first = f"Point {target}" if move.source < 0 else f"Move {their_point(move.source)} -> {target}"
    return (first, f"Point {their_point(move.taken)}") if move.taken >= 0 else (first,)


def draws_of_ours(difference: Difference) -> bool:
    """OpenSpiel knows no draws without mills, but cuts games off after 200 turns."""
    if difference.what != "end":
        return False
    return difference.theirs is True or difference.position.over == "quiet"


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees() -> None:
    rival = Rival("nine_mens_morris", actions, deep=2, known={"draws": draws_of_ours})
    report = compare(GAME, rival, 2_000, {"flying": ""}, choose=taking)
    assert report.endings["few"] >= 5


def taking(position: Position, moves: Sequence[Move], rng: Rng) -> Move:
    """Choose a move that takes a man, if there is one and half of the time, so that games end."""
    takes = [move for move in moves if move.taken >= 0]
    return rng.choice(takes if takes and rng.randrange(2) else moves)
