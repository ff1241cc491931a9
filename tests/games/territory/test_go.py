"""Go: captures, ko and superko, handicap, the count by mail, and random games beside OpenSpiel."""

from collections.abc import Sequence
from dataclasses import replace
from math import isqrt

import pytest

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import Outcome, Seat, Step
from pbmserv.games.base.picture import DEAD, EAST, NORTH, SOUTH, WEST
from pbmserv.games.territory.go import Go
from pbmserv.games.territory.go.area import area, groups
from pbmserv.games.territory.go.lattice import handicap_points, lattice, lattice_of
from pbmserv.games.territory.go.phases import MOST_NAMED, Position
from pbmserv.games.territory.go.stones import EMPTY, allowed, key_of, placed
from pbmserv.games.territory.go.thinking.forecast import agreed
from pbmserv.rng import NoChance, Rng
from tests.games.oracle.agreement import Choose, Difference, Rival, at_random, compare
from tests.games.oracle.engine import with_oracle

GAME = Go()
REST = [EMPTY * 9] * 5  #: the upper half of a small board, and the middle row
OPENING = GAME.setup({}, 2, NoChance())
SMALL = GAME.setup({"size": "9"}, 2, NoChance())


def drawn(*rows: str, turn: Seat = 0, komi: int = 15) -> Position:
    """A board, the top row first."""
    points = "".join(row.replace(" ", "") for row in reversed(rows))
    return Position(points, turn, komi, seen=(key_of(points),))


def played(position: Position, texts: str) -> Position:
    for word in texts.split():
        for text in GAME.words(word):
            move = GAME.parse(position, position.turn, text)
            position = GAME.apply(position, position.turn, move, NoChance()).position
    return position


def refused(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(position, position.turn, text)
    assert text not in GAME.legal_moves(position, position.turn)
    return caught.value.text


def stone(position: Position, name: str) -> str:
    return position.points[lattice_of(position.points).numbers[name]]


class TestTheBoard:
    def test_the_opening(self) -> None:
        assert GAME.to_move(OPENING) == {0}
        assert len(GAME.legal_moves(OPENING, 0)) == 19 * 19 + 1
        assert (len(OPENING.points), OPENING.komi) == (361, 15)

    def test_columns_leave_out_i(self) -> None:
        assert lattice(19).names[:19] == tuple(f"{c}1" for c in "abcdefghjklmnopqrst")
        assert stone(played(SMALL, "J9"), "j9") == "X"

    @pytest.mark.parametrize("text", ["i5", "I19", "dead-i3"])
    def test_column_i_is_explained(self, text: str) -> None:
        with pytest.raises(NotAMove, match="There is no column I on a board for Go: J is next to H"):
            GAME.parse(OPENING, 0, text)

    @pytest.mark.parametrize("text", ["u1", "a0", "a20", "a1a", "", "dead", "dead-a1-b2", "pas", "a 1"])
    def test_what_is_no_move(self, text: str) -> None:
        with pytest.raises(NotAMove):
            GAME.parse(OPENING, 0, text)

    def test_points_beyond_a_small_board(self) -> None:
        assert refused(SMALL, "k10") == "'k10' is not possible: this board has 9 points on each side."

    @pytest.mark.parametrize(
        ("size", "names"),
        [
            (5, "c3"),
            (7, "c3 e3 d4 c5 e5"),
            (9, "c3 g3 e5 c7 g7"),
            (13, "d4 k4 g7 d10 k10"),
            (19, "d4 k4 q4 d10 k10 q10 d16 k16 q16"),
        ],
    )
    def test_star_points(self, size: int, names: str) -> None:
        assert [lattice(size).names[point] for point in sorted(lattice(size).stars)] == names.split()

    @pytest.mark.parametrize(
        ("stones", "names"),
        [
            (2, "d4 q16"),
            (3, "d4 q16 d16"),
            (4, "d4 q16 d16 q4"),
            (5, "d4 q16 d16 q4 k10"),
            (6, "d4 q16 d16 q4 d10 q10"),
            (7, "d4 q16 d16 q4 d10 q10 k10"),
            (8, "d4 q16 d16 q4 d10 q10 k4 k16"),
            (9, "d4 q16 d16 q4 d10 q10 k4 k16 k10"),
        ],
    )
    def test_handicap_stones(self, stones: int, names: str) -> None:
        """The fixed points that the Go Text Protocol lists."""
        assert {lattice(19).names[p] for p in handicap_points(19, stones)} == set(names.split())
        position = GAME.setup({"handicap": str(stones)}, 2, NoChance())
        assert {n for n in lattice(19).names if stone(position, n) == "X"} == set(names.split())
        assert GAME.to_move(position) == {1}
        assert position.komi == 1

    @pytest.mark.parametrize(
        ("size", "names"), [(9, "c3 g7 c7 g3 c5 g5 e3 e7 e5"), (13, "d4 k10 d10 k4 d7 k7 g4 g10 g7")]
    )
    def test_nine_stones_on_smaller_boards(self, size: int, names: str) -> None:
        assert [lattice(size).names[p] for p in handicap_points(size, 9)] == names.split()

    @pytest.mark.parametrize(
        ("options", "halves"),
        [({}, 15), ({"komi": "6.5"}, 13), ({"komi": "-3"}, -6), ({"handicap": "4"}, 1),
         ({"handicap": "2", "komi": "0"}, 0)],
    )  # fmt: skip
    def test_komi(self, options: dict[str, str], halves: int) -> None:
        assert GAME.setup(options, 2, NoChance()).komi == halves


class TestCaptures:
    def test_a_stone_without_liberties_is_taken(self) -> None:
        after = played(SMALL, "e4 e5 d5 a1 f5 b1 e6")
        assert stone(after, "e5") == EMPTY
        assert after.taken == (1, 0)

    def test_a_chain_is_taken_as_a_whole(self) -> None:
        before = drawn(*REST, EMPTY * 9, "X X X . . . . . .", "O O O X . . . . .", ". O O X . . . . .")
        after = played(before, "a1")
        assert [stone(after, name) for name in ("a1", "a2", "b2", "c2", "b1", "c1")] == list("X.....")
        assert after.taken == (5, 0)

    def test_one_stone_takes_several_chains(self) -> None:
        before = drawn(*REST, "X . . . . . . . .", "O X . . . . . . .", ". X . . . . . . .", "O X . . . . . . .")
        assert played(before, "a2").taken == (2, 0)

    def test_suicide_is_forbidden(self) -> None:
        one = drawn(*REST, *[EMPTY * 9] * 2, "X . . . . . . . .", ". X . . . . . . .", turn=1)
        several = drawn(*REST, *[EMPTY * 9] * 2, "O O O . . . . . .", ". X X O . . . . .")
        for before in (one, several):
            assert refused(before, "a1") == "'a1' is not possible: your stones there would have no liberty (suicide)."

    def test_to_fill_the_last_liberty_is_no_suicide_if_it_takes(self) -> None:
        before = drawn(*REST, EMPTY * 9, "X . . . . . . . .", "O X . . . . . . .", ". O X . . . . . .")
        after = played(before, "a1")
        assert (stone(after, "a1"), after.taken) == ("X", (2, 0))

    def test_snapback(self) -> None:
        """White takes the stone that Black throws in, and Black takes five stones on that point."""
        before = drawn(*REST, EMPTY * 9, "X X X X . . . . .", "O O O X . . . . .", "O . . X . . . . .")
        after = played(before, "b1 c1 b1")
        assert [stone(after, name) for name in ("a1", "b1", "c1", "a2", "b2", "c2")] == list(".X....")
        assert after.taken == (5, 1)


class TestKo:
    KO = (". X O . . . . . .", "X O . O . . . . .", ". X O . . . . . .")

    def test_a_ko_is_not_retaken_at_once(self) -> None:
        before = drawn(*REST, EMPTY * 9, *self.KO)
        taken = played(before, "c2")
        assert stone(taken, "b2") == EMPTY
        assert refused(taken, "b2") == (
            "'b2' is not possible: the board would look as it did before (ko): play somewhere else first."
        )

    def test_after_a_threat_and_its_answer_it_is(self) -> None:
        before = drawn(*REST, EMPTY * 9, *self.KO)
        after = played(before, "c2 h8 h7 b2")
        assert (stone(after, "b2"), stone(after, "c2")) == ("O", EMPTY)

    def test_triple_ko(self) -> None:
        """Three kos, of which Black can take two and White one: the sixth capture would bring back the beginning."""
        black = (". X O . . . . . .", "X O . O . . . . .", ". X O . . . . . .")
        white = (". X O . . . . . .", "X . X O . . . . .", ". X O . . . . . .")
        before = drawn(*black, *white, *black)
        after = played(before, "c8 b5 c2 b8 c5")
        assert refused(after, "b2").endswith("the board would look as it did before (ko): play somewhere else first.")
        assert stone(played(after, "h9 h1 b2"), "b2") == "O"

    def test_sending_two_returning_one(self) -> None:
        """White offers two stones, Black takes them, and White takes one: to offer two again would repeat the board."""
        before = drawn(*REST, *[EMPTY * 9] * 2, "X X O . . . . . .", "O . . O . . . . .", turn=1)
        after = played(before, "b1 c1 b1 pass")
        assert (stone(after, "a1"), stone(after, "b1"), stone(after, "c1")) == (EMPTY, "O", EMPTY)
        assert "(ko)" in refused(after, "a1")

    def test_it_does_not_matter_who_was_to_move(self) -> None:
        """Superko here is positional: White would be forbidden what Black once left behind."""
        before = drawn(*REST, EMPTY * 9, *self.KO)
        taken = played(before, "c2")
        as_black = replace(taken, turn=0, seen=(*taken.seen, key_of(played(replace(taken, turn=0), "h9").points)))
        assert "(ko)" in refused(as_black, "h9")

    def test_no_position_comes_twice_in_random_games(self) -> None:
        for number in range(3):
            position = _walk(f"superko {number}", plies=300)
            assert len(set(position.seen)) == len(position.seen)


class TestCounting:
    #: Black owns the left, White the right. A white stone in Black's corner and a black one in White's cannot live.
    ENDED = drawn(
        ". . . X O . . . .",
        ". O . X O . . X .",
        ". . . X O . . . .",
        *[". . . X O . . . ."] * 6,
    )

    def test_whoever_passes_last_begins_the_count(self) -> None:
        assert GAME.to_move(played(self.ENDED, "pass")) == {1}
        counting = played(self.ENDED, "pass pass")
        assert GAME.to_move(counting) == {1}
        assert GAME.legal_moves(counting, 1) == ("dead-d1", "dead-e1", "dead-b8", "dead-h8", "count")
        assert GAME.example(counting, 1) == "count"

    def test_three_mails_are_enough(self) -> None:
        """Black passes; White passes, names the dead and counts, on one line; Black agrees."""
        over = played(self.ENDED, "pass pass dead-b8-h8 count count")
        assert GAME.outcome(over) == Outcome("count", (2, 1), (36, 52.5))
        assert GAME.to_move(over) == frozenset()

    def test_the_picture_crosses_the_dead_and_marks_the_points(self) -> None:
        picture = GAME.picture(GAME.view(played(self.ENDED, "pass pass dead-b8"), None))
        cells = {cell.name: cell for cell in picture.cells}
        assert {name for name, cell in cells.items() if cell.state} >= {"b8"}
        assert {cell.state for cell in cells.values()} == {"", DEAD}
        assert {p.art for cell in cells.values() for p in cell.pieces} == {"stone", "stone-dark", "owned"}
        assert (cells["a1"].lines, cells["e5"].lines) == ((NORTH, EAST), (NORTH, EAST, SOUTH, WEST))

    @pytest.mark.slow
    def test_a_robot_does_not_win_by_its_own_dead_stones(self) -> None:
        """With komi -0.5 Black wins by half a point if nothing is dead, and loses by eight and a half."""
        walls = [". X . X O . O . ."]
        ended = drawn(*walls, ". X O X O . O X .", *walls * 7)
        offered = replace(played(ended, "pass pass count"), komi=-1)
        assert agreed(offered, 0, Rng("luck", 1)) == ("dead-c8", "dead-h8", "count")
        half = replace(played(ended, "pass pass dead-h8 count"), komi=-1)
        assert agreed(half, 0, Rng("luck", 1)) == ("count",)

    @pytest.mark.slow
    @pytest.mark.parametrize(("seat", "alive"), [(0, "e1"), (1, "b1")])
    def test_a_robot_does_not_win_by_living_stones_that_were_named_dead(self, seat: Seat, alive: str) -> None:
        """The opponent names a whole side dead that lives; the robot would lose by nine points, whichever it is."""
        walls = drawn(*[". X . X O . O . ."] * 9)
        moves = f"pass pass dead-{alive} count" if seat == 0 else f"pass pass count dead-{alive} count"
        offered = replace(played(walls, moves), komi=(0, -36)[seat])
        answers = [agreed(offered, seat, Rng(f"{luck}", 1)) for luck in range(20)]
        named = [answer for answer in answers if answer != ("resume",)]
        assert 0 < len(named) < len(answers)  # now and then it plays on, or two robots might never come to an end
        assert set(named) == {(f"alive-{alive}", "count")}

    def test_as_it_stands(self) -> None:
        over = played(self.ENDED, "pass pass count count")
        assert GAME.outcome(over) == Outcome("count", (2, 1), (10, 17.5))

    def test_the_other_names_other_stones(self) -> None:
        offer = played(self.ENDED, "pass pass dead-h8 count")
        assert GAME.to_move(offer) == {0}
        other = played(offer, "alive-h8 dead-b8 count")
        assert GAME.to_move(other) == {1}
        assert GAME.outcome(other) is None
        over = played(other, "count")
        assert GAME.outcome(over) == Outcome("count", (1, 2), (37, 16.5))

    def test_changed_back_is_agreed(self) -> None:
        assert GAME.outcome(played(self.ENDED, "pass pass dead-h8 count alive-h8 dead-h8 count"))

    def test_playing_on_needs_no_consent(self) -> None:
        """The one who did not pass last moves first, as if there had been no passes."""
        resumed = played(self.ENDED, "pass pass dead-b8 count resume")
        assert resumed.count is None
        assert GAME.to_move(resumed) == {0}
        assert "h7" in GAME.legal_moves(resumed, 0)
        again = played(self.ENDED, "pass pass dead-b8 count alive-b8 count resume")
        assert GAME.to_move(again) == {0}

    def test_two_passes_at_once_then_count_the_board_as_it_stands(self) -> None:
        """So nobody can go on for ever, and nobody can make the other one take his stones off."""
        over = played(self.ENDED, "pass pass dead-b8-h8 count resume pass pass")
        assert GAME.outcome(over) == Outcome("stands", (2, 1), (10, 17.5))

    def test_after_a_stone_they_count_again(self) -> None:
        again = played(self.ENDED, "pass pass dead-b8-h8 count resume h7 pass pass")
        assert again.count
        assert GAME.to_move(again) == {0}
        assert GAME.legal_moves(again, 0)[-1] == "count"

    def test_who_has_not_been_asked_cannot_play_on(self) -> None:
        counting = played(self.ENDED, "pass pass")
        assert (
            refused(counting, "resume")
            == "'resume' is not possible: you have not said yet, with count, how you see it."
        )

    @pytest.mark.parametrize(
        ("before", "text", "why"),
        [
            ("", "count", "the count begins when both players have passed, one after the other"),
            ("pass", "resume", "the count begins when both players have passed, one after the other"),
            ("pass", "dead-b8", "the count begins when both players have passed, one after the other"),
            ("pass pass", "h7", "both players have passed: send count, or first name dead stones"),
            ("pass pass", "pass", "both players have passed: send count, or first name dead stones"),
            ("pass pass", "dead-a1", "no stone is on a1"),
            ("pass pass", "dead-t19", "no stone is on t19"),
            ("pass pass", "alive-b8", "the stones on b8 are alive already"),
            ("pass pass dead-b8", "dead-b8", "the stones on b8 are dead already"),
            ("", "d1", "d1 is occupied"),
        ],
    )
    def test_why_not(self, before: str, text: str, why: str) -> None:
        assert refused(played(self.ENDED, before), text) == f"'{text}' is not possible: {why}."

    def test_one_turn_cannot_name_stones_for_ever(self) -> None:
        """Each naming begins a new time limit for the same player."""
        counting = played(self.ENDED, "pass pass")
        for number in range(MOST_NAMED):
            counting = played(counting, ("dead-b8", "alive-b8")[number % 2])
        assert GAME.legal_moves(counting, 1) == ("count",)
        assert refused(counting, "dead-b8") == (
            f"'dead-b8' is not possible: you have named {MOST_NAMED} groups in this turn: now send count."
        )
        assert "dead-b8" in GAME.legal_moves(played(counting, "count"), 0)

    def test_stones_of_an_enclosed_area_are_named_together(self) -> None:
        ended = drawn(
            ". X . . O . . X .",
            "X . X . O . X . .",
            ". . . O . O . . X",
            "O O O . . . O O O",
            *REST,
        )
        counting = played(ended, "pass pass")
        assert GAME.parse(counting, 1, "dead-c8") == "dead-a8"
        named = played(counting, "dead-b9-h9")
        assert [stone for stone in named.counted if stone == "X"] == []
        assert GAME.parse(counting, 1, "deadc8") == "dead-a8"

    def test_words(self) -> None:
        assert GAME.words("Dead-c3-Q16") == ["dead-c3", "dead-q16"]
        assert GAME.words("alive-c3-d4-e5") == ["alive-c3", "alive-d4", "alive-e5"]
        assert [GAME.words(text) for text in ("dead-c3", "Q16", "dead-", "a-b")] == [
            ["dead-c3"],
            ["Q16"],
            ["dead-"],
            ["a-b"],
        ]

    def test_seki_counts_as_it_stands(self) -> None:
        """Rows 5 to 7: neither can take the other, because who plays b6 or h6 is taken. These points are nobody's."""
        seki = drawn(
            ". X . X . X . X .",
            "X X X X X X X X X",
            "O O O O O O O O O",
            "O . X X X X X . O",
            "X X X X X X X X X",
            "O O O O O O O O O",
            ". O . . O . . O .",
            *[EMPTY * 9] * 2,
        )
        assert GAME.outcome(played(seki, "pass pass count count")) == Outcome("count", (2, 1), (32, 47 + 7.5))
        black, white = (played(replace(seki, turn=turn), "b6 h6") for turn in (0, 1))
        assert (stone(black, "e5"), stone(white, "e7")) == (EMPTY, EMPTY)

    def test_a_point_for_each_handicap_stone(self) -> None:
        over = played(GAME.setup({"size": "9", "handicap": "4"}, 2, NoChance()), "pass pass count count")
        assert GAME.outcome(over) == Outcome("count", (1, 2), (81, 4.5))

    def test_whole_komi_can_end_in_a_draw(self) -> None:
        even = drawn(*["X X X X . O O O O"] * 9, komi=0)
        assert GAME.outcome(played(even, "pass pass count count")) == Outcome("count", (1, 1), (36, 36))

    def test_an_empty_board_is_white_s(self) -> None:
        assert GAME.outcome(played(SMALL, "pass pass count count")) == Outcome("count", (2, 1), (0, 7.5))

    def test_the_letter_says_what_to_answer(self) -> None:
        passed = played(self.ENDED, "pass")
        one_line = "You can pass and begin the count on one line: pass dead-c3-d7 count"
        assert one_line in GAME.scene(GAME.view(passed, 1))["lines"]
        assert one_line not in GAME.scene(GAME.view(passed, 0))["lines"]
        counting = played(self.ENDED, "pass pass dead-b8")
        lines = GAME.scene(GAME.view(counting, 1))["lines"]
        assert "If counted like this: Black 37, White 16.5" in lines
        assert "Now White answers." in GAME.scene(GAME.view(counting, 0))["lines"]
        asked = GAME.scene(GAME.view(played(counting, "count"), 0))["lines"]
        assert "White wants to count like this." in asked
        assert "If you agree, send count. To play on, send resume." in asked


def _walk(seed: str, plies: int, size: int = 9) -> Position:
    """A random game, in which passes are rare."""
    position = GAME.setup({"size": str(size)}, 2, NoChance())
    for ply in range(plies):
        if position.is_over:
            break
        moves = GAME.legal_moves(position, position.turn)
        move = Rng(seed, ply).choice(moves[:-1] or moves)
        position = GAME.apply(position, position.turn, move, NoChance()).position
    return position


@pytest.mark.slow
def test_the_fast_ways_agree_with_the_slow_ones() -> None:
    """The number of a position, and the list of all points where a stone is allowed."""
    for number in range(4):
        for plies in (20, 60, 110, 180):
            position = _walk(f"slow {number}", plies)
            assert key_of(position.points) == position.seen[-1]
            for seat in range(2):
                single = [
                    point
                    for point, at in enumerate(position.points)
                    if at == EMPTY
                    and (after := placed(position.points, position.seen[-1], seat, point))
                    and after.key not in position.seen
                ]
                assert list(allowed(position.points, position.seen[-1], seat, position.seen)) == single
            counted = sum(area(position.points, seat) for seat in range(2))
            assert position.points.count("X") + position.points.count("O") <= counted <= 81
            assert set(groups(position.points)) == {p for p, at in enumerate(position.points) if at != EMPTY}


class CountedAsItStands(Go):
    """Ends with the second pass, as OpenSpiel does: both players agree at once that no stone is dead."""

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        after = super().apply(position, seat, move, rng).position
        while after.count and not after.count.agreed:
            after = super().apply(after, after.turn, "count", rng).position
        return Step(after)


def _actions(position: Position, seat: Seat, move: str) -> tuple[str, ...]:
    return (f"{'BW'[seat]} {'PASS' if move == 'pass' else move}",)


def _drawing(position: Position) -> str:
    """What OpenSpiel draws below its first line."""
    size, signs = isqrt(len(position.points)), position.points.replace(EMPTY, "+")
    rows = [f"{row + 1:2} {signs[row * size : (row + 1) * size]}" for row in reversed(range(size))]
    return "\n".join((*rows, "   " + "ABCDEFGHJKLMNOPQRST"[:size]))


def _board(drawing: str) -> str:
    return drawing.partition("\n\n")[2].rstrip("\n")


def _superko(difference: Difference) -> bool:
    """OpenSpiel knows only the simple ko. Who repeats an older position ends the game as a draw."""
    if difference.what != "moves" or difference.ours - difference.theirs:
        return False
    position: Position = difference.position
    numbers = lattice_of(position.points).numbers
    for (action,) in difference.theirs - difference.ours:
        point = numbers[action.split()[1]]
        after = placed(position.points, position.seen[-1], position.turn, point)
        if after is None or after.key not in position.seen:
            return False
    return True


def _fighting(position: Position, moves: Sequence[str], rng: Rng) -> str:
    """Choose a move that takes stones, if there is one, and sometimes a pass."""
    if rng.randrange(60) == 0:
        return "pass"
    numbers = lattice_of(position.points).numbers
    for move in rng.shuffled(moves)[:25]:
        if move != "pass":
            after = placed(position.points, position.seen[-1], position.turn, numbers[move])
            if after and after.taken:
                return move
    return rng.choice(moves)


def _passing(position: Position, moves: Sequence[str], rng: Rng) -> str:
    """Choose a pass in one of ten turns, and after the opponent's pass in one of two."""
    return "pass" if rng.randrange(2 if position.passed else 10) == 0 else rng.choice(moves)


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "choose", "plies"),
    [
        ({"size": "9"}, at_random, 500),
        ({"size": "9"}, _fighting, 500),
        ({"size": "9", "komi": "0"}, _passing, 500),
        ({"size": "13"}, _passing, 500),
        ({}, at_random, 500),
        ({"handicap": "3"}, _passing, 200),
        ({"handicap": "7"}, _passing, 200),
        ({"handicap": "9"}, _passing, 200),
    ],
    ids=lambda value: "-".join(map("".join, value.items())) if isinstance(value, dict) else None,
)
def test_openspiel_agrees(options: dict[str, str], choose: Choose, plies: int) -> None:
    """OpenSpiel, too, gives White a point for each handicap stone. It has handicap only on 19x19."""
    _compared(options, choose, plies)


def _compared(options: dict[str, str], choose: Choose, plies: int) -> None:
    position = GAME.setup(options, 2, NoChance())
    parameters = {
        "board_size": isqrt(len(position.points)),
        "komi": position.komi / 2,
        "handicap": position.handicap,
        "max_game_length": 5000,
    }
    rival = Rival("go", _actions, parameters, _drawing, known={"superko": _superko}, board=_board)
    report = compare(CountedAsItStands(), rival, plies, options, choose)
    assert not report.deaths
    if choose is not at_random:
        assert report.endings["count"]
