"""Boards for the tests of formats, and other programs that read what a format has written.

Each of these programs runs in a process of its own, because of its licence. They are in the extra `oracle`.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pbmserv.games import find
from pbmserv.games.base.board import Board, Start, begin, film, play, resign
from pbmserv.games.base.log import Entry, standing
from pbmserv.games.base.sheet import Facts, Format, Ply, Sheet, formats_of, named
from pbmserv.rng import Rng
from tests.games.base.logged import SEED, Logged

_MODULES = {"pgn": "chess", "pdn": "draughts", "sgf": "sgfmill"}
SITE = "https://pbm.example.org/boards/101"


def needs_reader(name: str) -> pytest.MarkDecorator:
    """Return the mark of tests that need the other program which reads a format."""
    return pytest.mark.skipif(
        find_spec(_MODULES[name]) is None,
        reason=f"{_MODULES[name]} is not installed: pip install -e '.[oracle]'",
    )


def read_by_others(name: str, texts: Sequence[str], games: int = 0) -> list[dict[str, Any]]:
    """Return what the other program finds in a file with these games. `games`: how many, if not one for each text."""
    program = Path(__file__).with_name(f"read_{name}.py")
    command = [sys.executable, str(program)]
    done = subprocess.run(command, input="\n".join(texts), capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(found) == (games or len(texts))
    return found


def form(key: str, name: str) -> Format:
    """Return a format of a game."""
    found = named(formats_of(find(key)), name)
    assert found
    return found


def sheet_of(logged: Logged) -> Sheet:
    """Return a board of alice and bob as a format gets it."""
    return _sheet(logged.start, logged.log, logged.board)


def _sheet(start: Start, log: Sequence[Entry], board: Board) -> Sheet:
    plies = zip(film(start, log), standing(log), strict=False)
    facts = Facts(101, ("alice", "bob"), SITE, "2026-03-01", "2026-04-02" if board.result else "")
    return Sheet(facts, board, tuple(Ply(then.position, e.seat, e.text) for then, e in plies))


def played(key: str, options: Mapping[str, str], *moves: str) -> Logged:
    """Return a board on which these moves were made."""
    logged = Logged(find(key), options=dict(options))
    logged.moves(*moves)
    return logged


@cache
def at_random(key: str, options: tuple[tuple[str, str], ...], luck: int, plies: int) -> Sheet:
    """Return a board after so many random plies, or at its end. Then the seat to move resigns, if `luck` is odd."""
    start, rng, log = Start(find(key), dict(options), 2, SEED), Rng(f"records {luck}", 0), list[Entry]()
    board = begin(start)
    while not board.result and len(log) < plies:
        seat = min(board.to_move)
        change = play(board, seat, board.game.format(rng.choice(board.game.legal_moves(board.position, seat))))
        board = change.board
        log.append(change.entry)
    if luck % 2 and not board.result:
        change = resign(board, min(board.to_move))
        board = change.board
        log.append(change.entry)
    return _sheet(start, log, board)


def several(key: str, options: Mapping[str, str], games: int, plies: int) -> Iterator[Sheet]:
    """Yield random boards."""
    for luck in range(games):
        yield at_random(key, tuple(options.items()), luck, plies)
