"""What players have set: one row for each preference. Pure values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, Self, TypeVar, overload

T = TypeVar("T", covariant=True)
#: The display that every game has, and a value of `mail`: the position in words, for ears and Braille lines.
SPOKEN = "spoken"
TEXT_ONLY = ("text", SPOKEN)  #: with these values of `mail`, letters have no HTML
OF_DISPLAY, OF_LIMIT = "display", "limit"  #: the names of what players set for one game


@dataclass(frozen=True)
class Preference(Generic[T]):
    """A preference: its values and their meanings, the default first.

    `read` makes what the program asks for from the stored value. Besides the values, players may write the name of a
    time zone (`zone`), one or two days of the week (`days`), or a game (`game`). `special`: it is not set as
    the others are.
    """

    name: str
    values: Mapping[str, str]
    read: Callable[[str], T]
    zone: bool = False
    days: bool = False
    game: bool = False
    special: bool = False

    @cached_property
    def usual(self) -> str:
        """The default."""
        return next(iter(self.values))

    def stored(self, preferences: "Preferences") -> str:
        """Return the value that a player has, as it is stored."""
        return preferences.stored.get(("", self.name), self.usual)

    @overload
    def __get__(self, preferences: None, _: object) -> Self: ...

    @overload
    def __get__(self, preferences: "Preferences", _: object) -> T: ...

    def __get__(self, preferences: "Preferences | None", _: object) -> Self | T:
        return self if preferences is None else self.read(self.stored(preferences))


def _choice(name: str, **values: str) -> Preference[str]:
    return Preference(name, values, str)


def days_set(value: str) -> tuple[str, ...]:
    """Return the days off that a value of `weekends` means, in the order of the week."""
    return {"off": ("sat", "sun"), "on": ()}.get(value, tuple(value.split(",")))


def _switch(name: str, yes: str, **values: str) -> Preference[bool]:
    """Return a preference of which the program asks only whether it has the value `yes`."""
    return Preference(name, values, lambda value: value == yes)


@dataclass(frozen=True)
class Preferences:
    """The preferences of one player. `stored`: (game, or "" for all games; name) -> value.

    The program reads an attribute by the name that it has here; players know it by the name in its row. `set` lists the
    rows in this order. Stored names that are in no row are of another version, and nobody reads them.
    """

    stored: Mapping[tuple[str, str], str] = field(default_factory=dict)

    mail = _choice(
        "mail",
        html="letters in plain text and in HTML",
        text="letters in plain text alone",
        spoken="plain text, with boards in words: for screen readers and Braille",
    )
    wants_spelling = _switch(
        "spelling",
        "words",
        off="squares read out as e4",
        words="squares read out as echo 4: alfa, bravo, charlie",
    )
    wants_own = _switch(
        "own", "on", on="a letter after each of your own moves", off="none, unless it is your turn again"
    )
    wants_digest = _switch("digest", "daily", off="a letter for each board", daily="one letter a day for all boards")
    wants_turn_in_subject = _switch(
        "subject",
        "turn",
        same="one subject for all letters of a board",
        turn="subjects that say whose turn it is: 101 your turn",
    )
    shows_pictures = _switch(
        "pictures", "on", on="boards as pictures", off="boards as text diagrams, also in letters with HTML"
    )
    wants_turned = _switch(
        "turn",
        "on",
        off="pictures of boards as the rules draw them",
        on="pictures of boards with your own men at the bottom",
    )
    wants_record = _switch(
        "attach",
        "record",
        off="turn letters without files",
        record="turn letters with the board as files, for a program",
    )
    language = _choice("language", en="")  #: a site has others, too: `Renderer.languages`
    timezone = Preference("timezone", {"UTC": "the time zone for dates and times in letters"}, str, zone=True)
    wants_broadcasts = _switch(
        "broadcasts",
        "on",
        off="no letters that players send to everybody",
        on="letters that players send to everybody (broadcasts)",
    )
    keeps_signature = _switch(
        "signature", "keep", cut="what your mails end with again is left out", keep="all your words are passed on"
    )
    wants_reactions = _switch(
        "reactions",
        "on",
        off="no letters about reactions with an emoji",
        on="a letter when others react with an emoji",
    )
    wants_fewer = _switch(
        "fewer", "on", off="messages of players, and reminders", on="neither messages of players nor reminders"
    )
    weekends = Preference(
        "weekends",
        {
            "on": "your time runs on all days",
            "off": "no time on Saturday and Sunday, on new boards",
            "fri,sat": "no time on one or two other days, on new boards",  # the example for all other days
        },
        days_set,
        days=True,
    )
    wants_auto_vacation = _switch(
        "vacation",
        "auto",
        off="when your time runs out, you lose",
        auto="then days of your vacation are used, one by one",
    )
    puzzle = Preference(
        "puzzle",
        {"off": "no puzzles", "chess": "a puzzle a day, from boards of this game"},  # the example for all games
        str,
        game=True,
    )
    lends_boards = _switch(
        "lend",
        "on",
        off="none of your boards becomes a puzzle for others",
        on="your reviewed boards can be puzzles for others",
    )
    #: Stored is "off", or a number in the link that is made anew for each `new`.
    calendar = Preference(
        "calendar", {"off": "no calendar", "on": "your time limits as a calendar, at a secret link"}, str, special=True
    )
    #: Stored as that of the calendar is.
    page = Preference(
        "page",
        {"off": "no page with all your boards", "on": "a page with the boards that wait for you, at a secret link"},
        str,
        special=True,
    )
    #: Stored is "on" once its owner has proved it; what else is known of it is in its table.
    has_webhook = Preference(
        "webhook",
        {
            "off": "no events to a URL of yours",
            "asked": "a code has gone to your URL; send it back to prove that you read it",
            "on": "events go to your URL",
            "suspended": "your URL did not work, so nothing goes there",
        },
        lambda value: value == "on",
        special=True,
    )
    #: Hashes of what the player's mails ended with, see `mail/reading/added/repeated.py`.
    endings = Preference("endings", {"": ""}, str, special=True)
    #: Only admins set it.
    is_organiser = Preference("organiser", {"no": "", "yes": ""}, lambda value: value == "yes", special=True)

    @property
    def wants_html(self) -> bool:
        """Whether letters to the player have HTML, too."""
        return self.mail not in TEXT_ONLY

    @property
    def wants_pictures(self) -> bool:
        """Whether letters to the player have pictures of boards."""
        return self.wants_html and self.shows_pictures

    @property
    def has_calendar(self) -> bool:
        """Whether the player has a calendar on the web pages."""
        return self.calendar != "off"

    @property
    def has_page(self) -> bool:
        """Whether the player has a page with all their boards."""
        return self.page != "off"

    def display(self, key: str) -> str:
        """Return the display for boards of a game: one of its displays, SPOKEN, or "" for the first one."""
        return SPOKEN if self.mail == SPOKEN else self.stored.get((key, OF_DISPLAY), "")

    def limit(self, key: str) -> str | None:
        """Return the most boards of a game that others may begin, or "none"; None if the player has not set it."""
        return self.stored.get((key, OF_LIMIT))


#: What players set by its name and a value of its row.
PREFERENCES = tuple(row for row in vars(Preferences).values() if isinstance(row, Preference) and not row.special)
NO_PREFERENCES = Preferences()  #: of a reader who is not known
