"""The preferences of a player: read once, and used by name."""

from pbmserv.commands.settings import PREFERENCES
from pbmserv.letters.preferences import Preferences, read_preferences
from pbmserv.letters.text.templates import SPOKEN
from tests.world import World


def test_every_setting_is_an_attribute_whose_default_is_the_usual_value() -> None:
    assert {p.name: p.usual for p in PREFERENCES} == {p.name: getattr(Preferences(), p.name) for p in PREFERENCES}


def test_who_has_set_nothing_has_the_usual_preferences(world: World) -> None:
    world.signup("alice")
    usual = {world.player("alice").id: Preferences()}
    assert world.query(lambda s: read_preferences(s, [world.player("alice").id])) == usual


def test_what_was_set_is_read(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret own=off digest=daily mail=text timezone=berlin")
    world.mail("alice", "tumble set alice alice-secret u")
    world.mail("alice", "threes limit alice alice-secret 3")
    alice, bob = world.player("alice").id, world.player("bob").id
    found = world.query(lambda s: read_preferences(s, [alice, bob]))
    assert found[bob] == Preferences()
    mine = found[alice]
    assert (mine.wants_own, mine.wants_digest, mine.wants_html) == (False, True, False)
    assert (mine.timezone, mine.limits) == ("Europe/Berlin", {"threes": "3"})
    assert (mine.display("tumble"), mine.display("town")) == ("u", "")


def test_boards_in_words_come_before_every_display() -> None:
    assert Preferences(mail="spoken", displays={"tumble": "u"}).display("tumble") == SPOKEN


def test_a_setting_of_another_version_is_left_out(world: World) -> None:
    world.signup("alice")
    alice = world.player("alice").id
    for game, name in (("", "shoe_size"), ("", "displays"), ("tumble", "shoe_size")):
        world.act(lambda s, game=game, name=name: s.players.set_preference(alice, game, name, "44"))  # type: ignore[misc]
    assert world.query(lambda s: read_preferences(s, [alice])) == {alice: Preferences()}
