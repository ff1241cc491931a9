"""Invitations to addresses, and challenges that expire, by mail."""

from datetime import timedelta

import pytest

from pbmserv.server.clock import Clock
from tests.commands.answers import only, to
from tests.world import Received, World

FRIEND = "Bob.Smith@example.net"


def sweep(world: World, days: float) -> list[Received]:
    """Let some days pass, then run the clock; returns the letters."""
    world.now += timedelta(days=days)
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    return world.letters()


def invite(world: World, line: str = f"tumble challenge alice {FRIEND} -c") -> Received:
    """Let alice invite a friend; returns the letter that the friend gets."""
    return to(world.mail("alice", line, "Buy my watches!"), FRIEND)


@pytest.fixture
def friends(world: World) -> World:
    """Alice and carol have accounts."""
    world.signup("alice", "carol")
    world.letters()
    return world


def test_an_invitation_says_what_it_is_and_what_to_answer(friends: World) -> None:
    letters = friends.mail("alice", f"tumble challenge alice {FRIEND} -c", "Buy my watches!")
    letter, told = to(letters, FRIEND), to(letters, "alice")
    assert letter.subject == "alice invites you to a game of Tumbling Down"
    assert letter.first_line == "alice invites you to a game of Tumbling Down by mail."
    assert "watches" not in letter.text
    assert "Options of the game: -c" in letter.text
    assert "The other players will see the name bob-smith" in letter.flat
    assert "never" in letter.text
    assert letter.reply_to.startswith("pbmserv+i")
    assert "The invitation is on its way." in told.text


def test_accept_opens_an_account_and_begins_the_board(friends: World) -> None:
    letters = friends.reply(invite(friends), "accept\n\nWith pleasure!")
    assert [x.subject for x in letters] == ["Welcome", "Tumble Board 101 alice", "Tumble Board 101 bob-smith"]
    welcome, hers, his = letters
    assert welcome.to == his.to == FRIEND
    assert "forgot bob-smith" in welcome.text
    assert hers.first_line == "Your move, alice."
    assert "bob-smith writes:\n    With pleasure!" in hers.text
    assert "(-c, rated" in his.text
    friends.reply(hers, "d1-d2")
    letter = to(
        friends.reply(to(friends.mail("carol", "tumble chat 101 alice alice-secret", "Hi"), FRIEND), "e8-e7"), FRIEND
    )
    assert letter.first_line == "It is alice's turn, bob-smith."


@pytest.mark.parametrize("words", ["yes", "Ja, gerne!", "OK"])
def test_a_friend_accepts_in_other_words(friends: World, words: str) -> None:
    letter = invite(friends)
    assert "with the word yes" in letter.flat
    assert ">yes</a>" in letter.html
    assert friends.reply(letter, words)[0].subject == "Welcome"


def test_a_friend_declines_in_other_words(friends: World) -> None:
    letters = friends.reply(invite(friends), "No, thank you.")
    assert "The invitation is declined." in to(letters, FRIEND).text


def test_nothing_fits_the_password_of_who_has_none(friends: World) -> None:
    friends.reply(invite(friends), "accept bobby")
    for password in ("!!!!!!", "!", "bobby-secret"):
        error = only(friends.mail("carol", f"tumble resign 101 bobby {password}"))
        assert "The password is not that of bobby." in error.text


def test_the_friend_chooses_his_name(friends: World) -> None:
    letter = invite(friends)
    for name, why in (("carol", "The name carol is taken."), ("x", "A name must have 2 to 20"), ("resign", "is taken")):
        error = to(friends.reply(letter, f"accept {name}"), FRIEND)
        assert why in error.text
    assert "accept carol-2" in to(friends.reply(letter, "accept carol"), FRIEND).text
    assert len(friends.reply(letter, "accept carol-2")) == 3
    assert friends.row(101).players[1].userid == "carol-2"


def test_please_is_no_name(friends: World) -> None:
    friends.reply(invite(friends), "accept please")
    assert friends.row(101).players[1].userid != "please"


def test_other_words_do_nothing(friends: World) -> None:
    letter = invite(friends)
    before = friends.dump()
    for words in ("accept my apologies", "I accept if you wait", "yes and no", "acc", "decline, sorry"):
        error = to(friends.reply(letter, words), FRIEND)
        assert "To play, answer with yes, or with accept and a name of your own." in error.flat
        assert friends.dump() == before


@pytest.mark.parametrize("name", ["hel", "lis"])
def test_a_subject_that_begins_like_a_command_is_none(friends: World, name: str) -> None:
    friends.signup(name)
    letter = to(friends.mail(name, f"tumble challenge {name} {FRIEND}"), FRIEND)
    assert letter.subject.startswith(f"{name} invites you")  # nearly a command
    assert friends.reply(letter, "accept")[0].subject == "Welcome"


def test_an_invitation_is_answered_once(friends: World) -> None:
    letter = invite(friends)
    friends.reply(letter, "accept")
    assert "That invitation is no longer open." in only(friends.reply(letter, "accept")).text
    assert friends.query(lambda s: s.board_lists.numbers()) == [101]


def test_decline_is_told_to_the_inviter(friends: World) -> None:
    letters = friends.reply(invite(friends), "Decline.")
    assert to(letters, "alice").subject == "Your invitation was declined"
    assert "tumble seek" in to(letters, "alice").text
    assert "The invitation is declined." in to(letters, FRIEND).text
    assert friends.query(lambda s: s.board_lists.numbers()) == []


@pytest.mark.parametrize("word", ["never", "Unsubscribe please"])
def test_never_holds_for_everybody_and_keeps_no_address(friends: World, word: str) -> None:
    letters = friends.reply(invite(friends), word)
    assert to(letters, "alice").subject == "Your invitation was declined"
    assert "No more invitations" in to(letters, FRIEND).text
    sweep(friends, 15)
    assert FRIEND.lower() not in friends.dump().lower()
    error = only(friends.mail("carol", f"tumble challenge carol {FRIEND.upper()}"))
    assert "The owner of that address does not want invitations." in error.text


def test_silence_ends_it_and_the_inviter_is_told(friends: World) -> None:
    letter = invite(friends)
    assert sweep(friends, 13) == []
    told = only(sweep(friends, 1))
    assert (told.to, told.subject) == ("alice@example.org", "Your invitation was not answered")
    assert sweep(friends, 1) == []
    assert "That invitation is no longer open." in only(friends.reply(letter, "accept")).text
    assert friends.query(lambda s: s.board_lists.numbers()) == []


def test_an_address_is_invited_once_a_week(friends: World) -> None:
    invite(friends)
    error = only(friends.mail("carol", f"3io challenge carol {FRIEND.lower()}"))
    assert "That address was invited less than a week ago." in error.text
    friends.now += timedelta(days=7)
    assert len(friends.mail("carol", f"3io challenge carol {FRIEND}")) == 2


def test_a_player_sends_five_invitations_a_day(friends: World) -> None:
    for n in range(5):
        assert len(friends.mail("alice", f"tumble challenge alice friend{n}@example.net")) == 2
    error = only(friends.mail("alice", "tumble challenge alice friend9@example.net"))
    assert "You can send 5 invitations a day." in error.text
    friends.now += timedelta(days=1)
    assert len(friends.mail("alice", "tumble challenge alice friend9@example.net")) == 2


def test_the_inviter_cannot_tell_whether_an_address_has_an_account(friends: World) -> None:
    friends.mail("carol", "tumble limit carol carol-secret 0")
    stranger = friends.mail("alice", "tumble challenge alice nobody@example.net")
    known = friends.mail("alice", "tumble challenge alice carol@example.org")
    mine = [to(letters, "alice") for letters in (stranger, known)]
    assert mine[0].text == mine[1].text
    assert mine[0].subject == mine[1].subject
    letter = to(known, "carol")
    assert "Your account here is carol." in letter.flat
    assert [x.subject for x in friends.reply(letter, "accept")] == ["Tumble Board 101 alice", "Tumble Board 101 carol"]


def test_who_shares_an_address_says_which_account_accepts(friends: World) -> None:
    friends.mail("carol", "signup dora dora-secret")
    letter = to(friends.mail("alice", "tumble challenge alice carol@example.org"), "carol")
    assert "accept carol" in letter.text
    error = only(friends.reply(letter, "accept"))
    assert "Your address has the accounts carol, dora." in error.text
    assert len(friends.reply(letter, "accept dora")) == 2


def test_an_invitation_for_more_than_two(friends: World) -> None:
    letter = invite(friends, f"3io challenge alice {FRIEND} carol --unrated")
    assert "Also on the board: carol." in letter.text
    letters = friends.reply(letter, "accept bob")
    assert [x.subject for x in letters[1:]] == [f"3io Board 101 {u}" for u in ("alice", "bob", "carol")]
    assert "unrated" in letters[1].text


def test_the_board_waits_until_nothing_stands_in_its_way(friends: World) -> None:
    letter = invite(friends, f"3io challenge alice {FRIEND} carol")
    friends.mail("carol", "3io limit carol carol-secret 0")
    before = friends.dump()
    error = to(friends.reply(letter, "accept"), FRIEND)
    assert "carol does not accept challenges in 3io." in error.text
    assert friends.dump() == before


def test_nobody_takes_two_seats_of_three(friends: World) -> None:
    letter = to(friends.mail("alice", "3io challenge alice carol@example.org carol"), "carol")
    before = friends.dump()
    assert "You already have a seat on that board. Answer with: decline" in only(friends.reply(letter, "accept")).flat
    assert friends.dump() == before


def test_on_a_public_server_an_invitation_needs_proof(strict_world: World) -> None:
    w = strict_world
    letters = w.mail("alice", "signup alice alice-secret")
    w.reply(next(x for x in letters if "yes" in x.text), "yes")
    assert "does not prove who sent this mail" in only(w.mail("alice", f"tumble challenge alice {FRIEND}")).text
    letters = w.mail("alice", f"tumble challenge alice {FRIEND} --as=alice:alice-secret")
    assert len(w.reply(to(letters, FRIEND), "accept", sender=FRIEND)) == 3
    assert w.query(lambda s: s.addresses.confirmed(FRIEND))


@pytest.mark.parametrize(
    ("line", "text", "hint"),
    [
        ("tumble challenge alice friend@", "not a valid mail address", "name@example.org"),
        ("tumble challenge alice pbmserv@games.example", "That is the address of this server.", "of a friend"),
        (
            "3io challenge alice a@example.net b@example.net",
            "You can invite only one address at a time.",
            "write their userids",
        ),
        ("tumble challenge carol a@example.net", "only to your own boards", "tumble challenge alice ADDRESS"),
        ("threes challenge a@example.net", "only to your own boards", "threes challenge alice"),
        ("threes challenge alice a@example.net", "Threes is for 1 player", "threes challenge alice"),
        (
            "tumble challenge alice carol a@example.net",
            "Tumbling Down is for 2 players, not for 3.",
            "tumble challenge",
        ),
        (
            "3io challenge alice alice a@example.net",
            "One player cannot have two seats on this board.",
            "each player once",
        ),
    ],
)
def test_errors_name_the_cause_and_the_way_out(friends: World, line: str, text: str, hint: str) -> None:
    before = friends.dump()
    error = only(friends.mail("alice", line))
    assert text in error.flat
    assert hint in error.flat
    assert friends.dump() == before


def test_a_seek_lapses_and_those_who_waited_are_told(friends: World) -> None:
    friends.mail("alice", "3io seek alice alice-secret --seats=3")
    friends.mail("carol", "3io join 1 carol carol-secret")
    assert sweep(friends, 29) == []
    letters = sweep(friends, 2)
    assert {x.to for x in letters} == {"alice@example.org", "carol@example.org"}
    assert "3io seek carol PASSWORD" in to(letters, "carol").text
    assert sweep(friends, 1) == []
    assert "Open seeks" not in only(friends.mail("alice", "list")).text
