"""The clients of the benchmarks: SMTP sessions that play prebuilt mails one after the other, without a library."""

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: A server that bounds the sessions of one peer (ours: 20) sees so many from each of our addresses 127.0.0.n.
PER_ADDRESS = 16

#: Seconds for which a run waits for its last letters.
PATIENCE = 120

_EHLO = (b"EHLO bench.example\r\n", b"250")
_QUIT = (b"QUIT\r\n", b"221")


@dataclass(frozen=True)
class Mail:
    """A mail with its envelope."""

    sender: str
    recipient: str
    data: bytes

    @property
    def steps(self) -> tuple[tuple[bytes, bytes], ...]:
        """What is sent, and how the answer to it must begin."""
        return (
            (f"MAIL FROM:<{self.sender}>\r\n".encode(), b"250"),
            (f"RCPT TO:<{self.recipient}>\r\n".encode(), b"250"),
            (b"DATA\r\n", b"354"),
            (self.data + b".\r\n", b"250"),
        )


class Session(asyncio.Protocol):
    """One connection over which mails are sent, each as soon as the one before has got its 250.

    `accepted` becomes one (begin, end) for each mail, in seconds of the monotonic clock.
    """

    def __init__(self, mails: Sequence[Mail]) -> None:
        self.accepted: asyncio.Future[list[tuple[float, float]]] = asyncio.get_running_loop().create_future()
        self._steps = [_EHLO, *(step for mail in mails for step in mail.steps), _QUIT]
        self._next = 0
        self._expected = b"220"
        self._buffer = b""
        self._times: list[float] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the banner."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take the next step once the last line of a reply has come (RFC 5321 §4.2.1)."""
        self._buffer += data
        last = self._buffer.rstrip(b"\r\n").rpartition(b"\n")[2]
        if not self._buffer.endswith(b"\r\n") or last[3:4] == b"-":
            return
        reply, self._buffer = self._buffer, b""
        if reply.startswith(self._expected):
            self._step()
        else:
            self._fail(f"expected {self._expected.decode()}, got {reply.decode(errors='replace')}")

    def connection_lost(self, error: Exception | None) -> None:
        """It must not happen before the end."""
        self._fail(f"the connection was lost: {error}")

    def _step(self) -> None:
        if self._next == len(self._steps):
            ends = iter(self._times)
            self._finish(list(zip(ends, ends, strict=True)))
            return
        if self._next % 4 == 1:  # a mail begins here, and the one before has ended
            self._times += [time.perf_counter()] * (1 + (1 < self._next < len(self._steps) - 1))
        data, self._expected = self._steps[self._next]
        self._next += 1
        self._transport.write(data)

    def _finish(self, times: list[tuple[float, float]]) -> None:
        self.accepted.set_result(times)
        self._transport.close()

    def _fail(self, why: str) -> None:
        if not self.accepted.done():
            self.accepted.set_exception(ConnectionError(why))
            self._transport.close()


@dataclass(frozen=True)
class Run:
    """What one run measured, in seconds: from the first command to the last letter, and for each mail."""

    seconds: float
    accepting: float  #: until the last 250
    accepted: list[float]  #: from MAIL to the 250
    delivered: list[float]  #: from MAIL until the 250 and the last letter about it


async def play(
    port: int, relay: int, work: Sequence[Sequence[Mail]], readers: Sequence[Sequence[str]], *, fresh: bool = False
) -> Run:
    """Send the mails of each session, and wait until the letters about all of them have come to the relay.

    `readers`: who gets a letter about each mail of a session, perhaps nobody. `fresh`: a new connection for each mail.
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
    """When each mail of a session had its 250 and its letters: the n-th of each reader is about the n-th mail."""
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
    """When the letters of a run came, by recipient, once all are there."""
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
