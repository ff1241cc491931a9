"""A server whose machine shows a wrong time for a minute or for days, or which is down: no player suffers from it.

Mails, the runs every minute, and the sender all use one clock, which the test sets.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from pbmserv.boards.absences import lost_time, steady_time
from pbmserv.boards.absences.lost_time import Absence
from pbmserv.commands import command_language
from pbmserv.db import tables
from pbmserv.inbox.authentication.password_checks import Attempts
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.waiting.relay_trouble import MANY, SEVERAL
from pbmserv.mail.envelope import Outgoing
from pbmserv.model import Phase
from pbmserv.model.operations import LAST_RUN
from pbmserv.server.clock import Clock
from pbmserv.server.outbox import StoredOutbox
from tests.boards.seasons.events import announced, entered, tournament
from tests.examples import SOAK, spread
from tests.promises.durable.whole import serving
from tests.tools.sink import Sink
from tests.world import World

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
STEPS = (400 * DAY, -DAY, 30 * DAY, timedelta(hours=1), -timedelta(hours=1))
BOARD = "--totaltime=3 --nagtime=1 --forfeittime=2 -c"


class Machine:
    """A server that runs its clock every minute. The letters that the runs write are counted by kind."""

    def __init__(self, world: World) -> None:
        self.world = world
        policy = replace(world.site.policy, confirm_addresses=True)
        world.site = replace(world.site, policy=policy)
        # Attempts use a steady clock.
        world.pipeline = Pipeline(
            world.engine, world.site, command_language(), world.seal.close, lambda: world.now, Attempts()
        )
        self.clock = Clock(world.engine, world.site, lambda: world.now)
        self.outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
        self.run()

    def run(self, minutes: int = 1) -> None:
        """Run the clock so many times."""
        for _ in range(minutes):
            self.world.now += MINUTE
            self.clock.sweep()

    def be_there(self, days: float) -> None:
        """Let so many days go by in one step, with the server running."""
        self.world.now += timedelta(days=days)
        Clock(self.world.engine, self.world.site, lambda: self.world.now, gap=float("inf")).sweep()

    def jump(self, by: timedelta) -> None:
        """Let the machine's clock jump by so much. A jump forward is the same as a server that was down."""
        self.world.now += by

    def send(self) -> Sequence[Outgoing]:
        """Send the letters that a sender gets now."""
        return self.outbox.claim(500, 120)

    def send_all(self) -> None:
        """Send all letters that wait."""
        self.outbox.sent_many([(letter.id, "taken") for letter in self.send()])

    def status(self, letter: int) -> str:
        found = self.world.query(lambda store: store.letters.find(letter))
        assert found is not None
        return found.status

    def what_waits(self) -> tuple[int, int, int, int]:
        """Return newcomers, open seeks, invitations, and running boards."""
        c, s, t, b = tables.address.c, tables.seek.c, tables.token.c, tables.board.c
        queries = (
            sa.select(sa.func.count()).where(c.confirmed.is_(None)),
            sa.select(sa.func.count()).where(s.closed.is_(None)),
            sa.select(sa.func.count()).where(t.purpose == "invite"),
            sa.select(sa.func.count()).where(b.over.is_(None)),
        )
        with self.world.engine.connect() as connection:
            newcomers, seeks, invitations, boards = (connection.execute(q).scalar_one() for q in queries)
        return newcomers, seeks, invitations, boards


@pytest.fixture
def machine(world: World) -> Iterator[Machine]:
    """A server with a newcomer, a seek, an invitation, and a board.

    Alice has to move there and has three days in all.
    """
    machine = Machine(world)
    world.board("alice", "bob", options=BOARD)
    world.mail("carol", "signup carol carol-secret carol@example.net")
    world.mail("alice", "tumble seek alice alice-secret")
    world.mail("bob", "tumble challenge bob friend@example.com")
    assert machine.what_waits() == (1, 1, 1, 1)
    machine.run()
    world.letters()
    yield machine
    world.verify()


@pytest.mark.both
@pytest.mark.parametrize("step", spread(STEPS, 4), ids=str)
@pytest.mark.slow
def test_a_wrong_minute_between_two_runs(machine: Machine, step: timedelta) -> None:
    """A move comes in that minute, so one turn ends in it and another begins."""
    world = machine.world
    machine.jump(step)
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    machine.jump(-step)
    machine.run()
    assert world.row().clocks[0].used < 900
    machine.be_there(0.9)
    assert world.letters()[2:] == []
    world.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    assert world.row().clocks[1].used == pytest.approx(0.9 * DAY.total_seconds(), abs=900)
    machine.be_there(1.9)
    assert world.row().over is None
    assert machine.what_waits() == (1, 1, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [3, 1] if SOAK > 1 else [3])
@pytest.mark.parametrize("step", spread(STEPS, 4), ids=str)
def test_a_wrong_clock_for_some_runs(machine: Machine, step: timedelta, minutes: int) -> None:
    """Nobody is reminded, nothing ends, nothing is deleted. What is written meanwhile does not get another year."""
    world = machine.world
    mails = world.query(lambda store: [m.sender for m in store.mails.newest()])
    machine.jump(step)
    machine.run(minutes)
    world.mail("dave", "signup dave dave-secret dave@example.net")
    world.mail("bob", "tumble seek bob bob-secret")
    machine.jump(-step)
    machine.run(minutes)
    assert world.letters()[2:] == []
    assert machine.what_waits() == (2, 2, 1, 1)
    assert world.query(lambda store: [m.sender for m in store.mails.newest()])[2:] == mails
    machine.be_there(0.9)
    assert world.letters() == []
    machine.be_there(6.2)
    assert machine.what_waits() == (0, 2, 1, 0)
    machine.be_there(24)
    assert machine.what_waits() == (0, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize("away", spread([8, 30, 400], 2))
def test_an_absence_ends_nothing(machine: Machine, away: int) -> None:
    """After an absence, each limit has as much time left as before."""
    machine.be_there(0.5)
    mails = machine.world.query(lambda store: [m.sender for m in store.mails.newest()])
    machine.jump(timedelta(days=away))
    machine.run(2)
    assert machine.what_waits() == (1, 1, 1, 1)
    assert machine.world.letters() == []
    assert machine.world.query(lambda store: [m.sender for m in store.mails.newest()]) == mails
    machine.be_there(1.4)
    assert machine.what_waits() == (1, 1, 1, 1)
    machine.be_there(5.2)
    assert machine.what_waits() == (0, 1, 1, 0)
    machine.be_there(24)
    assert machine.what_waits() == (0, 0, 0, 0)


@pytest.mark.both
def test_an_invitation_can_be_accepted_after_an_absence(world: World) -> None:
    machine = Machine(world)
    world.signup("bob")
    (invitation,) = [x for x in world.mail("bob", "tumble challenge bob friend@example.com") if "friend" in x.to]
    machine.run()
    machine.jump(30 * DAY)
    world.reply(invitation, "accept fred", "friend@example.com")
    assert world.query(lambda store: store.board_lists.numbers()) == [101]


@pytest.mark.slow
@pytest.mark.parametrize(("minutes", "works"), [(30, True), (70, False)])
def test_a_forgotten_password_has_an_hour_in_which_the_server_runs(world: World, minutes: int, works: bool) -> None:
    machine = Machine(world)
    world.signup("bob")
    (letter,) = [x for x in world.mail("bob", "forgot bob") if x.subject == "Your new password"]
    machine.run(20)
    machine.jump(5 * DAY)
    machine.run(minutes)
    world.reply(letter, "new-secret")
    assert ("vacation left" in world.mail("bob", "vacation bob new-secret")[0].flat) == works


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize("step", [400 * DAY, -400 * DAY], ids=str)
def test_a_letter_that_was_put_off_by_a_wrong_clock_waits_no_year(machine: Machine, step: timedelta) -> None:
    machine.send_all()
    machine.world.mail("bob", "help")
    machine.jump(step)
    (letter,) = machine.send()
    machine.outbox.defer_many([letter.id], "later", 60)
    machine.jump(-step)
    machine.world.now += 2 * MINUTE
    assert letter.id in [x.id for x in machine.send()]


@pytest.mark.slow
@pytest.mark.both
def test_nor_do_those_that_wait_behind_it(machine: Machine) -> None:
    machine.send_all()
    machine.jump(400 * DAY)
    machine.world.mail("alice", "tumble chat 101 alice alice-secret", "one")
    first = machine.send()
    machine.outbox.defer_many([x.id for x in first], "later", 60)
    machine.jump(-400 * DAY)
    machine.world.mail("alice", "tumble chat 101 alice alice-secret", "two")
    assert len(machine.send()) == 2 * len(first)


@pytest.mark.slow
@pytest.mark.both
def test_a_letter_is_given_up_after_several_tries_only(machine: Machine) -> None:
    machine.send_all()
    machine.world.mail("bob", "help")
    machine.jump(400 * DAY)
    (letter,) = machine.send()
    for _ in range(SEVERAL):
        machine.outbox.defer_many([letter.id], "later", 60)
        assert machine.status(letter.id) == "queued"
    machine.outbox.defer_many([letter.id], "later", 60)
    assert machine.status(letter.id) == "refused"


@pytest.mark.slow
@pytest.mark.both
def test_nor_is_it_tried_for_ever_if_it_seems_to_be_of_the_future(machine: Machine) -> None:
    machine.send_all()
    machine.world.mail("bob", "help")
    (letter,) = machine.send()
    machine.jump(-400 * DAY)
    for _ in range(MANY + 1):
        machine.outbox.defer_many([letter.id], "later", 60)
    assert machine.status(letter.id) == "refused"


@pytest.mark.both
@pytest.mark.slow
def test_several_machines_whose_clocks_differ(machine: Machine) -> None:
    """The machines run the clock in turn. The difference costs nobody time, and nobody gains time from it."""
    world = machine.world
    for _ in range(20):
        machine.jump(timedelta(minutes=20))
        machine.run()
        machine.jump(-timedelta(minutes=20))
        machine.run()
    assert world.row().clocks[0].since == pytest.approx((world.now - 42 * MINUTE).timestamp(), abs=300)
    assert len(world.query(lost_time.absences)) <= 1


def moment(day: float) -> datetime:
    return datetime.fromtimestamp(day * 86400, UTC)


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("away", "expected"),
    [
        ([], 90),
        ([(95, 96)], 89),
        ([(95, 96), (50, 89.5)], 49.5),
        ([(80, 89)], 90),
        ([(80, 100)], 70),
        ([(40, 100), (70, 75)], 30),
        ([(40, 94), (90, 97)], 33),
    ],
)
def test_absences_are_left_out(away: list[tuple[float, float]], expected: float) -> None:
    """Ten days before day 100 are counted without the days on which the server was down."""
    found = [Absence(begin * 86400, end * 86400) for begin, end in away]
    assert lost_time.ago(moment(100), timedelta(days=10), found) == moment(expected)


@pytest.mark.sqlite
@pytest.mark.slow
def test_a_server_notices_at_its_start_that_it_was_away(world: World) -> None:
    world.now = datetime.now(UTC)
    world.board("alice", "bob", options="-c")
    long_ago = world.now.timestamp() - 8 * 86400
    world.act(lambda store: store.operations.set_fact(LAST_RUN, repr(long_ago)))
    before = world.row().clocks[0].since or 0.0

    async def start() -> None:
        async with Sink() as sink, serving(world.url, sink, "clock", "listener"):
            pass

    asyncio.run(start())
    assert world.row().clocks[0].since == pytest.approx(before + 8 * 86400, abs=60)


class TestTournaments:
    """What a tournament does is for good, so it waits until the time has been steady for an hour."""

    @pytest.fixture
    def cups(self, world: World) -> Machine:
        """One that has enough players, one that has too few, and a series that is put off then, all in a day."""
        names = ("ann", "bea", "cid", "dan", "eva")
        start = world.now + DAY
        entered(world, announced(world, "groups", size=4, start=start), *names)
        entered(world, announced(world, "groups", size=4, start=start), "ann")
        entered(world, announced(world, "groups", size=4, start=start, every="month"), "ann")
        machine = Machine(world)
        world.letters()
        return machine

    def phases(self, world: World) -> list[tuple[Phase, datetime]]:
        return [(t.phase, t.plan.start) for t in (tournament(world, n) for n in (1, 2, 3))]

    @pytest.mark.slow
    @pytest.mark.parametrize("step", [40 * DAY, 400 * DAY], ids=str)
    @pytest.mark.parametrize("restarts", [False, True])
    def test_a_wrong_clock_decides_nothing_for_good(self, cups: Machine, step: timedelta, restarts: bool) -> None:
        before = self.phases(cups.world)
        cups.jump(step)
        for _ in range(20):
            cups.run()
            if restarts:
                cups.clock = Clock(cups.world.engine, cups.world.site, lambda: cups.world.now)
                cups.clock.catch_up()
        assert self.phases(cups.world) == before
        found = jump(cups.world)
        assert found is not None
        assert found.seconds == pytest.approx(step.total_seconds(), abs=120)
        cups.jump(-step)
        cups.run(3)
        assert (self.phases(cups.world), cups.world.letters()) == (before, [])
        cups.be_there(1)
        assert [p for p, _ in self.phases(cups.world)] == [Phase.PLAYING, Phase.CANCELLED, Phase.WAITING]
        assert jump(cups.world) is None

    @pytest.mark.slow
    def test_after_an_absence_they_go_on_an_hour_later(self, cups: Machine) -> None:
        cups.jump(8 * DAY)
        cups.run(59)
        assert tournament(cups.world).phase is Phase.WAITING
        cups.run(3)
        assert tournament(cups.world).phase is Phase.PLAYING

    @pytest.mark.slow
    def test_a_process_believes_its_steady_clock(self, cups: Machine) -> None:
        """The time goes ahead by eight minutes in each run: no jump is large, and a day is soon over."""
        world, before, steady = cups.world, self.phases(cups.world), 1e5
        clock = Clock(world.engine, world.site, lambda: world.now, steady=lambda: steady)
        while world.now < before[0][1] + DAY / 4:
            steady, world.now = steady + 60, world.now + 9 * MINUTE
            clock.sweep()
        assert self.phases(world) == before

    @pytest.mark.slow
    @pytest.mark.parametrize("processes", [1, 2])
    def test_processes_take_turns(self, cups: Machine, processes: int) -> None:
        """Each of them sees a part of the hour. One that has just started cannot say anything yet."""
        world, steady = cups.world, 1e5
        clocks = [Clock(world.engine, world.site, lambda: world.now, steady=lambda: steady) for _ in range(processes)]
        cups.jump(8 * DAY)
        for n in range(70):
            steady, world.now = steady + 60, world.now + MINUTE
            clocks[n % processes].sweep()
        assert tournament(world).phase is Phase.PLAYING


def jump(world: World) -> steady_time.Jump | None:
    """Return the last jump of the time, if it is not steady again."""
    return world.query(steady_time.jump)
