"""Backgammon: turns in all spellings, what the dice demand, bearing off, gammons, and matches with the cube."""

from collections.abc import Mapping
from typing import Any

import pytest

from pbmserv.errors import AmbiguousMove, IllegalMove, NotAMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.base.board import Board, Start, begin, play, preview
from pbmserv.games.base.picture import LAST, LEFT
from pbmserv.games.race.backgammon import Backgammon
from pbmserv.games.race.backgammon.cube import may_double
from pbmserv.games.race.backgammon.judgement.match_table import equity
from pbmserv.games.race.backgammon.places import BAR, OPENING, digits, pips
from pbmserv.games.race.backgammon.situation import AFTER_CRAWFORD, BEFORE_CRAWFORD, CRAWFORD, NOBODY, Position
from pbmserv.games.race.backgammon.throws import plays
from pbmserv.rng import NoChance, Rng
from tests.games.chance import Numbers

GAME = Backgammon()
CLOSED = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}  #: nobody can enter


def men(places: Mapping[int, int]) -> str:
    """Men by their places, the rest of the fifteen off."""
    counts = [places.get(place, 0) for place in range(BAR + 1)]
    counts[0] = 15 - sum(counts[1:])
    return digits(counts)


def at(white: Mapping[int, int], black: Mapping[int, int], *dice: int, turn: Seat = 0) -> Position:
    return Position((men(white), men(black)), turn, dice)


def opening(*dice: int) -> Position:
    return Position(dice=dice)


def legal(position: Position) -> set[str]:
    return set(GAME.legal_moves(position, position.turn))


def played(position: Position, text: str, *dice: int) -> Position:
    """The position after a move. `dice`: what is rolled then."""
    move = GAME.parse(position, position.turn, text)
    rng = Numbers(*(die - 1 for die in dice)) if dice else NoChance()
    return GAME.apply(position, position.turn, move, rng).position


def refused(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(position, position.turn, text)
    return caught.value.text


class TestTheOpening:
    def test_each_side_has_167_points_to_go(self) -> None:
        assert pips(OPENING) == 167
        assert {place: n for place, n in enumerate(OPENING) if n} == {24: 2, 13: 5, 8: 3, 6: 5}

    def test_the_higher_die_begins_and_plays_both(self) -> None:
        position = GAME.setup({}, 2, Numbers(2, 2, 0, 4))  # 3 and 3, then 1 and 5
        assert (position.turn, position.dice) == (1, (5, 1))
        assert GAME.setup({}, 2, Numbers(5, 3)).dice == (6, 4)

    def test_both_begin_equally_often(self) -> None:
        first = [GAME.setup({}, 2, Rng(str(seed), 0)) for seed in range(2000)]
        assert 900 < sum(position.turn for position in first) < 1100
        assert all(position.dice[0] > position.dice[1] for position in first)

    @pytest.mark.parametrize(
        ("dice", "turns"),
        [((3, 1), "8/5+6/5"), ((4, 2), "8/4+6/4"), ((6, 1), "13/7+8/7"), ((5, 3), "8/3+6/3"), ((6, 5), "24/13")],
    )
    def test_the_moves_that_books_recommend(self, dice: tuple[int, int], turns: str) -> None:
        assert turns in legal(opening(*dice))


class TestWriting:
    @pytest.mark.parametrize(
        "text", ["24/18 13/11", "13/11 24/18", "24-18 13-11", "24/18, 13/11", "24/18+13/11", "24/18; 13/11."]
    )
    def test_two_men_in_any_order(self, text: str) -> None:
        assert GAME.parse(opening(6, 2), 0, text) == "24/18+13/11"

    @pytest.mark.parametrize("text", ["24/13", "24/18/13", "24/18 18/13", "24/19/13", "18/13 24/18"])
    def test_one_man_with_both_dice(self, text: str) -> None:
        position = at({24: 2, 18: 1, 13: 4}, {1: 2}, 6, 5)
        assert GAME.parse(position, 0, text) == "24/13"

    @pytest.mark.parametrize("text", ["8/5(2) 6/3(2)", "8/5 8/5 6/3 6/3", "6/3 8/5 6/3 8/5", "8-5(2),6-3(2)"])
    def test_doubles(self, text: str) -> None:
        assert GAME.parse(opening(3, 3), 0, text) == "8/5(2)+6/3(2)"

    def test_all_orders_of_a_double_that_lead_to_one_position_are_one_turn(self) -> None:
        position = opening(1, 1)
        texts = ("8/6 7/5 6/5", "8/7 7/6 6/5 6/5", "8/6 6/5 6/5", "8/5 6/5")
        assert len({GAME.parse(position, 0, text) for text in (texts[1], texts[2], texts[3])}) == 1

    @pytest.mark.parametrize("text", ["bar/22 6/off", "b/22 6/o", "25/22 6/0", "BAR/22 6/OFF"])
    def test_bar_and_off(self, text: str) -> None:
        assert GAME.normalise(text) == "bar/22+6/off"

    @pytest.mark.parametrize("text", ["13/8*/7", "13/8/7", "13/8* 8/7", "13-8*-7"])
    def test_hits(self, text: str) -> None:
        position = at({13: 2}, {17: 1}, 5, 1)
        assert GAME.parse(position, 0, text) == "13/8*/7"

    def test_a_star_is_read_and_never_made_up(self) -> None:
        position = at({13: 2}, {17: 1}, 5, 1)
        assert "there is no single man to hit on 7." in refused(position, "13/8/7*")

    def test_the_way_without_a_hit_is_meant_if_no_point_on_it_is_named(self) -> None:
        position = at({13: 2}, {17: 1}, 5, 1)  # by 8, where a man is hit, or by 12
        assert GAME.parse(position, 0, "13/7") == "13/7"
        assert {"13/7", "13/8*/7"} <= legal(position)

    def test_the_only_way_may_be_left_unnamed(self) -> None:
        position = at({13: 2}, {17: 1, 13: 2}, 5, 1)  # Black holds 12
        assert GAME.parse(position, 0, "13/7") == "13/8*/7"

    def test_two_ways_with_different_hits_are_ambiguous(self) -> None:
        position = at({13: 2}, {17: 1, 13: 1}, 5, 1)
        with pytest.raises(AmbiguousMove, match=r"could mean 13/8\*/7 or 13/12\*/7"):
            GAME.parse(position, 0, "13/7")

    def test_a_line_of_words_is_one_turn(self) -> None:
        assert GAME.moves_in(["24/18", "13/11"]) == ["24/18+13/11"]
        assert GAME.moves_in(["24/18", "13/11#5"]) == ["24/18+13/11#5"]
        assert GAME.moves_in(["roll"]) == ["roll"]
        assert GAME.moves_in(["24/18", "please"]) == ["24/18", "please"]

    @pytest.mark.parametrize("text", ["24/18 13", "24", "8/5(5)", "0/3", "24/30", "8//5", "8/5(2)(2)", "1/off " * 5])
    def test_no_turns(self, text: str) -> None:
        with pytest.raises(NotAMove):
            GAME.parse(opening(6, 2), 0, text)


class TestWhatTheDiceDemand:
    def test_both_dice_are_used_if_they_can_be(self) -> None:
        # One man can play the 6 only before the 1, because Black holds 12.
        position = at({13: 1, 1: 1}, {13: 2, 6: 2}, 6, 1)
        assert legal(position) == {"13/6"}
        assert "both dice can be used, so they must be." in refused(position, "13/7")

    def test_the_higher_die_if_only_one_can_be_used(self) -> None:
        # 24/18 and 24/23 are free, but from neither can the man go on: Black holds 17.
        position = at({24: 1}, {8: 2, 6: 2}, 6, 1)
        assert legal(position) == {"24/18"}
        assert "it must be the higher one, 6." in refused(position, "24/23")

    def test_the_lower_die_if_the_higher_one_is_blocked(self) -> None:
        position = at({24: 1}, {7: 2, 8: 2, 6: 2}, 6, 1)
        assert legal(position) == {"24/23"}

    def test_as_many_parts_of_a_double_as_possible(self) -> None:
        position = at({24: 1}, {13: 2}, 4, 4)  # 20, 16, and then Black holds 12
        assert legal(position) == {"24/16"}
        assert "2 dice can be used, so they must be." in refused(position, "24/20")

    def test_a_man_on_the_bar_enters_first(self) -> None:
        position = at({25: 1, 13: 2}, {}, 6, 2)
        assert legal(position) == {"bar/17", "bar/19+13/11", "bar/23+13/7"}
        assert "your men on the bar have to enter first." in refused(position, "13/5")

    def test_two_men_on_the_bar_and_one_free_point(self) -> None:
        position = at({25: 2, 13: 2}, {6: 2}, 6, 3)
        assert legal(position) == {"bar/22"}

    def test_a_hit_man_goes_to_the_bar(self) -> None:
        after = played(at({8: 2, 6: 2}, {20: 1, 6: 2}, 3, 1), "8/5* 6/5", 6, 2)
        assert after.of(1)[BAR] == 1
        assert after.of(0)[5] == 2

    def test_who_cannot_enter_is_skipped_and_hears_the_dice(self) -> None:
        position = at({**CLOSED, 7: 2, 8: 1}, {25: 1, 24: 5}, 2, 1)
        step = GAME.apply(position, 0, GAME.parse(position, 0, "8/7 7/5"), Numbers(5, 5, 2, 1))
        assert step.missed == (1,)
        assert [note.text for note in step.notes] == ["Black rolls 6 and 6 and cannot move.", "White rolls 3 and 2."]
        assert (step.position.turn, step.position.dice) == (0, (3, 2))


class TestBearingOff:
    def test_with_the_exact_die_or_by_moving(self) -> None:
        position = at({6: 1, 4: 1, 2: 1}, {6: 2}, 4, 2)
        assert "4/off+2/off" in legal(position)
        assert "6/off" in legal(position)  # with the 2 and then the 4

    def test_a_die_that_is_too_high_bears_off_the_man_furthest_back(self) -> None:
        position = at({4: 2, 3: 1}, {6: 2}, 6, 5)
        assert legal(position) == {"4/off(2)"}
        assert "there is a man further back, on 4." in refused(position, "4/off 3/off")

    def test_not_while_a_man_is_outside(self) -> None:
        position = at({8: 1, 6: 1, 1: 2}, {6: 2}, 6, 1)
        assert legal(position) == {"8/2+6/5", "8/2+1/off", "8/1"}
        assert "only when all your men are in your home board." in refused(position, "6/off 8/7")

    def test_one_die_brings_the_last_man_home_and_the_other_bears_off(self) -> None:
        position = at({7: 1, 6: 1}, {6: 2}, 6, 1)
        assert legal(position) == {"7/off", "7/1+6/5"}
        assert GAME.parse(position, 0, "7/6 6/off") == "7/off"
        assert legal(at({7: 1}, {6: 2}, 6, 1)) == {"7/off"}

    def test_not_while_a_man_is_on_the_bar(self) -> None:
        position = at({25: 1, 1: 2}, {6: 2}, 5, 1)
        assert legal(position) == {"bar/20"}  # not 1/off, and Black holds 19


class TestTheEnd:
    @pytest.mark.parametrize(
        ("black", "reason"),
        [
            ({6: 14}, "single"),
            ({6: 15}, "gammon"),
            ({6: 14, 25: 1}, "backgammon"),
            ({6: 14, 19: 1}, "backgammon"),
            ({6: 14, 18: 1}, "gammon"),
            ({6: 13, 25: 1}, "single"),
        ],
    )
    def test_what_the_loser_has_left(self, black: dict[int, int], reason: str) -> None:
        after = played(at({1: 2}, black, 2, 1), "1/off(2)")
        assert GAME.outcome(after) == Outcome(reason, (1, 2))
        assert GAME.to_move(after) == frozenset()

    def test_black_can_win_too(self) -> None:
        after = played(at({6: 3}, {1: 1}, 2, 1, turn=1), "1/off")
        assert GAME.outcome(after) == Outcome("single", (2, 1))

    def test_without_a_match_there_is_no_cube_and_no_choice(self) -> None:
        after = played(opening(6, 2), "24/18 13/11", 4, 3)
        assert (after.turn, after.dice) == (1, (4, 3))
        assert "there is a doubling cube only in a match." in refused(after, "double")
        assert GAME.scores(after) is None


def match(goal: int = 5, **facts: object) -> Position:
    """A match, White to roll or to double."""
    return Position(goal=goal, **facts)  # type: ignore[arg-type]


class TestTheCube:
    def test_who_may_double_is_asked(self) -> None:
        after = played(Position(dice=(6, 2), goal=5), "24/18 13/11")
        assert legal(after) == {"roll", "double"}
        assert "you have to roll or to double first." in refused(after, "24/18")
        assert played(after, "roll", 3, 1).dice == (3, 1)

    def test_a_double_that_is_taken_gives_the_cube_away(self) -> None:
        doubled = played(match(), "double")
        assert (doubled.turn, legal(doubled)) == (1, {"take", "drop"})
        assert "your opponent has doubled, so you have to take or to drop." in refused(doubled, "roll")
        taken = played(doubled, "take", 5, 2)
        assert (taken.turn, taken.dice, taken.cube, taken.owner) == (0, (5, 2), 2, 1)

    def test_only_the_owner_may_double_again(self) -> None:
        taken = Position(dice=(6, 2), goal=5, cube=2, owner=1)
        asked = played(taken, "24/18 13/11")
        assert legal(asked) == {"roll", "double"}
        rolled = played(played(asked, "roll", 6, 5), "24/13", 4, 1)
        assert (rolled.turn, rolled.dice) == (0, (4, 1))  # White cannot double, so the dice are rolled

    @pytest.mark.parametrize("word", ["drop", "pass"])
    def test_who_drops_loses_what_the_cube_said_before(self, word: str) -> None:
        doubled = Position(goal=7, cube=2, owner=NOBODY, turn=1, doubled=True)
        after = played(doubled, word, 1, 4)
        assert after.score == (2, 0)
        assert (after.cube, after.owner, after.turn, after.dice) == (1, NOBODY, 1, (4, 1))
        assert after.of(0) == after.of(1) == OPENING

    @pytest.mark.parametrize(
        ("black", "points"), [({6: 14}, 2), ({6: 15}, 4), ({6: 14, 25: 1}, 6), ({6: 14, 19: 1}, 6)]
    )
    def test_a_win_counts_by_the_cube(self, black: dict[int, int], points: int) -> None:
        position = Position((men({1: 1}), men(black)), dice=(2, 1), goal=7, cube=2, owner=1)
        after = played(position, "1/off", 6, 1)
        assert after.score == (points, 0)
        assert after.crawford == (CRAWFORD if points == 6 else BEFORE_CRAWFORD)

    def test_a_cube_that_is_of_no_use_is_not_offered(self) -> None:
        """With a cube on 2, a player who lacks two points wins the match with one game, doubled or not."""
        assert not may_double(match(score=(3, 0), cube=2, owner=0))
        assert may_double(match(score=(2, 0), cube=2, owner=0))
        assert may_double(match(score=(3, 0), cube=2, owner=1, turn=1))

    def test_a_double_draws_nothing_and_a_roll_does(self) -> None:
        board = Board(Start(GAME, {"match": "5"}, 2, "0" * 32), match())
        assert preview(board, 0, "double")
        assert preview(board, 0, "roll") is None

    def test_after_a_turn_that_was_skipped_the_other_player_may_double(self) -> None:
        """Black has a roll that Black cannot use, and then White is asked."""
        white = {**CLOSED, 7: 3}
        position = Position((men(white), men({25: 1, 24: 5})), dice=(2, 1), goal=5, cube=2, owner=0)
        step = GAME.apply(position, 0, GAME.parse(position, 0, "7/5 7/6"), Numbers(5, 5))
        assert step.missed == (1,)
        assert (step.position.turn, step.position.dice) == (0, ())


class TestTheMatch:
    def test_the_crawford_game_is_one_game(self) -> None:
        """At the first 4 points of 5, one game is without the cube; in the next, the other player doubles at once."""
        before = Position((men({1: 1}), men({6: 14})), dice=(2, 1), goal=5, score=(3, 1))
        crawford = played(before, "1/off", 2, 5)
        assert (crawford.score, crawford.crawford) == ((4, 1), CRAWFORD)
        rolled = played(crawford, "13/8 13/11", 3, 1)
        assert (rolled.turn, rolled.dice) == (0, (3, 1))
        end = Position((men({6: 14}), men({1: 1})), 1, (2, 1), goal=5, score=(4, 1), crawford=CRAWFORD)
        later = played(end, "1/off", 6, 3)
        assert (later.score, later.crawford) == ((4, 2), AFTER_CRAWFORD)
        asked = played(later, "24/18 13/10")
        assert (asked.turn, legal(asked)) == (1, {"roll", "double"})
        leader = Position(goal=5, score=(4, 2), crawford=AFTER_CRAWFORD, turn=0)
        assert not may_double(leader)

    def test_the_crawford_game_comes_once_even_if_both_lack_a_point(self) -> None:
        end = Position((men({6: 14}), men({1: 1})), 1, (2, 1), goal=3, score=(2, 1), crawford=CRAWFORD)
        later = played(end, "1/off", 6, 3)
        assert (later.score, later.crawford) == ((2, 2), AFTER_CRAWFORD)

    def test_the_match_ends_with_its_points(self) -> None:
        position = Position((men({1: 1}), men({6: 15})), dice=(2, 1), goal=3, score=(1, 2), cube=2, owner=1)
        step = GAME.apply(position, 0, "1/off", NoChance())
        assert GAME.outcome(step.position) == Outcome("match", (1, 2), (5, 2))
        assert [note.text for note in step.notes] == ["White wins 4 points with a gammon."]

    def test_a_drop_can_end_the_match(self) -> None:
        after = played(Position(goal=3, score=(2, 2), cube=1, turn=0, doubled=True, crawford=AFTER_CRAWFORD), "drop")
        assert GAME.outcome(after) == Outcome("match", (2, 1), (2, 3))

    def test_what_is_told_between_two_games(self) -> None:
        position = Position((men({1: 1}), men({6: 14})), dice=(2, 1), goal=3, score=(1, 0))
        step = GAME.apply(position, 0, "1/off", Numbers(1, 4))
        assert [note.text for note in step.notes] == [
            "White wins 1 point.",
            "The score is White 2, Black 0.",
            "The next game is the Crawford game, without doubling.",
            "Black begins the next game with 5 and 2.",
        ]

    def test_there_are_no_draws_and_nothing_is_taken_back(self) -> None:
        assert GAME.info.agreements == frozenset()

    @pytest.mark.parametrize("goal", ["3", "5", "7"])
    def test_a_whole_match_by_lot(self, goal: str) -> None:
        board = begin(Start(GAME, {"match": goal}, 2, "5" * 32))
        while not board.result:
            (seat,) = board.to_move
            text = Rng("by lot", board.ply).choice(list(GAME.legal_moves(board.position, seat)))
            board = play(board, seat, text).board
        assert max(board.result.scores) >= int(goal) > min(board.result.scores)

    def test_other_lengths_are_refused(self) -> None:
        (option,) = GAME.info.options
        assert option.values == ("3", "5", "7")


class TestWhyNot:
    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("18/24 13/11", "your men go to lower numbers, because each player counts from their own side"),
            ("23/17 13/11", "you have no man on 23"),
            ("24/22(3)", "you have only 2 on 24"),
            ("bar/23 13/7", "you have no man on the bar"),
            ("24/19 13/11", "your opponent holds the point 19"),
            ("13/10 13/7", "6 and 2 do not lead there"),
            ("24/18", "both dice can be used, so they must be"),
            ("roll", "the dice are rolled already"),
            ("take", "your opponent has not doubled"),
        ],
    )
    def test_at_the_opening(self, text: str, why: str) -> None:
        assert refused(opening(6, 2), text).endswith(f"is not possible: {why}.")

    def test_a_double_that_does_not_fit(self) -> None:
        assert refused(opening(3, 3), "8/4 6/3").endswith("four times 3 does not lead there.")

    @pytest.mark.parametrize("text", ["8/5(4) 6/3(4)", "13/10 13/10 13/10 13/10 6/3"])
    def test_more_men_than_a_turn_has(self, text: str) -> None:
        (move,) = GAME.moves_in(text.split())
        assert refused(opening(3, 3), move).endswith("a turn moves at most four men.")


class TestSides:
    def test_each_player_sees_the_own_home_board_at_the_bottom_right(self) -> None:
        for seat, colour in ((0, "white"), (1, "black")):
            picture = GAME.picture(GAME.view(opening(6, 2), seat))
            bottom = {cell.name: column for column, cell in enumerate(picture.rows[-1]) if cell}
            assert [piece.colour for piece in (picture.rows[-2][bottom["6"]] or bottom).pieces] == [colour]  # type: ignore[union-attr]

    def test_the_last_move_is_marked_in_the_numbers_of_the_reader(self) -> None:
        assert GAME.marked_cells("bar/22+6/off", 0, 0) == ("bar", "22", "6", "off")
        assert GAME.marked_cells("bar/22+6/off", 0, 1) == ("white bar", "3", "19", "white off")
        assert GAME.marked_cells("24/18", 1, None) == ("1", "7")

    def test_a_point_that_a_man_left_has_another_mark(self) -> None:
        marks = GAME.marks("13/7*/5+8/7", 0, 0)
        assert marks == {"13": LEFT, "8": LEFT, "7": LAST, "5": LAST}
        cells = GAME.picture(GAME.view(opening(6, 2), 0)).marked(marks).cells
        assert {(cell.of, cell.mark) for cell in cells if cell.of in marks} == {
            ("13", ""),
            ("8", ""),
            ("7", LAST),
            ("5", LAST),
        }

    def test_the_last_move_is_marked_on_the_points_themselves(self) -> None:
        picture = GAME.picture(GAME.view(opening(6, 2), 0)).marked({"6": LAST})
        assert [cell.mark for cell in picture.cells if "6" in (cell.name, cell.of)] == [LAST] * 6


def test_the_board_in_words_and_signs() -> None:
    """White stands below, in the columns as White sees them."""
    scene: Mapping[str, Any] = GAME.scene(GAME.view(Position(dice=(5, 2)), 0))
    stacks = [(13, 5, "White"), (17, 3, "Black"), (19, 5, "Black"), (24, 2, "White")]
    stacks += [(12, 5, "Black"), (8, 3, "White"), (6, 5, "White"), (1, 2, "Black")]
    assert scene["men"] == [(str(place), count, who) for place, count, who in stacks]
    upper, lower = (["".join(column) for column in zip(*scene[half], strict=True)] for half in ("upper", "lower"))
    assert [signs for signs in upper if signs] == ["OOOOO", "XXX", "XXXXX", "OO"]
    assert [signs for signs in lower if signs] == ["XXXXX", "OOO", "OOOOO", "XX"]
    assert [row.count("") for row in scene["lower"]] == sorted((row.count("") for row in scene["lower"]), reverse=True)
    assert (scene["side"], scene["lines"][0]) == ("White", "White has rolled 5 and 2.")


@pytest.mark.parametrize(
    ("need", "other", "chance"), [(2, 1, 0.315), (3, 2, 0.39964), (5, 3, 0.34978), (7, 4, 0.30224), (11, 5, 0.19822)]
)
def test_the_match_table_is_as_it_was_compared(need: int, other: int, chance: float) -> None:
    """Robots play by it, so a change of it is meant."""
    assert equity(need, other) == pytest.approx(chance, abs=1e-5)
    assert equity(other, need) == pytest.approx(1 - chance, abs=1e-5)


def test_no_use_of_the_dice_if_nobody_can_move() -> None:
    assert plays(at({BAR: 1, 3: 1}, CLOSED, 6, 5).throw) == {}


def test_a_man_who_moves_on_is_not_left_behind() -> None:
    assert "there is a man further back, on 6" in refused(at({6: 2, 3: 1}, {1: 2}, 5, 2), "6/4+3/off")
    assert "5 and 2 do not lead there" in refused(at({6: 1, 3: 1}, {1: 2}, 5, 2), "6/4+3/off")


@pytest.mark.parametrize(
    ("turn", "told"),
    [("24/18*/13+8/5(2)", "17/20(2) 1/7*/12"), ("bar/22+6/off", "bar/3 19/off"), ("roll", "")],
)
def test_the_other_hears_a_turn_by_their_own_numbers(turn: str, told: str) -> None:
    assert GAME.as_counted_by(1, turn, 0) == told
    assert GAME.as_counted_by(0, turn, 0) == ""
