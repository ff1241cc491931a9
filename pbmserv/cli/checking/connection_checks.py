"""Checks of `pbmserv doctor` of what is elsewhere: login, relay, mailbox, and ports, which other programs may have."""

import asyncio
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from pbmserv.cli.checking.findings import Finding, failed, ok, warning
from pbmserv.cli.terminal.database import tokens_of
from pbmserv.cli.terminal.greeting import TIMEOUT, ask
from pbmserv.config import Config
from pbmserv.db import engines
from pbmserv.letters.waiting import relay_trouble
from pbmserv.mail.imap.account import LAGS, read_account
from pbmserv.mail.oauth.oauth_settings import LoginTrouble, OAuthSettings
from pbmserv.mail.smtp.delivery import RelayDown
from pbmserv.mail.smtp.endpoints import Endpoint, read_url
from pbmserv.mail.smtp.relay import open_relay
from pbmserv.model.operations import INSTANCE
from pbmserv.model.rows import LoginRow, MailboxRow
from pbmserv.store import Store

T = TypeVar("T")


def login(config: Config) -> Iterator[Finding]:
    """Check that each login by OAuth2 is there, and still good as far as is known."""
    for one in config.logins:
        row = _row(config, one)
        if row is None:
            yield failed("login", f"nobody has logged in as {one.user} yet", "pbmserv mailbox login")
        elif row.trouble:
            text = f"the login of {row.name} is over: {row.trouble}"
            yield failed("login", text, "pbmserv mailbox login; until then mails and letters wait, and none is lost")
        else:
            yield ok("login", f"{row.name} has a login; its token was renewed at {row.renewed:%Y-%m-%d %H:%M} UTC")


def _row(config: Config, one: OAuthSettings) -> LoginRow | None:
    return asked(config, lambda store: store.mailboxes.login(one.user))


def _can_log_in(config: Config, one: OAuthSettings | None) -> bool:
    """Return whether there is a password, or a login by OAuth2 that is not over."""
    row = _row(config, one) if one else None
    return one is None or (row is not None and not row.trouble)


def relay(config: Config) -> Iterator[Finding]:
    """Check that we can connect and log in to the relay. No letter is sent."""
    if "sender" not in config.roles or not _can_log_in(config, config.relay_login):
        return
    try:
        with tokens_of(config, config.relay_login) as tokens:
            yield ok("relay", asyncio.run(open_relay(config.relay, TIMEOUT, tokens).probe()))
    except RelayDown as e:
        yield failed("relay", str(e), "letters wait until it works: check PBMSERV_RELAY, the MTA, and its log")
    if trouble := asked(config, relay_trouble.current):
        does, then = "takes no letters", "they wait; if it allows only so many, set PBMSERV_LETTERS_AN_HOUR and _A_DAY"
        if trouble.is_alike:
            does = "refuses letters to several domains in the same words"
            then = "they wait; it takes none from this server, or the addresses are dead: letters list --status queued"
        yield warning("relay", f"since {trouble.since:%Y-%m-%d %H:%M} UTC it {does}: {trouble.reply}", then)


def mailbox(config: Config) -> Iterator[Finding]:
    """Check that we can log in to the mailbox, and that its folder is there. Nothing is fetched."""
    if not config.mailbox or "mailbox" not in config.roles or not _can_log_in(config, config.mailbox_login):
        return
    from pbmserv.mail.imap.connection import MailboxTrouble  # here, because few servers need it
    from pbmserv.mail.imap.watched_maildir import open_mailbox

    account = read_account(config.mailbox)
    try:
        with (
            tokens_of(config, config.mailbox_login) as tokens,
            closing(open_mailbox(account, config.mailbox_password, tokens)) as connection,
        ):
            folder = connection.select()
            how = "tells of new mails at once" if connection.can_idle else "is asked for new mails now and then"
            connection.leave()
    except (MailboxTrouble, LoginTrouble) as e:
        yield failed("mailbox", f"{account.name}: {e}", "check PBMSERV_MAILBOX and its password")
        return
    yield ok("mailbox", f"{account.name} has {folder.mails} mails, and {how}")
    yield _answers_to(config)
    yield from _fetched(asked(config, lambda store: store.mailboxes.find(account.name)), datetime.now(UTC))


def _answers_to(config: Config) -> Finding:
    """Say where answers go, because only a mail to such an address tells whether the provider takes it."""
    if not config.plus:
        return ok("mailbox", f"answers go to {config.address}, with signed words in their subject")
    name, _, domain = config.address.partition("@")
    text, try_it = f"answers go to addresses such as {name}+b101@{domain}", f"send a mail to {name}+test@{domain}"
    return Finding("mailbox", "ok", text, f"{try_it}; if it does not come into the mailbox: PBMSERV_PLUS=0")


def _fetched(row: MailboxRow | None, now: datetime) -> Iterator[Finding]:
    """Say when a server has fetched mails, and what it has left alone."""
    if row and row.looked:
        age = now - row.looked
        text = f"a server looked into it last {round(age.total_seconds() / 60)} minutes ago"
        advice = "is a process with the role mailbox running? See: pbmserv status"
        yield ok("mailbox", text) if age <= LAGS else Finding("mailbox", "warning", text, advice)
    if row and row.old:
        text = f"{row.old} mails were there before this server, and are left alone"
        yield Finding("mailbox", "ok", text, "to read them, too: pbmserv mail take-old")


def ports(config: Config) -> Iterator[Finding]:
    """Check that every address of the listener is free, or is used by our server."""
    for url in config.listen if "listener" in config.roles else ():
        place, instance = read_url(url), _instance(config)
        answer = ask(place, config.address.rpartition("@")[2], instance)
        if answer.state == "ours":
            yield ok("listen", answer.text)
        elif answer.state == "other":
            yield failed("listen", answer.text, "end that program, or change PBMSERV_LISTEN")
        else:
            yield _free(place)


def metrics(config: Config) -> Iterator[Finding]:
    """Check that the port of the metrics is free, or that our server shows them there."""
    if not config.metrics:
        return
    place = read_url(f"smtp://{config.metrics}")
    try:
        _bind(place)
    except OSError as e:
        if not _shows_metrics(config.metrics):
            text = f"Cannot show metrics on {config.metrics}: {e.strerror}"
            yield failed("metrics", text, "end the program that is there, or change PBMSERV_METRICS")
            return
    yield ok("metrics", f"{config.metrics} is free, or ours")


def _shows_metrics(place: str) -> bool:
    """Return whether a pbmserv shows its metrics there."""
    try:
        with closing(HTTPConnection(place, timeout=TIMEOUT)) as connection:
            connection.request("GET", "/metrics")
            return b"pbmserv_build_info" in connection.getresponse().read()
    except (OSError, HTTPException):
        return False


def _instance(config: Config) -> str:
    """The name of our installation; "" if no server has ever run on this database, or if it cannot be read."""
    return asked(config, lambda store: store.operations.fact(INSTANCE)) or ""


def asked(config: Config, query: Callable[[Store], T | None]) -> T | None:
    """Return the result of a query; None if there is no database, or if it cannot be read."""
    file = config.sqlite_file
    if file and not file.exists():
        return None
    engine = engines.connect(config.database_url)
    try:
        with engine.execution_options(**engines.READ_ONLY).connect() as connection:
            return query(Store(connection))
    except (SQLAlchemyError, sqlite3.Error):
        return None  # the check of the database says so
    finally:
        engine.dispose()


def _free(place: Endpoint) -> Finding:
    """Check whether we can listen there."""
    try:
        _bind(place)
    except OSError as e:
        return failed("listen", f"Cannot listen on {place.url}: {e.strerror}", "change PBMSERV_LISTEN")
    if place.path and not Path(place.path).parent.is_dir():  # the listener makes no folder
        return failed("listen", f"There is no folder {Path(place.path).parent}", "make it, or change PBMSERV_LISTEN")
    return ok("listen", f"{place.url} is free")


def _bind(place: Endpoint) -> None:
    """Try to listen. Raises the OSError that the listener would get."""
    if place.path:
        with TemporaryFile(dir=existing(Path(place.path).parent)):
            return
    family, _, _, _, address = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)


def existing(folder: Path) -> Path:
    """Return the folder, or the nearest existing one above it."""
    return folder if folder.exists() else existing(folder.parent)
