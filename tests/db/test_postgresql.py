"""Connections to PostgreSQL: which host, which settings, and when a connection has to be given up."""

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from pbmserv.db import engines, postgresql, tables
from pbmserv.db.pipelining.statement import Statement
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from tests.conftest import NewDatabase
from tests.inbox.mails import message
from tests.world import ADDRESS, World

pytestmark = pytest.mark.postgresql


def shown(url: str, setting: str) -> str:
    """The value of a PostgreSQL setting in a connection that the server opens."""
    engine = engines.connect(url)
    with engine.connect() as connection:
        value = str(connection.exec_driver_sql(f"SHOW {setting}").scalar_one())
    engine.dispose()
    return value


@pytest.mark.parametrize(("asked", "kept"), [("off", "on"), ("local", "on"), ("on", "on"), ("remote_apply",) * 2])
def test_commits_are_durable_and_more_if_the_operator_wants(new_database: NewDatabase, asked: str, kept: str) -> None:
    assert shown(f"{new_database()}&options=-csynchronous_commit%3D{asked}", "synchronous_commit") == kept


def test_no_timeout_ends_the_wait_for_a_standby(new_database: NewDatabase) -> None:
    assert shown(f"{new_database()}&options=-cstatement_timeout%3D5000", "statement_timeout") == "0"


def test_words_are_the_same_whatever_encoding_the_url_or_the_database_asks_for(new_database: NewDatabase) -> None:
    """The statements of the hot path send UTF-8 and all others what the driver takes for the encoding."""
    fact = {"name": "word", "value": "naïve"}
    engine = engines.connect(f"{new_database()}&client_encoding=latin1")
    with engine.begin() as connection:
        connection.execute(sa.insert(tables.fact), fact | {"name": "other"})
        Statement(sa.insert(tables.fact), ("name", "value")).run(connection, fact)
        assert set(connection.scalars(sa.select(tables.fact.c.value))) == {"naïve"}
    engine.dispose()


def test_of_several_hosts_the_one_that_answers(new_database: NewDatabase) -> None:
    assert shown(new_database().replace("?host=", "?host=/nowhere,"), "server_encoding") == "UTF8"


def test_a_standby_is_no_place_for_a_server_unless_the_url_says_so(new_database: NewDatabase) -> None:
    standby = f"{new_database()}&options=-cdefault_transaction_read_only%3Don"
    with pytest.raises(sa.exc.OperationalError, match="read-only"):
        shown(standby, "server_encoding")
    assert shown(f"{standby}&target_session_attrs=any", "server_encoding") == "UTF8"


def test_a_server_that_became_a_standby_is_left(world: World) -> None:
    """The first mail meets the error and has to be sent again later. The next mail gets a new connection."""
    world.board("alice", "bob")
    with world.engine.connect() as connection:
        connection.exec_driver_sql("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        connection.commit()
    mail = Incoming(message("alice", "tumble resign 101 alice alice-secret"), "x@example.org", (ADDRESS,), "192.0.2.1")
    prepared = world.prepare(mail)
    with capture_logs():
        assert world.pipeline.handle([prepared]) == [TRY_AGAIN]
    assert world.pipeline.handle([prepared]) == [ACCEPTED]
    assert world.row().board.result


def test_a_url_that_cannot_be_read_is_refused_without_a_word_of_it() -> None:
    with pytest.raises(ValueError, match="must be postgresql://user@host/database") as refusal:
        postgresql.parameters("postgresql://user:swordfish@[::1/db")
    assert "swordfish" not in str(refusal.value)
