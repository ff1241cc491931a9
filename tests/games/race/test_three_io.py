"""3io: the clauses I1-I30 and the worked cases IO1-IO39 of the rules."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.errors import IllegalMove, NotAMove, PlayerError
from pbmserv.games.base import Outcome, Step
from pbmserv.games.base.board import Board, Start, begin, play, preview, resign
from pbmserv.games.base.grid import replaced
from pbmserv.games.base.log import Kind
from pbmserv.games.race.three_io import CREW, Position, ThreeIO
from pbmserv.games.race.three_io.tiles import FEATURES, GRID, KINDS, Tile, crew_count
from pbmserv.rng import Rng
from tests.examples import examples
from tests.games.chance import Numbers
from tests.games.drawing import draw, help_page

GAME = ThreeIO()
SEEDS = st.integers(0, 2**32).map(str)
NAMES = [feature.name for feature in FEATURES]
IN_THE_BOX = [kind.dark.name for kind in KINDS]
BOX = (30, 6, 3, 24, 4, 2)  # the box at the start of each worked case

# id, board before, hand 1 / 2, token, board after, points, box change
EXPANSIONS = """
IO1 | A1:dust B1:dust | dust / probe | `1c1` | C1:rock | 0 | +2 dust
IO2 | A1:dust B2:dust D2:dust | dust / probe | `1c1` | A1:dust B2:dust C1:dust D2:dust | 0 | none
IO3 | A1:dust B1:dust C2:dust | dust / probe | `1c1` | C1:rock+1 | 0 | +3 dust
IO4 | A1:dust B1:dust C2:dust C3:dust D1:dust | dust / probe | `1c1` | C1:rock+2 | 0 | +5 dust
IO5 | A1:dust@2 B1:dust@12+1 | dust / probe | `1c1+` | C1:rock@1122+1 | 0 | +2 dust
IO6 | A1:dust B1:dust C2:rock D1:rock | dust / probe | `1c1` | C1:planet | 0 | +5 dust, -1 planet
IO7 | A1:dust B1:dust C2:dust D1:rock@2 E1:rock | dust / probe | `1c1` | C1:planet@2+1 | 0 | +6 dust, -1 planet
IO8 | A1:planet B1:planet | dust / planet | `2c1` | C1:sun | 0 | +2 planet
IO9 | A1:planet B1:planet C2:sun D1:sun@1 | dust / planet | `2c1` | C1:galaxy@1 | 0 | +5 planet, -1 galaxy
IO10 | A1:galaxy@2 B1:galaxy | dust / galaxy | `2c1` | C1:galaxy*@2 | 50 | +2 galaxy
IO11 | A1:galaxy* B1:galaxy* D1:galaxy | dust / galaxy | `2c1` | A1:galaxy* B1:galaxy* C1:galaxy D1:galaxy | 0 | none
IO12 | A1:probe B1:probe C2:colony D1:colony | dust / probe | `2c1` | C1:station | 0 | +5 probe, -1 station
IO13 | A6:rock B6:rock C6:rock | dust / probe | `1c1` | A6:rock B6:rock C1:dust C6:rock | 0 | none
IO14 | A1:dust B1:dust C2:rock D1:rock | dust / probe | `1c1` | C1:planet | 0 | +5 dust
IO15 | A1:singularity B1:singularity | dust / singularity | `2c1+` | C1:singularity*@1 | 50 | +2 singularity
IO37a | A1:galaxy B1:galaxy C2:galaxy | dust / galaxy | `2c1` | C1:galaxy*+1 | 50 | +3 galaxy
IO37b | A1:galaxy B1:galaxy C2:galaxy D1:galaxy | dust / galaxy | `2c1` | C1:galaxy*+2 | 50 | +4 galaxy
"""

# id, board, token, points, tile after
SCORINGS = """
IO20 | C3:planet@1 C4:station | `sc3` | 15 | planet
IO21 | C3:planet@1+2 C4:station | `sc3` | 21 | planet
IO22 | B3:colony C3:sun@1 C4:station D3:sphere | `sc3` | 40 | sun
IO23 | C3:sun@1 D4:sphere | `sc3` | 10 | sun
IO24 | C3:rock@1 C4:probe | `sc3` | 2 | rock
IO25 | C3:rock@12+1 | `sc3` | 3 | rock@2
IO26 | C3:dust@11+1 C4:colony | `sc3` | 4 | dust@1
IO27 | C3:station@1+2 C4:colony | `sc3` | 4 | station
IO28 | C3:galaxy*@1 C4:singularity | `sc3` | 250 | galaxy*
"""

RULES_DIAGRAM = """\
      A        B        C        D        E        F
  +--------+--------+--------+--------+--------+--------+
  |        |Colony  |        |        |        |        |
 6|        |x2      |        |        |        |        |
  |        |        |        |        |        |        |
  +--------+--------+--------+--------+--------+--------+
  |        |Planet  |        |        |        |        |
 5|        |5       |        |        |        |        |
  |        |@1      |        |        |        |        |
  +--------+--------+--------+--------+--------+--------+
  |        |        |        |        |Sun     |Galaxy  |
 4|        |        |        |        |10      |20      |
  |        |        |        |        |@12+1   |        |
  +--------+--------+--------+--------+--------+--------+
  |Probe   |        |        |        |        |        |
 3|        |        |        |        |        |        |
  |        |        |        |        |        |        |
  +--------+--------+--------+--------+--------+--------+
  |        |        |Rock    |Station |        |        |
 2|        |        |2       |x3      |        |        |
  |        |        |        |        |        |        |
  +--------+--------+--------+--------+--------+--------+
  |Dust    |Dust    |        |Rock    |        |        |
 1|1       |1       |        |2       |        |        |
  |        |@2      |        |        |        |        |
  +--------+--------+--------+--------+--------+--------+
      A        B        C        D        E        F
*1  score 12  crew left 1  hand: 1 dust, 2 probe
 2  score 9  crew left 1  hand: 1 dust
Box: dust 30, planet 6, galaxy 3, probe 24, station 4, singularity 2"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip(" `") for cell in line.split("|")] for line in table.strip().splitlines()]


def tile(text: str) -> Tile:
    """The tile of a text such as `rock@12+1`: feature, seats with crew on it (from 1), number of tokens."""
    match = re.fullmatch(r"([a-z]+\*?)(?:@(\d+))?(?:\+(\d+))?", text)
    assert match
    return Tile(NAMES.index(match[1]), tuple(int(seat) - 1 for seat in match[2] or ""), int(match[3] or 0))


def sectors(text: str) -> tuple[Tile | None, ...]:
    placed = {GRID.square(square.lower()): tile(name) for square, name in (word.split(":") for word in text.split())}
    return tuple(placed.get(square) for square in range(GRID.size))


def hand(text: str) -> tuple[int, ...]:
    return tuple(IN_THE_BOX.index(name) for name in text.split(" / "))


def position(board: str = "", held: str = "dust", seats: int = 2) -> Position:
    """A position in which seat 0 is to move and holds these tiles; the other hands hold dust."""
    return Position(sectors(board), (hand(held), *[hand("dust")] * (seats - 1)), BOX, scores=(0,) * seats)


def do(start: Position, text: str, rng: Rng | None = None) -> Step[Position]:
    """Make a move for the seat to move. Without `rng` the move must not draw random numbers."""
    return GAME.apply(start, start.turn, GAME.parse(start, start.turn, text), rng or Numbers())


def texts(start: Position) -> list[str]:
    return [GAME.format(move) for move in GAME.legal_moves(start, start.turn)]


@pytest.mark.parametrize(
    ("number", "board", "held", "token", "after", "points", "change"),
    rows(EXPANSIONS),
    ids=[row[0] for row in rows(EXPANSIONS)],
)
def test_worked_expansions(
    number: str, board: str, held: str, token: str, after: str, points: str, change: str
) -> None:
    start = position(board, held)
    if number == "IO14":
        start = replace(start, box=(30, 0, 3, 24, 4, 2))
    end = do(start, token).position
    assert end.sectors == sectors(after)
    assert end.scores == (int(points), 0)
    changes = [(int(n), name) for n, name in re.findall(r"([+-]\d+) (\w+)", change)]
    assert changes or change == "none"
    expected = list(start.box)
    for n, name in changes:
        expected[IN_THE_BOX.index(name)] += n
    assert end.box == tuple(expected)
    assert end.turn == 1
    kept = {"1": 1, "2": 0}[token[0]]
    assert end.hands == ((start.hands[0][kept],), hand("dust"))


@pytest.mark.parametrize(
    ("board", "token", "points", "after"), [row[1:] for row in rows(SCORINGS)], ids=[row[0] for row in rows(SCORINGS)]
)
def test_worked_scorings(board: str, token: str, points: str, after: str) -> None:
    start = position(board)
    end = do(start, token).position
    assert end.scores == (int(points), 0)
    assert end.sectors == replaced(start.sectors, GRID.square("c3"), tile(after))
    assert end.box == start.box
    assert end.turn == 1


def test_io30_the_start_with_three_players() -> None:
    start = GAME.setup({}, 3, Numbers())
    assert start.hands == (hand("dust"),) * 3
    assert start.box == (33, 6, 3, 24, 4, 2)
    assert sum(start.box) == 72
    assert start.scores == (0, 0, 0)
    assert texts(start) == ["draw"]


@pytest.mark.parametrize(
    ("first", "last", "name"),
    [
        (0, 32, "dust"),
        (33, 38, "planet"),
        (39, 41, "galaxy"),
        (42, 65, "probe"),
        (66, 69, "station"),
        (70, 71, "singularity"),
    ],
)
def test_io31_draws_by_weight(first: int, last: int, name: str) -> None:
    start = GAME.setup({}, 3, Numbers())
    for number in (first, last):
        step = do(start, "draw", Numbers(number))
        assert step.position.hands[0] == hand(f"dust / {name}")
        assert step.position.box[IN_THE_BOX.index(name)] == start.box[IN_THE_BOX.index(name)] - 1
        assert step.position.turn == 0
        assert step.notes[0].text == ("Drew dust." if name == "dust" else f"Drew a {name}.")


@pytest.mark.parametrize(
    ("board", "held", "token", "reason"),
    [
        ("A1:dust@1", "dust / probe", "sa1", "you have drawn, so you have to play a tile"),  # IO32
        ("A1:dust@1", "dust / probe", "draw", "you have already drawn, so play one of your tiles"),
        ("A1:dust@1", "dust / probe", "1a1", "a1 is occupied"),
        ("A1:dust@2", "dust", "sa1", "you have no crew on a1"),  # IO33
        ("A1:dust@2", "dust", "sb1", "you have no crew on b1"),
        ("A1:dust@2", "dust", "1c1", "draw your second tile first"),
        ("A1:dust@1 C3:dust@11", "dust / probe", "1f6+", "all your crew are on the board"),  # IO34
    ],
)
def test_io32_to_io34_what_is_not_possible(board: str, held: str, token: str, reason: str) -> None:
    start = position(board, held)
    with pytest.raises(IllegalMove) as error:
        GAME.parse(start, 0, token.upper())
    assert error.value.text == f"'{token}' is not possible: {reason}."
    assert error.value.hint == f"Send a move such as: {GAME.example(start, 0)}"
    assert token not in texts(start)


def test_io33_squares_with_own_crew_may_be_scored() -> None:
    assert texts(position("A1:dust@2 B1:dust@12 C6:rock@1")) == ["draw", "sb1", "sc6"]


def test_io34_without_crew_the_square_is_open() -> None:
    assert do(position("A1:dust@1 C3:dust@11", "dust / probe"), "1f6").position.sectors[35] == tile("dust")


# No two neighbours are equal, and F6 is empty.
FULL_BUT_F6 = " ".join(
    f"{column}{row}:{'probe' if (row + n) % 2 else 'station'}"
    for row in range(1, 7)
    for n, column in enumerate("ABCDEF")
    if (row, column) != (6, "F")
)


def test_io35_the_last_sector_ends_the_game() -> None:
    board = FULL_BUT_F6.replace("A1:probe", "A1:sun@1")
    start = replace(position(board, "dust / probe"), scores=(4, 4))
    end = do(start, "1f6").position
    assert not GAME.to_move(end)
    assert GAME.outcome(end) == Outcome("full", ranks=(1, 1), scores=(4, 4))
    assert GAME.outcome(start) is None


def test_io36_a_fuse_in_the_last_sector_makes_room() -> None:
    board = re.sub("(E6|F5):[a-z]+", r"\1:planet", FULL_BUT_F6)
    end = do(position(board, "dust / planet"), "2f6").position
    assert end.sectors[GRID.square("f6")] == tile("sun")
    assert sum(t is not None for t in end.sectors) == 34
    assert GAME.to_move(end) == {1}
    assert GAME.outcome(end) is None


def test_io38_quick_draws_when_the_turn_begins() -> None:
    start = GAME.setup({"quick": ""}, 2, Numbers(43))  # 34 dust, 6 planets and 3 galaxies come before
    assert start.hands == (hand("dust / probe"), hand("dust"))
    assert {"1a1", "2a1", "1a1+", "2a1+"} <= set(texts(start))
    with pytest.raises(IllegalMove, match="with -quick your second tile is drawn for you"):
        GAME.parse(start, 0, "draw")
    step = do(start, "1a1", Numbers(0))
    assert step.position.hands == (hand("probe"), hand("dust / dust"))
    assert step.position.turn == 1
    assert [note.text for note in step.notes] == ["Player 2 drew dust."]


def test_io39_quick_scoring_puts_the_drawn_tile_back() -> None:
    start = replace(position("A1:dust@1", "dust / probe"), quick=True)
    step = do(start, "sa1", Numbers(30))
    assert step.position.sectors == sectors("A1:dust")
    assert step.position.hands == (hand("dust"), hand("dust / planet"))
    assert step.position.box == (30, 5, 3, 25, 4, 2)
    assert step.position.scores == (1, 0)


def test_the_numbers_of_the_box() -> None:
    assert [kind.tiles for kind in KINDS] == [36, 6, 3, 24, 4, 2]
    assert {feature.name: feature.points for feature in FEATURES if feature.points} == {
        "dust": 1,
        "rock": 2,
        "planet": 5,
        "sun": 10,
        "galaxy": 20,
        "galaxy*": 50,
        "singularity*": 50,
    }
    assert {feature.name: feature.multiplier for feature in FEATURES if feature.multiplier > 1} == {
        "colony": 2,
        "station": 3,
        "sphere": 4,
        "singularity": 5,
        "singularity*": 5,
    }


def rules_position() -> Position:
    """The board of section 7."""
    board = "B6:colony B5:planet@1 E4:sun@12+1 F4:galaxy A3:probe C2:rock D2:station A1:dust B1:dust@2 D1:rock"
    return replace(position(board, "dust / probe"), scores=(12, 9))


def test_the_worked_example_of_the_rules() -> None:
    start = rules_position()
    assert draw(GAME, start) == RULES_DIAGRAM
    step = do(start, "1c1+")
    assert step.position.sectors[GRID.square("c1")] == tile("planet@12")
    assert step.position.box == (35, 5, 3, 24, 4, 2)
    assert [note.text for note in step.notes] == [
        "3 dust fused into a rock on c1.",
        "3 rocks fused into a planet on c1.",
    ]
    before_draw = replace(start, hands=(hand("dust"), hand("dust")))
    scored = do(before_draw, "sb5")
    assert scored.position.scores == (12 + 10, 9)
    assert [note.text for note in scored.notes] == ["Earned 5 x 2 = 10 on b5."]


def test_notes_of_a_great_fuse() -> None:
    start = position("A1:galaxy B1:galaxy C2:galaxy D1:galaxy", "dust / galaxy")
    assert [note.text for note in do(start, "2c1").notes] == [
        "5 galaxies fused on c1 and earned 50 points.",
        "c1 got 2 bonus tokens.",
    ]


def test_diagrams_hold_long_names_and_crowds() -> None:
    start = position("A1:singularity* B1:singularity@111222+1 C1:galaxy*+10", "dust / galaxy", seats=4)
    lines = draw(GAME, replace(start, out=(3,))).splitlines()
    assert lines[22:25] == [
        "  |Singul.*|Singul. |Galaxy* |        |        |        |",
        " 1|50 x5   |x5      |50      |        |        |        |",
        "  |        |(below) |+10     |        |        |        |",
    ]
    assert lines[27:] == [
        "B1: @111222+1",
        "*1  score 0  crew left 0  hand: 1 dust, 2 galaxy",
        " 2  score 0  crew left 0  hand: 1 dust",
        " 3  score 0  crew left 3  hand: 1 dust",
        " 4  score 0  has left",
        "Box: dust 30, planet 6, galaxy 3, probe 24, station 4, singularity 2",
    ]
    assert all(len(line) <= 79 and line == line.rstrip() for line in lines)


@pytest.mark.parametrize("text", ["", "pass", "3c3", "1g1", "1a7", "sa1+", "1c3++", "draws", "c3", "1 c3"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        GAME.parse(position(), 0, text)


def test_examples_show_the_plus() -> None:
    assert GAME.example(position(), 0) == "draw"
    assert GAME.example(position("A1:rock", "dust / probe"), 0) == "1b1+"
    assert GAME.example(position("A1:rock@111", "dust / probe"), 0) == "1b1"


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_the_number_of_players(seats: int) -> None:
    with pytest.raises(PlayerError, match="3io is for 2 or 3 or 4 players"):
        GAME.check({}, seats)


def test_ranks_of_a_full_board() -> None:
    full = position(FULL_BUT_F6 + " F6:dust", seats=4)
    assert GAME.outcome(replace(full, scores=(7, 9, 7, 2))) == Outcome("full", (2, 1, 2, 4), (7, 9, 7, 2))
    left = replace(full, scores=(90, 9, 80, 9), out=(0, 2))
    assert GAME.outcome(left) == Outcome("full", (4, 1, 3, 1), (90, 9, 80, 9))


def test_a_seat_that_leaves_is_skipped_and_its_crew_stays() -> None:
    start = position("A1:rock@12", "dust / probe", seats=3)
    step = GAME.retire(start, 1, Numbers())
    assert step.position == replace(start, out=(1,))
    after = do(step.position, "1f6").position
    assert after.turn == 2
    assert after.sectors[0] == tile("rock@12")


def test_a_seat_that_leaves_on_its_turn_gives_its_drawn_tile_back() -> None:
    start = position("A1:rock@1", "dust / probe", seats=3)
    after = GAME.retire(start, 0, Numbers()).position
    assert after.turn == 1
    assert after.hands == (hand("dust"),) * 3
    assert after.box == (30, 6, 3, 25, 4, 2)
    assert GAME.retire(position(seats=3), 0, Numbers()).position.box == BOX


def test_a_substitute_has_the_crew_and_the_turns_of_who_left() -> None:
    start = position("A1:rock@12", "dust / probe", seats=3)
    left = GAME.retire(start, 1, Numbers()).position
    assert do(left, "1f6").position.turn == 2
    assert GAME.rejoin(left, 1) == start
    assert do(GAME.rejoin(left, 1), "1f6").position.turn == 1


def test_quick_draws_for_the_next_seat_when_one_leaves() -> None:
    start = replace(position("", "dust / probe", seats=3), quick=True)
    step = GAME.retire(start, 0, Numbers(69))
    assert step.position.turn == 1
    assert step.position.hands == (hand("dust"), hand("dust / singularity"), hand("dust"))
    assert [note.text for note in step.notes] == ["Player 2 drew a singularity."]


def test_a_preview_stops_before_a_draw() -> None:
    board = begin(Start(GAME, {}, 2, "0" * 32))
    assert preview(board, 0, "draw") is None
    board = play(board, 0, "draw").board
    assert preview(board, 0, "1a1")
    quick = begin(Start(GAME, {"quick": ""}, 2, "0" * 32))
    assert preview(quick, 0, "1a1") is None


def tiles_of_each_kind(at: Position) -> Counter[int]:
    """The number of tiles of each kind, in the box, in all hands and on the board together."""
    counts = Counter(dict(enumerate(at.box)))
    counts.update(kind for held in at.hands for kind in held)
    counts.update(t.feature // 2 for t in at.sectors if t)
    return counts


def random_text(at: Position, picker: Rng) -> str:
    """A random move, more often an early one of the list. So tiles lie close together and often fuse."""
    moves = texts(at)
    return moves[min(picker.randrange(len(moves)), picker.randrange(len(moves)))]


def advance(board: Board, picker: Rng) -> Board:
    """Make a random move; now and then a seat leaves instead."""
    seat = min(board.to_move)
    if board.start.seats > 2 and not board.out and board.ply > 20 and picker.randrange(15) == 0:
        return resign(board, seat, Kind.FORFEIT).board
    return play(board, seat, random_text(board.position, picker)).board


def check_move(before: Position, after: Position) -> None:
    """Check what must be true after every move and whenever a seat leaves."""
    grown = tiles_of_each_kind(after) - tiles_of_each_kind(before)
    assert not tiles_of_each_kind(before) - tiles_of_each_kind(after)
    assert all(n == 1 and before.box[kind] == 0 for kind, n in grown.items())  # from the reserve (I21)
    assert all(new >= old for old, new in zip(GAME.scores(before), GAME.scores(after), strict=True))
    assert sum(after.box) >= 75 - 36 - 4 - 1  # I28
    assert all(0 <= crew_count(after.sectors, seat) <= CREW for seat in range(len(after.hands)))
    assert [len(held) for s, held in enumerate(after.hands) if s != after.turn] == [1] * (len(after.hands) - 1)
    assert GAME.load(GAME.dump(after)) == after


@pytest.mark.slow
@examples(6, 25)
@given(seed=SEEDS, seats=st.sampled_from([2, 3, 4]), options=st.sampled_from([{}, {"quick": ""}]))
def test_a_whole_game(seed: str, seats: int, options: dict[str, str]) -> None:
    """No tile is lost or added, scores never fall, and the board is full in the end."""
    board, picker = begin(Start(GAME, options, seats, seed)), Rng(seed, 0, "picker")
    assert tiles_of_each_kind(board.position).total() == 75
    for _ in range(3000):
        if not board.to_move:
            break
        before = board.position
        board = advance(board, picker)
        check_move(before, board.position)
    assert board.result
    assert board.result.reason == "full"
    assert all(board.position.sectors)


@examples(2, 6)
@given(seed=SEEDS, options=st.sampled_from([{}, {"quick": ""}]))
def test_parse_agrees_with_the_legal_moves(seed: str, options: dict[str, str]) -> None:
    board, picker = begin(Start(GAME, options, 2, seed)), Rng(seed, 0, "picker")
    every = ["draw"] + [f"{p}{GRID.name(s)}" for p in "s12" for s in range(36)]
    every += [f"{p}{GRID.name(s)}+" for p in "12" for s in range(36)]
    for _ in range(8):
        legal = texts(board.position)
        for text in every:
            if text in legal:
                assert GAME.format(GAME.parse(board.position, min(board.to_move), text)) == text
            else:
                with pytest.raises(IllegalMove):
                    GAME.parse(board.position, min(board.to_move), text)
        board = play(board, min(board.to_move), picker.choice(legal)).board


def test_draws_follow_the_contents_of_the_box() -> None:
    start = GAME.setup({}, 3, Numbers())
    draws = 7200
    drawn = Counter(
        GAME.apply(start, 0, GAME.parse(start, 0, "draw"), Rng("box", n)).position.hands[0][1] for n in range(draws)
    )
    for kind, tiles in enumerate(start.box):
        expected = draws * tiles / 72
        assert abs(drawn[kind] - expected) < 4 * expected**0.5


def test_the_help_page() -> None:
    page = help_page(GAME)
    assert max(map(len, page.splitlines())) <= 72
    assert RULES_DIAGRAM in page
    after = draw(GAME, do(rules_position(), "1c1+").position).splitlines()
    assert "\n".join(after[17:27]) in page
    assert GAME.info.credit in " ".join(page.split())


def test_new_boards_have_their_tile_drawn_unless_they_are_to_have_two_steps() -> None:
    assert GAME.usual_options({}) == GAME.usual_options({"quick": ""}) == {"quick": ""}
    assert GAME.usual_options({"twostep": ""}) == {"twostep": ""}
    with pytest.raises(PlayerError, match="-quick and -twostep do not go together"):
        GAME.check({"quick": "", "twostep": ""}, 2)


def test_two_steps_are_the_rules_of_boards_without_options() -> None:
    """Boards that began before -quick was the default have no options. They replay as they were played."""
    old, new = (begin(Start(GAME, options, 3, "0" * 32)) for options in ({}, {"twostep": ""}))
    picker = Rng("0" * 32, 0, "picker")
    while old.to_move:
        move = picker.choice(texts(old.position))
        old, new = (play(board, min(board.to_move), move).board for board in (old, new))
        assert old.position == new.position
