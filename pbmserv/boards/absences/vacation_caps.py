"""Vacations on boards that allow few days of them, as those of tournaments do: after these days the time runs."""

from collections.abc import Iterable, Sequence

from pbmserv.boards.clocks.deadlines import DAY
from pbmserv.model import Player, Settings, Vacation
from pbmserv.store import Store


def away_until(
    store: Store, players: Iterable[int], settings: Settings, created: float, now: float
) -> dict[int, float]:
    """Return until when the vacations of players stop their time on a board. `created`: when it began.

    Only those who are on vacation now are in it. Nothing is locked for it.
    """
    return _counting(store, store.players.on_vacation(players, now), settings, created)


def held_until(
    store: Store, players: Iterable[int], settings: Settings, created: float, now: float, *, hold: bool = False
) -> dict[int, float]:
    """Return the same as `away_until`, to write it. `hold`: see `PlayerQueries.away_until`."""
    return _counting(store, store.players.away_until(players, now, hold=hold), settings, created)


def is_used_up(store: Store, player: Player, settings: Settings, created: float, now: float) -> bool:
    """Return whether no more days of vacation stop a player's time on a board that began at `created`."""
    if settings.vacation is None:
        return False
    another = Vacation(now, now + DAY)
    return end(settings, created, [*store.players.vacations(player.id), another]) <= now


def ends_before(store: Store, player: Player, until: float) -> list[tuple[int, float]]:
    """Return on which running boards of a player the time runs again before the end of the last vacation, and when."""
    taken = store.players.vacations(player.id)
    boards = ((n, end(settings, created, taken)) for n, settings, created in store.boards.with_few_vacations(player.id))
    return [(number, ends) for number, ends in boards if ends < until]


def _counting(store: Store, away: dict[int, float], settings: Settings, created: float) -> dict[int, float]:
    """Return the ends of vacations as they count on a board: earlier if it allows fewer days."""
    if settings.vacation is None or not away:
        return away
    taken = store.players.vacations_since(away, created)
    return {id_: end(settings, created, taken.get(id_, [])) for id_ in away}


def end(settings: Settings, created: float, taken: Sequence[Vacation]) -> float:
    """Return the end of the last of these vacations; on a board that allows fewer days, when these are used up."""
    last = max(taken, key=lambda v: v.begins)
    if settings.vacation is None:
        return last.ends
    used = sum(max(v.ends - max(v.begins, created), 0.0) for v in taken if v is not last)
    left = max(settings.vacation * DAY - used, 0.0)
    return min(last.ends, max(last.begins, created) + left)
