"""Random games to the end, with every check of `checks`."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import (
    SEED,
    Playthrough,
    Walk,
    record,
    setups,
    some_walks,
    some_walks_with_leavers,
    walks,
    walks_with_leavers,
)
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start

Check = Callable[[Playthrough], None]
#: No shrinking: it would play whole games many times, and a Walk is readable without it.
MANY = settings(
    max_examples=max(settings().max_examples // 50, 1),  # a profile of hypothesis with more makes more
    deadline=None,
    derandomize=False,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)

every_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)


#: `make test` looks at the last of these games, which has options; the long tests at one of the four others, too, and
#: SEED says at which. Golden transcripts have none.
some = pytest.mark.parametrize(
    "part", [slice(4, None), pytest.param(slice(SEED % 4, 4, 4), marks=pytest.mark.slow)], ids=["last", "others"]
)


@some
@every_check
def test_random_games(game: AnyGame, check: Check, part: slice) -> None:
    """All checks look at the same games, because playing them takes longer than most checks."""
    for walk in some_walks(game)[part]:
        _check(game, check, walk)


@every_check
def test_random_games_that_seats_leave(large_game: AnyGame, check: Check) -> None:
    for walk in some_walks_with_leavers(large_game):
        _check(large_game, check, walk)


def test_shared_dice(game: AnyGame) -> None:
    """A board with shared dice is set up by the last word, as a board that has the seed of all words."""
    for setup in setups(game)[:: max(len(setups(game)) // 8, 1)]:
        start = Start(game, dict(setup.options), setup.seats, "0" * 32, shared=True)
        board = play.begin(start)
        for seat in range(setup.seats):
            assert board.waits
            board = play.give_word(board, seat, f"the word of {seat}").board
        alone = play.begin(replace(start, seed=board.seed, shared=False))
        assert (board.position, board.result) == (alone.position, alone.result), (
            f"`setup` draws something else each time, with {setup}. Take all chance from its `rng`."
        )


def _check(game: AnyGame, check: Check, walk: Walk) -> None:
    try:
        check(record(game, walk))
    except AssertionError as failure:
        failure.add_note(f"In the game {walk}")
        raise


@pytest.mark.slow
@seed(SEED)
@MANY
@given(data=st.data())
def test_many_random_games(game: AnyGame, data: st.DataObject) -> None:
    played = record(game, data.draw(walks(game)))
    for check in CHECKS:
        check(played)


@pytest.mark.slow
@seed(SEED)
@MANY
@given(data=st.data())
def test_many_random_games_that_seats_leave(large_game: AnyGame, data: st.DataObject) -> None:
    played = record(large_game, data.draw(walks_with_leavers(large_game)))
    for check in CHECKS:
        check(played)
