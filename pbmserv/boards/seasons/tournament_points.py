"""The end of a board of a tournament writes the points of its pairing, in the same transaction.

- A win is two half points, a draw one for each.
- A seat that loses on time, or declines, has forfeited: it loses. So nobody avoids an opponent by declining.
- If the time of both has run out at once, both have forfeited, and nobody gets points.
- A board that an admin declares void counts for nobody, as it counts for no rating.
- A board whose log is full counts as its result says: a draw of those who still play.
- What an admin decides later replaces what was there; a board that goes on is undecided again. So a pairing has one
  result at any time, that of its board. A substitute plays on another board, which belongs to no tournament.
- What counts for nobody because a player left the season stays so, whatever an admin decides about its board.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pbmserv.boards.seasons import cross_tables, rungs
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry, Kind
from pbmserv.model import BoardRow, PairingRow, Phase
from pbmserv.store import Store
from pbmserv.tournaments.entrants import DRAW, WIN

_AFTER_THE_LAST_BOARD = (Phase.ENDING, Phase.WAITING, Phase.OVER)
#: How boards end, see games/base/board.py.
_FORFEIT, _DECLINED, _VOIDED, _IDLE = "forfeit", "declined", "voided", "idle"


class Decision(NamedTuple):
    """How a board ended for its tournament: the half points of the first seat, and the seat that forfeited, if any.

    A forfeit without points is one of both (`Pairing.forfeited_by`).
    """

    points: int | None
    forfeiter: int | None = None

    @property
    def void(self) -> bool:
        """Whether it counts for nobody."""
        return self.points is None


def decision(board: Board, log: Sequence[Entry]) -> Decision | None:
    """Return how a board has ended; None if it runs. `log`: the whole log."""
    result = board.result
    if result is None:
        return None
    if result.reason == _VOIDED:
        return Decision(None)
    if result.reason == _IDLE:
        return Decision(None, 0)
    if result.reason == _DECLINED:
        seat = next(e.seat for e in reversed(log) if e.kind is Kind.DECLINE)
        return Decision(0 if seat == 0 else WIN, seat)
    first, second = result.ranks
    points = DRAW if first == second else WIN if first < second else 0
    return Decision(points, board.out[-1] if result.reason == _FORFEIT else None)


def write(store: Store, before: BoardRow, row: BoardRow, log: Sequence[Entry]) -> None:
    """Write the points of a board that has just ended, or whose end an admin has changed. `before`: as it was."""
    pairing = store.tournaments.pairing_of(row.number) if row.tournament is not None else None
    if row.tournament is None or pairing is None or _left_void(before.board, pairing):
        return
    decided = decision(row.board, log)
    if pairing.division == rungs.LADDER_DIVISION:
        _write_rungs(store, row, pairing, decided)
    else:
        _decide(store, row, pairing, decided)
        _write_places(store, pairing)
    store.tournaments.wake(row.tournament, row.changed)


def _write_places(store: Store, pairing: PairingRow) -> None:
    """Make the places of a season again if it is over, because an admin has changed the end of a board."""
    tournament = store.tournaments.find(pairing.tournament)
    if tournament and (tournament.season != pairing.season or tournament.phase in _AFTER_THE_LAST_BOARD):
        cross_tables.write_places(store, tournament, pairing.season, pairing.division)


def _left_void(before: Board, pairing: PairingRow) -> bool:
    """Return whether a pairing counts for nobody because somebody left the season, and not because of its board."""
    return pairing.is_of_nobody and not (before.result and before.result.reason == _VOIDED)


def _decide(
    store: Store, row: BoardRow, pairing: PairingRow, decision: Decision | None, step: int | None = None
) -> PairingRow:
    """Write how a board has ended; None: it runs again."""
    if decision is None:
        store.tournaments.decide(pairing.id, None, None)
    else:
        forfeiter = None if decision.forfeiter is None else row.players[decision.forfeiter].id
        at = row.changed
        store.tournaments.decide(pairing.id, decision.points, at, forfeiter=forfeiter, void=decision.void, step=step)
    return store.tournaments.pairing_of(row.number) or pairing


def _write_rungs(store: Store, row: BoardRow, pairing: PairingRow, new: Decision | None) -> None:
    """Decide a pairing of a ladder, whose winner climbs. If an admin has changed an end, all rungs are made again."""
    tournament = store.tournaments.find(pairing.tournament, lock=True)
    is_first = new is not None and pairing.decided is None
    step = store.tournaments.step(pairing.tournament) if is_first else pairing.step
    decided = _decide(store, row, pairing, new, step)
    if tournament is None or tournament.phase not in (Phase.PLAYING, Phase.DRAWING):
        return
    if not is_first:
        rungs.compute_again(store, tournament)
    elif result := rungs.climb_of(store, decided):
        rungs.climb(store, tournament, result)
