"""Single values that the server remembers."""

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries


class Facts(Queries):
    """Queries about single values."""

    def fact(self, name: str) -> str | None:
        """A remembered value, locked until the transaction ends."""
        query = self._locked(sa.select(tables.fact.c.value).where(tables.fact.c.name == name))
        return self._c.execute(query).scalar_one_or_none()

    def lease(self, name: str, now: float, seconds: float) -> bool:
        """Take something for a time, as of `now` in seconds since 1970; False while somebody else has it.

        A lease that would last longer than any is from before the clock was set back, and is over.
        """
        free = self._insert(tables.fact).values(name=name, value="0")
        self._c.execute(free.on_conflict_do_nothing(index_elements=["name"]))
        if now < float(self.fact(name) or 0) <= now + seconds:
            return False
        self.set_fact(name, repr(now + seconds))
        return True

    def set_fact(self, name: str, value: str) -> None:
        """Remember a value."""
        statement = self._insert(tables.fact).values(name=name, value=value)
        self._c.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
