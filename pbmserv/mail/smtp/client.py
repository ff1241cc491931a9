"""A relay that is an SMTP or LMTP server. Its connections are kept open and used again."""

import asyncio
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, cast

import aiosmtplib
from aiosmtplib import SMTPException
from aiosmtplib.email import parse_address

from pbmserv.mail.envelope import PLAIN_ADDRESS, Outgoing
from pbmserv.mail.oauth.oauth_settings import LoginTrouble, Tokens, hidden
from pbmserv.mail.smtp.delivery import Deferred, NoLogin, Refused, RelayDown, RelayLimit
from pbmserv.mail.smtp.relay_refusals import is_limit
from pbmserv.mail.smtp.wire import GO_ON, Disconnected, Reply, Wire, begin, begun, message, opening

#: The timeout in seconds for connecting, and for each reply.
TIMEOUT = 60.0

#: Seconds after which an idle connection is not used again, because firewalls drop idle connections.
IDLE = 60.0

#: Replies about the session and not about the letter: closing, bad sequence, login required.
_SESSION_TROUBLE = {421, 503, 530}

_TAKEN = 250
_GOODBYES = {421, 521}  #: replies of a server that is about to hang up


@dataclass(frozen=True)
class Target:
    """A server for letters, with login data."""

    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)


class _LmtpClient(aiosmtplib.SMTP):
    """LMTP for a client with one recipient: SMTP with another greeting (RFC 2033 §4.1)."""

    async def execute_command(self, *words: bytes, **options: Any) -> aiosmtplib.SMTPResponse:
        """Greet with LHLO."""
        greeting = words[0] == b"EHLO"
        return await super().execute_command(*((b"LHLO", *words[1:]) if greeting else words), **options)


@dataclass
class _Connection:
    """A connection to the relay, greeted and logged in."""

    client: aiosmtplib.SMTP  #: the library's client, which opened the connection and knows the server's extensions
    wire: Wire
    used: float = 0.0  #: when it was last used (the monotonic clock)

    @property
    def pipelining(self) -> bool:
        """Whether several commands can be sent together."""
        return self.client.supports_extension("pipelining")

    def options(self, letter: Outgoing) -> list[str]:
        """The parameters of MAIL (RFC 1870, 6152, 6531). Raises Refused."""
        if not (_is_plain(letter.mail_from) and _is_plain(letter.recipient)):
            raise Refused("the address cannot be written in an SMTP command")
        can = self.client.supports_extension
        options = [f"SIZE={len(letter.data)}"] if can("size") else []
        if can("8bitmime") and not letter.data.isascii():
            options.append("BODY=8BITMIME")
        if not (letter.mail_from + letter.recipient).isascii():
            if not can("smtputf8"):
                raise Refused("the relay takes no addresses with letters beyond ASCII")
            options.append("SMTPUTF8")
        return options


class SmtpRelay:
    """Delivers to one server. It keeps one connection for each concurrent delivery."""

    def __init__(self, target: Target, timeout: float = TIMEOUT, tokens: Tokens | None = None) -> None:
        """`tokens`: what logs in instead of a password (XOAUTH2)."""
        self._target = target
        self._timeout = timeout
        self._tokens = tokens
        self._shown = ""  #: the last token, which the server could echo
        self._kept: list[_Connection] = []
        self._announced: dict[int, _Connection] = {}  #: letter number -> the connection that has announced it

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """Deliver as in `Relay.deliver`. The receipt is the server's reply."""
        connection, reply = await self._begin(letter)
        with self._in_hand(connection):
            if reply.code != GO_ON:  # a 250 here would not be about the message, which was not sent
                await self._recover(connection, reply)
                raise _verdict(reply)
            announced = self._send(connection, letter, then)
            reply = await connection.wire.reply()
            await self._keep(connection, reply, announced)
            if reply.code != _TAKEN:
                raise _verdict(reply)
        return _printable(reply.text)

    async def close(self) -> None:
        """Quit all idle connections. Hang up those that have announced a letter."""
        while self._announced:
            self._announced.popitem()[1].wire.close()
        while self._kept:
            wire = self._kept.pop().wire
            with suppress(Disconnected, TimeoutError):
                await asyncio.wait_for(wire.ask(b"QUIT\r\n"), min(self._timeout, 5.0))
            wire.close()

    async def probe(self) -> str:
        """Connect, greet, begin TLS and log in, as set. Returns the result as text. Raises RelayDown."""
        self._kept.append(await self._connect())
        await self.close()
        return f"{self._target.host}:{self._target.port} lets us in"

    async def _begin(self, letter: Outgoing) -> tuple[_Connection, Reply]:
        """Send sender and recipient. Returns the connection and the server's reply: 354, or a refusal."""
        if connection := self._announced.pop(letter.id, None):
            reply = await self._try(connection, begun(connection.wire))
        elif connection := self._take():
            reply = await self._try(connection, self._open(connection, letter))
        if connection and reply:
            return connection, reply
        connection = await self._connect()
        with self._in_hand(connection):
            return connection, await self._open(connection, letter)

    def _take(self) -> _Connection | None:
        """Return an idle connection, or open one."""
        while self._kept:
            connection = self._kept.pop()
            if connection.wire.open and time.monotonic() - connection.used <= IDLE:
                return connection
            connection.wire.close()
        return None

    async def _try(self, connection: _Connection, speaking: Coroutine[None, None, Reply]) -> Reply | None:
        """Send a letter's first commands over a kept connection. Returns the reply; None if the server has hung up."""
        with self._in_hand(connection), suppress(Disconnected):
            reply = await speaking
            if connection.wire.open and reply.code not in _GOODBYES:
                return reply
        connection.wire.close()
        return None

    async def _open(self, connection: _Connection, letter: Outgoing) -> Reply:
        """Send sender and recipient. Returns 354, or the server's refusal."""
        try:
            lines = opening(letter, connection.options(letter))
        except Refused:
            self._kept.append(connection)  # it was not used
            raise
        return await begin(connection.wire, lines, pipelining=connection.pipelining)

    def _send(self, connection: _Connection, letter: Outgoing, then: Outgoing | None) -> Outgoing | None:
        """Send the message, followed by the commands for `then`, if the server supports this.

        Returns the letter that was announced in this way, or None.
        """
        lines: list[bytes] = []
        if then and connection.pipelining:
            with suppress(Refused):
                lines = opening(then, connection.options(then))
        connection.wire.send(message(letter.data) + b"".join(lines), 1 + len(lines))
        return then if lines else None

    async def _keep(self, connection: _Connection, reply: Reply, announced: Outgoing | None) -> None:
        """Prepare a connection for the next letter after a message, or close it."""
        if reply.code != _TAKEN and (announced is None or isinstance(_verdict(reply), RelayDown)):
            await self._recover(connection, reply)
        elif announced:
            self._announced[announced.id] = connection
        else:
            self._kept.append(connection)

    async def _recover(self, connection: _Connection, reply: Reply) -> None:
        """Prepare a connection for the next letter after a refusal, or close it."""
        if not isinstance(_verdict(reply), RelayDown):
            with suppress(Disconnected):
                if (await connection.wire.ask(b"RSET\r\n")).ok:
                    self._kept.append(connection)
                    return
        connection.wire.close()

    @contextmanager
    def _in_hand(self, connection: _Connection) -> Iterator[None]:
        """Close the connection after any error but a refusal: its next reply could belong to an earlier command."""
        connection.used = time.monotonic()
        try:
            yield
        except (Refused, Deferred):
            raise
        except BaseException as error:
            connection.wire.close()
            if isinstance(error, Disconnected):
                raise RelayDown(_printable(str(error))) from None
            raise

    async def _connect(self) -> _Connection:
        """Connect, greet and log in. Errors here concern the relay, not the recipient."""
        client = self._make()
        try:
            await client.connect()
            if client.is_ehlo_or_helo_needed:
                await client.ehlo()
        except aiosmtplib.SMTPAuthenticationError as error:
            client.close()
            raise await self._refused_login(error) from None
        except (SMTPException, OSError, ValueError) as error:
            client.close()
            text = _printable(f"no connection to the relay: {error}")
            raise (RelayLimit if is_limit(text) else RelayDown)(text) from None
        except BaseException:
            client.close()  # cancelled: nobody would use the connection
            raise
        if client.transport is None:
            raise RelayDown("the connection to the relay was lost")
        return _Connection(client, Wire(cast(asyncio.Transport, client.transport), self._timeout))

    async def _refused_login(self, error: aiosmtplib.SMTPAuthenticationError) -> RelayDown:
        """Return the error for a login that the server refuses. With a token, it says why: perhaps nobody may send."""
        text = f"the relay refuses our login ({error.code})"
        if self._tokens is None:
            return RelayDown(text)
        await asyncio.to_thread(self._tokens.refused)
        return NoLogin(_printable(f"{text}: {hidden(error.message, self._shown)}"))

    async def _token(self) -> str:
        """Return a token for a login. Raises NoLogin."""
        try:
            self._shown = await asyncio.to_thread(self._tokens.access) if self._tokens else ""
        except LoginTrouble as trouble:
            raise NoLogin(f"no login to the relay: {trouble}") from None
        return self._shown

    def _make(self) -> aiosmtplib.SMTP:
        target = self._target
        kind = _LmtpClient if target.scheme == "lmtp" else aiosmtplib.SMTP
        return kind(
            hostname=target.host,
            port=target.port,
            username=target.user,
            password=target.password,
            oauth_token_generator=self._token if self._tokens else None,
            use_tls=target.scheme == "smtps",
            start_tls=target.scheme == "smtp+starttls",
            timeout=self._timeout,
        )


def _is_plain(address: str) -> bool:
    """Return whether an address can be written in angle brackets: nothing in it ends the address or the line."""
    if PLAIN_ADDRESS.fullmatch(address):
        return True
    try:
        return parse_address(address) == address and address.isprintable()
    except ValueError:
        return False


def _verdict(reply: Reply) -> Deferred | Refused:
    """Return the error that a failure reply means for the letter (RFC 5321 §4.2.1)."""
    text = _printable(f"{reply.code} {reply.text}")
    if is_limit(text):
        return RelayLimit(text)
    if reply.code in _SESSION_TROUBLE or reply.code not in range(400, 600):
        return RelayDown(text)
    return Deferred(text) if reply.code < 500 else Refused(text)


def _printable(text: str) -> str:
    """Return at most 300 characters of `text` in one line."""
    text = text[:300]
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
