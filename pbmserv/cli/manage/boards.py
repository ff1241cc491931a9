"""`pbmserv boards`: show a board and its log, and check that they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.manage import exports, rulings
from pbmserv.cli.manage.games import find, game_keys
from pbmserv.cli.terminal.acting import Why, change
from pbmserv.cli.terminal.console import (
    AdminCommands,
    AsJson,
    Limit,
    console,
    errors,
    fail,
    listing,
    load_config,
    print_json,
)
from pbmserv.cli.terminal.database import board_of, open_database, player_of, reading, site_of
from pbmserv.cli.terminal.exits import Exit
from pbmserv.cli.terminal.when import FORMS, since
from pbmserv.errors import PlayerError
from pbmserv.model.boards import BoardState

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk
    from pbmserv.games.base import Seat
    from pbmserv.letters.text.templates import Renderer
    from pbmserv.model import BoardRow, Listed, LogLine
    from pbmserv.store import Store

app = AdminCommands()

Number = Annotated[int, typer.Argument(metavar="BOARD", help="the board's number")]


@app.command("list")
def list_(
    game: Annotated[str, typer.Option(help="only this game", autocompletion=game_keys)] = "",
    player: Annotated[str, typer.Option(metavar="USERID", help="only boards of this player")] = "",
    state: Annotated[
        BoardState, typer.Option("--status", help="all, active, inactive, or next: it is the player's turn")
    ] = BoardState.ALL,
    waiting: Annotated[str, typer.Option("--waiting-since", help=f"somebody has not moved since then: {FORMS}")] = "",
    option: Annotated[str, typer.Option(help="only boards with this option, such as c or size=5")] = "",
    limit: Limit = 200,
    as_json: AsJson = False,
) -> None:
    """List boards, the newest first.

    For example: pbmserv boards list --player alice --waiting-since "7 days"
    """
    moment = since(waiting)
    with reading() as store:
        boards = store.board_lists.search(
            game=find(game).info.key if game else None,
            player_ids=[player_of(store, player).id] if player else (),
            state=state,
            limit=limit,
            waiting_since=moment.timestamp() if moment else None,
            option=option.lstrip("-"),
        )
    titles = ("board", "game", "options", "ply", "players", "to move", "last change", "result")
    keys = ("number", "game", "options", "ply", "players", "to_move", "changed", "result")
    rows = [asdict(b) for b in boards] if as_json else [_listed(b) for b in boards]
    listing(rows, dict(zip(keys, titles, strict=True)), as_json)


@app.command()
def show(
    number: Number,
    ply: Annotated[int | None, typer.Option(help="show the board after this ply")] = None,
    as_: Annotated[
        str, typer.Option("--as", metavar="USERID", help="as this player sees it; default: as everybody does")
    ] = "",
    html: Annotated[bool, typer.Option("--html", help="print an HTML page, without the log")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a board, its log, and the mail that caused each entry.

    For example: pbmserv boards show 101 --ply 1 --as alice
    """
    from pbmserv.letters.pictures.html import letter_html

    with reading() as store:
        row, lines = board_of(store, number), store.boards.log(number)
        goes_on = store.boards.continuation(number)
        renderer = site_of(load_config()).renderer
        page = _page(store, renderer, row, lines, _seat(store, row, as_), ply, html=html)
    if html:
        console.print(letter_html(renderer, renderer.blocks("mail/show.txt", page)).text, markup=False)
        return
    if as_json:
        print_json(_shown(row, page) | {"continued": goes_on, "log": _log(row, lines)})
        return
    state = f"over: {page['result']}" if row.over else "running"
    console.print(f"{page['title']} ({page['conditions']}), {state}")
    if page["tournament"]:
        console.print(page["tournament"], markup=False)
    if left := row.continues:
        console.print(
            f"goes on from board {left.board} after ply {left.ply}: seat {left.seat} was {left.userid}'s ({left.how})"
        )
    if goes_on:
        console.print(f"goes on with a substitute on board {goes_on}")
    console.print(f"\n{page['table']}\n", markup=False)
    console.print(str(page["diagram"]), markup=False)
    listing(_log(row, lines), _LOG, as_json=False)


@app.command()
def log(number: Number, as_json: AsJson = False) -> None:
    """Print the log of a board: who did what, when, and by which mail.

    For example: pbmserv boards log 101 --json
    """
    with reading() as store:
        row = board_of(store, number)
        listing(_log(row, store.boards.log(number)), _LOG, as_json)


app.command()(exports.record)
app.command()(exports.export)


@app.command("import")
def import_(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="what `boards record` printed, or a .pgn or .sgf file")
    ],
    rated: Annotated[bool, typer.Option("--rated", help="let it count for ratings, if it was rated")] = False,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="json, pgn or sgf; default: as the file's name ends")
    ] = "",
    players: Annotated[
        str,
        typer.Option(
            metavar="USERID,USERID", help="who played the games of a .pgn or .sgf file, the first mover first"
        ),
    ] = "",
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="import the good games of a .pgn or .sgf file, and list the others")
    ] = False,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Import a record as a board with a new number. A record whose replay differs is refused.

    It also reads games of chess (PGN) and Go (SGF) from other programs: each becomes a board that does not count for
    ratings. If one of them breaks the rules, nothing of the file is imported. With --skip-bad the others are, and the
    exit code is 1.

    For example: pbmserv boards import board.json --why "moved here from the old server"
    """
    from pbmserv.admin.imports import RecordRefused
    from pbmserv.letters.text.wording import result_text

    name = _format_of(file, format_, rated=rated, players=players, skip_bad=skip_bad)
    skipped: list[str] | None = [] if skip_bad else None
    try:
        imported = change(why, lambda desk: _read(desk, file, name, rated, players, skipped), busy="Playing the games")
    except RecordRefused as e:
        hint = "" if skip_bad or name == _OWN else "\nTo import the other games of the file, add: --skip-bad"
        raise fail(f"{e}{hint}", Exit.DATA) from None
    if as_json:
        print_json(
            [{"number": r.number, "title": r.title, "result": result_text(r), "left_out": x} for r, x in imported]
        )
    for row, left_out in () if as_json else imported:
        told = f" (left out: {', '.join(left_out)})" if left_out else ""
        console.print(f"{row.title}: {result_text(row) or 'running'}{told}", markup=False)
    for why_not in skipped or ():
        errors.print(f"left out: {why_not}", markup=False)
    if skipped:
        raise typer.Exit(1)


_OWN = "json"  #: the format of `boards record`


def _format_of(file: Path, form: str, *, rated: bool, players: str, skip_bad: bool) -> str:
    """Return the format of a file. Exits with 64 if there is no such one, or an option has no use with it."""
    from pbmserv.admin.game_files import formats

    known, name = (_OWN, *formats()), (form or file.suffix.removeprefix(".")).lower()
    if name not in known:
        told = f"There is no format '{name}'." if name else "The name of the file does not tell its format."
        raise fail(f"{told}\nAdd --format with one of: {', '.join(known)}", Exit.USAGE)
    if rated and name != _OWN:
        raise fail("--rated has no use here: games of other programs do not count for ratings.", Exit.USAGE)
    if players and name == _OWN:
        raise fail("--players has no use here: a record in JSON names its players.", Exit.USAGE)
    if skip_bad and name == _OWN:
        raise fail("--skip-bad has no use here: a record in JSON is one board.", Exit.USAGE)
    return name


def _read(
    desk: Desk, file: Path, name: str, rated: bool, players: str, skipped: list[str] | None
) -> list[tuple[BoardRow, Sequence[str]]]:
    """Import the boards of a file, and tell what was left out of each."""
    from pbmserv.admin.imports import restore

    if name == _OWN:
        done: list[tuple[BoardRow, Sequence[str]]] = [
            (restore(desk.store, file.read_bytes(), datetime.now(UTC), rated), ())
        ]
    else:
        done = _from_programs(desk, file, name, players, skipped)
    for row, _ in done:
        desk.note(f"board {row.number}: import")
    return done


def _from_programs(
    desk: Desk, file: Path, name: str, players: str, skipped: list[str] | None
) -> list[tuple[BoardRow, Sequence[str]]]:
    """Import the games of another program, and tell what was left out of each."""
    from pbmserv.admin.game_files import MOST_FILE_BYTES, add_all

    with file.open("rb") as content:
        data = content.read(MOST_FILE_BYTES + 1)
    userids = [userid.strip() for userid in players.split(",")] if players else []
    imported = add_all(desk.store, data, name, userids, datetime.now(UTC), skipped)
    return [(game.row, game.left_out) for game in imported]


@app.command("verify")
def verify_(
    number: Annotated[int, typer.Argument(metavar="BOARD", help="check one board; default: everything")] = 0,
    as_json: AsJson = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="first make the receipts that a program of an older version did not write")
    ] = False,
    why: Why = "",
) -> None:
    """Replay boards from their logs, and check receipts, mails, letters and ratings. Exits with 1 if something differs.

    For example: pbmserv boards verify 101
    """
    from pbmserv.admin.audit import Audit
    from pbmserv.cli.terminal.progress import PARTS, AuditPart, in_data, look_through

    config = load_config()
    if repair:
        sealed = change(why, lambda desk: _repair(desk, number))
        errors.print(f"boards that have receipts now: {', '.join(map(str, sealed)) or 'none lacked them'}")
    with open_database(config) as engine:
        audit = Audit(engine, datetime.now(UTC), config.letters_days)
        one = AuditPart("boards replayed", "", lambda audit: [audit.board(number)])
        parts = [one] if number else PARTS
        checks = in_data(audit, parts) if as_json else []
        bad = sum(len(c["differences"]) for c in checks) if as_json else look_through(audit, parts)
        later = audit.sealed_later(number)
    if as_json:
        print_json({"ok": not bad, "checks": checks, "sealed_later": later})
    elif later:
        console.print(
            f"{later} boards have receipts that were made later than they began; their records say when: sealed"
        )
    if bad:
        raise typer.Exit(1)


def _repair(desk: Desk, number: int) -> list[int]:
    sealed = desk.store.audit.seal(desk.now, number)
    for one in sealed:
        desk.note(f"board {one}: receipts made")
    return sealed


def _shown(row: BoardRow, page: dict[str, object]) -> dict[str, object]:
    """Return what is shown of a board, for programs."""
    told = {key: page[key] for key in ("title", "conditions", "tournament", "result", "table")}
    players = [p.userid for p in row.players]
    to_move = [players[s] for s in sorted(row.board.to_move)]
    return {"number": row.number, **told, "over": row.over, "players": players, "to_move": to_move} | {
        "diagram": str(page["diagram"])
    }


_LOG = {"number": "entry", "at": "at (UTC)"} | {key: key for key in ("player", "kind", "text", "ply", "mail")}


def _log(row: BoardRow, lines: Sequence[LogLine]) -> list[dict[str, object]]:
    from pbmserv.letters.text import move_list

    return [
        {
            "number": x.number,
            "at": x.at,
            "player": move_list.doer(x.entry, row.players),
            "kind": x.entry.kind.value,
            "text": x.entry.text,
            "ply": x.entry.ply,
            "mail": x.mail_id,
        }
        for x in lines
    ]


def _listed(board: Listed) -> dict[str, object]:
    """Return a row of the list as text."""
    from pbmserv.model.boards import options_text

    result, changed = board.result.reason if board.result else "", f"{board.changed:%Y-%m-%d %H:%M}"
    return asdict(board) | {"options": options_text(board.options), "result": result, "changed": changed}


def _page(
    store: Store,
    renderer: Renderer,
    row: BoardRow,
    lines: Sequence[LogLine],
    seat: Seat | None,
    ply: int | None,
    *,
    html: bool,
) -> dict[str, object]:
    """Return the template data for a board after a ply. Exits with 66 if there is no such ply."""
    from pbmserv.boards.absences.vacations import wants_auto
    from pbmserv.games.base.board import at
    from pbmserv.letters.board_page import shown, tournament_of
    from pbmserv.model.preferences import Preferences

    log, wants = [line.entry for line in lines], Preferences({("", "mail"): "html" if html else "text"})
    auto, counts_for = wants_auto(store, row.players), tournament_of(store, row)
    try:
        then = None if ply is None else at(row.board.start, log, ply)
        return shown(renderer, row, log, seat, then=then, wants=wants, auto=auto, tournament=counts_for)
    except PlayerError as e:
        raise fail(str(e), Exit.MISSING) from None


def _seat(store: Store, row: BoardRow, userid: str) -> Seat | None:
    """Return the seat whose view to show. Without a userid the admin sees what a spectator sees."""

    if not userid:
        return None
    player = player_of(store, userid)
    if not row.seats_of(player):
        raise fail(f"{userid} does not play on board {row.number}.", Exit.MISSING)
    return row.seat_to_move(player)


for ruling in (rulings.undo, rulings.void, rulings.adjudicate, rulings.move, rulings.extend):
    app.command()(ruling)
