"""Statements of the hot path. They are written with SQLAlchemy, compiled once, and passed directly to the driver.

Before, most of the time for a move was spent building the same forty statements again, and in the layers between a
statement and its cursor (docs/adr/0012). Statements that do not run for every move are written the usual way.
"""

from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Dialect

from pbmserv.db import postgresql, tables

Values: TypeAlias = Mapping[str, Any]
V = TypeVar("V")

_CURSOR = "pbmserv_cursor"  #: all these statements of a connection share one cursor, because creating a cursor is slow


class Statement:
    """A statement with named parameters (`sa.bindparam`), for both kinds of database."""

    def __init__(self, statement: sa.Select[Any] | sa.sql.dml.UpdateBase, columns: Sequence[str] = ()) -> None:
        """`columns`: the columns that an INSERT or UPDATE without values sets, from parameters of the same names."""
        self._statement = statement
        self._columns = columns
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, connection: Connection, values: Values) -> list[Any]:
        """Run it and return all rows as named tuples."""
        return self._for(connection.dialect).rows(connection, values)

    def run(self, connection: Connection, values: Values | Sequence[Values]) -> int:
        """Run it once for each set of values. Returns how many rows the last run changed."""
        return self._for(connection.dialect).run(connection, values)

    def _for(self, dialect: Dialect) -> "_Compiled":
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = _Compiled(self._statement, self._columns, dialect)
        return found


class _Compiled:
    """A statement in the form of one driver, with converters for its parameters and columns."""

    def __init__(
        self, statement: sa.Select[Any] | sa.sql.dml.UpdateBase, columns: Sequence[str], dialect: Dialect
    ) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=list(columns) or None)
        self._sql = str(compiled)
        self._by_place = dialect.positional
        names = compiled.positiontup or list(compiled.binds)
        self._fixed = {n: b.effective_value for n, b in compiled.binds.items() if not b.required}
        types = [compiled.binds[name].type for name in names]
        converts = (_kept(t, t.dialect_impl(dialect).bind_processor(dialect)) for t in types)
        self._binds = list(zip(names, converts, strict=True))
        self._dialect = dialect
        self._columns = _columns(statement)
        row: Any = namedtuple("Row", [c.name for c in self._columns])  # type: ignore[misc]
        self._row: Callable[[Iterable[Any]], Any] = row._make
        self._converts: list[tuple[int, Callable[[Any], Any]]] | None = None

    def rows(self, connection: Connection, values: Values) -> list[Any]:
        cursor = execute(connection, self._sql, self._bound(values))
        if self._converts is None:
            self._converts = self._converters(cursor)
        found = cursor.fetchall()
        return [self._row(row) for row in (map(self._convert, found) if self._converts else found)]

    def run(self, connection: Connection, values: Values | Sequence[Values]) -> int:
        if isinstance(values, Mapping):
            return int(execute(connection, self._sql, self._bound(values)).rowcount)
        return int(execute(connection, self._sql, [self._bound(v) for v in values], many=True).rowcount)

    def _bound(self, values: Values) -> Any:
        if self._fixed:
            values = {**self._fixed, **values}
        if self._by_place:
            return [values[n] if convert is None else convert(values[n]) for n, convert in self._binds]
        return {n: values[n] if convert is None else convert(values[n]) for n, convert in self._binds}

    def _converters(self, cursor: Any) -> list[tuple[int, Callable[[Any], Any]]]:
        """Return (column number, converter) pairs. They depend on the types that the driver reports for the columns."""
        types = zip(self._columns, cursor.description, strict=True)
        found = (
            _kept(c.type, c.type.dialect_impl(self._dialect).result_processor(self._dialect, said[1]))
            for c, said in types
        )
        return [(i, convert) for i, convert in enumerate(found) if convert]

    def _convert(self, row: Sequence[Any]) -> list[Any]:
        cells = list(row)
        for i, convert in self._converts or ():
            cells[i] = convert(cells[i])
        return cells


def execute(connection: Connection, sql: str, values: Any = (), *, many: bool = False) -> Any:
    """Run a statement and return the driver's cursor. Raises errors as SQLAlchemy does, without the parameters.

    All statements of a connection share this cursor. So fetch the rows before you run the next statement.
    """
    if not connection.in_transaction():
        connection.begin()  # SQLAlchemy would do the same; this triggers the event listeners of engines.py
    here = connection.connection
    cursor = here.info.get(_CURSOR) or here.info.setdefault(_CURSOR, here.cursor())
    try:
        (cursor.executemany if many else cursor.execute)(sql, values)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _wrapped(connection, sql, error) from error
    return cursor


def places(names: str, count: int, kind: sa.types.TypeEngine[Any] | None = None) -> list[sa.BindParameter[Any]]:
    """Return parameters for a list of `count` values, ids by default. They are called `names`0, `names`1 …"""
    return [sa.bindparam(f"{names}{i}", type_=kind or sa.BigInteger()) for i in range(count)]


def filled(values: Collection[V]) -> list[V]:
    """Return a list of 1, 2, 4, 8 … values: these, and the last one again and again.

    So there are few statements to compile for lists of many lengths.
    """
    found = list(values)
    return found + found[-1:] * ((1 << (len(found) - 1).bit_length()) - len(found))


def placed(names: str, values: Iterable[Any]) -> dict[str, Any]:
    """Return the values for the parameters that `places` makes."""
    return {f"{names}{i}": value for i, value in enumerate(values)}


def _kept(kind: sa.types.TypeEngine[Any], convert: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    """Return the converter of a type.

    The one for times caches its results, because a mail reads the same times often.
    """
    return lru_cache(maxsize=1024)(convert) if convert and isinstance(kind, tables.Utc) else convert


def _columns(statement: Any) -> Sequence[sa.Column[Any]]:
    if isinstance(statement, sa.Select):
        return list(statement.selected_columns)  # type: ignore[arg-type]
    return list(statement.exported_columns) if statement._returning else []


def _wrapped(connection: Connection, sql: str, error: Exception) -> BaseException:
    dialect = connection.dialect
    gone = dialect.is_disconnect(error, connection.connection, None) or postgresql.met_a_standby(error)  # type: ignore[arg-type]
    if gone:
        connection.invalidate(error)
        connection.engine.dispose(close=False)  # the pool's other connections are broken, too
    return sa.exc.DBAPIError.instance(
        sql, None, error, dialect.loaded_dbapi.Error, hide_parameters=True, connection_invalidated=gone, dialect=dialect
    )
