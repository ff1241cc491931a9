# ruff: noqa: N802 - the library finds commands and hooks by names like smtp_DATA
"""One SMTP or LMTP session (RFC 5321, RFC 2033), based on aiosmtpd. Each override says what the library lacks.

A 250 is sent only after `submit` has committed. A commit that has begun is never cancelled: not by a disconnect, a
timeout or a shutdown. intake.py decides which envelopes are accepted. tests/mail/smtp/test_private_names.py lists the
private names of aiosmtpd that we use.
"""

import asyncio
import logging
import re
import ssl
from collections import defaultdict
from ipaddress import ip_address
from typing import cast

from aiosmtpd.smtp import SMTP, Envelope, Session, TLSSetupException

from pbmserv.mail.envelope import TRY_AGAIN, Incoming
from pbmserv.mail.smtp.intake import LEAVING, EnvelopeRules, Intake, log_error

TIME_IS_UP = "421 4.4.2 Session took too long"
ENDLESS = "421 4.7.0 Far too much data"

#: Seconds a peer has to read our last reply before the connection is cut.
GRACE = 5.0

#: A message that is too large is read to its end, because clients expect the reply there, but at most this many limits.
PATIENCE = 64

#: The longest command in bytes: RFC 5321 §4.5.3.1.4, plus room for the parameters that EHLO offers.
COMMAND_LINE = 1024

_END = b"\r\n.\r\n"

#: The timeout of the library, in seconds: it begins anew at every command, so only pauses would have a limit.
_NEVER = 1e6

#: A path of RFC 5321 §4.1.2, but dots may stand anywhere. A source route is ignored (appendix C).
_LOCAL = r'[^\s<>()\[\]:;@\\,"\x00-\x1f\x7f\ud800-\udfff]+|"(?:[^"\\\x00-\x1f\x7f\ud800-\udfff]|\\[ -~])*"'
_DOMAIN = r"[^\W_](?:[\w.-]*[^\W_])?|\[[A-Za-z0-9:.-]+\]"
PATH = re.compile(rf"<(?:@[^\s:<>]+:)?((?:{_LOCAL})@(?:{_DOMAIN})|postmaster|)>(?: +([!-~ ]*))?", re.IGNORECASE)

#: The enhanced codes (RFC 2034, RFC 3463) for replies of the library that have none.
_ENHANCED = {
    "221": "2.0.0", "250": "2.0.0", "454": "4.7.0", "500": "5.5.2", "501": "5.5.4",
    "502": "5.5.1", "503": "5.5.1", "552": "5.3.4", "554": "5.7.0", "555": "5.5.4",
}  # fmt: skip
_ADDRESS_OK = b"250 2.1."  # of MAIL and RCPT
_HAS_ENHANCED = re.compile(r"[245]\.\d+\.\d+ ")
_QUOTED = re.compile(r' ".*"', re.DOTALL)

_library = logging.getLogger("mail.log")
_library.setLevel(logging.WARNING)  # at lower levels the library logs commands and data
# One of its warnings quotes the client, which could be a line of a message.
_library.addFilter(lambda record: "unrecognised" not in record.getMessage())


class Smtp(SMTP):
    """One SMTP session."""

    #: The banner has the protocol, our name and which installation this is, but no version.
    protocol_name = "ESMTP"
    extensions: tuple[str, ...] = ()
    _in_data = False
    _alarm: asyncio.TimerHandle | None = None  # ends the session, and then the connection
    _unfinished = 0  # bytes since the last line end
    _held = b""  # replies that go out together with the next one

    def __init__(self, intake: Intake, hostname: str, tls: ssl.SSLContext | None = None) -> None:
        self._intake = intake
        self._limits = intake.limits
        self.line_length_limit = intake.limits.line  # the size of the library's read buffer
        super().__init__(
            EnvelopeRules(intake, self.extensions),
            data_size_limit=intake.limits.message,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident=" ".join(filter(None, (self.protocol_name, "pbmserv", intake.instance))),
            tls_context=tls,
            timeout=_NEVER,
            loop=asyncio.get_running_loop(),
        )
        # A copy, because the library's dictionary belongs to the class, and every EHLO on any connection changes it.
        self.command_size_limits = defaultdict(lambda: COMMAND_LINE)

    @property
    def peer(self) -> str:
        """The address of the other side, without its port; "" on a Unix socket."""
        return _address(self.session.peer if self.session else None)

    @property
    def task(self) -> "asyncio.Task[None]":
        """The task of the session."""
        return cast("asyncio.Task[None]", self._handler_coroutine)

    @property
    def idle(self) -> bool:
        """Whether the session has no transaction now."""
        return self.envelope is None or self.envelope.mail_from is None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Refuse connections over the limit, which the library lacks. It calls this again after STARTTLS."""
        if self in self._intake.sessions:
            super().connection_made(transport)
        elif refusal := self._intake.refusal(_address(transport.get_extra_info("peername"))):
            _turn_away(cast(asyncio.Transport, transport), refusal)
        else:
            super().connection_made(transport)
            self._intake.sessions.add(self)
            self._alarm = self.loop.call_later(self._limits.session_seconds, self.hang_up, TIME_IS_UP)
            self.task.add_done_callback(self._leave)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the end of the session's time."""
        if self._alarm:
            self._alarm.cancel()
        super().connection_lost(error)

    def _leave(self, _: "asyncio.Task[None]") -> None:
        """Close the connection. The library's task does this, too, but not if it was cancelled before it started."""
        self._intake.sessions.discard(self)
        if self.transport is not None:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Hang up if a command line does not end. The library would read it forever."""
        end = data.rfind(b"\n")
        self._unfinished = len(data) - end - 1 + (self._unfinished if end < 0 else 0)
        if self._unfinished > self._limits.line and not self._in_data:
            self.hang_up(ENDLESS)
        super().data_received(data)

    def hang_up(self, reply: str) -> None:
        """End the session with `reply`. A running commit goes on."""
        transport = cast(asyncio.Transport, self.transport)
        if transport is None or transport.is_closing():
            return
        transport.write(self._held + reply.encode() + b"\r\n")
        transport.close()
        self.task.cancel()
        if self._alarm:
            self._alarm.cancel()
        # A peer that reads nothing would keep the connection open forever.
        self._alarm = self.loop.call_later(GRACE, transport.abort)

    async def handle_exception(self, error: Exception) -> str:
        """Reply 451 with a constant text to a bug of ours. The library would reply 500 and quote the exception."""
        if not isinstance(error, TLSSetupException):  # this error is the peer's fault
            log_error(error, self.peer)
        self.envelope = Envelope()
        return TRY_AGAIN

    async def push(self, status: str | bytes) -> None:
        """Send a reply with the enhanced code that RFC 2034 requires. Bytes are sent unchanged."""
        reply = _enhanced(status).encode() if isinstance(status, str) else status
        self._held += reply + b"\r\n"
        if reply.startswith(_ADDRESS_OK) and b"\n" in self._reader._buffer:  # type: ignore[attr-defined]
            return  # the next command is already here, so send this reply together with the next one (RFC 2920 §3.2)
        held, self._held = self._held, b""
        await super().push(held.removesuffix(b"\r\n"))

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Return the address and parameters of `<path> parameters`; None if malformed, "<>" for the null path.

        The library parses a path like an address in a header, with comments, folding, a single bracket, or an
        IndexError.
        """
        match = PATH.fullmatch(arg)
        return (match[1] or "<>", match[2] or "") if match else (None, None)

    async def smtp_MAIL(self, arg: str | None) -> None:
        """Begin no transaction during shutdown (RFC 5321 §3.8)."""
        if self._intake.leaving:
            self.hang_up(LEAVING)
            await asyncio.sleep(0)  # the session's task, which was cancelled, ends here
        await super().smtp_MAIL(arg)

    async def smtp_STARTTLS(self, arg: str) -> None:
        """Begin TLS only once. The library would begin TLS again inside TLS."""
        if cast(Session, self.session).ssl is not None:
            await self.push("503 5.5.1 TLS is active already")
        else:
            await super().smtp_STARTTLS(arg)

    async def smtp_AUTH(self, arg: str) -> None:
        """Know no such command: there are no accounts."""
        await self.push("500 Error: command not recognized")

    async def smtp_VRFY(self, arg: str) -> None:
        """Give no information about addresses. The library would repeat malformed ones."""
        await self.push("252 2.5.0 Cannot verify, but mail to our addresses is taken")

    async def smtp_HELP(self, arg: str) -> None:
        """Tell programs on this machine, such as `pbmserv status`, whether the last commits succeeded."""
        if arg and arg.lower() == "status" and is_from_here(self.peer):
            await self.push(f"214 2.0.0 {self._intake.report()}")
        else:
            await self.push("214 2.0.0 This is a play-by-mail game server. Send it a mail with the subject help")

    async def smtp_DATA(self, arg: str) -> None:
        """Receive one message, and reply when its result is known.

        The library's version has no limit for a line that does not end, accepts bare CR and LF, and replies once in
        LMTP.
        """
        if await self.check_helo_needed() or await self._refuse_data(arg):
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        reply = await self._decide(await self._receive())
        answer = "\r\n".join([reply] * self._answers())
        self.envelope = Envelope()
        await self.push(answer)
        if self._intake.leaving:
            self.hang_up(LEAVING)

    async def _refuse_data(self, arg: str) -> bool:
        """Return whether no message can begin now. The client has then got the reason."""
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
        elif not cast(Envelope, self.envelope).rcpt_tos:
            await self.push("503 5.5.1 Error: need RCPT command")
        else:
            return False
        return True

    async def _receive(self) -> bytes | None:
        """Return the message without the extra dots of SMTP (RFC 5321 §4.5.2); None if it is over the limit."""
        self._in_data = True
        try:
            data = await self._read_to_end()
        finally:
            self._in_data = False
        return data[: -len(b".\r\n")].removeprefix(b".").replace(b"\r\n.", b"\r\n") if data else None

    async def _read_to_end(self) -> bytes:
        """Read to CRLF.CRLF, the only end of a message; b"" if it is over the limit.

        In an empty message, the first CRLF is that of its DATA command.
        """
        data, size = bytearray(), 0
        most = self._limits.message * 4 // 3 + len(_END)  # the worst case: every line is a dot, which is sent as two
        while data != b".\r\n" and not data.endswith(_END):
            piece = await self._read_piece()
            size += len(piece)
            data += piece
            if size > most:
                del data[: -len(_END)]
            if size > most * PATIENCE:
                self.hang_up(ENDLESS)
        return bytes(data) if size <= most else b""

    async def _read_piece(self) -> bytes:
        """Read some bytes. The end of a message always ends a piece."""
        try:
            return await self._reader.readuntil(b".\r\n")
        except asyncio.LimitOverrunError as overrun:
            return await self._reader.readexactly(overrun.consumed)

    async def _decide(self, data: bytes | None) -> str:
        """Return the reply to a message."""
        envelope = cast(Envelope, self.envelope)
        sender = (envelope.mail_from or "").removeprefix("<>")
        mail = Incoming(data or b"", sender, tuple(envelope.rcpt_tos), self._client())
        return await self._intake.decide(mail, self.peer, is_whole=data is not None)

    def _answers(self) -> int:
        """Return how many replies a message gets."""
        return 1

    def _client(self) -> str:
        """Return the client for limits on its mails; "" if the other side is our own MTA."""
        return self.peer


def is_from_here(peer: str) -> bool:
    """Return whether the other side is on this machine. On a Unix socket it has no address."""
    if not peer:
        return True
    address = ip_address(peer.partition("%")[0])
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _address(peername: object) -> str:
    return str(peername[0]) if isinstance(peername, tuple) else ""


def _turn_away(transport: asyncio.Transport, reply: str) -> None:
    """Answer a connection that gets no session."""
    transport.set_protocol(asyncio.Protocol())
    transport.write(reply.encode() + b"\r\n")
    transport.close()


def _enhanced(reply: str) -> str:
    """`reply` with its enhanced code, and without the words of the client that the library quotes."""
    code, _, text = reply.partition(" ")
    if code not in _ENHANCED or _HAS_ENHANCED.match(text):
        return reply
    return f"{code} {_ENHANCED[code]} {_QUOTED.sub('', text)}"
