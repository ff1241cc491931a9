"""The state of the database: damage, durability, size, connections."""

from dataclasses import dataclass

import sqlalchemy as sa

from pbmserv.db import tables as db
from pbmserv.db.queries import Queries


@dataclass(frozen=True)
class Standby:
    """A standby of this PostgreSQL server. A value that our account may not read is None."""

    name: str | None
    state: str | None
    bytes_behind: int | None
    seconds_behind: float | None


class Health(Queries):
    """Queries about the database as a whole."""

    def snapshot(self) -> str:
        """Return a snapshot name. While this transaction is open, other sessions can use it to see the same data.

        From now on the server does not end the transaction for being idle, because it waits for those sessions.
        """
        self._c.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        return str(self._c.execute(sa.text("SELECT pg_export_snapshot()")).scalar_one())

    def other_sessions(self) -> int:
        """Return how many other sessions have this PostgreSQL database open."""
        query = sa.text(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(self._c.execute(query).scalar_one())

    def major_version(self) -> int:
        """Return the major version of the PostgreSQL server, such as 18; 0 on SQLite."""
        if self._c.dialect.name == "sqlite":
            return 0
        return int(self._c.execute(sa.text("SELECT current_setting('server_version_num')::int / 10000")).scalar_one())

    def can_make_tables(self) -> bool:
        """Return whether the account may make tables. From PostgreSQL 15 on, only the owner of a database may."""
        if self._c.dialect.name == "sqlite":
            return True
        query = sa.text("SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)")
        return bool(self._c.execute(query).scalar_one())

    def damage(self) -> str:
        """Return what is wrong with the SQLite file; "" if nothing. PostgreSQL checks its files as it reads them."""
        if self._c.dialect.name != "sqlite":
            return ""
        answers = self._c.scalars(sa.text("PRAGMA integrity_check")).all()
        broken = self._c.execute(sa.text("PRAGMA foreign_key_check")).first()
        words = [x for x in answers if x != "ok"] + ([f"{broken[0]} refers to what is not there"] if broken else [])
        return "; ".join(words[:3])

    def durability(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Return the settings that make a 250 safe: name -> (the current value, the allowed values)."""
        if self._c.dialect.name == "sqlite":
            right = {"journal_mode": ("wal",), "synchronous": ("2", "3")}  # FULL, EXTRA
            return {n: (str(self._c.execute(sa.text(f"PRAGMA {n}")).scalar_one()), w) for n, w in right.items()}
        names = ("fsync", "full_page_writes", "synchronous_commit")
        waiting = ("on", "remote_write", "remote_apply")
        return {n: (str(self._c.execute(sa.text(f"SHOW {n}")).scalar_one()), waiting) for n in names}

    def now(self) -> float:
        """Return the time of the database server in seconds since 1970. SQLite uses the time of this machine."""
        sqlite = self._c.dialect.name == "sqlite"
        clock = (
            "SELECT (julianday('now') - 2440587.5) * 86400"
            if sqlite
            else "SELECT extract(epoch FROM clock_timestamp())"
        )
        return float(self._c.execute(sa.text(clock)).scalar_one())

    def totals(self) -> dict[str, int]:
        """Return how many rows the main tables have."""
        tables = {"boards": db.board, "entries": db.entry, "players": db.player, "mails": db.mail, "letters": db.outbox}
        counted = {name: sa.select(sa.func.count()).select_from(table) for name, table in tables.items()}
        return {name: self._c.execute(query).scalar_one() for name, query in counted.items()}

    def size(self) -> int:
        """Return the size of the database in bytes, on SQLite without the write-ahead log."""
        if self._c.dialect.name == "sqlite":
            pages, page = sa.text("PRAGMA page_count"), sa.text("PRAGMA page_size")
            return int(self._c.execute(pages).scalar_one() * self._c.execute(page).scalar_one())
        return int(self._c.execute(sa.select(sa.func.pg_database_size(sa.func.current_database()))).scalar_one())

    def standbys(self) -> list[Standby]:
        """Return the standbys of this server. Without pg_monitor our account sees only their number."""
        if self._c.dialect.name == "sqlite":
            return []
        rows = self._c.execute(
            sa.text(
                "SELECT application_name, state, (sent_lsn - replay_lsn)::bigint, extract(epoch FROM replay_lag)::float"
                " FROM pg_stat_replication ORDER BY application_name"
            )
        )
        return [Standby(*row) for row in rows]

    def ping(self) -> None:
        """Run the smallest possible query. Raises the database's error if it does not answer."""
        self._c.execute(sa.select(1))
