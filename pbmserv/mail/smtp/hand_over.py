"""Hands a mail to a listener of this server, from another process of it, and waits until the mail is committed."""

import smtplib
from email.message import EmailMessage

from pbmserv.mail.smtp.endpoints import Endpoint, read_url

TIMEOUT = 10.0  #: seconds for connecting, and for each reply
_MY_NAME = "[127.0.0.1]"  # RFC 5321 §4.1.3; the library would look our name up, which takes seconds without DNS


def hand_over(message: EmailMessage, url: str) -> None:
    """Hand a mail to `url`. Then its effects are on disk; after an OSError or SMTPException nobody knows."""
    with _connected(read_url(url)) as smtp:
        smtp.send_message(message)


def hand_over_bytes(data: bytes, mail_from: str, recipient: str, url: str) -> None:
    """Do the same with a mail and its envelope as they came, with CRLF line ends."""
    with _connected(read_url(url)) as smtp:
        smtp.sendmail(mail_from, [recipient], data, [] if data.isascii() else ["BODY=8BITMIME"])


def _connected(place: Endpoint) -> smtplib.SMTP:
    if place.scheme == "smtp":
        return smtplib.SMTP(place.host, place.port, _MY_NAME, timeout=TIMEOUT)
    return smtplib.LMTP(place.path or place.host, place.port, _MY_NAME, timeout=TIMEOUT)
