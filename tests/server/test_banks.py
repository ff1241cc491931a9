"""Banks of time, days off and automatic vacation on a whole server, with a clock that the test sets."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from pbmserv.admin.desk import Admin, act
from pbmserv.admin.imports import restart_clocks, restore
from pbmserv.admin.rulings import undo
from pbmserv.boards.clocks import deadlines
from pbmserv.boards.records import record_of
from pbmserv.letters.waiting.suspension import MOST_BOUNCES
from pbmserv.model import SeatClock
from pbmserv.model.boards import NO_DAYS_OFF, DaysOff
from pbmserv.server.clock import Clock, Swept
from tests.commands.answers import to
from tests.world import Received, World

DAY = 86400.0
BANK = "-c --bank=10 --increment=1.5 --cap=15 --nagtime=none --forfeittime=none"


class Days:
    """A server whose clock runs all the time, on Monday, 2 March 2026, at noon."""

    def __init__(self, world: World) -> None:
        self.world = world
        world.signup("alice", "bob")
        world.now = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
        Clock(world.engine, world.site, lambda: world.now).sweep()

    def begin(self, options: str = BANK) -> list[Received]:
        return self.world.mail("alice", f"tumble challenge alice bob {options}")

    def later(self, days: float) -> list[Received]:
        """Let so many days go by, in steps of at most half a day, and return the letters."""
        end = self.world.now + timedelta(days=days)
        while self.world.now < end:
            self.world.now = min(end, self.world.now + timedelta(hours=12))
            self.run()
        return self.world.letters()

    def run(self, gap: float = float("inf")) -> Swept:
        return Clock(self.world.engine, self.world.site, lambda: self.world.now, gap=gap).sweep()

    def move(self, userid: str, number: int = 101) -> list[Received]:
        """Play a move that is legal."""
        row = self.world.row(number)
        word = row.game.example(row.board.position, row.seat_to_move(self.world.player(userid)))
        return self.world.mail(userid, f"tumble move {number} {userid} {userid}-secret {word}")

    def clock(self, seat: int = 0, number: int = 101) -> SeatClock:
        return self.world.row(number).clocks[seat]


@pytest.fixture
def days(world: World) -> Days:
    return Days(world)


def below(letters: list[Received], userid: str) -> str:
    """The block below the first line of the letter to a player."""
    return " ".join(to(letters, userid).text.split("\n\n")[1].split())


def test_each_letter_says_until_when_the_bank_lasts_in_the_readers_zone(world: World, days: Days) -> None:
    world.mail("bob", "set bob bob-secret timezone=America/New_York")
    letters = days.begin()
    assert below(letters, "alice") == "Move by Thursday, 12 March, 12:00 UTC (then the bank is empty)."
    assert below(letters, "bob").startswith("alice has to move by Thursday, 12 March, 08:00 EDT (then the bank")
    assert "bank 10 days, each move adds 1.5 days, at most 15 days in the bank" in to(letters, "bob").flat


@pytest.mark.slow
def test_the_bank_shrinks_in_a_turn_and_grows_with_the_move_up_to_the_cap(days: Days) -> None:
    days.begin()
    days.later(4)
    days.move("alice")
    assert days.clock().bank == pytest.approx(7.5 * DAY, abs=60)
    for _ in range(4):
        days.move("bob")
        days.move("alice")
    assert days.clock(1).bank == pytest.approx(15 * DAY, abs=60)
    assert days.clock().bank == pytest.approx(13.5 * DAY, abs=60)


@pytest.mark.slow
def test_who_has_an_empty_bank_loses_on_time(world: World, days: Days) -> None:
    days.begin()
    days.move("alice")
    assert days.later(9.9) == []
    letters = days.later(0.2)
    assert "alice wins (on time)" in to(letters, "bob").first_line
    world.verify()


@pytest.mark.slow
def test_a_loss_on_time_that_an_admin_takes_back_leaves_time_to_move(world: World, days: Days) -> None:
    days.begin("-c --bank=2 --increment=1 --nagtime=none --forfeittime=none")
    days.move("alice")
    days.move("bob")
    days.later(3.1)
    assert world.row().board.result
    act(world.engine, world.site, Admin("root", "the letters were late"), world.now, partial(undo, number=101))
    assert days.clock().bank == 2 * DAY
    assert days.clock(1).bank == pytest.approx(3 * DAY, abs=60)
    days.later(1.9)
    assert world.row().board.result is None
    days.later(0.2)
    assert world.row().board.result


@pytest.mark.slow
def test_so_it_is_with_the_time_for_all_moves(world: World, days: Days) -> None:
    days.begin("-c --totaltime=2 --nagtime=none --forfeittime=none")
    days.later(2.1)
    assert world.row().board.result
    act(world.engine, world.site, Admin("root", "the letters were late"), world.now, partial(undo, number=101))
    days.later(1.9)
    assert world.row().board.result is None
    days.later(0.2)
    assert world.row().board.result


def test_so_it_is_where_the_others_have_played_on(world: World, days: Days) -> None:
    world.signup("carol")
    world.mail("alice", "3io challenge alice bob carol --bank=2 --forfeittime=none")
    days.later(2.1)
    assert (world.row().board.out, world.row().board.result) == ((0,), None)
    ruling = partial(undo, number=101, past_chance=True)
    act(world.engine, world.site, Admin("root", "the letters were late"), world.now, ruling)
    assert (world.row().board.out, days.clock().bank) == ((), 2 * DAY)


@pytest.mark.slow
def test_the_limit_that_ends_first_counts_and_the_letter_names_it(days: Days) -> None:
    letters = days.begin("-c --bank=10 --increment=1 --forfeittime=3 --totaltime=12")
    assert below(letters, "alice") == "Move by Thursday, 5 March, 12:00 UTC (the limit for one move)."
    days.move("alice")
    for _ in range(4):
        days.later(2.5)
        days.move("bob")
        days.move("alice")
    days.move("bob")
    assert "(the limit for all moves)" in below(days.move("alice"), "bob")


@pytest.mark.slow
def test_a_move_in_the_place_of_one_that_was_taken_back_adds_nothing(world: World, days: Days) -> None:
    days.begin()
    days.later(5)
    for _ in range(3):
        days.move("alice")
        world.mail("alice", "tumble undo 101 alice alice-secret")
        world.mail("bob", "tumble accept 101 bob bob-secret")
    days.move("alice")
    assert days.clock().bank == pytest.approx(6.5 * DAY, abs=60)


def test_a_bank_without_a_cap_never_lasts_longer_than_the_calendar(world: World, days: Days) -> None:
    days.begin("-c --bank=3650 --increment=3650 --cap=none --nagtime=none --forfeittime=none")
    row = world.row()
    full = replace(row.clocks[0], bank=deadlines.FULLEST_BANK - DAY)
    world.act(lambda s: s.boards.set_clock(101, 0, full))
    days.move("alice")
    assert days.clock().bank == deadlines.FULLEST_BANK
    assert "alice has to move by Sunday, 25 February 2046" in below(days.move("bob"), "bob")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--increment=1", "'--increment' needs a bank. Write for example: --bank=10 --increment=1.5 --cap=15"),
        ("--cap=9", "'--cap' needs a bank."),
        ("--bank=10 --increment=1 --cap=9", "The cap must be at least the bank: 10 days."),
        ("--bank=ten", "'--bank' needs a number of days."),
        ("--bank=-1", "'--bank' needs a number of days."),
        ("--bank=1_0", "'--bank' needs a number of days."),
        ("--bank=1e9", "'--bank' needs a number of days."),
        ("--bank=10 --increment=nan", "'--increment' needs a number of days."),
    ],
)
def test_what_is_no_bank_is_answered_with_what_is_one(world: World, days: Days, options: str, says: str) -> None:
    (letter,) = days.begin(options)
    assert says in letter.flat
    assert world.query(lambda s: s.board_lists.numbers()) == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--bank=10 --increment=1.5", "bank 10 days, each move adds 1.5 days, at most 15 days in the bank"),
        ("--bank=0.5 --increment=0.25 --cap=none", "bank 0.5 days, each move adds 0.25 days"),
        ("--bank=3", "time limit 21 days, bank 3 days"),
        ("--bank=none --increment=none", "time limit 21 days"),
    ],
)
def test_conditions(days: Days, options: str, says: str) -> None:
    assert f"{says})" in to(days.begin(options), "bob").flat


@pytest.mark.slow
def test_no_time_runs_on_days_off_and_the_others_read_it_before(world: World, days: Days) -> None:
    """From Friday noon on, alice has half a day until her weekend, and reminders wait, too."""
    world.mail("alice", "set alice alice-secret weekends=off timezone=Europe/Berlin")
    world.now = datetime(2026, 3, 6, 11, 0, tzinfo=UTC)
    letters = days.begin("-c --nagtime=1 --forfeittime=2")
    assert "no time runs for alice on Saturday and Sunday" in to(letters, "bob").flat
    assert "Berlin" not in to(letters, "bob").text
    assert below(letters, "alice") == "Move by Tuesday, 10 March, 12:00 CET."
    assert days.later(2.9) == []
    (nag,) = days.later(0.2)
    assert "Reminder: it has been your turn for 1 day. If you do not move within 1 day" in nag.flat
    assert "bob wins (on time)" in to(days.later(1), "alice").first_line


def test_days_off_are_those_of_the_beginning(world: World, days: Days) -> None:
    days.begin("-c --forfeittime=2")
    world.mail("alice", "set alice alice-secret weekends=off")
    assert days.clock().rest == NO_DAYS_OFF
    world.mail("bob", "tumble challenge alice bob --forfeittime=2")
    world.mail("alice", "set alice alice-secret weekends=on timezone=Asia/Tokyo")
    assert days.clock(number=102).rest == DaysOff(("sat", "sun"))


def test_other_days_are_possible_at_most_two(world: World, days: Days) -> None:
    (answer,) = world.mail("alice", "set alice alice-secret weekends=sat,fri")
    assert "* weekends=fri,sat no time on one or two other days" in answer.flat
    (refused,) = world.mail("alice", "set alice alice-secret weekends=fri,sat,sun")
    assert "weekends is on, off, or one or two days of the week." in refused.flat
    assert "set alice PASSWORD weekends=fri,sat" in refused.flat
    assert days.begin()
    assert days.clock().rest == DaysOff(("fri", "sat"))


def test_an_absence_over_a_weekend_costs_nothing_and_gives_nothing(world: World, days: Days) -> None:
    """The server is down from Friday noon to Tuesday noon. On Tuesday there is as much time left as on Friday."""
    world.mail("alice", "set alice alice-secret weekends=off")
    world.now = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
    days.begin("-c --forfeittime=3 --nagtime=none")
    days.later(1)
    world.now += timedelta(days=4)
    assert days.run(gap=600).shifted == pytest.approx(4 * DAY, abs=1)
    assert days.clock().due == pytest.approx((world.now + timedelta(days=2)).timestamp(), abs=5)


def begin_on_thursday(world: World) -> None:
    """Begin board 102, with a bank of one day, when it is noon on a Thursday. Alice has weekends without time."""
    world.mail("alice", "tumble resign 101 alice alice-secret")
    world.mail("alice", "set alice alice-secret weekends=off")
    world.now = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
    world.mail("bob", "tumble challenge alice bob -c --bank=1 --nagtime=none --forfeittime=none")


class TestAutomaticVacation:
    """Alice has it, and a bank of one day. It is her turn."""

    @pytest.fixture(autouse=True)
    def _begin(self, world: World, days: Days) -> None:
        world.mail("alice", "set alice alice-secret vacation=auto")
        self.first = days.begin("-c --bank=1 --nagtime=none --forfeittime=none")

    def test_the_others_read_it_before(self, world: World) -> None:
        assert "automatic vacation for alice" in to(self.first, "bob").flat

    @pytest.mark.slow
    def test_a_day_is_taken_and_everybody_reads_it(self, world: World, days: Days) -> None:
        letters = days.later(1.001)
        news = "The time of alice has run out, so a day of vacation was taken automatically."
        assert news in to(letters, "bob").flat
        assert "alice is on vacation until Wednesday, 4 March, 12:0" in to(letters, "bob").flat
        assert "Your time has run out, so a day of vacation was taken" in to(letters, "alice").flat
        (event,) = world.query(lambda s: s.operations.events())
        assert event.what == "board 101: a day of vacation for alice"
        assert world.row().over is None
        (state,) = world.mail("alice", "vacation alice alice-secret")
        assert "You have 29 days of vacation left in 2026" in state.flat

    @pytest.mark.parametrize(
        ("language", "said"),
        [
            ("en", "do not move today, your time runs out."),
            ("de", "Wenn du nicht heute ziehst, läuft deine Zeit"),
        ],
    )
    def test_a_reminder_does_not_say_that_she_loses(self, world: World, days: Days, language: str, said: str) -> None:
        world.mail("alice", f"set alice alice-secret language={language}")
        world.mail("bob", "tumble challenge alice bob -c --nagtime=0.25 --forfeittime=0.5")
        assert said in to(days.later(0.3), "alice").flat

    @pytest.mark.slow
    def test_day_after_day_until_none_is_left(self, world: World, days: Days) -> None:
        world.allow(vacation_days=2.5)
        assert len(days.later(1.6)) == 2
        assert len(days.later(1)) == 2
        assert "12 hours of vacation" in to(days.later(0.6), "bob").flat
        assert "bob wins (on time)" in to(days.later(0.6), "bob").first_line
        world.verify()

    @pytest.mark.slow
    def test_no_day_is_taken_on_a_day_off(self, world: World, days: Days) -> None:
        """Her time runs out on Friday noon, and the day that is taken then ends on Saturday. The next one waits."""
        begin_on_thursday(world)
        assert "by Monday, 9 March, 00:00 UTC (then the bank is empty)." in below(days.later(1.001), "bob")
        assert days.later(2.45) == []
        assert "alice is on vacation until Tuesday, 10 March" in below(days.later(0.1), "bob")

    @pytest.mark.slow
    def test_nobody_loses_on_a_day_off(self, world: World, days: Days) -> None:
        world.allow(vacation_days=1)
        begin_on_thursday(world)
        days.later(3.45)
        assert world.row(102).over is None
        assert "bob wins (on time)" in to(days.later(0.1), "bob").first_line

    @pytest.mark.slow
    def test_the_rest_of_the_days_can_be_an_hour(self, world: World, days: Days) -> None:
        world.mail("alice", "set alice alice-secret language=de")
        world.allow(vacation_days=0.05)
        letters = days.later(1.01)
        assert "The time of alice has run out, so an hour of vacation was taken" in to(letters, "bob").flat
        assert "darum beginnt automatisch Urlaub: eine Stunde." in to(letters, "alice").flat

    def test_it_holds_on_all_boards_and_a_move_ends_the_turn(self, world: World, days: Days) -> None:
        world.mail("bob", "tumble challenge alice bob --bank=3 --forfeittime=none --nagtime=none -c")
        days.later(1.01)
        assert days.clock(number=102).since == days.clock().since
        days.move("alice")
        assert days.clock().bank == 0
        assert days.clock().used == pytest.approx(DAY, abs=0.02 * DAY)

    def test_it_can_be_switched_off(self, world: World, days: Days) -> None:
        world.mail("alice", "set alice alice-secret vacation=off")
        assert "bob wins (on time)" in to(days.later(1.01), "bob").first_line

    def test_an_absence_of_the_server_is_no_vacation(self, world: World, days: Days) -> None:
        """Neither begins a day because of it, nor is a day used up by it."""
        world.now += timedelta(days=3)
        assert days.run(gap=600).vacations == 0
        days.later(1.01)
        world.now += timedelta(days=0.75)
        days.run(gap=600)
        world.mail("alice", "vacation alice alice-secret off")
        (state,) = world.mail("alice", "vacation alice alice-secret")
        assert "You have 30 days of vacation left in 2026" in state.flat

    def test_a_program_has_none(self, world: World, days: Days) -> None:
        with world.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE player SET robot = true WHERE userid = 'alice'")
        assert "bob wins (on time)" in to(days.later(1.01), "bob").first_line


@pytest.mark.slow
def test_a_move_in_a_vacation_gives_no_time_back(world: World, days: Days) -> None:
    """Three days of the turn are used before the vacation. They stay used when she moves in it."""
    days.begin()
    days.later(3)
    world.mail("alice", "vacation alice alice-secret 10")
    days.later(1)
    days.move("alice")
    assert days.clock().bank == pytest.approx(8.5 * DAY, abs=60)


@pytest.mark.slow
def test_letters_that_come_back_stop_the_bank(world: World, days: Days) -> None:
    days.begin()
    days.move("alice")
    world.act(lambda s: s.addresses.count_bounce("alice@example.org", world.now, MOST_BOUNCES))
    days.move("bob")
    assert days.clock().paused
    days.later(5)
    days.move("alice")
    assert days.clock().bank == pytest.approx(13 * DAY, abs=60)


@pytest.mark.slow
def test_seeks_lists_and_invitations_say_all_of_it(world: World, days: Days) -> None:
    world.mail("alice", "set alice alice-secret weekends=fri,sat vacation=auto")
    (waiting,) = world.mail("alice", "tumble seek alice alice-secret --bank=10 --increment=1.5")
    said = (
        "bank 10 days, each move adds 1.5 days, at most 15 days in the bank, "
        "no time runs for alice on Friday and Saturday, automatic vacation for alice"
    )
    assert said in waiting.flat
    assert said in world.mail("bob", "list")[0].flat
    letters = world.mail("alice", "tumble challenge alice friend@example.net --bank=10 --increment=1.5")
    assert f"Time: {said}." in next(x for x in letters if "friend" in x.to).flat
    letters = world.mail("alice", "tumble challenge alice second@example.net --totaltime=4")
    assert "Time: 4 days in all, no time runs for alice" in next(x for x in letters if "second" in x.to).flat
    world.mail("bob", "tumble join 1 bob bob-secret")
    assert said in world.mail("bob", "tumble show 101")[0].flat
    for words in ("list", "tumble games", "tumble games alice"):
        assert said in world.mail("bob", words)[0].flat
    world.mail("bob", "set bob bob-secret language=de")
    assert "auf dem Zeitkonto, am Freitag und Samstag läuft für alice keine Zeit" in world.mail("bob", "list")[0].flat


@pytest.mark.slow
def test_a_restarted_board_keeps_bank_and_days_off(world: World, days: Days) -> None:
    world.mail("alice", "set alice alice-secret weekends=off")
    days.begin()
    days.later(2)
    days.move("alice")
    days.move("bob")
    days.later(5)
    row = world.row()
    world.act(lambda s: restart_clocks(s, row, world.now))
    assert days.clock().bank == pytest.approx(9.5 * DAY, abs=60)
    assert days.clock().rest == DaysOff(("sat", "sun"))
    assert days.clock().since == world.now.timestamp()


@pytest.mark.slow
def test_an_imported_board_goes_on_with_the_time_that_was_left(world: World, days: Days) -> None:
    """Bob had five days of vacation in his turn, and the record is a month old."""
    days.begin()
    days.move("alice")
    world.mail("bob", "vacation bob bob-secret 5")
    days.later(7)
    days.move("bob")
    banks = [days.clock(seat).bank for seat in (0, 1)]
    record = json.dumps(record_of(world.row(), world.query(lambda s: s.boards.log(101)))).encode()
    days.later(30)
    world.act(lambda s: restore(s, record, world.now))
    days.run()
    assert world.row(102).over is None
    assert [days.clock(seat, 102).bank for seat in (0, 1)] == pytest.approx(banks)
    assert days.clock(1, 102).bank == pytest.approx(9.5 * DAY, abs=60)


def test_a_board_that_is_imported_in_a_vacation_waits_for_its_end(world: World, days: Days) -> None:
    days.begin()
    record = json.dumps(record_of(world.row(), world.query(lambda s: s.boards.log(101)))).encode()
    days.later(1)
    world.mail("alice", "vacation alice alice-secret 5")
    world.act(lambda s: restore(s, record, world.now))
    assert days.clock(0, 102).since == days.clock().since
