"""`pbmserv doctor` says what is all right, finds each fault, and gives advice on it."""

import asyncio
import os
import socket
import sys
import threading
from pathlib import Path
from time import time
from typing import Any

import pytest
import sqlalchemy as sa

from pbmserv.boards.absences import lost_time
from pbmserv.cli.checking import checks, connection_checks
from pbmserv.cli.checking.findings import Finding
from pbmserv.cli.terminal import greeting
from pbmserv.config import Config
from pbmserv.db import tables
from pbmserv.model.operations import LAST_RUN
from pbmserv.tournaments.forms import swiss
from tests.tools.aio import in_loop
from tests.tools.command_line import admin, behind, told
from tests.tools.process import Process
from tests.tools.sink import Sink
from tests.tools.warm import ForkedProcess
from tests.world import World


def settings(folder: Path, **more: str) -> dict[str, str]:
    """The settings of a server without faults."""
    places = {"PBMSERV_LISTEN": "smtp://127.0.0.1:0", "PBMSERV_RELAY": f"maildir:{folder}/letters"}
    return {**places, "PBMSERV_ADDRESS": "pbmserv@localhost", **more}


def found(world: World, folder: Path, check: str, code: int = 1, **more: str) -> list[dict[str, Any]]:
    """Run `doctor` and check its exit code; returns the findings of one check."""
    all_of_it = told(world, "doctor", code=code, **settings(folder, **more))
    assert all_of_it["ok"] is (code == 0)
    return [f for f in all_of_it["checks"] if f["check"] == check]


@pytest.fixture(autouse=True)
def _long_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_LEAST_KEY", 8)  # the key of the tests is short


@pytest.mark.slow
def test_all_is_well(world: World, tmp_path: Path) -> None:
    """The PostgreSQL server of the tests is not durable, and `doctor` finds that."""
    durable = world.engine.dialect.name == "sqlite"
    listed = told(world, "doctor", code=0 if durable else 1, **settings(tmp_path))["checks"]
    wrong = [f["said"] for f in listed if f["status"] == "failed"]
    off = ["fsync is off: a 250 is no promise", "full_page_writes is off: a 250 is no promise"]
    assert wrong == ([] if durable else off)
    said = {f["check"] for f in listed if f["status"] == "ok"}
    assert {"key", "templates", "database", "clock", "games", "relay", "listen"} <= said
    assert all(f["advice"] for f in listed if f["status"] != "ok")
    assert world.query(lambda s: s.operations.fact("doctor")) is None


def test_before_the_first_start(tmp_path: Path) -> None:
    done = Process(tmp_path).asked("doctor")
    assert done.exit_code == 0, done.output
    assert "var/pbmserv.db is made at the first start" in done.stdout
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"PBMSERV_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, "PBMSERV_SECRET_KEY is not set"),
        ({"PBMSERV_METRICS": "127.0.0.1:9"}, "PBMSERV_METRICS needs the package prometheus-client"),
        ({"PBMSERV_TEMPLATES": "nowhere"}, "There is no folder nowhere"),
        ({"PBMSERV_DATABASE_URL": "sqlite:///file/x.db"}, "it is a file: change PBMSERV_DATABASE_URL"),
    ],
)
def test_what_a_fresh_machine_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], said: str
) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)  # as if it were not installed
    (tmp_path / "file").touch()
    done = Process(tmp_path, **settings).asked("doctor")
    assert done.exit_code == 1, done.output
    assert said in done.stdout


@pytest.mark.postgresql
def test_what_a_fresh_postgresql_lacks(world: World, tmp_path: Path) -> None:
    """Programs for backups that fit the server, and an account that may make tables: from 15 on, few may."""

    def of(check: str, url: str = world.url) -> list[str]:
        config = Config(database_url=url, pg_bin=str(tmp_path))
        return [f.said for f in checks.database(config) if f.check == check]

    assert of("backup") == [f"There is no {name} in {tmp_path}" for name in ("pg_dump", "pg_restore")]
    (tmp_path / "pg_dump").write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    (tmp_path / "pg_dump").chmod(0o755)
    assert of("backup")[0].startswith("pg_dump is of version 9, and the server of version ")
    with world.engine.begin() as connection:
        connection.exec_driver_sql(
            "DO $$BEGIN CREATE ROLE weak LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END$$"
        )
    weak = {"PBMSERV_DATABASE_URL": world.url.replace("pbmserv@", "weak@")}
    denied, _ = of("schema", f"{weak['PBMSERV_DATABASE_URL']}&options=-csearch_path%3Dbare")
    assert denied == "This account may not make tables in the database"
    for words in (("migrate",), ("boards", "list")):
        done = admin(world, *words, **weak)
        assert (done.exit_code, "permission denied for table alembic_version" in done.stderr) == (69, True), done.output
        assert "ALTER DATABASE … OWNER TO …" in done.stderr


def test_the_port_of_the_metrics() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{other.getsockname()[1]}"
        (used,) = connection_checks.metrics(Config(metrics=place))
    assert used.said == f"Cannot show metrics on {place}: Address already in use"
    assert [f.status for f in connection_checks.metrics(Config(metrics=place))] == ["ok"]


@pytest.mark.slow
@pytest.mark.sqlite
def test_the_key(world: World, tmp_path: Path) -> None:
    (short,) = found(world, tmp_path, "key", PBMSERV_SECRET_KEY="short")
    assert short["said"] == "The secret key has 5 characters"
    assert "short" not in short["advice"]
    key = world.file.with_suffix(".key")
    key.write_text("0123456789abcdef")
    key.chmod(0o644)
    (readable,) = found(world, tmp_path, "key", PBMSERV_SECRET_KEY="")
    assert (readable["said"], readable["advice"]) == (f"Others may read {key}", f"chmod 600 {key}")
    key.chmod(0o600)
    assert found(world, tmp_path, "key", 0, PBMSERV_SECRET_KEY="")[0]["status"] == "ok"


@pytest.mark.slow
@pytest.mark.sqlite
def test_templates(world: World, tmp_path: Path) -> None:
    mail = tmp_path / "own" / "mail"
    mail.mkdir(parents=True)
    (mail / "sorry.txt").write_text("{% if %}")
    (mail / "sorrow.txt").write_text("fine")
    german = mail.parent / "de" / "mail"
    german.mkdir(parents=True)
    (german / "sorry.txt").write_text("fine, too")
    broken, unused = found(world, tmp_path, "templates", PBMSERV_TEMPLATES=str(mail.parent))
    assert broken["said"].startswith("mail/sorry.txt: Expected an expression")
    assert unused["said"] == "mail/sorrow.txt replaces nothing"
    (mail.parent / "de" / "messages.toml").write_text("no table")
    (table,) = found(world, tmp_path, "templates", PBMSERV_TEMPLATES=str(mail.parent))
    assert "de/messages.toml cannot be read: " in table["said"]


@pytest.mark.slow
def test_the_clock(world: World, tmp_path: Path) -> None:
    world.act(lambda s: s.operations.set_fact(LAST_RUN, "99999999999"))
    (future,) = found(world, tmp_path, "clock")
    assert future["said"] == "The clock ran last in the future"
    world.act(lambda s: s.operations.set_fact(LAST_RUN, repr(time() - 3 * 86400)))
    world.act(lambda s: lost_time.notice(s, time()))
    code = 0 if world.engine.dialect.name == "sqlite" else 1  # for a warning; see test_all_is_well
    (jumped,) = found(world, tmp_path, "clock", code=code)
    assert jumped["said"] == "The time has jumped by 72.0 hours and is not trusted yet: tournaments wait"


@pytest.mark.slow
def test_a_game_whose_package_is_gone(world: World, tmp_path: Path) -> None:
    for players in (("alice", "bob"), ("alice", "carol")):
        world.board(*players)
    world.mail("alice", "tumble resign 102 alice alice-secret")
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.board).where(tables.board.c.number == 102).values(game="noughts"))
    (missing,) = found(world, tmp_path, "games")
    assert missing["said"] == "There are boards of noughts, and no such game is installed"


def test_swiss_tournaments_without_their_extra(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    line = ["new", "tumble", "--form", "swiss", "--start", "2035-01-31", "--boards", "--forfeittime=14"]
    assert admin(world, "tournaments", *line).exit_code == 0

    def of_tournaments() -> list[str]:
        return [f.said for f in checks.database(Config(database_url=world.url)) if f.check == "tournaments"]

    assert of_tournaments() == []
    monkeypatch.setattr(swiss, "_ENGINE", "no_such_package")
    assert of_tournaments() == ["No round of Swiss tournaments can be drawn; of this form: 1"]


@pytest.mark.slow
def test_the_schema(world: World, tmp_path: Path) -> None:
    with behind(world):
        assert "-> pbmserv migrate" in admin(world, "doctor", **settings(tmp_path)).stdout
    assert "-> pbmserv migrate" not in admin(world, "doctor", **settings(tmp_path)).stdout


def test_a_database_that_is_away(tmp_path: Path) -> None:
    away = {"PBMSERV_DATABASE_URL": "postgresql://u:swordfish@127.0.0.1:1/db", "PBMSERV_SECRET_KEY": "x" * 40}
    done = Process(tmp_path, **away).asked("doctor")
    assert done.exit_code == 1
    assert "failed   database    The database cannot be used" in done.stdout
    assert "swordfish" not in done.output


@pytest.mark.slow
@pytest.mark.sqlite
def test_a_port_that_is_taken(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greeting, "TIMEOUT", 0.2)  # the other server accepts a connection and is silent
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"smtp://127.0.0.1:{other.getsockname()[1]}"
        (taken,) = found(world, tmp_path, "listen", PBMSERV_LISTEN=url)
    assert taken["said"] == f"Cannot listen on {url}: Address already in use"


@pytest.mark.slow
def test_a_server_that_runs_is_known_by_its_greeting(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path) as server:
        done = server.asked("doctor")
        assert f"{server.urls[0]} is this server" in done.stdout
        assert done.exit_code == 0, done.output
        server.stop()


def greet(listening: socket.socket) -> None:
    """Greet the next client as a pbmserv does."""
    with listening.accept()[0] as client:
        client.sendall(b"220 localhost LMTP pbmserv 12345678\r\n")
        client.recv(100)


def test_a_socket_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greeting, "TIMEOUT", 0.2)
    monkeypatch.chdir(tmp_path)  # `make run` leaves a database in the working folder
    path = tmp_path / "pbmserv.sock"
    config = Config(listen=[f"lmtp+unix://{path}"], roles=["listener"])
    (free,) = connection_checks.ports(config)
    assert (free.status, path.exists()) == ("ok", False)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind(str(path))
        other.listen()
        greeter = threading.Thread(target=lambda: greet(other))
        greeter.start()
        (taken,) = connection_checks.ports(config)
        greeter.join()
    assert (taken.status, taken.said) == ("ok", f"lmtp+unix://{path} is this server")
    (path.parent / "locked").write_text("a file")
    (finding,) = connection_checks.ports(Config(listen=[f"lmtp+unix://{path.parent}/locked/sock"], roles=["listener"]))
    assert finding.status == "failed"
    assert list(connection_checks.relay(config)) == []


@in_loop
async def test_the_relay_and_a_port_with_another_server() -> None:
    async def probed(relay: str) -> list[Finding]:
        return await asyncio.to_thread(lambda: list(connection_checks.relay(Config(relay=relay))))

    async with Sink() as sink:
        listens = Config(listen=[f"smtp://127.0.0.1:{sink.port}"])
        (other,) = await asyncio.to_thread(lambda: list(connection_checks.ports(listens)))
        assert other.said.startswith("Somebody else answers at smtp://127.0.0.1:")
        (well,) = await probed(f"smtp://127.0.0.1:{sink.port}")
        assert (well.status, sink.letters) == ("ok", [])
        (locked,) = await probed(f"smtp+starttls://user:swordfish@127.0.0.1:{sink.port}")
        assert locked.status == "failed"
        assert "swordfish" not in repr(locked)
    (away,) = await probed(f"smtp://127.0.0.1:{sink.port}")
    assert (away.status, away.said.startswith("no connection to the relay")) == ("failed", True)


def test_a_maildir_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (finding,) = connection_checks.relay(Config(relay=f"maildir:{tmp_path}/file/letters"))
    assert finding.status == "failed"
    assert f"cannot write below {tmp_path}/file" in finding.said


def test_where_the_database_must_not_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = Config(database_url=f"sqlite:///{tmp_path}/pbmserv.db")
    monkeypatch.setattr(checks, "_NETWORK", {checks._kind(tmp_path)})
    assert next(checks.filesystem(config)).said.startswith(f"{tmp_path} is on a network file system")
    monkeypatch.setattr(checks, "_NETWORK", set())
    monkeypatch.setattr(checks, "_GONE_AT_BOOT", {checks._kind(tmp_path)})
    assert next(checks.filesystem(config)).said.startswith(f"{tmp_path} is in memory")
    monkeypatch.setattr(checks, "_SOON_FULL", 1e18)
    assert list(checks.filesystem(config))[-1].advice == "make room soon"
    monkeypatch.setattr(checks, "_LEAST_FREE", 1e18)
    assert list(checks.filesystem(config))[-1].advice == "make room: without it, mails get 451"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("listen", ["smtp://0.0.0.0:25"], "Others can reach smtp://0.0.0.0:25"),
        ("metrics", "0.0.0.0:9464", "Others can reach PBMSERV_METRICS=0.0.0.0:9464"),
        ("web_url", "http://pbm.example.org", "Players' own pages are not encrypted on http://pbm.example.org"),
        ("trust_from", True, "From is trusted"),
        ("confirm_addresses", False, "Addresses are not confirmed"),
        ("address", "pbmserv@pbm.example.org", "Letters stay on this machine"),
        ("operator", "", "Nobody reads mail to postmaster and abuse"),
    ],
)
def test_dangerous_settings(name: str, value: Any, said: str) -> None:
    at_home = {"address": "pbmserv@pbm.example.org", "relay": "smtp://127.0.0.1:25"} if name == "operator" else {}
    config = Config(**{"operator": "you@example.org", **at_home, name: value})
    findings = [*checks.demonstration(config), *checks.exposed(config)]
    assert [(f.status, f.said) for f in findings] == [("warning", said)]
    assert os.linesep not in findings[0].advice


@pytest.mark.slow
def test_a_server_logs_what_is_wrong_when_it_starts(tmp_path: Path) -> None:
    mail = tmp_path / "own" / "mail"
    mail.mkdir(parents=True)
    (mail / "sorry.txt").write_text("{% if %}")
    with ForkedProcess(tmp_path, PBMSERV_TEMPLATES=str(mail.parent), PBMSERV_SECRET_KEY="swordfish") as server:
        server.stop()
    lines = [line for line in server.log.splitlines() if "event='doctor'" in line]
    assert any("mail/sorry.txt: Expected an expression" in line for line in lines)
    assert any("said='The secret key has 9 characters'" in line for line in lines)
    assert "swordfish" not in server.log


def test_a_missing_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told to open the folder above it. The listener would not make the folder of its socket."""
    monkeypatch.setattr(checks, "_unwritable", lambda _: "Permission denied")  # for root, everything can be written
    finding, *_ = checks.filesystem(Config(database_url=f"sqlite:///{tmp_path}/lib/pbmserv.db"))
    assert finding.advice.startswith(f"make {tmp_path}/lib for the user who runs pbmserv")
    (finding,) = connection_checks.ports(Config(listen=[f"lmtp+unix://{tmp_path}/run/sock"], roles=["listener"]))
    assert (finding.status, finding.said) == ("failed", f"There is no folder {tmp_path}/run")


def test_the_mailbox() -> None:
    """A host that nobody reaches; what works is in tests/server/test_fetcher.py."""
    config = Config(mailbox="imap://club@127.0.0.1:9", mailbox_password="app-password")
    assert [f.said for f in connection_checks.mailbox(config)] == ["club@127.0.0.1/INBOX: Connection refused"]
    with pytest.raises(ValueError, match="PBMSERV_MAILBOX needs PBMSERV_MAILBOX_PASSWORD"):
        Config(mailbox="imaps://club@example.org")
