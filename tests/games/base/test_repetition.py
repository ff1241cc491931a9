"""Positions that come back end a board as a draw, if its players or the rules of its game say so."""

from dataclasses import replace

import pytest

from pbmserv.games.base import Outcome
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.log import Kind
from pbmserv.games.base.repetition import key_of
from tests.games.base.logged import SEED, TUMBLE, Logged
from tests.games.toy import Toy

AROUND = ("f1-g1", "c8-b8", "g1-f1", "b8-c8")  #: both players go to and fro, and the opening stands again


class Rolls(Toy):
    """A game whose rules say that the second time is a draw, and that only the secret counts."""

    info = replace(Toy.info, repetition=2)

    def position_key(self, position: object) -> str:
        return f"{position.secret}"  # type: ignore[attr-defined]


@pytest.mark.parametrize("times", [2, 3, 5])
def test_the_nth_time_is_a_draw(times: int) -> None:
    logged = Logged(repetition=times)
    moves = (AROUND * times)[: 4 * (times - 1)]
    assert logged.moves(*moves[:-1]).result is None
    assert logged.moves(moves[-1]).result == Outcome("repetition", (1, 1))
    assert logged.board.to_move == frozenset()


def test_without_the_option_nothing_is_counted() -> None:
    logged = Logged()
    assert logged.moves(*AROUND * 10).result is None
    assert logged.board.seen == ""


def test_the_same_men_with_the_other_player_to_move_are_another_position() -> None:
    opening = Logged(repetition=2).board.position
    assert key_of(TUMBLE, opening) != key_of(TUMBLE, replace(opening, turn=1))


def test_moves_that_are_taken_back_do_not_count() -> None:
    logged = Logged(repetition=2)
    logged.moves(*AROUND[:3])
    logged.does(0, Kind.UNDO)
    before = logged.does(1, Kind.ACCEPT).seen
    assert before == play.at(logged.start, logged.log, 2).seen
    assert logged.moves("g1-f1").seen == play.at(logged.start, logged.log, 3).seen
    assert logged.moves(AROUND[3]).result == Outcome("repetition", (1, 1))


def test_an_admin_goes_back_to_what_was_counted_then() -> None:
    logged = Logged(repetition=2)
    kept = logged.moves(*AROUND[:3]).seen
    logged.moves(AROUND[3])
    logged.add(play.revert(logged.board, logged.log, 3))
    assert (logged.board.seen, logged.board.result) == (kept, None)
    assert logged.moves(AROUND[3]).result == Outcome("repetition", (1, 1))


def test_a_preview_shows_the_draw_and_counts_nothing() -> None:
    logged = Logged(repetition=2)
    logged.moves(*AROUND[:3])
    before = logged.board
    tried = play.preview(before, 1, AROUND[3])
    assert tried
    assert tried.result == Outcome("repetition", (1, 1))
    assert logged.board == before


def test_a_film_has_the_same_boards() -> None:
    logged = Logged(repetition=3)
    boards = [logged.board, *(logged.moves(move) for move in AROUND * 2)]
    assert [board.seen for board in play.film(logged.start, logged.log)] == [board.seen for board in boards]


def test_a_fork_counts_from_its_own_beginning() -> None:
    logged = Logged(repetition=2)
    logged.moves(*AROUND[:2])
    fork = Logged(repetition=2, origin=logged.board.position)
    assert fork.moves(*AROUND[2:], *AROUND[:1]).result is None
    assert fork.moves(AROUND[1]).result == Outcome("repetition", (1, 1))


def test_the_rules_of_a_game_can_say_it() -> None:
    start = Start(Rolls(), {}, 2, SEED)
    change = play.play(play.begin(start), 0, "1")
    assert change.board.result is None
    change = play.play(change.board, 1, "1")
    assert change.board.result == Outcome("repetition", (1, 1), (1, 1))


def test_who_has_left_is_last() -> None:
    logged = Logged(Rolls(), seats=3)
    logged.does(2, Kind.RESIGN)
    logged.moves("1")
    assert logged.moves("1").result == Outcome("repetition", (1, 1, 2), (1, 1, 0))
