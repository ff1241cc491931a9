"""A season with many players: with leavers, forfeits, vacations, bounces and an absence of the server."""

import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import combinations

import pytest
import sqlalchemy as sa

from pbmserv import games
from pbmserv.boards.clocks.deadlines import DAY
from pbmserv.boards.seasons import announcing, taking_part
from pbmserv.boards.seasons.removal import AFTER_WARNING
from pbmserv.db import tables
from pbmserv.model import EntrantRow, Out, PairingRow, Phase, Settings, TournamentPlan, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.forms.league import LARGEST, SMALLEST
from tests.examples import SOAK
from tests.promises.seasons.crowd import Crowd, Habits, habits
from tests.world import World

pytestmark = [pytest.mark.slow, pytest.mark.sqlite, pytest.mark.timeout(1200)]

SIZE = 9
DIVISIONS = 4 if SOAK == 1 else 111
PLAYERS = DIVISIONS * SIZE
FORFEIT, AWAY = 8.0, 6.0  #: days: the time for a turn; how long the server is down
_LONGEST = 200  #: days; a season that takes longer does not end


def test_a_season_of_many_players(world: World) -> None:
    chance = random.Random(18)
    userids = [f"player{n}" for n in range(PLAYERS)]
    world.signup(*userids)
    world.allow(letters_days=2 * _LONGEST)  # they are counted at the end
    crowd = Crowd(world, habits(userids, chance), chance)
    _announce(world)
    _begin(crowd)
    while _tournament(world).season == 1 and _tournament(world).phase is not Phase.WAITING:
        if crowd.day == 5:
            swept = crowd.absence(AWAY)
            assert (swept.shifted, swept.forfeits) == (AWAY * DAY, 0), "nobody loses because the server was down"
        crowd.live()
        assert crowd.day < _LONGEST
    _check_pairings(world)
    _check_habits(world, crowd.habits)
    _check_letters(world, crowd.habits)
    assert crowd.most <= LARGEST - 1
    assert world.differences() == []
    _check_next_season(crowd)


def _announce(world: World) -> None:
    """Announce a league, and let all players enter it."""
    plan = TournamentPlan(
        *("tumble", "The thousand", "league", {}, Settings(forfeit=FORFEIT, vacation=14.0)),
        *(world.now + timedelta(days=1), SIZE),
    )

    def do(store: Store) -> None:
        announcing.create(store, games.find("tumble"), plan, None, world.now)
        for n in range(PLAYERS):
            player = store.players.find(f"player{n}")
            assert player is not None
            taking_part.join(store, 1, player, world.now)

    world.act(do)


def _begin(crowd: Crowd) -> None:
    """Let the clock begin all boards, which may take several runs. Each player gets one letter about it."""
    world = crowd.world
    world.now = _tournament(world).plan.start
    while len(_letters(world, "tournament_start")) < PLAYERS:
        crowd.sweep()
        world.now += timedelta(minutes=1)
    crowd.sweep()
    told = Counter(name for name, _ in _letters(world, "tournament_start"))
    assert told == {f"player{n}": 1 for n in range(PLAYERS)}


def _check_pairings(world: World) -> None:
    """Everybody met everybody of the division once, on a board of its own that has ended."""
    pairings, entrants = _pairings(world), _by_division(_entrants(world))
    assert list(entrants) == list(range(1, DIVISIONS + 1))
    for division, there in entrants.items():
        mine = [p for p in pairings if p.division == division]
        pairs = sorted(tuple(sorted((p.first, p.second or 0))) for p in mine)
        assert pairs == list(combinations(sorted(e.player.id for e in there), 2))
        firsts = Counter(p.first for p in mine)
        assert all(abs(2 * firsts[e.player.id] - (len(there) - 1)) <= 1 for e in there), "first as often as second"
        assert sorted(e.place or 0 for e in there) == list(range(1, len(there) + 1))
    assert all(p.decided and p.void == (p.points is None) for p in pairings)
    assert len({p.board for p in pairings if p.board}) == len(pairings)
    assert world.query(lambda store: store.audit.endings()) == (len(pairings), len(pairings)), "each has ended once"


def _check_habits(world: World, habits: Habits) -> None:
    """Who forfeits is warned, and put out by a forfeit later than a day after that; who plays stays."""
    entrants = {e.player.userid: e for e in _entrants(world)}
    out = {how: {name for name, e in entrants.items() if e.out == how} for how in ("", *Out)}
    assert (out[Out.CLOSED], out[Out.LEFT]) == (set(habits.close), set())
    assert {name for name, e in entrants.items() if not e.out and not e.renews} == set(habits.leave)
    forfeits = {e.player.id: [p for p in _pairings(world) if p.forfeiter == e.player.id] for e in entrants.values()}
    for name, e in entrants.items():
        late = [p for p in forfeits[e.player.id] if e.warned and (p.decided or e.warned) > e.warned + AFTER_WARNING]
        assert bool(e.warned) >= bool(forfeits[e.player.id]) or e.out == Out.CLOSED, name
        assert not late or e.out, name
    away = habits.absent | set(habits.vanish) | set(habits.bounce)
    assert len(out[Out.REMOVED]) > len(habits.absent)
    assert out[Out.REMOVED] <= away, "one forfeit, a vacation or an absence of the server puts nobody out"
    assert all(entrants[name].warned for name in habits.forgetful | habits.absent)
    innocent = set(entrants) - away - set(habits.close) - habits.forgetful
    assert not any(forfeits[entrants[name].player.id] for name in innocent), "nobody loses on time who is there"


def _check_letters(world: World, habits: Habits) -> None:
    """Each letter was written once: the warning more than a day before the removal, the table to all who stayed."""
    reached = {e.player.userid: e for e in _entrants(world) if e.player.userid not in habits.bounce}
    kinds = (_letters(world, f"tournament_{kind}") for kind in ("warning", "removed", "end"))
    warned, removed, ended = ([x for x in letters if x[0] in reached] for letters in kinds)
    for letters in (warned, removed, ended):
        assert len(letters) == len(dict(letters)), "nobody gets one twice"
    assert set(dict(removed)) == {name for name, e in reached.items() if e.out == Out.REMOVED}
    assert all(at - dict(warned)[name] > AFTER_WARNING for name, at in removed)
    assert set(dict(ended)) == {name for name, e in reached.items() if not e.out}


def _check_next_season(crowd: Crowd) -> None:
    """A week after the last board the next season begins, with those who stayed and with newcomers."""
    world = crowd.world
    stayed = {e.player.userid: e for e in _entrants(world) if not e.out and e.renews}
    over = max(p.decided for p in _pairings(world) if p.decided)
    assert _tournament(world).plan.start == over + timedelta(weeks=1)
    world.signup(*(f"new{n}" for n in range(20)))
    for n in range(20):
        crowd.mail(f"new{n}", f"tournament join 1 new{n} new{n}-secret")
    world.now = over + timedelta(weeks=1)
    for _ in range(10):
        crowd.sweep()
        world.now += timedelta(minutes=1)
        if all(e.division for e in _entrants(world, 2)):  # the boards of that season would show nothing new
            break
    assert _tournament(world).season == 2
    here = {e.player.userid: e for e in _entrants(world, 2)}
    gone = {name for name in stayed if name not in here}
    assert gone <= {*crowd.habits.bounce}, "whom no letter reaches does not take part"
    assert set(here) - set(stayed) == {f"new{n}" for n in range(20)}
    sizes = Counter(e.division for e in here.values())
    assert all(SMALLEST <= size <= LARGEST for size in sizes.values())
    assert all(here[name].division <= e.division for name, e in stayed.items() if name in here and (e.place or 9) <= 2)


def _tournament(world: World) -> TournamentRow:
    found = world.query(lambda store: store.tournaments.find(1))
    assert found is not None
    return found


def _entrants(world: World, season: int = 1) -> list[EntrantRow]:
    return world.query(lambda store: store.tournaments.entrants(1, season))


def _by_division(entrants: Sequence[EntrantRow]) -> dict[int, list[EntrantRow]]:
    found = dict[int, list[EntrantRow]]()
    for entrant in sorted(entrants, key=lambda e: e.division):
        found.setdefault(entrant.division, []).append(entrant)
    return found


def _pairings(world: World) -> list[PairingRow]:
    return world.query(lambda store: store.tournaments.pairings(1, 1))


def _letters(world: World, kind: str) -> list[tuple[str, datetime]]:
    """Return the userids to whom letters of a kind were written, and when."""
    o = tables.outbox.c
    with world.engine.connect() as connection:
        found = connection.execute(sa.select(o.recipient, o.created).where(o.kind == kind).order_by(o.id))
        return [(row.recipient.partition("@")[0], row.created) for row in found]
