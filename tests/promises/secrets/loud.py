"""`pbmserv` with every logger at DEBUG and one bug: `games` raises an error with all its data. Run it as a program."""

import logging
import smtplib

from pbmserv.cli.main import run
from pbmserv.cli.terminal import logs
from pbmserv.commands import COMMANDS
from pbmserv.inbox.command import Call
from pbmserv.inbox.context import Answer, Context


def loudly(form: str = "kv", level: str = "debug", configure=logs.configure) -> None:  # type: ignore[no-untyped-def]
    """Set up the logs, in place of logs.configure."""
    configure(form, "debug")
    logging.getLogger().setLevel(logging.DEBUG)


def stumble(ctx: Context, call: Call) -> Answer:
    """Raise an error, in place of the command `games`."""
    raise RuntimeError(f"a bug that knows {ctx.body!r}, {ctx.mail.body!r} and {ctx.password_checks.checked}")


def crash(*args: object, **options: object) -> None:
    """Raise an error, in place of a connection."""
    message = "a crash"
    raise RuntimeError(message)


logs.configure = loudly
smtplib.SMTP = crash  # type: ignore[assignment,misc]
for command in COMMANDS:
    if command.verb == "games":
        command.__dict__["run"] = stumble

if __name__ == "__main__":
    run()
