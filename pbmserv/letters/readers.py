"""The readers of letters: address, language, HTML or not, and warnings about their addresses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbmserv.boards.clocks import days_off
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.letters.text.wording import Habits
from pbmserv.model import Player
from pbmserv.model.preferences import Preferences
from pbmserv.store import Store


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


def habits_of(store: Store, players: Iterable[Player]) -> dict[str, Habits]:
    """Return what players have set about time on boards, by userid. A robot has no days off and no vacation."""
    people = set(players)
    preferences = store.players.preferences({p.id for p in people if not p.robot})
    habits = {id_: Habits(days_off.days_set(p.weekends), p.wants_auto_vacation) for id_, p in preferences.items()}
    return {p.userid: habits.get(p.id, Habits()) for p in players}


class People:
    """The preferences and addresses of some players, read once for all of them."""

    def __init__(self, store: Store, players: Iterable[Player]) -> None:
        self.players = list(players)
        ids = sorted({p.id for p in self.players})
        self._preferences = store.players.preferences(ids)
        self._addresses = store.addresses.confirmed_of(ids)

    @staticmethod
    def ask(store: Store, ids: Iterable[int]) -> None:
        """Ask for the data of players. This is for `Store.ask_ahead`."""
        numbers = sorted(ids)
        store.players.preferences(numbers)
        store.addresses.confirmed_of(numbers)

    def preferences(self, player: Player) -> Preferences:
        """Return a player's preferences."""
        return self._preferences[player.id]

    def may_comment(self, player: Player) -> bool:
        """Return whether words of this player may reach others: only after an address is confirmed.

        Closed accounts have no address any more. Players who are not known here are allowed, because they were checked
        before.
        """
        return player.password_hash is None or player.id not in self._addresses or len(self._addresses[player.id]) > 0

    def used_addresses(self, player: Player, also: str) -> list[str]:
        """Return the addresses to which a player's letters go. Suspended ones are left out, except `also`."""
        also = also.casefold()
        return [a.address for a in self._addresses[player.id] if not a.suspended or a.folded == also]

    def reader(self, player: Player, address: str, away: datetime) -> Reader:
        """Return the player as the reader of a letter to this address. `away`: see `readers_at`."""
        wants, own = self._preferences[player.id], self._addresses[player.id]
        suspects = [a for a in own if a.suspended or (a.away and a.away >= away)]
        return Reader(address, wants.language, wants.wants_html, suspects)
