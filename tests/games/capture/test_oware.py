"""Oware: sowing, captures, feeding, ends, and random games beside OpenSpiel."""

import json

import pytest

from pbmserv.errors import IllegalMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.capture.oware import NAMES, Oware, Position
from pbmserv.rng import NoChance
from tests.games.oracle.agreement import Difference, Rival, compare
from tests.games.oracle.engine import with_oracle

GAME = Oware()
OPENING = GAME.setup({}, 2, NoChance())


def position_of(south: str, north: str, turn: Seat = 0) -> Position:
    """Both rows as in the diagram, from left to right. What is missing to 48 has been captured, half by each."""
    houses = (*map(int, south.split()), *reversed([int(n) for n in north.split()]))
    missing = 48 - sum(houses)
    return Position(houses, (missing // 2, missing - missing // 2), turn)


def played(texts: str, position: Position = OPENING) -> Position:
    for text in texts.split():
        position = GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position
    return position


def rows(position: Position) -> tuple[str, str]:
    """The row of South and that of North, from left to right."""
    south, north = position.houses[:6], position.houses[:5:-1]
    return " ".join(map(str, south)), " ".join(map(str, north))


def texts(position: Position) -> str:
    return "".join(GAME.format(move) for move in GAME.legal_moves(position, position.turn))


def test_positions_of_earlier_versions_are_read_as_they_are_written_now() -> None:
    """They named each earlier position in full, with 29 bytes."""
    stored = json.loads(GAME.dump(played("d")))
    assert all(len(key) == 8 for key in stored["history"])
    stored["history"] = ["0 4 4 4 4 4 4 4 4 4 4 4 4", "1 4 4 4 0 5 5 5 5 4 4 4 4"]
    assert GAME.load(json.dumps(stored)) == played("d")


class TestSowing:
    def test_south_begins(self) -> None:
        assert GAME.to_move(OPENING) == {0}
        assert texts(OPENING) == "abcdef"

    def test_seeds_go_around_against_the_clock(self) -> None:
        assert rows(played("d")) == ("4 4 4 0 5 5", "4 4 4 4 5 5")
        assert rows(played("f j")) == ("5 5 5 4 4 0", "5 5 0 5 5 5")

    def test_twelve_seeds_leave_their_house_out(self) -> None:
        after = played("a", position_of("13 1 1 1 1 1", "5 5 5 5 5 5"))
        assert rows(after) == ("0 3 3 2 2 2", "6 6 6 6 6 6")

    def test_north_can_count_its_own_houses(self) -> None:
        north = played("f")
        assert [GAME.format(GAME.parse(north, 1, text)) for text in ("a", "g", "F", "l")] == ["g", "g", "l", "l"]

    @pytest.mark.parametrize(
        ("south", "north", "turn", "text", "why"),
        [
            ("4 4 4 4 4 4", "4 4 4 4 4 4", 0, "g", "the houses A to F are yours."),
            ("0 4 4 4 4 4", "4 4 4 4 4 8", 0, "a", "there are no seeds in house A."),
            ("4 4 4 4 4 8", "4 4 4 4 4 0", 1, "a", "there are no seeds in house G."),
            ("3 0 0 0 0 1", "0 0 0 0 0 0", 0, "a", "your opponent has no seeds, and this move would give none."),
        ],
    )
    def test_why_not(self, south: str, north: str, turn: Seat, text: str, why: str) -> None:
        with pytest.raises(IllegalMove) as caught:
            GAME.parse(position_of(south, north, turn), turn, text)
        assert caught.value.text == f"'{text}' is not possible: {why}"


class TestCaptures:
    def test_twos_and_threes_in_a_row_backwards(self) -> None:
        after = played("e", position_of("1 1 1 1 4 1", "5 5 5 2 1 1"))
        assert rows(after) == ("1 1 1 1 0 2", "5 5 5 0 0 0")
        assert after.stores[0] - position_of("1 1 1 1 4 1", "5 5 5 2 1 1").stores[0] == 7

    def test_the_row_ends_at_the_first_other_number(self) -> None:
        after = played("e", position_of("1 1 1 1 4 1", "5 5 5 2 4 1"))
        assert rows(after) == ("1 1 1 1 0 2", "5 5 5 0 5 2")

    def test_nothing_is_captured_on_the_own_side(self) -> None:
        after = played("a", position_of("2 1 1 1 1 1", "5 5 5 5 5 5"))
        assert rows(after) == ("0 2 2 1 1 1", "5 5 5 5 5 5")

    def test_a_grand_slam_captures_nothing(self) -> None:
        """The move is legal, but nobody may take all seeds of the other side."""
        after = played("f", position_of("5 5 5 5 5 2", "0 0 0 0 1 1"))
        assert rows(after) == ("5 5 5 5 5 0", "0 0 0 0 2 2")


class TestFeeding:
    def test_an_opponent_without_seeds_must_get_some(self) -> None:
        assert texts(position_of("1 0 3 0 2 0", "0 0 0 0 0 0")) == "e"

    def test_if_that_is_impossible_each_takes_what_is_left(self) -> None:
        before = Position((1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1), (23, 22), turn=1)
        after = played("l", before)
        assert after.ended == "nomove"
        assert (sum(after.houses), after.stores) == (0, (24, 24))


class TestEnds:
    def test_25_seeds_win(self) -> None:
        before = Position((0, 0, 0, 0, 0, 1, 1, 5, 0, 0, 0, 0), (23, 18))
        after = played("f", before)
        assert GAME.outcome(after) == Outcome("half", (1, 2), (25, 23))
        assert GAME.to_move(after) == frozenset()

    def test_who_cannot_feed_ends_the_game(self) -> None:
        before = Position((1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), (23, 23), turn=1)
        after = played("l", before)
        assert GAME.outcome(after) == Outcome("nomove", (1, 2), (25, 23))

    def test_24_each_is_a_draw(self) -> None:
        before = Position((0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), (23, 24), turn=1)
        after = played("l", before)
        assert GAME.outcome(after) == Outcome("nomove", (1, 1), (24, 24))

    def test_the_third_time_each_takes_the_own_side(self) -> None:
        """One seed of each goes around for ever."""
        position = Position((1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0), (23, 23))
        while not position.ended:
            position = played(texts(position)[0], position)
        assert GAME.outcome(position) == Outcome("repetition", (1, 1), (24, 24))


def drawing(position: Position) -> str:
    """The position as OpenSpiel draws it."""
    playing = ["", ""]
    if not position.ended:
        playing[position.turn] = " [PLAYING]"
    north, south = (" ".join(f"{n:2}" for n in row) for row in (position.houses[:5:-1], position.houses[:6]))
    lines = ["[FINISHED]"] if position.ended else []
    lines += [f"Player 1 score = {position.stores[1]}{playing[1]}", "  f  e  d  c  b  a", f" {north}", f" {south}"]
    return "\n".join([*lines, "  A  B  C  D  E  F", f"Player 0 score = {position.stores[0]}{playing[0]}", ""])


def actions(position: Position, seat: Seat, move: int) -> tuple[str, ...]:
    return (NAMES[move - 6] if seat else NAMES[move].upper(),)


def is_second_time(difference: Difference) -> bool:
    """OpenSpiel ends the game when a position stands for the second time, we when it does so again."""
    history = difference.position.history
    return difference.what == "end" and history.count(history[-1]) == 2


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees() -> None:
    rival = Rival("oware", actions, drawing=drawing, known={"second time": is_second_time})
    report = compare(GAME, rival, plies=2500)
    assert report.endings["half"] >= 10
