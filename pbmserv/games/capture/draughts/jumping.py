"""Draughts: where men and kings can go, on 8x8 and on 10x10 squares.

A board is a text with a character for each dark square, number 1 first: `b` and `w` are men, `B` and `W` kings, a dot
is an empty square. Black stands at the top, where the numbers begin, and moves down.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

EMPTY = "."
SMALL, LARGE = 32, 50  #: dark squares of the two boards
UP, DOWN = (0, 1), (2, 3)  #: directions; north-west is the first, then north-east, south-west, south-east
_STEPS = ((-1, -1), (-1, 1), (1, -1), (1, 1))  #: rows down, columns right

Path = tuple[int, ...]


class Move(NamedTuple):
    """A move of one man to another square. Squares are counted from 0.

    `paths`: all ways on which it captures the same men, with every square where it lands. `captured`: their squares.
    `full`: another move has the same first and last square, so all squares in between are written.
    """

    paths: tuple[Path, ...]
    captured: tuple[int, ...] = ()
    full: bool = False

    @property
    def source(self) -> int:
        """The first square."""
        return self.paths[0][0]

    @property
    def target(self) -> int:
        """The last square."""
        return self.paths[0][-1]


def width_of(board: str) -> int:
    """Return how many squares a side of the board has."""
    return 8 if len(board) == SMALL else 10


@cache
def rays(size: int) -> tuple[tuple[Path, ...], ...]:
    """Return for each dark square of a board the squares in the four directions, the nearest first."""
    width = 8 if size == SMALL else 10
    return tuple(tuple(_ray(width, square, *step) for step in _STEPS) for square in range(size))


@lru_cache(maxsize=1024)  # the list is needed to read a move, to make letters and to see whether a game is over
def legal(board: str, colour: str) -> tuple[Move, ...]:
    """Return the legal moves of a colour. Whoever can capture must; on 10x10 squares as many men as possible."""
    jumps = [jump for source in _men(board, colour) for jump in _jumps_from(board, source)]
    if not jumps:
        return tuple(Move((path,)) for source in _men(board, colour) for path in _steps(board, source))
    if len(board) == LARGE:
        most = max(len(captured) for _, captured in jumps)
        jumps = [jump for jump in jumps if len(jump[1]) == most]
    return _merged(jumps)


def could_go(board: str, source: int, target: int) -> bool:
    """Return whether a man could go to a square without a capture, if nobody had to capture."""
    return any(path[-1] == target for path in _steps(board, source))


def could_capture(board: str, source: int, target: int) -> bool:
    """Return whether a man could capture on its way to a square, even if it must go on from there."""
    return any(target in path[1:] for path, _ in _jumps_from(board, source))


def moved(board: str, move: Move) -> str:
    """Return the board after a move. A man that ends on the last row becomes a king."""
    squares = list(board)
    man = squares[move.source]
    for square in (move.source, *move.captured):
        squares[square] = EMPTY
    ends = not rays(len(board))[move.target][_ahead(man)[0]] and not rays(len(board))[move.target][_ahead(man)[1]]
    squares[move.target] = man.upper() if ends else man
    return "".join(squares)


def _ray(width: int, square: int, down: int, right: int) -> Path:
    row, place = divmod(square, width // 2)
    column = 2 * place + (row + 1) % 2
    found = []
    while 0 <= (row := row + down) < width and 0 <= (column := column + right) < width:
        found.append(row * (width // 2) + column // 2)
    return tuple(found)


def _men(board: str, colour: str) -> Iterator[int]:
    both = (colour, colour.upper())
    return (square for square, man in enumerate(board) if man in both)


def _ahead(man: str) -> tuple[int, ...]:
    """Return the directions in which a man moves."""
    return {"b": DOWN, "w": UP}.get(man, UP + DOWN)


def _steps(board: str, source: int) -> Iterator[Path]:
    man = board[source]
    flies = len(board) == LARGE and man.isupper()
    for direction in _ahead(man):
        for target in rays(len(board))[source][direction]:
            if board[target] != EMPTY:
                break
            yield source, target
            if not flies:
                break


def _jumps_from(board: str, source: int) -> Iterator[tuple[Path, Path]]:
    """Yield all complete captures of a man: where it lands, and what it captures."""
    man = board[source]
    rest = board[:source] + EMPTY + board[source + 1 :]
    ways = _ahead(man) if len(board) == SMALL else UP + DOWN
    flies = len(board) == LARGE and man.isupper()
    yield from _jumps(rest, "wW" if man in "bB" else "bB", ways, flies, (source,), ())


def _jumps(
    board: str, enemies: str, ways: tuple[int, ...], flies: bool, path: Path, captured: Path
) -> Iterator[tuple[Path, Path]]:
    """Continue a capture. Captured men stay on the board until it is over, and nobody jumps over them again."""
    goes_on = False
    for direction in ways:
        for over, landing in _next_jumps(board, enemies, rays(len(board))[path[-1]][direction], flies):
            if over not in captured:
                goes_on = True
                yield from _jumps(board, enemies, ways, flies, (*path, landing), (*captured, over))
    if captured and not goes_on:
        yield path, captured


def _next_jumps(board: str, enemies: str, ray: Path, flies: bool) -> Iterator[tuple[int, int]]:
    """Yield the man that can be captured on a ray, with each square behind it where the jump can end."""
    for place, square in enumerate(ray):
        if board[square] == EMPTY:
            if flies:
                continue
            return
        if board[square] in enemies:
            for landing in ray[place + 1 :]:
                if board[landing] != EMPTY:
                    return
                yield square, landing
                if not flies:
                    return
        return


def _merged(jumps: list[tuple[Path, Path]]) -> tuple[Move, ...]:
    """Put the ways together that have the same effect."""
    ways = dict[tuple[int, int, frozenset[int]], list[Path]]()
    for path, captured in jumps:
        ways.setdefault((path[0], path[-1], frozenset(captured)), []).append(path)
    ends = [(source, target) for source, target, _ in ways]
    return tuple(
        Move(tuple(paths), tuple(sorted(captured)), full=ends.count((source, target)) > 1)
        for (source, target, captured), paths in ways.items()
    )
