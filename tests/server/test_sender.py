"""From the outbox to the relay: nothing is lost, the order is kept, and the sender waits while there is trouble."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.smtp.client import SmtpRelay, Target
from pbmserv.mail.smtp.delivery import NoLogin, Relay
from pbmserv.mail.smtp.relay import open_relay
from pbmserv.server import sender as sender_module
from pbmserv.server.sender import Sender, delay
from tests.examples import spread
from tests.server.tiny_outbox import FileOutbox
from tests.tools.aio import in_loop, until
from tests.tools.sink import DISCONNECT, HANG, TAKEN, Sink


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender_module, "FIRST_PAUSE", 0.02)


@pytest.fixture(autouse=True, params=["one by one", "together"])
def _commands(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the commands of letters are sent together or one after the other."""
    if request.param == "together":
        monkeypatch.setattr(Sink, "usual", (*Sink.usual, "PIPELINING"))


@pytest.fixture
def outbox(tmp_path: Path) -> FileOutbox:
    """An empty outbox in which a minute takes 60 ms."""
    return FileOutbox(tmp_path / "outbox.db")


@asynccontextmanager
async def running(outbox: FileOutbox, relay: Relay, **options: Any) -> AsyncIterator[Sender]:
    """Run a sender and stop it at the end."""
    sender = Sender(outbox, relay, **{"poll_seconds": 0.02, **options})
    task = asyncio.create_task(sender.run())
    try:
        yield sender
    finally:
        await sender.stop()
        await task


def smtp(sink: Sink, timeout: float = 5) -> SmtpRelay:
    """A relay to `sink`."""
    return SmtpRelay(Target("smtp", "127.0.0.1", sink.port), timeout)


def letters(count: int, *recipients: str) -> list[tuple[str, bytes]]:
    """Queue `count` numbered letters to each recipient."""
    return [(recipient, b"%d\r\n" % n) for n in range(count) for recipient in recipients or ("ann@example.org",)]


def test_the_delay_doubles_up_to_four_hours() -> None:
    minutes = [delay(attempts) / 60 for attempts in range(12)]
    assert minutes == [1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240]
    assert delay(10**9) == 4 * 3600


@pytest.mark.slow
@pytest.mark.parametrize("connections", spread([3, 1], 2))
@in_loop
async def test_nothing_is_lost(outbox: FileOutbox, connections: int) -> None:
    """Whatever the relay says after the last byte, each letter arrives and is recorded with the relay's reply."""
    trouble = ["451 4.3.0 later", DISCONNECT, "421 4.3.2 closing", TAKEN, HANG, "452 4.3.1 full", DISCONNECT, HANG]
    outbox.add(*letters(4, "ann@example.org", "bob@example.org", "eve@example.org"))
    async with Sink(trouble) as sink, running(outbox, smtp(sink, timeout=0.5), connections=connections):
        await until(lambda: set(outbox.statuses()) == {"sent"}, 8)
        taken = Counter((letter.recipient, letter.data) for letter in sink.taken)
    assert set(taken) == set(letters(4, "ann@example.org", "bob@example.org", "eve@example.org"))
    assert set(taken.values()) == {1}
    assert {note for _, _, _, note in outbox.rows()} == {"2.0.0 Taken"}


@pytest.mark.slow
@pytest.mark.parametrize("connections", [1, 3])
@in_loop
async def test_the_order_per_recipient_is_kept(outbox: FileOutbox, connections: int) -> None:
    recipients = ("ann@example.org", "bob@example.org", "eve@example.org")
    outbox.add(*letters(6, *recipients))
    trouble = [TAKEN, "451 4.3.0 later", TAKEN, DISCONNECT, "451 4.3.0 later", "451 4.3.0 later", "421 closing"]
    async with Sink(trouble) as sink, running(outbox, smtp(sink), connections=connections, batch=5):
        await until(lambda: set(outbox.statuses()) == {"sent"}, 8)
        for recipient in recipients:
            assert [letter.data for letter in sink.taken if letter.recipient == recipient] == [
                b"%d\r\n" % n for n in range(6)
            ]


@in_loop
async def test_a_refusal_is_recorded_and_the_next_goes_out(outbox: FileOutbox) -> None:
    outbox.add(*letters(3))
    async with Sink(["550 5.7.1 we do not like it"]) as sink, running(outbox, smtp(sink)):
        await until(lambda: "waiting" not in outbox.statuses())
    assert [row[1:] for row in outbox.rows()] == [
        ("refused", 0, "550 5.7.1 we do not like it"),
        ("sent", 0, "2.0.0 Taken"),
        ("sent", 0, "2.0.0 Taken"),
    ]


@in_loop
async def test_a_deferred_letter_waits_its_time(tmp_path: Path) -> None:
    """Later letters to the same recipient wait as long, but no attempt is counted for them."""
    slow = FileOutbox(tmp_path / "slow.db", hurry=1)
    slow.add(*letters(2))
    async with Sink(["451 4.3.0 later"]) as sink, running(slow, smtp(sink)):
        await until(lambda: "release_many" in slow.calls)
    assert [row[1:] for row in slow.rows()] == [("waiting", 1, "451 4.3.0 later"), ("waiting", 0, "")]
    assert all(55 < due <= 60 for due in slow.due_in())


@pytest.mark.slow
@in_loop
async def test_without_a_login_letters_wait_and_none_counts_an_attempt(tmp_path: Path) -> None:
    """So none is ever given up for it, however long the operator is away."""

    class NoRelay:
        is_open = False

        async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
            if not self.is_open:
                raise NoLogin("the login is over")
            return "taken"

        async def close(self) -> None:
            pass

    relay, outbox = NoRelay(), FileOutbox(tmp_path / "outbox.db")
    outbox.add(*letters(3, "ann@example.org", "bob@example.org"))
    async with running(outbox, relay):
        await until(lambda: outbox.calls.count("release_many") > 4)
        assert {row[1:] for row in outbox.rows()} == {("waiting", 0, "")}
        relay.is_open = True
        await until(lambda: set(outbox.statuses()) == {"sent"})


@pytest.mark.slow
@in_loop
async def test_a_letter_that_brings_the_relay_down_holds_up_no_other(tmp_path: Path) -> None:
    outbox = FileOutbox(tmp_path / "slow.db", hurry=200)
    outbox.add(("ann@example.org", b"poison\r\n"), *letters(3, "bob@example.org"))
    script = [DISCONNECT, TAKEN, TAKEN, TAKEN, DISCONNECT]
    async with Sink(script) as sink, running(outbox, smtp(sink)):
        await until(lambda: set(outbox.statuses()) == {"sent"})
    words = [letter.data.decode().strip() for letter in sink.letters]
    assert words == ["poison", "0", "1", "2", "poison", "poison"]
    assert [attempts for _, _, attempts, _ in outbox.rows()] == [2, 0, 0, 0]


@pytest.mark.slow
@in_loop
async def test_a_relay_that_is_down_is_spared(outbox: FileOutbox) -> None:
    """The pauses grow, and between them only one letter is tried. All letters are sent when the relay is back."""
    async with Sink() as sink:
        relay = smtp(sink)
    outbox.add(*letters(1, *(f"player{n}@example.org" for n in range(30))))
    loop = asyncio.get_running_loop()
    with capture_logs() as lines:
        start = loop.time()
        async with running(outbox, relay):
            await until(lambda: len(_pauses(lines)) == 4)
            assert loop.time() - start >= 0.02 + 0.04 + 0.08
            async with sink:
                await until(lambda: set(outbox.statuses()) == {"sent"})
    pauses = _pauses(lines)
    assert pauses == [0.02 * 2**n for n in range(len(pauses))]
    assert sum(attempts for _, _, attempts, _ in outbox.rows()) == len(pauses)
    assert len(sink.taken) == 30


def _pauses(lines: list[EventDict]) -> list[float]:
    return [line["pause"] for line in lines if line["event"] == "relay_down"]


@pytest.mark.slow
@in_loop
async def test_a_pause_is_never_longer_than_five_minutes(outbox: FileOutbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender_module, "LAST_PAUSE", 0.03)
    async with Sink() as sink:
        relay = smtp(sink)
    outbox.add(*letters(1, *(f"player{n}@example.org" for n in range(9))))
    with capture_logs() as lines:
        async with running(outbox, relay):
            await until(lambda: len(lines) > 8)
    assert _pauses(lines)[:3] == [0.02, 0.03, 0.03]


@in_loop
async def test_wake(outbox: FileOutbox) -> None:
    async with Sink() as sink, running(outbox, smtp(sink), poll_seconds=60) as sender:
        await until(lambda: "claim" in outbox.calls)
        for n in range(1, 4):
            outbox.add(*letters(1))
            sender.wake()
            await until(lambda n=n: outbox.statuses() == ["sent"] * n)  # type: ignore[misc]
    assert outbox.calls.count("claim") < 20


@in_loop
async def test_stop_finishes_the_letter_in_hand(outbox: FileOutbox) -> None:
    """The other letters are given back and are due at once, as if they had never been claimed."""
    outbox.add(*letters(3), *letters(1, "bob@example.org"))
    async with Sink() as sink:
        gate = Gate(smtp(sink))
        async with running(outbox, gate) as sender:
            await until(lambda: gate.waiting == 1)
            stop = asyncio.create_task(sender.stop())
            await asyncio.sleep(0.05)
            assert not stop.done()
            gate.open.set()
            await stop
            assert [row[1:3] for row in outbox.rows()] == [("sent", 0)] + [("waiting", 0)] * 3
            assert all(due <= 0 for due in outbox.due_in()[1:])
        assert len(sink.taken) == 1
        assert len(sink.letters) == 1
        # If the commands of the next letter were sent already, the connection is closed.
        assert sink.commands[-1] in ("QUIT", "DATA")


@in_loop
async def test_stop_before_run_and_twice(outbox: FileOutbox) -> None:
    outbox.add(*letters(1))
    sender = Sender(outbox, open_relay("maildir:nowhere"))
    await sender.stop()
    await sender.run()
    await sender.stop()
    assert outbox.statuses() == ["waiting"]


@pytest.mark.slow
@in_loop
async def test_what_was_sent_before_a_cancellation_is_recorded(outbox: FileOutbox) -> None:
    """The letter that was being sent is sent again when its lease is over. So each letter is sent at least once."""
    outbox.add(*letters(3))
    async with Sink([TAKEN, HANG]) as sink:
        task = asyncio.create_task(Sender(outbox, smtp(sink), lease_seconds=0.5).run())
        await until(lambda: len(sink.letters) == 2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert outbox.statuses() == ["sent", "waiting", "waiting"]
        async with running(outbox, smtp(sink)):
            await until(lambda: outbox.statuses() == ["sent"] * 3)
        assert [letter.data for letter in sink.taken] == [b"0\r\n", b"1\r\n", b"2\r\n"]


@pytest.mark.slow
@in_loop
async def test_no_delivery_outlasts_its_lease(outbox: FileOutbox) -> None:
    """Otherwise a second sender could take the same letter."""
    outbox.add(*letters(1))
    async with Sink([HANG]) as sink, running(outbox, smtp(sink, timeout=60), lease_seconds=0.4):
        await until(lambda: outbox.statuses() == ["sent"], 3)
    assert [attempts for _, _, attempts, _ in outbox.rows()] == [1]


@pytest.mark.slow
@in_loop
async def test_letters_are_given_back_when_their_lease_runs_out(outbox: FileOutbox) -> None:
    outbox.add(*letters(3))
    async with Sink() as sink:
        gate = Gate(smtp(sink))
        gate.open.set()
        gate.seconds = 0.3
        async with running(outbox, gate, lease_seconds=1):
            await until(lambda: outbox.statuses() == ["sent"] * 3)
    assert "release_many" in outbox.calls
    assert [letter.data for letter in sink.taken] == [b"0\r\n", b"1\r\n", b"2\r\n"]


@pytest.mark.slow
@in_loop
async def test_a_database_that_is_away_is_waited_for(outbox: FileOutbox) -> None:
    """Letters sent meanwhile are recorded when the database is back, and not sent twice.

    The log has no words of letters.
    """
    outbox.add(*letters(3))
    with capture_logs() as lines:
        async with Sink() as sink:
            gate = Gate(smtp(sink))
            async with running(outbox, gate):
                await until(lambda: gate.waiting == 1)
                outbox.away.set()
                gate.open.set()
                await until(lambda: len(sink.taken) == 3)
                await asyncio.sleep(0.1)
                outbox.away.clear()
                await until(lambda: outbox.statuses() == ["sent"] * 3)
                outbox.away.set()
                await asyncio.sleep(0.1)
                outbox.away.clear()
                outbox.add(*letters(1))
                await until(lambda: outbox.statuses() == ["sent"] * 4)
    assert len(sink.taken) == 4
    assert {line["error"] for line in lines if line["event"] == "sender_error"} == {"OperationalError"}
    assert "swordfish is" not in "".join(str({**line, "where": ""}) for line in lines)


@in_loop
async def test_stop_does_not_wait_for_a_database_that_is_away(outbox: FileOutbox) -> None:
    outbox.away.set()
    async with Sink() as sink, running(outbox, smtp(sink), poll_seconds=60) as sender:
        await until(lambda: "claim" in outbox.calls)
        async with asyncio.timeout(2):
            await sender.stop()


@in_loop
async def test_a_letter_is_recorded_while_the_next_one_is_sent(outbox: FileOutbox) -> None:
    """Sent letters are recorded soon, because after a crash those that are not recorded are sent again."""
    outbox.add(*letters(2))
    async with Sink([TAKEN, HANG]) as sink, running(outbox, smtp(sink, timeout=2)):
        await until(lambda: len(sink.letters) == 2)
        await until(lambda: outbox.statuses() == ["sent", "waiting"])
        sink.hang_up()
    assert len(sink.taken) == 1


@in_loop
async def test_a_claim_that_finds_little_is_not_followed_by_another(
    outbox: FileOutbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a busy sender would commit for every letter.

    Meanwhile sent letters are recorded; `stop` does not wait.
    """
    monkeypatch.setattr(sender_module, "PACE", 60)
    outbox.add(*letters(1))
    async with Sink() as sink, running(outbox, smtp(sink)) as sender:
        await until(lambda: len(sink.taken) == 1)
        outbox.add(*letters(1))
        sender.wake()
        await until(lambda: outbox.statuses() == ["sent", "waiting"])
    assert outbox.calls.count("claim") == 1


@in_loop
async def test_what_was_sent_is_recorded_with_the_next_claim(
    outbox: FileOutbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One commit for a batch, not two."""
    monkeypatch.setattr(sender_module, "PATIENCE", 60)
    outbox.add(*letters(6, "ann@example.org", "bob@example.org"))
    async with Sink() as sink, running(outbox, smtp(sink), batch=2):
        await until(lambda: set(outbox.statuses()) == {"sent"})
        assert "sent_many" not in outbox.calls


@in_loop
async def test_a_bug_in_a_relay_loses_no_letter(outbox: FileOutbox) -> None:
    outbox.add(*letters(1))
    async with Sink() as sink:
        gate = Gate(smtp(sink))
        gate.open.set()
        gate.bugs = 1
        with capture_logs() as lines:
            async with running(outbox, gate):
                await until(lambda: outbox.statuses() == ["sent"])
    assert [attempts for _, _, attempts, _ in outbox.rows()] == [1]
    bug = next(line for line in lines if line["event"] == "sender_error")
    assert bug["error"] == "KeyError"
    assert "swordfish" not in str({**bug, "where": ""})


@in_loop
async def test_into_a_maildir(outbox: FileOutbox, tmp_path: Path) -> None:
    outbox.add(*letters(5, "ann@example.org", "bob@example.org"))
    async with running(outbox, open_relay(f"maildir:{tmp_path}/letters"), connections=4):
        await until(lambda: set(outbox.statuses()) == {"sent"})
    for name in ("ann", "bob"):
        files = sorted((tmp_path / "letters" / f"{name}@example.org" / "new").iterdir())
        assert [path.read_bytes() for path in files] == [b"%d\n" % n for n in range(5)]


class Gate:
    """A relay behind a gate.

    While it is open, letters pass, each after `seconds`. The first `bugs` letters meet a bug.
    """

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self.open = asyncio.Event()
        self.waiting = 0
        self.seconds = 0.0
        self.bugs = 0

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """Deliver a letter when the gate is open."""
        self.waiting += 1
        await self.open.wait()
        await asyncio.sleep(self.seconds)
        if self.bugs:
            self.bugs -= 1
            raise KeyError("swordfish")
        return await self._relay.deliver(letter, then)

    async def close(self) -> None:
        """Close the relay behind the gate."""
        await self._relay.close()
