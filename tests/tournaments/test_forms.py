"""Leagues, groups, Swiss tournaments and matches, season after season."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbmserv.errors import PlayerError
from pbmserv.tournaments.entrants import Entrant, Pairing, Season, by_division
from pbmserv.tournaments.forms import FORMS, swiss
from pbmserv.tournaments.forms.team_match import team_points
from tests.examples import examples

LEAGUE, GROUPS, SWISS, MATCH = (FORMS[key] for key in ("league", "groups", "swiss", "match"))


def entrants(count: int) -> list[Entrant]:
    """The lower the number, the stronger."""
    return [Entrant(player, entered=player, rating=2000.0 - player) for player in range(1, count + 1)]


def decided(pairings: list[Pairing], chance: random.Random) -> list[Pairing]:
    return [p if p.is_decided else replace(p, points=chance.choice([0, 0, 1, 2, 2])) for p in pairings]


def stronger_wins(pairings: list[Pairing]) -> list[Pairing]:
    return [p if p.second is None else replace(p, points=2 if p.first < p.second else 0) for p in pairings]


class TestLeague:
    @given(count=st.integers(5, 300), size=st.sampled_from(LEAGUE.sizes))
    def test_divisions_have_nearly_the_size_that_is_wanted(self, count: int, size: int) -> None:
        found = LEAGUE.begin(entrants(count), size)
        sizes = Counter(entrant.division for entrant in found)
        assert sorted(entrant.player for entrant in found) == list(range(1, count + 1))
        assert all(n in LEAGUE.sizes for n in sizes.values())
        assert max(sizes.values()) - min(sizes.values()) <= 1
        assert [entrant.player for entrant in found] == list(range(1, count + 1))

    def test_a_thousand_players(self) -> None:
        sizes = Counter(entrant.division for entrant in LEAGUE.begin(entrants(1000), 9))
        assert len(sizes) == 111
        assert Counter(sizes.values()) == {9: 110, 10: 1}

    @given(count=st.integers(5, 60))
    def test_everybody_meets_everybody_of_the_division_once(self, count: int) -> None:
        found = LEAGUE.begin(entrants(count), 9)
        pairings = LEAGUE.draw(Season(found))
        for division, there in by_division(found).items():
            pairs = [tuple(sorted((p.first, p.second or 0))) for p in pairings if p.division == division]
            assert sorted(pairs) == sorted(combinations(sorted(entrant.player for entrant in there), 2))
        assert LEAGUE.draw(Season(found, pairings)) == []

    def test_two_rise_and_three_fall(self) -> None:
        season = Season(LEAGUE.begin(entrants(27), 9))
        season = replace(season, pairings=stronger_wins(LEAGUE.draw(season)))
        after = {entrant.player: entrant.division for entrant in LEAGUE.begin(LEAGUE.renew(season), 9)}
        assert [after[player] for player in (1, 6, 7, 8, 9)] == [1, 1, 2, 2, 2]
        assert [after[player] for player in (10, 11, 15, 16, 17, 18)] == [1, 1, 2, 3, 3, 3]
        assert [after[player] for player in (19, 20, 27)] == [2, 2, 3]
        assert after[12] == 1, "the best who stayed fills the place that three for two left"

    @pytest.mark.parametrize("seed", range(20))
    def test_season_after_season_with_leavers_and_newcomers(self, seed: int) -> None:
        chance = random.Random(seed)
        here, last = LEAGUE.begin(entrants(chance.randrange(5, 120)), 9), 1000
        for _ in range(10):
            pairings = decided(LEAGUE.draw(Season(here)), chance)
            gone = [replace(entrant, out=chance.random() < chance.choice([0.05, 0.3])) for entrant in here]
            season = Season(gone, pairings)
            new = [Entrant(last + n, entered=last + n) for n in range(chance.randrange(12))]
            last += len(new)
            stay = LEAGUE.renew(season)
            assert {entrant.player for entrant in stay} == {entrant.player for entrant in season.here}
            if len(stay) + len(new) < LEAGUE.fewest:
                return
            here = LEAGUE.begin([*stay, *new], 9)
            assert sorted(e.player for e in here) == sorted(e.player for e in [*stay, *new])
            sizes = Counter(entrant.division for entrant in here)
            assert sorted(sizes) == list(range(1, len(sizes) + 1))
            assert all(n in LEAGUE.sizes for n in sizes.values()), sizes
            self._check_moves(season, {entrant.player: entrant.division for entrant in here})

    def _check_moves(self, season: Season, after: dict[int, int]) -> None:
        """Nobody falls who was not among the last three, unless divisions were cut anew."""
        for division, table in LEAGUE.tables(season).items():
            for line in table[:2]:
                if not line.out:
                    assert after[line.player] <= max(division, 1), line


class TestGroups:
    @pytest.mark.slow
    @given(count=st.integers(4, 100), size=st.sampled_from(GROUPS.sizes), seed=st.integers(0, 999))
    def test_from_groups_to_a_final(self, count: int, size: int, seed: int) -> None:
        chance = random.Random(seed)
        season = Season(GROUPS.begin(entrants(count), size), size=size)
        sizes = Counter(entrant.division for entrant in season.entrants)
        assert all(n in GROUPS.sizes for n in sizes.values()) or count in (7,)
        while drawn := GROUPS.draw(season):
            assert {p.round for p in drawn} == {season.round + 1}
            season = replace(season, pairings=[*season.pairings, *decided(drawn, chance)])
        assert len({p.division for p in season.of_round(season.round)}) == 1, "a final has one group"
        ranking = GROUPS.ranking(season)
        assert sorted(ranking) == list(range(1, count + 1))
        assert ranking[0] == GROUPS.tables(season)[1][0].player

    def test_the_strongest_are_in_different_groups(self) -> None:
        found = {e.player: e.division for e in GROUPS.begin(entrants(16), 4)}
        assert {found[player] for player in (1, 2, 3, 4)} == {1, 2, 3, 4}
        assert [found[player] for player in (5, 6, 7, 8)] == [4, 3, 2, 1]

    def test_the_next_one_advances_if_the_winner_has_left(self) -> None:
        season = Season(GROUPS.begin(entrants(12), 4), size=4)
        season = replace(season, pairings=stronger_wins(GROUPS.draw(season)))
        gone = [replace(entrant, out=entrant.player == 1) for entrant in season.entrants]
        final = {player for p in GROUPS.draw(replace(season, entrants=gone)) for player in (p.first, p.second)}
        assert 1 not in final
        assert len(final) == 3


class TestSwiss:
    @pytest.mark.slow
    @examples(8, 24)
    @example(count=7, seed=129, leavers=True)  # so many leave that the last round cannot be drawn
    @given(count=st.integers(4, 24), seed=st.integers(0, 999), leavers=st.booleans())
    def test_nobody_meets_anybody_twice(self, count: int, seed: int, leavers: bool) -> None:
        chance = random.Random(seed)
        season = Season(SWISS.begin(entrants(count), 0), rounds=min(5, count - 2) if count != 6 else 0)
        while drawn := SWISS.draw(season):
            players = [player for p in drawn for player in (p.first, p.second) if player is not None]
            assert sorted(players) == sorted(entrant.player for entrant in season.here), "everybody plays once"
            assert sum(p.second is None for p in drawn) == len(players) % 2
            season = replace(season, pairings=[*season.pairings, *decided(drawn, chance)])
            if leavers and chance.random() < 0.3 and len(season.here) > 4:
                out = chance.choice(season.here).player
                season = replace(season, entrants=[replace(e, out=e.out or e.player == out) for e in season.entrants])
        pairs = [frozenset((p.first, p.second)) for p in season.pairings if p.second is not None]
        assert len(pairs) == len(set(pairs))
        byes = Counter(p.first for p in season.pairings if p.second is None)
        assert leavers or all(n == 1 for n in byes.values())
        if not leavers:
            assert season.round == swiss.rounds_of(season)

    def test_players_with_equal_points_meet(self) -> None:
        season = Season(SWISS.begin(entrants(8), 0))
        season = replace(season, pairings=stronger_wins(SWISS.draw(season)))
        points = {player: line.points for line in SWISS.tables(season)[1] for player in [line.player]}
        assert all(points[p.first] == points[p.second or 0] for p in SWISS.draw(season))

    def test_how_many_rounds(self) -> None:
        assert [swiss.rounds_of(Season(entrants(n))) for n in (4, 6, 8, 9, 32)] == [3, 3, 4, 5, 6]
        assert swiss.rounds_of(Season(entrants(4), rounds=9)) == 3

    def test_it_says_what_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(swiss, "_ENGINE", "no_such_package")
        with pytest.raises(PlayerError, match="cannot draw Swiss tournaments"):
            SWISS.begin(entrants(8), 0)


class TestMatch:
    def test_the_strongest_meet_and_the_teams_begin_in_turn(self) -> None:
        both = [replace(e, team="blue" if e.player % 3 else "red") for e in entrants(10)]
        season = Season(MATCH.begin(both, 3), size=3)
        drawn = MATCH.draw(season)
        assert [(p.first, p.second) for p in drawn] == [(1, 3), (6, 2), (4, 9)]
        season = replace(
            season, pairings=[replace(p, points=points) for p, points in zip(drawn, (2, 1, 0), strict=True)]
        )
        assert team_points(season) == {"blue": 3, "red": 3}
        assert MATCH.draw(season) == []
