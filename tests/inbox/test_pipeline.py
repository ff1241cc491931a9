"""Which mails get an answer, and what proof a public server wants from a sender."""

from datetime import timedelta

import pytest

from tests.commands.answers import status
from tests.inbox.mails import message
from tests.world import ADDRESS, Received, World

pytestmark = pytest.mark.both


class TestWhoIsAnswered:
    @pytest.mark.parametrize(
        "headers",
        [
            {"Auto_Submitted": "auto-generated"},
            {"Precedence": "bulk"},
            {"List_Id": "<list.example>"},
            {"From": "MAILER-DAEMON@example.org"},
        ],
        ids=str,
    )
    def test_machines_get_no_answer(self, world: World, headers: dict[str, str]) -> None:
        world.signup("alice", "bob")
        before = world.dump()
        sender, others = headers.get("From", "alice"), {k: v for k, v in headers.items() if k != "From"}
        assert world.mail(sender, "tumble challenge alice bob --as=alice:alice-secret", **others) == []
        assert world.dump() == before
        assert status(world) == "silent"

    def test_our_own_letters_get_no_answer(self, world: World) -> None:
        world.signup("alice", "bob")
        for letter in world.mail("alice", "tumble challenge alice bob"):
            assert world.bytes(letter.data, ADDRESS) == []
            assert status(world) == "silent"

    def test_a_bounce_gets_no_answer(self, world: World) -> None:
        world.signup("alice")
        assert world.mail("alice", "help", to=world.site.signer.sign("v", 1)) == []
        assert status(world) == "silent"

    def test_a_stranger_gets_one_notice_a_day(self, strict_world: World) -> None:
        (notice,) = strict_world.mail("eve", "games", "I am Eve and my password is eve-secret")
        assert notice.subject == "How to play by mail"
        assert "Eve" not in notice.text
        assert strict_world.mail("eve", "help") == []
        assert strict_world.mail("EVE", "tumble show 101") == []
        strict_world.now += timedelta(days=1)
        assert len(strict_world.mail("eve", "help")) == 1

    def test_no_answer_tells_whether_an_address_has_an_account(self, strict_world: World) -> None:
        strict_world.signup("alice", "bob")
        (first,) = strict_world.mail("eve", "signup alice eve-secret bob@example.org")
        (second,) = strict_world.mail("mallory", "signup alice eve-secret nobody@example.org")
        assert first.text.splitlines()[:-1] == second.text.splitlines()[:-1]  # the last line is the time

    def test_a_stranger_is_told_a_few_times_a_day_which_rule_a_signup_breaks(self, strict_world: World) -> None:
        """Nothing of the mail is in the answer, because anybody can write any address into From."""
        strict_world.signup("alice")
        lines = {
            "signup alice eve-secret": "That userid is taken.",
            "signup eve short": "A password must have 6 to 128 characters",
            "signup eve my long secret": "A userid and a password are one word each",
            "signup userid PASSWORD": "PASSWORD stands for a password of your own.",
            "signup help eve-secret": "That userid is a word used in commands.",
        }
        for line, rule in lines.items():
            (letter,) = strict_world.mail("eve", line)
            assert rule in letter.flat
            assert "this subject: signup USERID PASSWORD" in letter.flat
            assert not [w for w in line.split()[1:] if w not in ("help", "userid", "PASSWORD") and w in letter.flat]
            assert "subject=signup%20USERID%20PASSWORD" in letter.html
        assert strict_world.mail("eve", "signup alice eve-secret") == []

    def test_an_unreadable_mail_is_answered_with_what_to_send(self, world: World) -> None:
        world.signup("alice")
        (answer,) = world.bytes(message("alice", "help", "-----BEGIN PGP MESSAGE-----\nabc\n"))
        assert "Please send plain text" in answer.text
        assert status(world) == "refused"


class TestAPublicServer:
    """Addresses must be confirmed, and From alone proves nothing."""

    @pytest.mark.parametrize("word", ["Yes.", '"yes"', "*Yes*", "yes,"])
    def test_signup_asks_and_yes_confirms(self, strict_world: World, word: str) -> None:
        (question,) = strict_world.mail("alice", "signup alice alice-secret")
        assert question.to == "alice@example.org"
        assert "answer this letter with the word yes" in question.flat
        (answer,) = strict_world.reply(question, word)
        assert "letters now go to alice@example.org" in answer.flat
        assert strict_world.query(lambda s: s.addresses.confirmed("alice@example.org"))

    @pytest.mark.sqlite  # others ask PostgreSQL the same
    @pytest.mark.parametrize("words", ["yes please!", "ja", "Ok", "I confirm.", "Hello,\n\nconfirmed.\n\nAlice"])
    def test_a_person_confirms_in_other_words(self, strict_world: World, words: str) -> None:
        (question,) = strict_world.mail("alice", "signup alice alice-secret")
        strict_world.reply(question, words, sender="mallory")
        assert not strict_world.query(lambda s: s.addresses.confirmed("alice@example.org"))
        strict_world.reply(question, words, subject="AW: Bitte bestätige deine Adresse")
        assert strict_world.query(lambda s: s.addresses.confirmed("alice@example.org"))

    @pytest.mark.sqlite  # others ask PostgreSQL the same
    @pytest.mark.parametrize(
        ("title", "body", "headers"),
        [
            ("Re: Please confirm your address", "OK\n\nYour request was received, its number is 4711.", {}),
            ("Re: [#4711] Please confirm your address", "OK", {}),
            ("Request received", "Confirmed.", {}),
            ("Re: Please confirm your address (case 4711)", "OK", {}),
            ("Re: Please confirm your address", "OK", {"X_Auto_Response_Suppress": "All"}),
            ("Re: Please confirm your address", "OK", {"X_Mailer": "Zammad Mail Service"}),
        ],
    )
    def test_a_program_confirms_nothing(
        self, strict_world: World, title: str, body: str, headers: dict[str, str]
    ) -> None:
        (question,) = strict_world.mail("alice", "signup alice alice-secret")
        answers = list[Received]()
        for _ in range(7):
            answers += strict_world.mail("alice", title, body, to=question.reply_to, **headers)
        assert not strict_world.query(lambda s: s.addresses.confirmed("alice@example.org"))
        assert len(answers) <= 5  # a program may answer each of them

    @pytest.mark.sqlite  # others ask PostgreSQL the same
    @pytest.mark.parametrize("word", ["no", "yes or no", "Yes, I think so", "", "Yes?", "Can you confirm this"])
    def test_nothing_else_confirms(self, strict_world: World, word: str) -> None:
        (question,) = strict_world.mail("alice", "signup alice alice-secret")
        strict_world.reply(question, word)
        assert not strict_world.query(lambda s: s.addresses.confirmed("alice@example.org"))
        assert status(strict_world) == "error"

    @pytest.mark.slow
    def test_an_address_is_asked_once_a_day(self, strict_world: World) -> None:
        """Once because its owner wants that, and once because of all others together."""
        (question,) = strict_world.mail("alice", "signup alice alice-secret")
        letters = strict_world.mail("mallory", "signup mallory mallory-secret ALICE@example.org alice@EXAMPLE.org")
        assert len([x for x in letters if x.to.lower() == "alice@example.org"]) == 1
        letters = strict_world.mail("eve", "signup eve eve-secret alice@example.org")
        assert not [x for x in letters if x.to.lower() == "alice@example.org"]
        letters = strict_world.mail("alice", "signup alice alice-secret")
        assert not [x for x in letters if x.subject == question.subject]

    def test_boards_begin_once_an_address_is_confirmed(self, strict_world: World) -> None:
        strict_world.signup("bob")
        (question,) = strict_world.mail("alice", "signup alice alice-secret")
        (refused,) = strict_world.mail("bob", "tumble challenge bob alice --as=bob:bob-secret")
        assert "alice has not confirmed an address yet, so no letter would arrive there." in refused.flat
        assert strict_world.query(lambda s: s.board_lists.numbers()) == []
        strict_world.reply(question, "yes")
        letters = strict_world.mail("bob", "tumble challenge bob alice --as=bob:bob-secret")
        assert [x.to for x in letters] == ["bob@example.org", "alice@example.org"]
        letters = strict_world.mail("bob", "tumble move 101 bob bob-secret c1-c2")
        assert [x.to for x in letters] == ["bob@example.org", "alice@example.org"]

    def test_from_alone_cannot_challenge(self, strict_world: World) -> None:
        strict_world.signup("alice", "bob")
        before = strict_world.dump()
        (answer,) = strict_world.mail("alice", "tumble challenge alice bob")
        assert "From address alone does not prove who sent this mail" in answer.flat
        assert "--as=USERID:PASSWORD" in answer.text
        assert strict_world.dump() == before
        for line in ("--as=alice:wrong-secret", "--as=alice"):
            strict_world.mail("alice", f"tumble challenge alice bob {line}")
            assert strict_world.dump() == before
        strict_world.mail("alice", "tumble challenge alice bob --as=alice:alice-secret")
        assert strict_world.query(lambda s: s.board_lists.numbers()) == [101]
