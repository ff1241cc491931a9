"""Letters whose commands are sent together with the message before them (RFC 2920): a failure harms no other letter."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.smtp.client import SmtpRelay, Target
from pbmserv.mail.smtp.delivery import Deferred, Refused, RelayDown
from tests.tools.aio import in_loop, until
from tests.tools.sink import CUT, DISCONNECT, HANG, TAKEN, Sink

FAULTS = [
    ("451 4.3.0 later", Deferred),
    ("550 5.1.1 no such player", Refused),
    ("421 4.3.2 closing", RelayDown),
    ("nonsense", RelayDown),
    (DISCONNECT, RelayDown),
    (HANG, RelayDown),
]


def letter(number: int, domain: str = "example.org") -> Outgoing:
    """Return a letter that differs from all others."""
    return Outgoing(number, "pbmserv@example.org", f"player{number}@{domain}", b".letter %d\r\n" % number)


def pipelining(script: Sequence[str] = ()) -> Sink:
    """A server that accepts commands sent before it has replied to the last ones."""
    return Sink(script, extensions=["SIZE 1000000", "PIPELINING"])


@asynccontextmanager
async def sending(sink: Sink) -> AsyncIterator[SmtpRelay]:
    """A relay that sends to `sink`, with short timeouts."""
    async with sink:
        relay = SmtpRelay(Target("smtp", "127.0.0.1", sink.port), timeout=0.3)
        yield relay
        await relay.close()


def numbers(sink: Sink) -> list[int]:
    """Return the numbers of the letters that the sink has taken, in their order."""
    return [int(x.data.split()[1]) for x in sink.taken]


@in_loop
async def test_the_next_letter_has_begun_before_it_is_delivered() -> None:
    async with sending(sink := pipelining()) as relay:
        await relay.deliver(letter(1), letter(2))
        await until(lambda: sink.commands.count("DATA") == 2)
        await relay.deliver(letter(2), letter(3))
        await relay.deliver(letter(3))
    assert [(x.recipient, x.data) for x in sink.taken] == [
        (f"player{n}@example.org", b".letter %d\r\n" % n) for n in (1, 2, 3)
    ]
    assert sink.connections == 1
    assert sink.commands[-1] == "QUIT"


@in_loop
async def test_a_server_that_wants_one_command_at_a_time_gets_them_so() -> None:
    async with sending(sink := Sink()) as relay:
        await relay.deliver(letter(1), letter(2))
        assert sink.commands[-1] == "DATA"
        assert sink.commands.count("DATA") == 1
        await relay.deliver(letter(2))
    assert numbers(sink) == [1, 2]


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(("reply", "kind"), [*FAULTS, (CUT, RelayDown)])
@in_loop
async def test_what_is_said_to_the_announced_letter_is_about_that_letter(
    step: str, reply: str, kind: type[Exception]
) -> None:
    async with sending(sink := pipelining()) as relay:
        await relay.deliver(letter(1), letter(2))
        await until(lambda: sink.commands.count("DATA") == 2)
        sink.replies[step] = reply
        assert await relay.deliver(letter(2), letter(3)) == TAKEN[4:]
        with pytest.raises((Deferred, Refused)) as caught:
            await relay.deliver(letter(3), letter(4))
        assert caught.type is kind
        sink.replies.clear()
        await relay.deliver(letter(3))
    assert numbers(sink) == [1, 2, 3]


@pytest.mark.parametrize(("reply", "kind"), FAULTS)
@in_loop
async def test_what_is_said_to_a_message_is_not_about_the_next(reply: str, kind: type[Exception]) -> None:
    async with sending(sink := pipelining([TAKEN, reply])) as relay:
        await relay.deliver(letter(1), letter(2))
        with pytest.raises((Deferred, Refused)) as caught:
            await relay.deliver(letter(2), letter(3))
        assert caught.type is kind
        await relay.deliver(letter(3))
    assert numbers(sink) == [1, 3]
    assert [int(x.data.split()[1]) for x in sink.letters] == [1, 2, 3]
    assert sink.connections == (2 if kind is RelayDown else 1)


@in_loop
async def test_an_announced_letter_that_does_not_come() -> None:
    """Nothing is sent in its place, not even an empty message."""
    async with sending(sink := pipelining()) as relay:
        await relay.deliver(letter(1), letter(2))
        await relay.close()
        await relay.deliver(letter(3))
        await relay.deliver(letter(2))
    assert numbers(sink) == [1, 3, 2]
    assert len(sink.letters) == 3
    assert sink.connections == 2


@pytest.mark.parametrize("recipient", ["jörg@example.org", "ann@example.org> SIZE=1", "ann@example.org\r\nRSET"])
@in_loop
async def test_a_letter_that_cannot_be_announced_holds_up_no_other(recipient: str) -> None:
    bad = Outgoing(2, "pbmserv@example.org", recipient, b"2\r\n")
    async with sending(sink := pipelining()) as relay:
        await relay.deliver(letter(1), bad)
        with pytest.raises(Refused):
            await relay.deliver(bad, letter(3))
        await relay.deliver(letter(3))
    assert numbers(sink) == [1, 3]
    assert [sink.connections, sink.commands.count("RSET")] == [1, 0]


@in_loop
async def test_a_server_that_hangs_up_between_two_letters() -> None:
    """Some servers take only so many letters over one connection. That is no error."""
    async with sending(sink := pipelining()) as relay:
        await relay.deliver(letter(1), letter(2))
        await until(lambda: sink.commands.count("DATA") == 2)
        sink.hang_up()
        await until(lambda: not relay._announced[2].wire.open)
        await relay.deliver(letter(2))
    assert numbers(sink) == [1, 2]
    assert sink.connections == 2
