"""What the headers of a mail say: who wrote it, its Message-ID and those it answers, its fingerprint."""

import re
from email.utils import getaddresses
from functools import lru_cache
from hashlib import blake2b

from email_validator import EmailNotValidError, validate_email

from pbmserv.mail.reading.encoding import UnreadableMail, header_text, quote_words
from pbmserv.mail.reading.mime import MimePart

# Printable ASCII without spaces and <>, and without encoded words: the email package decodes those wherever they stand,
# and before Python 3.11.10 it wrote the line ends in them into the header (CVE-2024-6923).
_MESSAGE_ID = re.compile(r"<(?![^>]*=\?)[!-;=?-~]{1,250}>")
_MOST_REFERENCES = 12  # a line of ours stays under the 4 KiB that we read ourselves


def fingerprint(root: MimePart) -> str:
    """32 hex digits for one message: the same for each recipient, route and delivery.

    Without a Message-ID the subject counts too; else two short commands without a body would be one message.
    """
    names = ["message-id", "from", "date"] if root.values("message-id") else ["from", "date", "subject"]
    fields = "".join(f"{name}:{' '.join(value.split())}\n" for name in names for value in root.values(name))
    return blake2b(f"{fields}\n".encode() + root.body.rstrip(b"\n"), digest_size=16).hexdigest()


def message_id(root: MimePart) -> str:
    """The first Message-ID with its angle brackets, "" if there is none."""
    return next(iter(_message_ids(root, "message-id")), "")


def references(root: MimePart) -> str:
    """The Message-IDs that this mail refers to, separated by spaces: the first, and the last ones."""
    ids = list(dict.fromkeys(_message_ids(root, "references") + _message_ids(root, "in-reply-to")))
    return " ".join(ids if len(ids) <= _MOST_REFERENCES else [ids[0], *ids[1 - _MOST_REFERENCES :]])


def author(root: MimePart) -> tuple[str, str]:
    """Display name and address of the one author; two empty texts if there is not exactly one.

    From may hold a group that names nobody (RFC 6854); a move needs somebody who made it.
    """
    values = root.values("from")
    return _author(values[0]) if len(values) == 1 else ("", "")


@lru_cache(maxsize=4096)
def normal_address(address: str) -> str:
    """`address` with its domain in lower-case ASCII (IDNA), "" if it is none. Local names such as localhost count.

    Encoded words and letters beyond ASCII may stand in local parts, but the email package writes no header with them.
    """
    if "=?" in address:
        return ""
    try:
        valid = validate_email(address, check_deliverability=False, globally_deliverable=False, allow_smtputf8=False)
    except EmailNotValidError:
        return ""
    return f"{valid.local_part}@{valid.ascii_domain}"


@lru_cache(maxsize=1024)  # players write more than one mail
def _author(value: str) -> tuple[str, str]:
    if value.count("(") > 20:  # the package recurses into each comment
        return "", ""
    found = getaddresses([quote_words(value)])
    address = normal_address(found[0][1]) if len(found) == 1 else ""
    return (_name(found[0][0]), address) if address else ("", "")


def _message_ids(root: MimePart, name: str) -> list[str]:
    return [found for value in root.values(name) for found in _MESSAGE_ID.findall(value)]


def _name(text: str) -> str:
    try:
        return header_text(text)
    except UnreadableMail:  # a name is no reason to refuse a mail
        return ""
