"""The outbox: letters that wait, and what became of them."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from pbmserv import db
from pbmserv.store.base import Queries
from pbmserv.store.statement import Statement

_QUEUE = Statement(sa.insert(db.outbox), [c.name for c in db.outbox.c if c.name not in ("id", "finished")])


class Letters(Queries):
    """Queries about letters."""

    def queue(self, rows: Sequence[dict[str, Any]]) -> None:
        """Put letters into the outbox: mail_id, board, kind, recipient, data, created."""
        fixed = {"status": "queued", "attempts": 0, "receipt": "", "leased": False}
        if rows:
            self._run(_QUEUE, [{**r, **fixed, "due": r["created"]} for r in rows])

    def wrote_since(self, kind: str, recipient: str, since: datetime) -> bool:
        """Whether a letter of this kind went to this address lately; nobody else writes one while we decide."""
        self._take_turns(f"{kind} {recipient}")
        c = db.outbox.c
        query = sa.select(sa.exists().where(c.recipient == recipient, c.created >= since, c.kind == kind))
        return bool(self._c.scalar(query))

    def letters(self, mail_id: int) -> list[Any]:
        """The letters that a mail caused."""
        return list(
            self._c.execute(sa.select(db.outbox).where(db.outbox.c.mail_id == mail_id).order_by(db.outbox.c.id))
        )

    def claim(self, now: datetime, lease: timedelta, limit: int) -> list[Any]:
        """Lease the due letters to one sender. A later letter of a board waits for the earlier ones to its reader."""
        c, earlier = db.outbox.c, db.outbox.alias()
        waits = sa.exists().where(
            earlier.c.status == "queued",
            earlier.c.board == c.board,
            earlier.c.recipient == c.recipient,
            earlier.c.id < c.id,
            earlier.c.due > now,
        )
        # Sorted by an expression: by the id itself, SQLite would walk through all letters instead of the queue.
        due = sa.select(c.id).where(c.status == "queued", c.due <= now, ~waits).order_by(c.id + 0).limit(limit)
        ids = set(self._c.scalars(due.with_for_update(skip_locked=True)))
        ids -= self._overtaking(ids)
        if not ids:
            return []
        self._c.execute(sa.update(db.outbox).where(c.id.in_(ids)).values(due=now + lease, leased=True))
        columns = (c.id, c.recipient, c.data, c.attempts, c.created)
        return list(self._c.execute(sa.select(*columns).where(c.id.in_(ids)).order_by(c.id)))

    def _overtaking(self, ids: Collection[int]) -> set[int]:
        """Those of these letters before which another one of their line is to go that is not among them.

        Another sender is about to lease that one: its row was locked, so it was skipped, and it did not look leased.
        """
        if db.has_one_writer(self._c):
            return set()
        c, earlier = db.outbox.c, db.outbox.alias()
        line = (earlier.c.board == c.board, earlier.c.recipient == c.recipient, earlier.c.id < c.id)
        elsewhere = sa.exists().where(earlier.c.status == "queued", *line, earlier.c.id.not_in(ids))
        return set(self._c.scalars(sa.select(c.id).where(c.id.in_(ids), elsewhere)))

    def end_leases(self, now: datetime) -> None:
        """Give back what senders had in hand: none of them is running."""
        c = db.outbox.c
        self._c.execute(sa.update(db.outbox).where(c.status == "queued", c.leased).values(due=now, leased=False))

    def finish_letters(self, receipts: Sequence[tuple[int, str]], status: str, now: datetime) -> None:
        """The letters are sent, or refused for good; each with what the relay said. One that came back stays so."""
        if not receipts:
            return
        c = db.outbox.c
        statement = sa.update(db.outbox).where(c.id == sa.bindparam("letter"), c.status == "queued")
        done = statement.values(status=status, leased=False, finished=now, receipt=sa.bindparam("said"))
        self._c.execute(done, [{"letter": id_, "said": text[:500]} for id_, text in receipts])

    def letters_before(self, letter_ids: Sequence[int], created: datetime) -> list[int]:
        """Those of these letters that were written before a time."""
        c = db.outbox.c
        return list(self._c.scalars(sa.select(c.id).where(c.id.in_(letter_ids), c.created < created)))

    def defer_letters(self, letter_ids: Sequence[int], error: str, due: datetime) -> None:
        """Try these again at `due`; without an error, they were not tried at all."""
        c = db.outbox.c
        tried = {"attempts": c.attempts + 1, "receipt": error[:500]} if error else {}
        self._c.execute(sa.update(db.outbox).where(c.id.in_(letter_ids)).values(due=due, leased=False, **tried))
