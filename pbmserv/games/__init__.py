"""The games of this server."""

from collections.abc import Collection
from contextlib import suppress
from functools import cache

from pbmserv import paths
from pbmserv.games import plugins
from pbmserv.games.base import AnyGame
from pbmserv.games.base.kinds import place_of_kind
from pbmserv.games.capture.breakthrough import Breakthrough
from pbmserv.games.capture.chess import Chess, FirstChess
from pbmserv.games.capture.draughts import Draughts
from pbmserv.games.capture.loa import LinesOfAction
from pbmserv.games.capture.morris import Morris
from pbmserv.games.capture.oware import Oware
from pbmserv.games.capture.tumbling_down import TumblingDown
from pbmserv.games.connection.four import FourInARow
from pbmserv.games.connection.gomoku import Gomoku
from pbmserv.games.connection.havannah import Havannah
from pbmserv.games.connection.hex import Hex
from pbmserv.games.not_installed import GameMissing, NotInstalled, stand_in
from pbmserv.games.plugins import Broken, Plugin, told
from pbmserv.games.race.backgammon import Backgammon
from pbmserv.games.race.battleship import SeaBattle
from pbmserv.games.race.three_io import ThreeIO
from pbmserv.games.race.trippples import Trippples
from pbmserv.games.solitaire.threes import Threes
from pbmserv.games.solitaire.triple_town import TripleTown
from pbmserv.games.territory.amazons import Amazons
from pbmserv.games.territory.dots import DotsAndBoxes
from pbmserv.games.territory.go import Go
from pbmserv.games.territory.othello import Othello

__all__ = [
    "GAMES",
    "Broken",
    "GameMissing",
    "NotInstalled",
    "all_games",
    "blamed",
    "broken",
    "chosen",
    "demand_installed",
    "find",
    "is_any_move",
    "listed",
    "names",
    "of_families",
    "packages",
    "told",
    "versions",
]

#: The games of this package. Other packages add theirs through the entry point "pbmserv.games".
GAMES: tuple[AnyGame, ...] = (
    TumblingDown(),
    TripleTown(),
    Threes(),
    ThreeIO(),
    Trippples(),
    Gomoku(),
    Hex(),
    Havannah(),
    Othello(),
    Breakthrough(),
    FourInARow(),
    LinesOfAction(),
    Amazons(),
    Draughts(),
    Chess(),
    Oware(),
    Morris(),
    Backgammon(),
    DotsAndBoxes(),
    Go(),
    SeaBattle(),
)

#: Rules of our games that have changed, for boards that began with them.
EARLIER: tuple[AnyGame, ...] = (FirstChess(),)


def of_families() -> tuple[AnyGame, ...]:
    """Return the games that are made from rows. They take as long to import as all others together, so this waits."""
    from pbmserv.games.families.games_of_rows import OF_FAMILIES

    return OF_FAMILIES


@cache
def _installed() -> tuple[list[Plugin], list[Broken]]:
    """The games of other packages, and those of them that cannot be used."""
    pages = {f.stem for f in (paths.data("templates") / "help").glob("*.txt")}
    return plugins.load({*pages, *(name for g in (*GAMES, *of_families()) for name in (g.info.key, *g.info.aliases))})


@cache
def _versions() -> dict[tuple[str, int], AnyGame]:
    """Every game by its key and the version of its rules."""
    everything = (*EARLIER, *GAMES, *of_families(), *(p.game for p in _installed()[0]))
    return {(g.info.key, g.info.rules): g for g in everything}


@cache
def all_games() -> tuple[AnyGame, ...]:
    """Return the games by kind: our games, then those of packages by key. Each has its newest version of the rules."""
    newest = {key: game for (key, _), game in sorted(_versions().items(), key=lambda item: item[0])}
    ours = [g.info.key for g in (*GAMES, *of_families())]
    current = [newest[key] for key in (*ours, *(k for k in newest if k not in ours))]
    return tuple(sorted(current, key=lambda g: place_of_kind(g.info)))


@cache
def listed() -> tuple[AnyGame, ...]:
    """Return the games without those that stand on the page of another one, in the order of `all_games`."""
    return tuple(g for g in all_games() if not g.info.family)


def chosen(keys: Collection[str]) -> tuple[AnyGame, ...]:
    """Return the games with these keys, or all if there are no keys. Always in the order of `all_games`."""
    return tuple(g for g in all_games() if not keys or g.info.key in keys)


@cache
def names() -> dict[str, AnyGame]:
    """Return every key and alias with its game. Keys go before aliases. The first game with an alias gets it."""
    by_name = {g.info.key: g for g in all_games()}
    for game in all_games():
        for alias in game.info.aliases:
            by_name.setdefault(alias, game)
    return by_name


def find(key: str, rules: int | None = None) -> AnyGame:
    """Return the game with this key and this version of the rules (None: the newest).

    If it is not installed, although there are boards of it, a `NotInstalled` stands in for it.
    """
    if rules is not None and (game := _versions().get((key, rules))):
        return game
    newest = _newest().get(key)
    return newest if newest and rules is None else stand_in(key, rules or 1, newest)


def is_any_move(text: str) -> bool:
    """Return whether a word has the form of a move in some game. A game that fails here is skipped."""
    for game in listed():
        with suppress(Exception):
            if game.is_move(game.normalise(text)):
                return True
    return False


def demand_installed(game: AnyGame) -> None:
    """Raise GameMissing for a game that is not installed."""
    if isinstance(game, NotInstalled):
        raise game.error()


@cache
def _newest() -> dict[str, AnyGame]:
    return {g.info.key: g for g in all_games()}


def versions() -> frozenset[tuple[str, int]]:
    """The keys of all games that are installed, each with the versions of its rules."""
    return frozenset(_versions())


def packages() -> list[str]:
    """The packages of the games that are not ours, each with its version."""
    return [plugin.package for plugin in _installed()[0]]


def broken() -> list[Broken]:
    """The games of installed packages that cannot be used, and why."""
    return _installed()[1]


def blamed(error: BaseException) -> str:
    """Return the package that caused an exception, with its version; "" if it came from no package of a game."""
    return plugins.blamed(error, _installed()[0])
