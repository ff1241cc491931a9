"""Mail transactions over a connection that has been opened and greeted: the client's side of RFC 5321 §3.3.

The package aiosmtplib opens the connection, with TLS and login; it then waits for the reply to every command. Here
MAIL, RCPT and DATA go out together where the server allows that (PIPELINING, RFC 2920), which halves what a letter
costs.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from pbmserv.mail.envelope import Outgoing

#: Octets of replies that nobody has read yet; no honest server comes near it.
_MOST = 64 * 1024


class Reply(NamedTuple):
    """A server's answer to a command: its code, and its text without the code."""

    code: int
    text: str

    @property
    def ok(self) -> bool:
        """Whether the command was done, or may go on (354)."""
        return 200 <= self.code < 400


class Disconnected(Exception):
    """The connection ended, or what came is no SMTP."""


class Wire(asyncio.Protocol):
    """Sends commands and gives back their replies, several at one time."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Take the connection over from the protocol that has opened it."""
        self._transport = transport
        self._buffer = b""
        self._replies: list[Reply] = []
        self._lines: list[str] = []
        self._lost: Disconnected | None = None
        self._waiting: tuple[int, asyncio.Future[None]] | None = None
        transport.set_protocol(self)

    @property
    def open(self) -> bool:
        """Whether commands can be sent, as far as is known."""
        return self._lost is None and not self._transport.is_closing()

    async def ask(self, data: bytes, count: int = 1) -> list[Reply]:
        """Send commands and wait for so many replies. Raises Disconnected."""
        if self._lost is None and (self._replies or self._lines):
            self._end("a reply came that nobody asked for")
        if not self.open:
            raise self._lost or Disconnected("the connection is closed")
        waiter = asyncio.get_running_loop().create_future()
        self._waiting = (count, waiter)
        self._transport.write(data)
        try:
            await waiter
        finally:
            self._waiting = None
        found, self._replies = self._replies[:count], self._replies[count:]
        return found

    def close(self) -> None:
        """Hang up."""
        self._transport.close()

    # --- what the loop calls -----------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read the replies that are complete."""
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            self._read(line)
        if len(self._buffer) + sum(map(len, self._lines)) > _MOST or len(self._replies) > _MOST // 100:
            self._end("its replies are too long")
        self._wake()

    def eof_received(self) -> None:
        """The server says no more."""
        self._end("the server hung up")

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._end("the connection was lost")

    def _read(self, line: bytes) -> None:
        text = line.rstrip(b"\r").decode("utf-8", "replace")
        code, mark = text[:3], text[3:4]
        if not (code.isascii() and code.isdecimal() and mark in ("", " ", "-")):
            return self._end("what it says is no SMTP")
        self._lines.append(text[4:].strip())
        if mark != "-":
            self._replies.append(Reply(int(code), "\n".join(self._lines)))
            self._lines = []
        return None

    def _end(self, why: str) -> None:
        self._lost = self._lost or Disconnected(why)
        self._transport.close()
        self._wake()

    def _wake(self) -> None:
        """Whoever waits goes on, if all that he waits for has come or will never come."""
        if self._waiting is None or self._waiting[1].done():
            return
        count, waiter = self._waiting
        if len(self._replies) >= count:
            waiter.set_result(None)
        elif self._lost:
            waiter.set_exception(self._lost)


async def begin(wire: Wire, letter: Outgoing, options: Sequence[str], *, pipelining: bool) -> Reply:
    """Name sender and recipient and ask to send the message: 354, or the first reply that says no."""
    words = " ".join((f"MAIL FROM:<{letter.mail_from}>", *options))
    lines = [f"{line}\r\n".encode() for line in (words, f"RCPT TO:<{letter.recipient}>", "DATA")]
    if not pipelining:
        return await _one_by_one(wire, lines)
    replies = await wire.ask(b"".join(lines), len(lines))
    refusal = next((reply for reply in replies if not reply.ok), None)
    if refusal and replies[-1].code == 354:  # it would take a message for nobody (RFC 2920 §3.1)
        await wire.ask(b".\r\n")
    return refusal or replies[-1]


async def finish(wire: Wire, data: bytes) -> Reply:
    """Send the message, whose lines end with CRLF; dots at their beginnings are doubled (RFC 5321 §4.5.2)."""
    stuffed = (b"\r\n" + data).replace(b"\r\n.", b"\r\n..")[2:]
    (reply,) = await wire.ask(stuffed + (b".\r\n" if stuffed.endswith(b"\r\n") else b"\r\n.\r\n"))
    return reply


async def _one_by_one(wire: Wire, lines: Sequence[bytes]) -> Reply:
    for line in lines:
        (reply,) = await wire.ask(line)
        if not reply.ok:
            break
    return reply
