"""Boards with logs of thousands of moves, as you get when one person plays both seats for days."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import pytest
import sqlalchemy as sa

from pbmserv import games
from pbmserv.db import tables
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change, Start
from pbmserv.games.base.log import Entry
from tests.world import World


def begin_long(world: World, moves: int, *userids: str) -> int:
    """Begin a board of Tumbling Down, play so many moves on it, and return its number."""
    number = world.board(*userids)
    row, changes = world.row(number), _played(moves)
    entries = [_entry(number, n, change, world) for n, change in enumerate(changes[:-1], start=1)]
    with world.engine.begin() as connection:
        connection.execute(sa.insert(tables.entry), entries)
    last = changes[-1]
    world.act(lambda store: store.boards.append(row, last.entry, last.board, row.clocks, None, world.now))
    world.letters()
    return number


@lru_cache
def _played(moves: int) -> list[Change]:
    """Yield moves in which one man of each side goes to and fro."""
    board, changes = play.begin(Start(games.find("tumble"), {}, 2, "0" * 32)), list[Change]()
    for n in range(moves):
        text = ("c1-c2", "f6-f5", "c2-c1", "f5-f6")[n % 4]
        changes.append(play.play(board, min(board.to_move), text))
        board = changes[-1].board
    return changes


def _entry(number: int, n: int, change: Change, world: World) -> dict[str, object]:
    entry = change.entry
    return {
        "board": number, "number": n, "seat": entry.seat, "kind": entry.kind.value, "text": entry.text,
        "ply": entry.ply, "at": world.now, "mail_id": None, "fixed": entry.fixed, "missed": [], "notes": [],
        "receipt": "",
    }  # fmt: skip


@contextmanager
def count_replayed(patch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Count the moves that are replayed while the context lasts."""
    replayed, follow = list[str](), play.follow

    def counted(board: Board, entry: Entry, past: Sequence[Entry]) -> Change:
        replayed.append(entry.text)
        return follow(board, entry, past)

    with patch.context() as patched:
        patched.setattr(play, "follow", counted)
        yield replayed
