"""Reads bounces: mails to the envelope sender of a letter, which report what became of it. Pure functions.

The VERP address tells which letter it is about. Then recipients in the report are ignored, because forwarding changes
them. Where there are no such addresses (ADR 92), the Message-ID of the returned letter tells it, with a recipient.
"""

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.parser import BytesHeaderParser
from enum import Enum
from itertools import islice
from typing import NamedTuple

from flufl.bounce import all_failures

from pbmserv.mail.reading import mime
from pbmserv.mail.reading.mime import MimePart

#: How many bytes of a report in an unknown format are read. The error comes before the returned letter.
_LOOKED_AT = 16 * 1024

#: The longest line and run of blanks that a library sees, in bytes. Its expressions take quadratic time for more.
_LONG_LINE = re.compile(rb"([^\n]{300})[^\n]+")
_MOST_LINES = 400
_BLANKS = re.compile(rb"[ \t\r\f\v]{9,}")
_EMPTY_LINES = re.compile(rb"\n(?:[ \t\r]*+\n){3,}")

#: The most groups of fields that are read. The first is about the message, each other one about a recipient.
_GROUPS = 20

#: Actions of RFC 3464 §2.3.3, the worst first. All others report a success, or nothing final.
_ACTIONS = ("failed", "delayed")
_STATUS = re.compile(r"\s*([45])\.(\d{1,3})\.\d{1,3}\b")
_REPLY = re.compile(r"(([45])\d\d)(?:[ -]+([45]\.\d{1,3}\.\d{1,3}))?\b")
_HEADERS = BytesHeaderParser()

# What tells which letter came back: a header of its own, and a recipient.
_MESSAGE_ID = re.compile(rb"^[> \t]{0,9}message-id:\s{0,9}(<[^<>\s]{1,250}>)", re.IGNORECASE | re.MULTILINE)
_ADDRESS = re.compile(r"(?<![\w.+=-])[\w.+=-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}", re.ASCII)
_MOST_NAMED = 20

#: Status codes (RFC 3463 §4) about the relay or the message, not the address: mail system, protocol, content, policy.
_NOT_THE_ADDRESS = ("3", "5", "6", "7")

# Sentences of mail systems that send no RFC 3464 report, in lower case. Delays come first, because they quote refusals.
_LATE = re.compile(
    r"still being retried|has not (?:yet )?been delivered|will (?:continue to|keep) try|will be (?:retried|tried again)"
    r"|message is delayed|this is a warning message only|not yet been able to deliver"
)
_RETURNED = re.compile(
    r"this is the dragonfly mail agent|an error has occurred while attempting to deliver a message|"
    r"unable to deliver your message to the following|transcript of session follows|was not delivered to:|"
    r"technical report:|could not be delivered|delivery (?:to the following recipients? )?failed|undeliverable"
)
_NOBODY = re.compile(
    r"user unknown|unknown user|no such user|not listed in (?:public name|domino directory)|unrouteable address|"
    r"doesn't have a [\w.-]{1,40} account|user [^\n]{1,80}? is unknown|mailbox not found|no mailbox here|does not exist"
)
_REFUSAL = re.compile(r"(?<![\w.])5\d\d[ -]+(?:#?5\.\d{1,3}\.\d{1,3})?(?!\w)|(?<=status: )5\.\d{1,3}\.\d{1,3}")
_COPY = re.compile(
    r"\n(?:-+ ?(?:below this line|this is a copy|original message|unsent message|returned mail|message)|"
    r"message headers follow|below is a copy)"
)
_MOST_REFUSALS = 20

logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs what it cannot read, which could be private mail


class Verdict(Enum):
    """What happened to a letter."""

    PERMANENT = "permanent"  #: it will never arrive
    TEMPORARY = "temporary"  #: it is delayed; another mail server still tries
    UNKNOWN = "unknown"  #: the mail is no report, or we do not understand it


class About(NamedTuple):
    """What a report says of a letter that came back: Message-IDs, one of which may be its own, and recipients."""

    message_ids: tuple[str, ...]
    recipients: tuple[str, ...]


def about(data: bytes) -> About:
    """Return which letter a mail may report about. `data` must be within the limits of reading/mime.py."""
    root = mime.tree(data)
    parts = [part.beginning(_LOOKED_AT) for part in _leaves(root)]
    ids = (match[1].decode("latin-1") for part in parts for match in _MESSAGE_ID.finditer(part))
    status = _find(root, "message/delivery-status")
    fields = [status.body] if status is not None else [data, *parts]
    named = (match[0] for text in fields for match in islice(_addresses(text), _MOST_NAMED))
    return About(tuple(dict.fromkeys(islice(ids, _MOST_NAMED))), tuple(dict.fromkeys(named)))


def _addresses(text: bytes) -> Iterator[re.Match[str]]:
    return _ADDRESS.finditer(text[:_LOOKED_AT].decode("latin-1"))


def _leaves(part: MimePart) -> Iterator[MimePart]:
    if not part.children:
        yield part
    for child in part.children:
        yield from _leaves(child)


def judge(data: bytes) -> Verdict:
    """Return what a mail reports. Tries RFC 3464 first, then known sentences, then flufl.bounce.

    `data` must be within the limits of reading/mime.py, as inbound.read checks. Raises nothing.
    """
    try:
        root = mime.tree(data)
        status = _find(root, "message/delivery-status")
        if status is not None:
            return _delivery_status(status.body)
        # a read receipt (RFC 8098): the letter has arrived
        if _find(root, "message/disposition-notification") is not None:
            return Verdict.UNKNOWN
        return _by_words(data) or _by_library(data)
    except Exception:  # a stranger's bytes can raise anything in two libraries; then the mail counts as no report
        return Verdict.UNKNOWN


def judge_reply(reply: str) -> Verdict:
    """Return what an SMTP reply such as `550 5.1.1 No such user` says about its address (RFC 3463 §3).

    Only errors of the address and its mailbox count. Otherwise a relay that refuses us (5.7) or the message (5.3, 5.5,
    5.6) would suspend every address of the server within an hour.
    """
    match = _REPLY.match(reply)
    if match is None:
        return Verdict.UNKNOWN
    code, kind, status = match.groups()
    if kind == "4":
        return Verdict.TEMPORARY
    subject = status.split(".")[1] if status else "1" if code in ("550", "551", "553") else ""
    return Verdict.PERMANENT if subject in ("1", "2") else Verdict.UNKNOWN


def _find(part: MimePart, kind: str) -> MimePart | None:
    """Return the first part of this media type; None if there is none."""
    if part.kind == kind:
        return part
    return next((part_inside for child in part.children if (part_inside := _find(child, kind))), None)


def _delivery_status(body: bytes) -> Verdict:
    """Return the worst action. Our letter has one recipient, but a forwarded one may have more."""
    actions = [_action(block) for block in re.split(rb"\n[ \t]*\n", body[:_LOOKED_AT], maxsplit=_GROUPS)[:_GROUPS]]
    return next((_VERDICTS[action] for action in _ACTIONS if action in actions), Verdict.UNKNOWN)


def _action(block: bytes) -> str:
    """Return the Action of one group of fields. If there is none, derive it from the Status."""
    fields = _HEADERS.parsebytes(block.lstrip())
    match = _STATUS.match(str(fields.get("Status", "")))
    action = str(fields.get("Action", "")).partition("(")[0].strip().lower()
    if match and match[1] == "5" and match[2] in _NOT_THE_ADDRESS and action in ("", "failed"):
        return "refused"
    return action or ({"5": "failed", "4": "delayed"}[match[1]] if match else "")


def _by_words(data: bytes) -> Verdict | None:
    """Judge by the sentences above the returned letter; None if they decide nothing."""
    text = _COPY.split(_cut(data).decode("latin-1").lower(), maxsplit=1)[0]
    if _LATE.search(text):
        return Verdict.TEMPORARY
    is_returned = _RETURNED.search(text)
    if is_returned and _NOBODY.search(text):
        return Verdict.PERMANENT
    verdicts = [_judge_refusal(refusal) for refusal in _REFUSAL.findall(text)[:_MOST_REFUSALS]]
    if Verdict.PERMANENT in verdicts:
        return Verdict.PERMANENT if is_returned else None
    return Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts else None


def _judge_refusal(refusal: str) -> Verdict:
    """Judge as `judge_reply` does. The text can also be only a status."""
    return judge_reply(refusal.replace("#", "") if refusal[1:2] != "." else f"550 {refusal}")


def _by_library(data: bytes) -> Verdict:
    """Judge with flufl.bounce, which knows qmail, Exim, Exchange and others."""
    temporary, permanent = all_failures(message_from_bytes(_cut(data)))
    if permanent:
        return Verdict.PERMANENT
    return Verdict.TEMPORARY if temporary else Verdict.UNKNOWN


def _cut(data: bytes) -> bytes:
    """Return the beginning of a mail, without long lines and runs of blanks."""
    beginning = data[:_LOOKED_AT].replace(b"\r\n", b"\n")
    short = _EMPTY_LINES.sub(b"\n\n\n", _LONG_LINE.sub(rb"\1", _BLANKS.sub(b"        ", beginning)))
    return b"\n".join(short.split(b"\n", _MOST_LINES)[:_MOST_LINES])


_VERDICTS = {"failed": Verdict.PERMANENT, "delayed": Verdict.TEMPORARY}
