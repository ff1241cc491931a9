"""What a backup asks of the database itself."""

import sqlalchemy as sa

from pbmserv.db import tables as db
from pbmserv.db.queries import Queries


class Upkeep(Queries):
    """Queries about the database as a whole."""

    def snapshot(self) -> str:
        """A name under which other sessions of PostgreSQL see what this transaction sees, for as long as it is open.

        It is not ended while it waits for them.
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
        """What SQLite finds wrong with its file, "" if nothing; PostgreSQL checks what it reads by itself."""
        if self._c.dialect.name != "sqlite":
            return ""
        found = self._c.scalars(sa.text("PRAGMA integrity_check")).all()
        broken = self._c.execute(sa.text("PRAGMA foreign_key_check")).first()
        words = [x for x in found if x != "ok"] + ([f"{broken[0]} refers to what is not there"] if broken else [])
        return "; ".join(words[:3])

    def durability(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The settings on which a 250 rests: the value in force, and those that are right."""
        if self._c.dialect.name == "sqlite":
            wanted = {"journal_mode": ("wal",), "synchronous": ("2", "3")}  # FULL, EXTRA
            return {n: (str(self._c.execute(sa.text(f"PRAGMA {n}")).scalar_one()), w) for n, w in wanted.items()}
        names = ("fsync", "full_page_writes", "synchronous_commit")
        waiting = ("on", "remote_write", "remote_apply")
        return {n: (str(self._c.execute(sa.text(f"SHOW {n}")).scalar_one()), waiting) for n in names}

    def now(self) -> float:
        """The time of the database server, in seconds since 1970; SQLite's is ours."""
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
