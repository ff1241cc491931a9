"""One person, or one attacker with many accounts, can do little harm to others, and is told when a limit is reached.

Each of these attacks was once done to a server.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmserv.boards import entries
from pbmserv.games import find
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.inbox.authentication.password_checks import WRONG_A_DAY, Rates
from pbmserv.letters.policy import Policy
from pbmserv.mail.reading.headers import mailbox
from pbmserv.model import Settings
from pbmserv.model.passwords import Passwords
from pbmserv.store import Store
from tests.world import Received, World

OURS = "mx.games.example"
POLICY = Policy()


def to_others(letters: Sequence[Received], domain: str) -> list[Received]:
    """Return the letters to addresses outside of this domain."""
    return [x for x in letters if not x.to.endswith(f"@{domain}")]


def passed(sender: str) -> dict[str, str]:
    """Return the header with which our own MTA says that DMARC passed."""
    return {"Authentication_Results": f"{OURS}; dmarc=pass header.from={sender.rpartition('@')[2]}"}


def _crowd(world: World) -> None:
    world.signup("alice", "bob", "carol")
    for userid in ("alice", "bob", "carol"):
        world.mail(userid, f"set {userid} {userid}-secret broadcasts=on")
    for n in range(3):
        (question,) = world.mail(f"s{n}@spam.example", f"signup spam{n} spam{n}-secret")
        assert question.subject == "Please confirm your address"
    world.letters()


class TestUnconfirmed:
    """Before you confirm an address, you cannot send anything to another person.

    Only the confirmation itself goes out.
    """

    @pytest.fixture
    def crowd(self, strict_world: World) -> World:
        """A server with three players who get all letters, and three accounts that never confirmed an address."""
        strict_world.once(_crowd)
        return strict_world

    @pytest.mark.parametrize(
        "line",
        [
            "message {u} {u}-secret alice bob carol",
            "broadcast {u} {u}-secret",
            "tumble challenge {u} alice --as={u}:{u}-secret",
            "tumble challenge {u} stranger@elsewhere.example --as={u}:{u}-secret",
            "tumble seek {u} {u}-secret",
            "tumble join 1 {u} {u}-secret",
            "tumble fork 101 {u} alice --as={u}:{u}-secret",
        ],
    )
    @pytest.mark.slow
    def test_letters_of_spam(self, crowd: World, line: str) -> None:
        crowd.mail("alice", "tumble seek alice alice-secret")
        crowd.mail("alice", "tumble challenge alice bob --as=alice:alice-secret")
        before = crowd.dump()
        letters = []
        for n in range(3):
            letters += crowd.mail(f"s{n}@spam.example", line.format(u=f"spam{n}"), "Buy cheap watches")
        assert to_others(letters, "spam.example") == []
        assert crowd.dump() == before

    @pytest.mark.slow
    @pytest.mark.parametrize("sender", ["bob", "s1@spam.example"])
    def test_the_error_says_how_to_confirm(self, crowd: World, sender: str) -> None:
        letters = crowd.mail(sender, "message spam1 spam1-secret alice", "Buy cheap watches")
        assert [x.to for x in letters] == [sender if "@" in sender else "bob@example.org"]
        if sender != "bob":
            assert (
                "answer the letter with the subject 'Please confirm your address' with the word yes" in letters[0].flat
            )
        else:  # another person's address; an answer may go there
            assert "spam1 has not confirmed an address yet, so this cannot reach other players." in letters[0].flat
            assert "To get that letter again, send: signup spam1 PASSWORD" in letters[0].flat

    def test_after_the_confirmation_everything_goes(self, strict_world: World) -> None:
        strict_world.signup("alice")
        (question,) = strict_world.mail("bob", "signup bob bob-secret")
        assert to_others(strict_world.mail("bob", "message bob bob-secret alice", "Hello"), "spam.example") != []
        strict_world.reply(question, "yes")
        letters = strict_world.mail("bob", "message bob bob-secret alice", "Hello")
        assert [x.to for x in letters] == ["alice@example.org", "bob@example.org"]

    def test_what_counts_is_the_person_and_not_the_address_of_the_mail(self, strict_world: World) -> None:
        strict_world.signup("alice", "bob")
        letters = strict_world.mail("bob@work.example", "message bob bob-secret alice", "Hello")
        assert [x.to for x in letters] == ["alice@example.org", "bob@example.org"]

    def test_words_on_a_board_of_an_older_server(self, crowd: World) -> None:
        """Without a confirmed address you cannot get a seat at a board. Older servers may still have such players."""
        number = crowd.act(lambda s: _board(crowd, s, "spam1", "alice"))
        crowd.mail("s1@spam.example", f"tumble move {number} spam1 spam1-secret c1-c2", "Buy cheap watches")
        crowd.mail("alice", f"tumble move {number} alice alice-secret f8-f7")
        for line in ("chat", "propose", "resign"):
            crowd.mail("s1@spam.example", f"tumble {line} {number} spam1 spam1-secret", "Buy cheap watches")
        crowd.mail("s1@spam.example", "signoff spam1 spam1-secret", "Buy cheap watches")
        assert crowd.row(number).board.ply == 2
        assert all("watches" not in x.text for x in _all(crowd))

    def test_the_last_words_of_somebody_who_closes_the_account(self, strict_world: World) -> None:
        strict_world.signup("alice", "bob")
        strict_world.mail("alice", "tumble challenge alice bob --as=alice:alice-secret")
        letters = strict_world.mail("alice", "signoff alice alice-secret", "It was fun, farewell.")
        assert [x.to for x in letters if "It was fun" in x.text] == ["bob@example.org"]

    def test_a_demonstration_needs_no_confirmation(self, world: World) -> None:
        world.mail("alice", "signup alice alice-secret")
        world.mail("bob", "signup bob bob-secret")
        assert [x.to for x in world.mail("bob", "message bob bob-secret alice", "Hello")][:1] == ["alice@example.org"]


class TestConfirmations:
    """Floods of confirmation letters, notices and invitations to other people."""

    def test_one_mail_with_ten_signups_of_five_addresses(self, strict_world: World) -> None:
        lines = [f"signup x{n} x-secret " + " ".join(f"v{n}.{a}@victims.example" for a in range(5)) for n in range(10)]
        letters = strict_world.mail("mallory", "multiple", "\n".join(lines))
        assert to_others(letters, "example.org") == []
        lines = [f"signup x{n} x-secret v{n}@victims.example" for n in range(10)]
        letters = strict_world.mail("mallory", "multiple", "\n".join(lines))
        assert len(to_others(letters, "example.org")) == 2

    def test_the_answer_says_what_to_do_with_the_others(self, strict_world: World) -> None:
        strict_world.signup("alice")
        (answer,) = strict_world.mail("alice", "add alice alice-secret a@example.net b@example.net c@example.net")
        assert "One mail can add at most 2 new addresses. Add the others with another mail." in answer.flat
        letters = strict_world.mail("alice", "add alice alice-secret a@example.net b@example.net")
        assert [x.to for x in letters] == ["a@example.net", "b@example.net", "alice@example.org"]

    #: With `add`, the account is full before the limit of a day is reached: it may have five addresses.
    @pytest.mark.slow
    @pytest.mark.parametrize(("verb", "most"), [("change address", POLICY.confirmations_a_day), ("add", 4)])
    def test_a_loop(self, strict_world: World, verb: str, most: int) -> None:
        strict_world.signup("mallory")
        letters = []
        for n in range(8):
            lines = [f"{verb} mallory mallory-secret v{n}.{a}@victims.example" for a in range(10)]
            letters += strict_world.mail("mallory", "multiple", "\n".join(lines))
        assert len(to_others(letters, "example.org")) == most

    def test_the_answer_says_when_it_works_again(self, strict_world: World) -> None:
        strict_world.signup("alice")
        strict_world.allow(confirmations_a_day=1)
        strict_world.mail("alice", "change address alice alice-secret a@example.net")
        (answer,) = strict_world.mail("alice", "change address alice alice-secret b@example.net")
        assert "At most 1 new addresses a day can be added to an account." in answer.flat
        assert "You can do it again after 2026-03-02 12:01 UTC." in answer.flat
        strict_world.now += timedelta(days=1)
        letters = strict_world.mail("alice", "change address alice alice-secret b@example.net")
        assert "b@example.net" in {x.to for x in letters}

    @pytest.mark.slow
    def test_many_accounts_of_one_origin(self, strict_world: World) -> None:
        strict_world.allow(origin_strangers_an_hour=5)
        letters = []
        for n in range(15):
            letters += strict_world.mail("mallory@evil.example", f"signup x{n} x{n}-secret v{n}@victims.example")
        assert len(to_others(letters, "evil.example")) == 5
        strict_world.peer = "192.0.2.2"
        assert len(strict_world.mail("bob", "signup bob bob-secret")) == 1
        strict_world.peer = "192.0.2.1"
        strict_world.now += timedelta(hours=1)
        assert len(strict_world.mail("carol", "signup carol carol-secret")) == 1

    @pytest.mark.slow
    def test_many_origins(self, strict_world: World) -> None:
        strict_world.allow(strangers_an_hour=6)
        letters = []
        for n in range(12):
            strict_world.peer = f"192.0.2.{n}"
            letters += strict_world.mail(f"m@m{n}.example", f"signup x{n} x{n}-secret v{n}@victims.example")
        assert len([x for x in letters if x.to.endswith("@victims.example")]) == 6

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "spell",
        [
            lambda n: f"victim+{n}@elsewhere.example",
            lambda n: f"VICTIM+{n}@Elsewhere.example",
            lambda n: f"{'victimvictim'[: n % 11 + 1]}.{'victimvictim'[n % 11 + 1 :]}+{n}@gmail.com",
        ],
    )
    def test_many_notices_and_questions_to_one_mailbox(self, strict_world: World, spell: Callable[[int], str]) -> None:
        notices, questions = [], []
        for n in range(12):
            notices += strict_world.mail(spell(n), "What is this?")
        for n in range(12):
            questions += strict_world.mail(f"m{n}@evil.example", f"signup x{n} x{n}-secret {spell(n)}")
        victim = mailbox(spell(0))
        assert len([x for x in notices if mailbox(x.to) == victim]) == 1
        assert len([x for x in questions if mailbox(x.to) == victim]) == 1

    def test_invitations_to_one_mailbox(self, world: World) -> None:
        world.signup("alice", "bob")
        letters = world.mail("alice", "tumble challenge alice friend@example.net")
        letters += world.mail("bob", "tumble challenge bob Friend+1@example.net")
        assert [x.to for x in letters if mailbox(x.to) == "friend@example.net"] == ["friend@example.net"]

    @pytest.mark.slow
    def test_invitations_that_nobody_answers(self, world: World) -> None:
        world.signup("alice")
        for n in range(POLICY.unanswered_invitations + 4):
            world.mail("alice", f"tumble challenge alice v{n}@example.net")
            world.now += timedelta(hours=6)
        invited = [x for x in _all(world) if x.to.endswith("@example.net")]
        assert len(invited) == POLICY.unanswered_invitations
        (refused,) = world.mail("alice", "tumble challenge alice v99@example.net")
        assert "10 of your invitations have no answer yet." in refused.flat
        world.reply(invited[0], "decline")
        assert len(world.mail("alice", "tumble challenge alice v99@example.net")) == 2

    @pytest.mark.slow
    def test_notices_for_all_the_world(self, strict_world: World) -> None:
        letters = [x for n in range(60) for x in strict_world.mail(f"v{n}@victims.example", "What is this?")]
        assert len(letters) == POLICY.origin_strangers_an_hour


class TestFloods:
    """Floods of letters from one player to another."""

    @pytest.mark.slow
    def test_challenges_without_a_pause(self, world: World) -> None:
        world.signup("mallory", "alice")
        letters = [x for _ in range(12) for x in world.mail("mallory", "tumble challenge mallory alice")]
        assert len([x for x in letters if x.to == "alice@example.org"]) == POLICY.unanswered_boards
        assert "alice has not moved yet on the last 5 boards with you." in letters[-1].flat

    @pytest.mark.slow
    def test_challenges_that_are_taken_back_at_once(self, world: World) -> None:
        world.signup("mallory", "alice")
        letters = []
        for number in range(101, 112):
            letters += world.mail("mallory", "tumble challenge mallory alice")
            letters += world.mail("mallory", f"tumble decline {number} mallory mallory-secret")
        assert len([x for x in letters if x.to == "alice@example.org"]) == 2 * POLICY.unanswered_boards
        world.now += timedelta(days=1)
        assert len(world.mail("mallory", "tumble challenge mallory alice")) == 2

    @pytest.mark.slow
    def test_friends_who_play_are_never_stopped(self, world: World) -> None:
        world.signup("alice", "bob")
        for number in range(101, 110):
            world.mail("alice", "tumble challenge alice bob")
            world.mail("alice", f"tumble move {number} alice alice-secret c1-c2")
            world.mail("bob", f"tumble move {number} bob bob-secret f8-f7")
        assert len(world.query(lambda s: s.board_lists.numbers())) == 9

    @pytest.mark.slow
    def test_challenges_for_everybody(self, world: World) -> None:
        world.signup("mallory", *(f"v{n}" for n in range(12)))
        world.allow(challenges_a_day=8)
        letters = [x for n in range(12) for x in world.mail("mallory", f"tumble challenge mallory v{n}")]
        assert len([x for x in letters if x.to.startswith("v")]) == 8
        assert "You can challenge 8 players a day. You can do it again after 2026-03-02 12:01 UTC." in letters[-1].flat

    @pytest.mark.slow
    def test_many_accounts_challenge_one_player(self, world: World) -> None:
        world.signup("alice", *(f"m{n}" for n in range(9)))
        world.allow(board_limit=6)
        letters = [x for n in range(9) for x in world.mail(f"m{n}", f"tumble challenge m{n} alice")]
        assert len([x for x in letters if x.to == "alice@example.org"]) == 6
        assert "wants no more than 6 at a time" in letters[-1].flat

    @pytest.mark.slow
    def test_many_chats(self, world: World) -> None:
        number = world.board("mallory", "alice")
        world.allow(chats_a_day=6)
        letters = [
            x for _ in range(9) for x in world.mail("mallory", f"tumble chat {number} mallory mallory-secret", "x")
        ]
        assert len([x for x in letters if x.to == "alice@example.org"]) == 6
        assert "You can chat 6 times a day." in letters[-1].flat

    def test_an_ordinary_move_counts_nothing(self, world: World) -> None:
        number = world.board("alice", "bob")
        before = _counts(world)
        world.mail("alice", f"tumble move {number} alice alice-secret c1-c2", "well met")
        assert _counts(world) == before

    def test_what_failed_is_not_counted(self, world: World) -> None:
        world.signup("alice", "bob")
        before = _counts(world)
        world.mail("alice", "message alice alice-secret bob nobody", "Hello")
        world.mail("alice", "tumble challenge alice nobody")
        world.mail("alice", "multiple", "tumble challenge alice nobody@\n")
        assert _counts(world) == before

    def test_counts_survive_a_restart_and_end_by_themselves(self, world: World) -> None:
        world.signup("alice", "bob")
        world.allow(messages_a_day=1)
        world.mail("alice", "message alice alice-secret bob", "Hello")
        again = world.again()
        again.allow(messages_a_day=1)
        again.count = 50
        (refused,) = again.mail("alice", "message alice alice-secret bob", "Hello")[-1:]
        assert "You can write messages to 1 players a day." in refused.flat
        again.now += timedelta(days=1)
        assert len(again.mail("alice", "message alice alice-secret bob", "Hello")) == 2

    def test_a_clock_that_was_wrong_locks_nobody_for_long(self, world: World) -> None:
        world.signup("alice", "bob")
        world.allow(messages_a_day=1)
        world.now += timedelta(days=400)
        world.mail("alice", "message alice alice-secret bob", "Hello")
        world.now -= timedelta(days=400)
        assert len(world.mail("alice", "message alice alice-secret bob", "Hello")) == 2


@pytest.mark.slow
class TestLockingOut:
    """Nobody can use up the tries or the quotas of others."""

    @pytest.fixture(autouse=True)
    def restarted(self, strict_world: World) -> None:
        """A server that remembers no password. A remembered password would be free of all limits."""
        strict_world.site = replace(strict_world.site, passwords=Passwords())
        strict_world.use(strict_world.site.renderer)

    def test_eleven_forged_mails_from_gmail(self, strict_world: World) -> None:
        """The mails come through our own MTA, which checks with DMARC who really writes from gmail.com."""
        world = strict_world
        world.allow(authserv=OURS)
        world.peer = ""
        world.signup(*(f"p{n}" for n in range(10)))
        for n in range(Rates().login.burst + 10):
            world.mail(f"forged{n}@gmail.com", f"vacation p{n % 10} wrong-secret")
        (answer,) = world.mail("p3@gmail.com", "vacation p3 p3-secret", **passed("p3@gmail.com"))
        assert answer.subject == "Vacation"

    def test_forged_signups_from_gmail(self, strict_world: World) -> None:
        world = strict_world
        world.allow(authserv=OURS)
        world.peer = ""
        for n in range(Rates().signup.burst + 5):
            world.mail(f"forged{n}@gmail.com", f"signup forged{n} forged-secret")
        (question,) = world.mail("real@gmail.com", "signup real real-secret", **passed("real@gmail.com"))
        assert question.subject == "Please confirm your address"

    def test_somebody_names_an_address_before_its_owner_does(self, strict_world: World) -> None:
        """The question that a stranger caused is not the one that the owner waits for."""
        strict_world.mail("mallory@evil.example", "signup x x-secret bob@example.org")
        strict_world.peer = "192.0.2.2"
        (question,) = strict_world.mail("bob", "signup bob bob-secret")
        assert (question.to, question.subject) == ("bob@example.org", "Please confirm your address")
        again = strict_world.mail("bob", "signup bob bob-secret")
        assert question.subject not in [x.subject for x in again]

    @pytest.mark.both
    def test_forged_mails_of_an_address_ask_it_a_few_times_a_day(self, strict_world: World) -> None:
        letters = []
        for n in range(8):
            strict_world.peer = f"192.0.2.{n}"
            letters += strict_world.mail("bob", f"signup bob{n} bob-secret")
        assert len([x for x in letters if x.subject == "Please confirm your address"]) == 5

    def test_by_smtp_the_peer_counts(self, strict_world: World) -> None:
        world = strict_world
        world.signup(*(f"p{n}" for n in range(10)))
        for n in range(Rates().login.burst + 10):
            world.mail(f"forged{n}@gmail.com", f"vacation p{n % 10} wrong-secret")
        world.peer = "192.0.2.2"
        (answer,) = world.mail("elsewhere@gmail.com", "vacation p3 p3-secret")
        assert answer.subject == "Vacation"

    @pytest.mark.parametrize("peer", ["", "127.0.0.1", "192.0.2.1"])
    def test_ten_wrong_passwords(self, strict_world: World, peer: str) -> None:
        """If you write from an address of your own account, you need not wait because of others."""
        strict_world.peer = peer
        strict_world.signup("alice")
        for _ in range(12):
            strict_world.mail("mallory@evil.example", "vacation alice wrong-secret")
        (answer,) = strict_world.mail("alice", "vacation alice alice-secret")
        assert answer.subject == "Vacation"

    def test_a_day_of_wrong_passwords(self, strict_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbmserv.inbox.authentication.password_checks.WRONG_A_DAY", 5)
        assert WRONG_A_DAY > 5
        strict_world.signup("alice")
        for n in range(9):
            strict_world.peer = f"192.0.2.{n}"
            strict_world.mail("mallory@evil.example", "vacation alice wrong-secret")
        strict_world.signup("bob")
        (locked,) = strict_world.mail("bob", "vacation alice alice-secret")
        assert "Too many wrong passwords came in one day." in locked.flat
        (answer,) = strict_world.mail("alice", "vacation alice alice-secret")
        assert answer.subject == "Vacation"

    def test_a_forged_address_of_the_account_s_own(self, strict_world: World) -> None:
        """Where our own MTA checks DMARC, a forged From counts as none."""
        world = strict_world
        world.allow(authserv=OURS)
        world.peer = ""
        world.signup("alice")
        for _ in range(12):
            world.mail("alice", "vacation alice wrong-secret")
        (answer,) = world.mail("alice", "vacation alice alice-secret", **passed("alice@example.org"))
        assert answer.subject == "Vacation"


class TestProofs:
    """Mails that prove nothing use up only what mails that prove nothing have."""

    @pytest.fixture
    def playing(self, strict_world: World) -> World:
        """A public server on which alice and bob play board 101. It has the limits of a new installation."""
        strict_world.once(_begin)
        given = POLICY.unproved_answers_a_day, POLICY.unproved_answer_kb_a_day
        strict_world.allow(unproved_answers_a_day=given[0], unproved_answer_kb_a_day=given[1])
        strict_world.allow(answers_a_day=POLICY.answers_a_day, answer_mb_a_day=POLICY.answer_mb_a_day)
        return strict_world

    @pytest.mark.slow
    def test_forged_errors_silence_nobody(self, playing: World) -> None:
        letter = playing.mail("alice", "tumble move 101 alice alice-secret c1-c2")[-1]
        for n in range(101):
            playing.peer = f"192.0.2.{n}"
            playing.mail("bob", f"tumble show {900 + n}")
        playing.peer = "198.51.100.1"
        assert [x.to for x in playing.reply(letter, "nonsense")] == ["bob@example.org"]
        assert [x.to for x in playing.mail("bob", "tumble move 101 bob bob-secret z9")] == ["bob@example.org"]
        letters = playing.mail("bob", "multiple", "tumble move 101 bob bob-secret f8-f7\ntumble show 999")
        assert [x.subject for x in letters if x.to == "bob@example.org"] == ["Tumble Board 101 bob", "Multiple"]

    def test_own_errors_stop_no_letter_of_a_board(self, playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbmserv.inbox.pipeline.MOST_ERRORS", 1)
        for _ in range(3):
            playing.mail("alice", "tumble move 101 alice alice-secret z9")
        lines = "tumble move 101 alice alice-secret c1-c2\ntumble show 999"
        letters = playing.mail("alice", "multiple", lines)
        assert [x.subject for x in letters if x.to == "alice@example.org"] == ["Tumble Board 101 alice"]

    @pytest.mark.slow
    def test_forged_questions_leave_those_with_a_proof(self, playing: World) -> None:
        letters = [x for n in range(25) for x in playing.mail("alice", f"tumble show 101 {'#0' * (n % 2)}")]
        subjects = [x.subject for x in letters]
        assert len(letters) == POLICY.unproved_answers_a_day + 1
        assert subjects[-1] == "Enough answers for today"
        assert "20 answers or 200 kB" in letters[-1].flat
        playing.allow(authserv=OURS)
        assert playing.mail("alice", "tumble show 101") == []
        for line, headers in (
            ("tumble showas alice alice-secret 101", {}),
            ("tumble show 101", passed("alice@example.org")),
        ):
            (answer,) = playing.mail("alice", line, **headers)
            assert answer.subject != subjects[-1]

    @pytest.mark.slow
    def test_a_line_with_a_mistake_is_a_proof_too(self, playing: World) -> None:
        playing.mail("bob", "vacation bob bob-secret")
        for _ in range(22):
            playing.mail("bob", "tumble show 999")
        for line in ("tumble move 101 bob bob-secret", "vacation bob bob-secret much too long"):
            (answer,) = playing.mail("bob", line)
            assert answer.subject != "Enough answers for today"

    @pytest.mark.slow
    def test_somebody_else_s_password_proves_nothing(self, playing: World) -> None:
        letters = [x for _ in range(23) for x in playing.mail("alice", "tumble showas bob bob-secret 101")]
        assert len(letters) == POLICY.unproved_answers_a_day + 1
        assert {x.to for x in letters} == {"alice@example.org"}

    @pytest.mark.slow
    def test_long_answers_to_forged_questions(self, playing: World) -> None:
        letters = [x for _ in range(40) for x in playing.mail("alice", "multiple", "help tumble\nhelp all\n" * 5)]
        assert len(letters) < POLICY.unproved_answers_a_day
        assert sum(len(x.text.encode()) for x in letters) < 2 * POLICY.unproved_answer_kb_a_day * 1_000

    @pytest.mark.slow
    def test_forged_signups_leave_a_place_where_dmarc_passed(self, strict_world: World) -> None:
        strict_world.allow(authserv=OURS, strangers_an_hour=6)
        for n in range(6):
            strict_world.peer = f"192.0.2.{n}"
            strict_world.mail("newcomer@example.net", f"signup forged{n} forged-secret")
            strict_world.mail(f"m{n}@example.net", f"signup mallory{n} forged-secret")
        sender = "newcomer@example.net"
        letters = [strict_world.mail(sender, "signup nina nina-secret", **passed(sender)) for _ in range(3)]
        assert [x.subject for x in letters[0]] == ["Please confirm your address"]
        assert [[x.subject for x in more] for more in letters[1:]] == [["How to play by mail"], []]

    @pytest.mark.slow
    @pytest.mark.parametrize("peers", ["192.0.2.{}", "2001:db8:0:{}::1"])
    def test_forged_signups_leave_a_place_for_another_network(self, strict_world: World, peers: str) -> None:
        for n in range(8):
            strict_world.peer = peers.format(n)
            strict_world.mail("newcomer@example.net", f"signup forged{n} forged-secret")
        strict_world.peer = "198.51.100.1"
        letters = [strict_world.mail("newcomer@example.net", "signup nina nina-secret") for _ in range(3)]
        assert [[x.subject for x in those] for those in letters] == [["Please confirm your address"], [], []]

    def test_forged_requests_for_a_new_password(self, playing: World) -> None:
        playing.allow(authserv=OURS)
        for _ in range(6):
            playing.mail("alice", "forgot alice")
        letters = playing.mail("alice", "forgot alice", **passed("alice@example.org"))
        assert "Your new password" in [x.subject for x in letters]


def _begin(world: World) -> None:
    number = world.board("alice", "bob", options="--as=alice:alice-secret")
    assert number == 101
    world.letters()


def _board(world: World, store: Store, *userids: str) -> int:
    """Begin a board without checking the rules for players."""
    game = find("tumble")
    players = [p for u in userids if (p := store.players.find(u))]
    board = play.begin(Start(game, {}, 2, "0" * 32))
    return entries.begin(store, board, players, Settings(), world.now).number


def _all(world: World) -> list[Received]:
    """Return all letters that were ever written."""
    there = world.again()
    there._read = 0
    return there.letters()


def _counts(world: World) -> list[tuple[str, str, int]]:
    now = world.now.timestamp()
    return [(c.subject, c.what, c.used) for c in world.query(lambda s: s.operations.counted(now))]
