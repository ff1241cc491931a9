"""Where letters go: the relay of a setting such as `smtp://host:25`, `lmtp://host:24` or `maildir:var/letters`."""

import asyncio
import os
import re
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Protocol, cast
from urllib.parse import quote, unquote, urlsplit

import aiosmtplib
from aiosmtplib import SMTPException
from aiosmtplib.email import parse_address

from pbmserv.mail.envelope import PLAIN_ADDRESS, Outgoing
from pbmserv.mail.smtp.wire import GO_ON, Disconnected, Reply, Wire, begin, begun, message, opening

#: Seconds for connecting, and for one command and its answer.
TIMEOUT = 60.0

#: Seconds after which a kept connection is not used again: firewalls forget the silent ones.
IDLE = 60.0

#: Replies that say something about the session and not about the letter: closing, out of step, log in first.
_SESSION_TROUBLE = {421, 503, 530}

_TAKEN = 250
_GOODBYES = {421, 521}  #: what a server says that is about to hang up

_DEFAULT_PORTS = {"smtp": 25, "smtp+starttls": 587, "lmtp": 24}

#: The longest name of a folder; most file systems take 255 bytes.
_FOLDER_LENGTH = 200


class Deferred(Exception):
    """The letter could not be delivered now and should be tried again later."""


class RelayDown(Deferred):
    """The relay itself is in trouble: no letter can be delivered now."""


class Refused(Exception):
    """The letter will never be taken. The text is the relay's answer, bounded and printable."""


class Relay(Protocol):
    """Takes letters, several at one time if it is asked to."""

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """A short receipt once somebody else answers for the letter. Raises Deferred or Refused.

        `then` will be delivered next, so that it can be announced already. Who changes his mind has to `close`.
        """

    async def close(self) -> None:
        """Let go of all connections that are not in use; a later `deliver` makes new ones."""


def open_relay(url: str, timeout: float = TIMEOUT) -> "SmtpRelay | MaildirRelay":
    """The relay of `url`, not yet connected. Raises ValueError, with the forms that are possible."""
    if found := re.fullmatch(r"maildir:(?://(?=/))?([^/].*|/[^/].*)", url):
        return MaildirRelay(Path(found[1]))
    if target := _read_target(url):
        return SmtpRelay(target, timeout)
    scheme = re.match(r"[a-z][a-z+]*(?=:)", url)  # and no more of it: every other part may be a password
    raise ValueError(
        f"Cannot send letters to '{scheme[0] if scheme else ''}:…'. Write maildir:folder, smtp://host:port, "
        "lmtp://host:port or smtp+starttls://user:password@host:port. A password is sent over TLS only; "
        "in it, write %2F %3A %3F %23 %40 %25 for / : ? # @ %."
    )


@dataclass(frozen=True)
class Target:
    """A server that takes letters, and how to log in there."""

    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)


def _read_target(url: str) -> Target | None:
    try:
        parts = urlsplit(url)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return None
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        return None
    if parts.username is None:
        return Target(parts.scheme, parts.hostname, port)
    if parts.scheme != "smtp+starttls" or not parts.password:
        return None
    return Target(parts.scheme, parts.hostname, port, unquote(parts.username), unquote(parts.password))


class _LmtpClient(aiosmtplib.SMTP):
    """LMTP as it is to a client with one recipient: SMTP with another greeting (RFC 2033 §4.1)."""

    async def execute_command(self, *words: bytes, **options: Any) -> aiosmtplib.SMTPResponse:
        """Greet with LHLO."""
        greeting = words[0] == b"EHLO"
        return await super().execute_command(*((b"LHLO", *words[1:]) if greeting else words), **options)


@dataclass
class _Session:
    """A connection to the relay, greeted and logged in."""

    client: aiosmtplib.SMTP  #: who opened it, and knows what its server can do
    wire: Wire
    used: float = 0.0  #: when it was last used (the monotonic clock)

    @property
    def pipelining(self) -> bool:
        """Whether several commands may go out together."""
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
    """A server that is spoken to over kept connections: one for each delivery that goes on at the same time."""

    def __init__(self, target: Target, timeout: float = TIMEOUT) -> None:
        self._target = target
        self._timeout = timeout
        self._kept: list[_Session] = []
        self._announced: dict[int, _Session] = {}  #: connections that have begun with the letter of this number

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """Deliver as `Relay.deliver` says. The receipt is the server's answer."""
        session, reply = await self._begin(letter)
        with self._in_hand(session):
            if reply.code != GO_ON:  # no 250 is about the message then: it was never sent
                await self._recover(session, reply)
                raise _verdict(reply)
            announced = self._send(session, letter, then)
            reply = await session.wire.reply()
            await self._keep(session, reply, announced)
            if reply.code != _TAKEN:
                raise _verdict(reply)
        return printable(reply.text)

    async def close(self) -> None:
        """Say goodbye on all connections that are not in use; hang up where a letter was announced."""
        while self._announced:
            self._announced.popitem()[1].wire.close()
        while self._kept:
            wire = self._kept.pop().wire
            with suppress(Disconnected, TimeoutError):
                await asyncio.wait_for(wire.ask(b"QUIT\r\n"), min(self._timeout, 5.0))
            wire.close()

    async def probe(self) -> str:
        """Connect, greet, begin TLS and log in, as far as the setting says; the outcome in words. Raises RelayDown."""
        self._kept.append(await self._connect())
        await self.close()
        return f"{self._target.host}:{self._target.port} lets us in"

    async def _begin(self, letter: Outgoing) -> tuple[_Session, Reply]:
        """A connection over which sender and recipient are named, and what its server says: 354, or no."""
        if session := self._announced.pop(letter.id, None):
            reply = await self._try(session, begun(session.wire))
        elif session := self._take():
            reply = await self._try(session, self._open(session, letter))
        if session and reply:
            return session, reply
        session = await self._connect()
        with self._in_hand(session):
            return session, await self._open(session, letter)

    def _take(self) -> _Session | None:
        """A connection that nobody uses."""
        while self._kept:
            session = self._kept.pop()
            if session.wire.open and time.monotonic() - session.used <= IDLE:
                return session
            session.wire.close()
        return None

    async def _try(self, session: _Session, speaking: Coroutine[Any, Any, Reply]) -> Reply | None:
        """Begin over a kept connection; None if its server has hung up, or does so now."""
        with self._in_hand(session), suppress(Disconnected):
            reply = await speaking
            if session.wire.open and reply.code not in _GOODBYES:
                return reply
        session.wire.close()
        return None

    async def _open(self, session: _Session, letter: Outgoing) -> Reply:
        """Name sender and recipient; 354, or what the server says instead."""
        try:
            lines = opening(letter, session.options(letter))
        except Refused:
            self._kept.append(session)  # nothing was said
            raise
        return await begin(session.wire, lines, pipelining=session.pipelining)

    def _send(self, session: _Session, letter: Outgoing, then: Outgoing | None) -> Outgoing | None:
        """Send the message, and behind it the commands for the next letter if the server allows that: that letter."""
        lines: list[bytes] = []
        if then and session.pipelining:
            with suppress(Refused):
                lines = opening(then, session.options(then))
        session.wire.send(message(letter.data) + b"".join(lines), 1 + len(lines))
        return then if lines else None

    async def _keep(self, session: _Session, reply: Reply, announced: Outgoing | None) -> None:
        """Make a connection ready for another letter after a message, or give it up."""
        if reply.code != _TAKEN and (announced is None or isinstance(_verdict(reply), RelayDown)):
            await self._recover(session, reply)
        elif announced:
            self._announced[announced.id] = session
        else:
            self._kept.append(session)

    async def _recover(self, session: _Session, reply: Reply) -> None:
        """Make a connection ready for another letter after a refusal, or give it up."""
        if isinstance(_verdict(reply), RelayDown):
            return session.wire.close()
        with suppress(Disconnected):
            if (await session.wire.ask(b"RSET\r\n")).ok:
                return self._kept.append(session)
        return session.wire.close()

    @contextmanager
    def _in_hand(self, session: _Session) -> Iterator[None]:
        """Whatever goes wrong but a refusal ends the connection: its next reply could be to the wrong question."""
        session.used = time.monotonic()
        try:
            yield
        except (Refused, Deferred):
            raise
        except BaseException as error:
            session.wire.close()
            if isinstance(error, Disconnected):
                raise RelayDown(printable(str(error))) from None
            raise

    async def _connect(self) -> _Session:
        """Connect, greet and log in. Whatever goes wrong here is the relay's trouble and not the recipient's."""
        client = self._make()
        try:
            await client.connect()
            if client.is_ehlo_or_helo_needed:
                await client.ehlo()
        except aiosmtplib.SMTPAuthenticationError as error:
            client.close()
            raise RelayDown(f"the relay refuses our login ({error.code})") from None
        except (SMTPException, OSError, ValueError) as error:
            client.close()
            raise RelayDown(printable(f"no connection to the relay: {error}")) from None
        except BaseException:
            client.close()  # cancelled: nobody would ever use what it was about to open
            raise
        if client.transport is None:
            raise RelayDown("the connection to the relay was lost")
        return _Session(client, Wire(cast(asyncio.Transport, client.transport), self._timeout))

    def _make(self) -> aiosmtplib.SMTP:
        target = self._target
        kind = _LmtpClient if target.scheme == "lmtp" else aiosmtplib.SMTP
        return kind(
            hostname=target.host,
            port=target.port,
            username=target.user,
            password=target.password,
            start_tls=target.scheme == "smtp+starttls",
            timeout=self._timeout,
        )


def _is_plain(address: str) -> bool:
    """Whether an address can stand between angle brackets: it holds nothing that would end it or the line."""
    if PLAIN_ADDRESS.fullmatch(address):
        return True
    try:
        return parse_address(address) == address and address.isprintable()
    except ValueError:
        return False


def _verdict(reply: Reply) -> Deferred | Refused:
    """What a reply that is no success means for the letter (RFC 5321 §4.2.1)."""
    text = printable(f"{reply.code} {reply.text}")
    if reply.code in _SESSION_TROUBLE or reply.code not in range(400, 600):
        return RelayDown(text)
    return Deferred(text) if reply.code < 500 else Refused(text)


def printable(text: str) -> str:
    """At most 300 characters of `text` in one line."""
    text = text[:300]
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


class MaildirRelay:
    """One Maildir per recipient under a folder. A letter counts as delivered once file and folder are on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """Deliver as `Relay.deliver` says. The receipt is the file's path below the folder."""
        try:
            path = await asyncio.to_thread(self._store, letter)
        except OSError as error:
            raise RelayDown(f"cannot write below {self._folder}: {error.strerror}") from None
        return str(path.relative_to(self._folder))

    async def close(self) -> None:
        """Nothing is held open."""

    async def probe(self) -> str:
        """Write a file that is gone at once, there or in the nearest folder above. Raises RelayDown."""
        try:
            there = next(folder for folder in (self._folder, *self._folder.absolute().parents) if folder.exists())
            with TemporaryFile(dir=there):
                return f"{self._folder} can be written"
        except OSError as error:
            raise RelayDown(f"cannot write below {self._folder}: {error.strerror}") from None

    def _store(self, letter: Outgoing) -> Path:
        """Write the letter, once: its name follows from its number and its bytes, so a second attempt finds the first.

        The number alone would not do: it starts anew with a new database.
        """
        maildir = self._folder / folder_name(letter.recipient)
        tmp, new, cur = (maildir / name for name in ("tmp", "new", "cur"))
        for folder in (tmp, new, cur):
            _make_folder(folder)
        name = f"{letter.id:010}.{blake2b(letter.data, digest_size=8).hexdigest()}.pbmserv"
        if not (new / name).exists() and not any(cur.glob(f"{name}*")):
            _write(tmp / name, letter.data.replace(b"\r\n", b"\n"))
            (tmp / name).rename(new / name)
        _sync(new)  # also if the file was there: then somebody stopped before this line, perhaps
        return new / name


def folder_name(address: str) -> str:
    """The percent-encoded address, in lower case: one name of a folder, whatever the address holds."""
    name = quote(address.lower(), safe="@+", errors="surrogatepass")
    if name.startswith("."):  # of these, "." and ".." are other folders, and the rest are hidden
        name = "%2E" + name[1:]
    if len(name) > _FOLDER_LENGTH:
        name = f"{name[: _FOLDER_LENGTH - 33]}-{blake2b(name.encode(), digest_size=16).hexdigest()}"
    return name


def _make_folder(path: Path) -> None:
    """Make `path` and the folders above it, each on disk before the next; only their owner may read them."""
    if path.is_dir():
        return
    _make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    _sync(path.parent)


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Put the names in `folder` on disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
