"""Tumbling Down: the worked cases TD1-TD28, the clauses D1-D24, the errors, and counts by a second implementation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.base.board import Start, accept, begin, propose, resign
from pbmserv.games.capture.tumbling_down import GRID, SIGNS, Position, TumblingDown, is_good_capture, kings_of, runs
from pbmserv.letters.text.templates import WIDTH
from pbmserv.rng import NoChance
from tests.examples import examples
from tests.games.capture import tumbling_down_referee as referee
from tests.games.capture.tumbling_down_position import NAMES, position_of, stack_of, text_of
from tests.games.drawing import draw
from tests.tools.tree import ROOT
from tests.world import RENDERER

GAME = TumblingDown()
LAYOUTS: tuple[dict[str, str], ...] = ({}, {"c": ""})
DIAGRAMS = ROOT / "tests/golden/diagrams"
ILLEGAL = "illegal, nothing changes"


@dataclass(frozen=True)
class Case:
    """A row in the table of worked cases of the rules (section 9)."""

    id: str
    what: str
    to_move: str
    before: str
    token: str
    after: str
    result: str

    @property
    def position(self) -> Position:
        return position_of(self.before, NAMES.index(self.to_move))


def read_cases() -> Iterator[Case]:
    lines = Path(__file__).with_name("tumbling_down_cases.txt").read_text().splitlines()
    for line in lines[2:]:
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        yield Case(*cells)


CASES = list(read_cases())
each_case = pytest.mark.parametrize("case", [c for c in CASES if c.after != ILLEGAL], ids=lambda c: c.id)


def played(position: Position, text: str) -> Position:
    move = GAME.parse(position, position.turn, text)
    return GAME.apply(position, position.turn, move, NoChance()).position


def canonical(position: Position, text: str) -> str:
    return GAME.format(GAME.parse(position, position.turn, text))


def opening(layout: dict[str, str]) -> Position:
    return GAME.setup(layout, 2, NoChance())


def coordinates(position: Position) -> referee.Stacks:
    return {(s % 8 + 1, s // 8 + 1): stack for s, stack in enumerate(position.stacks) if stack}


# The worked cases


def test_the_table_has_all_cases() -> None:
    assert [c.id for c in CASES] == [f"TD{n}" for n in range(1, 25)]
    assert [c.id for c in CASES if c.after == ILLEGAL] == ["TD7", "TD8", "TD9"]


@each_case
def test_worked_case(case: Case) -> None:
    after = played(case.position, case.token)
    assert text_of(after) == text_of(position_of(case.after))
    outcome = GAME.outcome(after)
    if case.result == "game goes on":
        assert outcome is None
        assert GAME.to_move(after) == {1 - case.position.turn}
    else:
        winner, reason = case.result.rstrip(")").split(" wins (")
        assert outcome is not None
        assert (outcome.winners, outcome.reason) == ((NAMES.index(winner),), reason)
        assert GAME.to_move(after) == frozenset()


@each_case
def test_the_referee_agrees(case: Case) -> None:
    """The referee is right as well: the random comparison below relies on it."""
    before, after, mover = coordinates(case.position), coordinates(position_of(case.after)), case.to_move[0]
    assert after in list(referee.successors(before, mover))
    reason = case.result.partition("(")[2].rstrip(")")
    assert referee.verdict(before, after, mover) == reason


@pytest.mark.parametrize(
    ("id_", "why", "hint"),
    [
        (
            "TD7",
            "'e5g5' is not possible: a single man goes one square, and g5 is not next to e5.",
            "To tumble the whole stack in that direction, add a t: e5g5t",
        ),
        (
            "TD8",
            "'e5g6t' is not possible: a tumble goes in a straight line, and g6 is not on one from e5.",
            "Send a move such as: e5-e8t",
        ),
        (
            "TD9",
            "'e5e6t' is not possible: the top man on e5 is not yours.",
            "Send a move such as: a8-e8t",
        ),
    ],
)
def test_illegal_case_says_why_and_what_to_send(id_: str, why: str, hint: str) -> None:
    case = next(c for c in CASES if c.id == id_)
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(case.position, case.position.turn, case.token)
    assert (caught.value.text, caught.value.hint) == (why, hint)


@pytest.mark.parametrize("layout", LAYOUTS, ids=["standard", "c"])
def test_td25_both_layouts_have_29_men_each_and_black_begins(layout: dict[str, str]) -> None:
    position = opening(layout)
    men = "".join(position.stacks)
    assert (men.count("B"), men.count("W")) == (29, 29)
    assert GAME.to_move(position) == {0}
    assert GAME.seat_names(2)[0] == "Black"


def test_td26_a_mixed_stack_in_both_displays() -> None:
    position = position_of("E5:W1B2W3B3W2B4")
    assert list(runs(position.stacks[GRID.square("e5")])) == ["W1", "B2", "W3", "B3", "W2", "B4"]
    cells = {
        display: [row[39:47] for row in draw(GAME, position, display=display).split("\n")[8:10]] for display in "hu"
    }
    assert cells == {"h": ["B3 W2 B4", "W1 B2 W3"], "u": ["B2 B3 B4", "W1 W3 W2"]}


@pytest.mark.parametrize("stack", ["B1W1", "B1W3", "B3W1", "B3W3"])
def test_td27_good_captures(stack: str) -> None:
    assert is_good_capture(stack_of(stack), 1)
    assert not is_good_capture(stack_of(stack), 0)


@pytest.mark.parametrize("stack", ["B1W1B1W1", "B3W2B1", "W6B3W1B2W4B3", "W1", "B1", "W2B1", ""])
def test_td28_bad_captures(stack: str) -> None:
    assert not is_good_capture(stack_of(stack), 1)


# Clauses without a worked case


@pytest.mark.parametrize("layout", LAYOUTS, ids=["standard", "c"])
def test_d5_half_a_turn_exchanges_the_colours(layout: dict[str, str]) -> None:
    stacks = opening(layout).stacks
    exchanged = [stack.translate(str.maketrans("BW", "WB")) for stack in reversed(stacks)]
    assert list(stacks) == exchanged


@pytest.mark.parametrize(("layout", "black", "white"), [({}, "c1", "f8"), ({"c": ""}, "h1", "a8")])
def test_d5_the_kings_at_the_start(layout: dict[str, str], black: str, white: str) -> None:
    stacks = opening(layout).stacks
    assert [[GRID.name(s) for s in kings_of(stacks, seat)] for seat in (0, 1)] == [[black], [white]]
    assert {len(stacks[GRID.square(name)]) for name in (black, white)} == {4}


@pytest.mark.parametrize("layout", LAYOUTS, ids=["standard", "c"])
def test_d6_every_move_passes_the_turn_and_there_is_no_pass(layout: dict[str, str]) -> None:
    position = opening(layout)
    for move in GAME.legal_moves(position, 0):
        assert GAME.apply(position, 0, move, NoChance()).position.turn == 1
    with pytest.raises(NotAMove):
        GAME.parse(position, 0, "pass")


@pytest.mark.parametrize("target", ["d4", "d5", "d6", "e4", "e6", "f4", "f5", "f6"])
def test_d7_d8_all_eight_directions(target: str) -> None:
    position = position_of("E5:B2 H8:W1")
    assert text_of(played(position, f"e5{target}")) == text_of(position_of(f"E5:B1 {target.upper()}:B1 H8:W1"))
    beyond = {"d": "c", "e": "e", "f": "g"}[target[0]] + {"4": "3", "5": "5", "6": "7"}[target[1]]
    assert canonical(position, f"e5{target}t") == f"e5-{beyond}t"


def test_d7_a_man_may_step_onto_own_enemy_and_mixed_stacks() -> None:
    position = position_of("E5:B1 E6:B1 F5:W1 D5:W1B1 H8:W1")
    after = {t: played(position, f"e5{t}").stacks[GRID.square(t)] for t in ("e6", "f5", "d5", "e4")}
    assert after == {"e6": "BB", "f5": "WB", "d5": "WBB", "e4": "B"}


def test_d10_no_direction_leads_off_the_board() -> None:
    moves = {GAME.format(m) for m in GAME.legal_moves(position_of("A1:B1 H8:W1"), 0)}
    assert moves == {"a1-a2", "a1-b2", "a1-b1", "a1-a2t", "a1-b2t", "a1-b1t"}


def test_d11_a_lone_man_tumbles_as_he_moves() -> None:
    position = position_of("E5:B1 H8:W1")
    assert played(position, "e5f6t") == played(position, "e5f6")


def test_d12_d14_the_kings_are_the_tallest_pure_stacks() -> None:
    stacks = position_of("A1:B2 B1:B3 C1:B3 D1:W1B5 E1:B5W1").stacks
    assert [GRID.name(s) for s in kings_of(stacks, 0)] == ["b1", "c1"]
    assert kings_of(stacks, 1) == []


def test_d14_a_player_without_a_pure_stack_cannot_be_captured() -> None:
    after = played(position_of("C1:W1 D1:W1B1 H8:W1B2", turn=1), "c1d1")
    assert GAME.outcome(after) is None


def test_d19_the_good_capture_comes_before_the_lack_of_stacks() -> None:
    outcome = GAME.outcome(played(position_of("C1:W1 D1:B1", turn=1), "c1d1"))
    assert outcome == Outcome("king", ranks=(2, 1))


def test_d20_a_draw_is_by_agreement_and_a_loss_by_resignation() -> None:
    board = begin(Start(GAME, {}, 2, "0" * 32))
    offered = propose(board, 0)
    drawn = accept(offered.board, 1, [offered.entry]).board.result
    lost = resign(board, 0).board.result
    assert (drawn and drawn.winners, lost and lost.winners) == ((), (1,))


def test_d20_no_repetition_rule() -> None:
    position = opening({})
    for move in ("a2a3", "h7h6", "a3a2", "h6h7") * 5:
        position = played(position, move)
    assert position == opening({})


SPELLINGS = {
    "f2-g2": ["f2g2", "F2-G2M", "f2g2m", "f2-g2m", " F2G2 "],
    "e5-h5t": ["E5-F5T", "e5g5t", "e5h5t", "e5-h5T", "E5H5t"],
}


@pytest.mark.parametrize(("text", "spelling"), [(t, s) for t, all_ in SPELLINGS.items() for s in (t, *all_)])
def test_d24_every_notation_is_logged_in_one_way(text: str, spelling: str) -> None:
    assert canonical(position_of("E5:B3 F2:W1B1 H8:W4"), spelling) == text


@pytest.mark.parametrize("text", ["", "e5", "e5h5tt", "e5--f5", "e5 f5", "e9f9", "i5h5", "e5f5x", "e5-f5-t", "e５f5"])
def test_not_a_move(text: str) -> None:
    with pytest.raises(NotAMove) as caught:
        GAME.parse(opening({}), 0, text)
    assert "is not a move in Tumbling Down." in caught.value.text
    assert caught.value.hint == "Send a move such as: c1-c5t"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("e5f5", "'e5f5' is not possible: e5 is empty."),
        ("F8-F7", "'f8-f7' is not possible: the top man on f8 is not yours."),
        ("c1c1", "'c1c1' is not possible: a single man goes one square, and c1 is not next to c1."),
        ("c1c1t", "'c1c1t' is not possible: a tumble goes in a straight line, and c1 is not on one from c1."),
        ("c1d3m", "'c1d3m' is not possible: a single man goes one square, and d3 is not next to c1."),
    ],
)
def test_why_a_move_is_not_possible(text: str, why: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(opening({}), 0, text)
    assert caught.value.text == why
    assert caught.value.hint == "Send a move such as: c1-c5t"


def test_the_hint_at_the_t_is_itself_legal() -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(opening({}), 0, "C1C4M")
    assert caught.value.hint.endswith("add a t: c1c4t")
    assert canonical(opening({}), "c1c4t") == "c1-c5t"


# Diagrams, character for character

FULL = "A2:B2W1B1W2B3 A8:B3 C2:W3 H2:W1 H8:W4"
MIXED = "A2:B2W1B1W2B3 E5:W1B2W3B3W2B4 C2:W3 H2:W1"
TALL = "A2:B10W1B1W1 B2:B1W12B1 C5:B10W1B1 D5:W1 E5:B10 A8:B1W1B1 H8:W11"


@pytest.mark.parametrize(
    ("name", "position", "display"),
    [
        ("opening", opening({}), ""),
        ("opening-c", opening({"c": ""}), ""),
        ("before-a2b2t", position_of(FULL), ""),
        ("after-a2b2t", played(position_of(FULL), "A2-B2T"), ""),
        ("mixed-h", position_of(MIXED), "h"),
        ("mixed-u", position_of(MIXED), "u"),
        ("two-digit-runs-h", position_of(TALL), "h"),
        ("two-digit-runs-u", position_of(TALL), "u"),
    ],
)
def test_diagram(name: str, position: Position, display: str) -> None:
    golden = (DIAGRAMS / f"tumble-{name}.txt").read_text()
    assert draw(GAME, position, display=display) + "\n" == golden
    assert {len(line) for line in golden.splitlines()[1:-1]} == {75}


@pytest.mark.parametrize("seat", [0, 1, None])
def test_d21_everybody_sees_the_same(seat: Seat | None) -> None:
    assert draw(GAME, opening({}), seat) == draw(GAME, opening({}), display="h")


# The help page: what it shows and says is true

PAGES = {language: RENDERER.to(language).game_help(GAME).text for language in ("en", "de")}
each_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
_PICTURE = re.compile(
    r"(?m)^      E        F        G        H\n  \+.*\n 1\|(?P<before>.{36})  (?P<mover>\w+) \w+ (?P<move>\S+)\n"
    r"  \+.*\n(?P<after>(?:  \|.{36}\n)* 1\|.{36})  (?P<result>.*)$"
)


def rank_of(row: str) -> str:
    """The stacks on e1 to h1 in a picture with one line for each rank, in the form that `position_of` reads."""
    cells = (cell.replace(" ", "") for cell in row.rstrip("|").split("|"))
    return " ".join(f"{name}:{cell}" for name, cell in zip(("E1", "F1", "G1", "H1"), cells, strict=True) if cell)


@each_page
def test_the_captures_of_the_help_page_are_played(page: str) -> None:
    """Each move of the pictures ends as the page says. Other men on the board keep the game from ending."""
    pictures = list(_PICTURE.finditer(page))
    ends = []
    for picture in pictures:
        assert picture["mover"] in ("White", "Weiß")
        after = played(position_of(f"A8:W4 B2:B1 {rank_of(picture['before'])}", turn=1), picture["move"])
        drawn = draw(GAME, after).splitlines()
        shown = picture["after"].split("\n")
        assert [line[:3] + line[39:] for line in drawn[-2 - len(shown) : -2]] == shown
        outcome = GAME.outcome(after)
        wins = picture["result"].startswith(("White wins", "Weiß gewinnt"))
        assert wins == (outcome is not None and outcome.winners == (1,))
        ends.append(outcome.reason if outcome else "goes on")
    assert ends == ["king", "king", "goes on", "goes on"]


@each_page
def test_the_help_page_shows_both_layouts(page: str) -> None:
    assert all(draw(GAME, opening(layout)) in page for layout in LAYOUTS)
    assert max(map(len, page.splitlines())) <= WIDTH
    assert GAME.info.credit in page


@each_page
def test_the_help_page_shows_a_stack_in_both_displays(page: str) -> None:
    found = re.search(r"(?s)((?:[BW]\d ){5}[BW]\d):\n\n(.*?)\n\n", page)
    assert found is not None
    position = position_of("E5:" + found[1].replace(" ", ""))
    h, u = ([row[39:47] for row in draw(GAME, position, display=d).split("\n")[8:10]] for d in "hu")
    assert [re.findall(r"\|(.{8})\|", row) for row in found[2].split("\n")[1:3]] == [
        list(x) for x in zip(h, u, strict=True)
    ]


@each_page
def test_the_moves_of_the_help_page_mean_what_it_says(page: str) -> None:
    position = position_of("A2:B2W1B1W2B3 E5:B3 F2:W1B1 H8:W1")
    written = re.findall(r"(?m)^  ([a-h][1-8]\S*)  +\S", page)
    assert written == ["f2-g2", "f2-g2m", "e5-h5t"]
    assert [canonical(position, text) for text in (*written, "e5-f5t", "E5H5T", "e5-f5")] == [
        "f2-g2", "f2-g2", "e5-h5t", "e5-h5t", "e5-h5t", "e5-f5",
    ]  # fmt: skip
    fallen = re.findall(r"\b([BW]\d?)\s(?:on|auf)\s([a-h]2)", page)
    after = played(position_of("A2:B2W1B1W2B3 H8:W1"), "a2-b2t")
    assert text_of(after) == text_of(position_of("H8:W1 H2:B3 " + " ".join(f"{s.upper()}:{m}1" for m, s in fallen)))
    assert f"tumble move 101 USERID PASSWORD {GAME.example(opening({}), 0)}" in page


# Counts


@pytest.mark.slow
@pytest.mark.parametrize(("layout", "one", "two"), [({}, 194, 37620), ({"c": ""}, 182, 33124)], ids=["standard", "c"])
def test_perft(layout: dict[str, str], one: int, two: int) -> None:
    """The number of sequences of one and two moves from the opening: the game, the referee and fixed numbers agree."""
    position = opening(layout)
    ours = [GAME.apply(position, 0, move, NoChance()).position for move in GAME.legal_moves(position, 0)]
    assert len(ours) == referee.perft(coordinates(position), "B", 1) == one
    assert sum(len(GAME.legal_moves(p, 1)) for p in ours) == referee.perft(coordinates(position), "B", 2) == two


@pytest.mark.slow
@given(layout=st.sampled_from(LAYOUTS), choices=st.lists(st.integers(0, 9999), max_size=60))
@examples(4, 10)
def test_the_referee_agrees_on_random_games(layout: dict[str, str], choices: list[int]) -> None:
    position = opening(layout)
    for choice in choices:
        if position.won:
            break
        seat, before = position.turn, coordinates(position)
        moves = GAME.legal_moves(position, seat)
        after = [GAME.apply(position, seat, move, NoChance()).position for move in moves]
        key = [(sorted(coordinates(p).items()), p.won) for p in after]
        theirs = list(referee.successors(before, SIGNS[seat]))
        assert sorted(key) == sorted(
            (sorted(stacks.items()), referee.verdict(before, stacks, SIGNS[seat])) for stacks in theirs
        )
        position = after[choice % len(after)]
