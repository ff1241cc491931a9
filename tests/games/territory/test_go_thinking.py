"""How robots think about Go: their board is that of the rules, and each level sees what is there to be seen."""

from dataclasses import replace

import pytest

from pbmserv.games.base import PASS
from pbmserv.games.territory.go import area, thinking
from pbmserv.games.territory.go.phases import Position
from pbmserv.games.territory.go.stones import EMPTY, allowed, key_of, placed
from pbmserv.games.territory.go.thinking.field import NOWHERE, Field, drawn, each
from pbmserv.games.territory.go.thinking.forecast import agreed
from pbmserv.games.territory.go.thinking.ladders import LadderReading
from pbmserv.rng import Rng
from pbmserv.robots.levels import level_of
from tests.games.territory.test_go import GAME, played
from tests.games.territory.test_go import drawn as board


@pytest.mark.slow
@pytest.mark.parametrize(("size", "plies"), [(9, 150), (13, 60)])
def test_the_fast_board_is_that_of_the_rules(size: int, plies: int) -> None:
    """Legal moves, captures, ko, chains with their liberties, and areas, in a random game."""
    rng, points, field, before = Rng(f"fields {size}", 0), EMPTY * size * size, Field(EMPTY * size * size), ""
    ground = field.ground
    for ply in range(plies):
        seat, key = ply % 2, key_of(points)
        legal = set(allowed(points, key, seat, {key_of(before)} if before else ()))
        assert legal == {ground.numbers[point] for point in each(field.free) if field.may(seat, point)}
        if not legal:
            before, field.ko = "", NOWHERE
            continue
        point = rng.choice(sorted(legal))
        after = placed(points, key, seat, point)
        assert after
        taken = field.put(seat, ground.points[point])
        assert sorted(after.taken) == sorted(ground.numbers[there] for there in each(taken))
        before, points = points, after.points
        assert drawn(field) == points
        _same(field, Field(points))
        owned = ["".join("XO"[seat] for seat in range(2) if field.areas()[seat] >> p & 1) for p in ground.points]
        assert [owner or EMPTY for owner in owned] == list(area.owners(points))


def _same(one: Field, other: Field) -> None:
    """The chains of a board are the same however its stones came there."""
    for stones in one.stones:
        for stone in each(stones):
            chains = [(field.members[field.head[stone]], field.liberties[field.head[stone]]) for field in (one, other)]
            assert chains[0] == chains[1]


def point(field: Field, name: str) -> int:
    return field.ground.points["abcdefghj".index(name[0]) + 9 * (int(name[1]) - 1)]


@pytest.mark.parametrize(
    ("breaker", "is_caught"),
    [(". . . . . . . . .", True), (". . . . . . . X .", False)],
)
def test_a_ladder_is_read_to_its_end(breaker: str, is_caught: bool) -> None:
    """It runs to the upper right, where a stone may wait."""
    position = board(
        ". . . . . . . . .",
        breaker,
        *[EMPTY * 9] * 3,
        EMPTY * 9,
        ". O X . . . . . .",
        ". . O O . . . . .",
        EMPTY * 9,
    )
    field = Field(position.points)
    assert LadderReading().catches(field, point(field, "c3"), point(field, "c4")) == is_caught


def lines(*rows: str) -> list[str]:
    """Return a board whose upper rows are empty."""
    return [EMPTY * 9] * (9 - len(rows)) + [*rows]


#: Three stones are in atari. They can run to two others, or be taken.
ATARI = lines(". . . . X . X . .", EMPTY * 9, ". . O O . . . . .", ". O X X X O . . .", ". . O O O . . . .")
#: A corner with three empty points in a row: who moves in the middle decides it, and with it the game.
EYES = (*[". . . . O X . . ."] * 6, "O O O O O X . . .", "X X X X O X . . .", ". . . X O X . . .")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("position", "best", "weakest"),
    [
        (board(*ATARI), "e3", 1),
        (board(*ATARI, turn=1, komi=-40), "e3", 1),
        (board(*EYES, komi=-1), "b1", 2),
        (board(*EYES, turn=1, komi=-1), "b1", 2),
    ],
    ids=["saves stones", "takes stones", "makes two eyes", "takes the eyes"],
)
def test_whoever_searches_sees_what_is_urgent(position: Position, best: str, weakest: int) -> None:
    for nodes in (level_of(GAME, level).nodes for level in range(weakest, 4)):
        assert {thinking.choice(position, position.turn, nodes, Rng(f"{n}", 0)).text for n in range(2)} == {best}


def at_a_glance(size: int, moves: str, times: int) -> tuple[Position, list[str]]:
    """Return a position, and what level 0 does in it, with as many seeds."""
    position = played(board(*[EMPTY * size] * size), moves)
    return position, [thinking.choice(position, position.turn, 1, Rng(f"{n}", 0)).text for n in range(times)]


def test_level_0_sees_as_a_rule_what_the_last_move_put_in_atari() -> None:
    _, texts = at_a_glance(9, "d4 c4 f6 d5 g6 d3", 20)
    assert 12 < texts.count("e4") < 20


def test_level_0_takes_no_ko_back_at_once() -> None:
    position, texts = at_a_glance(5, "b1 c1 a2 d2 b3 c3 c2 b2", 100)
    assert "c2" not in GAME.legal_moves(position, position.turn)
    assert set(texts) <= {*GAME.legal_moves(position, position.turn)}


HALVES = ". . . X O . . . ."
SEKI = board(*[HALVES] * 5, "X X X O O O . . .", ". X O X X O . . .", ". X O . X O . . .", ". X O . X O . . .")
LOST = board(
    ". O O . . . . . .",
    "O O X O . X O . .",
    "X X X O O . X O .",
    ". X O O O O O . O",
    ". X X O X O . O X",
    ". X . X X O O X X",
    ". . X . X X X X .",
    ". X . . . . . . .",
    EMPTY * 9,
)


@pytest.mark.parametrize(
    ("position", "dead"),
    [(SEKI, []), (LOST, ["dead-g7"])],
    ids=["stones that live without eyes", "two stones that cannot live"],
)
def test_the_dead_are_named_and_the_living_are_not(position: Position, dead: list[str]) -> None:
    counting = played(position, "pass pass")
    assert agreed(counting, counting.turn, Rng("luck", 0)) == (*dead, "count")


@pytest.mark.parametrize(("passed", "passes"), [(False, False), (True, True)])
def test_whoever_leads_gives_nothing_away_by_a_pass(passed: bool, passes: bool) -> None:
    """Black wins with or without the corner. Only if White has passed, too, nobody can take it any more."""
    position = replace(board(*[". O . O O X X . X"] * 6, *EYES[6:], komi=-80), passed=passed)
    assert agreed(position, 0, Rng("luck", 0)) == ((PASS,) if passes else ())
