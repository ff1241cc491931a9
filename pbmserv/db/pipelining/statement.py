"""Statements of the hot path. They are written with SQLAlchemy, compiled once, and passed directly to the driver.

Before, most of the time for a move was spent building the same forty statements again, and in the layers between a
statement and its cursor (docs/adr/0012). Statements that do not run for every move are written the usual way.

On PostgreSQL they go into the queue of a connection (line.py), which sends them when somebody wants a result. So the
error of a statement whose result nobody wants is raised later, at the latest by the commit (docs/adr/0029).
"""

from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Dialect

from pbmserv.db import postgresql, tables

if TYPE_CHECKING:
    from pbmserv.db.pipelining import line

AnySelect: TypeAlias = sa.Select[*tuple[Any, ...]]
AnyColumn: TypeAlias = sa.Column[Any]
AnyType: TypeAlias = sa.types.TypeEngine[Any]
Values: TypeAlias = Mapping[str, object]
_Convert: TypeAlias = Callable[[Any], object]
Rows: TypeAlias = list[Any]
V = TypeVar("V")

_CURSOR = "pbmserv_cursor"  #: all these statements of a connection share one cursor, because creating a cursor is slow


class Statement:
    """A statement with named parameters (`sa.bindparam`), for both kinds of database."""

    def __init__(self, statement: AnySelect | sa.sql.dml.UpdateBase, columns: Sequence[str] = ()) -> None:
        """`columns`: the columns that an INSERT or UPDATE without values sets, from parameters of the same names."""
        self._statement = statement
        self._columns = columns
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, connection: Connection, values: Values) -> Rows:
        """Run it and return all rows as named tuples."""
        return self._for(connection.dialect).ask(connection, values)()

    def ask(self, connection: Connection, values: Values) -> Callable[[], Rows]:
        """Run it, and return a function that gives the rows. On PostgreSQL it may run as late as that.

        So several statements that were asked one after the other, before the first result is used, cost one round trip.
        """
        return self._for(connection.dialect).ask(connection, values)

    def count(self, connection: Connection, values: Values) -> int:
        """Run it and return how many rows it changed."""
        return self._for(connection.dialect).count(connection, values)

    def run(self, connection: Connection, values: Values | Sequence[Values]) -> None:
        """Run it once for each set of values."""
        each = [values] if isinstance(values, Mapping) else values
        self._for(connection.dialect).run(connection, each)

    def _for(self, dialect: Dialect) -> "_Compiled":
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            kind = _Queued if dialect.name == "postgresql" else _Compiled
            compiled = self._compiled[dialect.name] = kind(self._statement, self._columns, dialect)
        return compiled


class _Compiled:
    """A statement in the form of one driver, with converters for its parameters and columns. This one is for SQLite."""

    def __init__(self, statement: AnySelect | sa.sql.dml.UpdateBase, columns: Sequence[str], dialect: Dialect) -> None:
        # "for many": otherwise an INSERT returns the number of the new row, which nobody reads.
        compiled = statement.compile(
            dialect=self._places(dialect), column_keys=list(columns) or None, for_executemany=bool(columns)
        )
        self._sql = str(compiled)
        names = compiled.positiontup or []
        self._fixed = {n: b.effective_value for n, b in compiled.binds.items() if not b.required}
        types = [compiled.binds[name].type for name in names]
        converts = (_kept(t, t.dialect_impl(dialect).bind_processor(dialect)) for t in types)
        self._binds = list(zip(names, converts, strict=True))
        self._dialect = dialect
        self._columns = _columns(statement)
        row: Any = namedtuple("Row", [c.name for c in self._columns])  # type: ignore[misc]
        self._row: Callable[[Iterable[object]], Any] = row._make
        self._converts: list[tuple[int, _Convert]] | None = None

    def ask(self, connection: Connection, values: Values) -> Callable[[], Rows]:
        cursor = _execute(connection, self._sql, self._bound(values))
        rows = self._made(cursor.fetchall(), [column[1] for column in cursor.description])
        return lambda: rows

    def count(self, connection: Connection, values: Values) -> int:
        return int(_execute(connection, self._sql, self._bound(values)).rowcount)

    def run(self, connection: Connection, each: Sequence[Values]) -> None:
        _execute(connection, self._sql, [self._bound(values) for values in each], many=True)

    def _places(self, dialect: Dialect) -> Dialect:
        """Return the dialect whose places for values the driver knows."""
        return dialect

    def _bound(self, values: Values) -> list[object]:
        if self._fixed:
            values = {**self._fixed, **values}
        return [values[n] if convert is None else convert(values[n]) for n, convert in self._binds]

    def _made(self, rows: Iterable[Sequence[object]], types: Sequence[object]) -> Rows:
        """Return the named tuples of these rows. `types`: what the driver says of the columns."""
        if self._converts is None:
            self._converts = self._converters(types)
        return [self._row(row) for row in (map(self._convert, rows) if self._converts else rows)]

    def _converters(self, types: Sequence[object]) -> list[tuple[int, _Convert]]:
        """Return (column number, converter) pairs. They depend on the types that the driver reports for the columns."""
        converters = (
            _kept(c.type, c.type.dialect_impl(self._dialect).result_processor(self._dialect, kind))
            for c, kind in zip(self._columns, types, strict=True)
        )
        return [(i, convert) for i, convert in enumerate(converters) if convert]

    def _convert(self, row: Sequence[object]) -> list[object]:
        cells = list(row)
        for i, convert in self._converts or ():
            cells[i] = convert(cells[i])
        return cells


class _Queued(_Compiled):
    """A statement for PostgreSQL. It goes into the queue of the connection."""

    def ask(self, connection: Connection, values: Values) -> Callable[[], Rows]:
        sent = self._queue(connection, values)

        def rows() -> Rows:
            if not sent.is_done:
                settle(connection)
            types = [sent.result.ftype(i) for i in range(sent.result.nfields)] if self._converts is None else ()
            try:
                return self._made(_line(connection).rows(sent), types)
            except connection.dialect.loaded_dbapi.Error as error:
                raise _wrapped(connection, self._sql, error) from error

        return rows

    def count(self, connection: Connection, values: Values) -> int:
        sent = self._queue(connection, values)
        settle(connection)
        return sent.result.command_tuples or 0

    def run(self, connection: Connection, each: Sequence[Values]) -> None:
        for values in each:
            self._queue(connection, values)

    def _places(self, dialect: Dialect) -> Dialect:
        return type(dialect)(paramstyle="numeric_dollar")  # type: ignore[call-arg]

    def _queue(self, connection: Connection, values: Values) -> "line.Sent":
        return _queued(connection, self._sql, self._bound(values))


def command(connection: Connection, sql: str) -> None:
    """Run a statement without values and without a result."""
    if connection.dialect.name == "postgresql":
        _queued(connection, sql, ())
    else:
        _execute(connection, sql)


def settle(connection: Connection) -> None:
    """Wait until all statements have run. Raises their errors as SQLAlchemy does, without the parameters."""
    if connection.dialect.name == "postgresql":
        driver = _line(connection)
        try:
            driver.settle()
        except connection.dialect.loaded_dbapi.Error as error:
            raise _wrapped(connection, driver.failed, error) from error


def _queued(connection: Connection, sql: str, values: Sequence[object]) -> "line.Sent":
    _begin(connection)
    try:
        return _line(connection).queue(_query(sql), values)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _wrapped(connection, sql, error) from error


@cache
def _query(sql: str) -> "line.Query":
    from pbmserv.db.pipelining.line import Query

    return Query(sql)


def _line(connection: Connection) -> "line.Connection":
    return connection.connection.dbapi_connection  # type: ignore[return-value]


def _execute(connection: Connection, sql: str, values: object = (), *, many: bool = False) -> Any:
    """Run a statement and return the driver's cursor.

    All statements of a connection share this cursor. So fetch the rows before you run the next statement.
    """
    _begin(connection)
    here = connection.connection
    cursor = here.info.get(_CURSOR) or here.info.setdefault(_CURSOR, here.cursor())
    try:
        (cursor.executemany if many else cursor.execute)(sql, values)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _wrapped(connection, sql, error) from error
    return cursor


def _begin(connection: Connection) -> None:
    if not connection.in_transaction():
        connection.begin()  # SQLAlchemy would do the same; this triggers the event listeners of engines.py


def places(names: str, count: int, kind: AnyType | None = None) -> list[sa.BindParameter[int]]:
    """Return parameters for a list of `count` values, ids by default. They are called `names`0, `names`1 …"""
    return [sa.bindparam(f"{names}{i}", type_=kind or sa.BigInteger()) for i in range(count)]


def filled(values: Collection[V]) -> list[V]:
    """Return 1, 2, 4, 8 … values: these, and the last one repeated, so that few statements are compiled."""
    padded = list(values)
    return padded + padded[-1:] * ((1 << (len(padded) - 1).bit_length()) - len(padded))


def placed(names: str, values: Iterable[object]) -> dict[str, object]:
    """Return the values for the parameters that `places` makes."""
    return {f"{names}{i}": value for i, value in enumerate(values)}


def _kept(kind: AnyType, convert: _Convert | None) -> _Convert | None:
    """Return the converter of a type. That for times caches: a mail reads the same times often."""
    return lru_cache(maxsize=1024)(convert) if convert and isinstance(kind, tables.Utc) else convert


def _columns(statement: AnySelect | sa.sql.dml.UpdateBase) -> Sequence[AnyColumn]:
    if isinstance(statement, sa.Select):
        return list(statement.selected_columns)  # type: ignore[arg-type]
    return list(statement.exported_columns) if statement._returning else []  # type: ignore[arg-type]


def _wrapped(connection: Connection, sql: str, error: Exception) -> BaseException:
    dialect = connection.dialect
    gone = dialect.is_disconnect(error, connection.connection, None) or postgresql.met_a_standby(error)  # type: ignore[arg-type]
    if gone:
        connection.invalidate(error)
        connection.engine.dispose(close=False)  # the pool's other connections are broken, too
    return sa.exc.DBAPIError.instance(
        sql, None, error, dialect.loaded_dbapi.Error, hide_parameters=True, connection_invalidated=gone, dialect=dialect
    )
