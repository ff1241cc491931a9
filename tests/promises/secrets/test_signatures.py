"""With a backup, but without the key, you can play for nobody: it has no signatures. Letters are signed when sent."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbmserv.admin import backup
from pbmserv.db import tables
from pbmserv.inbox import pipeline, questions
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import Outgoing
from pbmserv.server.outbox import StoredOutbox
from tests.tools.signatures import signed_words
from tests.world import World

HOUR = timedelta(hours=1)  #: longer than a lease


def play(world: World) -> None:
    """Make letters of each kind that can be answered without a password."""
    world.allow(web_url="https://pbm.example.org")
    world.board("alice", "bob", options="-c")
    to_bob = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t", "What do you say to that?")[-1]
    world.reply(to_bob, "nonsense", "bob")
    world.signup("dave")
    world.mail("dave", "tumble subscribe 101 dave dave-secret")
    world.reply(to_bob, "a5-b4t", "bob")
    world.mail("alice", "forgot alice")
    world.mail("alice", "tumble challenge alice friend@example.com")
    world.site = replace(world.site, policy=replace(world.site.policy, confirm_addresses=True))
    world.use(world.site.renderer)
    world.mail("carol", "signup carol carol-secret carol@example.net")


def quarantine(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an answer meet a bug, so that the mail is kept together with the signed address it was sent to."""
    letter = world.mail("bob", "tumble show 101 bob bob-secret")[0]
    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "run", None)
        patched.setattr(questions, "run", None)
        world.reply(letter, "resign", "bob")
    assert world.query(lambda s: s.operations.quarantined_mails()) == 1


def contents(engine: sa.Engine) -> bytes:
    """Return all values of all tables, one on each line."""
    with engine.connect() as connection:
        rows = [row for table in tables.metadata.sorted_tables for row in connection.execute(sa.select(table))]
    values = [value for row in rows for value in row]
    return b"\n".join(v if isinstance(v, bytes) else str(v).encode() for v in values)


def claimed(world: World) -> Sequence[Outgoing]:
    return StoredOutbox(world.engine, world.site, lambda: world.now).claim(500, 60)


def purposes(found: bytes, world: World) -> set[str]:
    return {word[0] for word in signed_words(found, world.site.signer)}


@pytest.mark.slow
@pytest.mark.both
def test_no_table_holds_a_signature_and_each_letter_goes_out_with_its_own(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(world)
    quarantine(world, monkeypatch)
    assert b"b101.1.1." in contents(world.engine)
    assert purposes(contents(world.engine), world) == set()
    sent = b"\n".join(letter.data for letter in claimed(world))
    told = {signed_addresses.BOARD, signed_addresses.CONFIRM, signed_addresses.INVITE, signed_addresses.UNSUBSCRIBE}
    told |= {signed_addresses.RESET, signed_addresses.MESSAGE, signed_addresses.PAGE}
    assert told <= purposes(sent, world)


@pytest.mark.slow
@pytest.mark.sqlite
def test_no_byte_of_a_backup_does(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(world)
    quarantine(world, monkeypatch)
    backup.save(world.url, tmp_path / "copy")
    assert b"b101.1.1." in (tmp_path / "copy").read_bytes()
    assert purposes((tmp_path / "copy").read_bytes(), world) == set()


@pytest.mark.slow
@pytest.mark.both
def test_letters_that_release_1_0_wrote_lose_theirs_and_are_sent_as_they_were(world: World) -> None:
    play(world)
    ours = [(x.id, x.data) for x in claimed(world)]
    world.now += HOUR
    with world.engine.begin() as connection:
        for number, data in connection.execute(sa.select(tables.outbox.c.id, tables.outbox.c.data)).all():
            old = world.site.signer.with_signatures(data)
            connection.execute(sa.update(tables.outbox).where(tables.outbox.c.id == number).values(data=old))
    assert purposes(contents(world.engine), world)
    assert [(x.id, x.data) for x in claimed(world)] == ours
    StoredOutbox(world.engine, world.site, lambda: world.now).recover()
    assert purposes(contents(world.engine), world) == set()
    world.now += HOUR
    assert [(x.id, x.data) for x in claimed(world)] == ours
