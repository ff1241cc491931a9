"""Who reads a letter: his address, his language, whether he wants HTML, and what he should know of his addresses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbmserv.letters.board_page import wanted_language
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.store import Player, Store
from pbmserv.store.readers import TEXT_ONLY


@dataclass(frozen=True)
class Reader:
    """One address that a letter goes to. `doubts`: addresses of his that are suspended, or away."""

    address: str
    language: str = ENGLISH
    rich: bool = True
    doubts: Sequence[Any] = ()


def at(store: Store, addresses: Sequence[str], language: str | None, away: datetime) -> list[Reader]:
    """Whoever reads at these addresses; without a `language`, in that of the player who has an address.

    Who was `away` then, or later, has a doubt.
    """
    text_only = store.readers.text_only(addresses)
    languages = store.readers.languages(addresses) if language is None else dict[str, str]()
    doubts = defaultdict[str, list[Any]](list)
    for doubt in store.addresses.suspect(addresses, away):
        doubts[doubt.reader].append(doubt)
    folded = ((address, address.casefold()) for address in addresses)
    return [Reader(a, language or languages.get(f, ENGLISH), f not in text_only, doubts[f]) for a, f in folded]


class People:
    """What letters to some players need: their settings and their addresses, read once for all of them."""

    def __init__(self, store: Store, players: Iterable[Player], also: str, away: datetime) -> None:
        """Suspended addresses are left out, but for `also`; who was `away` then, or later, has a doubt."""
        self.players = list(players)
        ids = {p.id for p in self.players}
        self.preferences = store.players.preferences(ids)
        self._boxes = store.addresses.confirmed_of(ids)
        self._also, self._away = also.casefold(), away

    def settings(self, player: Player) -> dict[str, str]:
        """The settings of a player that hold for all games."""
        return {name: value for (id_, game, name), value in self.preferences.items() if id_ == player.id and not game}

    def language(self, player: Player) -> str:
        """The language in which a player wants his letters."""
        return wanted_language(self.preferences, player.id)

    def readers(self, player: Player) -> list[Reader]:
        """A player at each of the addresses to which his letters go."""
        boxes, language = self._boxes[player.id], self.language(player)
        doubts = [b for b in boxes if b.suspended or (b.away and b.away >= self._away)]
        rich = self.settings(player).get("mail") not in TEXT_ONLY
        return [Reader(b.address, language, rich, doubts) for b in boxes if not b.suspended or b.folded == self._also]
