"""Announces tournaments, opens and closes their entries, and cancels them."""

from datetime import datetime

from pbmserv.boards import with_robots
from pbmserv.boards.clocks.calendar_bounds import FIRST, LAST, is_within
from pbmserv.boards.seasons.calendar_of_seasons import EVERY
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.model import Phase, Player, TournamentPlan, TournamentRow
from pbmserv.store import Store

_LONGEST_NAME = 60
_OTHERS = "To see all tournaments, send: tournament list"


def create(store: Store, game: AnyGame, plan: TournamentPlan, organiser: Player | None, now: datetime) -> TournamentRow:
    """Announce a tournament. Entries are open at once. `organiser`: None for an admin. Raises PlayerError."""
    game.check(plan.options, 2)
    if not is_within(plan.start):
        raise PlayerError(
            f"The start of a tournament is a day between the years {FIRST.year} and {LAST.year}.",
            "Write for example: --start=2030-01-31",
        )
    if plan.start <= now:
        raise PlayerError("The start of a tournament must be in the future.", "Write for example: --start=2030-01-31")
    if not 0 < len(plan.name) <= _LONGEST_NAME or not plan.name.isprintable():
        raise PlayerError(f"The name of a tournament has at most {_LONGEST_NAME} characters, on one line.")
    if plan.every and plan.every not in EVERY:
        raise PlayerError("'--every' needs a time.", f"Write one of: {', '.join(EVERY)}")
    _demand_terms(plan)
    return store.tournaments.add(plan, organiser, now)


def open_entries(store: Store, number: int) -> TournamentRow:
    """Let players enter again. Raises PlayerError."""
    return _change_entries(store, number, entries=True)


def close_entries(store: Store, number: int) -> TournamentRow:
    """Let no more players enter, until the entries are opened again. Raises PlayerError."""
    return _change_entries(store, number, entries=False)


def cancel(store: Store, number: int, now: datetime) -> TournamentRow:
    """End a tournament for good. Its running boards go on as ordinary boards. Raises PlayerError."""
    tournament = demand_going_on(store, number)
    store.tournaments.change(number, phase=Phase.CANCELLED, entries=False, due=now)
    return store.tournaments.find(number) or tournament


def demand(store: Store, number: int, *, lock: bool = False) -> TournamentRow:
    """Return a tournament. Raises PlayerError if there is none with this number."""
    tournament = store.tournaments.find(number, lock=lock)
    if tournament is None:
        raise PlayerError(f"There is no tournament {number}.", _OTHERS)
    return tournament


def demand_going_on(store: Store, number: int) -> TournamentRow:
    """Return a tournament that is not over, locked. Raises PlayerError."""
    tournament = demand(store, number, lock=True)
    if tournament.phase in (Phase.OVER, Phase.CANCELLED):
        raise over(tournament)
    return tournament


def over(tournament: TournamentRow) -> PlayerError:
    """Return the error that says that nothing happens in a tournament any more."""
    if tournament.phase is Phase.CANCELLED:
        return PlayerError(f"Tournament {tournament.number} was cancelled.", _OTHERS)
    return PlayerError(f"Tournament {tournament.number} is over.", _OTHERS)


def _change_entries(store: Store, number: int, *, entries: bool) -> TournamentRow:
    tournament = demand_going_on(store, number)
    if tournament.entries == entries:
        if entries:
            raise PlayerError(f"Players can enter tournament {number} already.")
        raise PlayerError(f"Tournament {number} takes no entries at the moment.")
    store.tournaments.change(number, entries=entries)
    return store.tournaments.find(number) or tournament


def _demand_terms(plan: TournamentPlan) -> None:
    settings = plan.settings
    if plan.robots:
        with_robots.demand_time(settings)
    if settings.private:
        raise PlayerError("Everybody can see the boards of a tournament.", "Leave out the option --private.")
    if settings.forfeit is None and settings.total is None and settings.bank is None:
        raise PlayerError(
            "The boards of a tournament need a time limit, because its season ends with the last of them.",
            "Write for example: --forfeittime=21",
        )
