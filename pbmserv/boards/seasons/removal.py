"""Warns players of a tournament after a forfeit, and puts them out after the second one.

Nobody is put out silently: all forfeits until a day after the warning are one, because somebody who is away loses
several boards at the same time. On a ladder, whose season does not end, a warning counts for a year.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbmserv.boards import closing_accounts, entries
from pbmserv.boards.absences import lost_time
from pbmserv.boards.absences.lost_time import Absence
from pbmserv.boards.closing_accounts import Left, LeftBoards
from pbmserv.boards.seasons import withdrawal
from pbmserv.games import NotInstalled
from pbmserv.games.base import board as play
from pbmserv.games.base.log import Kind
from pbmserv.model import EntrantRow, Out, PairingRow, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.forms import LADDER

AFTER_WARNING = timedelta(days=1)  #: after a warning, forfeits count as a second one from then on
LASTS_ON_LADDER = timedelta(days=365)


@dataclass(frozen=True)
class Removed:
    """Somebody who was put out of a season. `are_void`: all boards count for nobody; else those that ran are lost."""

    entrant: EntrantRow
    are_void: bool
    left: LeftBoards  #: the boards that ended, and what else it means for others


def first_forfeits(
    store: Store, tournament: TournamentRow, player_id: int | None = None
) -> list[tuple[EntrantRow, PairingRow]]:
    """Return entrants who have to be warned, or one, each with the first forfeit of which no letter has told."""
    forfeits = _forfeited(store, tournament, player_id)
    return [(entrant, new[0]) for entrant, new in forfeits if not _is_warned(tournament, entrant, new)]


def second_forfeits(store: Store, tournament: TournamentRow, player_id: int | None = None) -> list[EntrantRow]:
    """Return entrants who have forfeited again after a warning, or one."""
    forfeits = _forfeited(store, tournament, player_id)
    return [entrant for entrant, new in forfeits if _is_warned(tournament, entrant, new)]


def remove(store: Store, tournament: TournamentRow, player_id: int, now: datetime) -> Removed | None:
    """Put somebody out, whose running boards end as forfeits. None: somebody else has done it."""
    forfeited = second_forfeits(store, tournament, player_id)
    if not forfeited:
        return None
    entrant = forfeited[0]
    number, season, player = tournament.number, tournament.season, entrant.player
    running = [p.board for p in store.tournaments.running_of(number, season, player.id) if p.board]
    store.boards.lock(running)
    consequences = withdrawal.consequences(store, tournament, player)
    ended = [left for board in running if (left := _forfeit(store, board, entrant, now))]
    store.tournaments.find(number, lock=True)  # after the boards, as at the end of each board
    again = store.tournaments.entrant(number, season, player.id)
    if again is None:
        return None
    withdrawal.put_out(store, tournament, again, Out.REMOVED, now)
    withdrawal.count_out(store, consequences, now)
    return Removed(
        entrant, any(c.after.is_of_nobody for c in consequences), closing_accounts.with_results(ended, consequences)
    )


def _forfeited(
    store: Store, tournament: TournamentRow, player_id: int | None
) -> list[tuple[EntrantRow, list[PairingRow]]]:
    """Return the entrants who have forfeited since they were warned, each with these pairings, the oldest first."""
    away = lost_time.absences(store)
    by_player = dict[int, list[PairingRow]]()
    for pairing in store.tournaments.forfeits(tournament.number, tournament.season, player_id):
        for id_ in pairing.forfeiters if player_id is None else (player_id,):
            by_player.setdefault(id_, []).append(pairing)
    forfeits = list[tuple[EntrantRow, list[PairingRow]]]()
    for id_, pairings in by_player.items():
        entrant = store.tournaments.entrant(tournament.number, tournament.season, id_)
        new = [p for p in pairings if entrant and _counts_anew(entrant, p, away)]
        if entrant is not None and new:
            forfeits.append((entrant, new))
    return forfeits


def _counts_anew(entrant: EntrantRow, pairing: PairingRow, away: Sequence[Absence]) -> bool:
    """Return whether a forfeit is not one with those before. The day after a warning is one in which the server ran."""
    if entrant.warned is None:
        return True
    warned, decided = entrant.warned.timestamp(), pairing.decided
    return decided is not None and lost_time.ran(warned, decided.timestamp(), away) > AFTER_WARNING.total_seconds()


def _is_warned(tournament: TournamentRow, entrant: EntrantRow, new: list[PairingRow]) -> bool:
    """Return whether a warning that still counts was written before new forfeits."""
    if entrant.warned is None:
        return False
    last = new[-1].decided
    return tournament.plan.form != LADDER or last is None or last <= entrant.warned + LASTS_ON_LADDER


def _forfeit(store: Store, number: int, entrant: EntrantRow, now: datetime) -> Left | None:
    """End a board as a forfeit. While its game is not installed it goes on, but counts as what follows from leaving."""
    row = store.boards.find(number)
    if row is None or row.board.result or isinstance(row.game, NotInstalled):
        return None
    (seat,) = row.seats_of(entrant.player)
    after = entries.write(store, row, play.resign(row.board, seat, Kind.FORFEIT), None, now)
    return Left(after, row.board.length, entrant.player)
