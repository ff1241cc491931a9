"""What the headers of a mail say: who wrote it, its Message-ID and those it answers, its fingerprint."""

import re
from email.utils import getaddresses
from functools import lru_cache
from hashlib import blake2b

from email_validator import EmailNotValidError, validate_email

from pbmserv.mail.reading.encoding import UnreadableMail, header_text, quote_words
from pbmserv.mail.reading.mime import MOST_HEADER, MimePart

# Printable ASCII without spaces and <>, and without encoded words: the email package decodes those wherever they stand,
# and before Python 3.11.10 it wrote the line ends in them into the header (CVE-2024-6923).
_MESSAGE_ID = re.compile(r"<(?![^>]*=\?)[!-;=?-~]{1,250}>")
_ODD_DOTS = re.compile(r"""(?:"([\w.+-]{1,62})"|((?=[^@]*\.[.@]|\.)[\w.+-]{1,62}))@([^@]+)""", re.A)
_LOCAL = ("@localhost", ".localhost", ".local", ".test")
_MOST_NESTED = 20  # comments or groups in From that the package may recurse into
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
    """`address` with its domain in lower-case ASCII (IDNA), "" if it is none. Names of local networks count.

    Encoded words and letters beyond ASCII may stand in local parts, but the email package writes no header with them.
    So may dots in odd places, as some providers give them out, though RFC 5321 wants them in quotes.
    """
    if "=?" in address:
        return ""
    if odd := _ODD_DOTS.fullmatch(address):
        address = f'"{odd[1] or odd[2]}"@{odd[3]}'
    is_local = address.lower().endswith(_LOCAL)
    try:
        # The library refuses the names of local networks; with a label more they are names like others.
        valid = validate_email(
            f"{address}.example" if is_local else address,
            check_deliverability=False,
            globally_deliverable=False,
            allow_smtputf8=False,
            allow_quoted_local=bool(odd),
        )
    except EmailNotValidError:
        return ""
    local = valid.local_part.strip('"')
    return f"{local}@{valid.ascii_domain.removesuffix('.example' if is_local else '')}"


@lru_cache(maxsize=1024)  # players write more than one mail
def _author(value: str) -> tuple[str, str]:
    found = []
    if not any(value.count(sign) > _MOST_NESTED for sign in "(:"):  # the package recurses into comments and groups
        found = getaddresses([quote_words(value)])
    address = normal_address(found[0][1]) if len(found) == 1 else ""
    name, address = (found[0][0], address) if address else _last_mailbox(value.strip())
    return (_name(name), address) if address else ("", "")


def _last_mailbox(value: str) -> tuple[str, str]:
    """Name and address of `Name <address>` with any signs in the name, or of an address alone."""
    name, bracket, rest = value.rpartition("<")
    if not bracket:
        return "", normal_address(value)
    if not rest.endswith(">") or "<" in name:
        return "", ""
    first, comma, _ = name.partition(",")
    if comma and normal_address(first.strip()):  # two authors
        return "", ""
    return name.strip(), normal_address(rest[:-1].strip())


def _message_ids(root: MimePart, name: str) -> list[str]:
    return [found for value in root.values(name) for found in _MESSAGE_ID.findall(_ends(value))]


def _ends(value: str) -> str:
    """A value, or of a very long one the beginning and the end: a thread may be years old."""
    return value if len(value) <= MOST_HEADER else f"{value[: MOST_HEADER // 2]} {value[-MOST_HEADER // 2 :]}"


def _name(text: str) -> str:
    try:
        return header_text(text)
    except UnreadableMail:  # a name is no reason to refuse a mail
        return ""
