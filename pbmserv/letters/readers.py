"""The readers of letters: address, language, HTML or not, and warnings about their addresses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbmserv.letters.preferences import Preferences, read_preferences
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.store import Player, Store


@dataclass(frozen=True)
class Reader:
    """One address for a letter. `suspects`: the reader's addresses that are suspended or away."""

    address: str
    language: str = ENGLISH
    rich: bool = True  #: the reader wants HTML, too
    suspects: Sequence[Any] = ()


def readers_at(store: Store, addresses: Sequence[str], language: str | None, away: datetime) -> list[Reader]:
    """Return the readers at these addresses.

    Without a `language`, each has the language of the player with the address.

    An address counts as away if an out-of-office notice came at the time `away` or later.
    """
    text_only = store.readers.text_only(addresses)
    languages = store.readers.languages(addresses) if language is None else dict[str, str]()
    suspects = defaultdict[str, list[Any]](list)
    for suspect in store.addresses.suspect(addresses, away):
        suspects[suspect.reader].append(suspect)
    folded = ((address, address.casefold()) for address in addresses)
    return [Reader(a, language or languages.get(f, ENGLISH), f not in text_only, suspects[f]) for a, f in folded]


class People:
    """The preferences and addresses of some players, read once for all of them."""

    def __init__(self, store: Store, players: Iterable[Player], also: str, away: datetime) -> None:
        """Suspended addresses are left out, except `also`. `away`: see `readers_at`."""
        self.players = list(players)
        ids = {p.id for p in self.players}
        self._preferences = read_preferences(store, ids)
        self._addresses = store.addresses.confirmed_of(ids)
        self._also, self._away = also.casefold(), away

    def preferences(self, player: Player) -> Preferences:
        """Return a player's preferences."""
        return self._preferences[player.id]

    def language(self, player: Player) -> str:
        """Return the language for a player's letters."""
        return self._preferences[player.id].language

    def may_comment(self, player: Player) -> bool:
        """Return whether words of this player may reach others: only after an address is confirmed.

        Closed accounts have no address any more. Players who are not known here are allowed, because they were checked
        before.
        """
        return player.password_hash is None or player.id not in self._addresses or len(self._addresses[player.id]) > 0

    def readers(self, player: Player) -> list[Reader]:
        """Return a reader for each address to which a player's letters go."""
        mine, wants = self._addresses[player.id], self._preferences[player.id]
        suspects = [a for a in mine if a.suspended or (a.away and a.away >= self._away)]
        used = [a for a in mine if not a.suspended or a.folded == self._also]
        return [Reader(a.address, wants.language, wants.wants_html, suspects) for a in used]
