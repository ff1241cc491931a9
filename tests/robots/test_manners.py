"""When a robot offers and accepts draws. Everything that it may know is in its situation."""

from dataclasses import replace

import pytest

from pbmserv.games.base.log import Kind
from pbmserv.games.capture.chess import fen
from pbmserv.rng import Rng
from pbmserv.robots.manners import LONG, MOST_TAKEN_BACK, Situation, answer, any_move
from pbmserv.robots.thinking import Problem
from tests.robots.test_thinking import after

LUCK = Rng("luck", 0)


def situation(moves: str, seat: int, game: str = "chess") -> Situation:
    board = after(game, moves)
    view = board.game.view(board.position, seat)
    problem = Problem(board.game, view, board.start.options, 2)
    return Situation(problem, is_turn=seat in board.to_move, ply=board.ply)


EVEN = situation("", 0)
WORSE = situation("e4 e5 Nf3 Qg5 Nxg5", 1)
BETTER = situation("e4 e5 Nf3 Qg5 Nxg5 a6", 0)
LOST_QUEEN_AND_WAITS = situation("e4 e5 Nf3 Qg5 Nxg5 a6", 1)


@pytest.mark.parametrize(
    ("situation", "accepts"),
    [(EVEN, False), (WORSE, True), (BETTER, False), (LOST_QUEEN_AND_WAITS, True)],
    ids=["even", "worse", "better", "worse, not its turn"],
)
def test_who_accepts_a_draw(situation: Situation, accepts: bool) -> None:
    assert (answer(replace(situation, offer=Kind.PROPOSE), 2, LUCK) == "accept") == accepts


def test_a_draw_is_offered_when_nothing_changes() -> None:
    assert "propose" not in answer(WORSE, 1, LUCK)
    assert answer(replace(WORSE, came_back=True), 1, LUCK).endswith("\npropose")
    assert answer(replace(WORSE, ply=LONG), 1, LUCK).endswith("\npropose")
    assert "propose" not in answer(replace(WORSE, ply=LONG + 7), 1, LUCK)
    assert "propose" not in answer(replace(BETTER, came_back=True), 1, LUCK)


def test_a_draw_that_the_rules_allow_is_claimed() -> None:
    again = situation("e4 e5 Nf3 Qg5 Nxg5 " + "Nc6 Na3 Nb8 Nb1 " * 2, 1)
    assert answer(again, 1, LUCK) == "propose"


def test_moves_are_taken_back_a_few_times_and_never_when_it_counts() -> None:
    asked = replace(EVEN, is_turn=False, offer=Kind.UNDO, undos=1)
    assert answer(asked, 1, LUCK) == "reject"
    assert answer(replace(asked, rated=False), 1, LUCK) == "accept"
    assert answer(replace(asked, rated=False, undos=MOST_TAKEN_BACK + 1), 1, LUCK) == "reject"


def test_nobody_has_asked() -> None:
    with pytest.raises(ValueError, match="nobody has asked"):
        answer(replace(EVEN, is_turn=False), 1, LUCK)


@pytest.mark.parametrize("game", ["chess", "battleship", "3io"])
def test_any_move_is_a_legal_one(game: str) -> None:
    board = after(game, "")
    text = any_move(situation("", 0, game), LUCK)
    assert text in [board.game.format(move) for move in board.game.legal_moves(board.position, 0)]
    assert any_move(replace(situation("", 0, game), is_turn=False), LUCK) == "reject"


def test_a_lost_board_is_resigned_after_the_opponent_has_moved() -> None:
    """Black is mated with the next move wherever the king goes. White has moved a rook on and keeps it so."""
    game = EVEN.problem.game
    before, now = (
        EVEN.problem._replace(view=game.view(fen.read(f"{men} b - - 0 1"), 1))
        for men in ("5k2/1R6/8/R7/8/8/8/6K1", "6k1/1R6/R7/8/8/8/8/6K1")
    )
    lost = Situation(now, is_turn=True)
    assert answer(lost, 2, LUCK) != "resign"
    assert answer(replace(lost, before=WORSE.problem), 2, LUCK) != "resign"
    assert answer(replace(lost, before=before), 2, LUCK) == "resign"
    assert answer(replace(lost, before=before, offer=Kind.PROPOSE), 2, LUCK) == "accept"


def test_a_board_is_not_resigned_if_a_draw_can_be_claimed_before_the_mate() -> None:
    """As above, but the next move is the hundredth without a capture or a move of a pawn."""
    game = EVEN.problem.game
    before, now = (
        EVEN.problem._replace(view=game.view(fen.read(f"{men} b - - {quiet} 1"), 1))
        for men, quiet in (("5k2/1R6/8/R7/8/8/8/6K1", 97), ("6k1/1R6/R7/8/8/8/8/6K1", 99))
    )
    assert answer(Situation(now, is_turn=True, before=before), 1, LUCK) != "resign"


def test_who_is_better_plays_on_where_a_draw_can_be_claimed() -> None:
    """If all that follows were a draw, too, a robot would give a rook away for nothing, or claim the draw."""
    game = EVEN.problem.game
    problem = EVEN.problem._replace(view=game.view(fen.read("8/8/8/4k3/8/8/8/R3K3 w - - 120 80"), 0))
    assert answer(Situation(problem, is_turn=True), 2, LUCK) != "propose"
