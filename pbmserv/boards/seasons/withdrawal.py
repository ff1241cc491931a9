"""Takes players out of a running season, and does what follows for their results: see tournaments/leavers.py."""

from datetime import datetime

from pbmserv.boards.seasons import cross_tables, rungs
from pbmserv.store import EntrantRow, Out, PairingRow, Phase, Player, Store, TournamentRow
from pbmserv.tournaments import leavers
from pbmserv.tournaments.entrants import Pairing
from pbmserv.tournaments.forms import LADDER

#: What becomes of the pairings of somebody who leaves: each row as it was before, and how it counts from then on.
Consequences = list[tuple[PairingRow, Pairing]]


def consequences(store: Store, tournament: TournamentRow, player_id: int) -> Consequences:
    """Return what becomes of a player's pairings. Ask before his boards end, because it depends on how many have."""
    if tournament.plan.form == LADDER:
        return []
    rows = [p for p in store.tournaments.pairings_of(tournament.number, tournament.season, player_id) if p.second]
    known = {(r.round, r.division, r.first, r.second): r for r in rows}
    left = leavers.without(player_id, cross_tables.pure_pairings(rows))
    return [(known[p.round, p.division, p.first, p.second], p) for p in left]


def count_out(store: Store, found: Consequences, now: datetime) -> None:
    """Write what becomes of the pairings of somebody who has left.

    Lost boards have ended before, and their ends were written as all are. What had no board yet is written here.
    """
    for row, after in found:
        if after.void or (row.board is None and row.decided is None):
            store.tournaments.decide(row.id, after.points, now, forfeiter=after.forfeiter, void=after.void)


def all_consequences(store: Store, player: Player) -> Consequences:
    """Return the same for all running seasons of a player whose account is going to be closed."""
    found = Consequences()
    for entry in store.tournaments.entries_of(player.id):
        tournament = store.tournaments.find(entry.tournament)
        if tournament is not None and tournament.has_begun and entry.season == tournament.season:
            found += consequences(store, tournament, player.id)
    return found


def leave_all(store: Store, player: Player, found: Consequences, now: datetime) -> None:
    """Let a closed account leave all tournaments, after its boards have ended. `found`: by `all_consequences`."""
    for entry in store.tournaments.entries_of(player.id):
        tournament = store.tournaments.find(entry.tournament, lock=True)
        if tournament is None:
            continue
        if entry.season > tournament.season:
            store.tournaments.withdraw(entry.id)
        elif tournament.has_begun:
            put_out(store, tournament, entry, Out.CLOSED, now)
    count_out(store, found, now)


def put_out(store: Store, tournament: TournamentRow, entrant: EntrantRow, how: Out, now: datetime) -> None:
    """Take somebody out of a running season. Nothing follows for the results: that is `count_out`."""
    number = tournament.number
    step = store.tournaments.step(number)
    store.tournaments.change_entrant(entrant.id, out=how, gone=step, renews=False, rung=0)
    if entrant.rung and tournament.phase is Phase.PLAYING:
        rungs.close_gap(store, tournament, entrant.rung)
    if later := store.tournaments.entrant(number, tournament.season + 1, entrant.player.id):
        store.tournaments.withdraw(later.id)
    store.tournaments.wake(number, now)
