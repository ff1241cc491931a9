"""What robots think of backgammon: bearing off against the rules themselves, the nets, and what can come next."""

from collections.abc import Mapping
from functools import cache

import pytest

from pbmserv.games.race.backgammon import Backgammon
from pbmserv.games.race.backgammon.judgement.bearing_off import MOST, all_homes, chance, rolls_left
from pbmserv.games.race.backgammon.judgement.chances import Chances, chances
from pbmserv.games.race.backgammon.legs import legs_of
from pbmserv.games.race.backgammon.places import ALL_MEN, OFF, OPENING, Men, men_of
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.games.race.backgammon.throws import Throw, after, plays, results
from pbmserv.rng import Rng
from pbmserv.robots.levels import strongest
from pbmserv.robots.thinking import Problem, choose
from tests.games.race.test_backgammon import CLOSED, at, men

GAME = Backgammon()
THROWS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def counts(places: Mapping[int, int]) -> Men:
    return men_of(men(places))


def weight(dice: tuple[int, int]) -> float:
    return (1 if dice[0] == dice[1] else 2) / 36


@cache
def by_the_rules(own: Men, other: Men) -> float:
    """The chance to win of who is about to roll, from all that the rules allow."""
    if other[OFF] == ALL_MEN:
        return 0.0
    turns = {dice: results(Throw(own, other, dice)) for dice in THROWS}
    return sum(weight(dice) * max(1 - by_the_rules(*left[::-1]) for left in turns[dice]) for dice in THROWS)


@pytest.mark.parametrize(
    ("own", "other"),
    [({6: 1, 1: 1}, {1: 1}), ({5: 1, 2: 1}, {4: 2, 1: 1}), ({3: 4}, {2: 2})],
    ids=str,
)
def test_the_last_six_men_are_exact(own: Mapping[int, int], other: Mapping[int, int]) -> None:
    mine, theirs = counts(own), counts(other)
    assert chance(mine, theirs) == pytest.approx(by_the_rules(mine, theirs))


@pytest.mark.parametrize("dice", [(2, 1), (3, 1), (4, 3)])
def test_the_highest_level_plays_the_last_men_for_the_best_chance(dice: tuple[int, int]) -> None:
    position = at({5: 1, 4: 1, 2: 1}, {3: 2, 1: 1}, *dice)
    left = {text: after(position.throw, legs_of(text)) for text in plays(position.throw)}
    chances_of = {text: 1 - by_the_rules(other, own) for text, (own, other) in left.items()}
    choice = choose(Problem(GAME, GAME.view(position, 0), {}, 2), strongest(GAME), Rng("luck", 0))
    assert chances_of[choice.text] == max(chances_of.values()) > min(chances_of.values())


def test_the_rolls_that_six_men_of_one_player_need() -> None:
    homes = list(all_homes())
    assert len(set(homes)) == 924
    some = [*homes[:20], *homes[-20:]]
    assert [sum(rolls_left(home)) for home in some] == pytest.approx([1.0] * len(some))
    assert rolls_left((1,) * MOST) == pytest.approx((0, 0, 11 / 36, 25 / 36))  # two rolls with a double, else three
    assert rolls_left((6, 1))[1] == pytest.approx(15 / 36)  # 61, 62, 63, 64, 65, 66, 33, 22, 44, 55
    own, other = counts({1: 6}), counts({1: 6})
    assert chance(own, other) == pytest.approx(1 - 25 / 36 * 11 / 36)
    assert chance(counts({1: 7}), other) is None


#: What gnubg thinks without looking ahead, of who is about to roll: chances to win, and to win and to lose a gammon.
KNOWN = [
    (OPENING, OPENING, (0.522, 0.154, 0.130)),
    (
        counts({24: 1, 13: 2, 9: 2, 8: 2, 7: 2, 6: 2, 5: 2, 4: 2}),
        counts({24: 2, 13: 4, 8: 3, 6: 4, 5: 2}),
        (0.789, 0.210, 0.032),
    ),
    (counts({10: 3, 8: 4, 6: 4, 5: 2, 4: 2}), counts({11: 2, 9: 4, 7: 2, 6: 5, 3: 2}), (0.656, 0.0, 0.0)),
    (
        counts({24: 3, 22: 2, 13: 3, 8: 2, 6: 3, 5: 2}),
        counts({13: 1, 8: 4, 7: 2, 6: 4, 5: 2, 4: 2}),
        (0.412, 0.029, 0.322),
    ),
    (counts({25: 1, 24: 2, 13: 4, 8: 3, 6: 5}), counts({24: 2, 13: 2, 8: 3, 6: 3, 5: 3, 4: 2}), (0.285, 0.051, 0.338)),
    (counts({20: 2, 13: 4, 8: 3, 6: 4, 5: 2}), counts({18: 2, 13: 2, 8: 3, 6: 5, 4: 3}), (0.440, 0.069, 0.071)),
]


@pytest.mark.parametrize(
    ("own", "other", "known"), KNOWN, ids=["opening", "prime", "race", "back game", "bar", "holding"]
)
def test_the_nets_agree_with_another_program(own: Men, other: Men, known: Chances) -> None:
    assert chances(own, other) == pytest.approx(known, abs=0.08)


def test_no_gammon_is_lost_with_a_man_off() -> None:
    own = counts({25: 1, 6: 5, 5: 5, 4: 3})
    assert chances(own, counts(CLOSED | {7: 3})).lost_gammon == 0
    assert chances(OPENING, own).gammon == 0


def positions() -> list[Position]:
    """Positions of a random game."""
    rng, found = Rng("judgement", 0), [GAME.setup({}, 2, Rng("judgement", 1))]
    while not GAME.outcome(found[-1]) and len(found) < 30:
        last = found[-1]
        found.append(GAME.apply(last, last.turn, rng.choice(GAME.legal_moves(last, last.turn)), rng).position)
    return found[:-1]


@pytest.mark.slow
def test_turns_and_their_results_are_those_of_the_rules() -> None:
    for position in positions():
        throw = position.throw
        assert results(throw) == {after(throw, legs_of(text)) for text in plays(throw)}
        for text, then in GAME.turns(position).items():
            assert then.men == GAME.apply(position, position.turn, text, Rng("any", 0)).position.men
            assert (then.turn, then.dice) == (1 - position.turn, ())


def test_the_throws_are_all_that_there_are() -> None:
    position = at(CLOSED | {7: 2}, {25: 1, 6: 10, 5: 2}, turn=1)
    found = list(GAME.throws(position))
    assert sum(part for part, _ in found) == pytest.approx(1)
    assert all(then == [at(CLOSED | {7: 2}, {25: 1, 6: 10, 5: 2}, turn=0)] for _, then in found)  # nobody can enter
    assert len(found) == len(THROWS)
