"""`change password`, `forgot`, and the answer to the reset letter."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from tests.world import Received, World


def _knows(world: World, userid: str, password: str) -> bool:
    """Whether this is the password of the account."""
    [letter] = world.mail(userid, f"vacation {userid} {password}")
    return letter.subject == "Vacation"


def _reset_letter(world: World) -> Received:
    [letter] = [x for x in world.mail("alice", "forgot alice") if x.subject == "Your new password"]
    return letter


def test_a_new_password_takes_the_place_of_the_old_one(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("alice", "change password alice alice-secret New-Secret")
    assert "your password is changed" in letter.text
    assert _knows(world, "alice", "New-Secret")
    assert not _knows(world, "alice", "new-secret")


def test_a_remembered_password_is_worth_nothing_once_it_was_changed(world: World) -> None:
    world.signup("alice")
    assert _knows(world, "alice", "alice-secret")
    world.mail("alice", "change password alice alice-secret new-secret")
    assert not _knows(world, "alice", "alice-secret")


def test_a_password_that_was_changed_in_the_same_mail_is_worth_nothing_on_the_next_line(world: World) -> None:
    world.signup("alice")
    lines = "change password alice alice-secret new-secret\nvacation alice alice-secret\n"
    [letter] = world.mail("alice", "multiple", lines)
    assert "The password is not that of alice." in letter.text


def test_all_addresses_are_told_that_the_password_changed(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "add alice alice-secret second@example.org")
    letters = world.mail("alice", "change password alice alice-secret new-secret")
    assert {x.to for x in letters} == {"alice@example.org", "second@example.org"}
    assert all("forgot alice" in x.text for x in letters)


def test_a_wrong_old_password_changes_nothing(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("alice", "change password alice wrong-secret new-secret")
    assert "The password is not that of alice." in letter.text
    assert "Write it like this: change password userid old new" in letter.text
    assert _knows(world, "alice", "alice-secret")


def test_a_password_cannot_be_changed_to_itself_or_to_a_bad_one(world: World) -> None:
    world.signup("alice")
    [same] = world.mail("alice", "change password alice alice-secret alice-secret")
    assert "The new password is the same as the old one." in same.text
    [short] = world.mail("alice", "change password alice alice-secret short")
    assert "A password must have 6 to 128 characters" in short.text
    assert "short" not in short.text
    assert _knows(world, "alice", "alice-secret")


def test_neither_password_is_written_down(world: World) -> None:
    world.signup("alice")
    letters = world.mail("alice", "change password alice alice-secret Canary-4711")
    assert "Canary-4711" not in "".join(x.text for x in letters)
    with world.engine.connect() as connection:
        assert "Canary-4711" not in str(list(connection.execute(sa.select(tables.mail))))


def test_a_forgotten_password_is_reset_by_answering_the_letter(world: World) -> None:
    world.signup("alice")
    letter = _reset_letter(world)
    assert "the new password alone on the first line" in letter.flat
    [done] = world.reply(letter, "Brand-New-1")
    assert "your password is changed" in done.text
    assert "Brand-New-1" not in done.text
    assert _knows(world, "alice", "Brand-New-1")
    assert not _knows(world, "alice", "alice-secret")


def test_a_reset_letter_works_once(world: World) -> None:
    world.signup("alice")
    letter = _reset_letter(world)
    world.reply(letter, "first-new-1")
    [again] = world.reply(letter, "second-new-2")
    assert "You cannot use that letter" in again.text
    assert "forgot USERID" in again.text
    assert _knows(world, "alice", "first-new-1")


def test_a_reset_letter_is_good_for_an_hour(world: World) -> None:
    world.signup("alice")
    letter = _reset_letter(world)
    world.now += timedelta(minutes=61)
    [late] = world.reply(letter, "brand-new-1")
    assert "older than an hour" in late.text
    assert _knows(world, "alice", "alice-secret")


def test_a_later_reset_letter_takes_the_place_of_an_earlier_one(world: World) -> None:
    world.signup("alice")
    first, second = _reset_letter(world), _reset_letter(world)
    [refused] = world.reply(first, "brand-new-1")
    assert "there is a newer one" in refused.text
    world.reply(second, "brand-new-2")
    assert _knows(world, "alice", "brand-new-2")


def test_changing_the_password_makes_a_reset_letter_worthless(world: World) -> None:
    world.signup("alice")
    letter = _reset_letter(world)
    world.mail("alice", "change password alice alice-secret new-secret")
    world.reply(letter, "brand-new-1")
    assert _knows(world, "alice", "new-secret")


def test_a_first_line_that_is_no_password_leaves_the_letter_unused(world: World) -> None:
    world.signup("alice")
    letter = _reset_letter(world)
    for line in ("Hello there", "short", "with:colon"):
        [refused] = world.reply(letter, line)
        assert "nothing was changed" in refused.text
        assert line not in refused.text
    world.reply(letter, "brand-new-1")
    assert _knows(world, "alice", "brand-new-1")


@pytest.mark.both
def test_a_signed_address_with_another_number_resets_nothing(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "forgot alice")
    forged = world.site.signer.sign("r", 4711)
    [refused] = world.mail("alice", "Re: Your new password", "brand-new-1", to=forged)
    assert "You cannot use that letter" in refused.text
    assert _knows(world, "alice", "alice-secret")


def test_only_the_hash_of_a_token_is_stored(world: World) -> None:
    world.signup("alice")
    signed = world.site.signer.read(_reset_letter(world).reply_to)
    assert signed is not None
    with world.engine.connect() as connection:
        [token] = list(connection.execute(sa.select(tables.token)))
    assert len(token.digest) == 64
    assert str(signed.numbers[0]) not in str(token)


def test_the_answer_is_the_same_for_every_userid(strict_world: World) -> None:
    strict_world.mail("alice", "signup alice alice-secret")
    strict_world.mail("carol", "signup carol carol-secret")
    [question] = [x for x in strict_world.mail("bob", "signup bob bob-secret") if x.subject.startswith("Please")]
    strict_world.reply(question, "yes")
    texts = {x.text for u in ("alice", "nobody") for x in strict_world.mail("bob", f"forgot {u}") if x.to[0] == "b"}
    assert len(texts) == 1
    letters = strict_world.mail("bob", "forgot bob")
    assert {x.text for x in letters if x.subject == "Forgotten password"} == texts


def test_the_letter_goes_to_confirmed_addresses_only(strict_world: World) -> None:
    strict_world.mail("alice", "signup alice alice-secret")
    assert [x.subject for x in strict_world.mail("mallory", "forgot alice")] == ["How to play by mail"]


def test_the_letter_goes_to_the_player_and_not_to_who_asks(world: World) -> None:
    world.signup("alice", "mallory")
    letters = world.mail("mallory", "forgot alice")
    assert {(x.to, x.subject) for x in letters} == {
        ("alice@example.org", "Your new password"),
        ("mallory@example.org", "Forgotten password"),
    }


def test_at_most_three_reset_letters_a_day(world: World) -> None:
    world.signup("alice")
    counts = [len(world.mail("alice", "forgot alice")) for _ in range(4)]
    assert counts == [2, 2, 2, 1]
    world.now += timedelta(days=1)
    assert len(world.mail("alice", "forgot alice")) == 2
