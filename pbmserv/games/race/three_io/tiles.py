"""The tiles of 3io: their numbers, what fuses with what, and how the diagram writes them. Clauses I2-I7, I16-I25.

Kinds and the features they show are numbered in the order of `KINDS`: kind k shows 2k dark and 2k+1 light, so the
feature that a fuse leads to (I20) is always the next one.
"""

from dataclasses import dataclass
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.base.grid import Grid, replaced


class Feature(NamedTuple):
    """One side of a tile: the points for crew that leaves it, and the multiplier for its neighbours."""

    name: str
    points: int = 0
    multiplier: int = 1


class TileKind(NamedTuple):
    """How many tiles of a kind the box has, and their two sides."""

    tiles: int
    dark: Feature
    light: Feature


# The numbers are this server's, because the author's sheet of tiles is lost (I5-I7).
KINDS = (
    TileKind(36, Feature("dust", 1), Feature("rock", 2)),
    TileKind(6, Feature("planet", 5), Feature("sun", 10)),
    TileKind(3, Feature("galaxy", 20), Feature("galaxy*", 50)),
    TileKind(24, Feature("probe"), Feature("colony", multiplier=2)),
    TileKind(4, Feature("station", multiplier=3), Feature("sphere", multiplier=4)),
    TileKind(2, Feature("singularity", multiplier=5), Feature("singularity*", 50, multiplier=5)),
)
DUST = 0  #: the kind with which everybody begins
FEATURES = tuple(side for kind in KINDS for side in (kind.dark, kind.light))
SCORED = frozenset(f for f, feature in enumerate(FEATURES) if feature.name.endswith("*"))  #: they never fuse (I25)
GRID = Grid(6, 6)
_CELL = 8  # columns of a sector in the diagram


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on the board: the feature it shows, the seats of the crew on it in order, its bonus tokens."""

    feature: int
    crew: tuple[Seat, ...] = ()
    tokens: int = 0


Sectors = tuple[Tile | None, ...]  #: one for each of the 36 squares


def tile_at(sectors: Sectors, square: int) -> Tile:
    """Return the tile on an occupied square. Raises ValueError if the square is empty."""
    tile = sectors[square]
    if tile is None:
        raise ValueError(f"no tile on {GRID.name(square)}")
    return tile


def fusing(sectors: Sectors, square: int) -> list[int]:
    """The squares of the tiles that fuse with the one on `square`, itself first; empty if they do not (I18, I25)."""
    features = [tile.feature if tile else None for tile in sectors]
    group = [square]
    for member in group:  # the list grows during the loop
        group += [n for n in GRID.neighbours(member) if features[n] == features[square] and n not in group]
    return group if len(group) >= 3 and features[square] not in SCORED else []


def fused(tiles: list[Tile]) -> Tile:
    """Return the tile that replaces a group: the next feature, all crew and tokens, and a bonus for size (I20-I23)."""
    return Tile(
        tiles[0].feature + 1,
        crew=tuple(sorted(seat for tile in tiles for seat in tile.crew)),
        tokens=sum(tile.tokens for tile in tiles) + _bonus(len(tiles)),
    )


def fuse_points(feature: int) -> int:
    """Return the points for a fuse of this feature: only galaxies and singularities have any (I25)."""
    return FEATURES[feature + 1].points if feature + 1 in SCORED else 0


def box_after_fuse(box: tuple[int, ...], feature: int, size: int) -> tuple[int, ...]:
    """Return the box after a fuse: all tiles except the one just played go back (I19).

    A light tile goes back, too, and a tile of the next kind is taken out (I20). If the box has none, it comes from the
    reserve (I21).
    """
    kind, light = divmod(feature, 2)
    after = added(box, kind, size - 1 + light)
    return added(after, kind + 1, -1) if light and after[kind + 1] else after


def added(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """Return a copy of `values` with `more` added to one of them."""
    return replaced(values, index, values[index] + more)


def fuse_texts(feature: int, size: int, square: str) -> list[str]:
    """Return one or two sentences about a fuse."""
    points, tokens = fuse_points(feature), _bonus(size)
    gain = (
        f"on {square} and earned {points} points" if points else f"into {one(FEATURES[feature + 1].name)} on {square}"
    )
    texts = [f"{size} {_plural(FEATURES[feature].name)} fused {gain}."]
    if tokens:
        texts.append(f"{square} got {'a bonus token' if tokens == 1 else '2 bonus tokens'}.")
    return texts


def _bonus(size: int) -> int:
    """Return the number of bonus tokens for a fuse of this many tiles (I23)."""
    return min(size - 3, 2)


def multiplier_at(sectors: Sectors, square: int) -> int:
    """Return the highest multiplier next to a square; 1 if there is none (I16)."""
    around = (sectors[n] for n in GRID.neighbours(square))
    return max((FEATURES[tile.feature].multiplier for tile in around if tile), default=1)


def crew_count(sectors: Sectors, seat: Seat) -> int:
    """Return how many of a seat's crew are on the board."""
    return sum(tile.crew.count(seat) for tile in sectors if tile)


def one(name: str) -> str:
    """Return the name of a tile in a sentence: `a probe`, but `dust`."""
    return name if name == "dust" else f"a {name}"


def _plural(name: str) -> str:
    if name == "dust":
        return name
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


class SectorText(NamedTuple):
    """The three lines of a sector in the diagram. `full` is the third line without a limit on its length."""

    name: str = ""
    worth: str = ""
    crew: str = ""
    full: str = ""


def cell(tile: Tile | None) -> SectorText:
    """Return how the diagram shows a sector. It shortens names, because 11 letters do not fit."""
    if tile is None:
        return SectorText()
    feature = FEATURES[tile.feature]
    points = str(feature.points) if feature.points else ""
    factor = f"x{feature.multiplier}" if feature.multiplier > 1 else ""
    crew = "@" + "".join(str(seat + 1) for seat in tile.crew) if tile.crew else ""
    full = crew + (f"+{tile.tokens}" if tile.tokens else "")
    return SectorText(
        name=feature.name.capitalize().replace("Singularity", "Singul."),
        worth=f"{points} {factor}".strip(),
        crew=full if len(full) <= _CELL else "(below)",
        full=full,
    )
