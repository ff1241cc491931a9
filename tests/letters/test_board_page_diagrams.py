"""Whole games by mail through the pipeline: the diagram of every letter shows the position that is stored."""

import random

import pytest

from pbmserv.games.base.board import Board, begin, follow, view_of
from pbmserv.games.base.log import Entry
from tests.examples import SOAK
from tests.letters.reading import seen, stored
from tests.world import Received, World

SETS = [
    ("tumble", 2, ""),
    ("tumble", 2, "-c"),
    ("threes", 1, ""),
    ("town", 1, ""),
    ("town", 1, "-b"),
    ("3io", 2, ""),
    ("3io", 4, "-quick"),
    ("trippples", 2, ""),
    ("trippples", 2, "-p -w"),
    ("trippples", 2, "-h"),
    ("trippples", 4, "-d"),
    ("trippples", 2, "-i"),
    ("trippples", 2, "-e -w"),
]
#: Without options they are played in test_games.py, which compares the same.
CLASSIC_SETS = [
    ("amazons", 2, "-size=6"),
    ("backgammon", 2, "-match=3"),
    ("battleship", 2, "-salvo"),
    ("draughts", 2, "-international"),
    ("four", 2, "-size=9x7"),
    ("go", 2, "-size=9 -komi=0.5"),
    ("gomoku", 2, "-size=19"),
    ("havannah", 2, "-size=5"),
    ("hex", 2, "-size=19"),
    ("loa", 2, "-scrambled"),
    ("morris", 2, "-twelve -flying"),
]
#: Games that are played to their end, both with `make soak`, as others are in test_games.py with `make soak`.
_WHOLE = [("tumble", 2, "-c"), ("threes", 1, "")]
_PLAYED = _WHOLE if SOAK > 1 else _WHOLE[1:]
_FEW = 4 if SOAK == 1 else 6  #: moves of all others
_OWN_DIAGRAMS = ("backgammon", "battleship", "dots", "draughts", "go", "havannah")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "seats", "options", "seed", "most"),
    [
        *((key, seats, options, 1, _FEW) for key, seats, options in SETS[:1]),
        *((key, 2, "", 1, _FEW) for key in _OWN_DIAGRAMS),
        *(pytest.param(*s, seed, 5000, marks=pytest.mark.slow) for s in _PLAYED for seed in range(2, 2 + SOAK)),
        *(pytest.param(*s, 2, _FEW, marks=pytest.mark.slow) for s in [*SETS, *CLASSIC_SETS] if s not in _WHOLE),
    ],
)
@pytest.mark.timeout(600)
def test_letters_show_the_stored_position(
    world: World, key: str, seats: int, options: str, seed: int, most: int
) -> None:
    userids = ["alice", "bob", "carol", "dave"][:seats]
    world.signup(*userids)
    letters = world.mail(userids[0], f"{key} challenge {' '.join(userids)} {options}")
    numbers = random.Random(seed)
    for _ in range(most):
        row = world.row()
        if not row.board.to_move:
            break
        seat = min(row.board.to_move)
        move = row.game.format(numbers.choice(row.game.legal_moves(row.board.position, seat)))
        letter = next(x for x in reversed(letters) if x.to == f"{userids[seat]}@example.org")
        letters += world.reply(letter, move)
    entries = [line.entry for line in world.query(lambda s: s.boards.log(101))]
    boards = history(world.row().board, entries)
    for letter in letters:
        check(world, key, boards, letter)
    if most > 1000:
        assert boards[-1].result
    world.verify()


def history(board: Board, entries: list[Entry]) -> list[Board]:
    """Return the board after every entry."""
    boards = [begin(board.start)]
    for i, entry in enumerate(entries):
        boards.append(follow(boards[-1], entry, entries[:i]).board)
    return boards


def check(world: World, key: str, boards: list[Board], letter: Received) -> None:
    """Check that the letter's diagram shows the position after the entries that its signed address names."""
    token = world.site.signer.read(letter.reply_to)
    assert token
    _, seat, length = token.numbers
    assert seen(key, letter.text) == stored(key, view_of(boards[length], seat))
