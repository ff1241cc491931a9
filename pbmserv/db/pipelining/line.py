"""Connections to PostgreSQL that send several statements together and wait once for all their results.

A cursor of psycopg sends one statement and waits for it. Each wait costs a round trip, two changes between processes,
and a turn at the interpreter's lock (docs/adr/0029). So this module uses the pipeline mode of libpq directly:
https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
"""

import json
import select
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import count
from typing import Any, TypeAlias

import psycopg
from psycopg import errors, pq
from psycopg.abc import PQGen
from psycopg.adapt import Transformer
from psycopg.pq.abc import PGresult
from psycopg.types.json import Json

_DONE = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)
_BINARY, _TEXT = pq.Format.BINARY, pq.Format.TEXT
_numbers = count(1)


class Query:
    """A statement with the places $1, $2 … for its values. Each connection prepares it once, before its first use."""

    def __init__(self, sql: str) -> None:
        self.sql = sql
        self.name = b"pbmserv_%d" % next(_numbers)


_BEGIN, _COMMIT, _NOTHING = Query("BEGIN"), Query("COMMIT"), Query("SELECT")
_SNAPSHOT = Query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


class Sent:
    """A statement in the queue of a connection. After it was sent, `result` is the server's answer."""

    def __init__(self, query: Query, values: Sequence[object] = ()) -> None:
        """Raises psycopg.DataError if a value cannot be stored."""
        self.query = query
        self.values = [None if value is None else _WRITERS[type(value)](value) for value in values]
        self._result: PGresult | None = None
        self.formats = [_BINARY if isinstance(value, psycopg.Binary) else _TEXT for value in values]

    @property
    def is_done(self) -> bool:
        """Whether it was sent and has succeeded."""
        return self._result is not None

    @property
    def result(self) -> PGresult:
        """The server's answer. Raises psycopg.ProgrammingError if there is none yet."""
        if self._result is None:
            raise psycopg.ProgrammingError("the statement has not succeeded")
        return self._result

    def succeed(self, result: PGresult) -> None:
        """Note the server's answer."""
        self._result = result


class Connection(psycopg.Connection[Any]):
    """A connection of psycopg with a queue of statements. They are sent when somebody wants a result.

    So an error of a statement is raised later than the statement was queued: by `settle`, by a cursor, or by `commit`,
    which returns only after the server has said that it committed. The statements after it have no effect.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.failed = ""  #: the SQL of the statement that failed last
        self.__queue: list[Sent] = []
        self.__prepared = set[Query]()
        self.__transformer = Transformer(self)
        self.__poller = select.poll()

    def queue(self, query: Query, values: Sequence[object] = ()) -> Sent:
        """Let a statement wait until others are sent, too. If no transaction has begun, this begins one."""
        if not self.__queue and not self.autocommit and self.__is_idle():
            self.__queue.append(Sent(_BEGIN))
        sent = Sent(query, values)
        self.__queue.append(sent)
        return sent

    def take_snapshot(self) -> None:
        """Let the transaction that has just begun only read, all from the same state of the database."""
        self.queue(_SNAPSHOT)

    def settle(self) -> None:
        """Send what waits, and wait for all results. Raises the first error."""
        if not self.__queue:
            return
        waiting, self.__queue = self.__queue, []
        self._check_connection_ok()
        try:
            self.pgconn.enter_pipeline_mode()
            failed = self.__exchange(waiting)
            self.pgconn.exit_pipeline_mode()
        except BaseException:
            self.pgconn.finish()  # what the server still says would be taken for the answer to something else
            raise
        if failed:
            raise failed

    def rows(self, sent: Sent) -> list[tuple[object, ...]]:
        """Return the rows that a statement found, after `settle`."""
        self.__transformer.set_pgresult(sent.result)
        return self.__transformer.load_rows(0, sent.result.ntuples, tuple)

    def commit(self) -> None:
        """Send what waits together with the COMMIT.

        Raises psycopg.InternalError if the server has rolled the transaction back, because somebody went on after an
        error. The `commit` of psycopg would not tell.
        """
        if not self.__queue and self.__is_idle():
            return
        sent = self.queue(_COMMIT)
        self.settle()
        if sent.result.command_status != b"COMMIT":
            raise psycopg.InternalError("the transaction was rolled back because of an earlier error")

    def rollback(self) -> None:
        """Roll the transaction back. What waits is not sent."""
        self.__queue.clear()
        super().rollback()

    def wait(self, gen: PQGen[Any], *args: Any, **options: Any) -> Any:
        """Do what the cursors and methods of psycopg want, after what waits."""
        self.settle()
        return super().wait(gen, *args, **options)

    def has_news(self) -> bool:
        """Return whether the server has said something unasked, as it does before it closes the connection."""
        return self.__ready(select.POLLIN, 0)

    def is_alive(self) -> bool:
        """Return whether the server answers. This is for a time at which no transaction has begun."""
        self.__queue.append(Sent(_NOTHING))
        try:
            self.settle()
        except psycopg.Error:
            return False
        return True

    def __is_idle(self) -> bool:
        return self.pgconn.transaction_status == pq.TransactionStatus.IDLE

    def __exchange(self, waiting: Sequence[Sent]) -> psycopg.Error | None:
        """Send these statements, note the results, return the first error. psycopg.Error: the connection is lost."""
        steps, new = list[tuple[Query, Sent | None]](), set[Query]()  # None: it is prepared
        for sent in waiting:
            query = sent.query
            if query not in self.__prepared and query not in new:
                self.pgconn.send_prepare(query.name, query.sql.encode())
                new.add(query)
                steps.append((query, None))
            self.pgconn.send_query_prepared(query.name, sent.values, sent.formats)
            steps.append((query, sent))
        self.pgconn.pipeline_sync()
        return self.__receive(steps)

    def __receive(self, steps: Sequence[tuple[Query, Sent | None]]) -> psycopg.Error | None:
        failed = None
        try:
            for query, sent in steps:
                result = self.__next_result()
                if result.status not in _DONE:
                    if failed is None:
                        failed, self.failed = errors.error_from_result(result), query.sql
                elif sent:
                    sent.succeed(result)
                else:
                    self.__prepared.add(query)
            self.__next_result()  # that of the sync
        except psycopg.Error as lost:
            if failed:
                raise failed from lost  # the server has said why it closed the connection
            raise
        return failed

    def __next_result(self) -> PGresult:
        while True:
            while self.pgconn.is_busy():
                if self.__ready(select.POLLIN | (select.POLLOUT if self.pgconn.flush() else 0)):
                    self.pgconn.consume_input()
            if (result := self.pgconn.get_result()) is not None:
                return result
            self._check_connection_ok()  # None is also what comes between the results of two statements

    def __ready(self, events: int, milliseconds: int | None = None) -> bool:
        """Wait for one of these events on the socket. Returns whether something can be read, or the other side left."""
        self.__poller.register(self.pgconn.socket, events)
        return any(ready & ~select.POLLOUT for _, ready in self.__poller.poll(milliseconds))


def _text(value: str) -> bytes:
    if "\0" in value:
        raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    return value.encode()


_Write: TypeAlias = Callable[[Any], bytes]


class _Writers(dict[type, _Write]):
    """Functions that give values of a type in the form of libpq: bytes as they are, all else as text."""

    def __missing__(self, kind: type) -> _Write:
        """Return the function of the class from which a type is derived."""
        self[kind] = next(write for base, write in self.items() if issubclass(kind, base))
        return self[kind]


_WRITERS = _Writers(
    {
        str: _text,
        bool: lambda value: b"t" if value else b"f",
        int: lambda value: b"%d" % value,
        float: lambda value: repr(value).encode(),
        psycopg.Binary: lambda value: bytes(value.obj),
        datetime: lambda value: value.isoformat().encode(),
        Json: lambda value: (value.dumps or json.dumps)(value.obj).encode(),
    }
)
