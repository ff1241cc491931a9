"""Robots play matches of backgammon for the match: they end a game that is won, and know when to double and to drop."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pbmserv.games import find
from pbmserv.games.race.backgammon.cube import may_double
from pbmserv.games.race.backgammon.judgement.match_table import equity
from pbmserv.games.race.backgammon.places import OPENING
from pbmserv.games.race.backgammon.situation import AFTER_CRAWFORD, BEFORE_CRAWFORD, CRAWFORD, NOBODY, Position
from pbmserv.rng import Rng
from pbmserv.robots.levels import levels
from pbmserv.robots.thinking import Problem, choose
from tests.games.race.test_backgammon import at

GAME = find("backgammon")
START = {place: men for place, men in enumerate(OPENING) if men}
SHORT, LONG = {1: 5, 2: 5, 3: 4}, {13: 5, 8: 5, 6: 4}  # 27 and 129 pips, and one man is off
BEATEN = {24: 2, 23: 3, 21: 5, 19: 5}


def chosen(position: Position, level: int) -> str:
    return choose(Problem(GAME, GAME.view(position, 0), {"match": "7"}, 2), level, Rng("luck", 1)).text


@pytest.mark.parametrize("level", [level.number for level in levels(GAME)])
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


#: Home boards and outer boards without contact, by pips.
RACES = {
    100: {10: 2, 9: 2, 8: 2, 7: 2, 6: 3, 5: 2, 2: 2},
    102: {10: 2, 9: 2, 8: 2, 7: 3, 6: 2, 5: 2, 3: 1, 2: 1},
    109: {10: 3, 9: 2, 8: 2, 7: 3, 6: 2, 4: 3},
    125: {12: 3, 10: 3, 9: 2, 8: 2, 6: 3, 4: 1, 3: 1},
}


@pytest.mark.parametrize(
    ("ours", "theirs", "doubled", "answer"),
    [
        (100, 102, False, "roll"),
        (100, 109, False, "double"),
        (100, 125, False, "double"),
        (109, 100, True, "take"),
        (125, 100, True, "drop"),
    ],
)
def test_the_cube_in_a_race(ours: int, theirs: int, doubled: bool, answer: str) -> None:
    """Books double from 8 % ahead on, and drop from 12 % on."""
    test_the_cube(RACES[ours], RACES[theirs], doubled, answer)


@pytest.mark.parametrize(
    ("score", "cube", "owner", "crawford"),
    [((6, 3), 1, NOBODY, CRAWFORD), ((6, 3), 1, NOBODY, AFTER_CRAWFORD), ((5, 3), 2, 0, BEFORE_CRAWFORD)],
)
def test_a_cube_that_gains_nothing_is_left_alone(score: tuple[int, int], cube: int, owner: int, crawford: int) -> None:
    """Who wins the match with this game is not even asked."""
    position = replace(at(SHORT, LONG), goal=7, score=score, cube=cube, owner=owner, crawford=crawford)
    assert not may_double(position)


#: In hundredths, by the points that the leader and the other still need. Such values stand in all tables.
KNOWN = {(1, 1): 50, (1, 2): 69, (1, 3): 75, (1, 4): 82, (1, 5): 85, (2, 3): 60, (2, 4): 67.5, (3, 5): 65.5, (5, 7): 63}


@pytest.mark.parametrize(("needs", "known"), KNOWN.items(), ids=str)
def test_match_equity_is_that_of_tables(needs: tuple[int, int], known: float) -> None:
    assert equity(*needs) == pytest.approx(known / 100, abs=0.01)
    assert equity(*needs[::-1]) == pytest.approx(1 - equity(*needs))


def test_match_equity_by_hand() -> None:
    """Two points against one in the Crawford game: half of the games, and of those 26 % are gammons."""
    assert equity(2, 1) == pytest.approx(0.5 * (0.74 * 0.5 + 0.26))
    assert equity(2, 1, after_crawford=True) == 0.5
    assert equity(4, 1, after_crawford=True) == pytest.approx(0.5 * (0.74 * 0.5 + 0.26))
    assert equity(0, 3) == 1
