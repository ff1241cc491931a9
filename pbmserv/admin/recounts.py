"""Recounts tournaments for `boards verify`: points from the ends of boards, who meets whom, places, and rungs.

Whether the end of a board is that of its log is checked with the board itself.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from pbmserv.boards.seasons import cross_tables, rungs, tournament_points
from pbmserv.model import BoardRow, EntrantRow, Out, PairingRow, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.forms import LADDER, LEAGUE, SWISS

_BOARDS_AT_ONCE = 100
_PUT_OUT = (Out.REMOVED, Out.CLOSED)  #: how players leave whose results may count for nobody
_NOT_DECIDED = "not decided"


@dataclass(frozen=True)
class _Season:
    """A season with the boards of a part of its pairings."""

    tournament: TournamentRow
    number: int
    entrants: Mapping[int, list[EntrantRow]]  #: by player

    def name(self, player_id: int | None) -> str:
        rows = self.entrants.get(player_id or 0)
        return rows[0].player.userid if rows else f"player {player_id}"

    def was_put_out(self, pairing: PairingRow) -> bool:
        """Return whether a pairing may count otherwise than its board, because one of the two has left."""
        return self.has_put_out(pairing.first) or self.has_put_out(pairing.second)

    def has_put_out(self, player_id: int | None) -> bool:
        """Return whether a player was put out or has closed the account."""
        return any(e.out in _PUT_OUT for e in self.entrants.get(player_id or 0, ()))


def differences(store: Store, tournament: TournamentRow, season: int) -> list[str]:
    """Return what differs in a season from what its boards say; empty if nothing does."""
    entrants = dict[int, list[EntrantRow]]()
    for entrant in store.tournaments.entrants(tournament.number, season):
        entrants.setdefault(entrant.player.id, []).append(entrant)
    pairings = store.tournaments.pairings(tournament.number, season)
    here = _Season(tournament, season, entrants)
    sentences = [*_point_differences(store, here, pairings), *_pair_differences(here, pairings)]
    if tournament.plan.form == LADDER:
        sentences += _rung_differences(store, here) if season == tournament.season and tournament.has_begun else []
    else:
        sentences += _place_differences(store, here)
    return [f"tournament {tournament.number}, season {season}: {text}" for text in sentences]


def _point_differences(store: Store, season: _Season, pairings: list[PairingRow]) -> Iterator[str]:
    for n in range(0, len(pairings), _BOARDS_AT_ONCE):
        part = pairings[n : n + _BOARDS_AT_ONCE]
        boards = store.boards.find_many([p.board for p in part if p.board])
        for pairing in part:
            yield from _one_pairing(store, season, pairing, boards.get(pairing.board or 0))


def _one_pairing(store: Store, season: _Season, pairing: PairingRow, row: BoardRow | None) -> Iterator[str]:
    who = f"{season.name(pairing.first)} and {season.name(pairing.second) if pairing.second else 'nobody'}"
    if strangers := [id_ for id_ in (pairing.first, pairing.second) if id_ and id_ not in season.entrants]:
        yield f"{season.name(strangers[0])} is paired, but did not enter"
    if pairing.board is None:
        if pairing.second and pairing.decided and not (pairing.forfeiter or pairing.void):
            yield f"{who} have a result, but no board"
        return
    if row is None or row.tournament != season.tournament.number:
        yield f"{who} are paired on board {pairing.board}, which is not one of this tournament"
        return
    if [p.id for p in row.players] != [pairing.first, pairing.second]:
        yield f"{who} are paired on board {row.number}, which has other players"
        return
    on_board, stored = _of_board(store, season, row), _of_pairing(season, pairing)
    by_leaving = pairing.void and season.was_put_out(pairing)
    if on_board not in (stored, _without_leaving(season, pairing)) and not (by_leaving and on_board != _NOT_DECIDED):
        yield f"{who} on board {row.number}: the pairing says {stored}, the board {on_board}"
    elif pairing.decided != row.over and not by_leaving:
        yield f"{who} on board {row.number}: the pairing was decided at another time than the board ended"


def _of_board(store: Store, season: _Season, row: BoardRow) -> str:
    decision = tournament_points.decision(row.board, store.boards.entries(row.number) if row.board.result else ())
    if decision is None:
        return _NOT_DECIDED
    return _told(season, decision.points, None if decision.forfeiter is None else row.players[decision.forfeiter].id)


def _of_pairing(season: _Season, pairing: PairingRow) -> str:
    if pairing.decided is None:
        return _NOT_DECIDED
    return _told(season, None if pairing.void else pairing.points, pairing.forfeiter)


def _without_leaving(season: _Season, pairing: PairingRow) -> str:
    """Return the same without a forfeit of somebody who has left: then it lost the boards that were left."""
    left = season.has_put_out(pairing.forfeiter)
    return _of_pairing(season, replace(pairing, forfeiter=None) if left else pairing)


def _told(season: _Season, points: int | None, forfeiter: int | None) -> str:
    told = "that it counts for nobody" if points is None else f"{points} half points"
    return f"{told} by a forfeit of {season.name(forfeiter)}" if forfeiter else told


def _pair_differences(season: _Season, pairings: list[PairingRow]) -> Iterator[str]:
    """Return who meets twice where everybody meets once, and who of a division does not meet."""
    if season.tournament.plan.form == LADDER:
        return
    boards = [(p.division, p.round, frozenset((p.first, p.second))) for p in pairings if p.second]
    is_swiss = season.tournament.plan.form == SWISS
    met = Counter((0, 0, pair) if is_swiss else (division, round_, pair) for division, round_, pair in boards)
    pairs_of = Counter((division, round_) for division, round_, _ in met)
    for (division, round_, pair), count in met.items():
        is_final_of_two = pairs_of[division, round_] == 1
        if count > 1 and not is_final_of_two:
            names = " and ".join(sorted(season.name(id_) for id_ in pair))
            yield f"{names} are paired {count} times"
    if season.tournament.plan.form == LEAGUE:
        yield from _missing(season, {key[2] for key in met})


def _missing(season: _Season, met: set[frozenset[int | None]]) -> Iterator[str]:
    """Return who of a division does not meet, among those who meet anybody."""
    playing = {id_ for pair in met for id_ in pair}
    divisions = dict[int, list[int]]()
    for id_, rows in season.entrants.items():
        if id_ in playing:
            divisions.setdefault(rows[0].division, []).append(id_)
    for players in divisions.values():
        for pair in combinations(players, 2):
            if frozenset(pair) not in met:
                yield f"{season.name(pair[0])} and {season.name(pair[1])} are of one division, but not paired"


def _place_differences(store: Store, season: _Season) -> Iterator[str]:
    """Return places at the end of a season that are not those of the table."""
    stored = {id_: row.place for id_, rows in season.entrants.items() for row in rows if row.place is not None}
    if not stored:
        return
    for id_, place in cross_tables.places(store, season.tournament, season.number).items():
        if stored.get(id_, place) != place:
            yield f"{season.name(id_)} has place {stored[id_]}, the boards say {place}"


def _rung_differences(store: Store, season: _Season) -> Iterator[str]:
    """Return rungs that do not follow from the entries and the boards."""
    rows = {row.id: row for of_player in season.entrants.values() for row in of_player}
    for rung, id_ in enumerate(rungs.rungs_of_steps(store, season.tournament), start=1):
        if rows[id_].rung != rung:
            yield f"{rows[id_].player.userid} stands on rung {rows[id_].rung}, the boards say {rung}"
