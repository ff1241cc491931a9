"""`pbmserv deliver`: takes one mail from another mail program, and hands it to the server.

What goes wrong is never blamed on the mail, unless the server refuses it: then the program keeps it and tries again.
"""

from __future__ import annotations

import re
import smtplib
import sys
from typing import TYPE_CHECKING, NoReturn

import typer

from pbmserv.cli.terminal.console import fail, load_config
from pbmserv.cli.terminal.exits import Exit
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES

if TYPE_CHECKING:
    from pbmserv.config import Config

_UNIX_FROM = re.compile(rb"From (\S*)[^\n]*\n")  #: the line that some programs put before a mail: its envelope sender
_NOBODY = "MAILER-DAEMON"  #: how such programs write the null sender


def deliver(
    sender: str | None = typer.Option(None, "--from", help="the envelope sender; default: what the mail itself says"),
    to: str = typer.Option("", help="the envelope recipient; default: what the mail itself says"),
) -> None:
    """Hand a mail on standard input to the running server, for .forward, procmail, maildrop or fetchmail.

    Exits with 0 when its effects are on disk, with 65 if the server refuses it, and else with 75: keep it, try again.

    For example: pbmserv deliver --to "$RECIPIENT" --from "$SENDER" < mail
    """
    try:
        _hand_over(load_config(), sys.stdin.buffer.read(MOST_MESSAGE_BYTES + 1), sender, to)
    except typer.Exit as end:
        raise typer.Exit(Exit.DATA if end.exit_code == Exit.DATA else Exit.TEMPORARY) from None
    except smtplib.SMTPException as error:
        _refused(error)
    except Exception as error:
        raise fail(f"The mail could not be handed over: {error}", Exit.TEMPORARY) from None


def _hand_over(config: Config, mail: bytes, sender: str | None, to: str) -> None:
    """Send the mail to our listener. Raises OSError or SMTPException; typer.Exit if it is too large."""
    from pbmserv.mail.imap.lost_envelope import incoming
    from pbmserv.mail.signed_addresses import Signer
    from pbmserv.mail.smtp.hand_over import hand_over_bytes

    if len(mail) > MOST_MESSAGE_BYTES:
        raise fail(f"The mail has more than {MOST_MESSAGE_BYTES // 1024} KiB.", Exit.DATA)
    if unix_from := _UNIX_FROM.match(mail):
        mail = mail[unix_from.end() :]
        sender = unix_from[1].decode(errors="replace") if sender is None else sender
    if not config.secret_key and config.key_file and not config.key_file.exists():  # another one would fit no letter
        raise fail(f"{config.key_file} is missing: call this in the folder of pbmserv.toml.", Exit.TEMPORARY)
    read = incoming(mail, Signer(config.address, config.key()))
    mail_from = read.mail_from if sender is None else sender.strip("<>")
    if not mail_from.isascii():  # it would be kept for ever, because it can never be sent
        raise fail("The sender must be written in ASCII.", Exit.DATA)
    nobody = "" if mail_from.upper() == _NOBODY else mail_from
    hand_over_bytes(read.data, nobody, to.strip("<>") or read.rcpts[0], config.listen)


def _refused(error: smtplib.SMTPException) -> NoReturn:
    """End with what the server says: whether it refuses this mail for good, or not now."""
    from pbmserv.mail.smtp.hand_over import refusal

    reply = refusal(error)
    kept = Exit.DATA if reply.is_final else Exit.TEMPORARY
    raise fail(f"The server did not take the mail: {reply.reason}", kept)
