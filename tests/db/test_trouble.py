"""While the database is down, the log does not repeat the same traceback until the disk is full."""

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from pbmserv.db import engines, trouble
from pbmserv.db.trouble import EVERY, TROUBLE, Trouble
from pbmserv.inbox import pipeline
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.mail.envelope import TRY_AGAIN, Incoming
from tests.inbox.mails import message
from tests.world import ADDRESS, World


@pytest.mark.sqlite
def test_many_refusals_are_one_line_each_and_one_traceback(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TROUBLE, "_told", {})
    prepared = world.prepare(Incoming(message("alice", "help"), "x@example.org", (ADDRESS,)))
    down = engines.connect("postgresql://nobody@127.0.0.1:1/none")
    away = Pipeline(down, world.site, world.pipeline._language, world.seal.close)
    with capture_logs() as lines:
        for _ in range(50):
            assert away.handle([prepared]) == [TRY_AGAIN]
    down.dispose()
    assert [line["event"] for line in lines] == ["batch failed"] * 50
    assert ["where" in line for line in lines] == [True] + [False] * 49
    assert all("refused" in line["says"] for line in lines)
    assert max(len(str(line)) for line in lines[1:]) < 500
    assert "pipeline.py" in lines[0]["where"]


def stumble(what: type[Exception]) -> Exception:
    """An error of this type with a traceback."""
    try:
        _raise(what)
    except what as error:
        return error
    raise AssertionError


def _raise(what: type[Exception]) -> None:
    raise what("alice's password is swordfish")


def test_each_trouble_tells_where_once_a_minute() -> None:
    time = [0.0]
    told = Trouble(lambda: time[0])
    with capture_logs() as lines:
        for seconds in (0, 1, EVERY - 1, EVERY, EVERY + 1):
            time[0] = seconds
            told.log(pipeline.log, "batch failed", stumble(KeyError))
        told.log(pipeline.log, "batch failed", stumble(ValueError))
        told.log(pipeline.log, "clock failed", stumble(ValueError))
    assert ["where" in line for line in lines] == [True, False, False, True, False, True, True]
    assert "swordfish" not in str([{**line, "where": ""} for line in lines])
    assert trouble.driver_message(stumble(KeyError)) == {}
    assert trouble.driver_message(OperationalError("", {}, stumble(OSError), connection_invalidated=True))


def test_what_is_remembered_has_a_bound() -> None:
    told = Trouble(lambda: 0.0)
    with capture_logs() as lines:
        for n in range(1000):
            told.log(pipeline.log, f"event {n}", stumble(KeyError))
    assert len(lines) == 1000
    assert len(told._told) <= 100
