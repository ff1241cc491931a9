"""The preferences of players: one attribute for each setting that `set` and the commands of games store."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from pbmserv.boards.clocks import days_off, vacations
from pbmserv.letters.text.templates import ENGLISH, SPOKEN
from pbmserv.letters.text.wording import Habits
from pbmserv.store import Player, Store
from pbmserv.store.accounts.readers import TEXT_ONLY


@dataclass(frozen=True)
class Preferences:
    """The preferences of one player. The defaults are used until the player changes them.

    The possible values are in commands/settings.py under the same names.
    """

    mail: str = "html"
    own: str = "on"
    digest: str = "off"
    subject: str = "same"
    turn: str = "off"
    language: str = ENGLISH
    timezone: str = "UTC"
    weekends: str = days_off.ON
    vacation: str = "off"
    attach: str = "off"
    broadcasts: str = "off"
    calendar: str = "off"  #: else it is the nonce in the link to the calendar
    webhook: str = "off"  #: "on" once its owner has proved it; what else is known is in its table
    fewer: str = "off"
    displays: Mapping[str, str] = field(default_factory=dict)  #: the display for boards of a game, by its key
    limits: Mapping[str, str] = field(default_factory=dict)  #: the most boards of a game, by its key, or "none"

    @property
    def habits(self) -> Habits:
        """What other players should know about this player's time before a board begins."""
        return Habits(days_off.days_set(self.weekends), self.wants_auto_vacation)

    @property
    def wants_auto_vacation(self) -> bool:
        """Whether days of vacation are used automatically when the player's time runs out."""
        return self.vacation == vacations.AUTO

    @property
    def wants_html(self) -> bool:
        """Whether letters to the player have HTML, too."""
        return self.mail not in TEXT_ONLY

    @property
    def wants_record(self) -> bool:
        """Whether turn letters have the board as files, for a program of the player."""
        return self.attach == "record"

    @property
    def has_calendar(self) -> bool:
        """Whether the player has a calendar on the web pages."""
        return self.calendar != "off"

    @property
    def has_webhook(self) -> bool:
        """Whether events are posted to a URL of the player."""
        return self.webhook == "on"

    @property
    def wants_own(self) -> bool:
        """Whether the player gets a letter about their own moves."""
        return self.own != "off"

    @property
    def wants_digest(self) -> bool:
        """Whether board letters are collected in one letter a day."""
        return self.digest == "daily"

    @property
    def wants_fewer(self) -> bool:
        """Whether the player gets neither messages of other players nor reminders."""
        return self.fewer == "on"

    @property
    def wants_turn_in_subject(self) -> bool:
        """Whether the subject of a board letter says whose turn it is."""
        return self.subject == "turn"

    @property
    def wants_turned(self) -> bool:
        """Whether the player sees their own men at the bottom of pictures."""
        return self.turn == "on"

    def display(self, key: str) -> str:
        """Return the display for boards of a game: one of its displays, SPOKEN, or "" for the first one."""
        return SPOKEN if self.mail == SPOKEN else self.displays.get(key, "")


NO_PREFERENCES = Preferences()  #: of a reader who is not known

#: The stored names of settings for one game, and their attributes.
_OF_A_GAME = {"display": "displays", "limit": "limits"}
_OF_ALL = frozenset(f.name for f in fields(Preferences)) - frozenset(_OF_A_GAME.values())


def read_preferences(store: Store, player_ids: Iterable[int]) -> dict[int, Preferences]:
    """Return the preferences by player id. Stored settings that no longer exist are left out."""
    ids = list(player_ids)
    values: dict[int, dict[str, Any]] = {id_: {} for id_ in ids}
    for (id_, game, name), value in store.players.preferences(ids).items():
        if game and name in _OF_A_GAME:
            values[id_].setdefault(_OF_A_GAME[name], {})[game] = value
        elif not game and name in _OF_ALL:
            values[id_][name] = value
    return {id_: Preferences(**settings) for id_, settings in values.items()}


def habits_of(store: Store, players: Iterable[Player]) -> dict[str, Habits]:
    """Return what players have set about time on boards, by userid. A robot has no days off and no vacation."""
    people = list(players)
    preferences = read_preferences(store, {p.id for p in people})
    return {p.userid: Habits() if p.robot else preferences[p.id].habits for p in people}
