"""`pbmserv mail`: mails that came in, what happened to them, and the shelf."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.manage.history.trace import print_stories, stories_of_mails
from pbmserv.cli.terminal.acting import Why, Yes, change, reason, refused, who
from pbmserv.cli.terminal.console import AdminCommands, AsJson, Limit, console, fail, listing, load_config
from pbmserv.cli.terminal.database import key_of, open_database, reading, site_of
from pbmserv.cli.terminal.exits import Exit
from pbmserv.cli.terminal.when import Since, since
from pbmserv.errors import PlayerError
from pbmserv.letters.text.times import utc_now
from pbmserv.mail.envelope import MailStatus

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk
    from pbmserv.mail.envelope import Incoming
    from pbmserv.mail.seal import Seal
    from pbmserv.store import Store

app = AdminCommands()

Number = Annotated[
    int, typer.Argument(metavar="MAIL", help="the mail's number, which is also the reference in an apology")
]


@app.command("list")
def list_(
    status: Annotated[MailStatus | None, typer.Option(help="done, error, silent, refused, shelved or dropped")] = None,
    sender: Annotated[list[str] | None, typer.Option("--from", metavar="ADDRESS", help="may be repeated")] = None,
    begin: Since = "",
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List mails, the newest first. With --status shelved, list the shelf.

    For example: pbmserv mail list --status shelved --since "2 weeks"
    """
    with reading() as store:
        mails = store.mails.search(status=status or "", senders=sender or (), since=since(begin), limit=limit)
    titles = {"id": "mail", "received": "received (UTC)", "sender": "from"}
    listing([dict(m._mapping) for m in mails], titles | {n: n for n in ("status", "calls", "problem")}, as_json)


@app.command()
def show(number: Number, as_json: AsJson = False) -> None:
    """Show one mail: its calls without passwords, and the entries and letters that it caused.

    For example: pbmserv mail show 1
    """
    with reading() as store:
        stories = stories_of_mails(store, [number])
    if not stories:
        raise fail(f"There is no mail {number}.\nTo see them: pbmserv mail list", Exit.MISSING)
    print_stories(stories, as_json)


@app.command()
def retry(number: Number, why: Why = "") -> None:
    """Handle a mail from the shelf again. Even if this is interrupted, the mail takes effect only once.

    For example: pbmserv mail retry 2 --why "the bug is fixed"
    """
    from pbmserv.commands import command_language
    from pbmserv.inbox.pipeline import Pipeline
    from pbmserv.mail.seal import Seal

    config, told = load_config(), reason(why)
    seal = Seal(key_of(config))
    incoming = _unsealed(seal, number)
    with open_database(config) as engine:
        pipeline = Pipeline(engine, site_of(config), command_language(), seal.close)
        ran = pipeline.retry(number, incoming, lambda store: _note(store, number, told))
    with reading() as store:
        (mail,) = store.mails.by_ids([number])
    console.print(f"Mail {number}: {mail.status} {mail.problem}".rstrip(), markup=False)
    if mail.status == MailStatus.SHELVED or not ran:
        raise typer.Exit(1)


@app.command()
def drop(number: Number, why: Why = "", yes: Yes = False) -> None:
    """Drop a mail from the shelf: its content is erased, its record stays.

    For example: pbmserv mail drop 2 --why "the player sent it again" --yes
    """
    from pbmserv.admin import letters

    change(why, lambda desk: letters.drop_mail(desk, number), asks=f"Drop mail {number}?", yes=yes)
    console.print(f"Mail {number} is dropped.")


def _unsealed(seal: Seal, number: int) -> Incoming:
    """Return the mail as it came in. Exits with 66 or 65 if it is not on the shelf, with 78 if the key is wrong."""
    from cryptography.fernet import InvalidToken

    from pbmserv.admin import letters
    from pbmserv.mail.envelope import Incoming

    try:
        with reading() as store:
            return Incoming.unpack(seal.open(letters.demand_quarantined(store, number)))
    except PlayerError as e:
        raise refused(e) from None
    except InvalidToken:
        raise fail(
            "The mail was encrypted with another PBMSERV_SECRET_KEY than the current one.", Exit.CONFIG
        ) from None


def _note(store: Store, number: int, why: str) -> None:
    (mail,) = store.mails.by_ids([number])
    store.operations.add_event(utc_now(), who(), f"mail {number}: retry, {mail.status}", why)


@app.command()
def take_old(why: Why = "", yes: Yes = False) -> None:
    """Read also the mails that were in the mailbox before this server knew it. Each is answered as if it came now.

    For example: pbmserv mail take-old --yes --why "the server was moved"
    """
    from pbmserv.mail.imap.account import read_account

    config = load_config()
    name = read_account(config.mailbox).name if config.mailbox else ""

    def take(desk: Desk) -> int:
        row = desk.store.mailboxes.find(name)
        if row is None or not row.old:
            raise fail("There are no older mails that are left alone.", Exit.MISSING)
        desk.store.mailboxes.put(name, uid=0, since=None, old=0, old_upto=row.uid)
        desk.note(f"mailbox {name}: take-old, {row.old}")
        return row.old

    count = change(why, take, asks="Read all older mails, and answer them?", yes=yes)
    console.print(f"{count} older mails will be read. Those that were played before do nothing.")
