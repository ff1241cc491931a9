"""What counts when somebody has left a season before its end."""

from collections.abc import Iterable
from dataclasses import replace

from pbmserv.tournaments.entrants import LOSS, WIN, Pairing


def without(player: int, pairings: Iterable[Pairing]) -> list[Pairing]:
    """Return a player's pairings of the last round as they count after leaving in it; without those void already.

    If fewer than half of them were decided, all of them are void, also those that were decided: else those who happened
    to have played against the leaver would have an advantage. If half or more were decided, the others are lost by
    forfeit. They are lost, too, if there is one opponent only, as in a Swiss round, a match and a final of two: nobody
    else can have an advantage. What earlier rounds brought stays, because later pairings were made of it.
    """
    boards = [pairing for pairing in pairings if pairing.second is not None and not pairing.void]
    last = max((pairing.round for pairing in boards), default=0)
    mine = [pairing for pairing in boards if player in (pairing.first, pairing.second) and pairing.round == last]
    decided = sum(pairing.is_decided for pairing in mine)
    opponents = {pairing.other(player) for pairing in mine}
    if len(opponents) > 1 and 2 * decided < len(mine):
        return [replace(pairing, points=None, forfeiter=None, void=True) for pairing in mine]
    return [pairing if pairing.is_decided else _lost(player, pairing) for pairing in mine]


def _lost(player: int, pairing: Pairing) -> Pairing:
    return replace(pairing, points=LOSS if player == pairing.first else WIN, forfeiter=player)
