"""What programs read: long cells on a pipe, and `verify --json`. Messages name the setting to change."""

import json
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from tests.cli.conftest import Desk, move
from tests.tools.process import Process


def test_a_long_cell_stays_on_its_line(desk: Desk) -> None:
    """`grep` finds a long address, however many columns there are."""
    desk.world.mail("a" * 60 + "@" + "b" * 60 + ".example.org", "help")
    lines = desk.run("mail", "list").stdout.splitlines()
    assert lines[0].split()[:2] == ["mail", "received"]
    assert [line for line in lines if f"{'a' * 60}@{'b' * 60}.example.org" in line]
    assert len({line.index("done") if "done" in line else None for line in lines[1:]} - {None}) == 1


@pytest.mark.slow
def test_verify_in_json(desk: Desk) -> None:
    move(desk.world, "alice", "c1-c2")
    found = desk.json("boards", "verify")
    assert found["ok"]
    assert [c["count"] for c in found["checks"] if c["done"] == "boards replayed"] == [1]
    assert desk.json("boards", "verify", "101")["ok"]
    with desk.world.engine.begin() as connection:
        connection.execute(sa.update(tables.board).values(ply=7))
    done = desk.run("boards", "verify", "--json", code=1)
    (check, *_) = json.loads(done.stdout)["checks"]
    assert "board 101: the stored ply is 7, the log's 1" in check["differences"]


@pytest.mark.slow
def test_a_letter_names_its_cause(desk: Desk) -> None:
    world = desk.world
    world.now = datetime.now(UTC)
    move(world, "alice", "c1-c2")
    letters = world.query(lambda s: s.letters.search())
    last = max(letters, key=lambda x: x.id)
    assert f"by mail {last.mail_id}" in desk.says("letters", "show", str(last.id))
    desk.run("boards", "void", "101", "--why", "a test", "--yes")
    last = max(world.query(lambda s: s.letters.search()), key=lambda x: x.id)
    assert last.mail_id is None
    assert ": board 101: void" in desk.says("letters", "show", str(last.id))
    with world.engine.begin() as connection:
        connection.execute(sa.delete(tables.event))
    assert "by the server itself" in desk.says("letters", "show", str(last.id))


def test_send_says_how_a_server_is_started(tmp_path: Path) -> None:
    done = Process(tmp_path, PBMSERV_LISTEN="smtp://127.0.0.1:1").asked("send", "a@example.org", "help")
    assert done.exit_code == 69
    assert "Start the server with: pbmserv serve" in done.stderr
    assert "make" not in done.stderr


@pytest.mark.slow
def test_a_port_in_use_names_the_setting(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        place = f"127.0.0.1:{other.getsockname()[1]}"
        done = Process(tmp_path, PBMSERV_LISTEN=f"smtp://{place}").asked("serve")
        assert f"Cannot listen on smtp://{place} (PBMSERV_LISTEN): Address already in use" in done.stderr
        done = Process(tmp_path, PBMSERV_METRICS=place).asked("serve")
        assert f"Cannot show metrics on {place} (PBMSERV_METRICS): Address already in use" in done.stderr
