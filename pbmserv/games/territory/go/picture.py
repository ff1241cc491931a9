"""The picture of Go, and what is said below the board: captures, komi, and in the count what to answer.

In the count, a dead stone has a cross, and an empty point has a mark of its owner; in text they are small letters.
"""

from collections.abc import Iterator
from functools import lru_cache

from pbmserv.games.base import Cell, Picture, Piece, Seat
from pbmserv.games.base.picture import DEAD, crossing
from pbmserv.games.territory.go import area
from pbmserv.games.territory.go.lattice import lattice_of
from pbmserv.games.territory.go.phases import NAMES, Count, Position
from pbmserv.games.territory.go.stones import EMPTY

_PIECES = {
    **{sign: Piece("black", sign, art="stone-dark") for sign in "Xx"},
    **{sign: Piece("white", sign, art="stone") for sign in "Oo"},
    "b": Piece("black", "b", art="owned"),
    "w": Piece("white", "w", art="owned"),
}
_OWNED = {"X": "b", "O": "w", EMPTY: ""}
_STAR = "+"
_MARKS = "A crossed stone is dead, a point with a small square is of its colour."
LETTERS = "x and o are dead stones, b is a point of Black, w a point of White."


def picture_of(position: Position, seat: Seat | None) -> Picture:
    """Return the picture for a seat (None: a spectator)."""
    lattice = lattice_of(position.points)
    size, signs, owners = lattice.size, _signs(position), _owners(position)
    cells = [
        _cell(
            name, size, point, point in lattice.stars, signs[point] if signs[point] != EMPTY else _OWNED[owners[point]]
        )
        for point, name in enumerate(lattice.names)
    ]
    rows = tuple(tuple(cells[row * size : (row + 1) * size]) for row in reversed(range(size)))
    files = tuple(name[0].upper() for name in lattice.names[:size])
    ranks = tuple(str(row) for row in range(size, 0, -1))
    return Picture(rows, files, ranks, lines=tuple(lines_of(position, seat, _MARKS)))


def rows_of(position: Position) -> list[tuple[int, str]]:
    """Return the rows of the text diagram from the top: the number of each, and a sign for each point."""
    lattice = lattice_of(position.points)
    signs, owners = _signs(position), _owners(position)
    shown = [
        sign if sign != EMPTY else _OWNED[owner] or (_STAR if point in lattice.stars else EMPTY)
        for point, (sign, owner) in enumerate(zip(signs, owners, strict=True))
    ]
    size = lattice.size
    return [(row + 1, " ".join(shown[row * size : (row + 1) * size])) for row in reversed(range(size))]


def stones_of(position: Position) -> list[tuple[str, str]]:
    """Return each stone: the name of its point, and its sign."""
    names = lattice_of(position.points).names
    return [(name, sign) for name, sign in zip(names, _signs(position), strict=True) if sign != EMPTY]


def _signs(position: Position) -> str:
    """Return the points with dead stones as small letters."""
    if position.count is None or not position.count.dead:
        return position.points
    dead = set(position.count.dead)
    return "".join(stone.lower() if point in dead else stone for point, stone in enumerate(position.points))


def _owners(position: Position) -> str:
    """Return the owner of each point in the count; before it nobody owns anything."""
    return area.owners(position.counted) if position.count else EMPTY * len(position.points)


@lru_cache(maxsize=8192)  # 361 points and more, and what can be there
def _cell(name: str, size: int, point: int, star: bool, sign: str) -> Cell:
    """`sign`: of the stone, or of the owner of an empty point in the count, or ""."""
    row, column = divmod(point, size)
    return Cell(
        name,
        "wood",
        (_PIECES[sign],) if sign else (),
        state=DEAD if sign in ("x", "o") else "",
        lines=crossing(size - 1 - row, column, size, size),
        art="dot" if star else "",
    )


def lines_of(position: Position, seat: Seat | None, legend: str) -> Iterator[str]:
    """Yield what stands below the board. `legend`: what the marks of a count mean."""
    black, white = position.taken
    yield f"Captured: by Black {black}, by White {white}. Komi: {position.komi / 2:g}"
    if position.handicap:
        yield f"White gets a point for each of the {position.handicap} handicap stones."
    if position.count:
        yield from _count_lines(position, position.count, seat, legend)
    else:
        yield from _pass_lines(position, seat)


def _pass_lines(position: Position, seat: Seat | None) -> Iterator[str]:
    """Say what a pass would do, if somebody has passed or they play on."""
    mover, other = NAMES[position.turn], NAMES[1 - position.turn]
    if position.resumed and position.passed:
        yield f"{other} has passed. If {mover} passes too, the board is counted as it stands."
    elif position.resumed:
        yield "If both pass before a stone is put down, the board is counted as it stands."
    elif position.passed:
        yield f"{other} has passed. If {mover} passes too, the board is counted."
        if seat == position.turn:
            yield "You can pass and begin the count on one line: pass dead-c3-d7 count"


def _count_lines(position: Position, count: Count, seat: Seat | None, legend: str) -> Iterator[str]:
    black, white = (f"{half / 2:g}" for half in position.halves)
    if count.agreed:
        yield from (f"Counted: Black {black}, White {white}", legend)
        return
    yield from (f"If counted like this: Black {black}, White {white}", legend)
    if count.offered is not None and count.named == 0:
        yield f"{NAMES[1 - position.turn]} wants to count like this."
    if seat == position.turn:
        yield from _answers(count)
    else:
        yield f"Now {NAMES[position.turn]} answers."


def _answers(count: Count) -> Iterator[str]:
    """Say what the seat to move can answer."""
    if count.named:
        yield "Name more stones, such as dead-c3 or alive-c3, or send count."
    elif count.offered is None:
        yield "Name a stone of each dead group, such as dead-c3-d7, and then send count."
        yield "If no stone is dead, send count alone."
    else:
        yield "If you agree, send count. To play on, send resume."
        yield "Or name other stones, such as dead-c3-d7 or alive-c3, and then send count."
