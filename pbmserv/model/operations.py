"""What the server remembers of itself: limits of use and whose use is counted, and facts, which are single values."""

from typing import NamedTuple, TypeAlias

HOUR, DAY = 3600.0, 86400.0


class Allowance(NamedTuple):
    """A limit: `most` uses in `seconds`, which begin with the first use.

    `what` names it in the table. Each subject has an allowance of its own: a player, an address, the server.
    """

    what: str
    most: int
    seconds: float = DAY


#: Whose allowance is used: the subject, a text of at most SUBJECT_LENGTH characters.
Use: TypeAlias = tuple[str, Allowance]
SUBJECT_LENGTH = 80


class Counted(NamedTuple):
    """How much of an allowance a subject has used; `ends`: when its count begins again, in seconds since 1970."""

    subject: str
    what: str
    used: int
    ends: float


def player_subject(player_id: int) -> str:
    """Return the subject for the counts of a player."""
    return f"player {player_id}"


def origin_subject(origin: str) -> str:
    """Return the subject for the counts of an origin of mails; "": all origins that are not known."""
    return f"from {origin or 'anywhere'}"[:SUBJECT_LENGTH]


#: The fact that names the installation in the greeting of its servers.
INSTANCE = "instance"
#: The fact that says when the server's clock ran last, in seconds since 1970.
LAST_RUN = "clock"
#: The fact that says when the last backup was made, in seconds since 1970.
LAST_BACKUP = "backup"
#: The fact with the games of the last run of the clock, and since when games are missing:
#: `key/rules` -> a time in seconds since 1970, or null for a game that is installed.
GAMES = "games"

#: The fact with the faults of engines: name -> the fields of `EngineHealth`.
ENGINES = "engines"


class EngineHealth(NamedTuple):
    """How an engine is that chooses moves for robots.

    `trouble`: its last fault, "" if it has answered since; `since`: when that was, in seconds since 1970, 0: never;
    `faults`: how many in all.
    """

    trouble: str = ""
    since: float = 0.0
    faults: int = 0


Version = tuple[str, int]  #: the key of a game and the version of its rules


def version_of(name: str) -> Version:
    """Return the game and the version that `key/rules` names."""
    key, _, rules = name.rpartition("/")
    return key, int(rules)
