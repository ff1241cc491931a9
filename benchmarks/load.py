"""The clients of the benchmarks: SMTP sessions that send prepared mails one after the other, without a library."""

import asyncio
import json
import re
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

#: Sessions from each of our addresses 127.0.0.n. Servers limit the sessions of one peer (ours: 20).
PER_ADDRESS = 16

#: How many seconds a run waits for its last letters.
PATIENCE = 120

_OK = (b"250", b"250", b"354")  # how the replies to MAIL, RCPT and DATA begin
_REPLY = re.compile(rb"(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r\n")  # RFC 5321 §4.2.1


@dataclass(frozen=True)
class Mail:
    """A mail with its envelope."""

    sender: str
    recipient: str
    data: bytes

    @property
    def commands(self) -> tuple[bytes, bytes, bytes]:
        """Return all commands before the message itself."""
        return f"MAIL FROM:<{self.sender}>\r\n".encode(), f"RCPT TO:<{self.recipient}>\r\n".encode(), b"DATA\r\n"


class Session(asyncio.Protocol):
    """One connection over which mails are sent, each as soon as the last one has got its 250.

    As mail servers do, it sends MAIL, RCPT and DATA together if the server offers this (RFC 2920), otherwise one
    after the other. `accepted` gets one (begin, end) for each mail, in seconds of the monotonic clock.
    """

    def __init__(self, mails: Sequence[Mail]) -> None:
        self.accepted: asyncio.Future[list[tuple[float, float]]] = asyncio.get_running_loop().create_future()
        self._expected = deque([b"220"])
        self._buffer = b""
        self._may_pipeline = False
        self._steps = self._talk(mails)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the banner."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take the next step after all replies to the last one have come."""
        self._buffer += data
        while found := _REPLY.match(self._buffer):
            self._buffer = self._buffer[found.end() :]
            expected = self._expected.popleft() if self._expected else b"nothing"
            if not found[0].startswith(expected):
                self._fail(f"expected {expected.decode()}, got {found[0].decode(errors='replace')}")
                return
            self._may_pipeline |= b"PIPELINING" in found[0]
        if not self._expected:
            self._step()

    def connection_lost(self, error: Exception | None) -> None:
        """Fail if the connection is lost before the end."""
        self._fail(f"the connection was lost: {error}")

    def _step(self) -> None:
        data, expected = next(self._steps, (b"", ()))
        self._expected.extend(expected)
        self._transport.write(data)

    def _talk(self, mails: Sequence[Mail]) -> Iterator[tuple[bytes, Sequence[bytes]]]:
        """Yield what is sent, and how the replies to it must begin."""
        yield b"EHLO bench.example\r\n", [b"250"]
        times = []
        for mail in mails:
            began = time.perf_counter()
            if self._may_pipeline:
                yield b"".join(mail.commands), _OK
            else:
                yield from ((command, [ok]) for command, ok in zip(mail.commands, _OK, strict=True))
            yield mail.data + b".\r\n", [b"250"]
            times.append((began, time.perf_counter()))
        yield b"QUIT\r\n", [b"221"]
        self.accepted.set_result(times)
        self._transport.close()

    def _fail(self, why: str) -> None:
        if not self.accepted.done():
            self.accepted.set_exception(ConnectionError(why))
            self._transport.close()


@dataclass(frozen=True)
class Run:
    """The times of one run, in seconds: from the first command to the last letter, and for each mail."""

    seconds: float
    accepting: float  #: from the first command to the last 250
    accepted: list[float]  #: from MAIL to the 250
    delivered: list[float]  #: from MAIL until the 250 and the last letter about it


async def play(
    port: int, relay: int, work: Sequence[Sequence[Mail]], readers: Sequence[Sequence[str]], *, fresh: bool = False
) -> Run:
    """Send the mails of each session, and wait until the letters about all of them have come to the relay.

    `readers` are the recipients of letters about each mail of a session; there may be none. With `fresh`, each mail
    has a new connection.
    """
    sessions = await asyncio.gather(*(_session(port, n, mails, fresh) for n, mails in enumerate(work)))
    arrived = await _letters(relay, sum(len(who) * len(mails) for who, mails in zip(readers, work, strict=True)))
    done = [end for who, times in zip(readers, sessions, strict=True) for end in _done(times, who, arrived)]
    accepted = [both for times in sessions for both in times]
    began = min(began for began, _ in accepted)
    return Run(
        max(done) - began,
        max(end for _, end in accepted) - began,
        [end - began for began, end in accepted],
        [end - began for (began, _), end in zip(accepted, done, strict=True)],
    )


def _done(
    times: Sequence[tuple[float, float]], readers: Sequence[str], arrived: Mapping[str, Sequence[float]]
) -> list[float]:
    """Return when each mail of a session had its 250 and its letters.

    The n-th letter to a reader is about the n-th mail.
    """
    return [max(moments) for moments in zip([end for _, end in times], *(arrived[r] for r in readers), strict=True)]


async def _session(port: int, number: int, mails: Sequence[Mail], fresh: bool) -> list[tuple[float, float]]:
    source = (f"127.0.0.{1 + number // PER_ADDRESS}", 0)
    found: list[tuple[float, float]] = []
    for part in [[mail] for mail in mails] if fresh else [mails]:
        began = time.perf_counter()
        create = asyncio.get_running_loop().create_connection
        _, session = await create(lambda part=part: Session(part), "127.0.0.1", port, local_addr=source)  # type: ignore[misc]
        times = await session.accepted
        found += [(began, end) for _, end in times] if fresh else times
    return found


async def _letters(relay: int, count: int) -> dict[str, list[float]]:
    """Wait for all letters of a run. Return when they came, by recipient."""
    reader, writer = await asyncio.open_connection("127.0.0.1", relay, limit=2**26)
    await reader.readline()
    writer.write(b"TAKE %d\r\n" % count)
    async with asyncio.timeout(PATIENCE):
        line = await reader.readline()
    writer.close()
    arrived = defaultdict(list)
    for recipient, at in json.loads(line):
        arrived[recipient].append(at)
    return arrived
