"""The boards that are kept of a long log need memory in proportion to its length, also if they count positions."""

import gc
import json
import tracemalloc
from collections.abc import Callable
from itertools import cycle, islice
from typing import Any

import pytest

from pbmserv.admin.imports import restore
from pbmserv.boards.past import Budget, Film, Replays
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.model import BoardRow
from pbmserv.store import Store
from pbmserv.web.kept.films import Films
from tests.boards.test_records import record
from tests.games.base.logged import Logged
from tests.world import World

AROUND = ("f1-g1", "c8-b8", "g1-f1", "b8-c8")  #: both players go to and fro, and the opening stands again
PLIES = 200
NEVER = 10_000  #: no position stands so often


def long_board(world: World, plies: int) -> BoardRow:
    """Return a board of Tumbling Down with so many plies, whose positions are counted."""
    found = record(world, world.board("alice", "bob"), with_secrets=True)
    moves = enumerate(islice(cycle(AROUND), plies), start=1)
    found["log"] = [
        {"number": n, "at": found["created"], "seat": (n - 1) % 2, "kind": "move", "text": text, "ply": n, "notes": []}
        for n, text in moves
    ]
    found["settings"]["repetition"] = NEVER
    del found["beginning"]  # its receipts
    return world.act(lambda store: restore(store, json.dumps(found).encode(), world.now))


def replays(store: Store, row: BoardRow) -> Replays:
    """Return the boards as a mail keeps them."""
    kept = Replays(store, Budget())
    kept.at(row, row.board.ply)
    return kept


def films(store: Store, row: BoardRow) -> Films:
    """Return the boards as the web server keeps them."""
    kept = Films()
    assert kept.film(row, store.boards.entries(row.number))[-1].ply == row.board.ply
    return kept


def memory(make: Callable[[], Any]) -> int:
    """Return how many bytes a thing needs that this makes."""
    tracemalloc.start()
    try:
        kept = make()
        gc.collect()
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept is not None
    return size


@pytest.mark.slow
@pytest.mark.parametrize("make", [replays, films])
def test_twice_as_many_boards_need_twice_the_memory(world: World, make: Callable[[Store, BoardRow], object]) -> None:
    rows = [long_board(world, plies) for plies in (PLIES, 2 * PLIES)]

    def ask(store: Store) -> list[int]:
        make(store, rows[0])  # what is made once for all boards
        return [memory(lambda row=row: make(store, row)) for row in rows]  # type: ignore[misc]

    short, long = world.query(ask)
    assert long < 2.5 * short


def test_a_film_gives_each_board_its_own_keys() -> None:
    logged = Logged(repetition=5)
    boards = [logged.board, *(logged.moves(move) for move in AROUND * 2)]
    film = Film(logged.start, logged.log)
    assert list(film) == boards
    assert film[3] == boards[3]
    assert film[-1] == boards[-1]
    assert film[2:5] == boards[2:5]
    assert len(film) == len(boards)


def test_a_film_is_replayed_no_further_than_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    logged, follow, plies = Logged(), play.follow, list[int]()
    boards = [logged.board, *(logged.moves(move) for move in AROUND * 2)]

    def noted(board: Board, *rest: Any) -> play.Change:
        plies.append(board.ply)
        return follow(board, *rest)

    monkeypatch.setattr(play, "follow", noted)
    film = Film(logged.start, logged.log)
    assert (len(film), film.missing(3), plies) == (9, 4, [])
    assert film[3] == boards[3]
    assert film[1] == boards[1]
    assert (film.missing(3), plies) == (0, [0, 1, 2])
    with pytest.raises(IndexError):
        film[9]
