"""After you erase a person, nothing of them stays in the database except the farewell letter, until it is sent."""

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.inbox import pipeline, questions
from pbmserv.letters.waiting.relay_trouble import SEVERAL
from pbmserv.mail.envelope import LetterStatus
from pbmserv.model.operations import LAST_RUN
from pbmserv.server.clock import Clock
from pbmserv.server.outbox import StoredOutbox
from tests.cli.conftest import Desk
from tests.world import ADDRESS, KEY, World

NAME = "alice.erased"
WRITTEN = f"{NAME}@Example.NET"


def play(world: World) -> None:
    """Make mails and letters of all kinds: some letters are sent, some wait, and one mail is on the shelf."""
    world.signup("bob", "carol")
    world.mail(WRITTEN, f"signup alice alice-secret {WRITTEN}")
    world.mail("bob", "tumble challenge alice bob -c")
    for text in ("h4-g5t", "nonsense"):
        world.mail(WRITTEN, f"tumble move 101 alice alice-secret {text}", "What do you say to that?")
    world.mail("carol", f"tumble challenge carol {WRITTEN}")
    outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
    outbox.sent_many([(letter.id, "taken") for letter in outbox.claim(3, 60)])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pipeline, "run", None)
        patched.setattr(questions, "run", None)
        world.mail(WRITTEN, "help")


def rows(world: World) -> list[str]:
    """Return the tables of all rows that name the person."""
    found = []
    with world.engine.connect() as connection:
        for table in tables.metadata.sorted_tables:
            found += [table.name for row in connection.execute(sa.select(table)) if NAME in str(row).lower()]
    return found


def say_goodbye(world: World) -> None:
    """Send all letters, and run the clock a minute later."""
    outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
    outbox.sent_many([(letter.id, "taken") for letter in outbox.claim(100, 60)])
    world.now += timedelta(minutes=1)
    Clock(world.engine, world.site, lambda: world.now).sweep()


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize("by_mail", [True, False])
def test_no_row_names_the_person(world: World, monkeypatch: pytest.MonkeyPatch, by_mail: bool) -> None:
    play(world)
    assert {"mail", "outbox", "address"} <= set(rows(world))
    if by_mail:
        world.mail(WRITTEN, "signoff alice alice-secret")
    else:
        erase(world, monkeypatch)
    assert rows(world) == ["outbox"]
    world.act(lambda store: store.operations.set_fact(LAST_RUN, repr(world.now.timestamp())))
    say_goodbye(world)
    assert rows(world) == []
    world.verify()


@pytest.mark.parametrize("end", ["sent", "refused", "given up", "bounced", "dropped", "announced"])
@pytest.mark.sqlite
def test_the_farewell_is_blanked_as_soon_as_it_is_done_with(world: World, end: str) -> None:
    world.signup("bob")
    world.mail(WRITTEN, f"signup alice alice-secret {WRITTEN}")
    world.mail(WRITTEN, "signoff alice alice-secret")
    assert rows(world) == ["outbox"]
    outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
    ids = [letter.id for letter in outbox.claim(9, 60)]
    for id_ in ids:
        _done_with(world, outbox, id_, end)
    assert rows(world) == []
    world.verify()


def _done_with(world: World, outbox: StoredOutbox, id_: int, end: str) -> None:
    said = f"550 5.1.1 <{WRITTEN}> is not known here"
    match end:
        case "sent":
            outbox.sent_many([(id_, said)])
        case "announced":
            outbox.claim(9, 60, [(id_, said)])
        case "refused":
            outbox.refuse(id_, said)
        case "bounced":
            world.act(lambda s: s.letters.lose(id_, LetterStatus.BOUNCED, said, world.now))
        case "dropped":
            world.act(lambda s: s.letters.set_aside(id_, LetterStatus.DROPPED, "", world.now))
        case "given up":
            for _ in range(SEVERAL + 1):
                world.now += timedelta(days=1)
                outbox.defer_many([id_], said, 0)


def erase(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBMSERV_DATABASE_URL", world.url)
    monkeypatch.setenv("PBMSERV_SECRET_KEY", KEY.decode())
    monkeypatch.setenv("PBMSERV_ADDRESS", ADDRESS)
    Desk(world).run("players", "erase", "alice", "--yes")


@pytest.mark.slow
@pytest.mark.sqlite
def test_no_byte_of_the_files_does(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data that was deleted long ago, but not overwritten, is gone, too."""
    with world.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA secure_delete = OFF")
    play(world)
    world.mail(WRITTEN, "change address alice alice-secret other@example.net")
    with world.engine.begin() as connection:
        connection.execute(sa.delete(tables.outbox).where(tables.outbox.c.recipient == WRITTEN.lower()))
    world.mail(WRITTEN, "signup alice alice-secret")
    world.engine.dispose()
    erase(world, monkeypatch)
    world.act(lambda store: store.operations.set_fact(LAST_RUN, repr(world.now.timestamp())))
    say_goodbye(world)
    world.engine.dispose()
    for file in Path(world.file.parent).glob("*.db*"):
        assert NAME.encode() not in file.read_bytes().lower(), file


@pytest.mark.slow
@pytest.mark.both
def test_an_address_that_somebody_else_has_too_keeps_their_letters(world: World) -> None:
    play(world)
    world.mail(WRITTEN, f"signup dave dave-secret {WRITTEN}")
    before = rows(world).count("outbox")
    world.mail(WRITTEN, "signoff alice alice-secret")
    assert rows(world).count("outbox") > before
    assert "address" in rows(world)


@pytest.mark.both
def test_who_only_claims_an_address_takes_nothing_from_its_owner(strict_world: World) -> None:
    """Anybody can open an account with a stranger's address, and close it again."""
    world, friend = strict_world, "friend@example.net"
    world.signup("bob")
    (invitation,) = [
        x for x in world.mail("bob", f"tumble challenge bob {friend} --as=bob:bob-secret") if x.to == friend
    ]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pipeline, "run", None)
        patched.setattr(questions, "run", None)
        world.mail(friend, "help")
    world.mail("mallory@evil.example", f"signup mallory mallory-secret {friend}")
    world.mail("mallory@evil.example", "signoff mallory mallory-secret")
    with world.engine.connect() as connection:
        assert connection.scalars(sa.select(tables.mail.c.status).where(tables.mail.c.sender == friend)).all() == [
            "shelved"
        ]
        letters = connection.scalars(sa.select(tables.outbox.c.kind).where(tables.outbox.c.recipient == friend)).all()
    assert "invitation" in letters
    assert "confirm" not in letters
    assert any("has begun" in x.text or x.subject.startswith("Tumble Board") for x in world.reply(invitation, "accept"))
