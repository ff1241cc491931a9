"""Mails that two processes handle at the same time."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs
from structlog.typing import EventDict

from pbmserv.boards.entries import rebuild_ratings
from pbmserv.db import engines
from pbmserv.inbox.pipeline import Prepared
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from pbmserv.model import Vacation
from pbmserv.store import Store
from tests.commands.answers import ply
from tests.inbox.mails import message
from tests.promises.many_processes.at_once import at_once
from tests.world import ADDRESS, World

pytestmark = pytest.mark.postgresql


def prepared(world: World, data: bytes) -> Prepared:
    """Return a mail that is ready for its transaction."""
    return world.prepare(Incoming(data, "x@example.org", (ADDRESS,), "192.0.2.1"))


def handle_both(world: World, other: World, first: bytes, second: bytes) -> None:
    """Give each process one of two mails at the same time. Check that both are taken and neither is on the shelf."""
    a, b = prepared(world, first), prepared(other, second)
    assert at_once(lambda: world.pipeline.handle([a]), lambda: other.pipeline.handle([b])) == [[ACCEPTED], [ACCEPTED]]
    assert {m.status for m in world.query(lambda s: s.mails.newest())} <= {"done", "error"}


def a_move(world: World, number: int = 101) -> tuple[str, str]:
    """Return who is to move on a board, and a legal move."""
    row = world.row(number)
    (seat,) = row.board.to_move
    move = row.game.legal_moves(row.board.position, seat)[0]
    return row.players[seat].userid, row.game.format(move)


@pytest.mark.slow
def test_the_same_mail_to_both_has_one_effect(world: World, other: World) -> None:
    world.signup("alice", "bob")
    for number in range(1, 6):
        mail = message("alice", "tumble challenge alice bob", number=number)
        handle_both(world, other, mail, mail)
        assert len(world.letters()) == 2
        assert len(world.query(lambda s: s.board_lists.numbers())) == number


@pytest.mark.slow
def test_the_same_question_to_both_is_answered_once(world: World, other: World) -> None:
    world.board("alice", "bob")
    world.letters()
    for number in range(1, 6):
        mail = message("alice", "tumble show 101", number=100 + number)
        handle_both(world, other, mail, mail)
        assert [x.subject for x in world.letters()] == ["Tumble Board 101"]


@pytest.mark.slow
def test_moves_on_the_same_board_are_played_one_at_a_time(world: World, other: World) -> None:
    world.board("alice", "bob", options="-c")
    for turn in range(8):
        userid, move = a_move(world)
        line = f"tumble move 101 {userid} {userid}-secret {move}"
        handle_both(world, other, *(message(userid, line, number=2 * turn + n) for n in (1, 2)))
        assert ply(world) == turn + 1
    world.verify()
    assert len(world.query(lambda s: s.boards.log(101))) == 8


@pytest.mark.slow
def test_boards_in_the_opposite_order_lose_nothing(world: World, other: World) -> None:
    world.board("alice", "bob", options="-c")
    world.mail("bob", "tumble challenge bob alice -c")
    for turn in range(6):
        mails = []
        for first, second in ((101, 102), (102, 101)):
            userid, move = a_move(world, first)
            lines = f"tumble move {first} {userid} {userid}-secret {move}\ntumble show {second}"
            mails.append(message(userid, "multiple", lines, number=10 * turn + first))
        handle_both(world, other, *mails)
        assert (ply(world, 101), ply(world, 102)) == (turn + 1, turn + 1)
    world.verify()


@pytest.mark.slow
def test_two_who_want_the_same_userid_at_once(world: World, other: World) -> None:
    for n in range(4):
        mails = [message(f"{who}{n}", f"signup carol{n} {who}-secret", number=n) for who in ("x", "y")]
        handle_both(world, other, *mails)
        assert sorted(m.status for m in world.query(lambda s: s.mails.newest(2))) == ["done", "error"]
    assert len(world.query(lambda s: s.players.userids())) == 4


@pytest.mark.slow
def test_boards_that_end_at_once_are_rated_one_after_the_other(world: World, other: World) -> None:
    for _ in range(4):
        for _ in range(2):
            world.board("alice", "bob", options="-c")
        pair = world.query(lambda s: s.board_lists.numbers())[-2:]
        for number in pair:
            for _ in range(4):  # boards that end before are not rated
                userid, move = a_move(world, number)
                world.mail(userid, f"tumble move {number} {userid} {userid}-secret {move}")
        lines = [f"tumble resign {n} {u} {u}-secret" for n, u in zip(pair, ("alice", "bob"), strict=True)]
        handle_both(world, other, *(message("alice", x, number=n) for n, x in zip(pair, lines, strict=True)))
    assert len(world.query(lambda s: s.board_lists.ended())) == 8
    ids = [world.player(u).id for u in ("alice", "bob")]
    before = world.query(lambda s: [s.ratings.find("tumble", id_) for id_ in ids])
    assert [r and r.boards for r in before] == [8, 8]
    world.act(rebuild_ratings)
    assert world.query(lambda s: [s.ratings.find("tumble", id_) for id_ in ids]) == before


@pytest.mark.slow
def test_a_turn_that_begins_waits_for_a_vacation_that_begins(world: World, other: World) -> None:
    """Otherwise neither would know of the other, and the time would run during the vacation."""
    world.board("alice", "bob", options="-c")
    _, move = a_move(world)
    mail = prepared(world, message("alice", f"tumble move 101 alice alice-secret {move}"))
    bob, now = world.player("bob"), world.now.timestamp()
    with ThreadPoolExecutor(1) as pool:
        with other.engine.begin() as connection:
            store = Store(connection)
            assert store.boards.lock_running(bob.id) == [101]
            assert store.players.vacations(bob.id) == []
            moving = pool.submit(world.pipeline.handle, [mail])
            time.sleep(0.2)
            assert not moving.done()
            store.players.set_vacation(bob.id, Vacation(now, now + 1000))
        assert moving.result() == [ACCEPTED]
    assert world.row().clocks[1].since == now + 1000


@pytest.mark.slow
def test_so_does_a_board_that_begins(world: World, other: World) -> None:
    """Nobody who begins a vacation can lock a board that is not there yet, so the account is locked."""
    world.signup("alice", "bob")
    mail = prepared(world, message("alice", "tumble challenge bob alice -c"))
    bob, now = world.player("bob"), world.now.timestamp()
    with ThreadPoolExecutor(1) as pool:
        with other.engine.begin() as connection:
            store = Store(connection)
            assert store.boards.lock_running(bob.id) == []
            assert store.players.vacations(bob.id) == []
            beginning = pool.submit(world.pipeline.handle, [mail])
            time.sleep(0.2)
            assert not beginning.done()
            store.players.set_vacation(bob.id, Vacation(now, now + 1000))
        assert beginning.result() == [ACCEPTED]
    assert world.row().clocks[0].since == now + 1000


@pytest.mark.slow
def test_who_moves_to_somebody_that_goes_on_vacation(world: World, other: World) -> None:
    """In either order of the two mails, the player's time does not run."""
    for n in range(4):
        number = world.board("alice", "bob", options="-c")
        userid, move = a_move(world, number)
        assert userid == "alice"
        moving = message("alice", f"tumble move {number} alice alice-secret {move}", number=2 * n)
        handle_both(world, other, moving, message("bob", "vacation bob bob-secret 10", number=2 * n + 1))
        clock = world.row(number).clocks[1]
        assert clock.since is not None
        assert clock.since > world.now.timestamp() + 9 * 86400
        world.mail("bob", "vacation bob bob-secret off")
        other.now = world.now


def test_a_deadlock_is_begun_again(world: World) -> None:
    world.board("alice", "bob")
    world.board("alice", "bob")
    attempts: list[bool] = []
    both, through = threading.Barrier(2), threading.Event()  # each holds a board before it wants the other one

    def lock(connection: sa.Connection, last: bool, *numbers: int) -> None:
        attempts.append(last)
        if len(attempts) > 2:  # restarted: the locks have no queue, so it could take them before the other once more
            assert through.wait(10)
        store = Store(connection)
        for number in numbers:
            store.boards.find(number)
            if len(attempts) <= 2 and number == numbers[0]:
                both.wait(10)

    def transact(*numbers: int) -> None:
        engines.transact(world.engine, lambda connection, last: lock(connection, last, *numbers))
        through.set()

    at_once(lambda: transact(101, 102), lambda: transact(102, 101))
    assert attempts == [False] * 3


def test_what_stays_overtaken_is_given_up(world: World) -> None:
    attempts: list[bool] = []

    def fail(connection: sa.Connection, last: bool) -> None:
        attempts.append(last)
        connection.exec_driver_sql("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")

    with pytest.raises(sa.exc.OperationalError):
        engines.transact(world.engine, fail)
    assert attempts == [False] * 4 + [True]


class TestTheDatabaseFails:
    """The reply is 451, and nothing is stored. The same mail is taken when the database works again."""

    @pytest.fixture(autouse=True)
    def logged(self) -> Iterator[list[EventDict]]:
        """The logged lines, which are not printed."""
        with capture_logs() as lines:
            yield lines

    @pytest.fixture
    def challenge(self, world: World) -> Prepared:
        world.signup("alice", "bob")
        return prepared(world, message("alice", "tumble challenge alice bob"))

    def taken(self, world: World, challenge: Prepared, logged: list[EventDict]) -> None:
        """Check that the mail is taken now, and that it had no effect before."""
        assert [line["event"] for line in logged] == ["batch failed"]
        assert world.query(lambda s: s.board_lists.numbers()) == []
        assert world.letters() == []
        assert world.pipeline.handle([challenge]) == [ACCEPTED]
        assert len(world.query(lambda s: s.board_lists.numbers())) == 1

    def test_the_connection_breaks_in_the_middle(
        self, world: World, other: World, challenge: Prepared, logged: list[EventDict]
    ) -> None:
        def terminate(connection: sa.Connection, *_: object) -> None:
            pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            with other.engine.connect() as stronger:
                stronger.exec_driver_sql(f"SELECT pg_terminate_backend({pid})")

        sa.event.listen(world.engine, "before_cursor_execute", terminate, once=True)
        assert world.pipeline.handle([challenge]) == [TRY_AGAIN]
        self.taken(world, challenge, logged)

    def test_it_was_restarted_meanwhile(self, world: World, other: World, challenge: Prepared) -> None:
        with other.engine.connect() as stronger:
            mine = "datname = current_database() AND pid <> pg_backend_pid()"
            gone = stronger.exec_driver_sql(
                f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {mine}"
            )
            assert all(gone.scalars())  # the backends have ended
        assert world.pipeline.handle([challenge]) == [ACCEPTED]

    def test_it_cannot_be_written(self, world: World, challenge: Prepared, logged: list[EventDict]) -> None:
        def forbid(connection: sa.Connection) -> None:
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")

        sa.event.listen(world.engine, "begin", forbid)
        assert world.pipeline.handle([challenge]) == [TRY_AGAIN]
        sa.event.remove(world.engine, "begin", forbid)
        self.taken(world, challenge, logged)

    def test_a_lock_is_not_waited_for_for_ever(self, world: World, other: World) -> None:
        def hurry(connection: sa.Connection) -> None:
            connection.exec_driver_sql("SET LOCAL lock_timeout = '50ms'")

        world.board("alice", "bob")
        userid, move = a_move(world)
        mail = prepared(world, message(userid, f"tumble move 101 {userid} {userid}-secret {move}"))
        sa.event.listen(world.engine, "begin", hurry)
        with other.engine.begin() as connection:
            Store(connection).boards.find(101)
            assert world.pipeline.handle([mail]) == [TRY_AGAIN]
        assert world.pipeline.handle([mail]) == [ACCEPTED]
        assert ply(world) == 1
