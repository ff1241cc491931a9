"""What commands that change something share: who does it and why, a question before it is too late, one transaction."""

from __future__ import annotations

import getpass
import os
import secrets
import sys
import unicodedata
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from pbmserv.cli.terminal.console import console, errors, fail, load_config
from pbmserv.cli.terminal.database import open_database, site_of
from pbmserv.cli.terminal.exits import Exit
from pbmserv.errors import PlayerError

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk

T = TypeVar("T")

Why = Annotated[str, typer.Option("--why", help="the reason; it is kept, and players read it if it is about a board")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="do not ask, for scripts")]
Generate = Annotated[bool, typer.Option("--generate", help="make a password and print it, once")]


def change(why: str, do: Callable[[Desk], T], *, asks: str = "", yes: bool = False, busy: str = "") -> T:
    """What `do` returns, committed with its letters and its event.

    `asks`: what is to be confirmed before; `busy`: what a terminal shows meanwhile, if it may take seconds.
    """
    from pbmserv.admin.desk import Admin, act
    from pbmserv.letters.text.times import utc_now

    if asks:
        confirm(asks, yes)
    admin = Admin(who(), reason(why))
    config = load_config()
    try:
        with open_database(config) as engine, errors.status(busy) if busy else nullcontext():
            return act(engine, site_of(config), admin, utc_now(), do)
    except PlayerError as e:
        raise refused(e) from None


def refused(error: PlayerError) -> typer.Exit:
    """Print what was wrong; the exit code says whether it is missing, cannot be done, or cannot be done now."""
    from pbmserv.admin.desk import Missing
    from pbmserv.admin.letters import InHand

    code = Exit.DATA
    if isinstance(error, Missing):
        code = Exit.MISSING
    elif isinstance(error, InHand):
        code = Exit.TEMPORARY
    return fail(error.whole, code)


def confirm(question: str, yes: bool) -> None:
    """Ask before something is destroyed; exits with 1 if the answer is no, with 64 if there is nobody to answer."""
    if yes:
        return
    if not is_interactive():
        raise fail(f"{question}\nNobody is here to say so. To do it anyway, add: --yes", Exit.USAGE)
    if not typer.confirm(question):
        raise fail("Nothing was done.")


def reason(why: str) -> str:
    """Why it is done: asked for if it is missing and somebody is there. One line."""
    if not why and is_interactive():
        why = typer.prompt("Why", default="", show_default=False)
    return " ".join(why.split())


def new_password(generate: bool) -> str:
    """A password, generated, asked for twice, or from standard input; never an argument: others could see that."""
    from pbmserv.inbox.command import is_password

    if generate:
        made = secrets.token_urlsafe(12)
        password = made if is_password(made) else f"p{made[1:]}"  # a leading dash would be an option
    elif is_interactive():
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    else:
        password = sys.stdin.readline().rstrip("\n")
    password = unicodedata.normalize("NFC", password)  # as those that come by mail
    if not is_password(password):
        raise fail("A password has 6 to 128 characters without spaces, quotes or colons, and no leading -.", Exit.DATA)
    return password


def hashed(password: str) -> str:
    """The hash to store, made before the transaction begins."""
    from pbmserv.passwords import Passwords

    return Passwords().hash(password)


def print_password(password: str, generate: bool) -> None:
    """Show a generated password; it is nowhere else."""
    if generate:
        console.print(f"The password is: {password}", markup=False)


def who() -> str:
    """The system's user, and who became him by sudo."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # a container may run under a number without a name
        user = f"uid {os.getuid()}"
    behind = os.environ.get("SUDO_USER", "")
    return f"{behind} as {user}" if behind and behind != user else user


def is_interactive() -> bool:
    """Whether somebody can answer a question."""
    return sys.stdin.isatty() and errors.is_terminal
