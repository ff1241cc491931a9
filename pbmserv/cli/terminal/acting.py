"""For commands that change something: who does it and why, a question before it, and one transaction."""

from __future__ import annotations

import os
import pwd
import secrets
import socket
import sys
import unicodedata
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from pbmserv.cli.terminal.console import console, errors, fail, load_config
from pbmserv.cli.terminal.database import open_database, site_of
from pbmserv.cli.terminal.exits import Exit
from pbmserv.errors import PlayerError

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk

T = TypeVar("T")
_NOBODY_LOGGED_IN = 2**32 - 1  #: as the login of a process that no login started

Why = Annotated[
    str, typer.Option("--why", help="the reason; it is recorded, and players see it if it is about a board")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="do not ask (for scripts)")]
Generate = Annotated[bool, typer.Option("--generate", help="generate a password and print it once")]


def change(why: str, do: Callable[[Desk], T], *, asks: str = "", yes: bool = False, busy: str = "") -> T:
    """Run `do` in a transaction, commit it with its letters and its event, and return its result.

    `asks`: a question that the admin must answer first; `busy`: a text to show in a terminal meanwhile, for actions
    that may take seconds. Exits as `refused` does if `do` raises PlayerError.
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
    """Print an error. The exit code is 66 if something is missing, 75 if the admin can try later, else 65."""
    from pbmserv.admin.desk import Missing
    from pbmserv.admin.letters import InHand

    code = Exit.DATA
    if isinstance(error, Missing):
        code = Exit.MISSING
    elif isinstance(error, InHand):
        code = Exit.TEMPORARY
    return fail(error.whole, code)


def confirm(question: str, yes: bool) -> None:
    """Ask before something is destroyed. Exits with 1 if the answer is no, with 64 if nobody can answer."""
    if yes:
        return
    if not is_interactive():
        raise fail(f"{question}\nThere is no terminal to ask you. To do it without a question, add: --yes", Exit.USAGE)
    if not typer.confirm(question):
        raise fail("Nothing was done.")


def reason(why: str) -> str:
    """Return the reason in one line. If it is missing, ask for it in a terminal."""
    if not why and is_interactive():
        why = typer.prompt("Why", default="", show_default=False)
    return " ".join(why.split())


def new_password(generate: bool) -> str:
    """Return a new password: generated, asked for twice, or read from standard input.

    A password is never an argument, because other users of the machine could see it. Exits with 65 if it is not
    allowed.
    """
    from pbmserv.inbox.command import PASSWORD_CHARACTERS, is_password

    if generate:
        made = secrets.token_urlsafe(12)
        password = made if is_password(made) else f"p{made[1:]}"  # with a leading dash it would look like an option
    elif is_interactive():
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    else:
        password = sys.stdin.readline().rstrip("\n")
    password = unicodedata.normalize("NFC", password)  # passwords that come by mail are normalized in the same way
    if not is_password(password):
        words = f"A password has {PASSWORD_CHARACTERS} without spaces, quotes or colons, and does not begin with -."
        raise fail(words, Exit.DATA)
    return password


def hashed(password: str) -> str:
    """Return the hash to store. Hashing is slow, so call this before the transaction."""
    from pbmserv.model.passwords import Passwords

    return Passwords().hash(password)


def print_password(password: str, generate: bool) -> None:
    """Print a generated password. It is stored nowhere in clear."""
    if generate:
        console.print(f"The password is: {password}", markup=False)


def who() -> str:
    """Return who does something: `ann as pbmserv@mx.example.org`, or `ann@mx.example.org` if it is her own account.

    The account that runs a command is often the same for all admins, so the person is looked for behind it: what
    PBMSERV_ADMIN says, who called sudo or doas, or who logged in to this session before.
    """
    account, machine = _account_of(os.geteuid()), socket.gethostname()
    behind = (os.environ.get(name, "") for name in ("PBMSERV_ADMIN", "SUDO_USER", "DOAS_USER"))
    person = " ".join((next(filter(None, behind), "") or _logged_in()).split())
    return f"{person} as {account}@{machine}" if person not in ("", account) else f"{account}@{machine}"


def _account_of(uid: int) -> str:
    """Return the name of an account; its number if it has none, as in a container."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"


def _logged_in() -> str:
    """Return the account that logged in to this session, which stays the same behind `su`; "" if nobody knows."""
    try:
        uid = int(Path("/proc/self/loginuid").read_text())
    except (OSError, ValueError):  # another system, or a kernel without it
        return ""
    return "" if uid == _NOBODY_LOGGED_IN else _account_of(uid)


def is_interactive() -> bool:
    """Return whether somebody at a terminal can answer a question."""
    return sys.stdin.isatty() and errors.is_terminal
