"""What all queries share."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from pbmserv.db import engines
from pbmserv.db.statement import Statement, Values

S = TypeVar("S", bound=sa.Select[Any])

#: So many rows are forgotten in one transaction, and so many people are told of it or lose their account: whoever
#: writes meanwhile waits for it on SQLite.
ROWS_AT_ONCE, PEOPLE_AT_ONCE = 200, 25


def newest(
    columns: Sequence[sa.Column[Any]],
    *,
    at: sa.Column[datetime],
    since: datetime | None,
    equal: Iterable[tuple[sa.Column[Any], object]],
    addresses: tuple[sa.Column[str], Collection[str]],
    limit: int,
) -> sa.Select[Any]:
    """The newest rows of a table with an `id`: since a moment, with these values, with one of these addresses.

    A value of None or "" and no addresses ask for nothing; addresses are compared in any case of letters.
    """
    (column, wanted), (key,) = addresses, (c for c in columns if c.name == "id")
    query = sa.select(*columns).where(*(c == value for c, value in equal if value not in (None, "")))
    if wanted:
        query = query.where(sa.func.lower(column).in_([a.lower() for a in wanted]))
    if since:
        query = query.where(at >= since)
    return query.order_by(key.desc()).limit(limit)


class Queries:
    """Statements over one connection, whose transaction belongs to the caller."""

    def __init__(self, connection: Connection) -> None:
        self._c = connection

    def _rows(self, statement: Statement, **values: Any) -> list[Any]:
        return statement.rows(self._c, values)

    def _first(self, statement: Statement, **values: Any) -> Any:
        """The first row, None if there is none."""
        return next(iter(statement.rows(self._c, values)), None)

    def _run(self, statement: Statement, values: Values | Sequence[Values]) -> int:
        """How many rows it changed."""
        return statement.run(self._c, values)

    def _insert(self, table: sa.Table) -> Any:
        return (sqlite if self._c.dialect.name == "sqlite" else postgresql).insert(table)

    def _locked(self, query: S) -> S:
        """The query, whose rows stay locked until the transaction ends; not if that only reads.

        Rows that refer to them may be added meanwhile: their keys never change. SQLite locks everything anyway.
        """
        return query if engines.only_reads(self._c) else query.with_for_update(key_share=True)

    def _hold(self, query: sa.Select[Any]) -> None:
        """Lock the rows of a query for their sake alone; where there is one writer, nobody else could change them.

        A transaction that only reads sees one state and may lock nothing.
        """
        if not engines.has_one_writer(self._c) and not engines.only_reads(self._c):
            self._c.execute(query.with_for_update(key_share=True))

    def _take_turns(self, what: str) -> None:
        """Wait until no other transaction does this, and let the next one wait for the end of ours."""
        if not engines.has_one_writer(self._c):
            self._c.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(what))))
