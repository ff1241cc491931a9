"""Two processes that read and then write: what one has read must still be true after the other has committed."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from time import sleep

import pytest

from pbmserv.boards import closing_accounts
from pbmserv.commands.seeks import SEEK_LASTS
from pbmserv.inbox.pipeline import Prepared
from pbmserv.letters.letters import Cause, Letters
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.model import BoardRow
from pbmserv.model.passwords import NO_PASSWORD
from pbmserv.server.chores.housekeeping import lapse_seeks
from pbmserv.store import Store
from tests.inbox.mails import message
from tests.promises.many_processes.at_once import at_once
from tests.world import ADDRESS, World

pytestmark = pytest.mark.postgresql


def prepared(world: World, sender: str, subject: str, body: str = "", to: str = ADDRESS) -> Prepared:
    """Return a mail that is ready for its transaction."""
    world.count += 1
    data = message(sender, subject, body, number=world.count)
    return world.prepare(Incoming(data, "x@example.org", (to,), "192.0.2.1"))


def while_it_waits(world: World, mail: Prepared, other: World, do: Callable[[Store], object]) -> None:
    """Let the other process do something. The mail comes before it commits, and is handled after it."""
    with ThreadPoolExecutor(1) as pool:
        with other.engine.begin() as connection:
            do(Store(connection))
            handled: Future[list[str]] = pool.submit(world.pipeline.handle, [mail])
            sleep(0.2)
            assert not handled.done()
        assert handled.result() == [ACCEPTED]


def begin_like(row: BoardRow, now: datetime, store: Store) -> None:
    """Begin another board of the same players as a challenge does."""
    store.players.open_among([p.id for p in row.players])
    store.boards.add(row.board, row.players, row.settings, row.clocks, now)


@pytest.mark.slow
def test_no_board_begins_with_an_account_that_is_being_closed(world: World, other: World) -> None:
    world.signup("alice", "bob")
    bob = world.player("bob")
    challenge = prepared(world, "alice", "tumble challenge alice bob")
    while_it_waits(world, challenge, other, lambda s: closing_accounts.close(s, bob, world.now))
    assert world.query(lambda s: s.board_lists.numbers()) == []
    assert "bob begins no more boards." in world.letters()[0].text


@pytest.mark.slow
def test_an_account_that_closes_leaves_the_board_that_is_beginning(world: World, other: World) -> None:
    world.board("alice", "bob")
    begun = world.row()
    signoff = prepared(world, "bob", "signoff bob bob-secret")
    while_it_waits(world, signoff, other, partial(begin_like, begun, world.now))
    assert [world.row(n).over is not None for n in (101, 102)] == [True, True]
    world.verify()


@pytest.mark.slow
def test_a_seek_that_was_joined_meanwhile_does_not_lapse(world: World, other: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "tumble seek alice alice-secret")
    world.now += SEEK_LASTS + timedelta(days=1)

    def lapse() -> int:
        with other.engine.begin() as connection:
            store = Store(connection)
            letters = Letters(other.site, store, Cause(None), world.now)
            return lapse_seeks(store, letters, world.now, world.now - SEEK_LASTS)

    with ThreadPoolExecutor(1) as pool:
        with world.engine.begin() as connection:
            store = Store(connection)
            assert store.challenges.seek(1)
            lapsed = pool.submit(lapse)
            sleep(0.2)
            assert not lapsed.done()
            store.challenges.close_seek(1, world.now)
        assert lapsed.result() == 0


def test_an_address_that_is_being_confirmed_does_not_lapse(world: World, other: World) -> None:
    world.signup("alice")
    alice = world.player("alice").id
    new = world.act(lambda s: s.addresses.add(alice, "new@example.org", world.now, confirmed=False))
    with ThreadPoolExecutor(1) as pool:
        with world.engine.begin() as connection:
            store = Store(connection)
            assert store.addresses.by_id(new.id)
            lapsed = pool.submit(other.act, lambda s: s.addresses.lapse(world.now + timedelta(days=8)))
            sleep(0.2)
            assert not lapsed.done()
            store.addresses.confirm(new.id, world.now)
        lapsed.result()
    assert [a.address for a in world.query(lambda s: s.addresses.of(alice))] == ["alice@example.org", "new@example.org"]


@pytest.mark.slow
def test_a_board_has_one_rematch_if_both_ask_at_the_same_time(world: World, other: World) -> None:
    world.board("alice", "bob")
    last = world.mail("alice", "tumble resign 101 alice alice-secret")
    mails = [prepared(world, x.to.partition("@")[0], f"Re: {x.subject}", "rematch", x.reply_to) for x in last]
    at_once(lambda: world.pipeline.handle(mails[:1]), lambda: other.pipeline.handle(mails[1:]))
    assert world.query(lambda s: sorted(s.board_lists.numbers())) == [101, 102]
    letters = [x for x in world.letters() if x.subject.startswith("Tumble Board 102")]
    assert len(letters) == 3  # the two first ones, and one for whoever came second
    assert sum("already, so no other board begins" in x.flat for x in letters) == 1
    world.verify()


@pytest.mark.slow
def test_one_seat_goes_to_one_of_two_newcomers_who_come_at_the_same_time(world: World, other: World) -> None:
    world.board("alice", "bob")
    world.signup("carol", "dave")
    world.mail("bob", "tumble resign 101 bob bob-secret")
    world.mail("alice", "tumble substitute 101 alice alice-secret")
    mails = [prepared(world, u, f"tumble join 1 {u} {u}-secret") for u in ("carol", "dave")]
    at_once(lambda: world.pipeline.handle(mails[:1]), lambda: other.pipeline.handle(mails[1:]))
    assert world.query(lambda s: sorted(s.board_lists.numbers())) == [101, 102]
    assert {p.userid for p in world.row(102).players} < {"alice", "carol", "dave"}
    assert sum("There is no open seek 1." in x.flat for x in world.letters()) == 1
    world.verify()


@pytest.mark.slow
def test_the_last_two_answers_about_a_substitute_come_at_the_same_time(world: World, other: World) -> None:
    world.board("alice", "bob", "carol", game="3io")
    world.signup("dave")
    world.mail("carol", "3io resign 101 carol carol-secret")
    asked = [x for x in world.mail("alice", "3io substitute 101 alice alice-secret dave") if x.subject.startswith("A ")]
    mails = [prepared(world, x.to.partition("@")[0], "Re:", "accept", x.reply_to) for x in asked]
    at_once(lambda: world.pipeline.handle(mails[:1]), lambda: other.pipeline.handle(mails[1:]))
    assert [p.userid for p in world.row(102).players] == ["alice", "bob", "dave"]
    world.verify()


@pytest.mark.slow
def test_a_board_that_is_beginning_counts_when_a_robot_takes_it_back(world: World, other: World) -> None:
    world.board("alice", "bob")
    begun = world.row()
    world.mail("bob", "tumble decline 101 bob bob-secret")
    world.mail("bob", "set bob bob-secret robot=yes")
    takes_back = prepared(world, "bob", "set bob bob-secret robot=no")
    while_it_waits(world, takes_back, other, partial(begin_like, begun, world.now))
    assert world.player("bob").robot
    assert "On the rated board 102 others know that you are a robot." in world.letters()[-1].flat


@pytest.mark.slow
def test_no_rated_board_begins_with_two_robots_if_one_says_so_just_now(world: World, other: World) -> None:
    world.signup("alice", "bob")
    world.mail("bob", "set bob bob-secret robot=yes")
    alice = world.player("alice").id
    challenge = prepared(world, "alice", "tumble challenge alice bob")
    while_it_waits(world, challenge, other, lambda s: s.robots.declare(alice, True))
    assert not world.row().settings.rated


def test_two_players_of_a_rated_board_do_not_both_become_robots(world: World, other: World) -> None:
    world.board("alice", "bob")
    mails = [prepared(world, u, f"set {u} {u}-secret robot=yes") for u in ("alice", "bob")]
    at_once(lambda: world.pipeline.handle(mails[:1]), lambda: other.pipeline.handle(mails[1:]))
    assert [world.player(u).robot for u in ("alice", "bob")].count(True) == 1


def test_a_friend_is_invited_once_however_many_ask(world: World, other: World) -> None:
    world.signup("alice", "bob")
    mails = [prepared(world, u, f"tumble challenge {u} friend@example.net") for u in ("alice", "bob")]
    at_once(lambda: world.pipeline.handle(mails[:1]), lambda: other.pipeline.handle(mails[1:]))
    assert [x.to for x in world.letters()].count("friend@example.net") == 1


def test_wrong_passwords_are_counted_for_all_processes_together(
    world: World, other: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbmserv.inbox.authentication.password_checks.WRONG_A_DAY", 3)
    world.signup("alice")
    other.count = 100

    def guess(there: World) -> str:
        there.pipeline.handle([prepared(there, "mallory", f"set alice wrong-{there.count}")])
        return there.letters()[-1].text

    for there in (world, other, world):
        assert "The password is not that of alice." in guess(there)
    for there in (world, other):
        assert "Too many wrong passwords came in one day." in guess(there)
    world.now += timedelta(days=1)
    assert "The password is not that of alice." in guess(world)


def test_a_stranger_gets_one_notice_however_many_processes_hear_of_him(strict_world: World) -> None:
    worlds = [strict_world, *(strict_world.again() for _ in range(3))]
    for n, there in enumerate(worlds):
        there.count = 100 * n
    mails = [prepared(there, "victim", "who nobody") for there in worlds]
    at_once(*(partial(there.pipeline.handle, [mail]) for there, mail in zip(worlds, mails, strict=True)))
    for there in worlds[1:]:
        there.engine.dispose()
    assert [x.to for x in strict_world.letters()] == ["victim@example.org"]


@pytest.mark.slow
def test_no_limit_is_exceeded_however_many_processes_count(world: World, other: World) -> None:
    world.signup("alice", "bob")
    for there in (world, other):
        there.allow(challenges_a_day=3)
    other.count = 100
    mine, theirs = ([prepared(w, "alice", "tumble challenge alice bob") for _ in range(4)] for w in (world, other))

    def send(there: World, mails: list[Prepared]) -> None:
        for mail in mails:
            there.pipeline.handle([mail])

    at_once(partial(send, world, mine), partial(send, other, theirs))
    assert len(world.query(lambda s: s.board_lists.numbers())) == 3
    used = [(c.what, c.used) for c in world.query(lambda s: s.operations.counted(world.now.timestamp()))]
    assert used == [("challenge", 3)]


def test_several_challengers_do_not_exceed_what_a_player_wants(world: World, other: World) -> None:
    world.signup("alice", "bob", "carol")
    world.act(lambda s: s.players.set_preference(world.player("bob").id, "tumble", "limit", "1"))
    mails = [prepared(world, u, f"tumble challenge {u} bob") for u in ("alice", "carol")]
    at_once(lambda: world.pipeline.handle(mails[:1]), lambda: other.pipeline.handle(mails[1:]))
    assert len(world.query(lambda s: s.board_lists.numbers())) == 1


@pytest.mark.slow
def test_several_challenges_do_not_exceed_what_a_robot_plays_with_one_player(world: World, other: World) -> None:
    world.signup("alice")
    world.act(lambda s: s.robots.add(s.players.add("robert", NO_PASSWORD, world.now).id, "four", 1, boards=1))
    other.count = 100
    mine, theirs = ([prepared(w, "alice", "four challenge alice robert") for _ in range(4)] for w in (world, other))
    at_once(*(partial(w.pipeline.handle, [mail]) for w, mails in ((world, mine), (other, theirs)) for mail in mails))
    assert world.query(lambda s: s.board_lists.numbers()) == [101]


def test_an_opponent_who_has_not_moved_is_counted_by_all_processes(world: World, other: World) -> None:
    world.signup("alice", "bob")
    for there in (world, other):
        there.allow(unanswered_boards=1)
    mails = [prepared(world, "alice", "tumble challenge alice bob") for _ in range(2)]
    at_once(lambda: world.pipeline.handle(mails[:1]), lambda: other.pipeline.handle(mails[1:]))
    assert len(world.query(lambda s: s.board_lists.numbers())) == 1
