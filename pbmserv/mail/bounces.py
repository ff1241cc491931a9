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

#: Groups of fields that are looked at of one report: the first is about the message, each other about a recipient.
_GROUPS = 20

#: RFC 3464 §2.3.3, worst first. All other actions report a success, or nothing final.
_ACTIONS = ("failed", "delayed")
_STATUS = re.compile(r"\s*([45])\.\d{1,3}\.\d{1,3}\b")
_REPLY = re.compile(r"(([45])\d\d)(?:[ -]+([45]\.\d{1,3}\.\d{1,3}))?\b")
_HEADERS = BytesHeaderParser()

logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs what it cannot read, and that is a mail


class Verdict(Enum):
    """What became of a letter."""

    PERMANENT = "permanent"  #: it will never arrive
    TEMPORARY = "temporary"  #: it is late; somebody still tries
    UNKNOWN = "unknown"  #: the mail is no report, or one that nobody understands


def judge(data: bytes) -> Verdict:
    """What a mail reports: first as RFC 3464 has it, then as flufl.bounce knows the other forms.

    `data` is within the bounds of reading/mime.py, as inbound.read demands. Raises nothing.
    """
    try:
        root = mime.tree(data)
        status = _find(root, "message/delivery-status")
        if status is not None:
            return _delivery_status(status.body)
        if _find(root, "message/disposition-notification") is not None:  # RFC 8098: it did arrive
            return Verdict.UNKNOWN
        return _other_forms(data)
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
    actions = [_action(block) for block in re.split(rb"\n[ \t]*\n", body, maxsplit=_GROUPS)[:_GROUPS]]
    return next((_VERDICTS[action] for action in _ACTIONS if action in actions), Verdict.UNKNOWN)


def _action(block: bytes) -> str:
    """The Action of one group of fields; if there is none, the one that its Status stands for."""
    fields = _HEADERS.parsebytes(block.lstrip())
    if action := str(fields.get("Action", "")).partition("(")[0].strip().lower():
        return action
    found = _STATUS.match(str(fields.get("Status", "")))
    return {"5": "failed", "4": "delayed"}.get(found[1], "") if found else ""


def _other_forms(data: bytes) -> Verdict:
    """qmail, Exim, Exchange … and texts with the usual sentences."""
    temporary, permanent = all_failures(message_from_bytes(data[:_LOOKED_AT]))
    if permanent:
        return Verdict.PERMANENT
    return Verdict.TEMPORARY if temporary else Verdict.UNKNOWN


_VERDICTS = {"failed": Verdict.PERMANENT, "delayed": Verdict.TEMPORARY}
