"""Which SQL statements of `pbmserv/store` the tests run, on which kind of database.

Few tests ask the database something that SQLite and PostgreSQL could answer differently. So most run on SQLite only,
and those with the mark `both` on PostgreSQL, too. Together they must run every statement of the store there:
`make test-all` runs all tests with `--all-statements` and fails with a list if they do not (tests/conftest.py).
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Dialect, Engine

import pbmserv
from pbmserv.db.pipelining.statement import Statement
from pbmserv.db.queries import Queries

_STORE = str(Path(pbmserv.__file__).parent / "store")
#: What SQLite calls otherwise, and values that are named after functions.
_NAMES = {
    r"\bgreatest\b": "max",
    r"to_char\(timezone\(\S+ (\S+)\), \S+\)": r"strftime(:value_…, \1)",
    r"\bto_char_": "strftime_",
    r"position\((:\S+) IN (\S+)\)": r"instr(\2, \1)",
    r":(?:position|greatest|instr|max|param|strftime)_": ":value_",
}
#: A list of values has one place for each, as many as a test happens to need.
_LISTS = re.compile(r":(\w*?[a-z_])\d+(, :\1\d+)*")
_PARTS = re.compile(r"(\S.{3,}?)( UNION | OR )\1(?:\2\1)*(?=$|[ )])")  #: and one part for each, in other statements
Found = dict[str, set[str]]  #: by kind of database: "place: words of a statement"


@contextmanager
def recorded() -> Iterator[Found]:
    """Record all statements of the store while the context lasts."""
    found: Found = defaultdict(set)
    known = WeakKeyDictionary[object, set[tuple[str, CodeType]]]()  #: where a statement ran: its words take longer
    compiled, hold, take_turns = Statement._for, Queries._hold, Queries._take_turns

    def note(kind: str, statement: object, words: Callable[[], str]) -> None:
        code = _function()
        if code and (kind, code) not in (places := known.setdefault(statement, set())):
            places.add((kind, code))
            found[kind].add(f"{code.co_filename.removeprefix(_STORE)[1:]} {code.co_qualname}: {words()}")

    def of_hot_path(statement: Statement, dialect: Dialect) -> Any:
        note(dialect.name, statement, lambda: _text(statement._statement))
        return compiled(statement, dialect)

    def usual(connection: Connection, _cursor: Any, _sql: str, _values: Any, context: Any, _is_many: bool) -> None:
        if context.compiled:
            note(connection.dialect.name, context.compiled, lambda: _text(context.compiled.statement))

    def locked(queries: Queries, query: sa.Select[Any]) -> None:
        note(queries._c.dialect.name, query, lambda: f"lock of {_text(query)}")
        hold(queries, query)

    def in_turns(queries: Queries, what: str) -> None:
        note(queries._c.dialect.name, queries, lambda: "turns")
        take_turns(queries, what)

    setattr(Statement, "_for", of_hot_path)  # noqa: B010 -- mypy knows of no functions that are replaced
    setattr(Queries, "_hold", locked)  # noqa: B010
    setattr(Queries, "_take_turns", in_turns)  # noqa: B010
    sa.event.listen(Engine, "before_cursor_execute", usual)
    try:
        yield found
    finally:
        sa.event.remove(Engine, "before_cursor_execute", usual)
        setattr(Statement, "_for", compiled)  # noqa: B010
        setattr(Queries, "_hold", hold)  # noqa: B010
        setattr(Queries, "_take_turns", take_turns)  # noqa: B010


def only_on_sqlite(found: Found) -> list[str]:
    """Return the statements that ran on SQLite and not on PostgreSQL."""
    return sorted(found["sqlite"] - found["postgresql"])


def _function() -> CodeType | None:
    """Return the function of the store that runs a statement now; None if it is none of the store's."""
    frame = sys._getframe(3)
    while not frame.f_code.co_filename.startswith(_STORE):
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return frame.f_code


def _text(statement: Any) -> str:
    """Return the words of a statement, the same for both kinds of database."""
    if isinstance(statement, sa.sql.dml.Insert):  # SQLAlchemy has a class of its own for ON CONFLICT of each kind
        return f"INSERT INTO {statement.table.name}"
    key = statement._generate_cache_key() if hasattr(statement, "_generate_cache_key") else None
    return _words(_Keyed(key.key, statement)) if key else type(statement).__name__


class _Keyed:
    """A statement that is compared by its key, with which SQLAlchemy finds what it has compiled."""

    def __init__(self, key: Any, statement: Any) -> None:
        self._key, self.statement, self._hash = key, statement, hash(key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and bool(self._key == other._key)


@lru_cache(maxsize=10_000)
def _words(keyed: _Keyed) -> str:
    words = _LISTS.sub(r":\1…", " ".join(str(keyed.statement).split()))
    for there, here in _NAMES.items():
        words = re.sub(there, here, words)
    return _PARTS.sub(r"\1\2…", words)
