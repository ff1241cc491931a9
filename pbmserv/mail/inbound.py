"""A mail as bytes to what its sender said: classified, decoded, without quotes. Pure; opens nothing.

It knows nothing of players, games and commands, so it cannot tell which word is a password. Subject and body are
cleaned only; the reader of commands applies `encoding.fold` to every word that is no password.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from pbmserv.mail.reading import automatic, body, headers, mime, quotes, subject
from pbmserv.mail.reading.encoding import UnreadableMail, header_text
from pbmserv.mail.reading.mime import TooLarge

__all__ = ["Mail", "Standing", "TooLarge", "read"]

_ENCRYPTED = "-----BEGIN PGP MESSAGE-----"
_SEND_PLAIN_TEXT = "Your mail is encrypted or in a format that is not read here. Please send plain text."


class Standing(StrEnum):
    """What may happen with a mail."""

    NORMAL = "normal"  #: its commands are read and answered
    SILENT = "silent"  #: recorded, never answered
    OPAQUE = "opaque"  #: answered with the request for plain text
    REFUSED = "refused"  #: it cannot be read reliably; answered if the sender is known


@dataclass(frozen=True)
class Mail:
    """One mail, read. Everything is cleaned (`encoding.clean`); nothing is folded.

    Only a normal mail has subject and body; `problem` tells the admin why a mail is silent, and the sender why it
    is opaque or refused.
    """

    fingerprint: str  #: the same for every copy and delivery of one message
    message_id: str  #: with its angle brackets, fit for In-Reply-To; "" if there is none
    references: str  #: Message-IDs separated by spaces, fit for References
    sender: str  #: address in From, its domain in lower-case ASCII; "" unless there is exactly one
    name: str  #: its display name
    subject: str = field(repr=False)  #: one line, without reply prefixes and tags; may hold a password, as the body
    body: str = field(repr=False)  #: the sender's own words: no quotes, signature, footer; LF, at most 64 KiB of UTF-8
    standing: Standing
    problem: str = ""
    dmarc_pass: bool = False  #: our own MTA says so, of the domain of `sender`
    is_vacation: bool = False  #: an automatic answer of a person who is away (RFC 3834); always silent


def read(data: bytes, *, is_ours: Callable[[str], bool], authserv: str = "", mail_from: str | None = None) -> Mail:
    """Read a message. Raises TooLarge, before any expensive work, and nothing else.

    `is_ours` tells whether the left part of a Message-ID is one of this server's; `authserv` is the name of our own MTA
    in Authentication-Results; `mail_from` the envelope sender, "" for the null sender.
    """
    root = mime.tree(data)
    name, sender = headers.author(root)
    mail = partial(Mail, headers.fingerprint(root), headers.message_id(root), headers.references(root), sender, name)
    if reason := automatic.silence(root, sender, is_ours, mail_from):
        return mail("", "", Standing.SILENT, reason, is_vacation=automatic.is_vacation(root, sender, reason))
    try:
        title, words = _subject(root, sender), quotes.own_words(body.text(root))
    except UnreadableMail as error:
        return mail("", "", Standing.REFUSED, str(error))
    if (body.is_closed(root) and not words) or _ENCRYPTED in words:
        return mail("", "", Standing.OPAQUE, _SEND_PLAIN_TEXT)
    return mail(title, words, Standing.NORMAL, dmarc_pass=automatic.dmarc_pass(root, authserv, sender))


def _subject(root: mime.MimePart, sender: str) -> str:
    if not sender:
        raise UnreadableMail("Your mail does not name exactly one sender. Please send it with one address in From.")
    found = root.values("subject")
    if len(found) > 1:
        raise UnreadableMail("Your mail has more than one subject, so it is not clear which is meant. Please send one.")
    return subject.strip(header_text(found[0])) if found else ""
