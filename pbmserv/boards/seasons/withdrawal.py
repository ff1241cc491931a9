"""Takes players out of a running season, and does what follows for their results: see tournaments/leavers.py."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pbmserv.boards.seasons import cross_tables, rungs
from pbmserv.model import EntrantRow, Out, PairingRow, Phase, Player, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments import leavers
from pbmserv.tournaments.entrants import Pairing
from pbmserv.tournaments.forms import FORMS, LADDER


class Consequence(NamedTuple):
    """What becomes of a pairing of somebody who leaves: its row as it was before, and how it counts from then on."""

    row: PairingRow
    after: Pairing
    leaver: Player

    @property
    def told(self) -> str:
        """A sentence that tells the opponent."""
        who, number = self.leaver.userid, self.row.tournament
        if self.after.is_of_nobody:
            return (
                f"{who} has left tournament {number}. Fewer than half of {who}'s boards there were over, so all of "
                "them count for nobody, this one too."
            )
        return f"{who} has left tournament {number} and loses this board there by forfeit: you have won it."


def consequences(store: Store, tournament: TournamentRow, player: Player) -> list[Consequence]:
    """Return what becomes of the pairings of a player who leaves, if anything.

    Call it before the player's boards end, because it depends on how many have ended.
    """
    rows = [p for p in store.tournaments.pairings_of(tournament.number, tournament.season, player.id) if p.second]
    if tournament.plan.form == LADDER:
        counted, is_round_robin = [p for p in rows if p.decided is None], False
    else:
        form = FORMS[tournament.plan.form]
        counted, is_round_robin = form.counted(rows, tournament.round), form.is_round_robin
    pure = cross_tables.pure_pairings(counted)
    left = [row for row in counted if not row.is_of_nobody]
    pairs = zip(left, leavers.without(player.id, pure, is_round_robin=is_round_robin), strict=True)
    return [Consequence(row, after, player) for row, after in pairs if after.is_of_nobody or row.decided is None]


def count_out(store: Store, consequences: Sequence[Consequence], now: datetime) -> None:
    """Write what becomes of the pairings of somebody who has left.

    Lost boards have ended before, and their ends were written as all are: here they become forfeits. On a ladder they
    have moved the rungs already. A board whose game is not installed goes on.
    """
    for row, after, leaver in (c for c in consequences if c.row.division != rungs.LADDER_DIVISION):
        there = store.tournaments.pairing_of(row.board) if row.board else None
        if after.is_of_nobody or row.board is None:
            store.tournaments.decide(row.id, after.points, now, forfeiter=after.forfeiter, void=after.void)
        elif there is not None and there.points == after.points and there.decided:
            store.tournaments.decide(row.id, there.points, there.decided, forfeiter=leaver.id)


def all_consequences(store: Store, player: Player) -> list[Consequence]:
    """Return the same for all running seasons of a player whose account is going to be closed."""
    of_all = list[Consequence]()
    for entry in store.tournaments.entries_of(player.id):
        tournament = store.tournaments.find(entry.tournament)
        if tournament is not None and tournament.has_begun and entry.season == tournament.season:
            of_all += consequences(store, tournament, player)
    return of_all


def leave_all(store: Store, player: Player, consequences: Sequence[Consequence], now: datetime) -> None:
    """Let a closed account leave all tournaments, after its boards ended. `consequences`: all of them."""
    for entry in store.tournaments.entries_of(player.id):
        tournament = store.tournaments.find(entry.tournament, lock=True)
        if tournament is None:
            continue
        if entry.season > tournament.season:
            store.tournaments.withdraw(entry.id)
        elif tournament.has_begun:
            put_out(store, tournament, entry, Out.CLOSED, now)
    count_out(store, consequences, now)


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
