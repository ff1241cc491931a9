"""Turns the bytes of a mail into what its sender wrote: classified, decoded, without quotes. Pure functions.

This module does not know players, games and commands, so it cannot tell which word is a password. It only cleans
subject and body. The parser of commands applies `encoding.fold` to every word that is not a password.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from pbmserv.mail.duplicates import POSTED, fingerprint, is_dated
from pbmserv.mail.reading import automatic, body, headers, mime, quotes
from pbmserv.mail.reading.added.reactions import reaction
from pbmserv.mail.reading.encoding import UnreadableMail, header_text
from pbmserv.mail.reading.mime import TooLarge
from pbmserv.mail.signed_addresses import bracketed, without_words

__all__ = ["Mail", "Standing", "TooLarge", "read"]

_ENCRYPTED = "-----BEGIN PGP MESSAGE-----"
_MOST_QUOTED = 16 * 1024  # characters of a mail without own words that is read again with its signature
_WRITE_YOURSELF = (
    "Your mail looks like one that a program wrote, so nothing was done. Please write an answer of your own, with the "
    "subject of the letter."
)
_SEND_PLAIN_TEXT = "Your mail is encrypted or in a format that is not read here. Please send plain text."


class Standing(StrEnum):
    """How a mail is handled."""

    NORMAL = "normal"  #: its commands are read and answered
    SILENT = "silent"  #: recorded, never answered
    OPAQUE = "opaque"  #: answered with the request for plain text
    REFUSED = "refused"  #: it cannot be read reliably; it is answered if its sender is known


@dataclass(frozen=True)
class Mail:
    """One mail after reading. All text is cleaned (`encoding.clean`), but not folded.

    Only a normal mail has subject and body. `problem` tells the admin why a mail is silent, or the sender why it is
    opaque or refused.
    """

    fingerprint: str  #: the same for every copy and delivery of one message
    message_id: str  #: with angle brackets, valid in In-Reply-To; "" if there is none
    references: str  #: Message-IDs separated by spaces, valid in References
    sender: str  #: address in From, its domain in lower-case ASCII; "" unless there is exactly one
    name: str  #: its display name
    #: one line, without reply prefixes, tags and signed words; like the body, it can contain a password
    subject: str = field(repr=False)
    body: str = field(repr=False)  #: the sender's own words: no quotes, signature, footer; LF, at most 64 KiB of UTF-8
    standing: Standing
    problem: str = ""
    text: str = field(default="", repr=False)  #: the whole text, with quotes, of which `body` is a part
    dmarc_pass: bool = False  #: our own MTA reports a DMARC pass for the domain of `sender`
    reaction: str = ""  #: an emoji that a reader put beside a letter; the mail says nothing else
    only_quoted: bool = False  #: it has text, but nothing of it is the sender's own
    inside_quote: str = ""  #: of such a mail: the first quoted line that is not in our letter
    attached: str = ""  #: of a mail without text: what it has instead, such as `picture`
    is_cut: bool = False  #: lines were left out that may have words of the sender (`quotes.OwnWords`)
    is_signature: bool = False  #: its only words stand where HTML marks a signature: commands, or nothing to pass on
    is_dated: bool = True  #: has a Message-ID or a Date; without them, an identical mail can be a new one
    #: passed on to the person for whom it is meant; not our own letters, and not mails in a loop
    is_passed_on: bool = True
    is_generated: bool = False  #: a program may have written it (`automatic.is_generated`)
    is_complaint: bool = False  #: a provider reports that a reader marked a letter of ours as spam; always silent
    signed: tuple[str, ...] = ()  #: words in brackets in the subject that look as if we had signed them
    proof: str = ""  #: signed words of a mail that a provider posted (`duplicates.POSTED`)
    is_vacation: bool = False  #: an automatic answer of a person who is away (RFC 3834); always silent


def read(data: bytes, *, is_ours: Callable[[str], bool], authserv: str = "", mail_from: str | None = None) -> Mail:
    """Read a message. Raises TooLarge before any expensive work, and nothing else.

    `is_ours` tells whether the left part of a Message-ID is one of this server's; `authserv` is the name of our own MTA
    in Authentication-Results; `mail_from` the envelope sender, "" for the null sender.
    """
    root = mime.tree(data)
    name, sender = headers.author(root)
    ids = fingerprint(root), headers.message_id(root), headers.references(root)
    proof = next(iter("".join(root.values(POSTED.lower())[:1]).split()), "")  # below it, a mail may begin with a fold
    mail = partial(
        Mail, *ids, sender, name, is_dated=is_dated(root), signed=bracketed(headers.title(root)), proof=proof
    )
    if reason := automatic.silence(root, sender or mail_from or "", is_ours, mail_from):
        is_passed_on = reason not in (automatic.OURS, automatic.LOOP)
        is_vacation = automatic.is_vacation(root, sender, reason)
        silent = partial(mail, "", "", Standing.SILENT, reason, is_complaint=automatic.is_complaint(root, sender))
        return silent(is_passed_on=is_passed_on, is_vacation=is_vacation)
    if automatic.is_by_program(root):
        return mail("", "", Standing.REFUSED, _WRITE_YOURSELF)
    try:
        texts = body.texts(root)
        title, text = _subject(root, sender), next(texts)
    except UnreadableMail as error:
        return mail("", "", Standing.REFUSED, str(error))
    words, is_cut = quotes.read(text)
    is_signature = not words and len(text) <= _MOST_QUOTED and (whole := next(texts)) != text
    if is_signature:
        text, (words, is_cut) = whole, quotes.read(whole)  # somebody has typed all of it into the signature
    if (body.is_closed(root) and not words) or _ENCRYPTED in words:
        return mail("", "", Standing.OPAQUE, _SEND_PLAIN_TEXT)
    dmarc_pass, only_quoted = automatic.dmarc_pass(root, authserv, sender), not words and bool(text.strip())
    told = reaction(root, words)
    read_ = partial(mail, title, words, Standing.NORMAL, text=text, reaction=told, is_signature=is_signature)
    attached = "" if words else body.attached(root, quotes=is_cut or quotes.has_marks(text))
    made = partial(read_, only_quoted=only_quoted, attached=attached, is_cut=is_cut)
    return made(dmarc_pass=dmarc_pass, is_generated=automatic.is_generated(root))


def _subject(root: mime.MimePart, sender: str) -> str:
    if not sender:
        raise UnreadableMail("Your mail must have exactly one sender. Please send it with one address in From.")
    values = root.values("subject")
    if len(values) > 1:
        raise UnreadableMail("Your mail has more than one subject. Please send it with one.")
    return headers.bare_subject(without_words(header_text(values[0])).lstrip()) if values else ""
