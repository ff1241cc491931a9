"""What counts when somebody has left a season before its end."""

from collections.abc import Iterable
from dataclasses import replace

from pbmserv.tournaments.entrants import LOSS, WIN, Pairing


def without(player: int, pairings: Iterable[Pairing], *, is_round_robin: bool = True) -> list[Pairing]:
    """Return the pairings of a player who leaves the season, as they count from then on; without those void already.

    The others are lost by forfeit. But where everybody meets everybody, and fewer than half of the player's boards were
    decided, all of them are void, also those that were decided: else those who happened to have played against the
    leaver would have an advantage.
    """
    boards = (pairing for pairing in pairings if pairing.second is not None and not pairing.is_of_nobody)
    own = [pairing for pairing in boards if player in (pairing.first, pairing.second)]
    decided = sum(pairing.is_decided for pairing in own)
    if is_round_robin and 2 * decided < len(own):
        return [replace(pairing, points=None, forfeiter=None, void=True) for pairing in own]
    return [pairing if pairing.is_decided else _lost(player, pairing) for pairing in own]


def _lost(player: int, pairing: Pairing) -> Pairing:
    return replace(pairing, points=LOSS if player == pairing.first else WIN, forfeiter=player)
