"""Reads the headers of a mail: author, Message-ID, references, and what of a subject is its sender's."""

import re
from email.utils import getaddresses
from functools import lru_cache
from itertools import islice

from email_validator import EmailNotValidError, validate_email

from pbmserv.mail.reading.encoding import UnreadableMail, guess, header_text, quote_words
from pbmserv.mail.reading.mime import MOST_HEADER, MimePart

# Printable ASCII without spaces and <>, and without encoded words: the email package decodes them everywhere, and
# before Python 3.11.10 it wrote their line ends into the header (CVE-2024-6923).
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_ENCODED_WORD = "=?"
_ODD_DOTS = re.compile(r"""(?:"([\w.+-]{1,62})"|((?=[^@]*\.[.@]|\.)[\w.+-]{1,62}))@([^@]+)""", re.A)
_GMAIL = ("gmail.com", "googlemail.com")
_LOCAL = ("@localhost", ".localhost", ".local", ".test")
_MOST_NESTED = 20  # how deeply the package may recurse into comments or groups in From
_MOST_REFERENCES = 12  # so that our own header stays under the 4 KiB that we read
#: The field From with its folded lines, as mime.py reads it.
_FROM = re.compile(rb"^from:[ \t]*((?:[^\r\n]|\r\n[ \t])*)", re.IGNORECASE | re.MULTILINE)
_MOST_OF_ONE = 1024  # characters of From with one address, encoded, so that a long list is not read twice
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def message_id(root: MimePart) -> str:
    """Return the Message-ID with its angle brackets; "" if there is none. A second such header means nothing."""
    return next(iter(_message_ids(root, "message-id")), "")


def references(root: MimePart) -> str:
    """Return the first and the last Message-IDs to which this mail refers, separated by spaces."""
    ids = list(dict.fromkeys(_message_ids(root, "references") + _message_ids(root, "in-reply-to")))
    return " ".join(ids if len(ids) <= _MOST_REFERENCES else [ids[0], *ids[1 - _MOST_REFERENCES :]])


def title(root: MimePart) -> str:
    """Return the decoded subject, with all that was put before and behind it; "" if it cannot be read."""
    try:
        return header_text("".join(root.values("subject")[:1]))
    except UnreadableMail:
        return ""


def author(root: MimePart) -> tuple[str, str]:
    """Return display name and address of the author; two empty texts if there is not exactly one.

    From can be a group without members (RFC 6854), but a move needs a sender.
    """
    values = root.values("from")
    return _author(values[0]) if len(values) == 1 else ("", "")


def is_unanswerable(data: bytes, mail_from: str) -> bool:
    """Return whether nobody could be answered: neither who stands in From, nor the SMTP sender if that names nobody.

    Of letters beyond ASCII before the @ of the only address we know that they are the reason; so are encoded words
    (RFC 2047 §5 forbids them there). Domains (IDNA) and names may have both. `data`: the message with CRLF, takes time
    linear in its headers; `mail_from`: not the null sender, whom nobody answers (RFC 5321 §4.5.5).
    """
    head, _, _ = data.partition(b"\r\n\r\n")
    is_told = bool(normal_address(mail_from))
    if head.isascii() and _ENCODED_WORD.encode() not in head and is_told:
        return False
    values = [guess(match[1].replace(b"\r\n", b"")) for match in islice(_FROM.finditer(head), 2)]
    if len(values) == 1 and len(values[0]) <= MOST_HEADER:
        if _author(values[0])[1]:
            return False
        only_one = len(values[0]) <= _MOST_OF_ONE
        if only_one and _author(_BEYOND_ASCII.sub("x", _name(values[0])))[1]:  # nothing else is wrong with the address
            return True
    return not is_told


def mailbox(address: str) -> str:
    """Return the same text for all spellings of an address: without capitals and without a subaddress (`+news`).

    Gmail ignores dots, so for Gmail they are removed, too.
    """
    local, _, domain = address.casefold().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _GMAIL:
        local, domain = local.replace(".", ""), _GMAIL[0]
    return f"{local}@{domain}"


@lru_cache(maxsize=4096)
def normal_address(address: str) -> str:
    """Return `address` with its domain in lower-case ASCII (IDNA); "" if it is not valid.

    Local network names are valid.

    Encoded words and non-ASCII letters in local parts are not valid, because the email package writes no header with
    them. Dots in odd places are valid, because some providers assign such addresses, though RFC 5321 wants quotes.
    """
    if "=?" in address:
        return ""
    if odd := _ODD_DOTS.fullmatch(address):
        address = f'"{odd[1] or odd[2]}"@{odd[3]}'
    is_local = address.lower().endswith(_LOCAL)
    try:
        # The library refuses local network names. With one more label they are ordinary names.
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


@lru_cache(maxsize=1024)  # players write more than once
def _author(value: str) -> tuple[str, str]:
    mailboxes = []
    if not any(value.count(sign) > _MOST_NESTED for sign in "(:"):  # more would make the package recurse too deeply
        mailboxes = getaddresses([quote_words(value)])
    address = normal_address(mailboxes[0][1]) if len(mailboxes) == 1 else ""
    name, address = (mailboxes[0][0], address) if address else _last_mailbox(value.strip())
    return (_name(name), address) if address else ("", "")


def _last_mailbox(value: str) -> tuple[str, str]:
    """Return name and address of `Name <address>`, with any signs in the name, or of an address alone."""
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
    """Return the Message-IDs in the first header of this name. There may be only one (RFC 5322 §3.6)."""
    ids = [text for value in root.values(name)[:1] for text in _MESSAGE_ID.findall(_ends(value))]
    return [text for text in ids if _ENCODED_WORD not in text]


def _ends(value: str) -> str:
    """Return a value, but only both ends of a very long one. Threads can be years old."""
    return value if len(value) <= MOST_HEADER else f"{value[: MOST_HEADER // 2]} {value[-MOST_HEADER // 2 :]}"


def _name(text: str) -> str:
    try:
        return header_text(text)
    except UnreadableMail:  # do not refuse a mail because of a name
        return ""


# Reply and forward prefixes; commands have no colon, so none of these can be the beginning of one.
_SUBJECT_PREFIXES = {
    "English, and most others": "re fw fwd",
    "German": "aw antwort wg",
    "Dutch": "antw doorst",
    "Swedish, Danish, Norwegian, Finnish, Icelandic": "sv vb vs vl fs",
    "French": "tr rép réf",
    "Spanish": "rv rm",
    "Portuguese": "res enc",
    "Italian": "r rif i",
    "Polish": "odp pd",
    "Russian": "отв ответ на ha пересл",
    "Chinese": "回复 回覆 答复 答覆 转发 轉寄 轉發",
    "Japanese": "返信 転送",
    "Korean": "회신 답장 전달",
    "Croatian, Serbian": "odg",
    "Hungarian": "vá továbbítás",
    "Turkish": "ynt ilt i̇lt",
    "Lithuanian": "ats",
    "Indonesian": "bls trs",
    "Welsh": "atb yml",
    "Greek": "απ πρθ σχετ",
    "Hebrew": "השב הועבר",
}
# Counted forms: Re[2]: Re(2): Re^2: Re*2:
_COUNT = r"(?: ?[\[(]\d{1,3}[\])]|[*^]\d{1,3})?"
_SUBJECT_PREFIX = re.compile(rf"(?:{'|'.join(' '.join(_SUBJECT_PREFIXES.values()).split())}){_COUNT} ?[:：] ?", re.I)
_TAG = re.compile(r"\[[^\[\]]{1,60}\] ?")
_BRACKETED = re.compile(rf"\[(?={_SUBJECT_PREFIX.pattern})(.*)\]", re.I)
_FORWARDED = re.compile(r" ?\(fwd\)$", re.I)


def bare_subject(subject: str) -> str:
    """A decoded, clean subject without what was put before and behind it on its way."""
    if whole := _BRACKETED.fullmatch(subject):  # [Fwd: subject]
        subject = whole[1]
    start = 0
    while match := _SUBJECT_PREFIX.match(subject, start) or _TAG.match(subject, start):
        start = match.end()
    subject = subject[start:].rstrip()
    while match := _FORWARDED.search(subject):
        subject = subject[: match.start()]
    return subject
