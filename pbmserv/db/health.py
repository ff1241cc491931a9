"""The database itself: is it damaged, is it durable, how much is in it, who is connected."""

from dataclasses import dataclass

import sqlalchemy as sa

from pbmserv.db import tables as db
from pbmserv.db.queries import Queries


@dataclass(frozen=True)
class Standby:
    """A server that follows this PostgreSQL. What our account may not read is None."""

    name: str | None
    state: str | None
    bytes_behind: int | None
    seconds_behind: float | None


class Health(Queries):
    """Queries about the database as a whole."""

    def snapshot(self) -> str:
        """A name with which other sessions of PostgreSQL see what this transaction sees, as long as it is open.

        From now on the server does not end the transaction for being idle: it waits for those sessions.
        """
        self._c.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        return str(self._c.execute(sa.text("SELECT pg_export_snapshot()")).scalar_one())

    def other_sessions(self) -> int:
        """How many other sessions have this PostgreSQL database open."""
        query = sa.text(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(self._c.execute(query).scalar_one())

    def damage(self) -> str:
        """What SQLite finds wrong with its file, "" if nothing. PostgreSQL checks by itself whatever it reads."""
        if self._c.dialect.name != "sqlite":
            return ""
        found = self._c.scalars(sa.text("PRAGMA integrity_check")).all()
        broken = self._c.execute(sa.text("PRAGMA foreign_key_check")).first()
        words = [x for x in found if x != "ok"] + ([f"{broken[0]} refers to what is not there"] if broken else [])
        return "; ".join(words[:3])

    def durability(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The settings on which a 250 rests: name -> (the value in force, the values that are right)."""
        if self._c.dialect.name == "sqlite":
            wanted = {"journal_mode": ("wal",), "synchronous": ("2", "3")}  # FULL, EXTRA
            return {n: (str(self._c.execute(sa.text(f"PRAGMA {n}")).scalar_one()), w) for n, w in wanted.items()}
        names = ("fsync", "full_page_writes", "synchronous_commit")
        waiting = ("on", "remote_write", "remote_apply")
        return {n: (str(self._c.execute(sa.text(f"SHOW {n}")).scalar_one()), waiting) for n in names}

    def now(self) -> float:
        """The time of the database server, in seconds since 1970. SQLite has the time of this machine."""
        sqlite = self._c.dialect.name == "sqlite"
        clock = (
            "SELECT (julianday('now') - 2440587.5) * 86400"
            if sqlite
            else "SELECT extract(epoch FROM clock_timestamp())"
        )
        return float(self._c.execute(sa.text(clock)).scalar_one())

    def totals(self) -> dict[str, int]:
        """How many rows the main tables have."""
        tables = {"boards": db.board, "entries": db.entry, "players": db.player, "mails": db.mail, "letters": db.outbox}
        counted = {name: sa.select(sa.func.count()).select_from(table) for name, table in tables.items()}
        return {name: self._c.execute(query).scalar_one() for name, query in counted.items()}

    def size(self) -> int:
        """The size of the database in bytes; on SQLite without its write-ahead log."""
        if self._c.dialect.name == "sqlite":
            pages, page = sa.text("PRAGMA page_count"), sa.text("PRAGMA page_size")
            return int(self._c.execute(pages).scalar_one() * self._c.execute(page).scalar_one())
        return int(self._c.execute(sa.select(sa.func.pg_database_size(sa.func.current_database()))).scalar_one())

    def standbys(self) -> list[Standby]:
        """The servers that follow this one. An account without pg_monitor sees only that there are some."""
        if self._c.dialect.name == "sqlite":
            return []
        found = self._c.execute(
            sa.text(
                "SELECT application_name, state, (sent_lsn - replay_lsn)::bigint, extract(epoch FROM replay_lag)::float"
                " FROM pg_stat_replication ORDER BY application_name"
            )
        )
        return [Standby(*row) for row in found]

    def ping(self) -> None:
        """The smallest question there is."""
        self._c.execute(sa.select(1))
