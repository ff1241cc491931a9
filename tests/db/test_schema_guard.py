"""A process does nothing on a schema that another version has made, and ends."""

import smtplib
import sqlite3
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbmserv.cli.terminal.database import CHANGED
from pbmserv.db import engines, migrate, schema_guard
from pbmserv.mail.envelope import TRY_AGAIN, Incoming
from tests.inbox.mails import everything, message
from tests.tools.mail_program import Client
from tests.tools.warm import ForkedProcess
from tests.web.process import served
from tests.world import ADDRESS, World

NEXT = "9999"  #: the revision of a version to come


def migrated(url: str, revision: str = NEXT) -> None:
    """Change the schema as another version does that asks nobody."""
    engine = engines.connect(url)
    with engine.begin() as connection:
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{revision}'"))
        schema_guard.note(connection, revision)
    engine.dispose()


@pytest.mark.both
def test_nothing_is_stored_on_the_schema_of_another_version(world: World) -> None:
    """On PostgreSQL nobody can migrate until all connections are lost; then the next one finds it."""
    beside, met = world.again(), list[bool]()
    schema_guard.guard(world.engine, migrate.newest(), lambda: met.append(True))
    world.board("alice", "bob")
    move = message("alice", "tumble move 101 alice alice-secret h4-g5t")
    prepared = world.prepare(Incoming(move, "x@example.org", (ADDRESS,), world.peer))
    migrated(world.url)
    if world.engine.dialect.name == "postgresql":
        world.engine.dispose()
    before = everything(beside)
    assert not met
    assert world.pipeline.handle([prepared]) == [TRY_AGAIN]
    assert met
    with pytest.raises(schema_guard.OtherSchema):
        everything(world)
    assert everything(beside) == before
    migrated(world.url, migrate.newest())


@pytest.mark.sqlite
def test_a_database_of_before_this_fence_is_looked_at_once(world: World) -> None:
    """Its `user_version` says nothing, but its revision is right. So is that of a file that was written anew."""
    world.signup("alice")
    schema_guard.guard(world.engine, migrate.newest())
    with closing(sqlite3.connect(world.file)) as connection:
        for number in (0, 17):
            connection.execute(f"PRAGMA user_version = {number}")
            assert everything(world)


@pytest.mark.slow
@pytest.mark.sqlite
def test_each_migration_is_seen(world: World) -> None:
    world.signup("alice")
    other = engines.connect(world.url)
    schema_guard.guard(world.engine, migrate.newest())
    assert everything(world)
    world.engine.dispose()
    migrate.downgrade(other, "0013")
    with pytest.raises(schema_guard.OtherSchema):
        everything(world)
    other.dispose()
    migrate.downgrade(other, "base")
    with pytest.raises(schema_guard.OtherSchema):
        everything(world)
    other.dispose()


@pytest.mark.postgresql
def test_nobody_can_connect_during_a_migration(world: World) -> None:
    world.signup("alice")
    other, met = engines.connect(world.url), list[bool]()
    schema_guard.guard(world.engine, migrate.newest(), lambda: met.append(True))
    with other.connect() as connection, schema_guard.closed(connection), pytest.raises(schema_guard.OtherSchema):
        everything(world)
    assert everything(world)
    assert not met
    other.dispose()


@pytest.mark.slow
def test_a_server_ends_and_says_why(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path, PBMSERV_ROLES="listener") as server:  # a sender could find it first
        with Client(server) as client:
            client.send("alice@example.org", "signup alice secret1")
            migrated(f"sqlite:///{tmp_path}/var/pbmserv.db")
            with pytest.raises(smtplib.SMTPDataError) as refused:
                client.send("alice@example.org", "tumble seek alice secret1")
            assert refused.value.smtp_code == 451
        assert server.wait() == 75
    assert CHANGED in " ".join(server.log.split())
    assert "Traceback" not in server.log


@pytest.mark.slow
def test_web_pages_end_and_say_why(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path) as server:
        server.stop()
    with served(tmp_path, 75) as url:
        migrated(f"sqlite:///{tmp_path}/var/pbmserv.db")
        connection = HTTPConnection(url.rpartition("/")[2], timeout=20)
        connection.request("GET", "/")
        assert connection.getresponse().status == 503
        connection.close()
    assert CHANGED in " ".join((tmp_path / "web.log").read_text().split())
