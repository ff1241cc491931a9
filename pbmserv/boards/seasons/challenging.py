"""Challenges in a ladder: who can be challenged, and the board that begins."""

from datetime import datetime

from pbmserv.boards.seasons import announcing, beginning, rungs
from pbmserv.errors import PlayerError
from pbmserv.model import BoardRow, EntrantRow, NewPairing, Player, TournamentRow
from pbmserv.store import Store

OUTGOING, INCOMING = 1, 2  #: how many challenges of a player, and to a player, can run at the same time


def challenge(store: Store, number: int, player: Player, opponent: Player, now: datetime) -> BoardRow:
    """Begin a board of a ladder with somebody on a higher rung. Raises PlayerError.

    Whoever is challenged has the first seat. So both colours come with the rungs, on the way up and as a defender.
    """
    tournament = announcing.demand_going_on(store, number)
    if not tournament.has_begun:
        raise PlayerError(f"Tournament {number} has not begun yet.", f"To see it, send: tournament show {number}")
    challenger = _demand_entrant(store, tournament, player)
    if board := _running(store, tournament, challenger, outgoing=True):
        raise PlayerError(f"Your challenge on board {board[0]} is not over yet.", "Play it first.")
    theirs = _named(store, tournament, challenger, opponent)
    step = store.tournaments.step(number)
    new = NewPairing(rungs.LADDER_DIVISION, step, theirs.player.id, player.id)
    store.tournaments.pair(number, tournament.season, [new], now)
    (pairing,) = store.tournaments.pairings(number, tournament.season, rungs.LADDER_DIVISION, step)
    row = beginning.begin(store, tournament, pairing, now)
    if row is None:
        raise PlayerError(f"{theirs.player.userid} begins no more boards.", "Name somebody else.")
    return row


def within_reach(store: Store, tournament: TournamentRow, challenger: EntrantRow) -> list[EntrantRow]:
    """Return whom a player of a ladder can challenge now, the highest first."""
    highest = challenger.rung - rungs.reach(challenger.rung)
    entrants = (e for e in store.tournaments.entrants(tournament.number, tournament.season, gone=False))
    above = sorted((e for e in entrants if highest <= e.rung < challenger.rung), key=lambda e: e.rung)
    is_open = store.players.open_among([e.player.id for e in above]) if above else ()
    return [e for e in above if e.player.id in is_open and _is_free(store, tournament, e)]


def _named(store: Store, tournament: TournamentRow, challenger: EntrantRow, opponent: Player) -> EntrantRow:
    """Return the player who is challenged. Raises PlayerError."""
    name, show = opponent.userid, f"To see the ladder, send: tournament show {tournament.number}"
    theirs = store.tournaments.entrant(tournament.number, tournament.season, opponent.id)
    if theirs is None:
        raise PlayerError(f"{name} is not on this ladder.", show)
    if theirs.rung >= challenger.rung:
        raise PlayerError(f"{name} does not stand above you on this ladder.", show)
    reach = rungs.reach(challenger.rung)
    if theirs.rung < challenger.rung - reach:
        raise PlayerError(
            f"{name} stands too high: from rung {challenger.rung} you can challenge up to {reach} rungs.", show
        )
    if not _is_free(store, tournament, theirs):
        raise PlayerError(f"{name} has {INCOMING} challenges already.", "Name somebody else, or try again later.")
    if opponent.id not in store.players.open_among([opponent.id]):
        raise PlayerError(f"{name} begins no more boards.", "Name somebody else.")
    return theirs


def _demand_entrant(store: Store, tournament: TournamentRow, player: Player) -> EntrantRow:
    entrant = store.tournaments.entrant(tournament.number, tournament.season, player.id)
    if entrant is None or not entrant.rung:
        raise PlayerError(
            "You are not on this ladder.", f"Send: {tournament.plan.game} ladder {player.userid} PASSWORD join"
        )
    return entrant


def _is_free(store: Store, tournament: TournamentRow, entrant: EntrantRow) -> bool:
    return len(_running(store, tournament, entrant, outgoing=False)) < INCOMING


def _running(store: Store, tournament: TournamentRow, entrant: EntrantRow, *, outgoing: bool) -> list[int]:
    """Return the running boards of a player's own challenges, or of those of others."""
    running = store.tournaments.running_of(tournament.number, tournament.season, entrant.player.id)
    return [p.board for p in running if p.board and (p.second == entrant.player.id) == outgoing]
