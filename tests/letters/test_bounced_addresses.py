"""Letters that do not arrive: they are counted, the player is told, and nobody loses on time because of them."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.boards.clocks.deadlines import DAY
from pbmserv.db import tables
from pbmserv.letters.waiting.suspension import MOST_BOUNCES
from pbmserv.mail import signed_addresses
from pbmserv.model import SeatClock
from pbmserv.server.clock import Clock
from pbmserv.server.outbox import StoredOutbox
from tests.tools.tree import ROOT
from tests.world import Received, World

REPORTS = ROOT / "tests/mail/bounces"
FAILED = "dsn-failed"


def last_letter(world: World, to: str) -> int:
    """Return the number of the newest letter to this userid's address."""
    with world.engine.connect() as connection:
        query = sa.select(sa.func.max(tables.outbox.c.id)).where(tables.outbox.c.recipient == f"{to}@example.org")
        return int(connection.execute(query).scalar_one())


def report(world: World, letter: int, name: str = FAILED) -> list[Received]:
    """Hand in a mail system's report about a letter; return the letters that follow."""
    world.count += 1
    data = (REPORTS / f"{name}.eml").read_bytes().replace(b"<cafe", f"<{world.count}.cafe".encode())
    return world.bytes(data, to=world.site.signer.sign(signed_addresses.VERP, letter), mail_from="")


def bounce(world: World, userid: str, times: int = 1) -> None:
    """Let so many letters to this player come back."""
    for _ in range(times):
        world.mail(userid, "games")
        assert report(world, last_letter(world, userid)) == []


def is_suspended(world: World, userid: str) -> bool:
    with world.engine.connect() as connection:
        query = sa.select(tables.address.c.suspended).where(tables.address.c.address == f"{userid}@example.org")
        return connection.execute(query).scalar_one() is not None


def second_address(world: World, userid: str, address: str) -> None:
    with world.engine.begin() as connection:
        player = connection.execute(sa.select(tables.player.c.id).where(tables.player.c.userid == userid)).scalar_one()
        values = {"player_id": player, "address": address, "folded": address, "created": world.now, "leaving": False}
        connection.execute(sa.insert(tables.address).values(**values, confirmed=world.now))


def alices_clock(world: World) -> SeatClock:
    return world.row(101).clocks[0]


class TestSuspension:
    @pytest.fixture(autouse=True)
    def _players(self, world: World) -> None:
        world.signup("alice", "bob")

    @pytest.mark.parametrize(("times", "suspended"), [(MOST_BOUNCES - 1, False), (MOST_BOUNCES, True)])
    def test_five_in_a_row_suspend(self, world: World, times: int, suspended: bool) -> None:
        bounce(world, "alice", times)
        assert is_suspended(world, "alice") is suspended
        letters = world.mail("bob", "tumble challenge alice bob")
        assert ("alice@example.org" in [x.to for x in letters]) is not suspended
        assert not is_suspended(world, "bob")

    @pytest.mark.parametrize("name", ["dsn-delayed", "dsn-relayed", "mdn-displayed", "a-persons-words", "garbage"])
    def test_other_reports_do_not_count(self, world: World, name: str) -> None:
        for _ in range(MOST_BOUNCES):
            world.mail("alice", "games")
            assert report(world, last_letter(world, "alice"), name) == []
        assert not is_suspended(world, "alice")
        assert world.query(lambda s: s.addresses.unreachable([1])) == frozenset()

    def test_two_reports_about_one_letter_count_once(self, world: World) -> None:
        world.mail("alice", "games")
        for _ in range(MOST_BOUNCES):
            report(world, last_letter(world, "alice"))
        assert not is_suspended(world, "alice")

    def test_a_forged_envelope_sender_is_no_report(self, world: World) -> None:
        world.mail("alice", "games")
        forged = world.site.signer.sign(signed_addresses.VERP, last_letter(world, "alice"))[:-15] + "a@games.example"
        before = world.dump()
        assert not world.site.signer.accepts(forged)
        assert world.bytes((REPORTS / f"{FAILED}.eml").read_bytes(), to=forged, mail_from="") == []
        assert world.dump() == before

    @pytest.mark.slow
    def test_a_mail_of_the_player_ends_the_row(self, world: World) -> None:
        bounce(world, "alice", MOST_BOUNCES - 1)
        world.mail("alice", "tumble challenge alice alice --as=alice:alice-secret")
        bounce(world, "alice", MOST_BOUNCES - 1)
        assert not is_suspended(world, "alice")

    def test_a_mail_that_proves_nothing_does_not(self, world: World) -> None:
        bounce(world, "alice", MOST_BOUNCES - 1)
        world.mail("alice", "tumble challenge alice alice --as=alice:wrong-secret")
        bounce(world, "alice")
        assert is_suspended(world, "alice")

    def test_the_player_is_told_in_every_letter_to_another_address(self, world: World) -> None:
        second_address(world, "alice", "alice@elsewhere.example")
        bounce(world, "alice", MOST_BOUNCES)
        letters = [x for x in world.mail("bob", "tumble challenge alice bob") if "alice" in x.to]
        assert [x.to for x in letters] == ["alice@elsewhere.example"]
        assert "Letters to alice@example.org came back several times" in letters[0].flat
        assert "Letters to alice@example.org came back" in letters[0].html.replace("\n", " ").replace("<br> ", " ")
        assert "came back" not in world.mail("bob", "games")[0].text

    @pytest.mark.slow
    def test_the_player_is_told_in_answers_to_his_own_mails(self, world: World) -> None:
        bounce(world, "alice", MOST_BOUNCES)
        (answer,) = world.mail("alice", "tumble challenge alice alice --as=alice:alice-secret")
        assert (answer.to, answer.subject) == ("alice@example.org", "Tumble Board 101 alice")
        assert "came back several times" in answer.flat

    @pytest.mark.slow
    def test_yes_to_the_signed_address_ends_it(self, world: World) -> None:
        bounce(world, "alice", MOST_BOUNCES)
        (answer,) = world.mail("alice", "games")
        confirm = answer.text.strip().splitlines()[-3]
        world.mail("alice", "My address", "maybe", to=confirm)
        assert is_suspended(world, "alice")
        (thanks,) = world.mail("alice", "My address", "yes", to=confirm)
        assert not is_suspended(world, "alice")
        assert "came back" not in thanks.text
        bounce(world, "alice", MOST_BOUNCES - 1)
        assert not is_suspended(world, "alice")


_RETURNED = b"Subject: Tumble Board 101 alice"


class TestWithoutPlus:
    """Bounces come to the mailbox, because the provider takes no mail to other addresses (ADR 92)."""

    @pytest.fixture(autouse=True)
    def _players(self, world: World) -> None:
        world.signup("alice", "bob")
        world.allow(plus=False)

    @pytest.mark.slow
    @pytest.mark.both
    @pytest.mark.parametrize(
        ("name", "names", "of", "suspended"),
        [
            ("dsn-failed", "alice", "alice", True),
            ("qmail", "alice", "alice", True),
            ("dsn-forwarded-to-two", "alice", "alice", False),  # it names only to whom the letter was passed on
            ("dsn-delayed", "alice", "alice", False),
            ("dsn-failed", "ALICE", "alice", True),  # some mail systems change the case
            ("dsn-failed", "bob", "alice", False),
            ("dsn-failed", "alice", "bob", False),
            ("dsn-failed", "alice", "", False),
        ],
    )
    def test_a_report_counts_if_it_has_the_message_id_of_a_letter_to_its_recipient(
        self, world: World, name: str, names: str, of: str, suspended: bool
    ) -> None:
        for n in range(MOST_BOUNCES):
            ids = {
                who: world.mail(who, f"{'tumble challenge alice bob' if n == 2 else 'games'}")
                for who in ("alice", "bob")
            }
            message_id = next(
                (x.message["Message-ID"] for x in ids.get(of, ()) if of in x.to), "<m1.aaaaaaaaaaaaaaaa@games.example>"
            )
            data = (REPORTS / f"{name}.eml").read_bytes().replace(b"<cafe", f"<{n}.cafe".encode())
            data = data.replace(_RETURNED, b"message-id:\n " + message_id.encode() + b"\n" + _RETURNED)
            data = data.replace(b"alice@example.org", f"{names}@example.org".encode())
            assert world.bytes(data, mail_from="") == []
        assert is_suspended(world, "alice") is suspended
        assert not is_suspended(world, "bob")

    @pytest.mark.slow
    def test_an_address_that_works_again_is_confirmed_by_a_subject(self, world: World) -> None:
        bounce(world, "alice", MOST_BOUNCES)
        (answer,) = world.mail("alice", "games")
        title = answer.text.strip().splitlines()[-3].partition(": ")[2]
        world.mail("alice", title, "yes")
        assert not is_suspended(world, "alice")

    @pytest.mark.sqlite
    def test_a_report_is_read_as_far_as_its_first_letters(self, world: World) -> None:
        """Each letter makes the question to the database longer, and SQLite takes no condition of a thousand parts."""
        named = [f"\r\nMessage-ID: {world.site.signer.message_id(number)}" for number in range(500)]
        parts = ["\r\n".join(["--x", "", *named[n::25], ""]) for n in range(25)]
        head = "From: mailer-daemon@example.org\r\nTo: alice@example.org\r\nContent-Type: multipart/report; boundary=x"
        world.bytes("\r\n\r\n".join([head, *parts, "--x--\r\n"]).encode(), mail_from="")
        assert world.query(lambda store: store.mails.newest(1))[0].status == "silent"


class TestTheRelay:
    @pytest.mark.parametrize(
        ("reply", "suspended"),
        [("550 5.1.1 No such user", True), ("550 5.7.1 Not from you", False), ("554 Bad day", False)],
    )
    def test_its_refusals_count_if_they_are_about_the_address(self, world: World, reply: str, suspended: bool) -> None:
        world.signup("alice")
        outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
        for _ in range(MOST_BOUNCES):
            world.mail("alice", "games")
            outbox.refuse(last_letter(world, "alice"), reply)
        assert is_suspended(world, "alice") is suspended
        with world.engine.connect() as connection:
            assert set(connection.execute(sa.select(tables.outbox.c.status, tables.outbox.c.receipt))) == {
                ("refused", reply)
            }

    @pytest.mark.both
    def test_a_report_that_overtakes_the_receipt_stands(self, world: World) -> None:
        world.signup("alice")
        world.mail("alice", "games")
        letter = last_letter(world, "alice")
        report(world, letter)
        outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
        outbox.sent_many([(letter, "250 2.0.0 Taken")])
        assert outbox.claim(10, 60) == []
        with world.engine.connect() as connection:
            assert connection.execute(sa.select(tables.outbox.c.status)).scalars().all() == ["bounced"]


class TestTheClock:
    """alice is to move on board 101, and her letters come back."""

    @pytest.fixture(autouse=True)
    def _board(self, world: World) -> None:
        world.board("alice", "bob", options="--nagtime=2 --forfeittime=5")
        self.sweeper = Clock(world.engine, world.site, lambda: world.now, gap=10 * DAY)
        self.sweeper.sweep()
        world.letters()

    def pass_days(self, world: World, days: float) -> list[Received]:
        world.now += timedelta(days=days)
        self.sweeper.sweep()
        return world.letters()

    @pytest.mark.slow
    def test_it_stops_for_fourteen_days_at_most(self, world: World) -> None:
        self.pass_days(world, 1)
        (told,) = report(world, last_letter(world, "alice"))
        assert told.to == "bob@example.org"
        assert told.first_line == "It is alice's turn, bob."
        assert "No time counts against alice until an address works, but at the latest until 16 March 2026" in told.flat
        assert self.pass_days(world, 7) + self.pass_days(world, 6.9) == []
        assert "Reminder: it" in self.pass_days(world, 1.2)[0].text
        lost = self.pass_days(world, 3)
        assert {"bob wins (on time)" in x.first_line for x in lost} == {True}

    def test_the_opponent_is_told_once_in_a_turn(self, world: World) -> None:
        assert len(report(world, last_letter(world, "alice"))) == 1
        world.mail("alice", "tumble showas alice alice-secret 101")
        self.pass_days(world, 2.5)
        assert report(world, last_letter(world, "alice")) == []

    @pytest.mark.slow
    def test_a_mail_of_the_player_starts_it_again(self, world: World) -> None:
        self.pass_days(world, 1)
        report(world, last_letter(world, "alice"))
        self.pass_days(world, 3)
        world.mail("alice", "tumble showas alice alice-secret 101")
        assert self.pass_days(world, 0.9) == []
        assert "Reminder: it" in self.pass_days(world, 0.2)[0].text

    def test_a_pause_is_no_time_that_was_used(self, world: World) -> None:
        self.pass_days(world, 1)
        report(world, last_letter(world, "alice"))
        self.pass_days(world, 3)
        world.mail("alice", "tumble move 101 alice alice-secret c1-c2")
        assert alices_clock(world).used == pytest.approx(DAY, abs=60)
        assert alices_clock(world).paused is None

    def test_it_goes_on_while_another_address_works(self, world: World) -> None:
        second_address(world, "alice", "alice@elsewhere.example")
        assert report(world, last_letter(world, "alice")) == []
        assert len(self.pass_days(world, 2.1)) == 2

    def test_a_letter_about_another_turn_stops_nothing(self, world: World) -> None:
        first = last_letter(world, "alice")
        world.mail("alice", "tumble move 101 alice alice-secret c1-c2")
        world.mail("bob", "tumble move 101 bob bob-secret f6-f5")
        assert report(world, first) == []
        assert alices_clock(world).paused is None

    @pytest.mark.slow
    def test_a_turn_that_begins_while_no_address_works_begins_with_the_pause(self, world: World) -> None:
        world.mail("alice", "tumble move 101 alice alice-secret c1-c2")
        bounce(world, "alice", MOST_BOUNCES)
        letters = world.mail("bob", "tumble move 101 bob bob-secret f6-f5")
        assert [x.to for x in letters] == ["bob@example.org"]
        assert "No time counts against alice" in letters[0].flat
        assert self.pass_days(world, 9) + self.pass_days(world, 4.9) == []

    def test_nobody_is_told_when_the_board_is_over(self, world: World) -> None:
        world.mail("bob", "tumble resign 101 bob bob-secret")
        assert report(world, last_letter(world, "alice")) == []


class TestAway:
    """A mailbox says that its owner is away."""

    OFFER = "send for example: vacation alice PASSWORD 14"

    @pytest.fixture(autouse=True)
    def _board(self, world: World) -> None:
        world.board("alice", "bob")
        world.letters()

    @pytest.mark.parametrize("to_verp", [True, False])
    def test_board_letters_offer_a_vacation_for_a_week(self, world: World, to_verp: bool) -> None:
        if to_verp:
            assert report(world, last_letter(world, "alice"), "vacation-from-mailer-daemon") == []
        else:
            assert world.mail("alice", "Out of office", Auto_Submitted="auto-replied") == []
        assert self.OFFER not in world.mail("alice", "games")[0].flat
        alice, bob = world.mail("bob", "tumble challenge alice bob")
        assert self.OFFER in alice.flat
        assert "away" not in bob.text
        world.now += timedelta(days=7)
        assert self.OFFER not in world.mail("bob", "tumble challenge alice bob")[0].flat

    def test_who_writes_is_back(self, world: World) -> None:
        world.mail("alice", "Out of office", Auto_Submitted="auto-replied")
        world.mail("alice", "tumble move 101 alice alice-secret c1-c2")
        assert self.OFFER not in world.mail("bob", "tumble challenge alice bob")[0].flat
