"""Seasons with real boards, some of which were played: they begin and end as the clock does it, without letters."""

from typing import Any

from pbmserv.boards.seasons import beginning, endings, rounds
from pbmserv.model import Phase
from pbmserv.store import Store
from tests.boards.seasons.events import announced, entered, tournament
from tests.world import World

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "gina")


def begun(world: World, form: str = "league", userids: tuple[str, ...] = NAMES[:5], **changes: Any) -> int:
    """Begin a season with all boards of its first round, and return the number of the tournament."""
    number = announced(world, form, **changes)
    if teams := changes.get("teams"):
        for n, userid in enumerate(userids):
            entered(world, number, userid, team=teams[n % 2])
    else:
        entered(world, number, *userids)
    world.now = tournament(world, number).plan.start
    world.act(lambda s: rounds.begin_season(s, number, world.now))
    draw(world, number)
    return number


def draw(world: World, number: int) -> None:
    """Draw the next round and begin its boards; if there is none, the season ends."""

    def do(store: Store) -> None:
        while found := rounds.read(store, number):
            if not found.tournament.round:
                rounds.write_divisions(store, found, rounds.divided(found))
                continue
            rounds.write_pairings(store, found, rounds.drawn(found), world.now)
        here = store.tournaments.find(number)
        assert here
        for pairing in store.tournaments.to_begin(number, here.season, 500):
            beginning.begin(store, here, pairing, world.now)
        if here.phase is Phase.ENDING:
            while endings.write_some_places(store, number):
                pass
            renewed = endings.renewed(store, number)
            assert renewed
            endings.end_season(store, *renewed)

    world.act(do)


def resign_all(world: World, number: int, *losers: str) -> None:
    """Let the second player of each board that runs resign; those of `losers` resign all their boards."""
    here = tournament(world, number)
    for pairing in world.query(lambda s: s.tournaments.pairings(number, here.season)):
        if pairing.board is None or pairing.decided:
            continue
        players = [p.userid for p in world.row(pairing.board).players]
        loser = next((userid for userid in losers if userid in players), players[1])
        world.mail(loser, f"tumble resign {pairing.board} {loser} {loser}-secret")


def _go_on(world: World, number: int, round_: int) -> None:
    world.act(lambda s: s.tournaments.change(number, phase=Phase.DRAWING, round=round_))


def end_season(world: World, number: int, *losers: str) -> None:
    """Play all rounds of a season, and end it."""
    season = tournament(world, number).season
    for _ in range(20):
        here = tournament(world, number)
        if not here.has_begun or here.season > season:
            return
        resign_all(world, number, *losers)
        _go_on(world, number, here.round + 1)
        draw(world, number)
    raise AssertionError("the season does not end")
