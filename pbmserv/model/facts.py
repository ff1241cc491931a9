"""The names of facts: single values that the server remembers."""

#: The fact that names the installation in the greeting of its servers.
INSTANCE = "instance"
#: The fact that says when the server's clock ran last, in seconds since 1970.
LAST_RUN = "clock"
#: The fact with the games of the last run of the clock, and since when games are missing:
#: `key/rules` -> a time in seconds since 1970, or null for a game that is installed.
GAMES = "games"

Version = tuple[str, int]  #: the key of a game and the version of its rules


def version_of(name: str) -> Version:
    """Return the game and the version that `key/rules` names."""
    key, _, rules = name.rpartition("/")
    return key, int(rules)
