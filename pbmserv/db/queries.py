"""The base class of all queries: the connection, and methods to run statements on it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from pbmserv.db import engines
from pbmserv.db.pipelining.noticed import Noticed
from pbmserv.db.pipelining.statement import AnyColumn, AnySelect, Rows, Statement, Values

S = TypeVar("S", bound=AnySelect)

#: The most rows that one housekeeping transaction deletes, and the most players that it handles. On SQLite every other
#: writer has to wait until it ends.
ROWS_AT_ONCE, PEOPLE_AT_ONCE = 200, 25


def newest(
    columns: Sequence[AnyColumn],
    *,
    at: sa.Column[datetime],
    since: datetime | None,
    equal: Iterable[tuple[AnyColumn, object]],
    addresses: tuple[sa.Column[str], Collection[str]],
    limit: int,
) -> AnySelect:
    """Return a query for the newest rows of a table: since a time, with these values, with one of these addresses.

    A value of None or "" is no condition; neither is an empty list of addresses. The case of addresses does not matter.
    """
    (column, these), (key,) = addresses, (c for c in columns if c.name == "id")
    query = sa.select(*columns).where(*(c == value for c, value in equal if value not in (None, "")))
    if these:
        query = query.where(sa.func.lower(column).in_([a.lower() for a in these]))
    if since:
        query = query.where(at >= since)
    return query.order_by(key.desc()).limit(limit)


def inserting(table: sa.Table, kind: str) -> sqlite.Insert | postgresql.Insert:
    """Return an INSERT that allows ON CONFLICT. SQLAlchemy has a separate class for each kind of database."""
    return sqlite.insert(table) if kind == "sqlite" else postgresql.insert(table)


class Queries:
    """Statements on one connection. The caller begins and commits the transaction."""

    def __init__(self, connection: Connection, noticed: Noticed | None = None) -> None:
        self._c = connection
        self._noticed = noticed or Noticed()

    def _rows(self, statement: Statement, **values: object) -> Rows:
        """Return all rows that a compiled statement finds."""
        ahead = self._noticed.ahead
        if ahead.is_asking or ahead.asked:
            return ahead.rows(self._c, statement, values)
        return statement.rows(self._c, values)

    def _ask(self, statement: Statement, **values: object) -> Callable[[], Rows]:
        """Return a function that gives the rows of a compiled statement, which may run as late as that."""
        return statement.ask(self._c, values)

    def _first(self, statement: Statement, **values: object) -> Any:
        """Return the first row that a compiled statement finds; None if there is none."""
        return next(iter(self._rows(statement, **values)), None)

    def _found(self, query: sa.Executable) -> Rows:
        """Return all rows that a query finds. Their type is told by the method that asks."""
        return list(self._c.execute(query))

    def _run(self, statement: Statement, values: Values | Sequence[Values]) -> None:
        """Run a compiled statement once for each set of values. On PostgreSQL it may wait until a result is wanted."""
        statement.run(self._c, values)

    def _insert(self, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
        """Return an INSERT that allows ON CONFLICT."""
        return inserting(table, self._c.dialect.name)

    def _put(self, table: sa.Table, keys: Values, values: Values) -> None:
        """Insert a row with these keys, or write the values into the one that is there."""
        put = self._insert(table).values({**keys, **values})
        self._c.execute(put.on_conflict_do_update(index_elements=list(keys), set_=values))

    def _locked(self, query: S) -> S:
        """Return the query with a lock on its rows until the transaction ends. A read-only transaction takes no lock.

        Others can still add rows that refer to the locked ones, because their keys never change. SQLite's statements
        have no lock: the only writer has locked the whole database.
        """
        return query if engines.only_reads(self._c) else query.with_for_update(key_share=True)

    def _hold(self, query: AnySelect) -> None:
        """Lock the rows of a query until the transaction ends, without reading them.

        Does nothing if there is a single writer, where it is not needed, or in a read-only transaction, where it is not
        possible.
        """
        if not engines.has_one_writer(self._c) and not engines.only_reads(self._c):
            self._c.execute(query.with_for_update(key_share=True))

    def _place(self, part: bytes, whole: sa.Column[bytes]) -> sa.ColumnElement[int]:
        """Return the SQL position of a part in a text, from 1; 0 if it is not in it."""
        if self._c.dialect.name == "sqlite":
            return sa.func.instr(whole, part)
        return sa.func.position(sa.literal(part).op("IN")(whole), type_=sa.Integer)

    def _take_turns(self, what: str) -> None:
        """Wait for all other transactions that called this with the same words. Later ones wait for ours."""
        if not engines.has_one_writer(self._c):
            self._c.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(what))))
