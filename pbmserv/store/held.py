"""The outbox as an admin sees it: lists with filters, and letters that he holds back, drops or sends again."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries, newest

#: All of a letter's row but the letter.
LETTER_COLUMNS = tuple(c for c in tables.outbox.c if c.name != "data")


class Held(Queries):
    """Queries about letters, for admins."""

    def find_letters(
        self,
        *,
        status: str = "",
        recipients: Collection[str] = (),
        board: int | None = None,
        since: datetime | None = None,
        limit: int = 50,
    ) -> list[Any]:
        """Letters without their text, the newest first; `recipients` in any case of letters."""
        c = tables.outbox.c
        query = newest(
            LETTER_COLUMNS,
            at=c.created,
            since=since,
            equal=((c.status, status), (c.board, board)),
            addresses=(c.recipient, recipients),
            limit=limit,
        )
        return list(self._c.execute(query))

    def letter(self, letter_id: int) -> Any:
        """A letter's whole row, locked until the transaction ends; None if there is none."""
        query = sa.select(tables.outbox).where(tables.outbox.c.id == letter_id)
        return self._c.execute(self._locked(query)).first()

    def letters_by_id(self, ids: Sequence[int]) -> list[Any]:
        """These letters without their text, the oldest first."""
        query = sa.select(*LETTER_COLUMNS).where(tables.outbox.c.id.in_(ids))
        return list(self._c.execute(query.order_by(tables.outbox.c.id)))

    def set_aside(self, letter_id: int, status: str, receipt: str, finished: datetime | None) -> None:
        """The letter does not go out: it is held back, or dropped for good."""
        values = {"status": status, "receipt": receipt, "finished": finished, "leased": False}
        self._c.execute(sa.update(tables.outbox).where(tables.outbox.c.id == letter_id).values(values))

    def send_again(self, letter_id: int, now: datetime) -> None:
        """The letter waits for the sender, as if it had never been tried."""
        fresh = {"status": "queued", "due": now, "leased": False, "attempts": 0, "finished": None, "receipt": ""}
        self._c.execute(sa.update(tables.outbox).where(tables.outbox.c.id == letter_id).values(fresh))
