"""Games like draughts: all rows together, against other rules, published numbers, and every check of conformance."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.capture.draughts.jumping import EMPTY
from pbmserv.games.capture.draughts.style import ENGLISH, INTERNATIONAL, Position, Style
from pbmserv.games.families.draughtslike.draughts_row import DraughtsRow, RowPosition
from pbmserv.games.families.draughtslike.draughtslike_game import DraughtsLike, game_of
from pbmserv.games.families.draughtslike.draughtslike_rows import ROWS
from pbmserv.rng import NoChance
from tests.games.base.logged import Logged
from tests.games.oracle import draughts_by_words
from tests.games.records.reader import needs_reader, read_by_others, sheet_of
from tests.world import World

_SOAK = int(os.environ.get("SOAK", "1")) ** 2
_SPARED = 5 if _SOAK == 1 else 1  #: `make soak` looks at every row
_ROWS = {row.key: row for row in ROWS}
#: The names of the other program. It lets Turkish kings pass over men when they do not capture, and misses some Frisian
#: captures of five men and more.
_THEIRS = {
    "russiandraughts": "russian",
    "braziliandraughts": "brazilian",
    "italiandraughts": "italian",
    "turkishdraughts": "turkish",
    "frisiandraughts": "frisian",
    "antidraughts": "antidraughts",
}


def _game(key: str) -> DraughtsLike:
    game = find(key)
    assert isinstance(game, DraughtsLike)
    return game


def _positions(row: DraughtsRow, luck: random.Random) -> Iterator[Position]:
    """Yield positions without an end: of games at random, and as many with men put down at random."""
    while True:
        position: Position = row.opening()
        for _ in range(120):
            yield position
            yield _scattered(row, luck)
            moves = row.moves(position, position.turn)
            men = [move for move in moves if position.board[move.source].islower()]
            position = row.after(position, luck.choice(men if men and luck.random() < 0.5 else list(moves)))
            if position.over:
                break


def _scattered(row: DraughtsRow, luck: random.Random) -> Position:
    board = [EMPTY] * row.size
    for square in luck.sample(range(row.size), luck.randrange(3, min(row.size // 2, 20))):
        man = luck.choice("bwbwBW")
        is_last = square < row.per_row if man == "w" else square >= row.size - row.per_row and man == "b"
        board[square] = man.upper() if is_last else man
    return RowPosition("".join(board), luck.randrange(2))


@pytest.mark.slow
@pytest.mark.skipif(find_spec("draughts") is None, reason="pydraughts is not installed: pip install -e '.[oracle]'")
def test_moves_are_those_of_another_program() -> None:
    luck = random.Random(os.environ.get("SEED", "1"))
    program = (sys.executable, "-u", str(Path(__file__).with_name("told_by_pydraughts.py")))
    told = {key: list(islice(_positions(_ROWS[key], luck), 16 * _SOAK)) for key in _THEIRS}
    asked = [
        json.dumps({"variant": _THEIRS[key], "positions": [_as_hub(_ROWS[key], p) for p in positions]})
        for key, positions in told.items()
    ]
    answer = subprocess.run(program, input="\n".join(asked), capture_output=True, text=True, check=True)
    for (key, positions), line in zip(told.items(), answer.stdout.splitlines(), strict=True):
        for position, theirs in zip(positions, json.loads(line), strict=True):
            own = _moves(_ROWS[key], position)
            if not _ROWS[key].fills_board or any(text[2:] for text in own):
                missed = [text for text in own if text not in theirs]
                assert not [text for text in theirs if text not in own], (key, position)
                assert not missed or (key == "frisiandraughts" and len(missed[0]) > 6), (key, position, missed)


def _as_hub(row: DraughtsRow, position: Position) -> str:
    return row.colours[position.turn].upper() + position.board.replace(EMPTY, "e")


def _moves(row: DraughtsRow, position: Position) -> list[list[int]]:
    moves = row.legal(position.board, row.colours[position.turn])
    texts = {(move.source, move.target, *move.captured) for move in moves}
    return sorted([square + 1 for square in text] for text in texts)


def test_moves_are_those_of_the_rules_in_words() -> None:
    luck = random.Random(os.environ.get("SEED", "1"))
    for key, said in draughts_by_words.SAID.items():
        row = _ROWS[key]
        for position in islice(_positions(row, luck), 40 * _SOAK):
            men = {_place(row, square): man for square, man in enumerate(position.board) if man != EMPTY}
            own = {
                (_place(row, move.source), _place(row, move.target), frozenset(_place(row, c) for c in move.captured))
                for move in row.legal(position.board, row.colours[position.turn])
            }
            assert own == draughts_by_words.legal(said, men, row.colours[position.turn]), (key, position)


def _place(row: DraughtsRow, square: int) -> tuple[int, int]:
    """Return column and row."""
    down, place = divmod(square, row.per_row)
    return (place if row.fills_board else 2 * place + (down + 1 + row.is_mirrored) % 2), down


def _perft(row: DraughtsRow, board: str, colours: str, plies: int) -> int:
    moves = row.legal(board, colours[0])
    if plies == 1:
        return len(moves)
    return sum(_perft(row, row.moved(board, move), colours[::-1], plies - 1) for move in moves)


#: Published by Aart Bik.
@pytest.mark.parametrize(
    ("key", "plies", "count"),
    [
        ("canadiandraughts", 3, 1_222),
        ("russiandraughts", 5, 7_482),
        pytest.param("russiandraughts", 6, 37_986, marks=pytest.mark.slow),
        pytest.param("braziliandraughts", 6, 37_628, marks=pytest.mark.slow),
        pytest.param("italiandraughts", 6, 36_473, marks=pytest.mark.slow),
    ],
)
def test_published_numbers_of_ways_to_play(key: str, plies: int, count: int) -> None:
    row = _ROWS[key]
    assert _perft(row, row.opening().board, row.colours, plies) == count


@pytest.mark.slow
@pytest.mark.parametrize("style", [ENGLISH, INTERNATIONAL, *ROWS], ids=lambda style: style.variant or style.pdn)
def test_who_can_move_or_must_capture_is_known_without_a_list(style: Style) -> None:
    luck = random.Random(1)
    for _ in range(30):
        board = "".join(luck.choices(f"{EMPTY}bwBW", (16, 3, 3, 1, 1), k=style.size))
        for colour in "bw":
            moves = style.legal(board, colour)
            assert style.can_move(board, colour) == bool(moves)
            assert style.must_capture(board, colour) == any(move.captured for move in moves)


@pytest.mark.parametrize(
    "rows", [ROWS[4:5], pytest.param(ROWS[::_SPARED], marks=pytest.mark.slow)], ids=["one", "more"]
)
def test_every_check_of_conformance(rows: tuple[DraughtsRow, ...]) -> None:
    for row in rows:
        playthrough = record(find(row.key), Walk(row.key, Setup((), 2), 1))
        for check in CHECKS:
            check(playthrough)


def _put(key: str, men: str, turn: str = "w") -> RowPosition:
    """Read a position such as `wc3 Bd8`."""
    row = _ROWS[key]
    board = [EMPTY] * row.size
    for man in men.split():
        board[row.names.index(man[1:])] = man[0]
    return RowPosition("".join(board), row.colours.index(turn))


def _played(key: str, position: Position, *texts: str) -> Position:
    game = _game(key)
    for text in texts:
        move = game.parse(position, position.turn, text)
        position = game.apply(position, position.turn, move, NoChance()).position
    return position


def _texts(key: str, position: Position) -> set[str]:
    return {_game(key).format(move) for move in _game(key).legal_moves(position, position.turn)}


@pytest.mark.parametrize(
    ("key", "men", "texts"),
    [
        ("russiandraughts", "wb6 bc7 be7 bh2", "b6xf6 b6xg5 b6xh4"),  # over d8, and a king from there on
        ("braziliandraughts", "wb6 bc7 be7 bh2", "b6xf6"),
        ("russiandraughts", "wc3 bd4 bb4 bd6 ba7", "c3xa5 c3xc7"),  # any capture will do
        ("braziliandraughts", "wc3 bd4 bb4 bd6 ba7", "c3xc7"),
        ("russiandraughts", "Wa1 bb2 bd6 bh8", "a1xb8 a1xc7"),  # it must land where it can go on
        ("italiandraughts", "w20 B16 b15", "20x11"),  # no man captures a king
        ("italiandraughts", "w24 W23 b20 b19", "23x14 23x16"),  # the king goes first
        ("spanishdraughts", "w11 b15 B14", "11x18"),  # rather a king than a man
        ("turkishdraughts", "wc3 bd3 bc4", "c3xc5 c3xe3"),
        ("turkishdraughts", "Wa1 ba3 bc5 bd4 bb3", "a1xa3"),  # it ends where it has taken a man
        ("frisiandraughts", "w28 b18 b4", "28x8"),  # straight ahead
        ("frisiandraughts", "w28 b18 B22 b17", "28x8"),  # two men are worth more than a king
        ("frisiandraughts", "w28 b18 b4 W46 b41", "46x32 46x37"),
        ("czechdraughts", "wc3 Wh2 bd4 bg3 be3", "h2xc1 h2xd2"),
    ],
)
def test_which_captures_can_be_made(key: str, men: str, texts: str) -> None:
    assert _texts(key, _put(key, men)) == set(texts.split())


def test_a_king_gets_tired() -> None:
    tired = _played(
        "frisiandraughts", _put("frisiandraughts", "W48 w36 b1 b5"), "48-42", "1-6", "42-48", "6-11", "48-42", "5-10"
    )
    assert _texts("frisiandraughts", tired) == {"36-31"}
    with pytest.raises(PlayerError, match="this king has moved three times in a row"):
        _played("frisiandraughts", tired, "42-48")
    rested = _played("frisiandraughts", tired, "36-31", "10-15")
    assert "42-48" in _texts("frisiandraughts", rested)


#: Key, men, what was counted before, a move, the ending, and who has won.
@pytest.mark.parametrize(
    ("key", "men", "counted", "move", "over", "won"),
    [
        ("poddavki", "wc3 bd4", {}, "c3xe5", "lost", 1),
        ("giveawaycheckers", "b5 w9 w14", {"turn": 1}, "9-6", "", None),
        ("breakthroughdraughts", "w7 b30", {}, "7-2", "crowned", 0),
        ("russiandraughts", "wc3 bd4", {}, "c3:e5", "nomove", 0),
        ("russiandraughts", "Wb2 Bh2", {"few": 9}, "b2a1", "few", None),
        ("russiandraughts", "Wb2 Bh2", {"few": 8}, "b2a1", "", None),
        ("russiandraughts", "Wb2 Wc1 Wb8 Bh8", {"few": 9}, "b8-c7", "", None),  # it is not alone on the road
        ("russiandraughts", "Wh2 Wc1 Wb8 Bh8", {"few": 9}, "b8-c7", "few", None),
        ("canadiandraughts", "W1 W2 w30 B67", {"few": 31}, "1-7", "few", None),  # no road matters there
        ("russiandraughts", "Wb2 wc1 Bh2", {"quiet": 29}, "b2-a1", "quiet", None),
        ("turkishdraughts", "wb2 Bh8", {"few": 3}, "b2a2", "few", None),
        ("turkishdraughts", "wb2 wb5 Bh8", {"quiet": 49}, "b2a2", "quiet", None),  # sideways is no progress
        ("turkishdraughts", "wb2 wb5 Bh8", {"quiet": 49}, "b2b3", "", None),
        ("frisiandraughts", "W46 W47 B5", {"few": 13}, "47-42", "few", None),
        ("canadiandraughts", "W72 w30 B1", {"few": 9}, "72-66", "few", None),
        ("poolcheckers", "W32 B1 B2 B3", {"few": 25, "turn": 1}, "32-28", "few", None),
    ],
)
def test_what_ends_a_game(key: str, men: str, counted: dict[str, Any], move: str, over: str, won: int | None) -> None:
    game, position = _game(key), replace(_put(key, men), **counted)
    then = _played(key, position, move)
    assert (game.end(then), game.winner(then) if over else None) == (over, won)


@pytest.mark.parametrize(
    ("key", "men", "text", "why"),
    [
        ("russiandraughts", "wc3 bd4 bh8", "c3b4", "you must capture"),
        ("russiandraughts", "wc3 bd4 bh8", "c3-e5", "that is a capture, so write x and not a dash"),
        ("russiandraughts", "wc3 bh8", "c3-e5", "the man on c3 cannot go to e5"),
        ("czechdraughts", "wc3 Wh2 bd4 bg3", "c3xe5", "another capture goes before this one"),
        ("canadiandraughts", "w66 b1", "73-67", "there is no square 73"),
        ("spanishdraughts", "w11 b20", "20-24", "the man on 20 is not yours"),
    ],
)
def test_why_a_move_is_not_possible(key: str, men: str, text: str, why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        _played(key, _put(key, men), text)


@pytest.mark.slow
@needs_reader("pdn")
def test_another_program_reads_the_records() -> None:
    luck = random.Random(1)
    for key in list(_THEIRS)[:: _SPARED // 2 or 1]:
        game, board = _game(key), Logged(_game(key))
        for _ in range(20):
            position = board.board.position
            board.moves(game.format(luck.choice(game.legal_moves(position, position.turn))))
        (told,) = read_by_others("pdn", [game.formats[0].write(sheet_of(board))])
        last = board.board.position
        there = [(name, man) for name, man in zip(game.squares, last.board, strict=True) if man != EMPTY]
        men = {f"{man.upper()}{'K' * man.isupper()}{name}" for name, man in there}
        turn, *sides = told["positions"][-1].split(":")
        assert (turn, {side[0] + man for side in sides for man in side[1:].split(",")}) == ("W", men), key


def test_a_row_is_a_game() -> None:
    """As docs/adding-a-variant.md shows it."""
    row = DraughtsRow(
        "small", "Small Draughts", "Two rows of men.", credit="us.", rows=2, captures_back=False, letters=True
    )
    game = game_of(row)
    position = game.setup({}, 2, NoChance())
    assert game.format(game.parse(position, 0, "b2c3")) == "b2-c3"


def test_a_letter_tells_the_last_move_and_the_names_of_squares(world: World) -> None:
    world.signup("alice", "bob")
    number = world.board("alice", "bob", game="russiandraughts")
    (letter,) = (
        letter
        for letter in world.mail("alice@example.org", f"russiandraughts move {number} alice alice-secret c3d4")
        if "bob" in str(letter.message["To"])
    )
    assert "c3-d4" in letter.text


@pytest.mark.slow
def test_of_very_many_ways_to_capture_not_all_are_followed() -> None:
    board = "...b..Wbbb..b.b..bb..bbbb..b...b.b..bb..b...bb.bb.b...bbbb..b..b.b......"
    moves = _ROWS["canadiandraughts"].legal(board, "w")  # on 9,036 ways
    assert {(move.target, len(move.captured)) for move in moves} == {(62, 17), (68, 17), (69, 17)}
    assert sum(len(move.paths) for move in moves) < 200
