"""What somebody posts on a page becomes a mail, which the server carries out as any other: this process writes nothing.

The mail goes to a signed address, so it can do no more than an answer to a letter. The listener says 250 when its
effects are on disk. If it says nothing, nobody knows; so the same post is the same mail, which takes effect once.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from functools import cached_property
from smtplib import SMTPException

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from pbmserv.letters.site import Site
from pbmserv.mail.duplicates import fingerprint
from pbmserv.mail.reading import mime
from pbmserv.mail.smtp.hand_over import hand_over
from pbmserv.web.visit import Page, Visit

MOST_BYTES = 64 * 1024  #: of what is posted: as many letters as a form takes, each in nine bytes
BODY_SECONDS = 20.0  #: for posting it
_NOTHING = "Nothing was done, because what was posted here is not complete, or too much."

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Post:
    """A mail that a page hands to the server, and `shown`: the page that says what became of it (False: not taken)."""

    mail: EmailMessage = field(repr=False)
    listener: str
    shown: Callable[[Visit, bool], Page]

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the mail, under which the server records what became of it."""
        return fingerprint(mime.tree(self.mail.as_bytes(policy=SMTP)))

    def hand(self) -> bool:
        """Hand the mail to the server, and wait until it has taken effect. Returns whether it was taken."""
        try:
            hand_over(self.mail, self.listener)
        except (OSError, SMTPException) as error:
            log.warning("post not handed over", error=type(error).__name__)
            return False
        return True


def letter(site: Site, sender: str, words: str, subject: str, post: str, text: str = "") -> EmailMessage:
    """Return the mail to the address of these signed words. `post`: what is the same for the same post.

    It has no date, which would make another mail of the same post a second later.
    """
    local, _, domain = site.address.rpartition("@")
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, f"{local}+{words}@{domain}", subject
    # Databases keep the Message-ID, so it is no signature.
    name = site.signer.keyed_hash(f"{sender}:{words}:{post}")[:32]
    mail["Message-ID"] = f"<{sender.partition('@')[0]}.{name}@{site.signer.domain}>"
    mail.set_content(text)
    return mail


async def read(request: Request, most: int = MOST_BYTES) -> bytes:
    """Return what is posted. Raises HTTPException if it is more than `most` bytes, or takes too long."""
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise HTTPException(413, _NOTHING)
    except TimeoutError:
        raise HTTPException(408, _NOTHING, {"Connection": "close"}) from None
    except ClientDisconnect:
        raise HTTPException(400, _NOTHING) from None  # nobody reads it, but otherwise it would be a bug in the log
    return body
