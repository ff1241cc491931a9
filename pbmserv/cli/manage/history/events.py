"""`pbmserv events`: what admins did."""

from typing import Annotated

import typer

from pbmserv.cli.terminal.console import AdminCommands, AsJson, Limit, listing
from pbmserv.cli.terminal.database import reading
from pbmserv.cli.terminal.when import Since, since

app = AdminCommands()
app.callback()(lambda: None)  # else its only command would be called without a name


@app.command("list")
def list_(
    about: Annotated[str, typer.Option(help='only this thing, such as "board 101", "player alice", "letter 7"')] = "",
    begin: Since = "",
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List what admins did, the newest first.

    For example: pbmserv events list --about "board 101" --since "30 days"
    """
    with reading() as store:
        rows = [dict(e._mapping) for e in store.operations.events(since=since(begin), about=about, limit=limit)]
    listing(rows, {"at": "at (UTC)", "who": "who", "what": "what", "why": "why"}, as_json)
