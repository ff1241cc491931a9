"""A letter becomes bytes: headers by the `email` package, text and HTML with the same words."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

#: Fixed line ends and ASCII-safe transfer encodings: any relay passes these bytes on unchanged.
_POLICY = SMTP.clone(cte_type="7bit", max_line_length=998)

_HEADER = re.compile(rb"^([!-9;-~]+):", re.M)


@dataclass(frozen=True)
class Letter:
    """One letter to one recipient.

    `references` are whole msg-ids; `reply_to` "" stands for the service address,
    `html` "" for a letter in plain text alone.
    """

    recipient: str
    subject: str
    text: str = field(repr=False)
    html: str = field(repr=False)
    message_id: str
    date: datetime
    references: tuple[str, ...] = ()
    in_reply_to: str = ""
    reply_to: str = ""
    automatic: str = "auto-replied"  #: RFC 3834 §5: auto-replied, or auto-generated if no mail caused it
    attachments: tuple[tuple[str, bytes], ...] = ()  #: JSON files: name, content
    unsubscribe: str = ""  #: the address that ends letters like this one


def build(letter: Letter, service: str) -> bytes:
    """The message with CRLF line ends; `service` is the address it comes from.

    The text is fixed, as it is without a parameter `format` (RFC 3676 §4.1): no client reflows a diagram. The part that
    shows it best comes last (RFC 2046 §5.1.4). Raises ValueError if the package wrote other headers than these: then
    somebody's words became one.
    """
    message = EmailMessage(_POLICY)
    message["From"] = Address("PBM Server", addr_spec=service)
    message["To"] = Address(addr_spec=letter.recipient)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(letter.date)
    message["Message-ID"] = letter.message_id
    if letter.in_reply_to:
        message["In-Reply-To"] = letter.in_reply_to
    if letter.references:
        message["References"] = " ".join(letter.references)
    if letter.reply_to:
        message["Reply-To"] = Address(addr_spec=letter.reply_to)
    message["Auto-Submitted"] = letter.automatic
    if letter.unsubscribe:  # RFC 2369 §3.2
        # By mail (RFC 2369) alone: one click (RFC 8058) needs a web server.
        message["List-Unsubscribe"] = f"<mailto:{letter.unsubscribe}?subject=unsubscribe>"
    message.set_content(letter.text, cte=_transfer(letter.text))
    if letter.html:
        message.add_alternative(letter.html, subtype="html", cte=_transfer(letter.html))
    for name, content in letter.attachments:
        message.add_attachment(content, maintype="application", subtype="json", filename=name)
    data = message.as_bytes()
    if _HEADER.findall(data.partition(b"\r\n\r\n")[0]) != [name.encode() for name in message]:
        raise ValueError("a header of a letter holds a line end")
    return data


def _transfer(text: str) -> str:
    return "7bit" if text.isascii() else "quoted-printable"
