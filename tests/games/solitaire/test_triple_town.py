"""Triple Town: the worked cases TT1-TT26 of the rules, the diagram, and what is true in every game."""

import re
import textwrap
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import Step
from pbmserv.games.base.board import Start, begin, play, preview
from pbmserv.games.solitaire.triple_town import Position, TripleTown
from pbmserv.games.solitaire.triple_town.tiles import CRYSTAL_ORDER, GRID, NAMES, TILES, WEIGHTS, match
from pbmserv.rng import NoChance, Rng
from tests.examples import examples
from tests.games.chance import Script
from tests.games.drawing import draw, help_page
from tests.world import RENDERER

GAME = TripleTown()
CASES = Path(__file__).with_name("triple_town_cases.txt").read_text()
DIAGRAM = Path(__file__).with_name("triple_town_diagram.txt").read_text().rstrip("\n")
CODES = {tile.name: tile.code for tile in TILES.values()} | {"empty": ""}
ROWS = [[f"{column}{row}" for column in "abcdef"] for row in range(6, 0, -1)]
BEARS = ("Be", "NB")
LARGE = 1_000_000  #: a score so high that no penalty takes it to 0
_CASE = re.compile(
    r"\*\*(?P<id>TT\d+)\*\* (?P<title>.*)\n"
    r"Tile `(?P<tile>.*)`, storehouse `(?P<stored>.*)`, token `(?P<token>.*)`\. After: storehouse `(?P<kept>.*)`, "
    r"tile (?P<next>.*), moves \+(?P<moves>\d), score (?P<score>[+-]\d+)\.\n"
    r"```\n(?P<picture>(?:.*\n){6})```"
)


@dataclass(frozen=True)
class Case:
    """One worked case of the rules."""

    before: Position
    token: str
    after: Position
    drawn: bool  #: whether the next tile is drawn


def land(rows: list[list[str]]) -> tuple[str, ...]:
    """The land of six rows of codes, the north row first. `.` is a blank and `##` the corner."""
    codes = {name: code for names, row in zip(ROWS, rows, strict=True) for name, code in zip(names, row, strict=True)}
    return tuple(codes[name].strip(".") for name in NAMES)


def read_case(found: re.Match[str]) -> Case:
    rows = [line.replace("->", "").split() for line in found["picture"].splitlines()]
    before = Position(land([r[:6] for r in rows]), CODES[found["tile"]], CODES[found["stored"]], score=LARGE)
    drawn = found["next"] == "drawn at random"
    after = replace(
        before,
        land=land([r[6:] for r in rows]),
        tile="Hu" if drawn else CODES[found["next"].strip("`")],
        stored=CODES[found["kept"]],
        moves=int(found["moves"]),
        score=LARGE + int(found["score"]),
    )
    return Case(before, found["token"], after, drawn)


WORKED = {found["id"]: read_case(found) for found in _CASE.finditer(CASES)}


def do(position: Position, token: str, rng: Rng) -> Step[Position]:
    return GAME.apply(position, 0, GAME.parse(position, 0, token), rng)


def texts(step: Step[Position]) -> list[str]:
    return [note.text for note in step.notes]


def at(position: Position, name: str) -> str:
    return position.land[NAMES.index(name)]


def test_all_pictured_cases_are_read() -> None:
    assert list(WORKED) == [f"TT{n}" for n in range(1, 24)]


@pytest.mark.parametrize("name", WORKED)
def test_a_worked_case(name: str) -> None:
    case = WORKED[name]
    rng = Script(3) if case.drawn else NoChance()  # the fourth weight is that of the hut; a forced step draws nothing
    assert do(case.before, case.token, rng).position == case.after


def test_tt24_an_ordinary_tile_on_an_occupied_location() -> None:
    position = replace(WORKED["TT1"].before, tile="Tr")
    with pytest.raises(IllegalMove, match=r"'a4' is not possible: that location holds a tile already \(grass\)"):
        GAME.parse(position, 0, "a4")


def test_tt26_a_crystal_in_the_basic_game_is_spent() -> None:
    before = replace(WORKED["TT5"].before, basic=True)
    step = do(before, "c4", Script(3))
    assert step.position == replace(before, tile="Hu", moves=1)
    assert texts(step)[0] == "The crystal at C4 matches nothing and is spent."


class Ending(NamedTuple):
    stored: str
    tile: str
    f1: str
    over: bool


@pytest.mark.parametrize(
    "case",
    [
        Ending("empty", "grass", "Ca", over=False),  # store
        Ending("grass", "grass", "Ca", over=True),
        Ending("grass", "imperial-bot", "Ca", over=False),
        Ending("imperial-bot", "bear", "Ca", over=False),
        Ending("grass", "crystal", "Be", over=True),
        Ending("grass", "grass", "Cs", over=False),  # claim
        Ending("grass", "grass", "", over=False),
    ],
)
def test_tt25_the_end(case: Ending) -> None:
    full = land([["Ca" if (row + column) % 2 else "Ma" for column in range(6)] for row in range(6)])
    town = tuple(case.f1 if name == "f1" else code for name, code in zip(NAMES, full, strict=True))
    position = Position(town, CODES[case.tile], CODES[case.stored], score=77)
    outcome = GAME.outcome(position)
    assert (outcome is not None) == case.over == (not GAME.to_move(position)) == (not GAME.legal_moves(position, 0))
    if outcome:
        assert (outcome.reason, outcome.ranks, outcome.scores) == ("full", (1,), (77,))
        assert outcome.reason in GAME.info.endings


def test_the_traversal_order() -> None:
    numbers = """ .  2  5  9 14 20
                  1  4  8 13 19 25
                  3  7 12 18 24 29
                  6 11 17 23 28 32
                 10 16 22 27 31 34
                 15 21 26 30 33 35"""
    by_name = zip([name for row in ROWS for name in row], numbers.split(), strict=True)
    assert list(NAMES) == [name for name, _ in sorted(list(by_name)[1:], key=lambda pair: int(pair[1]))]


#: The position of the diagram in section 10.
TOWN = Position(
    land(
        [
            ["##", ".", "Gr", ".", ".", "."],
            ["Be", ".", "Bu", ".", "To", "."],
            [".", "Gr", ".", "Bu", ".", "Be"],
            [".", "Gr", "Tr", ".", "NB", "."],
            ["Hu", ".", ".", "Ro", ".", "."],
            [".", ".", "Cs", ".", "Ca", "."],
        ]
    ),
    tile="Gr",
    stored="Cr",
    moves=42,
    score=3115,
)


def test_the_diagram() -> None:
    assert draw(GAME, TOWN) == DIAGRAM


def test_the_lines_below_a_diagram_are_broken_when_long() -> None:
    lines = draw(GAME, replace(TOWN, tile="Bo", stored="", moves=1234, score=1_234_567)).splitlines()
    assert lines[2] == " 6|(  )|    | Gr |    |    |    |"
    assert lines[-2:] == ["Tile to play: imperial-bot   Storehouse (A6): empty", "Moves: 1234   Score: 1234567"]


def test_the_worked_example() -> None:
    name = NAMES.index
    step = do(TOWN, "c4", Script(name("d1"), name("a4"), name("e4"), 1))
    after = """     A    B    C    D    E    F
  +----+----+----+----+----+----+
 6|(Cr)|    | Gr |    |    |    |
  +----+----+----+----+----+----+
 5|    |    |    |    | To |    |
  +----+----+----+----+----+----+
 4| Be |    | Tr |    | Be |    |
  +----+----+----+----+----+----+
 3|    |    | Tr |    |    |    |
  +----+----+----+----+----+----+
 2| Hu |    |    | Ro |    |    |
  +----+----+----+----+----+----+
 1|    |    | Cs | NB | Ca |    |
  +----+----+----+----+----+----+
     A    B    C    D    E    F
Tile to play: bush   Storehouse (A6): crystal   Moves: 43   Score: 3240"""
    assert draw(GAME, step.position) == after
    assert texts(step) == [
        "3 grass make a bush at C4.",
        "3 bushes make a tree at C4.",
        "Ninja-bears jump: E3-D1.",
        "Bears move: A5-A4, F4-E4.",
        "The next tile is: bush.",
    ]


@pytest.mark.parametrize(("language", "first"), [("en", "floating castle"), ("de", "Luftschloss")])
def test_the_help_page_has_the_order_of_the_crystal(language: str, first: str) -> None:
    renderer = RENDERER.to(language)
    written = re.search(rf"(?s)\n  {first} > (.*?)\n\n", renderer.game_help(GAME).text)
    assert written is not None
    names = [renderer.say(TILES[code].name).replace("-", " ") for code in CRYSTAL_ORDER]
    assert [first, *re.split(r"\s+>\s+", written[1])] == names


def test_the_help_page_shows_the_worked_example() -> None:
    page = help_page(GAME)
    board = DIAGRAM.rpartition("\n")[0]
    assert textwrap.indent(board, "    ") in page
    assert GAME.info.credit in page
    assert max(map(len, page.splitlines())) <= 72


@pytest.mark.parametrize("text", ["store", "S", "a6", " Store "])
def test_spellings_of_store(text: str) -> None:
    assert GAME.format(GAME.parse(TOWN, 0, text)) == "store"


@pytest.mark.parametrize("text", ["g1", "a7", "a0", "c4c5", "st", "stores", ""])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        GAME.parse(TOWN, 0, text)


def test_the_hint_of_an_error_can_be_played() -> None:
    with pytest.raises(IllegalMove) as error:
        GAME.parse(TOWN, 0, "c5")
    assert GAME.parse(TOWN, 0, error.value.hint.rpartition(" ")[2])


@pytest.mark.parametrize(("land_", "name"), [(TOWN.land, "a5"), (("",) * 34 + ("Gr",), "f1"), (("",) * 35, "a5")])
def test_an_example_sends_the_bot_to_a_bear_if_there_is_one(land_: tuple[str, ...], name: str) -> None:
    assert GAME.example(replace(TOWN, land=land_, tile="Bo"), 0) == name


@pytest.mark.parametrize(
    ("tile", "token", "note"),
    [
        ("Bo", "a5", "The imperial-bot makes a tombstone of the bear at A5."),
        ("Bo", "a2", "The imperial-bot removes the hut at A2."),
        ("Bo", "a1", "The imperial-bot finds nothing at A1."),
        ("Bo", "c1", "The imperial-bot removes the chest at C1."),  # T10: a bot does not claim
        ("Gr", "c1", "The chest at C1 is claimed."),
        ("Gr", "store", "The grass goes into the storehouse."),
        ("Cr", "c4", "The crystal at C4 becomes: bush."),
        ("Cr", "f6", "The crystal at F6 matches nothing and becomes a rock."),
    ],
)
def test_what_a_move_tells(tile: str, token: str, note: str) -> None:
    assert texts(do(replace(TOWN, tile=tile), token, Rng("tell", 1)))[0] == note


def test_dead_bears_are_told() -> None:
    assert texts(do(WORKED["TT15"].before, "a2", Script(0)))[:2] == [
        "Trapped, so these become tombstones: A5, A4, A3.",
        "3 tombstones make a church at A5.",
    ]
    assert texts(do(WORKED["TT19"].before, "f1", Script(0)))[:2] == [
        "No blank is left, so these become tombstones: A5.",
        "Trapped, so these become tombstones: A4.",
    ]


def test_the_score_never_falls_below_zero() -> None:
    case = WORKED["TT13"]
    assert do(replace(case.before, score=100), case.token, Script(3)).position.score == 0


def test_t29_a_penalty_stops_at_zero_before_a_collapse_earns_points() -> None:
    """The mountain costs 1,000 of 300 points, so 0 are left. Then its chest completes three: a large chest."""
    case = WORKED["TT12"]
    assert do(replace(case.before, score=300), case.token, Script(3)).position.score == 50_000


def test_a_bear_may_enter_a_location_just_vacated() -> None:
    before = Position(
        land([["##", *["Ca", "Ma"] * 2, "Ca"], *[["."] * 6] * 4, ["Be", "Be", "Ro", ".", ".", "."]]), "Gr"
    )
    step = do(before, "f3", Script(NAMES.index("a1"), 0))  # A1 (15) can only go north, then B1 (21) moves to A1
    assert (at(step.position, "a2"), at(step.position, "a1"), at(step.position, "b1")) == ("Be", "Be", "")


def test_preview_stops_before_chance_but_shows_a_swap() -> None:
    board = replace(begin(Start(GAME, {}, 1, "0" * 32)), position=TOWN)
    assert preview(board, 0, "c4") is None
    swapped = preview(board, 0, "store")
    assert swapped is not None
    assert (swapped.position.tile, swapped.position.stored) == ("Cr", "Gr")


def test_a_new_game() -> None:
    for options, basic in (({}, False), ({"b": ""}, True)):
        position = GAME.setup(options, 1, Script(0))
        assert position == Position(("",) * 35, "Gr", basic=basic)


@pytest.mark.parametrize("options", [{}, {"b": ""}])
def test_how_often_tiles_come(options: dict[str, str]) -> None:
    draws = 20_000
    names = {code: weight for code, weight in WEIGHTS.items() if not options or code not in BEARS}
    came = Counter(GAME.setup(options, 1, Rng("frequency", ply)).tile for ply in range(draws))
    assert set(came) == set(names)
    expected = {code: draws * weight / sum(names.values()) for code, weight in names.items()}
    chi_square = sum((came[code] - e) ** 2 / e for code, e in expected.items())
    assert chi_square < 24.3  # seven degrees of freedom (five without the bears): 999 of 1000 seeds pass


def random_play(seed: str, basic: bool, limit: int) -> list[tuple[Position, str, Step[Position]]]:
    """Random moves from the first position: for each the position before it, its text and its step."""
    pick, steps = Rng(seed, 0, "pick"), list[tuple[Position, str, Step[Position]]]()
    position = GAME.setup({"b": ""} if basic else {}, 1, Rng(seed, 0))
    while GAME.to_move(position) and len(steps) < limit:
        text = GAME.format(pick.choice(GAME.legal_moves(position, 0)))
        step = do(position, text, Rng(seed, len(steps) + 1))
        steps.append((position, text, step))
        position = step.position
    return steps


SEEDS = st.integers(0, 2**32).map(str)


@examples(5, 15)
@given(seed=SEEDS, basic=st.booleans())
def test_what_holds_in_every_play(seed: str, basic: bool) -> None:
    for before, text, step in random_play(seed, basic, limit=120):
        after = step.position
        assert after.score >= 0
        assert after.moves == before.moves + (text != "store")
        assert all(len(note.text) <= 79 for note in step.notes)
        assert GAME.load(GAME.dump(after)) == after
        if basic:
            assert not {*after.land, after.tile} & {"Be", "NB", "To", "Ro", "Ch", "Cs"}


@examples(5, 15)
@given(seed=SEEDS)
def test_after_a_place_nothing_is_left_to_collapse(seed: str) -> None:
    for before, text, step in random_play(seed, basic=False, limit=120):
        if is_place(before, text):
            land_ = step.position.land
            due = [n for n, code in enumerate(land_) if code == "To" or NAMES[n] == text]
            assert not any(match(land_, n) for n in due)


@examples(5, 15)
@given(seed=SEEDS)
def test_bears_only_move_to_blanks(seed: str) -> None:
    """Take back the steps in the notes, last first: each bear is where it went to, and its old place is blank."""
    for before, text, step in random_play(seed, basic=False, limit=120):
        steps = [
            s for note in texts(step) if "move:" in note or "jump:" in note for s in re.findall(r"\w\d-\w\d", note)
        ]
        assert not steps or is_place(before, text)  # T10-T12
        town = dict(zip(NAMES, step.position.land, strict=True))
        for source, target in (s.lower().split("-") for s in reversed(steps)):
            bear = town[target]
            assert bear in BEARS
            assert town[source] == ""
            assert bear == "NB" or GRID.square(source) in GRID.neighbours(GRID.square(target))
            town |= {source: bear, target: ""}
        if (
            is_place(before, text)
            and before.tile != "Cr"
            and not any("make a" in t or "become" in t for t in texts(step))
        ):
            assert town == dict(zip(NAMES, before.land, strict=True)) | {text: before.tile}


def is_place(before: Position, text: str) -> bool:
    return text != "store" and before.tile != "Bo" and at(before, text) == ""


def test_a_long_play_through_the_board() -> None:
    board = begin(Start(GAME, {}, 1, "5" * 32))
    while board.to_move:
        board = play(board, 0, GAME.example(board.position, 0)).board
    assert board.result is not None
    assert board.result.scores == GAME.scores(board.position) == (board.position.score,)
