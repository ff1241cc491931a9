"""`pbmserv status`: how the server does, for people and for monitoring."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from pbmserv import __version__
from pbmserv.cli.terminal.console import AsJson, console, load_config, print_json
from pbmserv.cli.terminal.database import open_database

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

#: Seconds after which something wants the operator's attention; of the clock, those are `deadlines.AWAY`.
LETTER_WAITS, STANDBY_LAGS = 3600, 60


def status(as_json: AsJson = False) -> None:
    """Show queues, traffic, clock and database. Exits with 1 if something wants your attention, and says what to do.

    For example: pbmserv status --json
    """
    from pbmserv.db import engines

    with open_database(load_config()) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        found = look(connection, datetime.now(UTC))
    found["warnings"] = warnings(found)
    if as_json:
        print_json(found)
    else:
        console.print("\n".join(_lines(found)), markup=False)
    if found["warnings"]:
        raise typer.Exit(1)


def look(connection: Connection, now: datetime) -> dict[str, Any]:
    """The figures of one moment; what `--json` prints. Times in seconds unless their name says otherwise."""
    from pbmserv.store import Store
    from pbmserv.store.operations import LAST_RUN

    figures = Store(connection).operations
    waiting, last, (running, boards) = figures.waiting_letters(), figures.fact(LAST_RUN), figures.board_totals()
    day, hour = (figures.traffic(now - timedelta(hours=hours)) for hours in (24, 1))
    return {
        "version": __version__,
        "outbox": {
            "queued": waiting.queued,
            "leased": waiting.leased,
            "oldest_seconds": round((now - waiting.oldest).total_seconds()) if waiting.oldest else 0,
            "failed_last_day": figures.failed_letters(now - timedelta(days=1)),
        },
        "shelf": figures.shelved_mails(),
        "mails": {"last_hour": hour[0], "last_day": day[0]},
        "moves": {"last_hour": hour[1], "last_day": day[1]},
        "clock": {"age_seconds": round(now.timestamp() - float(last)) if last else None},
        "boards": {"running": running, "all": boards},
        "players": figures.player_total(),
        "database": _database(connection),
    }


def _database(connection: Connection) -> dict[str, Any]:
    from pbmserv.db import migrate
    from pbmserv.db.health import Health

    health, began = Health(connection), perf_counter()
    health.ping()
    return {
        "kind": connection.dialect.name,
        "schema": migrate.revision(connection),
        "round_trip_ms": round((perf_counter() - began) * 1000, 2),
        "size_bytes": health.size(),
        "standbys": [asdict(standby) for standby in health.standbys()],
    }


def warnings(found: dict[str, Any]) -> list[str]:
    """What wants attention, each with what to do."""
    from pbmserv.boards.deadlines import AWAY

    rested, waits = found["clock"]["age_seconds"], found["outbox"]["oldest_seconds"]
    lagging = [s["name"] for s in found["database"]["standbys"] if (s["seconds_behind"] or 0) > STANDBY_LAGS]
    told = []
    if waits > LETTER_WAITS:
        told.append(
            f"A letter waits for {_time(waits)}. Is a process with the role sender running, and does the relay "
            "take letters? Ask: pbmserv doctor; which ones wait: pbmserv letters list --status queued"
        )
    if rested is None or rested > AWAY:
        since = "has never run" if rested is None else f"ran last {_time(rested)} ago"
        told.append(f"The clock {since}. Start a process with the role clock: pbmserv serve")
    elif rested < -AWAY:
        told.append(f"The clock ran last {_time(-rested)} in the future. Set the time of this machine right (NTP).")
    if found["shelf"]:
        told.append(
            f"Mails on the shelf: {found['shelf']}. Each met a bug of pbmserv; their numbers and where it is: "
            "pbmserv mail list --status shelved"
        )
    if lagging:
        told.append(f"More than a minute behind: standby {', '.join(map(str, lagging))}. Look at its log and its disk.")
    return told


def _lines(found: dict[str, Any]) -> list[str]:
    outbox, base, rested = found["outbox"], found["database"], found["clock"]["age_seconds"]
    traffic = (f"{found[x]['last_hour']} {x} in an hour, {found[x]['last_day']} in a day" for x in ("mails", "moves"))
    letters = f"{outbox['queued']} queued, {outbox['leased']} in hand, {outbox['failed_last_day']} failed in a day"
    size = f"{base['size_bytes'] / 1e6:.1f} MB"
    lines = [
        f"pbmserv   {found['version']}",
        f"letters   {letters}; the oldest waits for {_time(outbox['oldest_seconds'])}",
        f"shelf     {found['shelf']} mails",
        f"traffic   {'; '.join(traffic)}",
        f"clock     {'never ran' if rested is None else f'ran {_time(rested)} ago'}",
        f"boards    {found['boards']['running']} running, {found['boards']['all']} in all",
        f"players   {found['players']}",
        f"database  {base['kind']}, schema {base['schema']}, {size}, answers in {base['round_trip_ms']} ms",
    ]
    lines += [
        f"standby   {s['name']}: {s['state']}, {s['bytes_behind']} bytes and {s['seconds_behind'] or 0:.1f} s behind"
        for s in base["standbys"]
    ]
    return [*lines, "", *found["warnings"]] if found["warnings"] else lines


def _time(seconds: float) -> str:
    """`45 s`, `12 min`, `5 h` or `3 days`."""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:.0f} s"
