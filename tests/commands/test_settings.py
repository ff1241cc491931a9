"""`set userid password name=value …`."""

import pytest

from pbmserv.store import Store
from tests.world import World


def test_without_a_setting_all_are_listed_with_what_they_mean(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("alice", "set alice alice-secret")
    for line in (
        "* mail=html               letters in plain text and in HTML",
        "  mail=text               letters in plain text alone",
        "* own=on",
        "* digest=off",
        "* timezone=UTC",
        "* broadcasts=off",
        "You have blocked nobody.",
    ):
        assert line in letter.text


def test_several_settings_at_once(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("alice", "set alice alice-secret OWN=off digest=daily Broadcasts=ON")
    for line in ("* own=off", "* digest=daily", "* broadcasts=on"):
        assert line in letter.text


def test_own_off_keeps_back_letters_about_own_moves(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    world.mail("alice", "set alice alice-secret own=off")
    letters = world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
    assert [x.to for x in letters] == ["bob@example.org"]


def test_mail_text_makes_every_letter_plain(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    assert world.mail("alice", "games")[0].message.get_content_type() == "multipart/alternative"
    world.mail("alice", "set alice alice-secret mail=text")
    letters = world.mail("alice", "games") + world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
    types = {(x.to, x.message.get_content_type()) for x in letters}
    assert types == {("alice@example.org", "text/plain"), ("bob@example.org", "multipart/alternative")}
    world.mail("alice", "set alice alice-secret mail=html")
    assert world.mail("alice", "games")[0].message.get_content_type() == "multipart/alternative"


@pytest.mark.parametrize("word", ["europe/berlin", "Europe/Berlin", "berlin"])
def test_times_are_shown_in_the_players_zone(world: World, word: str) -> None:
    world.board("alice", "bob", options="-c")
    world.mail("alice", f"set alice alice-secret timezone={word}")
    [mine] = world.mail("alice", "list")
    [his] = world.mail("bob", "list")
    assert "01 Mar 13:00" in mine.text
    assert "01 Mar 12:00" in his.text


def test_an_unknown_zone_is_answered_with_the_nearest_ones(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("alice", "set alice alice-secret timezone=europe/berlni")
    assert "Did you mean: Europe/Berlin" in letter.text
    assert "set alice PASSWORD timezone=Europe/Berlin" in letter.text
    [nothing] = world.mail("alice", "set alice alice-secret timezone=!!!")
    assert "set alice PASSWORD timezone=Europe/Berlin" in nothing.text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("mail=loud", "Write: mail=html or mail=text or mail=spoken"),
        ("own=maybe", "Write: own=on or own=off"),
        ("colour=red", "Available: mail, spelling, own, digest, subject, pictures, turn, attach,"),
        ("mail", "A setting is written as NAME=VALUE."),
        ("mail=", "Send for example: set alice PASSWORD mail=html"),
        ("block=alice", "You cannot block yourself."),
        ("block=nobody", "There is no"),
    ],
)
def test_what_is_no_setting_is_answered_with_what_is_one(world: World, words: str, says: str) -> None:
    world.signup("alice")
    before = world.dump()
    [letter] = world.mail("alice", f"set alice alice-secret own=off {words}")
    assert says in letter.text
    assert world.dump() == before


def test_settings_need_the_password(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("mallory", "set alice wrong-secret mail=text")
    assert "The password is not that of alice." in letter.text


def test_a_blocked_players_words_do_not_arrive(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    world.mail("bob", "set bob bob-secret block=alice")
    letters = world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t", "You are a fish!")
    [to_bob] = [x for x in letters if x.to.startswith("bob")]
    assert "fish" not in to_bob.text
    assert to_bob.first_line == "Your move, bob."
    world.mail("bob", "set bob bob-secret unblock=alice")
    letters = world.mail("bob", f"tumble move {number} bob bob-secret a5-b4t", "Me?")
    assert "Me?" in "".join(x.text for x in letters)


@pytest.mark.both
def test_a_blocked_player_cannot_challenge_and_is_not_told_why(world: World) -> None:
    world.signup("alice", "bob")
    [settings] = world.mail("bob", "set bob bob-secret block=alice")
    assert "You have blocked: alice." in settings.text
    [letter] = world.mail("alice", "tumble challenge alice bob")
    assert "bob does not accept challenges in Tumbling Down." in letter.text
    assert "block" not in letter.text
    world.mail("bob", "set bob bob-secret unblock=alice")
    assert len(world.mail("alice", "tumble challenge alice bob")) == 2


def test_at_most_a_hundred_players_are_blocked(world: World) -> None:
    world.signup("alice", "bob")

    def block_many(store: Store) -> None:
        for n in range(100):
            store.readers.add_block(1, store.players.add(f"p{n}", "-", world.now).id)

    world.act(block_many)
    [letter] = world.mail("alice", "set alice alice-secret block=bob")
    assert "at most 100 players" in letter.text
    assert "unblock=USERID" in letter.text


def test_a_blocked_player_cannot_join_a_seek_and_his_chat_does_not_arrive(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    world.mail("bob", "set bob bob-secret block=alice")
    world.mail("bob", "tumble seek bob bob-secret")
    [letter] = world.mail("alice", "tumble join 1 alice alice-secret")
    assert "Seek 1 cannot be joined at the moment." in letter.text
    assert "block" not in letter.text
    letters = world.mail("alice", f"tumble chat {number} alice alice-secret", "You are a fish!")
    assert [x.to for x in letters] == ["alice@example.org"]
