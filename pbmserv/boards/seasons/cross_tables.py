"""Reads seasons for the pure functions that know who stands where, and writes the places at the end of a season."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbmserv.model import EntrantRow, PairingRow, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.entrants import Entrant, Pairing, Season
from pbmserv.tournaments.forms import FORMS, GROUPS, LEAGUE
from pbmserv.tournaments.standings import TableLine, standings


@dataclass(frozen=True)
class CrossTable:
    """A division, a group, or a whole season without any: who takes part, who meets whom, and who stands where."""

    entrants: list[EntrantRow]
    pairings: list[PairingRow]
    lines: list[TableLine]


def pure_entrants(rows: Iterable[EntrantRow]) -> list[Entrant]:
    """Return entrants as the forms of tournaments know them."""
    return [Entrant(r.player.id, r.entered, r.division, r.team, r.rating, bool(r.out)) for r in rows]


def pure_pairings(rows: Iterable[PairingRow]) -> list[Pairing]:
    """Return pairings as the forms of tournaments know them."""
    return [Pairing(r.round, r.division, r.first, r.second, r.points, r.forfeiter, r.void) for r in rows]


def season_of(store: Store, tournament: TournamentRow, season: int | None = None) -> Season:
    """Return a whole season; without a number, the present one."""
    number = tournament.season if season is None else season
    entrants = pure_entrants(store.tournaments.entrants(tournament.number, number))
    pairings = pure_pairings(store.tournaments.pairings(tournament.number, number))
    return Season(entrants, pairings, tournament.plan.size, tournament.plan.rounds)


def table(
    store: Store, tournament: TournamentRow, season: int, division: int = 1, round_: int | None = None
) -> CrossTable:
    """Return a division, the table of a form without divisions, or a group of a round; the last round if none is given.

    A ladder has no table: its entrants have rungs.
    """
    number, form = tournament.number, tournament.plan.form
    if form == GROUPS:
        return _group(store, tournament, season, division, round_)
    entrants = store.tournaments.entrants(number, season, division)
    pairings = store.tournaments.pairings(number, season, division)
    return CrossTable(entrants, pairings, standings(pure_entrants(entrants), pure_pairings(pairings)))


def divisions(store: Store, tournament: TournamentRow, season: int) -> list[int]:
    """Return the numbers of the divisions of a season, or of the groups of its first round."""
    return sorted({e.division for e in store.tournaments.entrants(tournament.number, season)})


def write_places(store: Store, tournament: TournamentRow, season: int, division: int | None = None) -> None:
    """Write the places of a season that is over: of one division of a league, or of all who took part in another form.

    They are made again if an admin changes the end of a board afterwards.
    """
    place_of = places(store, tournament, season, division)
    rows = store.tournaments.entrants(tournament.number, season, division if tournament.plan.form == LEAGUE else None)
    store.tournaments.set_places([(e.id, place_of[e.player.id]) for e in rows if e.place != place_of[e.player.id]])


def places(store: Store, tournament: TournamentRow, season: int, division: int | None = None) -> dict[int, int]:
    """Return the place of each player: in the division of a league, else among all.

    Where nobody has won or drawn a board, all have the last place: nobody wins a season by doing nothing.
    """
    if tournament.plan.form == LEAGUE:
        numbers = divisions(store, tournament, season) if division is None else [division]
        tables = (table(store, tournament, season, number) for number in numbers)
        return {id_: place for t in tables for id_, place in _placed([x.player for x in t.lines], t.pairings).items()}
    whole = season_of(store, tournament, season)
    return _placed(FORMS[tournament.plan.form].ranking(whole), whole.pairings)


def _placed(ranking: Sequence[int], pairings: Iterable[PairingRow | Pairing]) -> dict[int, int]:
    played = any(p.second is not None and p.points is not None for p in pairings)
    return {player: place if played else len(ranking) for place, player in enumerate(ranking, start=1)}


def _group(store: Store, tournament: TournamentRow, season: int, division: int, round_: int | None) -> CrossTable:
    last = (tournament.round if season == tournament.season else None) if round_ is None else round_
    of_division = store.tournaments.pairings(tournament.number, season, division)
    last = max((p.round for p in of_division), default=1) if last is None else last
    pairings = FORMS[GROUPS].counted(of_division, last)
    players = {player for p in pairings for player in (p.first, p.second)}
    entrants = [e for e in store.tournaments.entrants(tournament.number, season) if e.player.id in players]
    return CrossTable(entrants, pairings, standings(pure_entrants(entrants), pure_pairings(pairings)))
