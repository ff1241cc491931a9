# ruff: noqa: N802 - the library finds commands and hooks by names like smtp_DATA
"""One SMTP or LMTP session (RFC 5321, RFC 2033). The protocol is aiosmtpd's; each override says what was lacking.

A 250 is said only after `submit` has committed, and a commit once begun is never cancelled: not by a disconnect, not
by a timeout, not by a shutdown. Which envelopes are taken is said in intake.py. The private names of aiosmtpd that are
touched here are listed in tests/mail/smtp/test_private_names.py.
"""

import asyncio
import logging
import re
import ssl
from collections import defaultdict
from typing import Any, cast

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, TLSSetupException, syntax

from pbmserv.mail.envelope import BARE_LINE_END, TOO_LARGE, TRY_AGAIN, Incoming
from pbmserv.mail.smtp.intake import LEAVING, EnvelopeRules, Intake, log_error, noted

TIME_IS_UP = "421 4.4.2 Session took too long"
ENDLESS = "421 4.7.0 Far too much data"

#: Seconds a peer has to read our last reply before the connection is cut.
GRACE = 5.0

#: A message that is too large is read to its end, where clients expect the reply; but no more than this many limits.
PATIENCE = 64

#: Bytes of a command: RFC 5321 §4.5.3.1.4 and room for the parameters that EHLO offers.
COMMAND_LINE = 1024

_END = b"\r\n.\r\n"

#: RFC 5321 §4.1.2, more lenient about dots. A source route is read and ignored (appendix C).
_LOCAL = r'[^\s<>()\[\]:;@\\,"\x00-\x1f\x7f\ud800-\udfff]+|"(?:[^"\\\x00-\x1f\x7f\ud800-\udfff]|\\[ -~])*"'
_DOMAIN = r"[^\W_](?:[\w.-]*[^\W_])?|\[[A-Za-z0-9:.-]+\]"
_PATH = re.compile(rf"<(?:@[^\s:<>]+:)?((?:{_LOCAL})@(?:{_DOMAIN})|postmaster|)>(?: +([!-~ ]*))?", re.IGNORECASE)

#: The enhanced codes (RFC 2034, RFC 3463) of replies that the library words without one.
_ENHANCED = {
    "221": "2.0.0", "250": "2.0.0", "454": "4.7.0", "500": "5.5.2", "501": "5.5.4",
    "502": "5.5.1", "503": "5.5.1", "552": "5.3.4", "554": "5.7.0", "555": "5.5.4",
}  # fmt: skip
_ADDRESS_OK = b"250 2.1."  # of MAIL and RCPT
_HAS_ENHANCED = re.compile(r"[245]\.\d+\.\d+ ")
_QUOTED = re.compile(r' ".*"', re.DOTALL)

_library = logging.getLogger("mail.log")
_library.setLevel(logging.WARNING)  # below that, the library logs commands and data
# Of its warnings, one quotes the client, and that may be a line of a message.
_library.addFilter(lambda record: "unrecognised" not in record.getMessage())


class Smtp(SMTP):
    """One SMTP session."""

    #: What the banner calls us: the protocol, neither the library's name nor a version.
    protocol_name = "ESMTP"
    _in_data = False
    _unfinished = 0  # bytes that came since the last line end
    _held = b""  # replies that go out together with the next one

    def __init__(self, intake: Intake, hostname: str, tls: ssl.SSLContext | None = None) -> None:
        self._intake = intake
        self._limits = intake.limits
        self.line_length_limit = intake.limits.line  # the library gives its reader a buffer of this size
        super().__init__(
            EnvelopeRules(intake),
            data_size_limit=intake.limits.message,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident=self.protocol_name,
            tls_context=tls,
            timeout=intake.limits.session_seconds,
            loop=asyncio.get_running_loop(),
        )
        # The library keeps these in one dictionary of the class, where every EHLO on any connection raises them.
        self.command_size_limits = defaultdict(lambda: COMMAND_LINE)
        del self._smtp_methods["AUTH"]  # nobody has an account here

    @property
    def peer(self) -> str:
        """The address of the other side, without its port; "" on a Unix socket."""
        return _address(self.session.peer if self.session else None)

    @property
    def task(self) -> "asyncio.Task[None]":
        """What runs the session and ends with it."""
        return cast("asyncio.Task[None]", self._handler_coroutine)

    @property
    def idle(self) -> bool:
        """Whether no transaction is under way."""
        return self.envelope is None or self.envelope.mail_from is None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Refuse connections over the limit: the library takes any number. It calls this again once TLS runs."""
        if self in self._intake.sessions:
            super().connection_made(transport)
        elif refusal := self._intake.refusal(_address(transport.get_extra_info("peername"))):
            _turn_away(cast(asyncio.Transport, transport), refusal)
        else:
            super().connection_made(transport)
            self._intake.sessions.add(self)
            self.task.add_done_callback(self._leave)

    def _leave(self, _: "asyncio.Task[None]") -> None:
        """Close the connection. The library's task does so, too, but not if it was cancelled before it began."""
        self._intake.sessions.discard(self)
        if self.transport is not None:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Hang up at a command line that does not end: the library would read and drop it for ever."""
        end = data.rfind(b"\n")
        self._unfinished = len(data) - end - 1 + (self._unfinished if end < 0 else 0)
        if self._unfinished > self._limits.line and not self._in_data:
            self.hang_up(ENDLESS)
        super().data_received(data)

    def hang_up(self, reply: str) -> None:
        """End the session with `reply`; a commit under way goes on."""
        transport = cast(asyncio.Transport, self.transport)
        if transport is None or transport.is_closing():
            return
        transport.write(self._held + reply.encode() + b"\r\n")
        transport.close()
        self.task.cancel()
        cast(asyncio.TimerHandle, self._timeout_handle).cancel()
        # A peer that reads nothing would keep the connection for ever.
        self._timeout_handle = self.loop.call_later(GRACE, transport.abort)

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Start the clock once: the library starts it anew at every command, so that only pauses have a limit."""
        if self._timeout_handle is None:
            super()._reset_timeout(duration)

    def _timeout_cb(self) -> None:
        """Say why, where the library just closes."""
        self.hang_up(TIME_IS_UP)

    async def handle_exception(self, error: Exception) -> str:
        """Our fault is 451 in constant words; the library says 500 and quotes the exception."""
        if not isinstance(error, TLSSetupException):  # which is the peer's doing
            log_error(error, self.peer)
        self.envelope = self._create_envelope()
        return TRY_AGAIN

    async def push(self, status: str | bytes) -> None:
        """Send a reply with the enhanced code that RFC 2034 demands; bytes go out as they are. Nothing is logged."""
        reply = _enhanced(status).encode() if isinstance(status, str) else status
        self._held += reply + b"\r\n"
        if reply.startswith(_ADDRESS_OK) and b"\n" in cast(Any, self._reader)._buffer:
            return  # the next command has come already, so this reply goes out with the next one (RFC 2920 §3.2)
        self._writer.write(self._held)
        self._held = b""
        await self._writer.drain()

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """The address and the parameters of `<path> parameters`, None if malformed; "<>" stands for the null path.

        The library reads a path as a header's address: with comments, folding, one bracket only, and an IndexError.
        """
        found = _PATH.fullmatch(arg)
        return (found[1] or "<>", found[2] or "") if found else (None, None)

    @syntax("MAIL FROM: <address>", extended=" [SP <mail-parameters>]")
    async def smtp_MAIL(self, arg: str | None) -> None:
        """Begin no transaction during shutdown (RFC 5321 §3.8)."""
        if self._intake.leaving:
            self.hang_up(LEAVING)
            await asyncio.sleep(0)  # here the session's task, which was cancelled, ends
        await super().smtp_MAIL(arg)

    @syntax("STARTTLS", when="tls_context")
    async def smtp_STARTTLS(self, arg: str) -> None:
        """Begin TLS once: the library would begin it a second time inside itself."""
        if self._tls_protocol:
            await self.push("503 5.5.1 TLS is active already")
        else:
            await super().smtp_STARTTLS(arg)

    @syntax("VRFY <address>")
    async def smtp_VRFY(self, arg: str) -> None:
        """Tell nothing about addresses; the library echoes malformed ones."""
        await self.push("252 2.5.0 Cannot verify, but mail to our addresses is taken")

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:
        """Receive one message and answer once its fate is decided.

        The library's own keeps a line that does not end without bound, takes bare CR and LF, and answers once in LMTP.
        """
        if await self.check_helo_needed() or await self._refuse_data(arg):
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        reply = await self._decide(await self._receive())
        answer = "\r\n".join([reply] * self._answers())
        self.envelope = self._create_envelope()
        await self.push(answer)
        if self._intake.leaving:
            self.hang_up(LEAVING)

    async def _refuse_data(self, arg: str) -> bool:
        """Whether no message can begin now; then the client has been told why."""
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
        elif not cast(Envelope, self.envelope).rcpt_tos:
            await self.push("503 5.5.1 Error: need RCPT command")
        else:
            return False
        return True

    async def _receive(self) -> bytes | None:
        """The message without the dots of transparency (RFC 5321 §4.5.2); None if it is over the limit."""
        self._in_data = True
        try:
            data = await self._read_to_end()
        finally:
            self._in_data = False
        return data[: -len(b".\r\n")].removeprefix(b".").replace(b"\r\n.", b"\r\n") if data else None

    async def _read_to_end(self) -> bytes:
        """All up to CRLF.CRLF, as nothing else ends a message; b"" if it is over the limit.

        The first CRLF of an empty message is that of its DATA command.
        """
        data, size = bytearray(), 0
        most = self._limits.message * 4 // 3 + len(_END)  # if every line is a dot, which is sent as two
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
        """Some bytes; what ends a message ends a piece."""
        try:
            return await self._reader.readuntil(b".\r\n")
        except asyncio.LimitOverrunError as found:
            return await self._reader.readexactly(found.consumed)

    async def _decide(self, data: bytes | None) -> str:
        """The reply to a message."""
        envelope = cast(Envelope, self.envelope)
        if data is None or len(data) > self._limits.message or max(map(len, data.split(b"\r\n"))) > self._limits.line:
            return noted(self.peer, TOO_LARGE, len(data or b""))
        if not data.count(b"\r\n") == data.count(b"\r") == data.count(b"\n"):
            return noted(self.peer, BARE_LINE_END, len(data))
        sender = (envelope.mail_from or "").removeprefix("<>")
        return await self._intake.hand_in(Incoming(data, sender, tuple(envelope.rcpt_tos), self._client()))

    def _answers(self) -> int:
        """How many replies a message gets."""
        return 1

    def _client(self) -> str:
        """Whom limits on a client's mails may count; "" if the other side is our own MTA."""
        return self.peer


class Lmtp(LMTP, Smtp):
    """One LMTP session: greeted with LHLO, and every recipient of a message gets its own reply (RFC 2033 §4.2)."""

    protocol_name = "LMTP"

    async def check_helo_needed(self, helo: str = "LHLO") -> bool:
        """Name the greeting of this protocol."""
        return await super().check_helo_needed(helo)

    def _answers(self) -> int:
        return len(cast(Envelope, self.envelope).rcpt_tos)

    def _client(self) -> str:
        return ""


def _address(peername: Any) -> str:
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
