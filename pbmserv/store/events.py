"""What admins did."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries


class Events(Queries):
    """Queries about the audit of admins."""

    def add_event(self, at: datetime, who: str, what: str, why: str) -> None:
        """Write down who did what, and why; `what` begins with the thing: `board 101: …`, `player alice: …`."""
        self._c.execute(sa.insert(tables.event).values(at=at, who=who[:80], what=what, why=why))

    def events(self, *, since: datetime | None = None, about: str = "", limit: int = 200) -> list[Any]:
        """What admins did, the newest first; `about`: one thing, such as `board 101`."""
        c = tables.event.c
        query = sa.select(tables.event).order_by(c.id.desc()).limit(limit)
        if since:
            query = query.where(c.at >= since)
        if about:
            query = query.where(c.what.startswith(f"{about}: ", autoescape=True))
        return list(self._c.execute(query))
