"""Players enter tournaments, and leave them."""

from datetime import datetime
from enum import Enum

from pbmserv.boards.seasons import announcing, withdrawal
from pbmserv.errors import PlayerError
from pbmserv.model import EntrantRow, Out, Phase, Player, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.forms import LADDER, LEAGUE


class Leaving(Enum):
    """What it meant to leave a tournament."""

    WITHDRAWN = "withdrawn"  #: the season had not begun, and the entry is gone
    AFTERWARDS = "afterwards"  #: the boards of this season still count; the next one begins without the player
    OUT = "out"  #: the player gets no more boards in this season; those that run still count


def season_to_enter(tournament: TournamentRow) -> int:
    """Return the season that somebody enters now. Raises PlayerError."""
    number, plan, announced = tournament.number, tournament.plan, "To see all tournaments, send: tournament list"
    if tournament.phase in (Phase.OVER, Phase.CANCELLED):
        raise announcing.over(tournament)
    if not tournament.entries:
        raise PlayerError(f"Tournament {number} takes no entries at the moment.", announced)
    if not tournament.has_begun:
        return tournament.season + 1
    if plan.form == LADDER:
        return tournament.season
    if plan.form == LEAGUE or plan.every:
        return tournament.season + 1
    raise PlayerError(f"Tournament {number} has begun already.", announced)


def join(store: Store, number: int, player: Player, now: datetime, team: str = "") -> EntrantRow:
    """Let a player enter the next season, or a running ladder at once. `team`: of a match. Raises PlayerError."""
    tournament = announcing.demand(store, number, lock=True)
    season = season_to_enter(tournament)
    if player.robot and not tournament.plan.robots:
        raise PlayerError(
            f"No robots take part in tournament {number}.", "To see all tournaments, send: tournament list"
        )
    entered = store.tournaments.entrant(number, season, player.id)
    renews = tournament.plan.form == LEAGUE and tournament.has_begun
    here = store.tournaments.entrant(number, tournament.season, player.id) if renews else None
    if entered or (here and here.renews):
        raise PlayerError(
            f"You take part in tournament {number} already.", f"To see it, send: tournament show {number}"
        )
    if here:  # it was to be the last season
        store.tournaments.change_entrant(here.id, renews=True)
        return store.tournaments.entrant(number, here.season, player.id) or here
    more: dict[str, object] = {"team": _team(store, tournament, season, team)}
    if tournament.plan.form == LADDER and tournament.has_begun:  # the answer tells what others read in a letter
        more |= {"rung": store.tournaments.count_entrants(number, season) + 1, "told": tournament.round}
    store.tournaments.enter(number, season, player, store.tournaments.step(number), **more)
    entrant = store.tournaments.entrant(number, season, player.id)
    if entrant is None:
        raise ValueError("the entry was not stored")
    return entrant


def leave(store: Store, number: int, player: Player, now: datetime) -> Leaving:
    """Let a player leave. No board ends: whoever wants that resigns it. Raises PlayerError."""
    tournament = announcing.demand_going_on(store, number)
    if later := store.tournaments.entrant(number, tournament.season + 1, player.id):
        store.tournaments.withdraw(later.id)
        return Leaving.WITHDRAWN
    here = store.tournaments.entrant(number, tournament.season, player.id) if tournament.has_begun else None
    if here is None or not here.renews:
        raise PlayerError(
            f"You do not take part in tournament {number}.", "To see all tournaments, send: tournament list"
        )
    if tournament.plan.form == LEAGUE:
        store.tournaments.change_entrant(here.id, renews=False)
        return Leaving.AFTERWARDS
    withdrawal.put_out(store, tournament, here, Out.LEFT, now)
    return Leaving.OUT


def _team(store: Store, tournament: TournamentRow, season: int, team: str) -> str:
    """Return the team of a new entrant as the organiser wrote it; "" if there are no teams. Raises PlayerError."""
    number, plan = tournament.number, tournament.plan
    if plan.teams is None:
        if team:
            raise PlayerError(f"Tournament {number} has no teams.", f"Send: tournament join {number} USERID PASSWORD")
        return ""
    own = next((name for name in plan.teams if name.casefold() == team.casefold()), None)
    if own is None:
        raise PlayerError(
            f"Tournament {number} is a match of two teams: {plan.teams[0]} and {plan.teams[1]}.",
            f"Name yours: tournament join {number} USERID PASSWORD TEAM",
        )
    if sum(e.team == own for e in store.tournaments.entrants(number, season, gone=False)) >= plan.size:
        raise PlayerError(f"The team {own} has its {plan.size} players.", f"To see it, send: tournament show {number}")
    return own
