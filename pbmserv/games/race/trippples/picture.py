"""The picture of Trippples: tiles with their arrows, and the markers on them."""

from collections.abc import Sequence
from functools import lru_cache

from pbmserv.games.base import Cell, Picture, Piece, Seat, Tray
from pbmserv.games.base.grid import COMPASS_NAMES
from pbmserv.games.base.picture import on_grid
from pbmserv.games.race.trippples.moves import Position, directions, opponents
from pbmserv.games.race.trippples.tiles import ARROWS, DOWN, EMPTY, FINISH, GRID, NEUTRAL, START, plan

#: By seat. Partners share a colour, which is that of their team.
_TWO = (
    Piece("blue", "\N{BLACK SQUARE}", letter="S", art="marker-square"),
    Piece("red", "\N{BLACK CIRCLE}", letter="C", art="marker-round"),
)
_FOUR = tuple(Piece(_TWO[seat % 2].colour, str(seat + 1)) for seat in range(4))


def picture_of(position: Position, names: Sequence[str]) -> Picture:
    """Return the picture of a position without hidden tiles; `names` of the seats."""
    standing = {square: seat for seat, square in enumerate(position.markers)}
    cells = [
        _square(position.options, len(names), square, tile, standing.get(square))
        for square, tile in enumerate(position.tiles)
    ]
    arrows = tuple(COMPASS_NAMES[way] for way in ARROWS[position.shown]) or ("no arrows",)
    placing = Tray(f"{names[position.turn]} places", (_tile("", position.shown),), holds=arrows)
    lines = () if position.shown or position.ending else (_arrows(position, names),)
    notes = tuple([_way(position, names, seat) for seat in range(len(names))])
    return on_grid(GRID, cells, lines, beside=(placing,) if position.shown else (), notes=notes)


def markers(seats: int) -> tuple[Piece, ...]:
    """Return the marker of each seat."""
    return _TWO if seats == 2 else _FOUR


@lru_cache(maxsize=4096)  # most squares of a board have not changed since its last picture
def _square(options: str, seats: int, square: int, tile: str, standing: Seat | None) -> Cell:
    """Return a square with its tile, and the marker of the seat that stands there.

    In doubles a start is also the finish of another seat, and is shown as that when its own marker has left.
    """
    name, layout, all_markers = GRID.name(square), plan(options), markers(seats)
    marker = None if standing is None else all_markers[standing]
    if square in layout.finishes and (tile == FINISH or not marker):
        return _tile(name, FINISH, all_markers[layout.finishes.index(square)], marker)
    if tile == START:
        return _tile(name, tile, all_markers[layout.starts.index(square)], marker)
    return _tile(name, tile, marker=marker)


def _tile(name: str, tile: str, whose: Piece | None = None, marker: Piece | None = None) -> Cell:
    """Return a tile; `whose`: the marker of the seat to which a start or a finish belongs.

    Arrows go around a marker. A start has arrows as long as a marker is there, because nobody may return to it.
    """
    number = whose.sign if whose and not whose.art else ""
    ground, text = {
        START: ("grass", f"start {number}".strip()),
        FINISH: ("yellow", f"finish {number}".strip()),
        NEUTRAL: ("stone", "neutral"),
        DOWN: ("grey", ""),
        EMPTY: ("plain", ""),
    }.get(tile, ("sand", ""))
    pieces = (marker,) if marker else (Piece("grey", "?", art="tile-down"),) if tile == DOWN else ()
    art = _owned(tile, whose) if whose and not marker else ""
    return Cell(name, ground, pieces, () if tile == START and not marker else ARROWS[tile], text, art=art)


def _owned(tile: str, whose: Piece) -> str:
    """Return the drawing on a start or finish that tells whose it is; "" if its text does."""
    return whose.art.replace("marker", "flag") or "flag" if tile == FINISH else whose.art


def _way(position: Position, names: Sequence[str], seat: Seat) -> str:
    """Return whose marker is which, and where it wants to go."""
    finish = _name(plan(position.options).finishes[seat])
    left = ", has left" if seat in position.out else ""
    return f"{markers(len(names))[seat].sign} {names[seat]}: finish on {finish}{left}"


def _arrows(position: Position, names: Sequence[str]) -> str:
    """Return the line about the arrows that count."""
    seat, signs = position.turn, markers(len(names))
    if position.free:
        return f"{names[seat]} has a free move from {_name(position.markers[seat])}."
    under = " and ".join(f"{signs[s].sign} on {_name(position.markers[s])}" for s in opponents(position, seat))
    ways = " ".join(COMPASS_NAMES[d] for d in directions(position, seat))
    return f"Arrows for {names[seat]}, under {under}: {ways}"


def _name(square: int) -> str:
    return GRID.name(square).upper()
