"""`pbmserv status` on both databases shows the right numbers. Monitoring can use its exit code."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbmserv import __version__
from pbmserv.boards.absences import lost_time
from pbmserv.cli.status import warnings
from pbmserv.db import migrate
from pbmserv.mail.envelope import LetterStatus, MailStatus
from pbmserv.model.operations import LAST_RUN
from tests.tools.command_line import admin, behind, told
from tests.world import World


@pytest.fixture
def running(world: World) -> World:
    """A server whose clock runs. Two moves were played on it in the last minute."""
    world.now = datetime.now(UTC) - timedelta(seconds=30)
    world.board("alice", "bob", options="-c")
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    world.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    world.act(lambda store: store.operations.set_fact(LAST_RUN, repr(world.now.timestamp())))
    return world


def test_all_is_well(running: World) -> None:
    found = told(running, "status")
    assert (found["version"], found["warnings"]) == (__version__, [])
    assert (found["mails"], found["moves"]) == ({"last_hour": 3, "last_day": 3}, {"last_hour": 2, "last_day": 2})
    assert (found["boards"], found["players"], found["shelf"]) == ({"running": 1, "all": 1}, 2, 0)
    letters = running.query(lambda s: [x for n in (1, 2, 3) for x in s.letters.of_mail(n)])
    assert found["outbox"]["queued"] == len(letters)
    assert found["outbox"]["leased"] == 0
    assert abs(found["clock"]["age_seconds"]) < 600
    assert found["database"]["kind"] == running.engine.dialect.name
    assert found["database"]["schema"] == migrate.newest()
    assert found["database"]["size_bytes"] > 100_000
    assert found["database"]["round_trip_ms"] > 0


def test_the_same_in_words(running: World) -> None:
    done = admin(running, "status")
    assert done.exit_code == 0
    assert "1 running, 1 in all" in done.stdout
    assert "3 mails in an hour" in done.stdout


def test_letters_in_hand_and_those_that_failed(running: World) -> None:
    now = datetime.now(UTC)
    waiting = running.query(lambda s: s.operations.waiting_letters()).count
    first, second, _ = running.act(lambda s: s.letters.claim(now, timedelta(seconds=60), 3))
    running.act(lambda s: s.letters.finish([(first.id, "550 no")], LetterStatus.REFUSED, now))
    running.act(lambda s: s.letters.finish([(second.id, "250 ok")], LetterStatus.SENT, now))
    outbox = told(running, "status")["outbox"]
    assert (outbox["queued"], outbox["leased"], outbox["failed_last_day"]) == (waiting - 3, 1, 1)


def test_a_full_shelf(world: World) -> None:
    world.mail("alice", "games")
    number = world.query(lambda s: s.mails.newest(1))[0].id
    world.act(lambda s: s.mails.quarantine(number, "a bug", b"x" * 1_000_000))
    assert told(world, "status", code=1)["shelf_full"] is False
    world.act(lambda s: s.mails.quarantine(number, "a bug", b"x" * 3_900_000))
    found = told(world, "status", code=1)
    assert found["shelf_full"] is True
    assert any("The shelf is full" in warning and "PBMSERV_SHELF_MB" in warning for warning in found["warnings"])


def test_what_wants_attention(world: World) -> None:
    world.now = datetime.now(UTC) - timedelta(hours=3, minutes=5)
    world.board("alice", "bob")
    world.act(lambda s: s.mails.close(1, status=MailStatus.SHELVED))
    letter, never, shelf = told(world, "status", code=1)["warnings"]
    assert letter.startswith("A letter waits for 3 h. Is a process with the role sender running")
    assert never.startswith("The clock has never run. Start a process with the role clock")
    assert letter.endswith("which ones wait: pbmserv letters list --status queued")
    assert shelf.startswith("Mails on the shelf: 1.")
    assert shelf.endswith("pbmserv mail list --status shelved")
    world.act(lambda s: s.operations.set_fact(LAST_RUN, repr(world.now.timestamp())))
    done = admin(world, "status")
    assert done.exit_code == 1
    assert "The clock ran last 3 h ago." in done.stdout
    world.act(lambda s: s.operations.set_fact(LAST_RUN, repr(datetime.now(UTC).timestamp() + 7500)))
    assert "Set the time of this machine right" in admin(world, "status").stdout


@pytest.mark.parametrize(("days", "says"), [(40, "went ahead by 40 days"), (-2, "was set back by 2 days"), (0.1, "")])
def test_a_time_that_has_jumped_is_told(running: World, days: float, says: str) -> None:
    """Shortly after an absence of some hours it is only told; nobody has to do anything."""
    now = datetime.now(UTC).timestamp()
    running.act(lambda s: s.operations.set_fact(LAST_RUN, repr(now - days * 86400)))
    running.act(lambda s: lost_time.notice(s, now))
    done = admin(running, "status")
    said = " ".join(done.stdout.split())
    assert "for 60 min more no tournament begins or goes on, and nothing is deleted." in said
    assert says in said
    assert done.exit_code == bool(says)


@pytest.mark.both
def test_a_standby_that_lags(running: World) -> None:
    found = told(running, "status")
    behind = {"name": "second", "state": "streaming", "bytes_behind": 10**6, "seconds_behind": 61.0}
    unreadable = {"name": None, "state": None, "bytes_behind": None, "seconds_behind": None}
    found["database"]["standbys"] = [unreadable]
    assert warnings(found) == []
    found["database"]["standbys"] = [unreadable, behind]
    assert warnings(found) == ["More than a minute behind: standby second. Look at its log and its disk."]


def test_a_database_that_is_behind(running: World) -> None:
    with behind(running):
        done = admin(running, "status")
    assert done.exit_code == 78
    assert "pbmserv migrate" in done.stderr


@pytest.mark.slow
def test_the_mailbox(world: World) -> None:
    """How old the last success is, why there is none, and a week of silence; the older mails are an offer."""
    url, name = "imaps://club@example.org@imap.example.org", "club@example.org@imap.example.org/INBOX"
    settings = {"PBMSERV_MAILBOX": url, "PBMSERV_MAILBOX_PASSWORD": "app-password"}

    def warned(**values: Any) -> str:
        world.act(lambda s: s.mailboxes.put(name, **values))
        told = admin(world, "status", "--json", **settings)
        return next((w for w in json.loads(told.stdout)["warnings"] if "mailbox" in w), "")

    now = datetime.now(UTC)
    assert "was never reached: no such host" in warned(trouble="no such host")
    assert warned(looked=now, heard=now, old=3, validity=7, trouble="") == ""
    assert "no mail" in warned(heard=now - timedelta(days=8)).lower()
    assert "was reached last 2 h ago" in warned(looked=now - timedelta(hours=2))
    assert "3 older mails are left (pbmserv mail take-old)" in admin(world, "status", **settings).stdout
    assert "3 older mails will be read" in admin(world, "mail", "take-old", "--yes", **settings).stdout
    assert admin(world, "mail", "take-old", "--yes", **settings).exit_code == 66
