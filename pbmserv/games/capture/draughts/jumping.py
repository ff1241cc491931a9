"""Draughts: where men and kings can go.

A board is a text with a character for each dark square, number 1 first: `b` and `w` are men, `B` and `W` kings, a dot
is an empty square. Black stands at the top, where the numbers begin, and moves down.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

EMPTY = "."
UP, DOWN = (0, 1), (2, 3)  #: directions; north-west is the first, then north-east, south-west, south-east
_AHEAD = {"b": DOWN, "w": UP}
_STEPS = ((-1, -1), (-1, 1), (1, -1), (1, 1))  #: rows down, columns right

Path = tuple[int, ...]
#: What a man can capture: the rays of all squares, its enemies, the directions, and whether it flies.
Reach = tuple[tuple[tuple[Path, ...], ...], str, tuple[int, ...], bool]


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


class Moving:
    """How men move in English draughts. A style that plays otherwise overrides these facts."""

    width = 8  #: squares of a side
    flies = False  #: a king goes any distance, and captures from any distance
    captures_back = False  #: men do, too
    captures_most = False  #: who captures must take as many men as possible

    @property
    def size(self) -> int:
        """How many dark squares the board has."""
        return self.width * self.width // 2

    def legal(self, board: str, colour: str) -> tuple[Move, ...]:
        """Return the legal moves of a colour. Whoever can capture must."""
        return _legal(self, board, colour)

    def could_go(self, board: str, source: int, target: int) -> bool:
        """Return whether a man could go to a square without a capture, if nobody had to capture."""
        return any(path[-1] == target for path in self.steps(board, source))

    def could_capture(self, board: str, source: int, target: int) -> bool:
        """Return whether a man could capture on its way to a square, even if it must go on from there."""
        return any(target in path[1:] for path, _ in self.jumps(board, source))

    def moved(self, board: str, move: Move) -> str:
        """Return the board after a move. A man that ends on the last row becomes a king."""
        squares = list(board)
        man = squares[move.source]
        for square in (move.source, *move.captured):
            squares[square] = EMPTY
        beyond = rays(self.width)[move.target]
        squares[move.target] = man if any(beyond[ahead] for ahead in _ahead(man)) else man.upper()
        return "".join(squares)

    def steps(self, board: str, source: int) -> Iterator[Path]:
        """Yield the moves of a man without a capture."""
        man = board[source]
        flies, lines = self.flies and man.isupper(), rays(self.width)[source]
        for direction in _ahead(man):
            for target in lines[direction]:
                if board[target] != EMPTY:
                    break
                yield source, target
                if not flies:
                    break

    def jumps(self, board: str, source: int) -> Iterator[tuple[Path, Path]]:
        """Yield all complete captures of a man: where it lands, and what it captures."""
        man, lines = board[source], rays(self.width)
        enemies, ways = "wW" if man in "bB" else "bB", UP + DOWN if self.captures_back else _ahead(man)
        flies = self.flies and man.isupper()
        if not flies and not _can_jump(board, enemies, lines[source], ways):
            return iter(())  # so it is nearly always
        rest = board[:source] + EMPTY + board[source + 1 :]
        return _jumps(rest, (lines, enemies, ways, flies), (source,), ())


@cache
def rays(width: int) -> tuple[tuple[Path, ...], ...]:
    """Return for each dark square of a board the squares in the four directions, the nearest first."""
    return tuple(tuple(_ray(width, square, *step) for step in _STEPS) for square in range(width * width // 2))


@lru_cache(maxsize=1024)  # the list is needed to read a move, to make letters and to see whether a game is over
def _legal(style: Moving, board: str, colour: str) -> tuple[Move, ...]:
    both = (colour, colour.upper())
    men = [square for square, man in enumerate(board) if man in both]
    jumps = [jump for source in men for jump in style.jumps(board, source)]
    if not jumps:
        return tuple([Move((path,)) for source in men for path in style.steps(board, source)])
    if style.captures_most:
        most = max(len(captured) for _, captured in jumps)
        jumps = [jump for jump in jumps if len(jump[1]) == most]
    return _merged(jumps)


def _ray(width: int, square: int, down: int, right: int) -> Path:
    row, place = divmod(square, width // 2)
    column = 2 * place + (row + 1) % 2
    squares = []
    while 0 <= (row := row + down) < width and 0 <= (column := column + right) < width:
        squares.append(row * (width // 2) + column // 2)
    return tuple(squares)


def _ahead(man: str) -> tuple[int, ...]:
    """Return the directions in which a man moves."""
    return _AHEAD.get(man, UP + DOWN)


def _can_jump(board: str, enemies: str, lines: tuple[Path, ...], ways: tuple[int, ...]) -> bool:
    """Return whether a man that does not fly can begin a capture."""
    for way in ways:
        ray = lines[way]
        if len(ray) > 1 and board[ray[1]] == EMPTY and board[ray[0]] in enemies:
            return True
    return False


def _jumps(board: str, reach: Reach, path: Path, captured: Path) -> Iterator[tuple[Path, Path]]:
    """Continue a capture. Captured men stay on the board until it is over, and nobody jumps over them again."""
    lines, enemies, ways, flies = reach
    goes_on = False
    for direction in ways:
        for over, landing in _next_jumps(board, enemies, lines[path[-1]][direction], flies):
            if over not in captured:
                goes_on = True
                yield from _jumps(board, reach, (*path, landing), (*captured, over))
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
