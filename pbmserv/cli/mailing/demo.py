"""`pbmserv demo`: two players on a temporary server with real SMTP. Every letter is printed."""

from __future__ import annotations

import asyncio
import smtplib
import tempfile
from email.message import EmailMessage, Message
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import TYPE_CHECKING

from pbmserv.cli.mailing.send import Mailbox, submit, text_of
from pbmserv.cli.terminal.console import console, load_config
from pbmserv.cli.terminal.database import key_of, prepare_database

if TYPE_CHECKING:
    from pbmserv.config import Config

ALICE, BOB = "alice@example.org", "bob@example.org"

#: From, the subject or the first line of a reply, the comment, and whether the mail replies to the last letter.
SCRIPT: tuple[tuple[str, str, str, bool], ...] = (
    (ALICE, "signup alice secret1", "", False),
    (BOB, "signup bob secret2", "", False),
    (ALICE, "tumble challenge alice bob -c", "Shall we?", False),
    (ALICE, "tumble move 101 alice secret1 h4-g5t", "", False),
    (BOB, "a5-b4t", "A pleasure. Your move!", True),
    (BOB, "tumble set bob secret2 u", "", False),
    (ALICE, "h3-g4", "", True),
    (BOB, "b6-c5", "", True),
    (ALICE, "h2-h1t", "", True),
    (BOB, "c6-d5", "Seven men on one square! What are they for?", True),
    (ALICE, "h1-a8", "For this.", True),  # without the t only one man would move, and only to the next square
    (ALICE, "h1-a8t", "For this. Thank you for the game!", True),
)
_MORE = 0.2  #: seconds; if no further letter comes in this time, all have arrived


def demo() -> None:
    """Play a short game between two players and print every letter in order.

    For example: pbmserv demo
    """
    from pbmserv.cli.terminal import logs

    logs.configure(level="error")
    with tempfile.TemporaryDirectory(prefix="pbmserv-demo-") as folder:
        config = load_config(
            database_url=f"sqlite:///{folder}/pbmserv.db",
            listen=["smtp://127.0.0.1:0"],
            relay=f"maildir:{folder}/letters",
            senders=0,
            trust_from=True,
            confirm_addresses=False,
        )
        console.print("Start a temporary server with PBMSERV_TRUST_FROM=1 and PBMSERV_CONFIRM_ADDRESSES=0.")
        prepare_database(config)
        asyncio.run(_play(config, Path(folder)))


async def _play(config: Config, folder: Path) -> None:
    from pbmserv.cli.terminal.launch import Launch
    from pbmserv.cli.terminal.running import settings_of
    from pbmserv.server.server import Server

    server = Server(settings_of(Launch.of(config, key_of(config))))
    await server.start()
    try:
        seen: dict[str, set[str]] = {ALICE: set(), BOB: set()}
        for sender, words, comment, is_reply in SCRIPT:
            message = _message(config, sender, words, comment, is_reply)
            console.rule(f"{sender} writes", style="bold")
            console.print(
                f"To: {message['To']}\nSubject: {message['Subject']}\n\n{message.get_content()}", markup=False
            )
            await asyncio.to_thread(submit, message, server.addresses[0])
            await _show_new(config, seen, str(message["Message-ID"]), sender)
    except smtplib.SMTPException as e:
        console.print(f"The server did not accept the mail: {e}", style="red")
    finally:
        await server.stop()


def _message(config: Config, sender: str, words: str, comment: str, is_reply: bool) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["Date"], message["Message-ID"] = sender, formatdate(), make_msgid(domain="example.org")
    letter = Mailbox(config.relay, sender).newest_to_answer() if is_reply else None
    message["To"] = letter["Reply-To"] if letter else config.address
    message["Subject"] = f"Re: {letter['Subject']}" if letter else words
    message.set_content(f"{words}\n\n{comment}\n" if letter else f"{comment}\n")
    return message


async def _show_new(config: Config, seen: dict[str, set[str]], message_id: str, sender: str) -> None:
    """Print the letters that this mail caused in both mailboxes."""
    async with asyncio.timeout(30):
        while not Mailbox(config.relay, sender).answers(message_id, seen[sender]):
            await asyncio.sleep(0.02)
    count = -1
    while count != (count := sum(len(Mailbox(config.relay, address).keys()) for address in seen)):
        await asyncio.sleep(_MORE)
    for address, known in seen.items():
        box = Mailbox(config.relay, address)
        new = box.keys() - known
        for letter in box.letters(new):
            _show(letter)
        seen[address] |= new


def _show(letter: Message) -> None:
    console.rule(f"letter to {letter['To']}: {letter['Subject']}", style="dim")
    console.print(text_of(letter), markup=False)
