"""`pbmserv send`: a small mail client for tests and scripts. It reads the answers from Maildirs."""

import mailbox
import smtplib
import sys
import time
from collections.abc import Sequence
from email.message import EmailMessage, Message
from email.utils import formatdate, make_msgid
from functools import cached_property
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import typer

from pbmserv.cli.terminal.console import console, fail, load_config
from pbmserv.cli.terminal.exits import Exit
from pbmserv.mail.smtp.maildir import folder_name

_MORE = 0.3  #: seconds; if no further letter comes in this time, all have arrived
_MY_NAME = "[127.0.0.1]"  # RFC 5321 §4.1.3; the library would look our name up, which takes seconds without DNS


def send(
    sender: str = typer.Argument(metavar="FROM", help="the sender's address"),
    subject: str = typer.Argument("", help="the command; with --reply: the first line of the answer"),
    body: str = typer.Option("", help="a file with the body, or - for standard input"),
    to: str = typer.Option("", help="the recipient; default: the service address"),
    reply: bool = typer.Option(False, "--reply", help="answer the newest board letter that FROM has"),
    wait: float = typer.Option(10, help="seconds to wait for the answer"),
) -> None:
    """Send a real mail over SMTP and print the letters that come back.

    For example: pbmserv send alice@example.org "tumble move 101 alice secret1 h3-g4"
    """
    config = load_config()
    url = _smtp_place(config.listen)
    box = Mailbox(config.relay, sender)
    message = _headed(sender, to or config.address, subject)
    text = _read(body)
    if reply:
        _make_reply(message, box)
        text = f"{subject}\n\n{text}"
    message.set_content(text)
    before = box.keys()
    try:
        submit(message, url)
    except smtplib.SMTPException as e:
        raise fail(f"The server at {url} did not take the mail: {e}", Exit.UNAVAILABLE) from None
    except OSError as e:
        raise fail(f"Nothing answers at {url}: {e}\nStart the server with: pbmserv serve", Exit.UNAVAILABLE) from None
    _print_answers(box, str(message["Message-ID"]), before, wait)


def submit(message: EmailMessage, url: str) -> None:
    """Hand a mail to the listener at `url`. Raises OSError or SMTPException."""
    parts = urlsplit(url)
    with smtplib.SMTP(parts.hostname or "", parts.port or 0, _MY_NAME, timeout=30) as smtp:
        smtp.send_message(message)


class Mailbox:
    """The Maildir of one recipient, below the folder that the relay setting names."""

    def __init__(self, relay: str, address: str) -> None:
        self.known = relay.startswith("maildir:")
        self._folder = Path(relay.removeprefix("maildir:")) / folder_name(address)

    def keys(self) -> set[str]:
        """Return the files of all letters."""
        return set(self._box.keys()) if self.known and self._is_made else set()

    def letters(self, keys: set[str]) -> list[Message]:
        """Sort letters, the oldest first. The relay names each file after the number of its letter."""
        return [self._box[key] for key in sorted(keys)]

    def newest_to_answer(self) -> Message | None:
        """Return the newest letter with a Reply-To, such as a board letter or a confirmation."""
        newest_first = (self._box[key] for key in sorted(self.keys(), reverse=True))
        return next((letter for letter in newest_first if letter["Reply-To"]), None)

    def answers(self, message_id: str, before: set[str]) -> bool:
        """Whether a letter that answers this message has come."""
        return any(letter["In-Reply-To"] == message_id for letter in self.letters(self.keys() - before))

    @property
    def _is_made(self) -> bool:
        """Return whether the relay has created the Maildir completely."""
        return all((self._folder / name).is_dir() for name in ("tmp", "new", "cur"))

    @cached_property
    def _box(self) -> mailbox.Maildir:
        return mailbox.Maildir(self._folder, create=False)


def text_of(letter: Message) -> str:
    """The plain text of a letter."""
    for part in letter.walk():
        if part.get_content_type() == "text/plain":
            return cast(bytes, part.get_payload(decode=True)).decode(part.get_content_charset() or "utf-8")
    return ""


def _smtp_place(listen: Sequence[str]) -> str:
    """Return the SMTP address of the listener. Exits with 78 (EX_CONFIG) if there is none, or none with a port."""
    try:
        return next(url for url in listen if url.startswith("smtp:") and urlsplit(url).port)
    except (StopIteration, ValueError):
        raise fail("There is no smtp://host:port in PBMSERV_LISTEN, and send can only use SMTP.", Exit.CONFIG) from None


def _headed(sender: str, to: str, subject: str) -> EmailMessage:
    """Return a mail with headers and no body yet. Exits with 64 (EX_USAGE) if a header has several lines."""
    message = EmailMessage()
    try:
        message["From"], message["To"], message["Subject"] = sender, to, subject
    except ValueError:
        raise fail("FROM, SUBJECT and --to must be one line each. Use --body for more text.", Exit.USAGE) from None
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain="pbmserv-send")
    return message


def _make_reply(message: EmailMessage, box: Mailbox) -> None:
    """Turn a mail into a reply to the newest letter with a signed address, as a mail program does."""
    letter = box.newest_to_answer()
    if letter is None:
        raise fail(f"{message['From']} has no board letter to answer.", Exit.MISSING)
    for header, value in (("To", letter["Reply-To"]), ("Subject", f"Re: {letter['Subject']}")):
        del message[header]
        message[header] = value
    message["In-Reply-To"] = letter["Message-ID"]
    message["References"] = " ".join(filter(None, (letter["References"], letter["Message-ID"])))


def _read(body: str) -> str:
    if not body:
        return ""
    try:
        return sys.stdin.read() if body == "-" else Path(body).read_text(encoding="utf-8")
    except OSError as e:
        raise fail(f"The body cannot be read: {e}", Exit.MISSING) from None
    except UnicodeDecodeError:
        raise fail("The body cannot be read: it must be text in UTF-8.", Exit.DATA) from None


def _print_answers(box: Mailbox, message_id: str, before: set[str], seconds: float) -> None:
    """Wait for the answer, then print all new letters to this address."""
    if not box.known:
        console.print("The server accepted the mail. Letters go to a relay, so they cannot be shown here.")
        return
    deadline = time.monotonic() + seconds
    while not box.answers(message_id, before) and time.monotonic() < deadline:
        time.sleep(0.05)
    count = -1
    while count != (count := len(box.keys())):
        time.sleep(_MORE)
    letters = box.letters(box.keys() - before)
    for letter in letters:
        console.rule(style="dim")
        console.print(f"To: {letter['To']}\nSubject: {letter['Subject']}\n", markup=False)
        console.print(text_of(letter), markup=False)
    if not letters:
        console.print("The server accepted the mail, but no letter came for this address.")
        console.print("(The server writes to an unknown address at most once a day.)")
