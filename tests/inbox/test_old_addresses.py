"""After a new password, the addresses in older letters and links act no more: whoever has them gets nothing."""

import pytest

from pbmserv.mail.signed_addresses import offered_move
from tests.commands.answers import run, status, to
from tests.world import Received, World

pytestmark = pytest.mark.sqlite

NEW = "change password alice alice-secret new-secret"


@pytest.fixture
def letter(world: World) -> Received:
    """The letter to alice that it is her turn, from before there were epochs: its address has none."""
    return world.once(_begin)


def _begin(world: World) -> Received:
    world.signup("alice", "bob")
    letter = to(run(world, "alice", "tumble challenge alice bob -c"), "alice")
    assert letter.reply_to.startswith("pbmserv+b101.0.0.")
    return letter


def change(world: World, line: str = NEW) -> None:
    world.mail("alice", line)
    assert status(world) == "done"


def fresh(world: World, letter: Received, line: str) -> Received:
    """Answer an old letter, as somebody else might, which changes nothing; returns the letter that its owner gets."""
    before = world.row()
    letters = world.mail("spy@example.com", f"Re: {letter.subject}", line, to=letter.reply_to)
    assert world.row() == before
    assert [x.to for x in letters] == ["alice@example.org"]
    assert "You have set another password since that letter, so nothing was done." in letters[0].flat
    return letters[0]


@pytest.mark.parametrize("line", ["h4-g5t", "resign", "propose", "help", "show", "nonsense", "chat"])
def test_an_old_address_is_answered_with_a_new_letter_to_its_owner(world: World, letter: Received, line: str) -> None:
    change(world)
    new = fresh(world, letter, line)
    assert new.reply_to != letter.reply_to
    world.reply(new, "h4-g5t")
    assert world.row().board.ply == 1


def test_an_old_address_works_until_the_password_is_changed(world: World, letter: Received) -> None:
    world.reply(letter, "h4-g5t")
    assert world.row().board.ply == 1


def test_an_old_offer_acts_no_more(world: World, letter: Received) -> None:
    (offer,) = world.reply(letter, "h4-g5t perhaps")
    token = world.site.signer.read(offer.reply_to)
    assert token is not None
    assert offered_move(token.numbers[-1]) == "h4-g5t"
    change(world)
    (again,) = world.reply(fresh(world, offer, "yes"), "h4-g5t perhaps")
    world.reply(again, "yes")
    assert world.row().board.ply == 1
    change(world, "change password alice new-secret third-secret")
    world.now = world.now.replace(hour=20)
    assert "another password" in to(world.mail("spy@example.com", "Re: x", "yes", to=again.reply_to), "alice").flat


@pytest.mark.parametrize("sender", ["alice", "bob", "spy@example.com"])
def test_an_old_digest_is_answered_with_its_new_address_to_its_owner(
    world: World, letter: Received, sender: str
) -> None:
    alice = world.player("alice")
    digest = world.act(lambda s: s.readers.add_digest(alice.id, [(101, 0, 0)], world.now))
    old = world.site.signer.digest(digest, None)
    change(world)
    (new,) = world.mail(sender, "Re: Digest", "101: h4-g5t", to=old)
    assert world.row().board.ply == 0
    assert new.to == "alice@example.org"
    assert "another password since that letter, so nothing was done. This letter has a new reply" in new.flat
    assert world.mail(sender, "Re: Digest", "101: h4-g5t", to=old) == []  # one in an hour
    world.reply(new, "101: h4-g5t")
    assert world.row().board.ply == 1


def test_whoever_has_an_old_address_cannot_send_letters_without_end(world: World, letter: Received) -> None:
    change(world)
    fresh(world, letter, "resign")
    assert world.mail("spy@example.com", "Re: x", "resign", to=letter.reply_to) == []


def test_a_lock_is_no_new_password(world: World, letter: Received) -> None:
    alice = world.player("alice")
    world.act(lambda s: s.players.set_lock(alice.id, f"!{alice.password_hash}"))
    world.act(lambda s: s.players.set_lock(alice.id, str(alice.password_hash)))
    world.reply(letter, "h4-g5t")
    assert world.row().board.ply == 1
