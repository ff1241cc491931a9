"""Mail transactions over an open connection: the client's side of RFC 5321 §3.3.

The package aiosmtplib opens the connection, with TLS and login. It would wait for the reply to every command. If the
server supports PIPELINING (RFC 2920), we send MAIL, RCPT and DATA together, also together with the message before them.
So a letter takes one round trip.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from pbmserv.mail.envelope import Outgoing

#: The reply to DATA that asks for the message.
GO_ON = 354

#: The number of commands before a message.
_COMMANDS = 3

#: The most octets of an incomplete reply. Real servers need far fewer.
_MOST = 64 * 1024


class Reply(NamedTuple):
    """A server's reply to a command: its code, and its text without the code."""

    code: int
    text: str

    @property
    def ok(self) -> bool:
        """Whether the command succeeded, or can continue (354)."""
        return 200 <= self.code < 400


class Disconnected(Exception):
    """The connection ended, or the peer does not use SMTP."""


class Wire(asyncio.Protocol):
    """Sends commands and returns their replies in the same order. Several commands can be pending."""

    def __init__(self, transport: asyncio.Transport, timeout: float) -> None:
        """Take over the connection from the protocol that opened it. `timeout`: seconds for each reply."""
        self._transport = transport
        self._timeout = timeout
        self._loop = asyncio.get_running_loop()
        self._buffer = b""
        self._replies: deque[Reply] = deque()
        self._owed = 0
        self._lines: list[str] = []
        self._lost: Disconnected | None = None
        self._waiter: asyncio.Future[None] | None = None
        transport.set_protocol(self)

    @property
    def open(self) -> bool:
        """Whether the connection seems to be open."""
        return self._lost is None and not self._transport.is_closing()

    def send(self, data: bytes, count: int = 1) -> None:
        """Send commands that get `count` replies. Raises Disconnected."""
        if not self.open:
            raise self._lost or Disconnected("the connection is closed")
        self._owed += count
        self._transport.write(data)

    async def reply(self) -> Reply:
        """Return the next reply. Raises Disconnected, also on a timeout."""
        if not self._replies:
            await self._more()
        self._owed -= 1
        return self._replies.popleft()

    async def ask(self, data: bytes) -> Reply:
        """Send one command and return its reply. Raises Disconnected."""
        self.send(data)
        return await self.reply()

    def close(self) -> None:
        """Hang up."""
        self._transport.close()

    # --- what the loop calls -----------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read the replies that are complete."""
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            self._read(line)
        incomplete = 1 if self._lines else 0  # a reply of several lines whose last line has not arrived
        if len(self._buffer) + sum(map(len, self._lines)) > _MOST:
            self._end("its replies are too long")
        elif len(self._replies) + incomplete > self._owed:
            self._end("a reply came that nobody asked for")
        self._wake()

    def eof_received(self) -> None:
        """Note that the server has closed its side."""
        self._end("the server hung up")

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is closed."""
        self._end("the connection was lost")

    def _read(self, line: bytes) -> None:
        if self._lost:
            return  # because of a line before this one
        # PostgreSQL stores no NUL. If it could not write a receipt down, no letter would be sent any more.
        text = line.decode("utf-8", "replace").replace("\0", "\ufffd").rstrip()
        code, mark = text[:3], text[3:4]
        if not (code.isascii() and code.isdecimal() and mark in ("", " ", "-")):
            self._end("what it says is no SMTP")
            return
        self._lines.append(text[4:].lstrip())
        if mark != "-":
            self._replies.append(Reply(int(code), "\n".join(self._lines)))
            self._lines = []

    async def _more(self) -> None:
        """Wait until there is a reply."""
        if self._lost:
            raise self._lost
        self._waiter = self._loop.create_future()
        alarm = self._loop.call_later(self._timeout, self._end, "it did not answer in time")
        try:
            await self._waiter
        finally:
            self._waiter = None
            alarm.cancel()

    def _end(self, why: str) -> None:
        self._lost = self._lost or Disconnected(why)
        self._transport.close()
        self._wake()

    def _wake(self) -> None:
        """Wake up the waiting caller if a reply has arrived or will never arrive."""
        if self._waiter is None or self._waiter.done():
            return
        if self._replies:
            self._waiter.set_result(None)
        elif self._lost:
            self._waiter.set_exception(self._lost)


def opening(letter: Outgoing, options: Sequence[str]) -> list[bytes]:
    """Return the commands MAIL, RCPT and DATA."""
    words = " ".join((f"MAIL FROM:<{letter.mail_from}>", *options))
    return [f"{line}\r\n".encode() for line in (words, f"RCPT TO:<{letter.recipient}>", "DATA")]


def message(data: bytes) -> bytes:
    """Return the message for sending: CRLF line ends, and doubled dots at line starts (RFC 5321 §4.5.2)."""
    stuffed = (b"\r\n" + data).replace(b"\r\n.", b"\r\n..")[2:]
    return stuffed + (b".\r\n" if stuffed.endswith(b"\r\n") else b"\r\n.\r\n")


async def begin(wire: Wire, lines: Sequence[bytes], *, pipelining: bool) -> Reply:
    """Send the commands of `opening`. Returns 354, or the first refusal."""
    if pipelining:
        wire.send(b"".join(lines), len(lines))
        return await begun(wire)
    for line in lines:
        reply = await wire.ask(line)
        if not reply.ok:
            break
    return reply


async def begun(wire: Wire) -> Reply:
    """Read the replies to the commands of `opening` that were sent together. Returns 354, or the first refusal."""
    replies = [await wire.reply() for _ in range(_COMMANDS)]
    refusal = next((reply for reply in replies if not reply.ok), None)
    if refusal and replies[-1].code == GO_ON:  # the server would accept a message without recipients (RFC 2920 §3.1)
        await wire.ask(b".\r\n")
    return refusal or replies[-1]
