"""Hands a mail to a listener of this server, from another process of it, and waits until the mail is committed."""

import smtplib
from collections.abc import Sequence
from email.message import EmailMessage
from typing import NamedTuple

from pbmserv.mail.smtp.endpoints import Endpoint, read_url

TIMEOUT = 10.0  #: seconds for connecting, and for each reply
_MY_NAME = "[127.0.0.1]"  # RFC 5321 §4.1.3; the library would look our name up, which takes seconds without DNS
_FOR_GOOD = range(500, 600)


class Refusal(NamedTuple):
    """What the server says to a mail that it does not take now, or at all. `code`: of its reply; 0: it gave none."""

    code: int
    reason: str

    @property
    def is_final(self) -> bool:
        """Whether the server refuses this mail for good, and not only now."""
        return self.code in _FOR_GOOD


def hand_over(message: EmailMessage, url: str) -> None:
    """Hand a mail to `url`. Then its effects are on disk; after an OSError or SMTPException nobody knows."""
    with _connected(read_url(url)) as smtp:
        smtp.send_message(message)


def hand_over_bytes(data: bytes, mail_from: str, recipient: str, urls: Sequence[str]) -> None:
    """Do the same with a mail and its envelope as they came, with CRLF line ends: to the first URL that answers."""
    with _reached(urls) as smtp:
        smtp.sendmail(mail_from, [recipient], data, [] if data.isascii() else ["BODY=8BITMIME"])


def refusal(error: smtplib.SMTPException) -> Refusal:
    """Return what the server said."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):  # there is one recipient
        ((code, reply),) = error.recipients.values()
        return Refusal(code, reply.decode(errors="replace"))
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return Refusal(error.smtp_code, text.decode(errors="replace") if isinstance(text, bytes) else text)
    return Refusal(0, str(error))


def _reached(urls: Sequence[str]) -> smtplib.SMTP:
    failed = OSError("PBMSERV_LISTEN names no address with a port")
    for place in map(read_url, urls):
        if not (place.path or place.port):
            continue  # the library would take another program's port
        try:
            return _connected(place)
        except OSError as error:
            failed = error
    raise failed


def _connected(place: Endpoint) -> smtplib.SMTP:
    if place.scheme == "smtp":
        return smtplib.SMTP(place.host, place.port, _MY_NAME, timeout=TIMEOUT)
    return smtplib.LMTP(place.path or place.host, place.port, _MY_NAME, timeout=TIMEOUT)
