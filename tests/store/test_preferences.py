"""The preferences of a player: one row each, read once, and used by name."""

from pbmserv.model.preferences import SPOKEN, Preferences
from tests.world import World


def test_who_has_set_nothing_has_the_usual_preferences(world: World) -> None:
    world.signup("alice")
    usual = {world.player("alice").id: Preferences()}
    assert world.query(lambda s: s.players.preferences([world.player("alice").id])) == usual


def test_what_was_set_is_read(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret own=off digest=daily mail=text timezone=berlin")
    world.mail("alice", "tumble set alice alice-secret u")
    world.mail("alice", "threes limit alice alice-secret 3")
    alice, bob = world.player("alice").id, world.player("bob").id
    found = world.query(lambda s: s.players.preferences([alice, bob]))
    assert found[bob] == Preferences()
    mine = found[alice]
    assert (mine.wants_own, mine.wants_digest, mine.wants_html) == (False, True, False)
    assert (mine.timezone, mine.limit("threes"), mine.limit("tumble")) == ("Europe/Berlin", "3", None)
    assert (mine.display("tumble"), mine.display("town")) == ("u", "")


def test_boards_in_words_come_before_every_display() -> None:
    assert Preferences({("", "mail"): "spoken", ("tumble", "display"): "u"}).display("tumble") == SPOKEN


def test_a_setting_of_another_version_is_left_out(world: World) -> None:
    world.signup("alice")
    [before] = world.mail("alice", "set alice alice-secret")
    alice = world.player("alice").id
    world.act(lambda s: s.players.set_preference(alice, "", "shoe_size", "44"))
    [after] = world.mail("alice", "set alice alice-secret")
    assert after.text == before.text
