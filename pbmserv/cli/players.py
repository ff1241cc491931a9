"""`pbmserv players`: accounts and their addresses."""

import json

import typer
from rich.table import Table

from pbmserv.cli.common import add_row, console, fail
from pbmserv.cli.database import reading

app = typer.Typer(help="Players: list, show.", no_args_is_help=True, add_completion=False)


@app.command("list")
def list_(as_json: bool = typer.Option(False, "--json", help="machine-readable")) -> None:
    """List all accounts."""
    with reading() as store:
        players = store.players()
    if as_json:
        console.print_json(json.dumps([{"userid": p.userid, "created": p.created.isoformat()} for p in players]))
        return
    table = Table("userid", "member since (UTC)", "account")
    for p in players:
        add_row(table, p.userid, f"{p.created:%Y-%m-%d %H:%M}", "open" if p.password_hash else "closed")
    console.print(table)


@app.command()
def show(userid: str) -> None:
    """Show one account: its addresses and its running boards."""
    with reading() as store:
        player = store.player(userid)
        if player is None:
            raise fail(f"There is no player {userid}.", 66)
        console.print(f"{player.userid}, member since {player.created:%Y-%m-%d}")
        for a in store.addresses(player.id):
            state = f"confirmed {a.confirmed:%Y-%m-%d}" if a.confirmed else "not confirmed"
            console.print(f"  {a.address}  {state}", markup=False)
        for b in store.list_boards(player_id=player.id):
            console.print(f"  board {b.number}  {b.game}  ply {b.ply}  {', '.join(b.players)}")
