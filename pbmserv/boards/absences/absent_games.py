"""Boards whose game is not installed wait, and nobody loses time on them."""

import json
from datetime import UTC, datetime
from typing import NamedTuple

import structlog

from pbmserv import games
from pbmserv.boards import closing_accounts
from pbmserv.boards.clocks import deadlines
from pbmserv.boards.closing_accounts import Left
from pbmserv.model import SeatClock, Settings
from pbmserv.model.operations import GAMES, Version, version_of
from pbmserv.store import Store

log = structlog.get_logger()


class GamesNoticed(NamedTuple):
    """The games whose boards wait. `left`: boards whose game is back, and which closed accounts have now left."""

    waiting: frozenset[Version]
    left: list[Left]


def notice(store: Store, last: float, now: float) -> GamesNoticed:
    """Compare the installed games with those of the last run. If a game is back, give its boards their time back.

    `last`: the time of the last run in seconds since 1970, moved as all clocks were since then.
    """
    gone = _gone(store, last)
    installed, left = games.versions(), list[Left]()
    for version in sorted(gone):
        since = gone[version]
        if version not in installed:
            gone[version] = min(last if since is None else since, now)
            if since is None:
                log.warning("game is gone", game=version[0], rules=version[1])
        elif since is not None:
            gone[version] = None
            leave_out(store, since, max(now - since, 0.0), version)
            left += closing_accounts.leave_waiting(store, *version, datetime.fromtimestamp(now, UTC))
            log.info("game is back", game=version[0], rules=version[1], seconds=round(now - since))
    fact = json.dumps({f"{key}/{rules}": gone.get((key, rules)) for key, rules in sorted(installed | gone.keys())})
    if fact != store.operations.fact(GAMES):
        store.operations.set_fact(GAMES, fact)
    return GamesNoticed(frozenset(gone.keys() - installed), left)


def leave_out(
    store: Store, begin: float, seconds: float, game: Version | None = None, now: float | None = None
) -> None:
    """Leave out so many seconds after `begin` for all running turns, or for those of one game.

    If they are negative, it is so much earlier than everybody thought. `now`: if it is not `begin + seconds`.
    """
    now = begin + seconds if now is None else now

    def change(clock: SeatClock, settings: Settings, vacation: float | None, _: float) -> SeatClock:
        if vacation is not None and settings.vacation is not None:  # perhaps more days of it than count on this board
            vacation = min(vacation, (clock.since or begin) + seconds) if (clock.since or begin) > begin else None
        return deadlines.left_out(clock, settings, begin, seconds, vacation)

    store.boards.leave_out(change, begin, seconds, now, game)


def shift(store: Store, seconds: float) -> None:
    """Note that all clocks were shifted, including those of waiting boards, so that this time does not count twice."""
    if known := store.operations.fact(GAMES):
        moved = {name: None if since is None else since + seconds for name, since in json.loads(known).items()}
        store.operations.set_fact(GAMES, json.dumps(moved))


def _gone(store: Store, last: float) -> dict[Version, float | None]:
    """Return what the last run knew about each game. The first run looks for games that have boards."""
    known = store.operations.fact(GAMES)
    if known is None:
        here = {key for key, _ in games.versions()}
        return {(key, 1): last for key in store.audit.games() if key not in here}
    return {version_of(name): since for name, since in json.loads(known).items()}
