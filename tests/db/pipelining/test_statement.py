"""Values pass through compiled statements as they pass through SQLAlchemy's own."""

from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from itertools import product
from typing import Any

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import Statement
from tests.world import World

pytestmark = pytest.mark.both

_M, _S, _E = tables.mail.c, tables.seat.c, tables.entry.c
_TEXTS = ("", "a", "ä€😀", "'; DROP TABLE mail; --", "$1 %s ? :name \\", "tab\tline\nend\r\n", "x" * 100_000)
_TIMES = (
    datetime(2026, 3, 1, 12, 0, 0, 123456, UTC),
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(9000, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(2026, 7, 1, 0, 30, tzinfo=timezone(timedelta(hours=5, minutes=45))),
)
_FLOATS = (0.0, -1.5, 0.1, 1e-300, 1.7976931348623157e308, 1772366400.123456, None)
_LISTS: tuple[Any, ...] = ([], ["a", "ä"], [["text", None], ["text", [0, 1]]], [{"a": 1.5, "b": [True, None]}])


class Word(StrEnum):
    """A kind of text."""

    DONE = "done"


def both_ways(world: World, table: sa.Table, where: sa.Column[Any], row: dict[str, Any]) -> tuple[Any, Any]:
    """Store a row with a compiled statement. Return it as such a statement reads it, and as SQLAlchemy does."""
    found = sa.select(table).where(where == sa.bindparam("key"))
    with world.engine.begin() as connection:
        Statement(sa.insert(table), list(row)).run(connection, row)
        mine = Statement(found).rows(connection, {"key": row[where.name]})
        (usual,) = connection.execute(found, {"key": row[where.name]})
        connection.execute(sa.delete(table).where(where == row[where.name]))
    return mine[0]._asdict(), dict(usual._mapping)


def mail(**values: object) -> dict[str, Any]:
    """The row of a mail."""
    texts = dict.fromkeys(("peer", "sender", "message_id", "status", "calls", "problem"), "")
    return {"digest": "d", "received": _TIMES[0], **texts, "sealed": None, **values}


def test_texts(world: World) -> None:
    for text in _TEXTS:
        mine, usual = both_ways(world, tables.mail, _M.digest, mail(calls=text))
        assert mine == usual
        assert mine["calls"] == text


def test_times(world: World) -> None:
    for time in _TIMES:
        mine, usual = both_ways(world, tables.mail, _M.digest, mail(received=time))
        assert mine == usual
        assert (mine["received"], mine["received"].utcoffset()) == (time, timedelta(0))


def test_bytes(world: World) -> None:
    for data in (b"", bytes(range(256)) * 100, b"\\x00", None):
        mine, usual = both_ways(world, tables.mail, _M.digest, mail(sealed=data))
        assert mine == usual
        assert mine["sealed"] == data


def test_kinds_of_text(world: World) -> None:
    mine, usual = both_ways(world, tables.mail, _M.digest, mail(status=Word.DONE))
    assert mine == usual
    assert mine["status"] == "done"


def test_numbers(world: World) -> None:
    board = world.board("alice", "bob")
    for number, is_so in product(_FLOATS, (True, False)):
        row: dict[str, Any] = {
            "board": board,
            "seat": 7,
            "player_id": 1,
            "to_move": is_so,
            "since": number,
            "due": None,
            "used": 0.0,
        }
        row |= {"nags": 2**31 - 1, "score": 2**63 - 1, "spent": 0.0, "earned": 0, "rest": ""}
        mine, usual = both_ways(world, tables.seat, _S.seat, row)
        assert mine == usual
        assert {name: mine[name] for name in row} == row


def test_lists(world: World) -> None:
    board = world.board("alice", "bob")
    for values in _LISTS:
        row = {"board": board, "number": 9, "seat": 0, "kind": "move", "text": "x", "ply": 1, "at": _TIMES[0]}
        row |= {"mail_id": None, "fixed": False, "missed": values, "notes": [], "receipt": ""}
        mine, usual = both_ways(world, tables.entry, _E.number, row)
        assert mine == usual
        assert mine["missed"] == values


def test_how_many_rows_were_changed(world: World) -> None:
    world.signup("alice", "bob")
    rename = Statement(sa.update(tables.player).where(tables.player.c.id <= sa.bindparam("most")), ("userid",))
    with world.engine.begin() as connection:
        assert rename.count(connection, {"most": 0, "userid": "x"}) == 0
        assert rename.count(connection, {"most": 1, "userid": "x"}) == 1


def test_what_is_asked_first_can_be_read_last(world: World) -> None:
    world.signup("alice", "bob")
    find = Statement(sa.select(tables.player.c.userid).where(tables.player.c.id == sa.bindparam("key")))
    with world.engine.begin() as connection:
        asked = [find.ask(connection, {"key": key}) for key in (1, 2, 3)]
        assert [[row.userid for row in rows()] for rows in reversed(asked)] == [[], ["bob"], ["alice"]]
        assert [row.userid for row in asked[0]()] == ["alice"]
