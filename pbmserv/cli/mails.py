"""`pbmserv mail`: what came in, what became of it, and what it caused."""

import json
from typing import Any

import typer
from rich.table import Table

from pbmserv.cli.common import add_row, console, fail
from pbmserv.cli.database import reading

app = typer.Typer(help="Mails that came in: list, show.", no_args_is_help=True, add_completion=False)


@app.command("list")
def list_(
    limit: int = typer.Option(50, help="the newest so many"),
    as_json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """List mails, the newest first."""
    with reading() as store:
        mails = store.mails(limit)
    if as_json:
        console.print_json(json.dumps([dict(m._mapping) for m in mails], default=str))
        return
    table = Table("mail", "received (UTC)", "from", "status", "calls", "problem")
    for m in mails:
        add_row(table, m.id, f"{m.received:%Y-%m-%d %H:%M:%S}", m.sender, m.status, m.calls, m.problem)
    console.print(table)


@app.command()
def show(number: int) -> None:
    """Show one mail: its calls without passwords, the entries and the letters it caused."""
    with reading() as store:
        mail: Any = store.mail(number)
        if mail is None:
            raise fail(f"There is no mail {number}.", 66)
        effects, letters = store.effects(number), store.letters(number)
    console.print(
        f"mail {mail.id} from {mail.sender}, received {mail.received:%Y-%m-%d %H:%M:%S} UTC: {mail.status}",
        markup=False,
    )
    for line in mail.calls.splitlines():
        console.print(f"  call: {line}", markup=False)
    if mail.problem:
        console.print(f"  problem: {mail.problem}", markup=False)
    for e in effects:
        console.print(f"  board {e.board}, entry {e.number}: {e.kind} {e.text}", markup=False)
    for x in letters:
        console.print(f"  letter {x.id} ({x.kind}) to {x.recipient}: {x.status} {x.receipt}", markup=False)
