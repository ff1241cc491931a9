"""The role `mailbox`, on a real IMAP server: what is fetched takes effect once, and is moved after that."""

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import trustme
from imapclient import SocketTimeout

from pbmserv.cli.checking import connection_checks
from pbmserv.config import Config
from pbmserv.inbox.run import MOST_FOR_OPERATOR
from pbmserv.letters.text.times import utc_now
from pbmserv.mail.envelope import Incoming, Place
from pbmserv.mail.imap import connection
from pbmserv.mail.imap.account import SILENCE, FetchPace, MailboxSettings, read_account
from pbmserv.mail.imap.connection import ImapConnection
from pbmserv.mail.imap.mailbox_audit import check
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES
from pbmserv.model.operations import Allowance
from pbmserv.model.rows import MailboxRow
from pbmserv.server import fetcher
from pbmserv.server.fetcher import Fetcher
from tests.inbox.mails import message
from tests.tools.aio import in_loop, until
from tests.tools.dovecot import IS_AVAILABLE, PASSWORD, Served, dovecot
from tests.tools.imap_proxy import FAULTS, SILENT, proxy
from tests.world import World

pytestmark = pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot")

_PACE = FetchPace(idle=600, soonest=0.05, latest=0.05, failed=0.05, longest=0.1, lease=5)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with dovecot() as served:
        yield served


@pytest.fixture
def served(server: Served) -> Served:
    """The mailbox, empty, with new UIDs."""
    for kind in ("", "done", "refused", "shelved"):
        for file in server.files(kind):
            file.unlink()
    return server


def _settings(served: Served, pace: FetchPace = _PACE) -> MailboxSettings:
    return MailboxSettings(read_account(f"imap://club%40example.org@127.0.0.1:{served.port}"), PASSWORD, pace)


@asynccontextmanager
async def _fetching(world: World, settings: MailboxSettings) -> AsyncIterator[Fetcher]:
    """A context in which the role runs, and has looked at the mailbox once."""

    async def hand_in(mail: Incoming) -> str:
        (reply,) = await asyncio.to_thread(lambda: world.pipeline.handle([world.prepare(mail)]))
        return reply

    mailbox = Fetcher(world.engine, world.site, settings, hand_in)
    task = asyncio.create_task(mailbox.run())
    name = settings.account.name
    await until(lambda: (row := world.query(lambda s: s.mailboxes.find(name))) is not None and row.looked is not None)
    try:
        yield mailbox
    finally:
        mailbox.stop()
        await task


def _row(world: World, settings: MailboxSettings) -> MailboxRow:
    row = world.query(lambda s: s.mailboxes.find(settings.account.name))
    assert row is not None
    return row


def _are_moved(served: Served, count: int) -> bool:
    return len(served.files("done")) == count and not served.files()


def _statuses(world: World) -> list[str]:
    return [mail.status for mail in reversed(world.query(lambda store: store.mails.newest()))]


@pytest.mark.slow
@pytest.mark.both
@in_loop
async def test_a_mail_is_played_and_moved(world: World, served: Served) -> None:
    """Also an answer, whose signed address stands only in the headers."""
    world.signup("alice", "bob")
    async with _fetching(world, _settings(served)):
        served.deliver(message("alice", "tumble challenge alice bob"))
        await until(lambda: len(served.files("done")) == 1)
        reply_to = next(letter.reply_to for letter in world.letters() if letter.to == "alice@example.org")
        move = world.row(101).game.example(world.row(101).board.position, 0)
        served.deliver(message("mallory", "Re: your move", move, number=2, Delivered_To=reply_to))
        await until(lambda: len(served.files("done")) == 2)
    assert served.files() == []
    assert world.row(101).board.length == 1


@pytest.mark.both
@in_loop
@pytest.mark.slow
async def test_what_is_done_is_in_the_database(world: World, served: Served) -> None:
    """Also a mail that nothing tells from one of an hour ago. What nobody has read is told."""
    world.signup("alice", "bob")
    settings = _settings(served)
    undated = b"From: alice@example.org\r\nSubject: who\r\n\r\n"
    async with _fetching(world, settings):
        served.deliver(undated)
        await until(lambda: _are_moved(served, 1))
        world.now += timedelta(hours=1)
        served.deliver(undated)
        await until(lambda: _are_moved(served, 2))
    (served.files("done")[0].parent / "lost").write_bytes(message("mallory", "who", number=7))
    with closing(ImapConnection(settings.account, PASSWORD)) as mailbox:
        looked_at, unknown = world.query(
            lambda store: check(mailbox.kept("done", MOST_MESSAGE_BYTES + 1), store.mails.known)
        )
    assert (looked_at, [mail[1:] for mail in unknown]) == (3, [("mallory@example.org", "who")])


@in_loop
@pytest.mark.slow
async def test_doctor_logs_in_over_tls(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate must be valid; `imap_capability` of this one has no IDLE, so it is asked again and again."""
    authority, other = trustme.CA(), trustme.CA()
    signed = authority.issue_cert("localhost")
    signed.private_key_and_cert_chain_pem.write_to_path(tmp_path / "key.pem")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    other.cert_pem.write_to_path(tmp_path / "other.pem")
    files = {"key": tmp_path / "key.pem", "cert": tmp_path / "key.pem"}
    with dovecot(certificate=files, capability="IMAP4rev1 UIDPLUS", separator=".") as served:
        settings = _settings(served)
        url = f"imaps://club%40example.org@localhost:{served.tls_port}"
        config = Config(mailbox=url, mailbox_password=PASSWORD)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "other.pem"))
        assert "certificate verify failed" in " ".join(f.said for f in connection_checks.mailbox(config))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        findings = list(connection_checks.mailbox(config))
        assert findings[0].said.endswith("has 0 mails, and is asked for new mails now and then"), findings
        assert findings[1].said == "answers go to addresses such as pbmserv+b101@localhost"
        async with _fetching(world, replace(settings, account=read_account(url))):
            served.deliver(message("alice", "help"))
            await until(lambda: len(served.files("done")) == 1 and not served.files())


@pytest.mark.parametrize("count", [200, pytest.param(800, marks=[pytest.mark.slow, pytest.mark.timeout(300)])])
@in_loop
@pytest.mark.slow
async def test_old_mails_are_left_until_somebody_asks_for_them(world: World, served: Served, count: int) -> None:
    """The first contact is with a folder of many mails; its flags mean nothing, because other programs set them."""
    world.signup("alice", "bob")
    old = [message("alice", "tumble challenge alice bob", number=n) for n in (1, 2)]
    served.deliver_many([*(message("carol", "hi", number=1000 + n) for n in range(count)), *old])
    settings = _settings(served)
    async with _fetching(world, settings):
        served.deliver(message("alice", "tumble challenge alice bob", number=3))
        await until(lambda: len(served.files("done")) == 1)
    row = _row(world, settings)
    assert (row.old, len(_statuses(world))) == (count + 2, 1)
    world.act(lambda s: s.mailboxes.put(row.name, uid=row.uid - 3, old=0))  # as `pbmserv mailbox take-old`, for a few
    async with _fetching(world, settings):
        await until(lambda: len(served.files("done")) == 3)
    assert world.query(lambda s: s.board_lists.numbers()) == [101, 102, 103]
    assert len(served.files()) == count


@in_loop
@pytest.mark.slow
async def test_a_mail_that_comes_while_old_ones_are_read_is_read_first(world: World, served: Served) -> None:
    old = [message("carol", "help", number=n) for n in range(1, 13)]
    served.deliver_many(old)
    settings = _settings(served, replace(_PACE, batch=2))
    async with _fetching(world, settings):
        row = _row(world, settings)
    with proxy(served.port) as between:
        world.act(lambda s: s.mailboxes.put(row.name, uid=0, since=None, old=0, old_upto=row.uid))
        between.fail("UID MOVE", do=lambda: served.deliver(message("alice", "help", number=20)))
        async with _fetching(world, replace(settings, account=replace(settings.account, port=between.port))):
            await until(lambda: _are_moved(served, len(old) + 1))
    senders = [mail.sender.partition("@")[0] for mail in reversed(world.query(lambda store: store.mails.newest()))]
    assert 0 < senders.index("alice") < 6


@pytest.mark.parametrize("by", [1, 0], ids=["another validity", "the same one"])
@in_loop
@pytest.mark.slow
async def test_after_other_uids_old_mails_stay_old_and_new_ones_count_once(
    world: World, served: Served, by: int
) -> None:
    """A mailbox was restored: its UIDs mean other mails, also where the provider does not say so."""
    world.signup("alice", "bob")
    served.deliver(message("carol", "an old one", number=9))
    for file in served.files():  # it came long ago
        _come(file, -86400 * 30)
    settings = _settings(served)
    async with _fetching(world, settings):
        first = _row(world, settings).validity
        served.deliver_many([message("alice", "tumble challenge alice bob", number=n) for n in range(4)])
        await until(lambda: (len(served.files("done")), len(served.files())) == (4, 1))
        again = (3, 4)  # the first once more
        served.renumber(by, [message("alice", "tumble challenge alice bob", number=n) for n in again])
        await until(lambda: len(served.files()) == 1)
    assert _row(world, settings).validity == first + by
    assert world.query(lambda s: s.board_lists.numbers()) == [*range(101, 106)]
    assert len(served.files("done")) == 6


def _come(file: Path, seconds: float) -> None:
    """Let a mail have come at another time."""
    when = file.stat().st_mtime + seconds
    os.utime(file, (when, when))


@in_loop
@pytest.mark.slow
async def test_a_mail_that_is_too_large_is_answered_without_being_fetched(world: World, served: Served) -> None:
    world.signup("alice")
    large = message("alice", "help", number=1) + b"x" * 78 * 400_000
    before = served.bytes_sent
    async with _fetching(world, _settings(served)):
        served.deliver(large)
        await until(lambda: len(served.files("refused")) == 1)
    await until(lambda: served.bytes_sent > before)
    assert served.bytes_sent - before < 10_000
    (letter,) = world.letters()
    assert letter.to == "alice@example.org"
    assert "too large" in letter.flat
    assert _statuses(world) == ["refused"]


@pytest.mark.slow
@in_loop
async def test_a_mail_that_cannot_be_kept_now_waits_and_does_not_stop_the_next(world: World, served: Served) -> None:
    world.allow(operator="olga@example.net")
    enough = [("server", Allowance("operator", MOST_FOR_OPERATOR))]
    world.act(lambda s: s.operations.spend(enough, world.now.timestamp(), MOST_FOR_OPERATOR))
    settings = _settings(served, replace(_PACE, latest=600))
    async with _fetching(world, settings):
        long_ago = utc_now() - timedelta(days=1)
        world.act(lambda s: s.mailboxes.put(settings.account.name, heard=long_ago))
        spam = message("carol", "spam!", number=1, Delivered_To="postmaster@games.example")
        served.deliver_many([spam, message("alice", "help", number=2)])
        await until(lambda: len(served.files("done")) == 1)
        await until(lambda: len(served.files()) == 1)
        assert len(_statuses(world)) == 1
        world.act(lambda s: s.operations.lift())
        await until(lambda: len(served.files("done")) == 2)


@pytest.mark.slow
@in_loop
async def test_what_was_committed_but_not_moved_is_only_moved(world: World, served: Served) -> None:
    """The server was killed between the two, and starts again long after."""
    settings = _settings(served)
    async with _fetching(world, settings):
        pass
    served.deliver(b"From: alice@example.org\r\nSubject: games\r\n\r\n")
    with served.client() as client:
        (uid,) = client.uid("search", "ALL")[1]
    row = _row(world, settings)
    assert world.act(lambda s: s.mailboxes.take(Place(row.name, row.validity, int(uid))))
    async with _fetching(world, settings):
        await until(lambda: len(served.files("done")) == 1)
    assert _statuses(world) == []
    assert (_row(world, settings).uid, world.query(lambda s: s.mailboxes.taken(row.name, row.validity))) == (
        int(uid),
        set(),
    )


@in_loop
@pytest.mark.slow
async def test_a_week_of_silence_is_told_once(world: World, served: Served) -> None:
    world.allow(operator="olga@example.net")
    settings = _settings(served, replace(_PACE, idle=0.05))
    async with _fetching(world, settings):
        name = settings.account.name
        world.act(lambda s: s.mailboxes.put(name, heard=utc_now() - SILENCE - timedelta(days=1)))
        await until(lambda: world.query(lambda s: s.operations.waiting_letters().count) == 1)
        await asyncio.sleep(0.3)
    (letter,) = world.letters()
    assert letter.to == "olga@example.net"
    assert "for 8 days" in letter.flat


@in_loop
@pytest.mark.slow
async def test_two_processes_fetch_each_mail_once(world: World, served: Served) -> None:
    world.signup("alice", "bob")
    settings = _settings(served, replace(_PACE, idle=0.2, lease=0.2))
    async with _fetching(world, settings), _fetching(world, settings):
        served.deliver_many([message("alice", "tumble challenge alice bob", number=n) for n in range(5)])
        await until(lambda: len(served.files("done")) >= 5 and not served.files())  # both may have moved the same one
    assert world.query(lambda s: s.board_lists.numbers()) == [*range(101, 106)]


@in_loop
@pytest.mark.slow
async def test_old_mails_that_somebody_asks_for_meanwhile_are_read(world: World, served: Served) -> None:
    """The question comes between the look at the folder and its end, after which UIDs mean other mails."""
    world.signup("alice")
    served.deliver(message("alice", "help", number=1))
    _come(served.files()[0], -86400)
    settings = _settings(served)
    async with _fetching(world, settings):
        pass
    served.renumber()
    name = settings.account.name
    with proxy(served.port) as between:
        between.fail(r"BODY\.PEEK", do=lambda: world.act(lambda s: s.mailboxes.put(name, uid=0, since=None, old=0)))
        served.deliver(message("alice", "help", number=2))
        async with _fetching(world, replace(settings, account=replace(settings.account, port=between.port))):
            await until(lambda: len(served.files("done")) == 2)


@in_loop
@pytest.mark.slow
async def test_many_mails_are_looked_for_once(world: World, served: Served) -> None:
    """Else the time that old mails take would grow with the square of their number."""
    settings = _settings(served, replace(_PACE, batch=2, soonest=600, latest=600, idle=600))
    async with _fetching(world, settings):
        pass
    served.deliver_many([message("alice", "help", number=n) for n in range(20)])
    with proxy(served.port) as between:
        async with _fetching(world, replace(settings, account=replace(settings.account, port=between.port))):
            await until(lambda: not served.files())
        assert between.searches <= 3


@pytest.mark.parametrize("refused", ["fetched", "moved"])
@in_loop
@pytest.mark.slow
async def test_mails_that_the_provider_refuses_do_not_stop_the_next(world: World, served: Served, refused: str) -> None:
    """More than are dealt with at once: a file cannot be read, or is done and cannot be moved."""
    settings = _settings(served, replace(_PACE, batch=2))
    async with _fetching(world, settings):
        pass
    row = _row(world, settings)
    with proxy(served.port) as between:
        between.refuse = rb"UID (FETCH|MOVE) (%d|%d) (\(BODY|\W*pbmserv)" % (row.uid + 1, row.uid + 2)
        if refused == "moved":
            taken = [Place(row.name, row.validity, row.uid + number) for number in (1, 2)]
            world.act(lambda store: [store.mailboxes.take(place) for place in taken])
        served.deliver_many([message("alice", "help", number=n) for n in range(3)])
        account = replace(settings.account, port=between.port)
        async with _fetching(world, replace(settings, account=account)):
            await until(lambda: len(served.files("done")) == 1)
            between.refuse = b""
            await until(lambda: len(served.files("done")) == 3)
    assert len(_statuses(world)) == (3 if refused == "fetched" else 1)


@pytest.mark.slow
@pytest.mark.both
@in_loop
async def test_what_the_provider_says_is_kept_whatever_signs_it_has(world: World, served: Served) -> None:
    """PostgreSQL stores no NUL, and a terminal that shows it obeys others."""
    settings = _settings(served)
    async with _fetching(world, settings):
        pass
    with proxy(served.port) as between:
        between.refuse = b"SELECT"
        async with _fetching(world, replace(settings, account=replace(settings.account, port=between.port))):
            await until(lambda: _row(world, settings).trouble.endswith("cannot be  [1mread"))


@pytest.mark.slow
@in_loop
async def test_the_server_ends_while_the_provider_says_nothing(
    world: World, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetcher, "_GRACE", 0.1, raising=False)
    with proxy(served.port) as between:
        settings = _settings(served)
        account = replace(settings.account, port=between.port)
        async with _fetching(world, replace(settings, account=account)) as mailbox:
            between.fail(" IDLE", SILENT)
            await until(lambda: between.has_failed)
            mailbox.stop()
            await until(lambda: mailbox._wake.fileno() < 0)  # its thread has ended


@in_loop
async def test_the_server_ends_while_the_provider_does_not_greet_it(
    world: World, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetcher, "_GRACE", 0.1)
    settings = _settings(served)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        account = replace(settings.account, port=int(silent.getsockname()[1]))
        mailbox = Fetcher(
            world.engine, world.site, replace(settings, account=account), lambda mail: asyncio.sleep(0, "")
        )
        task = asyncio.create_task(mailbox.run())
        connected, _ = await asyncio.to_thread(silent.accept)
        mailbox.stop()
        await until(task.done)
        connected.setblocking(False)
        with connected, pytest.raises(BlockingIOError):  # its thread waits, and nobody for that
            connected.recv(1)


_COMMANDS = ("LOGIN", "SELECT", "UID SEARCH", "RFC822.SIZE", "BODY.PEEK", "UID MOVE", " IDLE")


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("fault", FAULTS)
@in_loop
async def test_each_fault_at_each_command(
    world: World, served: Served, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(connection, "_TIMEOUT", SocketTimeout(1, 0.5))
    world.signup("alice", "bob")
    world.allow(unanswered_boards=100)
    with proxy(served.port) as between:
        settings = _settings(served)
        account = replace(settings.account, port=between.port)
        async with _fetching(world, replace(settings, account=account)):
            for number, command in enumerate(_COMMANDS):
                between.fail(command, fault)
                served.deliver(message("alice", "tumble challenge alice bob", number=number))
                await until(lambda: between.has_failed and not served.files())
    assert len(world.query(lambda s: s.board_lists.numbers())) == len(_COMMANDS)
    assert set(_statuses(world)) == {"done"}


@in_loop
@pytest.mark.slow
async def test_what_others_do_in_the_mailbox_meanwhile(world: World, served: Served) -> None:
    """Somebody deletes a mail that is about to be fetched, and renames the folder of those that are done."""
    world.signup("alice", "bob")

    def delete_all() -> None:
        with served.client() as client:
            client.store("1:*", "+FLAGS", "\\Deleted")
            client.expunge()

    with proxy(served.port) as between:
        settings = _settings(served)
        async with _fetching(world, replace(settings, account=replace(settings.account, port=between.port))):
            between.fail(r"BODY\.PEEK", do=delete_all)
            served.deliver(message("alice", "tumble challenge alice bob", number=1))
            await until(lambda: between.has_failed and not served.files())
            served.deliver(message("alice", "tumble challenge alice bob", number=2))
            await until(lambda: len(served.files("done")) == 1)
            with served.client() as client:
                client.rename("pbmserv/done", f"pbmserv/{time.time_ns()}")
            served.deliver(message("alice", "tumble challenge alice bob", number=3))
            await until(lambda: len(served.files("done")) == 1 and not served.files())
    assert world.query(lambda s: s.board_lists.numbers()) == [101, 102]


@pytest.mark.slow
@in_loop
async def test_one_connection_is_kept_and_tells_of_new_mails_at_once(world: World, served: Served) -> None:
    """A mail that nobody told of would be found after ten minutes: in this test, too late."""
    world.signup("alice", "bob")
    with proxy(served.port) as between:
        settings = _settings(served)
        async with _fetching(world, replace(settings, account=replace(settings.account, port=between.port))):
            for number in range(5):
                served.deliver(message("alice", "tumble challenge alice bob", number=number))
                await until(partial(_are_moved, served, number + 1))
        assert between.connections == 1


@pytest.mark.slow
def test_pauses_grow_when_nobody_writes() -> None:
    pace = FetchPace()
    assert [pace.between_looks(seconds) for seconds in (0, 1200, 86_400)] == [30, 60, 600]
