"""A letter becomes bytes: text and HTML with the same words, all of it in ASCII with CRLF line ends.

Most letters have nothing in their headers that needs an encoding. Those are written down here, in a fifteenth of the
time that the `email` package takes for the same bytes; it writes the others, and checks each address once.
"""

import re
from binascii import b2a_qp
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import quote

from pbmserv.mail.envelope import PLAIN_ADDRESS

#: Fixed line ends and ASCII-safe transfer encodings: any relay passes these bytes on unchanged.
_POLICY = SMTP.clone(cte_type="7bit", max_line_length=998)

_HEADER = re.compile(rb"^([!-9;-~]+):", re.M)

#: A header's value that stands for itself on one line (RFC 5322 §2.2), without an encoded word (RFC 2047) in it.
_PLAIN = re.compile(r"(?!.*=\?)[!-~][ -~]{0,900}")
_WORD = re.compile(r"\A([\w.+-]+)(?=@)", re.ASCII)
_LINE = 998  #: octets in a line, without its end (RFC 5322 §2.1.1)
_SERVICE = "PBM Server"


@dataclass(frozen=True)
class Letter:
    """One letter to one recipient.

    `references` are whole msg-ids; `reply_to` "" stands for the service address,
    `html` "" for a letter in plain text alone.
    """

    recipient: str
    subject: str
    text: str = field(repr=False)
    message_id: str
    date: datetime
    html: str = field(default="", repr=False)
    references: tuple[str, ...] = ()
    in_reply_to: str = ""
    reply_to: str = ""
    automatic: str = "auto-replied"  #: RFC 3834 §5: auto-replied, or auto-generated if no mail caused it
    attachments: tuple[tuple[str, bytes], ...] = ()  #: JSON files: name, content
    unsubscribe: str = ""  #: the address that ends letters like this one


def build(letter: Letter, service: str) -> bytes:
    """The message with CRLF line ends; `service` is the address it comes from.

    The text is fixed, as it is without a parameter `format` (RFC 3676 §4.1): no client reflows a diagram. The part that
    shows it best comes last (RFC 2046 §5.1.4). Raises ValueError if a header holds a line end: then somebody's words
    would become one.
    """
    headers = list(_headers(letter, service))
    if letter.attachments or not all(_PLAIN.fullmatch(value) for _, value in headers):
        return _by_package(letter, headers)
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    text = _part("plain", letter.text)
    if not letter.html:
        return f"{head}MIME-Version: 1.0\r\n{text}".encode("ascii")
    edge = _edge(letter)
    parts = "".join(f"--{edge}\r\n{part}\r\n" for part in (text, _part("html", letter.html)))
    kind = f'Content-Type: multipart/alternative; boundary="{edge}"'
    return f"{head}MIME-Version: 1.0\r\n{kind}\r\n\r\n{parts}--{edge}--\r\n".encode("ascii")


def check(letter: Letter) -> None:
    """Raise ValueError if `build` would. Where all headers are plain, it is not tried: then it cannot fail."""
    _mailbox(letter.recipient)
    headers = (letter.subject, letter.message_id, letter.in_reply_to, " ".join(letter.references), letter.reply_to)
    if not all(_PLAIN.fullmatch(value) for value in (*headers, letter.unsubscribe) if value):
        build(letter, letter.recipient)


def mailtos(address: str, subject: str, lines: Iterable[str]) -> list[str]:
    """For each line a `mailto` URI (RFC 6068) for a mail that begins with it.

    All but letters, digits and `-._~` is percent-encoded (§2), the `+` of a signed address too, because some programs
    take it for a space. The body's line ends are %0D%0A (§5); one follows, so that more can be written below.
    """
    start = f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body="
    return [f"{start}{quote(line, safe='')}%0D%0A" for line in lines]


def _headers(letter: Letter, service: str) -> Iterator[tuple[str, str]]:
    """Names and values, without those of MIME."""
    yield "From", _mailbox(service, _SERVICE)
    yield "To", _mailbox(letter.recipient)
    yield "Subject", letter.subject
    yield "Date", format_datetime(letter.date)
    yield "Message-ID", letter.message_id
    if letter.in_reply_to:
        yield "In-Reply-To", letter.in_reply_to
    if letter.references:
        yield "References", " ".join(letter.references)
    if letter.reply_to:
        yield "Reply-To", _mailbox(letter.reply_to)
    yield "Auto-Submitted", letter.automatic
    if letter.unsubscribe:
        # By mail (RFC 2369 §3.2) alone: one click (RFC 8058) needs a web server.
        yield "List-Unsubscribe", f"<mailto:{letter.unsubscribe}?subject=unsubscribe>"


def _mailbox(address: str, name: str = "") -> str:
    """An address as it stands in a header. Raises ValueError if it cannot stand there."""
    return address if not name and PLAIN_ADDRESS.fullmatch(address) else _written(address, name)


@lru_cache(maxsize=10_000)
def _written(address: str, name: str) -> str:
    # In quotes also dots in odd places may stand; the package leaves out those that it can do without.
    return str(Address(name, addr_spec=_WORD.sub(r'"\1"', address)))


def _edge(letter: Letter) -> str:
    """The boundary between the parts of a letter (RFC 2046 §5.1.1): the same each time, and not to be guessed."""
    return f"=_{blake2b(letter.message_id.encode(), digest_size=12).hexdigest()}"


def _part(subtype: str, text: str) -> str:
    """A text with its headers."""
    encoding = _transfer(text)
    lines = text.replace("\n", "\r\n")
    if encoding != "7bit":
        lines = b2a_qp(lines.encode(), istext=True).decode("ascii")
    kind = f'Content-Type: text/{subtype}; charset="utf-8"\r\nContent-Transfer-Encoding: {encoding}'
    return f"{kind}\r\n\r\n{lines}"


def _by_package(letter: Letter, headers: list[tuple[str, str]]) -> bytes:
    """The same by the `email` package, which knows how to encode and fold every header."""
    message = EmailMessage(_POLICY)
    for name, value in headers:
        message[name] = value
    message.set_content(letter.text, cte=_transfer(letter.text))
    if letter.html:
        message.add_alternative(letter.html, subtype="html", cte=_transfer(letter.html))
    for name, content in letter.attachments:
        message.add_attachment(content, maintype="application", subtype="json", filename=name)
    for n, part in enumerate(p for p in message.walk() if p.is_multipart()):
        part.set_boundary(f"{_edge(letter)}{n}")
    data = message.as_bytes()
    if _HEADER.findall(data.partition(b"\r\n\r\n")[0]) != [name.encode() for name in message]:
        raise ValueError("a header of a letter holds a line end")
    return data


def _transfer(text: str) -> str:
    """How a text travels: as it is, or encoded for its letters or for the length of its lines."""
    return "7bit" if text.isascii() and max(map(len, text.split("\n"))) <= _LINE else "quoted-printable"
