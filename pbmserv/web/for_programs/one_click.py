"""The pages where readers stop letters with one click (RFC 8058).

A look at the page does nothing, because programs follow the links in letters. A click becomes a mail to the signed
address that the letter names as well, so there is one way to stop letters, and this process writes nothing itself.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from smtplib import SMTPException
from typing import NamedTuple

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from pbmserv.letters.site import STOPPING, Site
from pbmserv.mail.outbound import CLICK, ONE_CLICK
from pbmserv.mail.signed_addresses import BROADCASTS, MOST_CHARACTERS, NEVER, OWN_MOVES, STOP, UNSUBSCRIBE, Token
from pbmserv.mail.smtp.hand_over import hand_over
from pbmserv.web.visit import Page, Visit

MOST_POSTED_BYTES = 2048  #: of what is posted
BODY_SECONDS = 20.0  #: for posting it
_NAME, _, _VALUE = ONE_CLICK.partition("=")
_OFF = "Letters of this server are not stopped on a page. Write to the address that the letter names for it."
_NOT_OURS = "This link is not complete, or it is none of ours. Open it again from the letter, or write to its address."
_GONE = "There is nothing to stop any more: the account is closed, or there is no such board."
_TOO_OFTEN = "This link was used too often in the last minute. Nothing more was done."
_LATER = "Nothing was changed, because the server cannot be reached from here just now. Please try again in a minute."
_NO_CLICK = f"Nothing was changed: a mail program posts {ONE_CLICK} here, and the button of the page does the same."

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class _Stoppable(NamedTuple):
    """A kind of letters, and the command with which a reader gets them again."""

    what: str
    again: str


@dataclass(frozen=True)
class Click:
    """What somebody wants to stop, found in the database; nothing has happened yet."""

    site: Site = field(repr=False)
    words: str = field(repr=False)  #: the signed words of the link
    stop: _Stoppable
    now: datetime


_OF_PLAYERS = {
    OWN_MOVES: _Stoppable("letters about your own moves", "set USERID PASSWORD own=on"),
    BROADCASTS: _Stoppable("broadcasts", "set USERID PASSWORD broadcasts=on"),
}


def asked(visit: Visit) -> Page:
    """Show what the link stops, and a button. It changes nothing. Raises HTTPException if it stops nothing."""
    _, words, stop = _stoppable(visit)
    return Page("stop.html", {"found": stop, "place": STOPPING + words, "name": _NAME, "value": _VALUE, "done": False})


async def demand_click(request: Request) -> None:
    """Raise HTTPException unless the request has what RFC 8058 (3.2) says, as a form of either kind."""
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > MOST_POSTED_BYTES:
                    raise HTTPException(413, _NO_CLICK)
    except TimeoutError:
        raise HTTPException(408, _NO_CLICK, {"Connection": "close"}) from None
    except ClientDisconnect:
        raise HTTPException(400, _NO_CLICK) from None  # nobody reads it, but otherwise it would be a bug in the log
    if not (_NAME.encode() in body and _VALUE.encode() in body):
        raise HTTPException(400, _NO_CLICK)


def clicked(visit: Visit) -> Click:
    """Return what a click wants to stop. Raises HTTPException if there is nothing, or after too many clicks."""
    site, words, stop = _stoppable(visit)
    if visit.place.clicks.are_too_many(words, visit.now.timestamp()):
        raise HTTPException(429, _TOO_OFTEN, {"Retry-After": "60"})
    return Click(site, words, stop, visit.now)


def stop_letters(click: Click) -> Page:
    """Hand the click to the server, and wait until it has taken effect. Raises HTTPException if it is not taken."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = CLICK, _address(click.site, click.words), "unsubscribe"
    mail["Date"] = format_datetime(click.now)
    # Clicks of one minute are one mail, which is carried out once. It is no signature, because databases keep it.
    name = click.site.signer.keyed_hash(f"click:{click.words}:{click.now:%Y-%m-%d %H:%M}")[:32]
    mail["Message-ID"] = f"<click.{name}@{click.site.signer.domain}>"
    mail.set_content("")
    try:
        hand_over(mail, click.site.policy.one_click)
    except (OSError, SMTPException) as error:
        log.warning("click not handed over", error=type(error).__name__)
        raise later() from None
    return Page("stop.html", {"found": click.stop, "done": True})


def later() -> HTTPException:
    """Make the error for a click that the server cannot take just now."""
    return HTTPException(503, _LATER, {"Retry-After": "60"})


def _address(site: Site, words: str) -> str:
    local, _, domain = site.address.rpartition("@")
    return f"{local}+{words}@{domain}"


def _stoppable(visit: Visit) -> tuple[Site, str, _Stoppable]:
    """Return what the link in the path stops, and its signed words. Raises HTTPException if it stops nothing."""
    site, words = visit.place.site, visit.path["token"].lower()
    if site is None or not site.policy.one_click:
        raise HTTPException(404, _OFF)
    token = site.signer.verify(words) if len(words) <= MOST_CHARACTERS else None
    if token is None or token.purpose not in (UNSUBSCRIBE, STOP, NEVER):
        raise HTTPException(404, _NOT_OURS)
    stop = _found(visit, token)
    if stop is None:
        raise HTTPException(410, _GONE)
    return site, words, stop


def _found(visit: Visit, token: Token) -> _Stoppable | None:
    store, number = visit.store, token.numbers[0]
    if token.purpose == NEVER:
        return _Stoppable("invitations to your address", "")  # addresses are nothing that this process may read
    player = store.players.by_id(token.numbers[-1] if token.purpose == UNSUBSCRIBE else number)
    if player is None or player.password_hash is None:
        return None
    if token.purpose == STOP:
        return _OF_PLAYERS.get(token.numbers[1])
    row = store.boards.find(number, lock=False)
    what = f"copies of the letters about board {number}"
    return _Stoppable(what, f"{row.key} subscribe {number} USERID PASSWORD") if row else None
