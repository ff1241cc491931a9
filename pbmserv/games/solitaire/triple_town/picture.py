"""The picture of Triple Town. Each thing has a character that phones have had for years, and its code in letters."""

from collections.abc import Mapping
from functools import cache

from pbmserv.games.base import Cell, Picture, Piece, Tray
from pbmserv.games.base.picture import on_grid
from pbmserv.games.solitaire.triple_town.tiles import (
    BOT,
    CHEST,
    CRYSTAL,
    GRID,
    LARGE_CHEST,
    MOUNTAIN,
    NINJA,
    ROCK,
    STOREHOUSE,
    TILES,
)

#: Characters of Unicode 8 or older. Some need a variation selector, so that they come in colour.
SIGNS: Mapping[str, str] = {
    "Gr": "\N{SEEDLING}",
    "Bu": "\N{HERB}",
    "Tr": "\N{DECIDUOUS TREE}",
    "Hu": "\N{TENT}",
    "Ho": "\N{HOUSE BUILDING}",
    "Ma": "\N{CLASSICAL BUILDING}\N{VARIATION SELECTOR-16}",
    "Ca": "\N{EUROPEAN CASTLE}",
    "FC": "\N{JAPANESE CASTLE}",
    "3C": "\N{CROWN}",
    "To": "\N{COFFIN}\N{VARIATION SELECTOR-16}",
    "Ch": "\N{CHURCH}",
    "Ct": "\N{WEDDING}",
    CHEST: "\N{WRAPPED PRESENT}",
    LARGE_CHEST: "\N{MONEY BAG}",
    ROCK: "\N{MOYAI}",
    MOUNTAIN: "\N{MOUNT FUJI}",
    "Be": "\N{BEAR FACE}",
    NINJA: "\N{PANDA FACE}",
    CRYSTAL: "\N{GEM STONE}",
    BOT: "\N{ROBOT FACE}",
}


def picture_of(
    land: Mapping[str, str], stored: str, says: str, tile: str, lines: tuple[str, ...], notes: tuple[str, ...]
) -> Picture:
    """Return the picture. `land`: the code of the tile on each location; `says`: what is said of the tile to play."""
    names = [GRID.name(square) for square in range(GRID.size)]
    cells = [_storehouse(stored) if s == STOREHOUSE else location(name, land[name]) for s, name in enumerate(names)]
    return on_grid(GRID, cells, lines, beside=(Tray(says, (location("", tile),)),), notes=notes)


@cache
def location(name: str, code: str) -> Cell:
    """Return a piece of land with a tile, or without one if the code is empty."""
    return Cell(name, "grass", _thing(code))


@cache
def _storehouse(code: str) -> Cell:
    return Cell(GRID.name(STOREHOUSE), "wood", _thing(code), text="store")


def _thing(code: str) -> tuple[Piece, ...]:
    return (Piece(sign=SIGNS[code], letter=code, art=f"town-{TILES[code].name}"),) if code else ()
