"""Single values that the server remembers."""

import sqlalchemy as sa

from pbmserv import db
from pbmserv.store.base import Queries


class Facts(Queries):
    """Queries about single values."""

    def fact(self, name: str) -> str | None:
        """A remembered value, locked until the transaction ends."""
        query = sa.select(db.fact.c.value).where(db.fact.c.name == name).with_for_update()
        return self._c.execute(query).scalar_one_or_none()

    def set_fact(self, name: str, value: str) -> None:
        """Remember a value."""
        statement = self._insert(db.fact).values(name=name, value=value)
        self._c.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
