"""Games about lines: all rows together, against other programs, a second referee and every check of conformance."""

import os
import random
from itertools import cycle
from typing import Any

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.base import Seat
from pbmserv.games.base.grid import Grid
from pbmserv.games.families.lines.forbidden import forbidden_points, judged
from pbmserv.games.families.lines.lines_game import game_of
from pbmserv.games.families.lines.lines_row import LineRow
from pbmserv.games.families.lines.lines_rows import ROWS
from pbmserv.letters.text.templates import Renderer
from pbmserv.rng import NoChance
from tests.games.families.lines_referee import BOARDS, Referee
from tests.games.oracle.agreement import Rival, compare, into_ends
from tests.games.oracle.engine import with_oracle
from tests.world import World

_SOAK = int(os.environ.get("SOAK", "1")) ** 2
_BOARD = Grid(15, 15)


def _points(black: str, white: str = "") -> str:
    points = ["."] * _BOARD.size
    for stone, names in (("X", black), ("O", white)):
        for name in names.split():
            points[_BOARD.square(name)] = stone
    return "".join(points)


#: Figures that every introduction to Renju has: black stones, white stones, a point, and what it is there.
_FIGURES = {
    "two threes": ("g8 i8 h7 h9", "", "h8", "threes"),
    "two threes with gaps": ("e8 f8 h5 h6", "", "h8", "threes"),
    "a three closed by white is none": ("g8 i8 h7 h9", "h10", "h8", ""),
    "at the edge": ("b8 c8 a7 a6", "", "a8", ""),
    "a four and a three are allowed": ("e8 f8 g8 h7 h9", "", "h8", ""),
    "two fours": ("e8 f8 g8 h5 h6 h7", "", "h8", "fours"),
    "two fours in a line, with a stone between": ("d8 f8 g8 j8", "", "h8", "fours"),
    "two fours in a line, of two, two and two": ("d8 e8 g8 j8 k8", "", "h8", "fours"),
    "two fours in a line, of three and three": ("d8 e8 f8 j8 k8 l8", "", "h8", "fours"),
    "six": ("c8 d8 e8 g8 h8", "", "f8", "overline"),
    "five goes before six": ("c8 d8 e8 g8 h8 f4 f5 f6 f7", "", "f8", "five"),
    "five goes before two fours": ("d8 e8 f8 g8 h5 h6 h7 i9 j10 k11", "", "h8", "five"),
    "a four that can only be six is none": ("c8 d8 e8 h8 f5 f6 f7", "b8", "f8", ""),
    "a three between stones too near is none": ("d8 l8 g8 h8 i6 i7", "", "i8", ""),
    "a three whose fourth stone makes six is none": ("g8 i8 h7 h9 f5 f6 f7 f9 f10", "k8", "h8", ""),
    "a three whose fourth stone makes fours is none": ("g8 i8 h7 h9 f6 f7 f9 c5 d6 e7", "k8", "h8", ""),
    "a three whose fourth stone makes threes is none": ("g8 i8 h7 h9 f7 f9 e7 g9", "k8", "h8", ""),
}  # fmt: skip


@pytest.mark.parametrize(("black", "white", "point", "is_there"), _FIGURES.values(), ids=_FIGURES)
def test_figures_of_renju(black: str, white: str, point: str, is_there: str) -> None:
    assert judged(_points(black, white), _BOARD, _BOARD.square(point)) == is_there


@pytest.mark.slow
def test_forbidden_points_are_those_of_another_program() -> None:
    """Stones lie close together, so that threes need threes to be judged."""
    get_foul_type = pytest.importorskip("renju", reason="pip install -e '.[oracle]'").get_foul_type
    luck, reasons = random.Random(os.environ.get("SEED", "1")), ["", "threes", "fours", "overline"]
    for _ in range(10 * _SOAK):
        cells = luck.sample([(x, y) for x in range(2, 10) for y in range(2, 10)], luck.randrange(8, 26))
        points = _points(*(" ".join(f"{chr(97 + x)}{y + 1}" for x, y in part) for part in (cells[::-2], cells[-2::-3])))
        rows = [[".XO".index(points[y * 15 + x]) for y in range(15)] for x in range(15)]
        free = [p for p in range(_BOARD.size) if points[p] == "."]
        theirs = {p: reasons[foul] for p in free if (foul := get_foul_type(rows, p % 15, p // 15))}
        assert forbidden_points(points, _BOARD) == theirs, points
        assert {p: why for p in free if (why := judged(points, _BOARD, p)) not in ("", "five")} == theirs


def _local(position: Any, seat: Seat, move: str) -> tuple[str, ...]:
    """Return the actions of OpenSpiel, which asks for the small board first if any will do."""
    column, row = ord(move[0]) - 97, 9 - int(move[1:])
    board, sign = row // 3 * 3 + column // 3, "xo"[seat]
    put = f"Local board {board}: {sign}({row % 3},{column % 3})"
    return (f"Choose local board {board}", put) if position.part < 0 else (put,)


def _cubic(position: Any, seat: Seat, move: str) -> tuple[str, ...]:
    column, row = ord(move[0]) - 97, int(move[1:]) - 1
    return (f"{column % 4},{row % 4},{column // 4 + row // 4 * 2}",)


def _flat(position: Any, seat: Seat, move: str) -> tuple[str, ...]:
    return (f"{ord(move[0]) - 97},{int(move[1:]) - 1}",)


def _lettered(position: Any, seat: Seat, move: str) -> tuple[str, ...]:
    return (f"{'xo'[seat]}({3 - int(move[1:])},{ord(move[0]) - 97})",)


@pytest.mark.slow
@with_oracle
@pytest.mark.parametrize(
    ("key", "rival"),
    [
        ("tictactoe", Rival("tic_tac_toe", _lettered)),
        ("miseretictactoe", Rival("gomoku", _flat, {"size": 3, "connect": 3, "anti": True})),
        ("miseregomoku", Rival("gomoku", _flat, {"size": 9, "anti": True})),
        ("cubefour", Rival("gomoku", _cubic, {"size": 4, "dims": 3, "connect": 4})),
        ("ultimate", Rival("ultimate_tic_tac_toe", _local, deep=2)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_openspiel_agrees(key: str, rival: Rival) -> None:
    report = compare(find(key), rival, 150 * _SOAK, choose=into_ends(find(key)))
    assert sum(report.endings.values()) > 1


@pytest.mark.parametrize("key", [pytest.param(k, marks=[pytest.mark.slow] * (k == "connectsix")) for k in BOARDS])
def test_a_second_referee_agrees(key: str) -> None:
    game: Any = find(key)
    for number in range(2 * _SOAK):
        luck, position, referee, over = random.Random(number), game.setup({}, 2, NoChance()), Referee(key), None
        while not game.end(position):
            seat, legal = position.turn, game.legal_moves(position, position.turn)
            assert (referee.turn, referee.legal(), over) == (seat, set(legal), None)
            near = [m for m in legal if m[0] in "cdefghi" and len(m) < 3] if len(legal) > 100 else []
            move = luck.choice(near or list(legal))
            position = game.apply(position, seat, move, NoChance()).position
            over = referee.play(move)
        assert over == (-1 if game.winner(position) is None else game.winner(position)), (key, number)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rows", [ROWS[5:12:6], pytest.param(ROWS[:: 6 if _SOAK == 1 else 1], marks=pytest.mark.slow)], ids=["two", "more"]
)
def test_every_check_of_conformance(rows: tuple[Any, ...]) -> None:
    for row in rows:
        for option in ((), (("opening", ""),)) if row.forbids else ((),):
            playthrough = record(find(row.key), Walk(row.key, Setup(option, 2), 1))
            for check in CHECKS:
                check(playthrough)


def _after(key: str, moves: str, **options: str) -> Any:
    game: Any = find(key)
    position = game.setup(options, 2, NoChance())
    for text in moves.split():
        move = game.parse(position, position.turn, text)
        position = game.apply(position, position.turn, move, NoChance()).position
    return position


#: Key, moves, the ending, who has won.
_ENDS = [
    ("renju", "h8 a1 i8 a3 j8 a5 k8 a7 l8", "five", 0),
    ("renju", "h8 a1 i8 a2 j8 a3 k8 a4 h1 a6 h2 a5", "five", 1),
    ("renju", "h8 pass pass", "passes", None),
    ("connectsix", "a1 b1 b2 c1 c3 e1 e2 e3 e4 e5 e7 a19 b19 e6", "", None),
    ("capturefive", "a1 b1 e5 c1 d1", "", None),
    ("caro", "b1 a1 c1 a3 d1 a5 e1 g1 f1", "", None),
    ("caro", "b1 a1 c1 a3 d1 a5 e1 a7 f1", "five", 0),
    ("miseregomoku", "a1 b9 b1 d9 c1 f9 d1 h9 e1", "five", 1),
    ("tictactoe", "b2 a1 a2 c2 c1 a3 b1 b3 c3", "full", None),
    ("cubefour", "a1 a2 f2 a3 c7 b4 h8", "row", 0),
    ("towerfour", "a1 b1 e1 b2 a5 b3 e5", "row", 0),
    ("fallingfive", "b b c c d d e", "row", 0),
    ("trapdoor", "a1 b1 a2 c1 a3 d1 xa1 e1", "row", 1),
    ("miserefour", "a b a b a b a", "row", 1),
]


@pytest.mark.parametrize(("key", "moves", "over", "won"), _ENDS)
def test_how_games_end(key: str, moves: str, over: str, won: int | None) -> None:
    game: Any = find(key)
    position = _after(key, moves)
    assert (game.end(position), game.outcome(position) and game.winner(position)) == (over, won)


@pytest.mark.parametrize(
    ("key", "moves", "text", "why"),
    [
        ("renju", "h7 a1 h9 a3 g8 a5 i8 a7", "h8", "Black would make two threes at once"),
        ("renju", "", "white", "only in the opening of the option -opening"),
        ("trapdoor", "a1 b1", "xb1", "only a disc of your own, from row 1"),
        ("trapdoor", "", "d3", "the disc falls to d1"),
        ("towerfour", "", "e1", "the disc falls to a1"),
        ("fallingfive", "", "a", "no such column, or it is full"),
        ("tictactoe", "b2", "b2", "b2 is occupied"),
        ("tictactoe", "", "d4", "no square d4 on the board"),
        ("ultimate", "b2", "a1", "the next mark goes to one of these boards: D4-F6"),
    ],
)
def test_why_a_move_is_not_possible(key: str, moves: str, text: str, why: str) -> None:
    position = _after(key, moves)
    with pytest.raises(PlayerError) as refused:
        find(key).parse(position, position.turn, text)
    assert why in refused.value.text


class TestOpeningOfRenju:
    """The first three stones of the rules, then the other player takes a colour."""

    def test_the_stones_are_near_the_middle(self) -> None:
        game: Any = find("renju")
        counts = [len(game.legal_moves(_after("renju", texts, opening=""), 0)) for texts in ("", "h8", "h8 i9")]
        assert counts == [1, 8, 23]
        with pytest.raises(PlayerError, match="the opening begins in the middle"):
            _after("renju", "h9", opening="")

    def test_the_other_player_takes_a_colour(self) -> None:
        position = _after("renju", "h8 i9 j8 black", opening="")
        assert (position.black, position.turn, position.phase) == (1, 0, "")


def test_a_pair_is_captured_and_a_line_says_so() -> None:
    game: Any = find("capturefive")
    position = _after("capturefive", "h8 i8 a1 j8")
    step = game.apply(position, 0, "k8", NoChance())
    assert [note.text for note in step.notes] == ["Captured: j8 i8."]
    assert game.told(step.position) == ("Captured pairs: Black 1, White 0",)


@pytest.mark.parametrize("row", ROWS[::5], ids=lambda row: row.key)
def test_help_pages_tell_a_turn(row: Any) -> None:
    for renderer in (Renderer(), Renderer().to("de")):
        page = renderer.game_help(find(row.key)).text
        assert renderer.say(row.credit) in " ".join(page.split())
        assert max(map(len, page.splitlines())) < 80


@pytest.mark.slow
def test_a_forbidden_point_is_refused_by_mail_and_two_stones_go_into_one(world: World) -> None:
    world.signup("alice", "bob")
    number = world.board("alice", "bob", game="renju")
    for userid, text in zip(cycle(("alice", "bob")), ["h7", "a1", "h9", "a3", "g8", "a5", "i8", "a7"], strict=False):
        letters = world.mail(f"{userid}@example.org", f"renju move {number} {userid} {userid}-secret {text}")
    to_alice = next(letter for letter in letters if "alice" in str(letter.message["To"]))
    assert "Forbidden for Black now: H8" in to_alice.text
    assert "two threes" in world.reply(to_alice, "h8")[0].text
    number = world.board("alice", "bob", game="connectsix")
    world.mail("alice@example.org", f"connectsix move {number} alice alice-secret j10")
    (letter, *_) = world.mail("bob@example.org", f"connectsix move {number} bob bob-secret j11 k11")
    assert "k11" in letter.text


def test_a_row_is_a_game() -> None:
    """As docs/adding-a-variant.md shows it."""
    row = LineRow(
        "low", "Low Four", "Four in a row on a low board.", 4, credit="us.", family="four", size=(6, 4, 1), falls=True
    )
    game: Any = game_of(row)
    position = game.setup({}, 2, NoChance())
    assert game.legal_moves(position, 0) == ["a1", "b1", "c1", "d1", "e1", "f1"]
    for text in ("c", "c", "d", "d", "e", "e"):
        position = game.apply(position, position.turn, game.parse(position, position.turn, text), NoChance()).position
    assert game.end(game.apply(position, 0, "b1", NoChance()).position) == "row"
