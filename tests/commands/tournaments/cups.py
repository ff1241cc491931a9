"""Tournaments for the tests of commands: announced by mail, and entered by mail."""

from tests.world import Received, World

LEAGUE = "hex tournament alice alice-secret new --form=league --start=2026-03-10"


def allowed(world: World, *userids: str) -> World:
    """Open accounts. The first player may announce tournaments, and all others get broadcasts."""
    world.signup(*userids)
    organiser = world.player(userids[0]).id
    world.act(lambda s: s.players.set_preference(organiser, "", "organiser", "yes"))
    for userid in userids[1:]:
        world.mail(userid, f"set {userid} {userid}-secret broadcasts=on")
    return world


def announced(world: World, line: str = LEAGUE) -> list[Received]:
    """Announce a tournament, and return the announcements and the answer to alice."""
    return world.mail("alice", line)
