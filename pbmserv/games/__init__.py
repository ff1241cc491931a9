"""The games of this server."""

from functools import cache
from importlib.metadata import entry_points

from pbmserv.games.base import AnyGame
from pbmserv.games.three_io import ThreeIO
from pbmserv.games.threes import Threes
from pbmserv.games.triple_town import TripleTown
from pbmserv.games.trippples import Trippples
from pbmserv.games.tumbling_down import TumblingDown

#: Our own games. Other packages add theirs through the entry point "pbmserv.games".
GAMES: tuple[AnyGame, ...] = (TumblingDown(), TripleTown(), Threes(), ThreeIO(), Trippples())


@cache
def all_games() -> tuple[AnyGame, ...]:
    """Our games, then those of installed packages by the name of their entry point."""
    others = sorted(entry_points(group="pbmserv.games"), key=lambda e: e.name)
    return GAMES + tuple(e.load()() for e in others)


@cache
def names() -> dict[str, AnyGame]:
    """Every key and alias with its game."""
    return {name: g for g in all_games() for name in (g.info.key, *g.info.aliases)}


def find(key: str) -> AnyGame:
    """The game with this key. Raises KeyError if it is not installed, though there may be boards of it."""
    for game in all_games():
        if game.info.key == key:
            return game
    raise KeyError(key)
