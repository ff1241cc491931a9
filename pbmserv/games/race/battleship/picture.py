"""What a reader sees of the two seas: a picture with one above the other, and text with both side by side.

Squares that cannot be shot at have other names than those of the enemy's sea, such as `own a1`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pbmserv.games.base import Cell, Picture, Piece, Seat
from pbmserv.games.race.battleship.fleets import GRID, NAMES, SHIPS, Fleet, squares_of
from pbmserv.games.race.battleship.waters import HIT, MISS, SANK, UNKNOWN, Position, known_sunk

SEATS = ("Red", "Blue")
CALLED = "?"  #: a shot of a salvo that is not answered yet
_PIECES = {
    MISS: Piece("white", MISS, art="miss"),
    HIT: Piece("red", "X", letter=HIT, art="hit"),
    SANK: Piece("black", SANK, art="sunk"),
    CALLED: Piece("yellow", CALLED, art="called"),
}
#: The drawings of a ship: its first square, those in the middle, and its last one.
_ACROSS, _UPRIGHT = ("ship-west", "ship-across", "ship-east"), ("ship-south", "ship-upright", "ship-north")
_SIGNS = "A star is a hit, a dot a miss, a cross in a star a hit on a sunk ship."
_FILES = tuple(chr(65 + column) for column in range(GRID.columns))
_RANKS = tuple(str(row) for row in range(GRID.rows, 0, -1))
_FIRST = range(GRID.size - GRID.columns, -1, -GRID.columns)  #: the first square of each row, from the top


def picture_of(seat: Seat | None, position: Position) -> Picture:
    """Return the picture for a seat (None: a spectator). While it places its ships, it sees its own sea only."""
    shown = _shown(seat, position)
    rows = (row for owner in shown for row in _rows(position, owner, _prefix(seat, owner, position)))
    titles = (name for owner in shown for name in (_title(seat, owner), *[""] * (GRID.rows - 1)))
    lines = tuple(_lines(seat, position))
    notes = () if position.shooting else lines[1:]
    signs = (_SIGNS,) if HIT in "".join(position.seas) else ()
    above = lines[: len(lines) - len(notes)]
    return Picture(tuple(rows), _FILES, _RANKS * len(shown), lines=above, notes=(*signs, *notes), titles=tuple(titles))


def scene_of(seat: Seat | None, position: Position) -> Mapping[str, object]:
    """Return the seas as texts. `squares`: the signs of each square where something is known, by its name."""
    shown = _shown(seat, position)
    return {
        "titles": [_title(seat, owner) for owner in shown],
        "ranks": [
            (label, [_line(_signs(position, owner), first) for owner in shown])
            for label, first in zip(_RANKS, _FIRST, strict=True)
        ],
        "files": " ".join(_FILES),
        "squares": [
            (f"{whose(seat, owner)}{NAMES[square]}", [_WORDS[sign] for sign in signs])
            for owner in shown
            for square, signs in enumerate(_signs(position, owner))
            if signs
        ],
        "lines": list(_lines(seat, position)),
    }


def whose(seat: Seat | None, owner: Seat) -> str:
    """Return a word for the sea of a seat; "" for that of the enemy."""
    if seat is None:
        return f"{SEATS[owner].lower()} "
    return "own " if owner == seat else ""


def _shown(seat: Seat | None, position: Position) -> tuple[Seat, ...]:
    """Return whose seas are shown, the upper one first."""
    if seat is None:
        return (0, 1)
    return (seat,) if position.placed[seat] < len(SHIPS) else (1 - seat, seat)


def _prefix(seat: Seat | None, owner: Seat, position: Position) -> str:
    """Return what stands before the names of the squares of a sea; "" if moves of the reader can name them."""
    is_placing = owner == seat and position.placed[seat] < len(SHIPS)
    return "" if is_placing else whose(seat, owner)


def _title(seat: Seat | None, owner: Seat) -> str:
    if seat is None:
        return "Red's sea" if owner == 0 else "Blue's sea"
    return "Your own sea" if owner == seat else "The enemy's sea"


def _rows(position: Position, owner: Seat, prefix: str) -> tuple[tuple[Cell, ...], ...]:
    ships = _drawn(position.fleets[owner])
    cells = [
        _cell(f"{prefix}{name}", signs, ships.get(square, ""))
        for square, (name, signs) in enumerate(zip(NAMES, _signs(position, owner), strict=True))
    ]
    return tuple(tuple(cells[first : first + GRID.columns]) for first in _FIRST)


@lru_cache(maxsize=4096)  # a square keeps its signs for most of the game
def _cell(name: str, signs: str, ship: str) -> Cell:
    return Cell(name, "water", tuple(_PIECES.get(sign) or Piece("grey", sign, art=ship) for sign in signs))


@lru_cache(maxsize=64)
def _drawn(fleet: Fleet) -> Mapping[int, str]:
    """Return for each square with a ship the drawing of this part of it."""
    parts = dict[int, str]()
    for first, *middle, last in map(squares_of, fleet):
        start, between, end = _ACROSS if last - first < GRID.columns else _UPRIGHT
        parts |= {first: start, **dict.fromkeys(middle, between), last: end}
    return parts


def _signs(position: Position, owner: Seat) -> tuple[str, ...]:
    """Return the signs on each square: the ship that the reader may see, and then what a shot told."""
    called = position.called if owner != position.turn else ()
    return _signs_of(position.fleets[owner], position.seas[owner], position.sunk[owner], called)


@lru_cache(maxsize=64)  # of a board, one sea changes at a time
def _signs_of(fleet: Fleet, sea: str, sunk: tuple[int, ...], called: tuple[int, ...]) -> tuple[str, ...]:
    signs, of_sunk = [""] * GRID.size, known_sunk(fleet, sea, sunk)
    for ship, placed in zip(SHIPS, fleet, strict=False):
        for square in squares_of(placed):
            signs[square] = ship.sign
    for square, shot in enumerate(sea):
        if shot != UNKNOWN:
            signs[square] += SANK if square in of_sunk else shot
    for square in called:
        signs[square] += CALLED
    return tuple(signs)


def _line(signs: tuple[str, ...], first: int) -> str:
    """Return a row of a sea in text: a ship that is hit is a small letter."""
    return " ".join(_in_text(s) for s in signs[first : first + GRID.columns])


def _in_text(signs: str) -> str:
    if len(signs) > 1:
        return CALLED if CALLED in signs else signs[0].lower()
    return signs or UNKNOWN


_WORDS = {MISS: "miss", HIT: "hit", SANK: "hit, sank", CALLED: "called", **{ship.sign: ship.name for ship in SHIPS}}


def _lines(seat: Seat | None, position: Position) -> Iterator[str]:
    """Yield what else there is to know."""
    if seat is not None and position.placed[seat] < len(SHIPS):
        ship = SHIPS[position.placed[seat]]
        yield f"Next ship: {ship.name}, {ship.length} squares in a row or column."
        yield "Touch or write its first and last square. The word random places them all."
    for owner, name in enumerate(SEATS):
        if position.placed[owner] < len(SHIPS):
            yield f"{name} is placing ships."
        elif position.shooting:
            sunk = _listed([SHIPS[ship].name for ship in position.sunk[owner]])
            yield f"{name} has lost: {sunk}" if sunk else f"{name} has lost no ship."
    if position.salvo and position.shooting and (position.called or position.turn == seat) and position.shots:
        yield f"Shots left in this turn: {position.shots - len(position.called)}"


def _listed(names: Sequence[str]) -> str:
    *first, last = names or ("",)
    return f"{', '.join(first)} and {last}" if first else last
