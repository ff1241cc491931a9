"""What a mail reports that came to the envelope sender of a letter: whether letter or address is lost. Pure.

Whose letter it was, the VERP address says. What the report says about recipients is ignored: forwarding rewrites it.
"""

import logging
import re
from email import message_from_bytes
from email.parser import BytesHeaderParser
from enum import Enum

from flufl.bounce import all_failures

from pbmserv.mail.reading import mime
from pbmserv.mail.reading.mime import MimePart

#: Bytes that are looked at of a report in an unknown format: what went wrong stands before the letter.
_LOOKED_AT = 16 * 1024

#: Bytes of a line, and blanks in a row, that a library sees: its expressions take quadratic time for more.
_LONG_LINE = re.compile(rb"([^\n]{300})[^\n]+")
_MOST_LINES = 400
_BLANKS = re.compile(rb"[ \t\r\f\v]{9,}")
_EMPTY_LINES = re.compile(rb"\n(?:[ \t\r]*+\n){3,}")

#: Groups of fields that are looked at of one report: the first is about the message, each other about a recipient.
_GROUPS = 20

#: RFC 3464 §2.3.3, worst first. All other actions report a success, or nothing final.
_ACTIONS = ("failed", "delayed")
_STATUS = re.compile(r"\s*([45])\.(\d{1,3})\.\d{1,3}\b")
_REPLY = re.compile(r"(([45])\d\d)(?:[ -]+([45]\.\d{1,3}\.\d{1,3}))?\b")
_HEADERS = BytesHeaderParser()

#: Subjects of a status (RFC 3463 §4) that are about the relay or the message: mail system, protocol, content, policy.
_NOT_THE_ADDRESS = ("3", "5", "6", "7")

# Sentences of mail systems without a report of RFC 3464, in lower case. Delays come first: they quote refusals, too.
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

logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs what it cannot read, and that is a mail


class Verdict(Enum):
    """What became of a letter."""

    PERMANENT = "permanent"  #: it will never arrive
    TEMPORARY = "temporary"  #: it is late; somebody still tries
    UNKNOWN = "unknown"  #: the mail is no report, or one that nobody understands


def judge(data: bytes) -> Verdict:
    """What a mail reports: first as RFC 3464 has it, then in the words of mail systems, then as flufl.bounce knows it.

    `data` is within the bounds of reading/mime.py, as inbound.read demands. Raises nothing.
    """
    try:
        root = mime.tree(data)
        status = _find(root, "message/delivery-status")
        if status is not None:
            return _delivery_status(status.body)
        if _find(root, "message/disposition-notification") is not None:  # RFC 8098: it did arrive
            return Verdict.UNKNOWN
        return _by_words(data) or _by_library(data)
    except Exception:  # a stranger's bytes may do anything to two libraries; then they are no report
        return Verdict.UNKNOWN


def judge_reply(reply: str) -> Verdict:
    """What an SMTP reply such as `550 5.1.1 No such user` says about the address it was given for (RFC 3463 §3).

    Only the address and its mailbox count. A relay that refuses us (5.7) or the message (5.3, 5.5, 5.6) would
    otherwise suspend every address of the server in one bad hour.
    """
    found = _REPLY.match(reply)
    if found is None:
        return Verdict.UNKNOWN
    code, kind, status = found.groups()
    if kind == "4":
        return Verdict.TEMPORARY
    subject = status.split(".")[1] if status else "1" if code in ("550", "551", "553") else ""
    return Verdict.PERMANENT if subject in ("1", "2") else Verdict.UNKNOWN


def _find(part: MimePart, kind: str) -> MimePart | None:
    """The first part of this media type."""
    if part.kind == kind:
        return part
    return next((found for child in part.children if (found := _find(child, kind))), None)


def _delivery_status(body: bytes) -> Verdict:
    """The worst of the recipients' actions: a letter of ours has one recipient, but a forwarded one may have more."""
    actions = [_action(block) for block in re.split(rb"\n[ \t]*\n", body[:_LOOKED_AT], maxsplit=_GROUPS)[:_GROUPS]]
    return next((_VERDICTS[action] for action in _ACTIONS if action in actions), Verdict.UNKNOWN)


def _action(block: bytes) -> str:
    """The Action of one group of fields; if there is none, the one that its Status stands for."""
    fields = _HEADERS.parsebytes(block.lstrip())
    found = _STATUS.match(str(fields.get("Status", "")))
    action = str(fields.get("Action", "")).partition("(")[0].strip().lower()
    if found and found[1] == "5" and found[2] in _NOT_THE_ADDRESS and action in ("", "failed"):
        return "refused"
    return action or ({"5": "failed", "4": "delayed"}[found[1]] if found else "")


def _by_words(data: bytes) -> Verdict | None:
    """What the sentences above the returned letter say; None if they decide nothing."""
    text = _COPY.split(_cut(data).decode("latin-1").lower(), maxsplit=1)[0]
    if _LATE.search(text):
        return Verdict.TEMPORARY
    is_returned = _RETURNED.search(text)
    if is_returned and _NOBODY.search(text):
        return Verdict.PERMANENT
    found = [_judge_refusal(refusal) for refusal in _REFUSAL.findall(text)[:_MOST_REFUSALS]]
    if Verdict.PERMANENT in found:
        return Verdict.PERMANENT if is_returned else None
    return Verdict.UNKNOWN if Verdict.UNKNOWN in found else None


def _judge_refusal(refusal: str) -> Verdict:
    """As `judge_reply`, of a status alone, too."""
    return judge_reply(refusal.replace("#", "") if refusal[1:2] != "." else f"550 {refusal}")


def _by_library(data: bytes) -> Verdict:
    """qmail, Exim, Exchange … and texts with the usual sentences."""
    temporary, permanent = all_failures(message_from_bytes(_cut(data)))
    if permanent:
        return Verdict.PERMANENT
    return Verdict.TEMPORARY if temporary else Verdict.UNKNOWN


def _cut(data: bytes) -> bytes:
    """The beginning of a mail, without long lines and runs of blanks."""
    beginning = data[:_LOOKED_AT].replace(b"\r\n", b"\n")
    short = _EMPTY_LINES.sub(b"\n\n\n", _LONG_LINE.sub(rb"\1", _BLANKS.sub(b"        ", beginning)))
    return b"\n".join(short.split(b"\n", _MOST_LINES)[:_MOST_LINES])


_VERDICTS = {"failed": Verdict.PERMANENT, "delayed": Verdict.TEMPORARY}
