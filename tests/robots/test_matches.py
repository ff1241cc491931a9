"""Robots play matches of backgammon for the match: they end a game that is won, and know when to double and to drop."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pbmserv.games import find
from pbmserv.games.race.backgammon.equity import equity
from pbmserv.games.race.backgammon.places import OPENING
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.rng import Rng
from pbmserv.robots.thinking import LEVELS, Problem, choose
from tests.games.test_backgammon import at

GAME = find("backgammon")
START = {place: men for place, men in enumerate(OPENING) if men}
SHORT, LONG = {1: 5, 2: 5, 3: 4}, {13: 5, 8: 5, 6: 4}  # 27 and 129 pips, and one man is off
BEATEN = {24: 2, 23: 3, 21: 5, 19: 5}


def chosen(position: Position, level: int) -> str:
    return choose(Problem(GAME, GAME.view(position, 0), {"match": "7"}, 2), level, Rng("luck", 1)).text


@pytest.mark.parametrize("level", LEVELS)
def test_a_won_game_is_ended(level: int) -> None:
    position = replace(at({6: 1, 5: 1}, {1: 10}, 6, 5), goal=7)
    assert chosen(position, level) == "6/off+5/off"


@pytest.mark.parametrize(
    ("white", "black", "doubled", "answer"),
    [
        (SHORT, LONG, False, "double"),
        (START, START, False, "roll"),
        ({1: 4}, BEATEN, False, "roll"),  # too good: a gammon is sure
        (START, START, True, "take"),
        (LONG, SHORT, True, "drop"),
    ],
)
def test_the_cube(white: Mapping[int, int], black: Mapping[int, int], doubled: bool, answer: str) -> None:
    """Whatever the level."""
    position = replace(at(white, black), goal=7, doubled=doubled)
    assert GAME.agreement(GAME.view(position, 0), Rng("luck", 1)) == (answer,)


def test_who_is_ahead_in_points_has_more_of_the_match() -> None:
    """Two points against one in the Crawford game: half of the games, and of those a fifth are gammons."""
    assert equity(2, 1) == pytest.approx(0.5 * (0.8 * 0.5 + 0.2))
    assert equity(2, 1, after_crawford=True) == 0.5
    assert equity(4, 2) == pytest.approx(1 - equity(2, 4))
    assert equity(0, 3) == 1
