"""Draughts: captures, notation, draws, and numbers of ways to play that other programs published."""

from collections.abc import Sequence
from itertools import pairwise
from math import tanh

import pytest

from pbmserv.errors import AmbiguousMove, IllegalMove, NotAMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.log import Kind
from pbmserv.games.capture.draughts import Draughts, _leads
from pbmserv.games.capture.draughts.jumping import EMPTY, Move
from pbmserv.games.capture.draughts.style import ENGLISH, INTERNATIONAL, STYLES, International, Position, Style
from pbmserv.rng import NoChance, Rng
from tests.games.base.logged import Logged, result
from tests.games.oracle.agreement import Difference, Rival, compare
from tests.games.oracle.engine import with_oracle
from tests.games.records.reader import sheet_of

GAME = Draughts()
LARGE_BOARD = {"international": ""}


def position_of(men: str, turn: str, style: Style = ENGLISH) -> Position:
    """Read a position such as `w22 b17 B18`, with the colour to move."""
    board = [EMPTY] * style.size
    for man in men.split():
        board[int(man[1:]) - 1] = man[0]
    return Position("".join(board), turn=style.colours.index(turn))


def large(men: str, turn: str) -> Position:
    return position_of(men, turn, INTERNATIONAL)


def texts(position: Position) -> set[str]:
    return {GAME.format(move) for move in GAME.legal_moves(position, position.turn)}


def played(position: Position, *moves: str) -> Position:
    for text in moves:
        move = GAME.parse(position, position.turn, text)
        position = GAME.apply(position, position.turn, move, NoChance()).position
    return position


def men_of(position: Position) -> str:
    return " ".join(f"{man}{n}" for n, man in enumerate(position.board, start=1) if man != EMPTY)


# Counts

COUNTS = {"": (7, 49, 302, 1_469, 7_361, 36_768), "international": (9, 81, 658, 4_265, 27_117, 167_140)}


def perft(board: str, colour: str, other: str, plies: int) -> int:
    style = STYLES[len(board)]
    moves = style.legal(board, colour)
    if plies == 1:
        return len(moves)
    return sum(perft(style.moved(board, move), other, colour, plies - 1) for move in moves)


def _count(option: str, plies: int) -> int:
    board = GAME.setup({option: ""} if option else {}, 2, NoChance()).board
    first, second = ("w", "b") if option else ("b", "w")
    return perft(board, first, second, plies)


@pytest.mark.parametrize("option", COUNTS)
@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_the_number_of_ways_to_play(option: str, plies: int) -> None:
    assert _count(option, plies) == COUNTS[option][plies - 1]


@pytest.mark.slow
@pytest.mark.parametrize("option", COUNTS)
@pytest.mark.parametrize("plies", [5, 6])
def test_the_number_of_ways_to_play_more_plies(option: str, plies: int) -> None:
    assert _count(option, plies) == COUNTS[option][plies - 1]


# English draughts


def test_who_begins() -> None:
    english, international = (play.begin(Start(GAME, options, 2, "0" * 32)) for options in ({}, LARGE_BOARD))
    assert (english.seat_names, international.seat_names) == (("Black", "White"), ("White", "Black"))
    assert texts(english.position) == {"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"}
    assert "32-28" in texts(international.position)


def test_a_capture_must_be_made_but_any_will_do() -> None:
    position = position_of("w22 w32 b17 b18 b10", "w")
    assert texts(position) == {"22x13", "22x6"}
    assert men_of(played(position, "22x15x6")) == "w6 b17 w32"
    with pytest.raises(IllegalMove, match="you must capture"):
        played(position, "32-28")


def test_a_capture_goes_on_to_its_end() -> None:
    with pytest.raises(IllegalMove, match="22 does not capture so, or not all that it must"):
        played(position_of("w22 b18 b10", "w"), "22x15")


def test_a_man_captures_only_forward_and_a_king_backward_too() -> None:
    assert texts(position_of("w15 b18", "w")) == {"15-10", "15-11"}
    assert texts(position_of("W15 b18", "w")) == {"15x22"}


def test_a_man_that_becomes_a_king_stops() -> None:
    position = played(position_of("w11 b7 b6 b28", "w"), "11x2")
    assert men_of(position) == "W2 b6 b28"


def test_a_king_moves_one_square() -> None:
    assert texts(position_of("W15 b4", "w")) == {"15-10", "15-11", "15-18", "15-19"}


def test_a_king_can_come_back_to_its_square() -> None:
    """It goes around four men, in one direction or the other, which is one move."""
    position = position_of("W10 b14 b22 b23 b15 b32", "w")
    assert texts(position) == {"10x10"}
    assert men_of(played(position, "10x17x26x19x10")) == "W10 b32"
    assert played(position, "10x10") == played(position, "10x19x26x17x10")


def test_two_captures_with_the_same_ends_are_written_in_full() -> None:
    position = position_of("w26 b22 b14 b23 b15 b32", "w")
    assert texts(position) == {"26x17x10", "26x19x10"}
    assert men_of(played(position, "26x17x10")) == "w10 b15 b23 b32"
    with pytest.raises(AmbiguousMove):
        played(position, "26x10")


def test_full_and_short_texts_of_a_capture() -> None:
    position = position_of("w22 b18 b10", "w")
    assert texts(position) == {"22x6"}
    assert played(position, "22x6") == played(position, "22x15x6") == played(position, "22X6")
    for wrong in ("22-6", "22-15-6", "22x15-6"):
        with pytest.raises(IllegalMove):
            played(position, wrong)


def test_a_capture_can_name_some_of_its_squares() -> None:
    position = position_of("w26 b22 b14 b6 b23 b15 b32", "w")
    assert texts(position) == {"26x17x10x1", "26x19x10x1"}
    for text in ("26x17x1", "26x17x10x1", "26X17X01"):
        assert men_of(played(position, text)) == "W1 b15 b23 b32"
    with pytest.raises(AmbiguousMove):
        played(position, "26x10x1")
    for wrong in ("26x17x19x1", "26x17x10", "17x10x1", "26x1x17x1"):
        with pytest.raises(IllegalMove):
            played(position, wrong)


def test_the_issue_of_a_capture_of_a_king_on_ten_squares() -> None:
    position = large("W2 b8 b24 b29 b18 b33 w50", "w")
    longest = next(text for text in texts(position) if text.startswith("2x"))
    move = GAME.parse(position, position.turn, longest)
    path = [str(square + 1) for square in move.paths[0]]
    assert len(path) > 3
    assert GAME.parse(position, position.turn, "x".join((path[0], path[-2], path[-1]))) == move


@pytest.mark.parametrize(("text", "move"), [("09-13", "9-13"), ("9-013", "9-13"), ("009-13", "9-13")])
def test_zeros_before_a_number_mean_nothing(text: str, move: str) -> None:
    position = GAME.setup({}, 2, NoChance())
    assert GAME.format(GAME.parse(position, 0, text)) == move


@pytest.mark.parametrize(
    ("position", "text", "why"),
    [
        (position_of("w22 b18 b10", "w"), "22x17", "22 does not capture so, or not all that it must."),
        (position_of("w22 b18 b10", "w"), "22-15", "22 does not capture so, or not all that it must."),
        (large("w28 w32 b22 b13 b23", "w"), "28x19", "that does not capture as many men as you can."),
        (large("w28 w32 b22 b13 b23", "w"), "28-19", "that does not capture as many men as you can."),
        (large("w28 w32 b22 b13 b23", "w"), "32-27", "you must capture."),
        (position_of("w22 b1", "w"), "22x17", "nothing is captured, so write a dash and not x."),
    ],
)
def test_who_captures_is_not_told_to_capture(position: Position, text: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        played(position, text)
    assert refused.value.text == f"'{text}' is not possible: {why}"


@pytest.mark.parametrize("text", ["", "11", "11-", "11--15", "b6-a5", "111-15", "11x"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        played(position_of("b11 w32", "b"), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("11-33", "there is no square 33."),
        ("0-5", "there is no square 0."),
        ("1-5", "1 is empty."),
        ("12-16", "12 is empty."),
        ("32-28", "the man on 32 is not yours."),
        ("11-8", "the man on 11 cannot go to 8."),
        ("11-7-3", "the man on 11 cannot go to 3."),
    ],
)
def test_a_refusal_says_why(text: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        played(position_of("b11 w32", "b"), text)
    assert refused.value.text == f"'{text}' is not possible: {why}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("22-6", "that is a capture, so write x and not a dash."),
        ("22-15-6", "that is a capture, so write x and not a dash."),
        ("22x15-6", "that is a capture, so write x and not a dash."),
        ("22-17", "you must capture."),
    ],
)
def test_a_capture_is_not_written_with_a_dash(text: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        played(position_of("w22 b18 b10", "w"), text)
    assert refused.value.text == f"'{text}' is not possible: {why}"


def test_who_has_no_man_left_loses() -> None:
    assert GAME.outcome(played(position_of("w22 b17", "w"), "22x13")) == Outcome("nomove", (2, 1))


def test_a_blocked_player_loses() -> None:
    position = played(position_of("b5 w9 w14 w18", "w"), "18-15")
    assert GAME.outcome(position) == Outcome("nomove", (2, 1))


KINGS = ("1-5", "32-28", "5-1", "28-32")


def test_a_third_repetition_is_claimed() -> None:
    position = position_of("B1 W32", "b")
    assert GAME.claim(played(position, *KINGS, *KINGS)) == ""
    assert GAME.claim(played(position, *KINGS, *KINGS, "1-5")) == "threefold"
    assert GAME.outcome(played(position, *KINGS * 4)) is None


def test_after_forty_moves_without_progress_a_draw_is_claimed() -> None:
    position = position_of("B1 W32", "b")
    quiet = Position(position.board, quiet=79)
    assert GAME.claim(quiet) == ""
    assert GAME.claim(played(quiet, "1-5")) == "forty"


def test_a_claim_ends_the_board() -> None:
    logged = Logged(GAME)
    logged.start = Start(GAME, {}, 2, "0" * 32, position_of("B1 W32", "b"))
    logged.board = play.begin(logged.start)
    logged.moves(*KINGS, *KINGS, "1-5")
    assert "third time" in logged.log[-1].notes[0].text
    assert result(logged.does(1, Kind.PROPOSE)) == Outcome("threefold", (1, 1))


def test_the_past_stays_short() -> None:
    assert len(played(position_of("B1 W32", "b"), *KINGS * 60).past) <= 81


# International draughts


def test_a_man_captures_backward() -> None:
    assert texts(large("w28 b33 b2", "w")) == {"28x39"}


def test_a_king_flies_and_may_land_anywhere_behind() -> None:
    assert {"46-41", "46-37", "46-5"} <= texts(large("W46 b2", "w"))
    assert texts(large("W46 b32 b4", "w")) == {f"46x{n}" for n in (28, 23, 19, 14, 10, 5)}


def test_the_capture_of_most_men_must_be_made() -> None:
    position = large("w33 b28 b29 b20 b4", "w")
    assert texts(position) == {"33x15"}
    with pytest.raises(IllegalMove, match="as many men as you can"):
        played(position, "33x22")


def test_a_king_counts_as_one_man() -> None:
    assert texts(large("w33 B28 b29 b20 b4", "w")) == {"33x15"}


def test_a_man_that_passes_the_last_row_stays_a_man() -> None:
    position = played(large("w13 b9 b10 b46", "w"), "13x15")
    assert men_of(position) == "w15 b46"
    assert men_of(played(large("w13 b9 b46", "w"), "13x4")) == "W4 b46"


def test_men_stay_on_the_board_until_the_capture_is_over() -> None:
    """From 46 the king could go back and take the man on 10, if those that it has taken were not in its way."""
    position = large("b6 b10 W14 b23 b30 b41 B48", "w")
    assert texts(position) == {"14x46"}
    assert men_of(played(position, "14x46")) == "b6 b10 b30 W46 B48"


def test_the_third_repetition_is_a_draw() -> None:
    kings = ("47-41", "4-9", "41-47", "9-4")
    position = large("W47 w45 B4 b6", "w")
    assert played(position, *kings, *kings).over == ""
    assert played(position, *kings, *kings, "47-41").over == "threefold"


def test_twenty_five_moves_with_kings_only() -> None:
    position = large("W46 W50 B1 B5", "w")
    late = Position(position.board, quiet=48)
    assert played(late, "50-45").over == ""
    assert played(late, "50-45", "1-6").over == "twentyfive"


@pytest.mark.parametrize(
    ("men", "few", "over"),
    [
        ("W47 W48 W49 B1", 30, "sixteen"),
        ("W47 w48 w49 B1", 30, "sixteen"),
        ("W47 W48 B1", 8, "five"),
        ("W47 w48 B1", 8, "five"),
        ("W47 B1", 8, "five"),
        ("w47 w48 w49 B1", 60, ""),
        ("W47 W48 W49 w50 B1", 60, ""),
    ],
)
def test_few_men_against_a_king(men: str, few: int, over: str) -> None:
    """The moves of both sides are counted from the first position with these men."""
    position = Position(large(men, "w").board, few=few)
    first = "47-41" if "W47" in men else "47-42"
    assert played(position, first).over == ""
    assert played(position, first, "1-6").over == over


def test_the_count_begins_again_when_a_man_is_captured() -> None:
    position = Position(large("W46 W48 w38 B32", "b").board, turn=1, few=20)
    assert played(position, "32x49").few == 0


@pytest.mark.parametrize(
    ("men", "few"),
    [
        ("B1 W47 W48 W49", "sixteen"),
        ("W1 B47 b48 b49", "sixteen"),
        ("W1 B47 B48", "five"),
        ("W1 B47", "five"),
        ("W1 b47", ""),
        ("w1 B47", ""),
        ("w1 B47 B48", ""),
        ("W1 b47 b48", ""),
        ("W1 W2 B47 B48", ""),
        ("W1 B47 B48 B49 B50", ""),
    ],
)
def test_which_endings_are_counted(men: str, few: str) -> None:
    assert INTERNATIONAL.few(large(men, "w").board) == few


def test_a_capture_or_a_move_of_a_man_begins_the_counts_again() -> None:
    position = Position(position_of("b11 B1 w18 W32", "b").board, quiet=7)
    assert played(position, "1-5").quiet == 8
    assert played(position, "11-16").quiet == 0
    assert played(Position(position_of("B15 w18 W32", "b").board, quiet=7), "15x22").quiet == 0


# What positions are worth


@pytest.mark.parametrize(
    ("position", "men"),
    [
        (position_of("b1", "b"), 1.05),  # at home
        (position_of("b5", "b"), 1.02),  # one row ahead
        (position_of("b28", "b"), 1.12),
        (position_of("B28", "b"), 2.6),
        (position_of("w32", "b"), -1.05),
        (position_of("w5", "b"), -1.12),
        (position_of("b5 B6 W32 w24", "b"), 1.02 + 2.6 - 2.6 - 1.04),
        (large("w50", "w"), 1.05),
        (large("w10", "w"), 1.16),
        (large("W10 b6 b46", "w"), 3.5 - 1.02 - 1.18),
    ],
)
def test_what_men_are_worth(position: Position, men: float) -> None:
    assert [GAME.evaluate(position, seat) for seat in (0, 1)] == pytest.approx([tanh(men / 5), tanh(-men / 5)])


@pytest.mark.parametrize(
    ("between", "numbers", "leads"),
    [(8, (0, 9), True), (8, (0, 4, 9), True), (9, (0, 10), True), (9, (0, 4, 10), False), (8, (0, 4, 3, 9), False)],
)
def test_of_a_very_long_way_all_squares_between_are_named_or_none(
    between: int, numbers: tuple[int, ...], leads: bool
) -> None:
    path = tuple(range(between + 2))
    assert _leads(Move((path,)), path)
    assert _leads(Move((path,)), numbers) is leads


# OpenSpiel, which knows English draughts


def their_square(square: int) -> str:
    """The player who begins stands at the bottom there, and squares have the names of chess."""
    row, place = divmod(square, 4)
    return f"{'hgfedcba'[2 * place + (row + 1) % 2]}{row + 1}"


def actions(position: Position, seat: Seat, move: Move) -> tuple[str, ...]:
    return tuple(their_square(a) + their_square(b) for a, b in pairwise(move.paths[0]))


def draws_come_by_themselves(difference: Difference) -> bool:
    """OpenSpiel ends a game after forty plies without a capture, and knows no repetition."""
    return difference.what == "end" and difference.theirs


def one_way_of_several(difference: Difference) -> bool:
    """A king can capture the same men on two ways: one move here, two there."""
    return difference.what == "moves" and difference.ours < difference.theirs


def advancing(position: Position, moves: Sequence[Move], rng: Rng) -> Move:
    """Choose a move of a man most of the time, so that games go on."""
    men = [move for move in moves if position.board[move.source].islower()]
    return rng.choice(men if men and rng.randrange(4) else moves)


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees() -> None:
    known = {"draws by themselves": draws_come_by_themselves, "ways": one_way_of_several}
    report = compare(GAME, Rival("checkers", actions, deep=9, known=known), plies=2_000, choose=advancing)
    assert report.endings["nomove"] >= 5
    assert report.explained["ways"] <= 5


# The picture


@pytest.mark.parametrize(("options", "width", "top"), [({}, 8, (0,)), (LARGE_BOARD, 10, (1,))])
def test_cells_are_named_by_their_numbers(options: dict[str, str], width: int, top: tuple[int, ...]) -> None:
    picture = GAME.picture(GAME.view(GAME.setup(options, 2, NoChance()), None))
    assert [cell.name for cell in picture.rows[0] if cell] == ["", "1", "", "2", "", "3", "", "4", "", "5"][:width]
    assert picture.names == {str(n) for n in range(1, width * width // 2 + 1)}
    assert picture.top == top
    assert GAME.cells_of("22x15x8") == ("22", "15", "8")


class Brazilian(International):
    """International draughts on 64 squares."""

    width, rows = 8, 3


class BrazilianDraughts(Draughts):
    def style(self, position: Position) -> Style:
        return BRAZILIAN


BRAZILIAN = Brazilian()


@pytest.mark.parametrize(
    ("men", "usual", "variant"),
    [
        ("w15 b18", {"15-10", "15-11"}, {"15x22"}),  # a man captures back
        ("W32 b18", {"32-27", "32-28"}, {"32x14", "32x9", "32x5"}),  # a king flies
        ("W32 b23 b14 w30 b26", {"30-25", "32-27", "32-28"}, {"32x9", "32x5"}),  # two men are more than one
    ],
)
def test_a_variant_is_a_style_of_its_own(men: str, usual: set[str], variant: set[str]) -> None:
    assert texts(position_of(men, "w")) == usual
    game, position = BrazilianDraughts(), position_of(men, "w", BRAZILIAN)
    assert {game.format(move) for move in game.legal_moves(position, position.turn)} == variant
    (pdn,) = game.formats
    assert '[FEN "W:W' in pdn.write(sheet_of(Logged(game, origin=position)))
