"""The table of a division, and what decides between equal players."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pbmserv.tournaments.circle import circle
from pbmserv.tournaments.entrants import Entrant, Pairing
from pbmserv.tournaments.leavers import without
from pbmserv.tournaments.standings import standings

ALL = [Entrant(player, entered=player) for player in range(1, 5)]


def _order(*results: tuple[int, int, int | None], forfeiter: int | None = None) -> list[int]:
    pairings = [Pairing(1, 1, a, b, points, forfeiter if points == 0 else None) for a, b, points in results]
    return [line.player for line in standings(ALL, pairings)]


def test_more_points_come_first() -> None:
    assert _order((3, 4, 2), (1, 2, 0), (3, 2, 2)) == [3, 2, 1, 4]


def test_the_board_between_two_who_are_equal_decides_first() -> None:
    """Player 1 has beaten the better opponent and entered earlier, but has lost against 2."""
    five = [*ALL, Entrant(5, entered=5)]
    lines = standings(five, [Pairing(1, 1, *row) for row in ((2, 1, 2), (1, 3, 2), (3, 4, 2), (3, 5, 2))])
    assert [(line.player, line.points, line.sonneborn_berger) for line in lines[:3]] == [
        (3, 4, 0),
        (2, 2, 4),
        (1, 2, 8),
    ]


def test_then_the_opponents_who_were_beaten() -> None:
    """1 and 2 have a point each and did not beat each other; 1 beat the better player."""
    lines = standings(ALL, [Pairing(1, 1, *row) for row in ((1, 2, 1), (1, 3, 1), (2, 4, 1), (3, 4, 2))])
    assert [(line.player, line.points, line.sonneborn_berger) for line in lines] == [
        (3, 3, 4), (1, 2, 5), (2, 2, 3), (4, 1, 2)]  # fmt: skip


def test_then_fewer_forfeits_then_the_earlier_entry() -> None:
    assert _order() == [1, 2, 3, 4]
    assert _order((1, 2, 0), (3, 4, 0), forfeiter=1)[2:] == [3, 1]


def test_who_is_equal_in_all_but_the_entry_shares_a_rank() -> None:
    assert [line.rank for line in standings(ALL, [])] == [1, 1, 1, 1]
    assert [line.rank for line in standings(ALL, [Pairing(1, 1, 4, 2, 2)])] == [1, 2, 2, 2]


def test_the_boards_between_equals_are_told_only_where_they_decide() -> None:
    """1 and 2 have a point each, and 1 has beaten 2; 3 and 4 have none, and their board runs."""
    rows = ((1, 2, 2), (2, 3, 2), (3, 4, None))
    assert [(x.player, x.between) for x in standings(ALL, [Pairing(1, 1, *row) for row in rows])] == [
        (1, 2), (2, 0), (3, None), (4, None)]  # fmt: skip
    circle_of_three = [Pairing(1, 1, *row) for row in ((1, 2, 2), (2, 3, 2), (3, 1, 2))]
    assert [x.between for x in standings(ALL, circle_of_three)] == [None] * 4


def test_what_is_void_or_undecided_counts_for_nobody() -> None:
    lines = standings(ALL, [Pairing(1, 1, 1, 2, None), Pairing(1, 1, 3, 4, None, void=True), Pairing(1, 1, 9, 1, 0)])
    assert [(line.player, line.points, line.played) for line in lines] == [(n, 0, 0) for n in (1, 2, 3, 4)]


def test_a_bye_is_a_point_and_no_board() -> None:
    (line, *_) = standings(ALL, [Pairing(1, 1, 2, None, 2)])
    assert (line.player, line.points, line.played, line.sonneborn_berger) == (2, 2, 0, 0)


@given(count=st.integers(2, 11), data=st.data())
def test_the_points_of_a_table_are_those_of_its_boards(count: int, data: st.DataObject) -> None:
    entrants = [Entrant(player, entered=player) for player in range(count)]
    points = st.sampled_from([0, 1, 2, None])
    pairings = [Pairing(1, 1, a, b, data.draw(points)) for a, b in circle(range(count))]
    lines = standings(entrants, pairings)
    assert sum(line.points for line in lines) == 2 * sum(p.is_decided for p in pairings)
    assert sum(line.won for line in lines) == sum(line.lost for line in lines)
    assert [line.place for line in lines] == list(range(1, count + 1))
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    shuffled = data.draw(st.permutations(entrants))
    assert standings(shuffled, pairings[::-1]) == lines


@given(count=st.integers(2, 30))
def test_everybody_meets_everybody_and_moves_first_as_often_as_second(count: int) -> None:
    pairs = list(circle(range(count)))
    assert sorted(tuple(sorted(pair)) for pair in pairs) == sorted(combinations(range(count), 2))
    for player in range(count):
        first = sum(pair[0] == player for pair in pairs)
        assert abs(2 * first - (count - 1)) <= 1


class TestWhoLeaves:
    """Player 1 leaves a division of five."""

    boards = tuple(Pairing(1, 1, *pair) for pair in circle(range(1, 6)))

    def _left(self, decided: int) -> list[Pairing]:
        mine = [p for p in self.boards if 1 in (p.first, p.second)]
        played = [Pairing(1, 1, p.first, p.second, 2) for p in mine[:decided]]
        return without(1, [*played, *mine[decided:], *(p for p in self.boards if p not in mine)])

    def test_before_half_of_the_boards_all_are_void(self) -> None:
        assert [(p.points, p.void) for p in self._left(1)] == [(None, True)] * 4

    def test_later_the_others_are_lost(self) -> None:
        left = self._left(2)
        assert not any(p.void for p in left)
        assert [p.points_of(1) for p in left[2:]] == [0, 0]
        assert [p.forfeiter for p in left] == [None, None, 1, 1]

    def test_where_not_everybody_meets_everybody_none_is_void(self) -> None:
        left = without(1, self.boards, is_round_robin=False)
        assert [(p.points_of(1), p.forfeiter, p.void) for p in left] == [(0, 1, False)] * 4
