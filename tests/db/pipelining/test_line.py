"""Statements that are sent to PostgreSQL together: their errors come up in time, and nothing is lost or half done."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import sqlalchemy as sa

from pbmserv.db import engines, tables
from pbmserv.db.pipelining.line import Connection, Query
from pbmserv.db.pipelining.statement import Statement, settle
from pbmserv.inbox.pipeline import Prepared
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from pbmserv.store import Store
from tests.inbox.mails import message
from tests.promises.many_processes.at_once import at_once
from tests.world import ADDRESS, World

pytestmark = pytest.mark.postgresql

_C = tables.fact.c
_ADD = Statement(sa.insert(tables.fact), ("name", "value"))
_SET = Statement(sa.update(tables.fact).where(_C.name == sa.bindparam("key")), ("value",))
_FIND = Statement(sa.select(tables.fact).where(_C.name == sa.bindparam("key")))
_SLEEP = Query("SELECT pg_sleep(10)")


def facts(world: World) -> dict[str, str]:
    """All stored facts."""
    with world.engine.connect() as connection:
        return {row.name: row.value for row in connection.execute(sa.select(tables.fact))}


def add(connection: sa.Connection, **values: str) -> None:
    """Put an INSERT for each of these facts into the queue."""
    _ADD.run(connection, [{"name": name, "value": value} for name, value in values.items()])


def add_twice(connection: sa.Connection) -> None:
    """Put two statements into the queue, the second of which will fail. An error that can pass is tried again."""
    add(connection, one="1")
    add(connection, one="2")


def driver(connection: sa.Connection) -> Connection:
    """The connection of the driver."""
    found = connection.connection.driver_connection
    assert isinstance(found, Connection)
    return found


@pytest.fixture
def stronger(world: World) -> World:
    """Another process, which ends connections of the first one."""
    return world.again()


def end(stronger: World, connection: sa.Connection) -> None:
    """Let the server end a connection."""
    pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    with stronger.engine.connect() as other:
        other.exec_driver_sql(f"SELECT pg_terminate_backend({pid}, 5000)")


class TestErrors:
    def test_one_in_a_savepoint_is_raised_in_it(self, world: World) -> None:
        with world.engine.begin() as connection:
            store = Store(connection)
            add(connection, before="1")
            with pytest.raises(sa.exc.IntegrityError, match="INSERT INTO fact"), store.savepoint():
                add(connection, inside="1", before="2")
            add(connection, after="1")
        assert facts(world) == {"before": "1", "after": "1"}

    def test_one_in_an_inner_savepoint_leaves_the_outer_one(self, world: World) -> None:
        with world.engine.begin() as connection:
            store = Store(connection)
            with store.savepoint():
                add(connection, outer="1")
                with pytest.raises(sa.exc.IntegrityError), store.savepoint():
                    add(connection, inner="1", outer="2")
            add(connection, after="1")
        assert facts(world) == {"outer": "1", "after": "1"}

    def test_what_waits_when_a_savepoint_fails_is_undone_and_what_waited_before_is_not(self, world: World) -> None:
        with world.engine.begin() as connection:
            add(connection, before="1")
            with suppress(LookupError), Store(connection).savepoint():
                add(connection, inside="1")
                raise LookupError
        assert facts(world) == {"before": "1"}

    def test_one_outside_is_raised_by_the_commit(self, world: World) -> None:
        with pytest.raises(sa.exc.IntegrityError):
            engines.transact(world.engine, lambda connection, _: add_twice(connection))
        assert facts(world) == {}

    def test_one_that_somebody_ignores_is_no_commit(self, world: World) -> None:
        """PostgreSQL answers a COMMIT after an error with ROLLBACK, and its drivers call that a success."""

        def ignore(connection: sa.Connection, last: bool) -> None:
            add_twice(connection)
            with suppress(sa.exc.DBAPIError):
                settle(connection)

        with pytest.raises(sa.exc.InternalError, match="rolled back"):
            engines.transact(world.engine, ignore)
        assert facts(world) == {}

    def test_one_that_a_usual_statement_meets_is_not_lost(self, world: World) -> None:

        def ask(connection: sa.Connection, last: bool) -> None:
            add_twice(connection)
            connection.execute(sa.select(tables.fact))

        with pytest.raises(sa.exc.IntegrityError):
            engines.transact(world.engine, ask)
        assert facts(world) == {}

    def test_they_do_not_show_values(self, world: World) -> None:
        with pytest.raises(sa.exc.DBAPIError) as caught, world.engine.begin() as connection:
            add(connection, one="nobody's business\0")
        assert "business" not in str(caught.value)

    def test_a_statement_that_cannot_be_prepared_can_be_tried_again(self, world: World) -> None:
        query = Query("SELECT count(*) FROM later")
        with world.engine.connect() as connection:
            for _ in range(2):
                connection.begin()
                driver(connection).queue(query)
                with pytest.raises(sa.exc.ProgrammingError, match="later"):
                    settle(connection)
                connection.rollback()
            connection.exec_driver_sql("CREATE TEMPORARY TABLE later (id integer)")
            sent = driver(connection).queue(query)
            settle(connection)
            assert driver(connection).rows(sent) == [(0,)]


class TestConcurrency:
    def test_a_deadlock_is_begun_again(self, world: World) -> None:
        attempts, through, both = list[bool](), threading.Event(), threading.Barrier(2)

        def change(connection: sa.Connection, last: bool, *names: str) -> None:
            attempts.append(last)
            is_first = len(attempts) <= 2
            if not is_first:  # it could lock both before the other once more
                assert through.wait(10)
            for name in names:
                _SET.run(connection, {"key": name, "value": names[0]})
                settle(connection)
                if is_first and name == names[0]:
                    both.wait(10)  # each has one

        def transact(*names: str) -> None:
            engines.transact(world.engine, lambda connection, last: change(connection, last, *names))
            through.set()

        with world.engine.begin() as connection:
            add(connection, one="", two="")
        at_once(lambda: transact("one", "two"), lambda: transact("two", "one"))
        assert len(attempts) == 3
        assert facts(world) in ({"one": name, "two": name} for name in ("one", "two"))

    @pytest.mark.slow
    def test_what_was_asked_after_a_lock_is_read_after_it(self, world: World) -> None:
        """Both statements are sent at the same time. The second one sees what the other transaction did."""
        world.board("alice", "bob")
        with ThreadPoolExecutor(1) as pool:
            with world.engine.begin() as connection:
                store = Store(connection)
                row = store.boards.find(101)
                assert row
                waiting = pool.submit(world.query, lambda s: s.boards.find(101))
                time.sleep(0.2)
                assert not waiting.done()
                connection.execute(sa.update(tables.seat).values(used=77.0))
            found = waiting.result()
        assert found
        assert [clock.used for clock in found.clocks] == [77.0, 77.0]


class TestLostConnections:
    def test_with_statements_that_wait(self, world: World, stronger: World) -> None:

        def lose(connection: sa.Connection, last: bool) -> None:
            add(connection, one="1")
            settle(connection)
            add(connection, two="1")
            end(stronger, connection)

        with pytest.raises(sa.exc.OperationalError) as caught:
            engines.transact(world.engine, lose)
        assert caught.value.connection_invalidated
        assert facts(world) == {}

    def test_in_a_savepoint(self, world: World, stronger: World) -> None:

        def lose(connection: sa.Connection, last: bool) -> None:
            with Store(connection).savepoint():
                end(stronger, connection)
                add(connection, one="1")

        with pytest.raises(sa.exc.OperationalError) as caught:
            engines.transact(world.engine, lose)
        assert caught.value.connection_invalidated
        assert facts(world) == {}

    def test_while_the_server_works(self, world: World, stronger: World) -> None:
        with world.engine.connect() as connection, ThreadPoolExecutor(1) as pool:
            pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            driver(connection).queue(_SLEEP)
            waiting = pool.submit(settle, connection)
            with stronger.engine.connect() as other:
                other.exec_driver_sql(f"SELECT pg_terminate_backend({pid}, 5000)")
            with pytest.raises(sa.exc.OperationalError, match="terminating connection") as caught:
                waiting.result()
        assert caught.value.connection_invalidated

    def test_a_wait_that_is_broken_off_ends_the_connection(self, world: World) -> None:
        """Otherwise the answer that comes later would be taken for that to another statement."""

        def ring(*_: object) -> None:
            raise InterruptedError

        with world.engine.connect() as connection:
            before = signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            try:
                driver(connection).queue(_SLEEP)
                with pytest.raises(InterruptedError):
                    settle(connection)
            finally:
                signal.signal(signal.SIGALRM, before)
            assert driver(connection).closed


class TestMails:
    """A mail that meets such an error has no effect, and none but a bug puts it on the shelf."""

    @pytest.fixture
    def mail(self, world: World) -> Prepared:
        """A move that is ready for its transaction."""
        world.board("alice", "bob")
        row = world.row()
        (seat,) = row.board.to_move
        userid = row.players[seat].userid
        move = row.game.format(row.game.legal_moves(row.board.position, seat)[0])
        data = message(userid, f"tumble move 101 {userid} {userid}-secret {move}")
        return world.pipeline.prepare(Incoming(data, "x@example.org", (ADDRESS,), "192.0.2.1"))

    def entries(self, world: World) -> int:
        """The length of the log."""
        return len(world.query(lambda s: s.boards.log(101)))

    def test_a_statement_takes_too_long(self, world: World, mail: Prepared) -> None:
        def hurry(connection: sa.Connection) -> None:
            connection.exec_driver_sql("SET LOCAL statement_timeout = '50ms'")

        with world.engine.begin() as holder:
            Store(holder).boards.find(101)
            sa.event.listen(world.engine, "begin", hurry)
            assert world.pipeline.handle([mail]) == [TRY_AGAIN]
            sa.event.remove(world.engine, "begin", hurry)
        assert self.entries(world) == 0
        assert world.pipeline.handle([mail]) == [ACCEPTED]
        assert self.entries(world) == 1

    @pytest.mark.parametrize("table", ["mail", "board", "entry", "seat", "outbox"])
    def test_the_connection_is_lost_at_a_statement(self, world: World, mail: Prepared, table: str) -> None:
        """A trigger ends it in the middle of the statements that were sent together."""
        with world.engine.begin() as connection:
            connection.exec_driver_sql(
                "CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$"
            )
            connection.exec_driver_sql(
                f"CREATE TRIGGER leave BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION leave()"
            )
        letters = len(world.letters())
        try:
            assert world.pipeline.handle([mail]) == [TRY_AGAIN]
        finally:
            with world.engine.begin() as connection:
                connection.exec_driver_sql("DROP FUNCTION leave CASCADE")
        assert (self.entries(world), len(world.letters())) == (0, 0), letters
        assert world.pipeline.handle([mail]) == [ACCEPTED]
        assert (self.entries(world), len(world.letters())) == (1, 2)

    @pytest.mark.parametrize("table", ["board", "entry", "seat"])
    def test_the_database_refuses_a_move_before_another_call(self, world: World, table: str) -> None:
        """Its statements still wait when the savepoint of the draw begins. That is a bug of the mail all the same."""
        world.board("alice", "bob")
        row = world.row()
        (seat,) = row.board.to_move
        text = row.game.format(row.game.legal_moves(row.board.position, seat)[0])
        to = world.site.signer.sign(signed_addresses.BOARD, 101, seat, row.board.length)
        data = message(row.players[seat].userid, "Re: Tumble Board 101", f"{text}\npropose\n")
        both = world.pipeline.prepare(Incoming(data, "x@example.org", (to,), "192.0.2.1"))
        with world.engine.begin() as connection:
            connection.exec_driver_sql(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION USING ERRCODE = '22003'; END $$"
            )
            connection.exec_driver_sql(
                f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
            )
        try:
            assert world.pipeline.handle([both]) == [ACCEPTED]
        finally:
            with world.engine.begin() as connection:
                connection.exec_driver_sql("DROP FUNCTION refuse CASCADE")
        assert both.incoming.progress.status == "shelved"
        assert self.entries(world) == 0

    @pytest.mark.parametrize("table", ["board", "entry", "seat", "outbox"])
    def test_the_database_refuses_a_statement(self, world: World, mail: Prepared, table: str) -> None:
        """That is a bug of ours: only this mail goes on the shelf, although its error comes later than its cause."""
        with world.engine.begin() as connection:
            connection.exec_driver_sql(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION USING ERRCODE = '22003'; END $$"
            )
            connection.exec_driver_sql(
                f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {table} "
                "FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse()"
            )
        beside = message("carol", "signup carol carol-secret", number=2)
        other = world.pipeline.prepare(Incoming(beside, "x@example.org", (ADDRESS,), "192.0.2.1"))
        try:
            replies = world.pipeline.handle([mail, other])
        finally:
            with world.engine.begin() as connection:
                connection.exec_driver_sql("DROP FUNCTION refuse CASCADE")
        assert replies == [ACCEPTED, ACCEPTED]
        assert self.entries(world) == 0
        assert mail.incoming.progress.status == "shelved"
        if table == "outbox":  # not even an apology can be written, nor the letter to carol
            assert other.incoming.progress.status == "shelved"
        else:
            assert world.query(lambda s: s.players.find("carol"))


def test_many_and_large_statements_at_once(world: World) -> None:
    """More bytes than the sockets take wait in both directions."""
    large = "x" * 200_000
    with world.engine.begin() as connection:
        add(connection, **{f"fact{i}": large for i in range(50)})
        asked = [_FIND.ask(connection, {"key": f"fact{i}"}) for i in range(50)]
        assert [found()[0].value for found in asked] == [large] * 50


def test_other_statements_and_these_see_each_other(world: World) -> None:
    with world.engine.begin() as connection:
        add(connection, one="1")
        connection.execute(sa.update(tables.fact).values(value="2"))
        _SET.run(connection, {"key": "one", "value": "3"})
        assert connection.execute(sa.select(_C.value)).scalar_one() == "3"
    assert facts(world) == {"one": "3"}


def test_statements_that_were_prepared_stay_after_a_rollback(world: World) -> None:
    with world.engine.connect() as connection:
        for _ in range(3):
            _FIND.rows(connection, {"key": "one"})
            connection.exec_driver_sql("SAVEPOINT part")
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT part")
            _FIND.rows(connection, {"key": "one"})
            connection.rollback()
        count = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT fact%%'"
        assert connection.exec_driver_sql(count).scalar_one() == 1
