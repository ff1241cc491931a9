"""`pbmserv boards`: any board, its log, and whether it is as its log says."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress, TaskID
from rich.table import Table

from pbmserv import board as fold
from pbmserv import moves
from pbmserv.audit import Audit, Step
from pbmserv.cli.common import add_row, console, errors, fail, load_config
from pbmserv.cli.database import existing, reading, setup_of, writing
from pbmserv.errors import PlayerError
from pbmserv.pages import diagram, reader_seat
from pbmserv.record import record_of
from pbmserv.restore import Refused, restore
from pbmserv.store import BoardRow, Store
from pbmserv.wording import board_title, conditions, result_text

app = typer.Typer(help="Boards: list, show, record, import, verify.", no_args_is_help=True, add_completion=False)


@app.command("list")
def list_(
    game: str = typer.Option("", help="only this game"),
    player: str = typer.Option("", help="only boards of this player"),
    state: str = typer.Option("all", help="all, active, inactive or next"),
    limit: int = typer.Option(200, help="the newest so many"),
    as_json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """List boards, the newest first."""
    with reading() as store:
        account = store.player(player) if player else None
        if player and account is None:
            raise fail(f"There is no player {player}.")
        id_ = account.id if account else None
        boards = store.list_boards(game=game or None, player_id=id_, state=state, limit=limit)
    if as_json:
        console.print_json(json.dumps([asdict(b) for b in boards], default=str))
        return
    table = Table("board", "game", "options", "ply", "players", "to move", "last change", "result")
    for b in boards:
        result = b.result.reason if b.result else ""
        options = " ".join(f"-{o}" for o in b.options)
        players, to_move = ", ".join(b.players), ", ".join(b.to_move)
        add_row(table, b.number, b.game, options, b.ply, players, to_move, f"{b.changed:%Y-%m-%d %H:%M}", result)
    console.print(table)


@app.command()
def show(
    number: int,
    ply: int | None = typer.Option(None, help="after this ply"),
    as_: str = typer.Option("", "--as", metavar="USERID", help="as this player sees it; default: everything"),
) -> None:
    """Show a board, its log, and the mail that caused each entry."""
    with reading() as store:
        row = _board(store, number)
        seat = _seat(store, row, as_)
        lines = store.log(number)
        then = row.board if ply is None else _at(row, [x.entry for x in lines], ply)
        site = setup_of(load_config()).site()
        console.print(
            f"{board_title(row)} ({conditions(row)}), {'over: ' + result_text(row) if row.over else 'running'}"
        )
        played = fold.standing([x.entry for x in lines])[: then.ply]
        console.print(f"\n{moves.table(row, played, None)}\n", markup=False)
        console.print(diagram(site.renderer, then, seat), markup=False)
    table = Table("entry", "at (UTC)", "player", "kind", "text", "ply", "mail")
    for x in lines:
        e = x.entry
        who = row.players[e.seat].userid
        add_row(table, x.number, f"{x.at:%Y-%m-%d %H:%M:%S}", who, e.kind, e.text, e.ply, x.mail_id or "")
    console.print(table)


@app.command()
def record(
    number: int,
    with_seed: bool = typer.Option(False, "--with-seed", help="of a running board too: keep it secret"),
) -> None:
    """Print the whole board as JSON."""
    with reading() as store:
        console.print_json(json.dumps(record_of(_board(store, number), store.log(number), with_secrets=with_seed)))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="what `boards record` printed")],
    rated: bool = typer.Option(False, "--rated", help="let it count for ratings, if it did"),
) -> None:
    """Read a record back as a board with a new number; refuse it if its replay differs."""
    try:
        with writing() as store:
            row = restore(store, file.read_bytes(), datetime.now(UTC), rated)
    except Refused as e:
        raise fail(str(e), 65) from None
    console.print(f"{board_title(row)}: {result_text(row) or 'running'}")


@app.command("verify")
def verify_(number: int = typer.Argument(0, help="one board; default: everything")) -> None:
    """Replay boards from their logs; match mails, entries, letters and ratings. Exits with 1 if something differs."""
    config = load_config()
    with existing(config) as engine:
        audit = Audit(engine, datetime.now(UTC), config.letters_days)
        bad = _report("boards replayed", [audit.board(number)]) if number else _verify_all(audit)
    if bad:
        raise typer.Exit(1)


def _verify_all(audit: Audit) -> int:
    """Everything, with a progress bar for each part where it takes long; how much differs."""
    parts = (
        ("boards replayed", "board", audit.boards()),
        ("mails matched", "mail", audit.mails()),
        ("letters matched", "outbox", audit.letters()),
        ("finished boards rated again", "board", audit.ratings()),
    )
    bad = 0
    for done, table, steps in parts:
        count = audit.count(table)
        with Progress(console=errors, transient=True, disable=count < 50) as progress:
            bad += _report(done, _advancing(progress, progress.add_task(done.capitalize(), total=count), steps))
    return bad


def _advancing(progress: Progress, task: TaskID, steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        progress.advance(task, step.looked_at)
        yield step


def _report(done: str, steps: Iterable[Step]) -> int:
    """Print what differs as it is found, and how much of it there is, which is returned."""
    looked_at, bad = 0, 0
    for step in steps:
        looked_at, bad = looked_at + step.looked_at, bad + len(step.found)
        for sentence in step.found:
            console.print(sentence, style="red", markup=False)
    console.print(f"{looked_at} {done}, {bad} differences")
    return bad


def _board(store: Store, number: int) -> BoardRow:
    row = store.board(number, lock=False)
    if row is None:
        raise fail(f"There is no board {number}.", 66)
    return row


def _at(row: BoardRow, log: list[fold.Entry], ply: int) -> fold.Board:
    try:
        return fold.at(row.board.start, log, ply)
    except PlayerError as e:
        raise fail(str(e), 66) from None


def _seat(store: Store, row: BoardRow, userid: str) -> Any:
    """The seat whose view is shown; without a name the admin sees what a spectator sees."""
    if not userid:
        return None
    player = store.player(userid)
    if player is None or not row.seats_of(player):
        raise fail(f"{userid} does not play on board {row.number}.")
    return reader_seat(row, player)
