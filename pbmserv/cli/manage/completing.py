"""What the shell offers for arguments whose values are known."""

from pbmserv import games


def game_keys() -> list[str]:
    """The keys of all games."""
    return [g.info.key for g in games.all_games()]
