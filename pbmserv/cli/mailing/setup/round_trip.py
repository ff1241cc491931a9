"""A mail of the server to itself: it goes out as letters will, and must come in as answers will."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import TYPE_CHECKING

from pbmserv.cli.mailing.setup.asking import say
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming, Outgoing
from pbmserv.mail.imap.account import read_account

if TYPE_CHECKING:
    from pbmserv.config import Config
    from pbmserv.mail.imap.connection import ImapConnection
    from pbmserv.mail.imap.watched_maildir import WatchedMaildir
    from pbmserv.mail.oauth.oauth_settings import Tokens

PATIENCE = 90.0  #: seconds until a mail must have come
_LATER = 15.0  #: seconds after the first of two mails, in which the other one must come
_PAUSE = 1.0
_SUBJECT = "A mail of pbmserv setup to itself"

Came = Callable[[str], bool]  #: whether the mail with this Message-ID has come


async def round_trip(config: Config) -> set[str]:
    """Send two mails, to the address itself and to it with a plus. Returns which of them have come: "" and "+".

    Raises MailboxTrouble, and ListenError if another program listens on the addresses of the server.
    """
    from pbmserv.cli.terminal.database import tokens_of

    name, _, domain = config.address.partition("@")
    kinds, ids = {"": config.address, "+": f"{name}+setup@{domain}"}, {}
    with tokens_of(config, config.mailbox_login) as reading, tokens_of(config, config.relay_login) as sending:
        async with _watching(config, reading) as came:
            for number, (kind, to) in enumerate(kinds.items()):
                letter = _letter(config.address, to)
                if await _goes_out(config, sending, number, letter):
                    ids[kind] = str(letter["Message-ID"])
            return await _come(came, ids)


async def _come(came: Came, ids: dict[str, str]) -> set[str]:
    """Wait for these mails: long for the first that comes, a little longer for the other."""
    end, arrived = time.monotonic() + PATIENCE, set[str]()
    while len(arrived) < len(ids) and time.monotonic() < end:
        await asyncio.sleep(_PAUSE)
        new = {kind for kind in ids.keys() - arrived if await asyncio.to_thread(came, ids[kind])}
        if new and not arrived:
            end = min(end, time.monotonic() + _LATER)
        arrived |= new
    return arrived


def _letter(sender: str, to: str) -> EmailMessage:
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, to, _SUBJECT
    letter["Date"], letter["Message-ID"] = formatdate(), make_msgid(domain=sender.partition("@")[2])
    letter["Auto-Submitted"] = "auto-generated"  # RFC 3834: nobody answers it, also no server that runs already
    letter.set_content("It shows that letters go out and answers come in. Nobody needs to read it.\n")
    return letter


async def _goes_out(config: Config, tokens: Tokens | None, number: int, letter: EmailMessage) -> bool:
    """Send a mail. Returns whether the relay has taken it, and says why if it has not."""
    from pbmserv.mail.smtp.delivery import Deferred, Refused
    from pbmserv.mail.smtp.relay import open_relay

    relay = open_relay(config.relay, tokens=tokens)
    try:
        await relay.deliver(Outgoing(number, config.address, str(letter["To"]), letter.as_bytes(policy=SMTP)))
    except (Deferred, Refused) as error:
        say(f"   The relay does not take a mail to {letter['To']}: {error}")
        return False
    finally:
        await relay.close()
    return True


@asynccontextmanager
async def _watching(config: Config, tokens: Tokens | None) -> AsyncIterator[Came]:
    """A context in which somebody looks whether mails come, in the way of the settings."""
    if not config.mailbox:
        async with _listening(config) as came:
            yield came
        return
    from pbmserv.mail.imap.watched_maildir import open_mailbox

    with closing(open_mailbox(read_account(config.mailbox), config.mailbox_password, tokens)) as box:
        before = box.select().following - 1
        yield lambda id_: _is_there(box, before, id_)


def _is_there(box: ImapConnection | WatchedMaildir, before: int, id_: str) -> bool:
    """Return whether a mail has come, and move it away, so that no server finds it."""
    box.select()
    for uid in box.newer(before, None):
        if id_.encode() in (box.headers(uid) or b""):
            box.move(uid, "setup")
            return True
    return False


@asynccontextmanager
async def _listening(config: Config) -> AsyncIterator[Came]:
    """A context in which we listen on the addresses of the server, which takes nothing else meanwhile."""
    from pbmserv.mail.signed_addresses import Signer
    from pbmserv.mail.smtp.listener import Listener

    seen: list[bytes] = []

    async def submit(mail: Incoming) -> str:
        if _SUBJECT.encode() not in mail.data:
            return TRY_AGAIN
        seen.append(mail.data)
        return ACCEPTED

    listener = Listener(config.listen, submit, Signer(config.address, b"").accepts, config.address.partition("@")[2])
    await listener.start()
    try:
        yield lambda id_: any(id_.encode() in data for data in seen)
    finally:
        await listener.drain(1)
