"""Begins seasons and draws their rounds.

What takes time is computed outside of a transaction, from what was read before. The transactions that write it, a part
in each, check that nothing has changed since. All that is computed follows from what is stored: so whoever goes on
after a process was killed computes the same, and goes on behind what is written already.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from pbmserv.boards.ratings.rating_formula import UNRATED
from pbmserv.boards.seasons import calendar_of_seasons, cross_tables
from pbmserv.model import EntrantRow, NewPairing, Phase, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.entrants import Pairing, Season, seeded
from pbmserv.tournaments.forms import FORMS, LADDER

PAIRINGS_AT_ONCE = 500
_PEOPLE_AT_ONCE = 200


@dataclass(frozen=True)
class RoundToDraw:
    """What was read to draw a round. `tournament.round` is its number; 0: the divisions are not made yet."""

    tournament: TournamentRow
    entrants: list[EntrantRow]
    season: Season  #: with the pairings of earlier rounds


def begin_season(store: Store, number: int, now: datetime) -> list[EntrantRow]:
    """Begin the next season of a tournament if it is time, or put it off. Returns whom to tell that it has not begun.

    Whose account is closed or locked, and whom no letter reaches, does not take part.
    """
    tournament = store.tournaments.find(number, lock=True)
    if tournament is None or tournament.phase is not Phase.WAITING:
        return []
    if tournament.plan.start > now:  # something has woken it before
        store.tournaments.change(number, due=tournament.plan.start)
        return []
    season, plan = tournament.season + 1, tournament.plan
    _withdraw_absent(store, number, season)
    entrants = store.tournaments.entrants(number, season)
    if not _are_enough(tournament, entrants):
        _put_off(store, tournament, now)
        return entrants
    store.tournaments.freeze_ratings(number, season, plan.game, UNRATED.mu)
    if plan.form == LADDER:
        _stand_on_rungs(store, number, season)
        store.tournaments.change(number, phase=Phase.PLAYING, season=season, round=1, due=now)
    else:
        store.tournaments.change(number, phase=Phase.DRAWING, season=season, round=0, due=now)
    return []


def read(store: Store, number: int) -> RoundToDraw | None:
    """Read what `drawn` needs; None if no round has to be drawn."""
    tournament = store.tournaments.find(number)
    if tournament is None or tournament.phase is not Phase.DRAWING:
        return None
    entrants = store.tournaments.entrants(number, tournament.season)
    pairings = store.tournaments.pairings(number, tournament.season)
    before = cross_tables.pure_pairings(p for p in pairings if p.round < tournament.round)
    plan = tournament.plan
    season = Season(cross_tables.pure_entrants(entrants), before, plan.size, plan.rounds)
    return RoundToDraw(tournament, entrants, season)


def divided(drawing: RoundToDraw) -> list[tuple[int, int]]:
    """Compute the divisions of a new season: (id of the entrant, division)."""
    ids = {e.player.id: e.id for e in drawing.entrants}
    form = FORMS[drawing.tournament.plan.form]
    return [(ids[e.player], e.division) for e in form.begin(drawing.season.entrants, drawing.season.size)]


def write_divisions(store: Store, drawing: RoundToDraw, divisions: list[tuple[int, int]]) -> None:
    """Write the divisions of a season, unless something has changed since they were computed."""
    if _same(store, drawing):
        store.tournaments.divide(divisions)
        store.tournaments.change(drawing.tournament.number, round=1)


def drawn(drawing: RoundToDraw) -> list[Pairing]:
    """Compute who meets whom in a round; [] if the season is over. It may take seconds."""
    return FORMS[drawing.tournament.plan.form].draw(drawing.season)


def write_pairings(store: Store, drawing: RoundToDraw, pairings: list[Pairing], now: datetime) -> bool:
    """Write a part of the pairings of a round. Returns whether there are more to write.

    If something has changed since they were computed, nothing is written, and they have to be computed again.
    """
    if not _same(store, drawing):
        return False
    number, season, round_ = drawing.tournament.number, drawing.tournament.season, drawing.tournament.round
    if not all(p.is_decided for p in drawing.season.pairings):  # an admin lets a board of an earlier round go on
        store.tournaments.unpair(number, season, round_)
        store.tournaments.change(number, phase=Phase.PLAYING, round=round_ - 1)
        return False
    if not pairings:
        over = store.tournaments.last_decided(number, season) or now
        start = calendar_of_seasons.next_start(drawing.tournament, over, now) or drawing.tournament.plan.start
        store.tournaments.change(number, phase=Phase.ENDING, round=round_ - 1, start=start, due=now)
        return False
    here = store.tournaments.pairings(number, season, round_=round_)
    if [(p.first, p.second) for p in here] != [(p.first, p.second) for p in pairings[: len(here)]]:
        store.tournaments.unpair(number, season, round_)  # somebody left while it was written
        here = []
    part = pairings[len(here) : len(here) + PAIRINGS_AT_ONCE]
    new = [NewPairing(p.division, p.round, p.first, p.second, p.points) for p in part]
    store.tournaments.pair(number, season, new, now)
    if len(here) + len(part) < len(pairings):
        return True
    store.tournaments.change(number, phase=Phase.PLAYING, due=now)
    return False


def is_over(store: Store, tournament: TournamentRow) -> bool:
    """Return whether all boards of a round are over. A ladder has no rounds."""
    return tournament.plan.form != LADDER and not store.tournaments.is_undecided(tournament.number, tournament.season)


def _same(store: Store, drawing: RoundToDraw) -> bool:
    """Return whether a tournament and the results of its season are as they were read. Locks it."""
    tournament = store.tournaments.find(drawing.tournament.number, lock=True)
    if tournament is None or replace(tournament, due=None) != replace(drawing.tournament, due=None):
        return False
    if drawing.tournament.round < 2:
        return True
    now = store.tournaments.pairings(tournament.number, tournament.season)
    before = cross_tables.pure_pairings(p for p in now if p.round < tournament.round)
    return before == drawing.season.pairings


def _withdraw_absent(store: Store, number: int, season: int) -> None:
    entrants = store.tournaments.entrants(number, season)
    for first in range(0, len(entrants), _PEOPLE_AT_ONCE):
        part = entrants[first : first + _PEOPLE_AT_ONCE]
        ids = [e.player.id for e in part]
        here = store.players.open_among(ids).keys() - store.addresses.unreachable(ids)
        for entrant in part:
            if entrant.player.id not in here:
                store.tournaments.withdraw(entrant.id)


def _are_enough(tournament: TournamentRow, entrants: list[EntrantRow]) -> bool:
    teams = tournament.plan.teams
    if teams and {e.team for e in entrants} != set(teams):
        return False
    form = tournament.plan.form
    return len(entrants) >= (2 if form == LADDER else FORMS[form].fewest)


def _put_off(store: Store, tournament: TournamentRow, now: datetime) -> None:
    """Put off a season for which too few have entered; cancel a tournament that has one season only."""
    start = calendar_of_seasons.put_off(tournament, now)
    if start is None:
        store.tournaments.change(tournament.number, phase=Phase.CANCELLED, entries=False, due=None)
    else:
        store.tournaments.change(tournament.number, start=start, due=start)


def _stand_on_rungs(store: Store, number: int, season: int) -> None:
    """Let the entrants of a new ladder stand on its rungs, the strongest at the top.

    They enter anew in this order, because the rungs can be computed again from the order of the entries.
    """
    entrants = {e.player.id: e for e in store.tournaments.entrants(number, season)}
    for rung, entrant in enumerate(seeded(cross_tables.pure_entrants(entrants.values())), start=1):
        entered = store.tournaments.step(number)
        store.tournaments.change_entrant(entrants[entrant.player].id, rung=rung, entered=entered)
