"""`pbmserv status`: the state of the server, for people and for monitoring."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING

import typer

from pbmserv import __version__
from pbmserv.cli.terminal.console import AsJson, console, load_config, print_json
from pbmserv.cli.terminal.database import open_database
from pbmserv.cli.terminal.greeting import ListenerFound, ask
from pbmserv.mail.imap.account import LAGS, SILENCE, read_account

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.engine import Connection

    from pbmserv.config import Config
    from pbmserv.letters.policy import Policy
    from pbmserv.mail.smtp.endpoints import Endpoint
    from pbmserv.model.rows import Json
    from pbmserv.store import Store

#: Seconds after which something needs the operator's attention. For the clock it is `deadlines.AWAY`.
LETTER_WAITS, STANDBY_LAGS, ROBOT_WAITS, LONG_AWAY = 3600, 60, 600, 86400


def status(as_json: AsJson = False) -> None:
    """Show queues, traffic, clock and database. Exits with 1 if something needs your attention, and says what to do.

    For example: pbmserv status --json
    """
    from pbmserv.db import engines
    from pbmserv.model.operations import INSTANCE
    from pbmserv.store import Store

    config, now = load_config(), datetime.now(UTC)
    with open_database(config) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        figures = look(connection, now, config.policy)
        instance = Store(connection).operations.fact(INSTANCE) or ""
        if config.mailbox:
            figures["mailbox"] = mailbox(Store(connection), config.mailbox, now)
        figures["logins"] = [login(Store(connection), one.user, now) for one in config.logins]
    figures["listeners"] = listeners(config, instance, now)
    figures["warnings"] = warnings(figures)
    if as_json:
        print_json(figures)
    else:
        console.print("\n".join(_lines(figures)), markup=False)
    if figures["warnings"]:
        raise typer.Exit(1)


def look(connection: Connection, now: datetime, policy: Policy) -> dict[str, object]:
    """Return the current figures, which `--json` prints. Times are in seconds unless their name says otherwise."""
    from pbmserv.model.operations import LAST_RUN
    from pbmserv.store import Store

    figures, turn = Store(connection).operations, Store(connection).robots.longest_wait()
    waiting, last, (running, boards) = figures.waiting_letters(), figures.fact(LAST_RUN), figures.board_totals()
    day, hour = (figures.traffic(now - timedelta(hours=hours)) for hours in (24, 1))
    return {
        "version": __version__,
        "outbox": {
            "queued": waiting.queued,
            "leased": waiting.leased,
            "oldest_seconds": round((now - waiting.oldest).total_seconds()) if waiting.oldest else 0,
            "unmade": Store(connection).letters.unmade(),
            "failed_last_day": figures.failed_letters(now - timedelta(days=1)),
        },
        "relay": _relay(Store(connection), policy, now),
        "shelf": figures.quarantined_mails(),
        "shelf_full": _is_quarantine_full(connection, policy.shelf_mb * 1_000_000),
        "mails": {"last_hour": hour[0], "last_day": day[0]},
        "moves": {"last_hour": hour[1], "last_day": day[1]},
        "clock": {"age_seconds": round(now.timestamp() - float(last)) if last else None, "jump": _jump(connection)},
        "boards": {"running": running, "all": boards},
        "players": figures.player_total(),
        "robots": {"oldest_seconds": max(round(now.timestamp() - turn), 0) if turn else 0},
        "engines": {name: engine._asdict() for name, engine in figures.engines().items()},
        "database": _database(connection),
        "games_missing": Store(connection).audit.games_missing(),
    }


def mailbox(store: Store, url: str, now: datetime) -> dict[str, object]:
    """Return since when the mailbox of this URL works, when mails came, and why it cannot be used, if it cannot."""
    name = read_account(url).name
    row = store.mailboxes.find(name)
    return {
        "name": name,
        "success_seconds": _age(row.looked.timestamp(), now) if row and row.looked else None,
        "silent_seconds": _age(row.heard.timestamp(), now) if row and row.heard else None,
        "older_mails": row.old if row else 0,
        "trouble": row.trouble if row else "",
    }


def login(store: Store, user: str, now: datetime) -> dict[str, object]:
    """Return when the token of a login by OAuth2 was renewed, and why somebody must log in again, if that is so."""
    row = store.mailboxes.login(user)
    return {
        "user": user,
        "renewed_seconds": _age(row.renewed.timestamp(), now) if row else None,
        "trouble": row.trouble if row else "nobody has logged in yet",
    }


def _jump(connection: Connection) -> dict[str, int] | None:
    """Return by how many seconds the time has jumped, and how long it must still be steady; None if it is."""
    from pbmserv.boards.absences import steady_time
    from pbmserv.store import Store

    jump = steady_time.jump(Store(connection))
    if jump is None:
        return None
    return {"seconds": round(jump.seconds), "left_seconds": round(steady_time.STEADY - jump.steady)}


def _relay(store: Store, policy: Policy, now: datetime) -> dict[str, object]:
    """Return whether the relay takes letters, and what is left of the limits that the operator has set."""
    from pbmserv.letters.waiting import relay_trouble

    trouble = relay_trouble.current(store)
    return {
        "limited_seconds": round((now - trouble.since).total_seconds()) if trouble else 0,
        "said": trouble.reply if trouble else "",
        "alike": trouble is not None and trouble.is_alike,
        "limits": [
            {
                "hours": quota.hours,
                "most": quota.most,
                "sent": quota.sent,
                "free_in_seconds": round((quota.free_at - now).total_seconds()) if quota.free_at else 0,
            }
            for quota in relay_trouble.quotas(store, policy, now)
        ],
    }


def listeners(config: Config, instance: str, now: datetime) -> list[dict[str, object]]:
    """Return what answers at each address of the listener, and the results of its last commits."""
    from pbmserv.mail.smtp.endpoints import read_url

    places = map(read_url, config.listen if "listener" in config.roles else ())
    domain = config.address.rpartition("@")[2]
    return [_listener(place, ask(place, domain, instance), now) for place in places if place.path or place.port]


def _listener(place: Endpoint, answer: ListenerFound, now: datetime) -> dict[str, object]:
    report = answer.report
    return {
        "url": place.url,
        "state": answer.state,
        "said": answer.text,
        **{f"{key}_seconds": _age(report.get(key), now) for key in ("committed", "failed")},
        "failures": report.get("failures", 0),
        "trouble": report.get("trouble", ""),
    }


def _age(moment: float | None, now: datetime) -> int | None:
    return None if moment is None else round(now.timestamp() - moment)


def _is_quarantine_full(connection: Connection, most: int) -> bool:
    """Return whether the quarantine, or the part for one origin, has no room for a mail of the greatest size."""
    from pbmserv.mail.sizes import MOST_MESSAGE_BYTES
    from pbmserv.model.mails import has_room
    from pbmserv.store import Store

    sizes = Store(connection).mails.quarantined_bytes()
    return not all(has_room(sizes, where, MOST_MESSAGE_BYTES * 3 // 2, most) for where in sizes)


def _database(connection: Connection) -> dict[str, object]:
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


def warnings(figures: Json) -> list[str]:
    """Return what needs attention, each with what to do."""
    waits = figures["outbox"]["oldest_seconds"]
    lagging = [s["name"] for s in figures["database"]["standbys"] if (s["seconds_behind"] or 0) > STANDBY_LAGS]
    told = []
    for place in figures.get("listeners", ()):
        told += listener_warnings(place)
    if waits > LETTER_WAITS:
        told.append(
            f"A letter waits for {_time(waits)}. Is a process with the role sender running, and does the relay "
            "take letters? Ask: pbmserv doctor; which ones wait: pbmserv letters list --status queued"
        )
    told += [
        *_login_warnings(figures.get("logins", ())),
        *_relay_warnings(figures["relay"]),
        *mailbox_warnings(figures.get("mailbox")),
    ]
    if unmade := figures["outbox"]["unmade"]:
        told.append(
            f"Letters that cannot be written: {len(unmade)}, the first is {unmade[0]}. A template or a game fails, and "
            "the log says where. Mend it and restart the server, and they are sent. No move is lost, and other letters "
            "go out."
        )
    told += [*clock_warnings(figures["clock"]["age_seconds"]), *_jump_warnings(figures["clock"]["jump"])]
    if (late := figures["robots"]["oldest_seconds"]) > ROBOT_WAITS:
        told.append(
            f"A robot has not moved for {_time(late)}. Is a process with the role robots running, and PBMSERV_ROBOTS "
            "not 0? The log may say why: robot stumbled"
        )
    told += _engine_warnings(figures["engines"])
    told += _quarantine_warnings(figures)
    for game in figures["games_missing"]:
        told.append(f"Boards of {game} wait, because no such game is installed. What is wrong with it: pbmserv doctor")
    if lagging:
        told.append(f"More than a minute behind: standby {', '.join(map(str, lagging))}. Look at its log and its disk.")
    return told


def _relay_warnings(relay: Json) -> list[str]:
    from pbmserv.letters.waiting.relay_trouble import GIVE_UP

    told = []
    if relay["alike"]:
        told.append(
            f"Since {_time(relay['limited_seconds'])} the relay refuses letters to several domains in the same words: "
            f"{relay['said']} - Either it takes no letters from this server, or these addresses are dead. They are "
            f"tried again for {GIVE_UP.days} days. Other letters go out if the relay takes them, and then this ends. "
            "Which ones wait: pbmserv letters list --status queued; to drop one: pbmserv letters drop NUMBER"
        )
    elif relay["said"]:
        told.append(
            f"The relay takes no letters since {_time(relay['limited_seconds'])}, because of a limit: "
            f"{relay['said']} - The letters wait, and the server tries again. If the relay allows only so many, set "
            "PBMSERV_LETTERS_AN_HOUR and PBMSERV_LETTERS_A_DAY"
        )
    for limit in relay["limits"]:
        if limit["free_in_seconds"]:
            told.append(
                f"The limit of {limit['most']} letters in {limit['hours']} h is reached; the next letter goes out in "
                f"{_time(limit['free_in_seconds'])}."
            )
    return told


def _engine_warnings(engines: Json) -> list[str]:
    return [
        f"The engine {name} made a fault: {engine['trouble']} - Our own search moves for its robots until it answers "
        "again. Ask: pbmserv doctor"
        for name, engine in engines.items()
        if engine["trouble"]
    ]


def _login_warnings(logins: Iterable[Json]) -> list[str]:
    return [
        f"Nobody can log in as {login['user']}: {login['trouble']} - Log in again: pbmserv mailbox login. Until then "
        "mails stay in the mailbox and letters here; none is lost."
        for login in logins
        if login["trouble"]
    ]


def mailbox_warnings(box: Json | None) -> list[str]:
    """Return what is wrong with the mailbox; nothing if there is none."""
    if box is None:
        return []
    age, silent = box["success_seconds"], box["silent_seconds"]
    if age is None or age > LAGS.total_seconds():
        since = "was never reached" if age is None else f"was reached last {_time(age)} ago"
        why = f": {box['trouble']}" if box["trouble"] else ". Is a process with the role mailbox running?"
        return [f"The mailbox {box['name']} {since}{why} - Ask: pbmserv doctor"]
    return _silence_warnings(silent) if silent and silent > SILENCE.total_seconds() else []


def _silence_warnings(seconds: float) -> list[str]:
    return [
        f"No mail has come into the mailbox for {_time(seconds)}. If that is strange, write one to it yourself, and "
        "look into its folder for spam."
    ]


def _quarantine_warnings(figures: dict[str, object]) -> list[str]:
    told = []
    if figures["shelf"]:
        told.append(
            f"Mails on the shelf: {figures['shelf']}. Each met a bug of pbmserv; their numbers and where it is: "
            "pbmserv mail list --status shelved"
        )
    if figures["shelf_full"]:
        told.append(
            "The shelf is full: mails that meet a bug get a 451 until there is room, so their senders try again. "
            "Raise PBMSERV_SHELF_MB, or take mails off the shelf: pbmserv mail retry, pbmserv mail drop"
        )
    return told


def clock_warnings(rested: float | None) -> list[str]:
    """Return what is wrong with a clock that ran last so many seconds ago; None: it has never run."""
    from pbmserv.boards.clocks.deadlines import AWAY

    if rested is None or rested > AWAY:
        since = "has never run" if rested is None else f"ran last {_time(rested)} ago"
        return [f"The clock {since}. Start a process with the role clock: pbmserv serve"]
    if rested < -AWAY:
        return [f"The clock ran last {_time(-rested)} in the future. Set the time of this machine right (NTP)."]
    return []


def _jump_warnings(jump: dict[str, int] | None) -> list[str]:
    if jump is None or 0 < jump["seconds"] < LONG_AWAY:
        return []
    how = "was set back by" if jump["seconds"] < 0 else "went ahead by"
    return [
        f"The time {how} {_time(abs(jump['seconds']))} at once. If the server was not down for so long, set the time "
        f"of this machine right (NTP) now: {_still(jump)}"
    ]


def _still(jump: dict[str, int]) -> str:
    return f"for {_time(jump['left_seconds'])} more no tournament begins or goes on, and nothing is deleted."


def listener_warnings(place: Json) -> list[str]:
    """Return what is wrong at one address of the listener."""
    if place["state"] == "nobody":
        return [f"{place['said']}. Start the server: pbmserv serve. If it ended by itself, its log says why."]
    if place["state"] == "other":
        return [f"{place['said']}. End that program, or change PBMSERV_LISTEN."]
    if place["failures"]:
        return [
            f"The last {place['failures']} commits failed, the latest {_time(place['failed_seconds'] or 0)} ago: "
            f"{place['trouble']}. Mails get 451, and their senders try again. Look at disk and database: pbmserv doctor"
        ]
    return []


def _lines(now: Json) -> list[str]:
    outbox, base, rested = now["outbox"], now["database"], now["clock"]["age_seconds"]
    traffic = (f"{now[x]['last_hour']} {x} in an hour, {now[x]['last_day']} in a day" for x in ("mails", "moves"))
    letters = f"{outbox['queued']} queued, {outbox['leased']} in hand, {outbox['failed_last_day']} failed in a day"
    size = f"{base['size_bytes'] / 1e6:.1f} MB"
    lines = [
        f"pbmserv   {now['version']}",
        *(f"listener  {place['said']}{_last_commit(place)}" for place in now["listeners"]),
        f"letters   {letters}; the oldest waits for {_time(outbox['oldest_seconds'])}",
        f"shelf     {now['shelf']} mails",
        f"traffic   {'; '.join(traffic)}",
        f"clock     {'never ran' if rested is None else f'ran {_time(rested)} ago'}",
        f"boards    {now['boards']['running']} running, {now['boards']['all']} in all",
        f"players   {now['players']}",
        f"database  {base['kind']}, schema {base['schema']}, {size}, answers in {base['round_trip_ms']} ms",
    ]
    if box := now.get("mailbox"):
        lines.insert(1, _mailbox_line(box))
    lines[1:1] = [
        f"login     {login['user']}, its token was renewed {_time(login['renewed_seconds'])} ago"
        for login in now["logins"]
        if login["renewed_seconds"] is not None
    ]
    lines += [
        f"standby   {s['name']}: {s['state']}, {s['bytes_behind']} bytes and {s['seconds_behind'] or 0:.1f} s behind"
        for s in base["standbys"]
    ]
    if jump := now["clock"]["jump"]:
        lines.append(f"jump      the time has jumped by {_signed(jump['seconds'])}; {_still(jump)}")
    return [*lines, "", *now["warnings"]] if now["warnings"] else lines


def _mailbox_line(box: Json) -> str:
    age, silent = box["success_seconds"], box["silent_seconds"]
    reached = "never reached" if age is None else f"reached {_time(age)} ago, last mail {_time(silent or 0)} ago"
    left = f"; {box['older_mails']} older mails are left (pbmserv mail take-old)" if box["older_mails"] else ""
    return f"mailbox   {box['name']}: {reached}{left}"


def _last_commit(place: Json) -> str:
    age = place["committed_seconds"]
    return "" if age is None else f", last commit {_time(age)} ago"


def _signed(seconds: float) -> str:
    return f"-{_time(-seconds)}" if seconds < 0 else _time(seconds)


def _time(seconds: float) -> str:
    """`45 s`, `12 min`, `5 h` or `3 days`."""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:.0f} s"
