"""The outbox: which sender has claimed a letter, and the order in which letters are sent."""

from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbmserv.db import engines
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.envelope import Outgoing
from pbmserv.model.letters import ALL, Form, NewLetter, Share
from pbmserv.server.outbox import NEXT_TRY, StoredOutbox
from pbmserv.server.processes.slots import Slots
from pbmserv.store import Store
from pbmserv.store.letters import TOO_LONG
from tests.promises.many_processes.at_once import at_once
from tests.world import World

LEASE = 120.0


@pytest.fixture
def outbox(world: World) -> StoredOutbox:
    """The outbox as a sender sees it. Two readers each have one letter of board 101 in it."""
    world.board("alice", "bob")
    return StoredOutbox(world.engine, world.site, lambda: world.now)


def write(world: World, *lines: tuple[int, str]) -> list[int]:
    """Queue a letter for each board and recipient, and return the numbers of the letters."""
    letters = [NewLetter(None, board, "board", to, Form.MESSAGE, b"", world.now) for board, to in lines]
    world.act(lambda s: s.letters.queue(letters))
    with world.engine.connect() as connection:
        ids = [letter.id for letter in Store(connection).letters.claim(world.now, timedelta(), 10_000)]
        connection.rollback()
    return ids


def ids(letters: list[Outgoing]) -> list[int]:
    """Return the numbers of the letters."""
    return [letter.id for letter in letters]


@pytest.mark.both
class TestLeases:
    def test_a_letter_is_in_one_hand_until_its_lease_ends(self, world: World, outbox: StoredOutbox) -> None:
        first = ids(outbox.claim(1, LEASE))
        rest = ids(outbox.claim(10, LEASE))
        assert len(first + rest) == 2
        assert outbox.claim(10, LEASE) == []
        world.now += timedelta(seconds=LEASE)
        assert ids(outbox.claim(10, LEASE)) == first + rest

    def test_those_of_some_senders_are_ended(self, world: World, outbox: StoredOutbox) -> None:
        """Only senders on SQLite have slots."""
        senders = [StoredOutbox(world.engine, world.site, lambda: world.now, slot=slot) for slot in (1, 2)]
        (first,), (_,) = (ids(sender.claim(1, LEASE)) for sender in senders)
        assert world.query(lambda s: s.letters.leasing_slots()) == {1, 2}
        world.act(lambda s: s.letters.end_leases(world.now, {1}))
        assert ids(outbox.claim(10, LEASE)) == [first]

    def test_since_when_a_letter_could_go_out(self, world: World, outbox: StoredOutbox) -> None:
        """A letter that waits for its turn behind another, or that a sender has in hand, could not."""
        alice, bob = write(world)
        first = world.query(lambda s: s.letters.find(alice))
        world.now += timedelta(minutes=5)
        assert first
        assert world.query(lambda s: s.letters.due_since(world.now)) == first.created
        outbox.defer_many([alice, bob], "busy", 3600)
        write(world, (101, first.recipient))
        assert world.query(lambda s: s.letters.due_since(world.now)) is None
        world.now += timedelta(hours=1)
        assert len(outbox.claim(10, LEASE)) == 3
        assert world.query(lambda s: s.letters.due_since(world.now)) is None
        world.now += timedelta(seconds=LEASE + 60)
        assert world.query(lambda s: s.letters.due_since(world.now)) == world.now - timedelta(seconds=60)

    def test_what_was_sent_is_recorded_with_the_next_claim(self, world: World, outbox: StoredOutbox) -> None:
        (first,) = ids(outbox.claim(1, LEASE))
        rest = ids(outbox.claim(10, LEASE, [(first, "taken")]))
        world.now += timedelta(seconds=LEASE)
        assert outbox.claim(0, LEASE, [(first, "taken")]) == []  # twice does no harm
        assert ids(outbox.claim(10, LEASE)) == rest

    @pytest.mark.sqlite
    def test_after_a_crash_letters_go_at_once_but_not_those_that_wait(self, world: World, outbox: StoredOutbox) -> None:
        """Leases without a slot are those of an older release, whose senders are not running any more."""
        deferred, leased = ids(outbox.claim(10, LEASE))
        outbox.defer_many([deferred], "busy", 3600)
        outbox.recover()
        assert ids(outbox.claim(10, LEASE)) == [leased]

    @pytest.mark.sqlite
    def test_what_was_sent_stays_sent_after_a_crash(self, world: World, outbox: StoredOutbox) -> None:
        first, second = ids(outbox.claim(10, LEASE))
        outbox.sent_many([(first, "taken")])
        outbox.refuse(second, "550 5.7.1 no")
        outbox.recover()
        assert outbox.claim(10, LEASE) == []


@pytest.mark.both
class TestShares:
    @pytest.fixture
    def senders(self, world: World, outbox: StoredOutbox) -> list[StoredOutbox]:
        """Two senders that share the letters of two boards. Four letters wait for each."""
        world.board("alice", "bob")
        outbox.sent_many([(id_, "taken") for id_ in ids(outbox.claim(10, LEASE))])
        write(world, *[(board, f"{userid}@example.org") for board in (101, 102) for userid in ("alice", "bob")] * 2)
        return [StoredOutbox(world.engine, world.site, lambda: world.now, share=Share(n, 2)) for n in range(2)]

    def boards(self, world: World, letters: list[Outgoing]) -> list[int | None]:
        """Return the boards of letters."""
        return [row.board for row in world.query(lambda s: s.letters.by_ids(ids(letters)))]

    def test_all_letters_of_a_board_are_in_one_share(self, world: World, senders: list[StoredOutbox]) -> None:
        assert self.boards(world, senders[0].claim(10, LEASE)) == [102] * 4
        assert senders[0].claim(10, LEASE) == []
        assert self.boards(world, senders[1].claim(10, LEASE)) == [101] * 4

    def test_letters_of_others_that_wait_too_long_are_taken_after_the_own(
        self, world: World, senders: list[StoredOutbox]
    ) -> None:
        world.now += TOO_LONG
        assert self.boards(world, senders[0].claim(10, LEASE)) == [102] * 4
        assert self.boards(world, senders[0].claim(10, LEASE)) == [101] * 4
        assert senders[1].claim(10, LEASE) == []

    def test_letters_without_a_board_are_shared_too(self, world: World, senders: list[StoredOutbox]) -> None:
        for sender in senders:
            sender.sent_many([(id_, "taken") for id_ in ids(sender.claim(10, LEASE))])
        for _ in range(4):
            world.mail("alice", "help")
        found = [ids(sender.claim(10, LEASE)) for sender in senders]
        assert [len(letters) for letters in found] == [2, 2]
        assert [{id_ % 2 for id_ in letters} for letters in found] == [{0}, {1}]


@pytest.mark.sqlite
class TestSlots:
    @pytest.fixture
    def slots(self, world: World) -> Slots:
        """The slots of the senders."""
        return Slots(world.engine)

    def sender(self, world: World, slot: int) -> StoredOutbox:
        """Return the outbox as the sender with this slot sees it when it starts."""
        outbox = StoredOutbox(world.engine, world.site, lambda: world.now, slot=slot)
        outbox.recover()
        return outbox

    def test_one_that_starts_takes_nothing_from_the_living(
        self, world: World, outbox: StoredOutbox, slots: Slots
    ) -> None:
        with slots.taken() as first, slots.taken() as second:
            assert len(self.sender(world, first).claim(10, LEASE)) == 2
            assert self.sender(world, second).claim(10, LEASE) == []

    def test_one_that_starts_takes_the_letters_of_its_predecessor(
        self, world: World, outbox: StoredOutbox, slots: Slots
    ) -> None:
        with slots.taken() as first:
            leased = ids(self.sender(world, first).claim(10, LEASE))
        with slots.taken() as again:
            assert again == first
            assert ids(self.sender(world, again).claim(10, LEASE)) == leased

    def test_one_that_starts_takes_the_letters_of_each_killed_one(
        self, world: World, outbox: StoredOutbox, slots: Slots
    ) -> None:
        with slots.taken() as first, slots.taken() as second:
            (living,) = ids(self.sender(world, first).claim(1, LEASE))
            with slots.taken() as third:
                (killed,) = ids(self.sender(world, third).claim(1, LEASE))
            assert ids(self.sender(world, second).claim(10, LEASE)) == [killed]
            assert living != killed

    def test_the_lease_of_one_that_hangs_ends_by_time(self, world: World, outbox: StoredOutbox, slots: Slots) -> None:
        with slots.taken() as first, slots.taken() as second:
            leased = ids(self.sender(world, first).claim(10, LEASE))
            beside = self.sender(world, second)
            assert beside.claim(10, LEASE) == []
            world.now += timedelta(seconds=LEASE)
            assert ids(beside.claim(10, LEASE)) == leased


class TestSeveralSenders:
    @pytest.fixture
    def beside(self, world: World, outbox: StoredOutbox) -> StoredOutbox:
        """The outbox as another process sees it. The first letters are sent already."""
        outbox.sent_many([(id_, "taken") for id_ in ids(outbox.claim(10, LEASE))])
        other = world.again()
        return StoredOutbox(other.engine, other.site, lambda: world.now)

    @pytest.mark.postgresql
    def test_one_that_starts_takes_nothing_from_the_others(self, world: World, outbox: StoredOutbox) -> None:
        assert len(outbox.claim(10, LEASE)) == 2
        outbox.recover()
        assert outbox.claim(10, LEASE) == []

    @pytest.mark.both
    def test_one_that_starts_leaves_the_others_what_could_not_be_made_before(
        self, world: World, outbox: StoredOutbox
    ) -> None:
        slot = 1 if engines.has_one_writer(world.engine) else None
        living = StoredOutbox(world.engine, world.site, lambda: world.now, slot=slot)
        waiting = ids(living.claim(10, LEASE))
        world.act(lambda s: s.letters.put_off(waiting, "KeyError", world.now))
        with ExitStack() as stack:
            if slot:
                assert stack.enter_context(Slots(world.engine).taken()) == slot
            assert ids(living.claim(10, LEASE)) == waiting
            outbox.recover()
            assert outbox.claim(10, LEASE) == []

    @pytest.mark.both
    def test_a_later_letter_waits_while_another_sender_has_the_earlier_one(
        self, world: World, outbox: StoredOutbox, beside: StoredOutbox
    ) -> None:
        first, later, elsewhere = write(
            world, (101, "alice@example.org"), (101, "alice@example.org"), (101, "bob@example.org")
        )
        assert ids(outbox.claim(1, LEASE)) == [first]
        assert ids(beside.claim(10, LEASE)) == [elsewhere]
        assert beside.claim(10, LEASE) == []
        outbox.sent_many([(first, "taken")])
        assert ids(beside.claim(10, LEASE)) == [later]

    @pytest.mark.postgresql
    def test_a_later_letter_waits_while_another_sender_takes_the_earlier_one(
        self, world: World, beside: StoredOutbox
    ) -> None:
        """This holds before that claim is committed, too: the earlier letter is locked, but has no lease to see yet."""
        first, _, elsewhere = write(
            world, (101, "alice@example.org"), (101, "alice@example.org"), (101, "bob@example.org")
        )
        with world.engine.begin() as connection:
            assert [r.id for r in Store(connection).letters.claim(world.now, timedelta(seconds=LEASE), 1)] == [first]
            assert ids(beside.claim(10, LEASE)) == [elsewhere]
        assert beside.claim(10, LEASE) == []

    @pytest.mark.both
    @pytest.mark.parametrize("shares", [(ALL, ALL), (Share(0, 2), Share(1, 2)), (Share(0, 2), Share(0, 3))])
    def test_no_letter_goes_twice_and_none_before_an_earlier_one(
        self, world: World, outbox: StoredOutbox, shares: tuple[Share, Share]
    ) -> None:
        """Each takes letters of the other's share, too, because these have waited too long."""
        world.board("alice", "bob")
        outbox.sent_many([(id_, "taken") for id_ in ids(outbox.claim(10, LEASE))])
        boxes = [
            StoredOutbox(w.engine, w.site, lambda: world.now, share=share)
            for w, share in zip((world, world.again()), shares, strict=True)
        ]
        lines = [(b, f"{u}@example.org") for b in (101, 102) for u in ("alice", "bob")] * 15
        line_of = dict(zip(write(world, *lines), lines, strict=True))
        sent: list[int] = []
        world.now += TOO_LONG

        def send(box: StoredOutbox, limit: int) -> None:
            while len(sent) < len(lines):
                for id_ in ids(box.claim(limit, LEASE)):
                    sent.append(id_)
                    box.sent_many([(id_, "taken")])

        at_once(lambda: send(boxes[0], 3), lambda: send(boxes[1], 5))
        assert sorted(sent) == sorted(line_of)
        for line in set(lines):
            mine = [id_ for id_ in sent if line_of[id_] == line]
            assert mine == sorted(mine)


class TestLettersThatCannotBeMade:
    @pytest.fixture
    def broken(self, world: World, outbox: StoredOutbox, tmp_path: Path) -> StoredOutbox:
        """The outbox of a server whose German template fails. Bob reads German."""
        world.mail("bob", "set bob bob-secret language=de")
        (tmp_path / "de/mail").mkdir(parents=True)
        (tmp_path / "de/mail/board.txt").write_text("{{ nothing.here }}")
        return StoredOutbox(world.engine, replace(world.site, renderer=Renderer(str(tmp_path))), lambda: world.now)

    @pytest.mark.slow
    def test_none_overtakes_one_that_could_not_be_made(
        self, world: World, outbox: StoredOutbox, broken: StoredOutbox
    ) -> None:
        """They may be claimed together: the later one goes back, because its reader would read of a move in between."""
        world.mail("alice", "tumble chat 101 alice alice-secret", "Good luck!")
        with capture_logs() as logs:
            sent = broken.claim(100, LEASE)
        (unmade,) = world.query(lambda s: s.letters.unmade())
        assert "bob@example.org" not in [x.recipient for x in sent if x.id > unmade and b"Good luck" in x.data]
        (line,) = [line for line in logs if line["event"] == "letters_cannot_be_made"]
        assert (line["ids"], line["bug"], line["log_level"]) == ([unmade], "UndefinedError", "error")
        assert type(line["exc_info"]).__name__ == "UndefinedError"
        assert broken.claim(100, LEASE) == []
        world.now += NEXT_TRY
        back = [x for x in outbox.claim(100, LEASE) if x.id not in ids(sent)]
        assert [x.recipient for x in back] == ["bob@example.org"] * 2
        assert ids(back)[0] == unmade
        assert [x.attempts for x in back] == [0, 0]

    @pytest.mark.both
    def test_after_a_restart_they_are_tried_at_once(self, world: World, outbox: StoredOutbox) -> None:
        first = ids(outbox.claim(100, LEASE))
        world.act(lambda s: s.letters.put_off(first, "KeyError", world.now + NEXT_TRY))
        assert outbox.claim(100, LEASE) == []
        outbox.recover()
        assert ids(outbox.claim(100, LEASE)) == first
        outbox.release_many(first, 0)  # the relay is down; but they can be made again
        assert world.query(lambda s: s.letters.unmade()) == []
        assert ids(outbox.claim(100, LEASE)) == first
        outbox.sent_many([(id_, "taken") for id_ in first])
        assert world.query(lambda s: s.letters.unmade()) == []
