"""A letter a week to the operator, if the settings ask for it: what happened, and what needs attention.

It is written in the first run of the clock in a week. The first one comes at once, so the operator sees that it works.
"""

import shutil
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy.engine import Connection, Engine

from pbmserv.db import engines
from pbmserv.db.health import Health
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.waiting import relay_trouble
from pbmserv.model.operations import LAST_BACKUP
from pbmserv.store import Store

_WEEK = "weekly letter"  #: the fact that says in which week the last one was written
_GB, _MB, _HOUR = 1e9, 1e6, 3600


def write_if_due(engine: Engine, site: Site, now: datetime) -> bool:
    """Write the letter if none was written in this week (ISO 8601, UTC), and return whether it was."""
    operator, week = site.policy.operator, f"{now:%G-W%V}"
    if not (site.policy.weekly_letter and operator):
        return False
    with engine.execution_options(**engines.READ_ONLY).connect() as connection:  # counting takes no lock
        if Store(connection).operations.fact(_WEEK) == week:
            return False
        data = figures(connection, now)

    def queue(connection: Connection, _: bool) -> bool:
        store = Store(connection)
        if store.operations.fact(_WEEK) == week:  # another process was faster
            return False
        store.operations.set_fact(_WEEK, week)
        letters = Letters(site, store, Cause(None), now)
        letters.write("weekly", [operator], "Your server this week", data)
        store.letters.queue(letters.rows)
        return True

    return engines.transact(engine, queue)


def figures(connection: Connection, now: datetime) -> dict[str, object]:
    """Return what the letter says. Ages are in hours; `free` and `size` are in GB and MB, `free` is None if unknown."""
    store, since = Store(connection), now - timedelta(days=7)
    counts, waiting = store.operations, store.operations.waiting_letters()
    (mails, moves), games = counts.traffic(since), counts.boards_by_game(since).values()
    running, begun, ended = (sum(column) for column in zip(*games, strict=True)) if games else (0, 0, 0)
    limited, backup = relay_trouble.current(store), counts.fact(LAST_BACKUP)
    return {
        "running": running,
        "begun": begun,
        "ended": ended,
        "players": counts.player_total(),
        "new": counts.new_players(since),
        "mails": mails,
        "moves": moves,
        "waiting": waiting.queued + waiting.leased,
        "oldest": round((now - waiting.oldest).total_seconds() / _HOUR) if waiting.oldest else 0,
        "free": _free(connection),
        "size": round(Health(connection).size() / _MB, 1),
        "backup": None if backup is None else round((now.timestamp() - float(backup)) / _HOUR),
        "failed": counts.failed_letters(since),
        "suspended": counts.suspended_addresses(),
        "shelf": counts.quarantined_mails(),
        "unmade": len(store.letters.unmade()),
        "limited": limited.reply if limited else "",
        "missing": store.audit.games_missing(),
        "engines": [n for n, e in counts.engines().items() if e.trouble or e.since > since.timestamp()],
    }


def _free(connection: Connection) -> float | None:
    """Return the GB that are free where the database is; None if it is on another machine."""
    file = connection.engine.url.database
    if connection.dialect.name == "sqlite" and file:
        with suppress(OSError):
            return round(shutil.disk_usage(Path(file).parent).free / _GB, 1)
    return None
