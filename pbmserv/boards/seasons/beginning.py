"""Begins the boards of pairings."""

import secrets
from datetime import datetime

from pbmserv import games
from pbmserv.boards import entries, with_robots
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.model import BoardRow, PairingRow, TournamentRow
from pbmserv.model.boards import SHARED
from pbmserv.store import Store
from pbmserv.tournaments.entrants import LOSS, WIN


def begin(store: Store, tournament: TournamentRow, pairing: PairingRow, now: datetime) -> BoardRow | None:
    """Begin the board of a pairing, with the terms of the tournament whatever its players want elsewhere.

    If an account was closed or locked since, the other player has won without a board; then the result is None.
    """
    if pairing.second is None or pairing.board or pairing.decided:
        raise ValueError("this pairing has its board, or needs none")
    ids = pairing.first, pairing.second
    still_open = store.players.open_among(ids)
    if len(still_open) < len(ids):
        _decide(store, pairing, [id_ for id_ in ids if id_ in still_open], now)
        return None
    game, plan = games.find(tournament.plan.game), tournament.plan
    players = sorted(store.players.by_ids(ids), key=lambda p: ids.index(p.id))
    settings = with_robots.settings(game, plan.settings, players)
    secret, shared = secrets.token_hex(16), settings.dice == SHARED
    start = Start(game, plan.options, len(players), secret, repetition=settings.repetition, shared=shared)
    row = entries.begin(store, play.begin(start), players, settings, now, tournament=tournament.number)
    store.tournaments.begun(pairing.id, row.number)
    return row


def _decide(store: Store, pairing: PairingRow, stayed: list[int], now: datetime) -> None:
    """Decide a pairing without a board: for the one who has stayed; if there is nobody, it counts for nobody."""
    if not stayed:
        store.tournaments.decide(pairing.id, None, now, void=True)
    else:
        points = WIN if stayed[0] == pairing.first else LOSS
        store.tournaments.decide(pairing.id, points, now, forfeiter=pairing.other(stayed[0]))
