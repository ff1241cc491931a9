"""Tournaments for tests: announced, entered and begun without letters or the clock."""

from datetime import timedelta
from itertools import combinations
from typing import Any

from pbmserv import games
from pbmserv.boards.seasons import announcing, beginning, taking_part
from pbmserv.model import EntrantRow, NewPairing, PairingRow, Phase, Settings, TournamentPlan, TournamentRow
from pbmserv.store import Store
from tests.world import World


def announced(world: World, form: str = "league", **changes: Any) -> int:
    """Announce a tournament that begins in a week, and return its number."""
    game = games.find("tumble")
    known = {"game": "tumble", "name": "The cup", "form": form, "options": {}, "settings": Settings(), "size": 9}
    plan = TournamentPlan(**{**known, "start": world.now + timedelta(days=7), **changes})
    return world.act(lambda s: announcing.create(s, game, plan, None, world.now)).number


def entered(world: World, number: int, *userids: str, team: str = "") -> None:
    """Let players enter; those who have no account yet get one."""
    known = world.query(lambda s: s.players.userids())
    world.signup(*(u for u in userids if u not in known))
    for userid in userids:
        player = world.player(userid)
        world.act(lambda s, p=player: taking_part.join(s, number, p, world.now, team))  # type: ignore[misc]


def begun(world: World, *userids: str, form: str = "league", **changes: Any) -> int:
    """Begin a season in which the first player meets all others, and return the number of the tournament."""
    number = announced(world, form, **changes)
    entered(world, number, *userids)
    players = [world.player(u).id for u in userids]

    def begin(store: Store) -> None:
        store.tournaments.change(number, phase=Phase.PLAYING, season=1, round=1)
        if form == "ladder":
            for rung, entrant in enumerate(store.tournaments.entrants(number, 1), start=1):
                store.tournaments.change_entrant(entrant.id, rung=rung)
            return
        for entrant in store.tournaments.entrants(number, 1):
            store.tournaments.change_entrant(entrant.id, division=1)
        store.tournaments.pair(number, 1, [NewPairing(1, 1, players[0], other) for other in players[1:]], world.now)
        for pairing in store.tournaments.to_begin(number, 1, 10):
            assert beginning.begin(store, announcing.demand(store, number), pairing, world.now)

    world.act(begin)
    return number


def everybody_meets(world: World, *userids: str) -> int:
    """Begin a league of one division, and return its number. Whoever comes earlier has the first seat."""
    number = announced(world)
    entered(world, number, *userids)
    players = [world.player(u).id for u in userids]

    def begin(store: Store) -> None:
        store.tournaments.change(number, phase=Phase.PLAYING, season=1, round=1)
        store.tournaments.divide([(e.id, 1) for e in store.tournaments.entrants(number, 1)])
        new = [NewPairing(1, 1, first, second) for first, second in combinations(players, 2)]
        store.tournaments.pair(number, 1, new, world.now)
        for pairing in store.tournaments.to_begin(number, 1, len(new)):
            assert beginning.begin(store, announcing.demand(store, number), pairing, world.now)

    world.act(begin)
    return number


def tournament(world: World, number: int = 1) -> TournamentRow:
    """Return a tournament, which must exist."""
    return world.query(lambda s: announcing.demand(s, number))


def pairing(world: World, board: int = 101) -> PairingRow:
    """Return the pairing of a board, which must exist."""
    found = world.query(lambda s: s.tournaments.pairing_of(board))
    assert found is not None
    return found


def entrants(world: World, number: int = 1, season: int = 1) -> dict[str, EntrantRow]:
    """Return who takes part or took part in a season, by userid."""
    return {e.player.userid: e for e in world.query(lambda s: s.tournaments.entrants(number, season))}


def ladder(world: World, number: int = 1) -> list[str]:
    """Return the userids on a ladder from the top, after checking that its rungs have no gaps."""
    here = sorted((e for e in entrants(world, number).values() if not e.out), key=lambda e: e.rung)
    assert [e.rung for e in here] == list(range(1, len(here) + 1))
    return [e.player.userid for e in here]
