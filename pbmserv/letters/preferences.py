"""What players prefer: an attribute for each setting that `set` and the commands of a game store by its name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from pbmserv.letters.text.templates import ENGLISH, SPOKEN
from pbmserv.store import Store
from pbmserv.store.readers import TEXT_ONLY


@dataclass(frozen=True)
class Preferences:
    """The settings of one player. The defaults hold until he says otherwise.

    What can be set, and to what, stands in commands/settings.py under the same names.
    """

    mail: str = "html"
    own: str = "on"
    digest: str = "off"
    language: str = ENGLISH
    timezone: str = "UTC"
    broadcasts: str = "off"
    displays: Mapping[str, str] = field(default_factory=dict)  #: how he wants the boards of a game, by its key
    limits: Mapping[str, str] = field(default_factory=dict)  #: the most boards of a game for him, by its key, or "none"

    @property
    def wants_html(self) -> bool:
        """Whether his letters have HTML beside their text."""
        return self.mail not in TEXT_ONLY

    @property
    def wants_own(self) -> bool:
        """Whether he gets a letter about what he did himself."""
        return self.own != "off"

    @property
    def wants_digest(self) -> bool:
        """Whether board letters wait for one letter a day."""
        return self.digest == "daily"

    def display(self, key: str) -> str:
        """How he wants the boards of a game: one of its displays, SPOKEN, or "" for the first one."""
        return SPOKEN if self.mail == SPOKEN else self.displays.get(key, "")


#: The names under which settings of one game are stored, and the attributes that hold them.
_OF_A_GAME = {"display": "displays", "limit": "limits"}
_OF_ALL = frozenset(f.name for f in fields(Preferences)) - frozenset(_OF_A_GAME.values())


def read_preferences(store: Store, player_ids: Iterable[int]) -> dict[int, Preferences]:
    """The preferences of these players, by player. A stored setting that is not known any more is left out."""
    ids = list(player_ids)
    found: dict[int, dict[str, Any]] = {id_: {} for id_ in ids}
    for (id_, game, name), value in store.players.preferences(ids).items():
        if game and name in _OF_A_GAME:
            found[id_].setdefault(_OF_A_GAME[name], {})[game] = value
        elif not game and name in _OF_ALL:
            found[id_][name] = value
    return {id_: Preferences(**settings) for id_, settings in found.items()}
