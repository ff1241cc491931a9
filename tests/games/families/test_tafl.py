"""Tafl: all rows together, beside a second implementation, and what is special about each."""

import os
import random

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.families.tafl.tafl_rows import ROWS, Tafl
from pbmserv.games.families.tafl.tafl_rules import EMPTY, KING, Move, Position, TaflRules
from tests.games.oracle.tafl_in_words import Men, TaflInWords

_POSITIONS = 150 * int(os.environ.get("SOAK", "1")) ** 2  #: of each row


def _square(rules: TaflRules, square: int) -> tuple[int, int]:
    return square % rules.grid.columns, square // rules.grid.columns


def _men(rules: TaflRules, board: str) -> Men:
    return {_square(rules, s): man.upper() for s, man in enumerate(board) if man != EMPTY}


def _chosen(rules: TaflRules, position: Position, moves: list[Move], luck: random.Random) -> Move:
    """Return a move, more often a capture or one of the king or beside him, so that rare ends come."""
    board, seat = position.board, position.turn
    king = rules.near[board.index(KING)]
    captures = [move for move in moves if rules.taken(board, move, seat)]
    near = [move for move in moves if board[move.source] == KING or (seat == 0 and move.target in king)]
    return luck.choice(luck.choice([captures, captures, near, moves]) or moves)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_moves_captures_and_ends_are_those_of_the_rules_in_words(row: Tafl) -> None:
    rules, luck, count = TaflRules(row), random.Random(os.environ.get("SEED", "1")), 0
    while count < _POSITIONS:
        position, other = Position(rules.board), TaflInWords(row.key)
        while not position.over:
            moves = list(rules.moves(position.board, position.turn))
            assert {(_square(rules, m.source), _square(rules, m.target)) for m in moves} == other.moves(), position
            move = _chosen(rules, position, moves, luck)
            other.move(_square(rules, move.source), _square(rules, move.target))
            position, count = rules.after(position, move), count + 1
            assert _men(rules, position.board) == other.men, position
            assert position.over in ("quiet", other.end), position


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_a_text_names_a_move_that_is_in_the_list(row: Tafl) -> None:
    luck, game = random.Random(row.key), find(row.key)
    position = game.setup({}, 2, None)  # type: ignore[arg-type]  # nothing is drawn
    for _ in range(30):
        rules, legal = game.rules, game.legal_moves(position, position.turn)  # type: ignore[attr-defined]
        squares = range(rules.grid.size)
        for move in [*luck.choices(legal, k=10), *(Move(*luck.choices(squares, k=2)) for _ in range(50))]:
            text = game.format(move)
            assert list(game.named(position, position.turn, text)) == [move] * (move in legal), (position, text)
        position = rules.after(position, luck.choice(legal))


def _board(rules: TaflRules, attackers: str, defenders: str, king: str) -> str:
    men = dict.fromkeys(attackers.split(), "a") | dict.fromkeys(defenders.split(), "d") | {king: KING}
    return "".join(men.get(rules.grid.name(s), EMPTY) for s in range(rules.grid.size))


#: Key, attackers, defenders, the king, a move, the men who fall, the ending.
_MOVES = [
    ("brandubh", "a3 c2 g7", "b1 e6", "d4", "a3-a2", "", ""),
    ("brandubh", "b3 g7", "b1 e6", "d4", "b3-b2", "", ""),
    ("brandubh", "c3 b5 g7", "c4 e6", "e4", "b5-b4", "c4", ""),  # beside the empty castle
    ("brandubh", "c3 a5 g7", "b1 e6", "d4", "c3-c1", "b1", ""),  # beside a corner
    ("brandubh", "d3 a2 g7", "e6", "d2", "a2-c2", "", ""),
    ("brandubh", "c2 f2 g7", "e6", "d2", "f2-e2", "d2", "captured"),
    ("brandubh", "c3 f3 g7", "e6", "d3", "f3-e3", "", ""),  # next to the castle
    ("brandubh", "c3 f3 d2", "e6", "d3", "f3-e3", "d3", "captured"),
    ("tablut", "d5 e6 f5 e2", "e4", "e5", "e2-e3", "e4", ""),  # shut in
    ("tablut", "d5 e6 f8 e2", "e4", "e5", "e2-e3", "", ""),
    ("hnefatafl", "c4 e4 d3 d8", "k9", "d4", "d8-d5", "d4", "captured"),
    ("hnefatafl", "c4 e8 a1 d8", "k9", "d4", "e8-e4", "", ""),
    ("hnefatafl", "e6 e5 f7 g9", "f5", "f6", "g9-g6", "", ""),
    ("hnefatafl", "b4 c3 d3 e4 e5 d6 c6 b9", "d5", "c4", "b9-b5", "", "encircled"),
    ("hnefatafl", "b4 c3 d3 e4 e5 d6 c6 b9", "k9", "c4", "b9-b5", "", ""),  # one of his men is outside
]


@pytest.mark.parametrize(
    ("key", "attackers", "defenders", "king", "text", "fallen", "over"), _MOVES, ids=range(len(_MOVES))
)
def test_what_falls_and_how_it_ends(
    key: str, attackers: str, defenders: str, king: str, text: str, fallen: str, over: str
) -> None:
    game = find(key)
    rules: TaflRules = game.rules  # type: ignore[attr-defined]
    position = Position(_board(rules, attackers, defenders, king))
    move = game.parse(position, 0, text)
    assert [rules.grid.name(s) for s in rules.taken(position.board, move, 0)] == fallen.split()
    assert game.parse(position, 0, game.written(position, 0, text)) == move
    assert rules.after(position, move).over == over


@pytest.mark.parametrize(
    ("key", "text", "why"),
    [
        ("hnefatafl", "d1-a1", "only the king can stop on a1"),
        ("hnefatafl", "d1-e2", "men move straight along a row or a column"),
        ("hnefatafl", "d1-g1", "e1 is occupied"),
        ("hnefatafl", "f4f3", "you have no man on f4"),
        ("tablut", "e2-e5", "e3 is occupied"),
        ("brandubh", "d1-b1xb2", "that move captures other men, or none"),
    ],
)
def test_why_a_move_is_not_possible(key: str, text: str, why: str) -> None:
    game = find(key)
    with pytest.raises(PlayerError) as refused:
        game.parse(game.setup({}, 2, None), 0, text)  # type: ignore[arg-type]  # nothing is drawn
    assert why in refused.value.text


def test_nobody_comes_to_the_castle_of_tablut_again() -> None:
    game = find("tablut")
    position = Position(_board(game.rules, "a5 g1", "e2", "e7"), turn=1)  # type: ignore[attr-defined]
    with pytest.raises(PlayerError) as refused:
        game.parse(position, 1, "e7-e4")
    assert "no man comes to e5 again, the castle of the king" in refused.value.text


@pytest.mark.slow
@pytest.mark.parametrize("row", [ROWS[0], *(pytest.param(row, marks=pytest.mark.slow) for row in ROWS[1:])])
def test_every_check_of_conformance(row: Tafl) -> None:
    playthrough = record(find(row.key), Walk(row.key, Setup((), 2), 1))
    for check in CHECKS:
        check(playthrough)
