"""Ends seasons: places, and who takes part in the next one."""

from dataclasses import replace

from pbmserv.boards.seasons import cross_tables
from pbmserv.model import EntrantRow, Phase, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.entrants import Entrant
from pbmserv.tournaments.forms import FORMS, LEAGUE

#: The number in `entrant.told` of the letter about the end of the season, or about the end of the tournament.
END_TOLD, CANCEL_TOLD = 10_000, 10_001
_DIVISIONS_AT_ONCE = 10


def write_some_places(store: Store, number: int) -> bool:
    """Write places of a season that ends, of a few divisions. Returns whether there was something to write."""
    tournament = _ending(store, number)
    for n in range(_DIVISIONS_AT_ONCE):
        left = store.tournaments.without_place(number, tournament.season) if tournament else None
        if tournament is None or left is None:
            return n > 0
        cross_tables.write_places(store, tournament, tournament.season, left.division)
    return True


def renewed(store: Store, number: int) -> tuple[TournamentRow, list[Entrant]] | None:
    """Compute who takes part in the next season; None if none is to end."""
    tournament = store.tournaments.find(number)
    if tournament is None or tournament.phase is not Phase.ENDING:
        return None
    if tournament.plan.form != LEAGUE:
        return tournament, []
    return tournament, FORMS[LEAGUE].renew(cross_tables.season_of(store, tournament))


def ended(tournament: TournamentRow) -> TournamentRow:
    """Return a tournament whose season ends as it will be then: its next season waits, or there is none."""
    if tournament.plan.form == LEAGUE or tournament.plan.every:
        return replace(tournament, phase=Phase.WAITING, due=tournament.plan.start)
    return replace(tournament, phase=Phase.OVER, entries=False, due=None)


def end_season(store: Store, before: TournamentRow, entrants: list[Entrant]) -> TournamentRow | None:
    """End a season, and let the next one wait for its start, if there is one. Returns the tournament after that.

    Whoever takes part in it again enters before all others, in the order of `entrants`. `before`: what they were
    computed from; if it has changed since, nothing is done, and the result is None.
    """
    tournament = _ending(store, before.number)
    if tournament is None or tournament.steps != before.steps:
        return None
    after = ended(tournament)
    if after.phase is Phase.WAITING:
        _renew(store, tournament, entrants)
    store.tournaments.change(after.number, phase=after.phase, entries=after.entries, due=after.due)
    return after


def _ending(store: Store, number: int) -> TournamentRow | None:
    tournament = store.tournaments.find(number, lock=True)
    return tournament if tournament and tournament.phase is Phase.ENDING else None


def _renew(store: Store, tournament: TournamentRow, entrants: list[Entrant]) -> None:
    number, season = tournament.number, tournament.season
    renews = {e.player.id for e in store.tournaments.entrants(number, season, gone=False) if e.renews}
    there = {e.player.id for e in store.tournaments.entrants(number, season + 1)}
    again = [e for e in entrants if e.player in renews and e.player not in there]
    entries = [{"player_id": e.player, "entered": n - len(again), "division": e.division} for n, e in enumerate(again)]
    store.tournaments.enter_many(number, season + 1, entries)


def whole_table(store: Store, tournament: TournamentRow, entrant: EntrantRow) -> cross_tables.CrossTable:
    """Return the table at the end of a season that concerns an entrant: of the division, or of all."""
    if tournament.plan.form == LEAGUE:
        return cross_tables.table(store, tournament, tournament.season, entrant.division)
    return cross_tables.table(store, tournament, tournament.season)
