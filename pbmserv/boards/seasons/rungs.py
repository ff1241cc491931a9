"""The rungs of a ladder: challenges, and who climbs. Rung 1 is the top, and there are no gaps.

Everything that changes rungs has its number in the order of the steps of the tournament. So they can be computed again
from the entries and the boards, which `pbmserv boards verify` does, and which an admin's ruling makes necessary.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbmserv.model import EntrantRow, PairingRow, TournamentRow
from pbmserv.store import Store

#: The division of all pairings of a ladder, in which there are none.
LADDER_DIVISION = 0
LEAST_REACH = 3
#: A board that was forfeited before this ply lifts its winner by one rung only.
SECOND_PLY = 2
_END = 2**30  #: more than the number of any rung


@dataclass(frozen=True)
class Climb:
    """A board of a ladder that somebody has won. `is_short`: by forfeit before the second ply."""

    winner: int
    loser: int
    is_short: bool


def reach(rung: int) -> int:
    """Return how many rungs above one's own can be challenged."""
    return max(rung // 5, LEAST_REACH)


def after_win(winner: int, loser: int, *, is_short: bool = False) -> int:
    """Return the rung of a winner: half the way up to the loser, rounded up; after a short board one rung up."""
    if winner <= loser:
        return winner
    return winner - (1 if is_short else (winner - loser + 1) // 2)


def close_gap(store: Store, tournament: TournamentRow, rung: int) -> None:
    """Move everybody below a rung up by one, because the player who stood there has left."""
    store.tournaments.move_rungs(tournament.number, tournament.season, rung + 1, _END, -1)


def climb(store: Store, tournament: TournamentRow, result: Climb) -> None:
    """Move the winner of a board up, and those in between down. Nothing changes if one of the two has left."""
    number, season = tournament.number, tournament.season
    winner = store.tournaments.entrant(number, season, result.winner)
    loser = store.tournaments.entrant(number, season, result.loser)
    if winner is None or loser is None or winner.rung <= loser.rung:
        return
    new = after_win(winner.rung, loser.rung, is_short=result.is_short)
    store.tournaments.move_rungs(number, season, new, winner.rung - 1, 1)
    store.tournaments.change_entrant(winner.id, rung=new)


def climb_of(store: Store, pairing: PairingRow) -> Climb | None:
    """Return what a decided pairing does to the rungs; None: nothing."""
    if pairing.second is None or pairing.void or pairing.points not in (0, 2):
        return None
    winner, loser = (pairing.first, pairing.second) if pairing.points else (pairing.second, pairing.first)
    board = store.boards.find(pairing.board, lock=False) if pairing.forfeiter and pairing.board else None
    return Climb(winner, loser, is_short=board is not None and board.board.ply < SECOND_PLY)


def computed(entrants: Iterable[EntrantRow], climbs: Mapping[int, Climb]) -> list[int]:
    """Return the ids of the entrants of a ladder from the top, as all its steps make it. `climbs`: by their steps."""
    entered = {e.entered: e for e in entrants}
    gone = {e.gone: e for e in entered.values() if e.gone is not None}
    order, here = list[int](), dict[int, int]()  # the entrants from the top, and which of them a player is
    for step in sorted({*entered, *gone, *climbs}):
        if step in entered:
            order.append(entered[step].id)
            here[entered[step].player.id] = entered[step].id
        elif step in gone:
            order.remove(gone[step].id)
            del here[gone[step].player.id]
        else:
            _climb_in(order, here, climbs[step])
    return order


def compute_again(store: Store, tournament: TournamentRow) -> None:
    """Write the rungs as all steps make them, because an admin has changed the end of a board."""
    for rung, entrant_id in enumerate(rungs_of_steps(store, tournament), start=1):
        store.tournaments.change_entrant(entrant_id, rung=rung)


def rungs_of_steps(store: Store, tournament: TournamentRow) -> Sequence[int]:
    """Return the ids of the entrants of a ladder from the top, as the entries and the boards say."""
    decided = store.tournaments.pairings(tournament.number, tournament.season, LADDER_DIVISION)
    climbs = {p.step: result for p in decided if p.step is not None and (result := climb_of(store, p))}
    return computed(store.tournaments.entrants(tournament.number, tournament.season), climbs)


def _climb_in(order: list[int], here: Mapping[int, int], result: Climb) -> None:
    if result.winner not in here or result.loser not in here:
        return
    winner, loser = (order.index(here[id_]) + 1 for id_ in (result.winner, result.loser))
    if winner > loser:
        new = after_win(winner, loser, is_short=result.is_short)
        order.insert(new - 1, order.pop(winner - 1))
