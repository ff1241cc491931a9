"""Old data are deleted in small parts, in transactions that are short however much there is to delete."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import PEOPLE_AT_ONCE, ROWS_AT_ONCE
from pbmserv.server.chores import housekeeping
from pbmserv.server.chores.housekeeping import Housekeeping
from tests.world import World

pytestmark = pytest.mark.both

_OLD = timedelta(days=500)


@pytest.fixture
def house(world: World) -> Housekeeping:
    return Housekeeping(world.engine, world.site, lambda: world.now)


def received(world: World, count: int) -> None:
    """Store so many mails, letters, counts, and words beside offers from long ago. There is a board of alice's."""
    then = world.now - _OLD
    texts = {"peer": "", "message_id": "", "status": "done", "calls": "help", "problem": ""}
    mails = [{"digest": f"digest {n}", "received": then, "sender": "x@example.org"} | texts for n in range(count)]
    times = {"created": then, "due": then, "finished": then}
    letters = {
        "kind": "answer",
        "recipient": "x@example.org",
        "form": "words",
        "data": b"",
        "status": "sent",
        "leased": False,
    }
    with world.engine.begin() as connection:
        connection.execute(sa.insert(tables.mail), [m | texts for m in mails])
        connection.execute(
            sa.insert(tables.outbox),
            [letters | times | {"attempts": 1, "receipt": "", "form": "words", "data": b""}] * count,
        )
        values = [{"subject": "player 1", "what": f"w{n}", "used": 1, "ends": then.timestamp()} for n in range(count)]
        connection.execute(sa.insert(tables.counter), values)
        key = {"board": 101, "player_id": connection.scalar(sa.select(tables.seat.c.player_id))}
        beside = {"length": 0, "words": "Hello", "written": then}
        connection.execute(sa.insert(tables.offered), [key | beside | {"move": f"m{n}"} for n in range(count)])


def left(world: World) -> list[int]:
    """Return the numbers of mails with personal data, of letters, of counts, and of words beside offers."""
    queries = (
        sa.select(sa.func.count()).where(tables.mail.c.sender != ""),
        sa.select(sa.func.count()).select_from(tables.outbox),
        sa.select(sa.func.count()).select_from(tables.counter),
        sa.select(sa.func.count()).select_from(tables.offered),
    )
    with world.engine.connect() as connection:
        return [connection.execute(query).scalar_one() for query in queries]


def test_all_of_it_is_forgotten(world: World, house: Housekeeping) -> None:
    world.board("alice", "bob")
    before = left(world)
    received(world, 2 * ROWS_AT_ONCE + 1)
    assert house.keep() == 4 * (2 * ROWS_AT_ONCE + 1)
    assert left(world) == before
    assert house.keep() == 0


def test_no_transaction_is_long(world: World, house: Housekeeping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "MOST_TRANSACTIONS", 1)
    world.board("alice", "bob")
    before, many = left(world), ROWS_AT_ONCE + 10
    received(world, many)
    assert house.keep() == 4 * ROWS_AT_ONCE
    assert left(world) == [n + 10 for n in before]
    assert house.keep() == 40


@pytest.mark.slow
def test_everybody_who_waited_is_told(world: World, house: Housekeeping) -> None:
    userids = [f"player{n}" for n in range(4)]
    world.signup(*userids)
    for n in range(PEOPLE_AT_ONCE + 2):
        userid = userids[n % 4]
        world.mail(userid, f"tumble seek {userid} {userid}-secret")
    world.letters()
    world.now += timedelta(days=31)
    assert house.keep() == PEOPLE_AT_ONCE + 2
    assert len(world.letters()) == PEOPLE_AT_ONCE + 2
    assert world.query(lambda s: s.challenges.open_seeks()) == []


@pytest.mark.slow
def test_many_accounts_that_nobody_confirmed(strict_world: World) -> None:
    world = strict_world
    with world.engine.begin() as connection:
        for n in range(1, PEOPLE_AT_ONCE + 3):
            connection.execute(
                sa.insert(tables.player).values(id=n, userid=f"p{n}", password_hash="!", created=world.now)
            )
            times = {"created": world.now, "leaving": False}
            connection.execute(sa.insert(tables.address).values(player_id=n, address=f"{n}@x.org", folded="", **times))
    world.now += timedelta(days=8)
    assert Housekeeping(world.engine, world.site, lambda: world.now).keep() == PEOPLE_AT_ONCE + 2
    assert world.query(lambda s: s.players.all()) == []
