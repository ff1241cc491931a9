"""Threes: the clauses H1-H18 and the worked cases TH1-TH17 of the rules."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import Outcome
from pbmserv.games.base.board import Start, begin, play, preview, resign
from pbmserv.games.base.picture import MADE
from pbmserv.games.solitaire.threes import GRID, Cards, Position, Threes, announced, plus_values, points_of, shift
from pbmserv.letters.pictures.diagrams import last_marks
from pbmserv.rng import Rng
from tests.examples import examples
from tests.games.chance import Numbers
from tests.games.drawing import draw, help_page

GAME = Threes()
SEEDS = st.integers(0, 2**32).map(str)

SHIFTS = {
    "TH1 the picture of rule 2, right: only the top row moves": (
        """
   3    .    6   12               .     3     6    12
   .   24   48   96    -d->       .    24    48    96
   .    .    .  192               .     .     .   192
   .    .    .    .               .     .     .     .
        """,
        "row 1",
    ),
    "TH2 the same, left: the top three rows": (
        """
   3    .    6   12               3     6    12     .
   .   24   48   96    -a->      24    48    96     .
   .    .    .  192               .     .   192     .
   .    .    .    .               .     .     .     .
        """,
        "row 1, row 2, row 3",
    ),
    "TH3 the same, down: all four columns": (
        """
   3    .    6   12               .     .     .     .
   .   24   48   96    -s->       3     .     6    12
   .    .    .  192               .    24    48    96
   .    .    .    .               .     .     .   192
        """,
        "column 1, column 2, column 3, column 4",
    ),
    "TH4 one step only": (
        """
   .    .    .    3               .     .     3     .
   .    .    1    2    -a->       .     1     2     .
   2    .    1    .               2     1     .     .
   1    .    .    2               1     .     2     .
        """,
        "row 1, row 2, row 3, row 4",
    ),
    "TH5 1 + 2 against the wall; the others close up": (
        """
   1    2    1    2               3     1     2     .
   2    1    1    1    -a->       3     1     1     .
   1    1    2    2               1     3     2     .
   2    2    1    .               2     3     .     .
        """,
        "row 1, row 2, row 3, row 4",
    ),
    "TH6 equal cards from 3 up merge, one merge per line": (
        """
   3    3    3    3               6     3     3     .
   6    6   12   12    -a->      12    12    12     .
  12    6    6    3              12    12     3     .
   .    3    3    .               3     3     .     .
        """,
        "row 1, row 2, row 3, row 4",
    ),
    "TH7 1+1 and 2+2 do not merge; a full line that cannot merge does not move": (
        """
   1    1    1    1               1     1     1     1
   2    2    2    2    -a->       2     2     2     2
   3    6    3    6               3     6     3     6
   1    1    2    1               1     3     1     .
        """,
        "row 4",
    ),
    "TH8 the same board, right: the merge is the one nearest the right wall": (
        """
   1    1    1    1               1     1     1     1
   2    2    2    2    -d->       2     2     2     2
   3    6    3    6               3     6     3     6
   1    1    2    1               .     1     1     3
        """,
        "row 4",
    ),
    "TH9 columns": (
        """
   3    1    .    2               6     3     .     2
   3    2    .    2    -w->       6     1     3     3
   6    1    3    1               6     2     .     1
   6    2    .    1               .     .     .     .
        """,
        "column 1, column 2, column 3, column 4",
    ),
    "TH10 two 6144 make 12288 and the game goes on": (
        """
6144 6144    .    .           12288     .     .     .
   .    .    .    .    -a->       .     .     .     .
   .    .    .    .               .     .     .     .
   .    .    .    .               .     .     .     .
        """,
        "row 1",
    ),
}

OPENING_DIAGRAM = """\
      A      B      C      D
  +------+------+------+------+
 4|  1   |      |      |  1   |
  +------+------+------+------+
 3|      |      |      |  2   |
  +------+------+------+------+
 2|  1   |  1   |      |  3   |
  +------+------+------+------+
 1|  2   |      |  2   |  3   |
  +------+------+------+------+
      A      B      C      D
Next card: 3   Score: 6"""

FULL = """
    1   3   1   3
    6  12   6  12
    1   3   1   3
    6  12   6  12
"""


def cards_of(rows: list[list[str]]) -> Cards:
    """The cards of these rows, top row first. `.` is an empty square."""
    return tuple(0 if card == "." else int(card) for row in reversed(rows) for card in row)


def picture(text: str) -> Cards:
    return cards_of([line.split() for line in text.strip().splitlines()])


def lines_of(ends: list[int], move: str) -> str:
    """The names of the lines that end at these squares. Rows count from the top, columns from the left."""
    if move in "ad":
        return ", ".join(f"row {4 - end // 4}" for end in ends)
    return ", ".join(f"column {1 + end % 4}" for end in ends)


OPENING = Position(picture("1 . . 1 \n . . . 2 \n 1 1 . 3 \n 2 . 2 3"), bag=(0, 1, 1), coming=3)
TH1 = picture("3 . 6 12 \n . 24 48 96 \n . . . 192 \n . . . .")


@pytest.mark.parametrize(("text", "moved"), SHIFTS.values(), ids=SHIFTS.keys())
def test_worked_shifts(text: str, moved: str) -> None:
    rows = [line.split() for line in text.strip().splitlines()]
    move = rows[1].pop(4).strip("->")
    after, ends = shift(cards_of([row[:4] for row in rows]), move)
    assert after == cards_of([row[4:] for row in rows])
    assert lines_of(ends, move) == moved


def test_th11_the_second_of_three_lines_and_no_plus_card() -> None:
    rng = Numbers(1, 20, 0)
    start = Position(TH1, bag=(1, 1, 1), coming=2)
    step = GAME.apply(start, 0, GAME.parse(start, 0, "left"), rng)
    assert step.position.cards == picture("3 6 12 . \n 24 48 96 2 \n . . 192 . \n . . . .")
    assert step.position.coming == 1
    assert step.position.bag == (0, 1, 1)
    assert [note.text for note in step.notes] == ["A 2 came in on row 3.", "The next card is a 1."]
    assert not step.revealed
    assert rng.left == []


def test_th12_a_plus_card_is_announced_and_the_bag_stays() -> None:
    rng = Numbers(0, 2)  # only one line moved, so none is drawn
    step = GAME.apply(Position(TH1, bag=(1, 1, 1), coming=2), 0, "d", rng)
    assert step.position.cards == picture("2 3 6 12 \n . 24 48 96 \n . . . 192 \n . . . .")
    assert step.position == Position(step.position.cards, bag=(1, 1, 1), coming=24)
    assert announced(step.position.coming) == "+"
    assert step.notes[1].text == "The next card is a plus card."
    assert rng.left == []


@pytest.mark.parametrize(
    ("high", "values"), [(24, []), (48, [6]), (96, [6, 12]), (192, [6, 12, 24]), (768, [6, 12, 24, 48, 96])]
)
def test_th13_plus_values(high: int, values: list[int]) -> None:
    assert plus_values(high) == values


def test_th14_a_full_board_that_still_moves_up_and_down() -> None:
    stripes = Position(picture("1 1 1 1 \n 2 2 2 2 \n 1 1 1 1 \n 2 2 2 2"), bag=(1, 1, 1), coming=3)
    assert GAME.legal_moves(stripes, 0) == ["w", "s"]
    with pytest.raises(IllegalMove) as error:
        GAME.parse(stripes, 0, "a")
    assert error.value.text == "'a' is not possible: nothing would move left."
    assert error.value.hint == "Send a move such as: w"
    with pytest.raises(IllegalMove, match="'right' is not possible: nothing would move right"):
        GAME.parse(stripes, 0, "Right")


def test_th15_the_end_and_its_score() -> None:
    full = Position(picture(FULL), bag=(1, 1, 1), coming=3)
    assert not GAME.to_move(full)
    assert GAME.outcome(full) == Outcome("stuck", ranks=(1,), scores=(4 * 3 + 4 * 9 + 4 * 27,))
    assert GAME.scores(full) == (156,)
    assert [points_of(card) for card in (1, 2, 3, 6, 12, 24, 48, 96)] == [0, 0, 3, 9, 27, 81, 243, 729]
    assert sum(points_of(card) for card in (1, 2, 3, 6, 12, 24, 48, 96)) == 1092
    assert points_of(6144) + points_of(12288) == 2125764


def test_th16_the_opening_tells_what_is_to_come() -> None:
    counts = Counter(OPENING.cards)
    assert (counts[1], counts[2], counts[3]) == (4, 3, 2)
    to_come, position = [OPENING.coming], OPENING
    while any(position.bag):
        position = GAME.apply(position, 0, "d", Numbers(0, 0)).position
        to_come.append(position.coming)
    assert sorted(to_come) == [2, 3, 3]


def test_th17_a_new_bag_is_opened_when_a_basic_card_is_needed() -> None:
    below_48 = Position(picture("3 . . . \n . . . . \n . . . . \n . . . 24"), bag=(0, 0, 0), coming=1)
    after = GAME.apply(below_48, 0, "d", Numbers(11)).position
    assert (after.coming, after.bag) == (3, (4, 4, 3))
    assert sum(after.bag) == 11


def test_a_plus_card_opens_no_bag() -> None:
    step = GAME.apply(Position(TH1, bag=(0, 0, 0), coming=6), 0, "d", Numbers(0, 1))
    assert (step.position.coming, step.position.bag) == (12, (0, 0, 0))
    assert step.revealed
    assert step.notes[0].text == "A 6 came in on row 4."


def test_the_worked_turn_of_the_rules() -> None:
    assert draw(GAME, OPENING) == OPENING_DIAGRAM
    step = GAME.apply(OPENING, 0, "d", Numbers(2, 0))  # among rows 4, 2, 1; then among the 2 and the 3
    rows = draw(GAME, step.position).splitlines()
    assert rows[2:10:2] == [
        " 4|      |  1   |      |  1   |",
        " 3|      |      |      |  2   |",
        " 2|      |  1   |  1   |  3   |",
        " 1|  3   |  2   |  2   |  3   |",
    ]
    assert rows[-1] == "Next card: 2   Score: 9"


def test_cards_of_any_length_line_up() -> None:
    high = picture("12288 6144 768 48 \n 6 . . . \n . . . . \n . . . .")
    drawn = draw(GAME, Position(high, bag=(1, 1, 1), coming=96))
    assert " 4|12288 | 6144 | 768  |  48  |\n" in drawn
    assert drawn.endswith("Next card: +   Score: 2145699")
    assert {len(line) for line in drawn.splitlines()[1:10]} == {31}


def test_the_opening_step_by_step_and_again_after_a_merge() -> None:
    """H13, H14: each card draws a direction, the card, and one of the empty squares of the trailing edge."""
    merging = [1, 0, 0, 1, 3, 0, 3]  # left, 1 on D4; left, 2 on D4; right: C4 and D4 merge
    ones_twos = [1, 0, 0] * 8  # left, the first card left, the uppermost empty square of column D
    three = [1, 0, 1]  # left, a 3, the second of the empty D2 and D1
    rng = Numbers(*merging, *ones_twos, *three, 2)
    assert GAME.setup({}, 1, rng) == Position(
        picture("1 1 1 1 \n 2 2 2 2 \n . . . . \n . . . 3"), bag=(0, 0, 2), coming=3
    )
    assert rng.left == []


@pytest.mark.parametrize("text", ["w", "W", "up", " Up "])
def test_spellings(text: str) -> None:
    assert GAME.parse(OPENING, 0, text) == "w"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("aawd", ["a", "a", "w", "d"]),
        ("AaS", ["a", "a", "s"]),
        ("a", ["a"]),
        ("s", ["s"]),
        ("up", ["up"]),
        ("down", ["down"]),
        ("left", ["left"]),
        ("right", ["right"]),
        ("aax", ["aax"]),
        ("", [""]),
    ],
)
def test_words_that_run_together(text: str, words: list[str]) -> None:
    assert GAME.words(text) == words


@pytest.mark.parametrize("text", ["u", "aawd", "a1", "upp", "north", ""])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        GAME.parse(OPENING, 0, text)


def test_a_view_hides_the_value_of_a_plus_card_only() -> None:
    positions = [Position(TH1, bag=(1, 1, 1), coming=value) for value in (6, 12, 24)]
    for seat in (0, None):
        assert len({GAME.view(position, seat).position for position in positions}) == 1
    seen = GAME.view(positions[0], 0).position
    assert GAME.legal_moves(seen, 0) == GAME.legal_moves(positions[0], 0)
    assert GAME.view(OPENING, 0).position == OPENING


def test_a_preview_stops_before_it_reveals_anything() -> None:
    board = begin(Start(GAME, {}, 1, "0" * 32))
    assert all(preview(board, 0, move) is None for move in GAME.legal_moves(board.position, 0))


def test_resigning_counts_the_score_of_the_board() -> None:
    board = begin(Start(GAME, {}, 1, "0" * 32))
    result = resign(board, 0).board.result
    assert result == Outcome("resign", ranks=(1,), scores=GAME.scores(board.position))


@examples(10, 40)
@given(seed=SEEDS)
def test_every_opening_has_nine_cards_of_the_bag(seed: str) -> None:
    position = GAME.setup({}, 1, Rng(seed, 0))
    counts = Counter(position.cards)
    assert counts[0] == 7
    left = Counter(dict(zip((1, 2, 3), position.bag, strict=True))) + Counter([position.coming])
    assert {card: counts[card] + left[card] for card in (1, 2, 3)} == {1: 4, 2: 4, 3: 4}
    assert sum(position.bag) == 2


@examples(6, 25)
@given(seed=SEEDS, data=st.data())
def test_a_whole_game(seed: str, data: st.DataObject) -> None:
    """The board's sum is that of the cards that came in, the bag holds those not yet drawn, no score falls."""
    board = begin(Start(GAME, {}, 1, seed))
    drawn = Counter({1: 4, 2: 4, 3: 4}) - Counter(dict(zip((1, 2, 3), board.position.bag, strict=True)))
    total = sum(board.position.cards)
    picker = Rng(seed, 0, "picker")
    for _ in range(data.draw(st.integers(1, 120))):
        if not board.to_move:
            break
        before = board.position
        board = play(board, 0, picker.choice(GAME.legal_moves(before, 0))).board
        after: Position = board.position
        drawn[after.coming] += 1
        total += before.coming
        assert sum(after.cards) == total
        assert GAME.scores(after) >= GAME.scores(before)
        assert max(after.cards) >= max(before.cards)
        assert GAME.load(GAME.dump(after)) == after
        assert after.coming <= max(3, max(after.cards) // 8)
        assert all((drawn[card] + left) % 4 == 0 for card, left in zip((1, 2, 3), after.bag, strict=True))
    assert (board.result is None) == bool(board.to_move)


@pytest.mark.slow
def test_a_plus_card_comes_once_in_21_with_every_value_alike() -> None:
    start = Position(picture("768 . . . \n . . . . \n . . . . \n . . . ."), bag=(4, 4, 4), coming=3)
    moves = 21_000
    coming = Counter(GAME.apply(start, 0, "d", Rng("plus", ply)).position.coming for ply in range(moves))
    plus = {card: n for card, n in coming.items() if card > 3}
    assert set(plus) == {6, 12, 24, 48, 96}
    assert 880 < sum(plus.values()) < 1120  # 1000 expected, standard deviation 31
    assert all(150 < n < 250 for n in plus.values())  # 200 expected, standard deviation 14
    assert all(6350 < coming[card] < 6980 for card in (1, 2, 3))  # 6667 expected, standard deviation 67


def test_the_new_card_comes_in_on_every_line_that_moved_alike() -> None:
    plies = range(3000)
    steps = [GAME.apply(OPENING, 0, "d", Rng("line", ply)) for ply in plies]
    lines = Counter(step.notes[0].text for step in steps)
    assert set(lines) == {f"A 3 came in on row {row}." for row in (4, 2, 1)}
    assert all(900 < n < 1100 for n in lines.values())


def test_openings_use_every_square() -> None:
    used = Counter(s for n in range(300) for s, card in enumerate(GAME.setup({}, 1, Rng("edge", n)).cards) if card)
    assert set(used) == set(range(GRID.size))


def test_the_help_page() -> None:
    page = help_page(GAME)
    assert max(map(len, page.splitlines())) <= 72
    assert OPENING_DIAGRAM in page
    assert draw(GAME, GAME.apply(OPENING, 0, "d", Numbers(2, 0)).position) in page
    assert GAME.info.credit in " ".join(page.split())


@pytest.mark.parametrize(("seed", "move"), [("1", move) for move in "wasd"])
def test_the_card_that_came_in_is_marked(seed: str, move: str) -> None:
    board = begin(Start(GAME, {}, 1, seed))
    change = play(board, 0, move)
    (square,) = [square for square, mark in last_marks(change.board, 0, [change.entry]).items() if mark == MADE]
    pushed, _ = shift(board.position.cards, move)
    assert [GRID.name(s) for s, card in enumerate(change.board.position.cards) if card != pushed[s]] == [square]
