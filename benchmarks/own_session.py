"""A session on asyncio alone, beside the one on aiosmtpd: the way out, tried and measured (ADR 95).

No server of ours uses it, but `python -m benchmarks.own_session serve` does, and wire.py compares the two. The tests of
the wire pass with it: `SESSION=own python -m pytest tests/mail/smtp`. It uses no private name of asyncio, because it is
a protocol with a buffer of its own: a stream keeps what was sent in clear text behind STARTTLS, and does not tell
whether another command has come.
"""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import NoReturn, cast

from pbmserv.cli import entry
from pbmserv.mail.envelope import BUSY, TRY_AGAIN, Incoming
from pbmserv.mail.smtp import listener, session
from pbmserv.mail.smtp.intake import LEAVING, Intake, log_error
from pbmserv.mail.smtp.lmtp import FORWARDED
from pbmserv.mail.smtp.session import COMMAND_LINE, ENDLESS, TIME_IS_UP, is_from_here

_END = b"\r\n.\r\n"
_MOST_UNKNOWN = 5  #: commands, until we hang up
_UNKNOWN = "500 5.5.2 Error: command not recognized"
_TOO_LONG = "500 5.5.2 Command line too long"
_OK = "250 2.0.0 OK"


@dataclass
class _Envelope:
    """A transaction. `sender` is None before MAIL."""

    sender: str | None = None
    rcpts: list[str] = field(default_factory=list)


class _Refusal(Exception):
    """A command is answered with this reply and has no effect."""


class OwnSmtp(asyncio.Protocol):
    """One SMTP session (RFC 5321)."""

    protocol_name = "ESMTP"
    greeting = "HELO"  #: the command that a client without a greeting is told to send
    extensions: tuple[str, ...] = ()
    task: "asyncio.Task[None]"
    _alarm: asyncio.TimerHandle

    def __init__(self, intake: Intake, hostname: str, tls: ssl.SSLContext | None = None) -> None:
        self._intake, self._limits, self._hostname, self._tls = intake, intake.limits, hostname, tls
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._more = asyncio.Event()
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._held = b""  # replies that go out together with the next one
        self._unfinished = 0  # bytes since the last line end
        self._unknown = 0
        self._in_data = self._in_handshake = self._is_safe = self._is_extended = self._has_greeted = False
        self._envelope = _Envelope()
        self.commands: dict[bytes, Callable[[str], str]] = {
            b"HELO": self._helo,
            b"EHLO": self._ehlo,
            b"MAIL": self._mail,
            b"RCPT": self._rcpt,
            b"RSET": self._rset,
            b"NOOP": lambda _: _OK,
            b"VRFY": lambda _: "252 2.5.0 Cannot verify, but mail to our addresses is taken",
            b"EXPN": lambda _: "502 5.5.1 EXPN not implemented",
            b"HELP": self._help,
        }

    # --- what the listener asks ---------------------------------------------------------------------------------------

    @property
    def idle(self) -> bool:
        """Whether the session has no transaction now."""
        return self._envelope.sender is None

    def hang_up(self, reply: str) -> None:
        """End the session with `reply`. A running commit goes on."""
        if self.transport.is_closing():
            return
        if self._in_handshake:
            self.transport.abort()
        else:
            self.transport.write(self._held + reply.encode() + b"\r\n")
            self.transport.close()
        self.task.cancel()
        self._alarm.cancel()
        self._alarm = self._loop.call_later(session.GRACE, self.transport.abort)

    # --- what the loop calls ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or refuse a connection over the limit."""
        self.transport = cast(asyncio.Transport, transport)
        name = transport.get_extra_info("peername")
        self.peer = str(name[0]) if isinstance(name, tuple) else ""
        if refusal := self._intake.refusal(self.peer):
            self.transport.set_protocol(asyncio.Protocol())
            self.transport.write(refusal.encode() + b"\r\n")
            self.transport.close()
            return
        self._intake.sessions.add(self)
        self._alarm = self._loop.call_later(self._limits.session_seconds, self.hang_up, TIME_IS_UP)
        self.task = self._loop.create_task(self._converse())
        self.task.add_done_callback(self._leave)

    def data_received(self, data: bytes) -> None:
        """Keep what came. Hang up if a command line does not end; read no more while much is unread."""
        end = data.rfind(b"\n")
        self._unfinished = len(data) - end - 1 + (self._unfinished if end < 0 else 0)
        self._buffer += data
        if self._unfinished > self._limits.line and not self._in_data:
            self._loop.call_soon(self.hang_up, ENDLESS)  # after the commands before it
        elif len(self._buffer) > 2 * self._limits.line:
            self.transport.pause_reading()
        self._more.set()

    def eof_received(self) -> None:
        """End: whoever closes one side wants no reply."""
        self.task.cancel()

    def connection_lost(self, error: Exception | None) -> None:
        """End."""
        self._alarm.cancel()
        self.task.cancel()

    def pause_writing(self) -> None:
        """Wait with the next reply."""
        self._may_write.clear()

    def resume_writing(self) -> None:
        """Go on."""
        self._may_write.set()

    def _leave(self, _: "asyncio.Task[None]") -> None:
        self._intake.sessions.discard(self)
        self.transport.close()

    # --- the conversation ---------------------------------------------------------------------------------------------

    async def _converse(self) -> None:
        await self._say(
            f"220 {self._hostname} {' '.join(filter(None, (self.protocol_name, 'pbmserv', self._intake.instance)))}"
        )
        while True:
            try:
                await self._say(await self._answer(await self._line()))
            except _Refusal as refusal:
                await self._say(str(refusal))
            except ConnectionError:  # a handshake that failed
                return
            except Exception as error:
                log_error(error, self.peer)
                self._envelope = _Envelope()
                await self._say(TRY_AGAIN)

    async def _say(self, reply: str) -> None:
        """Send a reply; with the next one, if the next command has come already (RFC 2920 §3.2)."""
        if not reply:
            return
        self._held += reply.encode() + b"\r\n"
        if reply.startswith("250 2.1.") and b"\n" in self._buffer:
            return
        self.transport.write(self._held)
        self._held = b""
        await self._may_write.wait()

    async def _end(self, reply: str) -> NoReturn:
        self.hang_up(reply)
        await asyncio.sleep(0)  # the task, which was cancelled, ends here
        raise asyncio.CancelledError

    async def _line(self) -> bytes:
        """Return the next command without its line end. Raises _Refusal if it is too long."""
        begin = 0
        while (end := self._buffer.find(b"\n", begin)) < 0:
            begin = len(self._buffer)
            await self._wait()
        line = bytes(self._buffer[:end]).rstrip(b"\r")
        del self._buffer[: end + 1]
        if len(line) > COMMAND_LINE:
            raise _Refusal(_TOO_LONG)
        return line

    async def _wait(self) -> None:
        """Wait for more than is in the buffer."""
        self._more.clear()
        self.transport.resume_reading()
        await self._more.wait()

    async def _answer(self, line: bytes) -> str:
        verb, _, rest = line.partition(b" ")
        words = rest.strip().decode("utf-8", "surrogateescape")
        match verb.upper():
            case b"DATA":
                return await self._data(words)
            case b"MAIL" if self._intake.leaving:
                await self._end(LEAVING)
            case b"STARTTLS" if self._tls and not words:
                return await self._starttls(self._tls)
            case b"STARTTLS":
                return "501 5.5.4 Syntax: STARTTLS" if words else "454 4.7.0 TLS not available"
            case b"QUIT" if not words:
                self.transport.write(self._held + b"221 2.0.0 Bye\r\n")
                self.task.cancel()
                await asyncio.sleep(0)
            case known if known in self.commands:
                return self.commands[known](words)
        return await self._refuse_unknown()

    async def _refuse_unknown(self) -> str:
        self._unknown += 1
        if self._unknown >= _MOST_UNKNOWN:
            await self._end("502 5.5.1 Too many unrecognized commands, goodbye.")
        return _UNKNOWN

    # --- commands: each returns its reply, or raises _Refusal ---------------------------------------------------------

    def _helo(self, name: str) -> str:
        self._greeted(name, "HELO", extended=False)
        return f"250 {self._hostname}"

    def _ehlo(self, name: str) -> str:
        self._greeted(name, "EHLO", extended=True)
        words = [self._hostname, "PIPELINING", "ENHANCEDSTATUSCODES", *self.extensions]
        words += [f"SIZE {self._limits.message}", "8BITMIME", "SMTPUTF8"]
        if self._tls and not self._is_safe:
            words.append("STARTTLS")
        return "\r\n".join([*(f"250-{word}" for word in words[:-1]), f"250 {words[-1]}"])

    def _greeted(self, name: str, command: str, *, extended: bool) -> None:
        if not name:
            raise _Refusal(f"501 5.5.4 Syntax: {command} hostname")
        self._has_greeted, self._is_extended, self._envelope = True, extended, _Envelope()

    def _demand_greeting(self) -> None:
        if not self._has_greeted:
            raise _Refusal(f"503 5.5.1 Error: send {self.greeting} first")

    def _mail(self, words: str) -> str:
        self._demand_greeting()
        path, parameters = self._path(words, "MAIL FROM:")
        if self._envelope.sender is not None:
            raise _Refusal("503 5.5.1 Error: nested MAIL command")
        self._check(parameters)
        if self._intake.busy:
            return BUSY
        self._envelope.sender = path
        return "250 2.1.0 Sender ok"

    def _check(self, parameters: dict[str, str | None]) -> None:
        """Check the parameters of MAIL (RFC 1870, 6152, 6531)."""
        if parameters.pop("BODY", "7BIT") not in ("7BIT", "8BITMIME"):
            raise _Refusal("501 5.5.4 Error: BODY can only be one of 7BIT, 8BITMIME")
        if parameters.pop("SMTPUTF8", None) is not None:
            raise _Refusal("501 5.5.4 Error: SMTPUTF8 takes no arguments")
        size = parameters.pop("SIZE", "0")
        if size is None or not (size.isascii() and size.isdecimal()):
            raise _Refusal("501 5.5.4 Syntax: MAIL FROM: <address> [SP <mail-parameters>]")
        if len(size) > 20 or int(size) > self._limits.message:
            raise _Refusal("552 5.3.4 Error: message size exceeds fixed maximum message size")
        if parameters:
            raise _Refusal("555 5.5.4 MAIL FROM parameters not recognized or not implemented")

    def _rcpt(self, words: str) -> str:
        self._demand_greeting()
        if self._envelope.sender is None:
            raise _Refusal("503 5.5.1 Error: need MAIL command")
        path, parameters = self._path(words, "RCPT TO:")
        if parameters:
            raise _Refusal("555 5.5.4 RCPT TO parameters not recognized or not implemented")
        if not path:
            raise _Refusal("501 5.1.3 A recipient cannot be empty")
        if len(self._envelope.rcpts) >= self._limits.recipients:
            raise _Refusal("452 4.5.3 Too many recipients")
        if not self._intake.accepts(path):
            raise _Refusal("550 5.1.1 No such address here")
        self._envelope.rcpts.append(path)
        return "250 2.1.5 Recipient ok"

    def _path(self, words: str, command: str) -> tuple[str, dict[str, str | None]]:
        """Return the address, "" for the null path, and the parameters behind it (RFC 5321 §4.1.2)."""
        keyword = command.partition(" ")[2]
        if not words.upper().startswith(keyword):
            extended = " [SP <mail-parameters>]" if self._is_extended else ""
            raise _Refusal(f"501 5.5.4 Syntax: {command} <address>{extended}")
        found = session.PATH.fullmatch(words[len(keyword) :].strip())
        if not found:
            raise _Refusal("553 5.1.3 Error: malformed address")
        parts = [word.upper().partition("=") for word in (found[2] or "").split()]
        if (parts and not self._is_extended) or not all(
            name.isalnum() and bool(eq) == bool(v) for name, eq, v in parts
        ):
            raise _Refusal(f"501 5.5.4 Syntax: {command} <address>")
        return found[1], {name: value or None for name, _, value in parts}

    def _rset(self, words: str) -> str:
        if words:
            raise _Refusal("501 5.5.4 Syntax: RSET")
        self._envelope = _Envelope()
        return _OK

    def _help(self, words: str) -> str:
        if words.lower() == "status" and is_from_here(self.peer):
            return f"214 2.0.0 {self._intake.report()}"
        return "214 2.0.0 This is a play-by-mail game server. Send it a mail with the subject help"

    async def _starttls(self, context: ssl.SSLContext) -> str:
        """Begin TLS. What was sent in clear text behind the command is forgotten (RFC 3207 §4.2)."""
        if self._is_safe:
            return "503 5.5.1 TLS is active already"
        self._in_handshake = True
        self.transport.write(self._held + b"220 Ready to start TLS\r\n")
        self._held = b""
        self._buffer.clear()
        try:
            safe = await self._loop.start_tls(self.transport, self, context, server_side=True)
        except ssl.SSLError:
            raise ConnectionAbortedError from None
        if safe is None:
            raise ConnectionAbortedError
        self.transport, self._in_handshake, self._is_safe, self._has_greeted = safe, False, True, False
        self._envelope = _Envelope()
        return ""

    async def _data(self, words: str) -> str:
        self._demand_greeting()
        if words:
            return "501 5.5.4 Syntax: DATA"
        if not self._envelope.rcpts:
            return "503 5.5.1 Error: need RCPT command"
        await self._say("354 End data with <CR><LF>.<CR><LF>")
        self._in_data = True
        try:
            data = await self._message()
        finally:
            self._in_data = False
        mail = Incoming(data or b"", self._envelope.sender or "", tuple(self._envelope.rcpts), self.client())
        reply = await self._intake.decide(mail, self.peer, is_whole=data is not None)
        count, self._envelope = self.answers(), _Envelope()
        await self._say("\r\n".join([reply] * count))
        if self._intake.leaving:
            await self._end(LEAVING)
        return ""

    async def _message(self) -> bytes | None:
        """Read to CRLF.CRLF, and return the message without the extra dots; None if it is over the limit."""
        data, begin, size = bytearray(b"\r\n"), 0, 0  # the line end of the command itself
        most = self._limits.message * 4 // 3 + len(_END)  # the worst case: every line is a dot, which is sent as two
        while True:
            size += len(self._buffer)
            data += self._buffer
            self._buffer.clear()
            if (end := data.find(_END, begin)) >= 0:
                break
            begin = max(len(data) - len(_END) + 1, 0)
            if size > most:
                del data[:begin]
                begin = 0
            if size > most * session.PATIENCE:
                await self._end(ENDLESS)
            await self._wait()
        self._buffer += data[end + len(_END) :]
        size -= len(self._buffer)
        return bytes(data[: end + 2].replace(b"\r\n.", b"\r\n")[2:]) if size <= most else None

    def answers(self) -> int:
        """Return how many replies a message gets."""
        return 1

    def client(self) -> str:
        """Return the client for limits on its mails."""
        return self.peer


class OwnLmtp(OwnSmtp):
    """One LMTP session (RFC 2033)."""

    protocol_name = "LMTP"
    greeting = "LHLO"
    extensions = ("XFORWARD ADDR",)
    _forwarded = ""

    def __init__(self, intake: Intake, hostname: str, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(intake, hostname, tls)
        del self.commands[b"HELO"]
        self.commands[b"LHLO"] = self.commands.pop(b"EHLO")
        self.commands[b"XFORWARD"] = self._xforward

    def _xforward(self, words: str) -> str:
        if not self.idle:
            return "503 5.5.1 Error: a transaction is under way"
        addresses = [match[1] for word in words.split() if (match := FORWARDED.fullmatch(word))]
        self._forwarded = addresses[0] if addresses and _is_ip(addresses[0]) else ""
        return "250 2.0.0 Ok"

    def answers(self) -> int:
        """One for each recipient."""
        return len(self._envelope.rcpts)

    def client(self) -> str:
        """The client of our own MTA, which it tells for each message."""
        client, self._forwarded = self._forwarded, ""
        return client


def _is_ip(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def use() -> None:
    """Let listeners of this process use these sessions."""
    listener.Smtp, listener.Lmtp = OwnSmtp, OwnLmtp  # type: ignore[assignment,misc]


if __name__ == "__main__":
    use()
    entry.run()
