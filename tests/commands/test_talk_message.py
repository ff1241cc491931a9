"""`message` and `broadcast`: who gets the words, and how often you can send them."""

from datetime import timedelta

import pytest

from pbmserv.commands import talk
from tests.world import Received, World


def _to(letters: list[Received], userid: str) -> list[Received]:
    return [x for x in letters if x.to == f"{userid}@example.org"]


def test_each_reader_gets_a_letter_of_his_own_and_no_address(world: World) -> None:
    world.signup("alice", "bob", "carol")
    letters = world.mail("alice", "message alice alice-secret bob carol bob", "Shall we play?\n\nOn Friday.")
    [to_bob], [to_carol] = _to(letters, "bob"), _to(letters, "carol")
    assert to_bob.subject == "A message from alice"
    assert "alice writes to you, bob:\n    Shall we play?" in to_bob.text
    assert "message bob PASSWORD alice" in to_bob.text
    assert "message carol PASSWORD alice" in to_carol.text
    for letter in (to_bob, to_carol):
        assert "alice@example.org" not in letter.message.as_string()
    [answer] = _to(letters, "alice")
    assert answer.text == "Your message was sent to: bob, carol\n"


def test_a_player_with_several_addresses_gets_the_message_at_each(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("bob", "add bob bob-secret second@example.org")
    letters = world.mail("alice", "message alice alice-secret bob", "Hello")
    assert len(_to(letters, "bob")) == len(_to(letters, "second")) == 1


@pytest.mark.both
def test_who_has_blocked_the_sender_gets_nothing_and_the_sender_is_not_told(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("bob", "set bob bob-secret block=alice broadcasts=on")
    (told,) = world.mail("alice", "message alice alice-secret bob", "Hello")
    assert (told.to, told.first_line) == ("alice@example.org", "Your message was sent to: bob")
    assert _to(world.mail("alice", "broadcast alice alice-secret", "Hello all"), "bob") == []


@pytest.mark.parametrize("line", ["message alice alice-secret bob", "broadcast alice alice-secret"])
def test_words_are_needed(world: World, line: str) -> None:
    world.signup("alice", "bob")
    before = world.dump()
    for letters in (
        world.mail("alice", line),
        world.mail("alice", line, "  \n"),
        world.mail("alice", "multiple", line),
    ):
        assert "Your message is empty: it belongs in the body of the mail." in letters[0].flat
        assert [x.to for x in letters] == ["alice@example.org"]
    assert world.dump() == before


def test_everybody_who_does_not_exist_is_named_and_nobody_gets_anything(world: World) -> None:
    world.signup("alice", "bob")
    letters = world.mail("alice", "message alice alice-secret bob bbo xyz", "Hello")
    [letter] = letters
    assert "There is no player 'bbo'." in letter.text
    assert "There is no player 'xyz'." in letter.text
    assert "Did you mean: bob" in letter.text
    assert "Nothing was sent." in letter.text
    assert "For example: message alice PASSWORD bob" in letter.text


def test_a_message_has_at_most_ten_readers(world: World) -> None:
    world.signup("alice")
    world.act(lambda s: [s.players.add(f"p{n}", "-", world.now) for n in range(11)])
    many = " ".join(f"p{n}" for n in range(11))
    [letter] = world.mail("alice", f"message alice alice-secret {many}", "Hello")
    assert "A message can go to at most 10 players." in letter.text
    strangers = " ".join(f"q{n}" for n in range(11))  # too many: no names are suggested for them
    [letter] = world.mail("alice", f"message alice alice-secret {strangers}", "Hello")
    assert "A message can go to at most 10 players." in letter.text
    letters = world.mail("alice", f"message alice alice-secret {'p1 ' * 11}", "Hello")
    assert "sent to: p1" in letters[-1].text


def test_fifty_messages_a_day(world: World) -> None:
    world.signup("alice")
    world.act(lambda s: [s.players.add(f"p{n}", "-", world.now) for n in range(10)])
    many = " ".join(f"p{n}" for n in range(10))
    for _ in range(5):
        [letter] = world.mail("alice", f"message alice alice-secret {many}", "Hello")
        assert letter.subject == "Message"
    [refused] = world.mail("alice", "message alice alice-secret p1", "Hello")
    assert "You can write messages to 50 players a day." in refused.text
    assert "You can do it again after 2026-03-02 12:01 UTC." in refused.text
    world.now += timedelta(days=1)
    [letter] = world.mail("alice", "message alice alice-secret p1", "Hello")
    assert letter.subject == "Message"


def test_messages_need_the_password(world: World) -> None:
    world.signup("alice", "bob")
    for line in ("message alice wrong-secret bob", "broadcast alice wrong-secret"):
        [letter] = world.mail("mallory", line, "Hello")
        assert "The password is not that of alice." in letter.text


def test_a_broadcast_goes_to_all_who_want_it_and_not_to_its_sender(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.signup("alice", "bob", "carol")
    for userid in ("alice", "bob"):
        world.mail(userid, f"set {userid} {userid}-secret broadcasts=on")
    letters = world.mail("alice", "broadcast alice alice-secret", "Who plays 3io?")
    assert {x.to for x in letters if x.subject == "From alice to everybody"} == {"bob@example.org"}
    world.mail("dave", "signup dave dave-secret")
    for userid, setting in (("carol", "broadcasts=on"), ("dave", "broadcasts=on"), ("carol", "block=bob")):
        world.mail(userid, f"set {userid} {userid}-secret {setting}")
    monkeypatch.setattr(talk, "_AT_ONCE", 1)
    told = world.mail("bob", "broadcast bob bob-secret", "I do.")
    assert {x.to for x in told if x.subject == "From bob to everybody"} == {"alice@example.org", "dave@example.org"}
    [to_bob] = _to(letters, "bob")
    assert "    Who plays 3io?" in to_bob.text
    assert "broadcasts=off" in to_bob.text


def test_one_broadcast_a_day(world: World) -> None:
    world.signup("alice")
    [first] = world.mail("alice", "broadcast alice alice-secret", "Hello")
    [second] = world.mail("alice", "broadcast alice alice-secret", "Hello")
    assert first.subject == "Broadcast"
    assert "You can send one broadcast a day." in second.text
    world.now += timedelta(days=1)
    [third] = world.mail("alice", "broadcast alice alice-secret", "Hello")
    assert third.subject == "Broadcast"


def test_the_welcome_letter_offers_broadcasts(world: World) -> None:
    [welcome] = world.mail("alice", "signup alice alice-secret")
    assert "set alice PASSWORD broadcasts=on" in welcome.flat
