"""Games like morris: all rows together, beside a second implementation, and what is special about each."""

import os
import random

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.capture.morris import EMPTY, Web
from pbmserv.games.families.morrislike.mill_game import MorrisLike, game_of
from pbmserv.games.families.morrislike.mill_rows import ROWS, Mill
from pbmserv.rng import NoChance
from tests.games.oracle.morris_in_words import MorrisInWords, Point

_POSITIONS = 100 * int(os.environ.get("SOAK", "1")) ** 2  #: of each row


def _place(board: Web, point: int) -> Point | None:
    """Return where a point is, counted from the middle of the board."""
    if point < 0:
        return None
    name, middle = board.points[point], board.grid.columns // 2
    return ord(name[0]) - ord("a") - middle, int(name[1:]) - 1 - middle


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_moves_and_ends_are_those_of_the_rules_in_words(row: Mill) -> None:
    game, luck, count = game_of(row), random.Random(os.environ.get("SEED", "1")), 0
    while count < _POSITIONS:
        position, other = game.setup({}, 2, NoChance()), MorrisInWords(row.key)
        board = game.web(position)
        while not position.over:
            moves = game.legal_moves(position, position.turn)
            assert {tuple(_place(board, point) for point in move) for move in moves} == other.moves(), position
            move = luck.choice(luck.choice([[m for m in moves if m.taken >= 0], moves]) or moves)
            other.move(_place(board, move.source), _place(board, move.target) or (0, 0), _place(board, move.taken))
            position, count = game.apply(position, position.turn, move, NoChance()).position, count + 1
            assert {_place(board, p): man for p, man in enumerate(position.board) if man != EMPTY} == other.men
            assert position.over in ("quiet", other.end), position


def _played(game: MorrisLike, moves: str) -> tuple[str, str]:
    """Return what a game's moves lead to: how it ended, and the last refusal."""
    position = game.setup({}, 2, NoChance())
    for text in moves.split():
        try:
            move = game.parse(position, position.turn, text)
        except PlayerError as refused:
            return position.over, refused.text
        position = game.apply(position, position.turn, move, NoChance()).position
    return position.over, ""


#: Key, moves, the ending, why the last move is refused.
_GAMES = [
    ("morris3", "b2 a1 a2 c2 c3 b1 c3-b3 c2-c1", "row", ""),
    ("morris3", "b2 a1 a2 c2 c1 a3 b2-c3", "", ""),
    ("morris3", "b2 a1 a2 c2 c1 a3 c1-b3", "", "b3 is not next to c1 on a line"),
    ("nineholes", "b2 a1 a2 c2 c1 a3 c1-b3", "", ""),
    ("nineholes", "a1 a2 b2 a3 c3", "", ""),  # no diagonal line
    ("lasker", "a1 a4 a1-d1 b2", "", ""),
    ("morris6", "a1 b2 a3 b3 a5xb2", "", ""),
    ("morris6", "a3 b2 b3 a1 d3 a5 e3 c1 c2 c4", "", ""),  # no mill across
    ("morris6", "g7", "", "there is no point g7"),
]


@pytest.mark.parametrize(("key", "moves", "over", "why"), _GAMES, ids=range(len(_GAMES)))
def test_what_is_special_about_a_row(key: str, moves: str, over: str, why: str) -> None:
    game = find(key)
    assert isinstance(game, MorrisLike)
    ended, refused = _played(game, moves)
    assert ended == over
    assert why in refused if why else not refused


@pytest.mark.slow
@pytest.mark.parametrize("row", [ROWS[5], *(pytest.param(row, marks=pytest.mark.slow) for row in ROWS[:5])])
def test_every_check_of_conformance(row: Mill) -> None:
    playthrough = record(find(row.key), Walk(row.key, Setup((), 2), 1))
    for check in CHECKS:
        check(playthrough)
