"""The tiles, the land and the chances of Triple Town. Clauses T1-T8, T13-T16, T26 and T29 of the rules.

Locations are numbered in the seed's traversal order (T26) from 0; a land is one tile code for each, "" for a blank.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pbmserv.games.base.grid import Grid

BLANK = ""
BEAR, NINJA, TOMBSTONE = "Be", "NB", "To"
BOT, CRYSTAL, ROCK, MOUNTAIN, CHEST, LARGE_CHEST = "Bo", "Cr", "Ro", "Mo", "Cs", "LC"
CHESTS = (CHEST, LARGE_CHEST)


class Tile(NamedTuple):
    """`needed` equal tiles become one `becomes` (T15; 0: never); placing or making one earns `points` (T29)."""

    code: str
    name: str
    plural: str
    points: int = 0
    needed: int = 0
    becomes: str = ""


_TABLE = (
    Tile("Gr", "grass", "grass", 5, 3, "Bu"),
    Tile("Bu", "bush", "bushes", 20, 3, "Tr"),
    Tile("Tr", "tree", "trees", 100, 3, "Hu"),
    Tile("Hu", "hut", "huts", 500, 3, "Ho"),
    Tile("Ho", "house", "houses", 1500, 3, "Ma"),
    Tile("Ma", "mansion", "mansions", 5000, 3, "Ca"),
    Tile("Ca", "castle", "castles", 20_000, 3, "FC"),
    Tile("FC", "floating-castle", "floating-castles", 100_000, 4, "3C"),
    Tile("3C", "triple-castle", "triple-castles", 500_000),
    Tile(TOMBSTONE, "tombstone", "tombstones", 0, 3, "Ch"),
    Tile("Ch", "church", "churches", 1000, 3, "Ct"),
    Tile("Ct", "cathedral", "cathedrals", 5000, 3, CHEST),
    Tile(CHEST, "chest", "chests", 10_000, 3, LARGE_CHEST),
    Tile(LARGE_CHEST, "large-chest", "large-chests", 50_000),
    Tile(ROCK, "rock", "rocks", 0, 3, MOUNTAIN),
    Tile(MOUNTAIN, "mountain", "mountains", 1000, 3, LARGE_CHEST),
    Tile(BEAR, "bear", "bears"),
    Tile(NINJA, "ninja-bear", "ninja-bears"),
    Tile(CRYSTAL, "crystal", "crystals"),
    Tile(BOT, "imperial-bot", "imperial-bots"),
)
TILES = {tile.code: tile for tile in _TABLE}

#: T7: how often each tile is the next one. The basic game leaves out the bears (T8).
WEIGHTS = {"Gr": 61, "Bu": 15, "Tr": 2, "Hu": 1, CRYSTAL: 2, BOT: 3, BEAR: 15, NINJA: 1}
BASIC_WEIGHTS = {code: weight for code, weight in WEIGHTS.items() if code not in (BEAR, NINJA)}

#: T16: the tiles that a crystal can stand for, the first choice first.
CRYSTAL_ORDER = ("FC", CHEST, "Ca", "Ma", "Ct", "Ho", "Ch", "Hu", TOMBSTONE, "Tr", "Bu", "Gr")

GRID = Grid(6, 6)
STOREHOUSE = GRID.square("a6")


def _traversal(square: int) -> tuple[int, int]:
    """T26: by anti-diagonals counted from the north-west, each from west to east."""
    row, column = divmod(square, GRID.columns)
    return GRID.rows - 1 - row + column, column


_SQUARES = sorted(set(range(GRID.size)) - {STOREHOUSE}, key=_traversal)
NAMES = tuple(GRID.name(square) for square in _SQUARES)  #: of the locations: "a5" is the first
NEIGHBOURS = tuple(tuple(_SQUARES.index(n) for n in GRID.neighbours(square) if n != STOREHOUSE) for square in _SQUARES)


def group(land: Sequence[str], location: int) -> set[int]:
    """Return the connected locations with the same tile as `location`, including `location` (T13)."""
    tile, members, waiting = land[location], {location}, [location]
    while waiting:
        for n in NEIGHBOURS[waiting.pop()]:
            if land[n] == tile and n not in members:
                members.add(n)
                waiting.append(n)
    return members


def match(land: Sequence[str], location: int) -> set[int]:
    """Return the group at `location` if it is large enough to collapse (T14), else the empty set."""
    tile = TILES.get(land[location])
    if tile is None or not tile.needed:
        return set()
    members = group(land, location)
    return members if len(members) >= tile.needed else set()


def crystal_at(land: Sequence[str], location: int) -> str:
    """Return the tile that a crystal on the blank `location` stands for; BLANK if it makes no match (T16)."""
    trial = list(land)
    for code in CRYSTAL_ORDER:
        trial[location] = code
        if match(trial, location):
            return code
    return BLANK
