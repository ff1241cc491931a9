"""Who has won a tournament."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from pbmserv.model import EntrantRow, Player
from pbmserv.store import Store


class Title(NamedTuple):
    """A season that a player has won."""

    tournament: int
    name: str
    season: int

    @property
    def path(self) -> str:
        """Of its page."""
        return f"/tournaments/{self.tournament}?season={self.season}"


def titles_in(store: Store, game: str, userids: Collection[str]) -> Mapping[str, list[Title]]:
    """Return the titles of players in a game by userid, the newest first."""
    won = store.tournaments.titles_by_userid(userids, game) if userids else []
    return _by_userid(store, won)


def titles_of(store: Store, player: Player) -> list[Title]:
    """Return all titles of a player, the newest first."""
    return _by_userid(store, store.tournaments.titles_of([player.id])).get(player.userid, [])


def _by_userid(store: Store, won: Iterable[EntrantRow]) -> dict[str, list[Title]]:
    rows = list(won)
    names = store.tournaments.names({row.tournament for row in rows})
    titles = dict[str, list[Title]]()
    for row in rows:
        titles.setdefault(row.player.userid, []).append(Title(row.tournament, names[row.tournament], row.season))
    return titles
