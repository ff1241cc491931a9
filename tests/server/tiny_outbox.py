"""An outbox in an SQLite file: one tiny table, one transaction per call."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from pbmserv.mail.envelope import Outgoing, Receipts

TABLE = """
create table letter (
    id integer primary key, board integer, recipient text, data blob, attempts integer default 0,
    due real default 0, status text default 'waiting', note text default ''
)
"""

#: A letter is due when its time has come and no older letter of the same board to the same recipient has to wait.
CLAIM = """
select id, recipient, data, attempts from letter as mine
where status = 'waiting' and due <= :now and not exists (
    select 1 from letter as older
    where older.board = mine.board and older.recipient = mine.recipient and older.id < mine.id
      and older.status = 'waiting' and older.due > :now)
order by id limit :limit
"""


SENT = "update letter set status = 'sent', note = ? where id = ?"


class FileOutbox:
    """An outbox whose delays are `hurry` times shorter. Its database can be `away`."""

    def __init__(self, path: Path, hurry: float = 1000) -> None:
        self._path = path
        self._hurry = hurry
        self.away = threading.Event()
        self.calls: list[str] = []
        with closing(sqlite3.connect(path)) as database:
            database.execute("pragma journal_mode = wal")
            database.execute(TABLE)

    @contextmanager
    def _transaction(self, name: str) -> Iterator[sqlite3.Connection]:
        self.calls.append(name)
        if self.away.is_set():
            raise sqlite3.OperationalError("swordfish is not the password")
        with closing(sqlite3.connect(self._path, isolation_level=None)) as database:
            database.execute("begin immediate")
            yield database
            database.execute("commit")

    def add(self, *letters: tuple[str, bytes], board: int = 101) -> None:
        """Queue (recipient, data)."""
        with self._transaction("add") as database:
            rows = [(board, recipient, data) for recipient, data in letters]
            database.executemany("insert into letter (board, recipient, data) values (?, ?, ?)", rows)

    def rows(self) -> list[tuple[int, str, int, str]]:
        """Return (id, status, attempts, note) of every letter."""
        with self._transaction("rows") as database:
            return database.execute("select id, status, attempts, note from letter order by id").fetchall()

    def statuses(self) -> list[str]:
        """Return the status of every letter."""
        return [status for _, status, _, _ in self.rows()]

    def due_in(self) -> list[float]:
        """Return the seconds until each letter is due, not divided by `hurry`."""
        with self._transaction("due_in") as database:
            due = database.execute("select due from letter order by id").fetchall()
        return [(when - time.time()) * self._hurry for (when,) in due]

    def claim(self, limit: int, lease_seconds: float, receipts: Receipts = ()) -> list[Outgoing]:
        """See pbmserv.server.sender.Outbox. `hurry` does not shorten a lease."""
        now = time.time()
        with self._transaction("claim") as database:
            database.executemany(SENT, [(receipt, id_) for id_, receipt in receipts])
            rows = database.execute(CLAIM, {"now": now, "limit": limit}).fetchall()
            leases = [(now + lease_seconds, id_) for id_, _, _, _ in rows]
            database.executemany("update letter set due = ? where id = ?", leases)
        return [Outgoing(id_, "pbmserv@example.org", recipient, data, n) for id_, recipient, data, n in rows]

    def sent_many(self, receipts: Receipts) -> None:
        """See pbmserv.server.sender.Outbox."""
        with self._transaction("sent_many") as database:
            database.executemany(SENT, [(receipt, id_) for id_, receipt in receipts])

    def defer_many(self, letter_ids: Sequence[int], error: str, delay_seconds: float) -> None:
        """See pbmserv.server.sender.Outbox."""
        due = time.time() + delay_seconds / self._hurry
        with self._transaction("defer_many") as database:
            rows = [(due, error, id_) for id_ in letter_ids]
            database.executemany("update letter set due = ?, note = ?, attempts = attempts + 1 where id = ?", rows)

    def release_many(self, letter_ids: Sequence[int], delay_seconds: float) -> None:
        """See pbmserv.server.sender.Outbox."""
        due = time.time() + delay_seconds / self._hurry
        with self._transaction("release_many") as database:
            database.executemany("update letter set due = ? where id = ?", [(due, id_) for id_ in letter_ids])

    def refuse(self, letter_id: int, error: str) -> bool:
        """See pbmserv.server.sender.Outbox."""
        with self._transaction("refuse") as database:
            database.execute("update letter set status = 'refused', note = ? where id = ?", (error, letter_id))
        return True
