"""The picture of 3io: what is on each sector, and what each player holds."""

from collections.abc import Sequence
from functools import lru_cache

from pbmserv.games.base import Cell, Picture, Piece, Tray
from pbmserv.games.base.picture import on_grid
from pbmserv.games.race.three_io.tiles import FEATURES, GRID, KINDS, Sectors, Tile, cell

CREW_COLOURS = ("blue", "red", "green", "purple")  #: by seat; a number tells them apart as well

#: Characters of Unicode 7 or older, one for each feature. Some need a variation selector, so that they come in colour.
SIGNS = {
    "dust": "\N{SPARKLES}",
    "rock": "\N{NEW MOON SYMBOL}\N{VARIATION SELECTOR-16}",
    "planet": "\N{EARTH GLOBE EUROPE-AFRICA}",
    "sun": "\N{SUN WITH FACE}",
    "galaxy": "\N{MILKY WAY}",
    "galaxy*": "\N{SHOOTING STAR}",
    "probe": "\N{ROCKET}",
    "colony": "\N{HOUSE BUILDING}",
    "station": "\N{SATELLITE}\N{VARIATION SELECTOR-16}",
    "sphere": "\N{CRYSTAL BALL}",
    "singularity": "\N{CYCLONE}",
    "singularity*": "\N{DIZZY SYMBOL}",
}


def picture_of(
    sectors: Sectors, hands: Sequence[tuple[str, tuple[int, ...]]], lines: Sequence[str], notes: tuple[str, ...]
) -> Picture:
    """Return the picture. `hands`: for each player who is there, what is said of the player, and the kinds in hand."""
    cells = [_sector(GRID.name(square), tile) for square, tile in enumerate(sectors)]
    trays = (Tray(says, tuple(_sector("", Tile(2 * kind)) for kind in kinds)) for says, kinds in hands)
    return on_grid(GRID, cells, tuple(lines), beside=tuple(trays), notes=notes)


def in_hand(kinds: tuple[int, ...]) -> str:
    """Return the tiles in a hand with their numbers in moves: "1 dust, 2 probe"."""
    return ", ".join(f"{i} {KINDS[kind].dark.name}" for i, kind in enumerate(kinds, 1))


def with_numbers(kinds: tuple[int, ...]) -> str:
    """Return the same so that nobody reads how many there are: "dust (tile 1), probe (tile 2)"."""
    return ", ".join(f"{KINDS[kind].dark.name} (tile {i})" for i, kind in enumerate(kinds, 1))


@lru_cache(maxsize=4096)  # most sectors of a board have not changed since its last picture
def _sector(name: str, tile: Tile | None) -> Cell:
    """Return a sector with its feature, what it is worth, the crew (a digit for each member) and the bonus tokens.

    A tile in a hand has no name, and says what it is.
    """
    if tile is None:
        return Cell(name, "night")
    feature = FEATURES[tile.feature]
    art = f"space-{feature.name.replace('*', '-scored')}"
    sign = Piece(sign=SIGNS[feature.name], letter=f"{feature.name[:2]}{'*' * feature.name.endswith('*')}", art=art)
    times = f"x{feature.multiplier}" if feature.multiplier > 1 else ""
    says = f"{feature.points}{times or 'p'}" if feature.points else times
    worth = (Piece(sign=says),) if says else ()
    crew = (Piece(CREW_COLOURS[seat], str(seat + 1) * tile.crew.count(seat)) for seat in sorted(set(tile.crew)))
    tokens = (Piece("yellow", f"+{tile.tokens}"),) if tile.tokens else ()
    ground = "sand" if tile.feature % 2 else "stone"
    return Cell(name, ground, (sign, *worth, *crew, *tokens), text="" if name else cell(tile).name)
