"""Who reads a letter: his address, his language, whether he wants HTML, and what he should know of his addresses."""

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
    """One address that a letter goes to. `suspects`: those of his addresses that are suspended, or away."""

    address: str
    language: str = ENGLISH
    rich: bool = True  #: he wants HTML, too
    suspects: Sequence[Any] = ()


def readers_at(store: Store, addresses: Sequence[str], language: str | None, away: datetime) -> list[Reader]:
    """Whoever reads at these addresses; without a `language`, in that of the player who has an address.

    An address counts as away if somebody's mailer said so at the moment `away` or later.
    """
    text_only = store.readers.text_only(addresses)
    languages = store.readers.languages(addresses) if language is None else dict[str, str]()
    suspects = defaultdict[str, list[Any]](list)
    for suspect in store.addresses.suspect(addresses, away):
        suspects[suspect.reader].append(suspect)
    folded = ((address, address.casefold()) for address in addresses)
    return [Reader(a, language or languages.get(f, ENGLISH), f not in text_only, suspects[f]) for a, f in folded]


class People:
    """What letters to some players need: their preferences and their addresses, read once for all of them."""

    def __init__(self, store: Store, players: Iterable[Player], also: str, away: datetime) -> None:
        """Suspended addresses are left out, but for `also`; `away`: see `readers_at`."""
        self.players = list(players)
        ids = {p.id for p in self.players}
        self._preferences = read_preferences(store, ids)
        self._addresses = store.addresses.confirmed_of(ids)
        self._also, self._away = also.casefold(), away

    def preferences(self, player: Player) -> Preferences:
        """What a player prefers."""
        return self._preferences[player.id]

    def language(self, player: Player) -> str:
        """The language in which a player wants his letters."""
        return self._preferences[player.id].language

    def readers(self, player: Player) -> list[Reader]:
        """A player at each of the addresses to which his letters go."""
        mine, wants = self._addresses[player.id], self._preferences[player.id]
        suspects = [a for a in mine if a.suspended or (a.away and a.away >= self._away)]
        used = [a for a in mine if not a.suspended or a.folded == self._also]
        return [Reader(a.address, wants.language, wants.wants_html, suspects) for a in used]
