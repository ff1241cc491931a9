"""Draughts: where men and kings can go.

A board is a text with a character for each dark square, number 1 first: `b` and `w` are men, `B` and `W` kings, a dot
is an empty square. Black stands at the top, where the numbers begin, and moves down.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

EMPTY = "."
#: Directions: north-west, north-east, south-west, south-east; then north, west, east, south.
_UP, _DOWN, _DIAGONAL, _STRAIGHT = (0, 1), (2, 3), (0, 1, 2, 3), (4, 5, 6, 7)
_STRAIGHT_AHEAD = {"b": (5, 6, 7), "w": (4, 5, 6)}  #: of men, which go sideways, too
_STEPS = ((-1, -1), (-1, 1), (1, -1), (1, 1))  #: rows down, columns right
_STRAIGHT_STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))
_ENEMIES = {"b": "wW", "B": "wW", "w": "bB", "W": "bB"}

_MANY = 2_000  #: states of one capture; of most there are not ten

Path = tuple[int, ...]
State = tuple[int, int, frozenset[int]]  #: where a man is, whom it has just captured, and whom in all


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
    captures_straight = False  #: also along rows and columns, over the next man of these
    fills_board = False  #: men stand on all squares, move straight and sideways, and are taken off at once
    is_mirrored = False  #: the square in the corner at the top left is one of those on which men stand
    crowns_on_way = False  #: a man becomes a king when it passes the last row, and goes on as one
    spares_kings = False  #: men cannot capture kings
    names: Sequence[str] = tuple(str(number) for number in range(1, 129))  #: of the squares

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The squares by their names."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def per_row(self) -> int:
        """How many squares of a row men can stand on."""
        return self.width if self.fills_board else self.width // 2

    @cached_property
    def size(self) -> int:
        """How many squares of the board men can stand on."""
        return self.width * self.per_row

    @cached_property
    def rays(self) -> tuple[tuple[Path, ...], ...]:
        """For each square the squares in all directions, the nearest first."""
        return _rays(self.width, self.fills_board, self.is_mirrored)

    def legal(self, board: str, colour: str) -> tuple[Move, ...]:
        """Return the legal moves of a colour. Whoever can capture must."""
        return _legal(self, board, colour)

    def can_move(self, board: str, colour: str) -> bool:
        """Return whether a colour has a legal move."""
        both = (colour, colour.upper())
        for source, man in enumerate(board):
            if man in both and (next(self.steps(board, source), None) or self._can_jump(board, source)):
                return True
        return False

    def must_capture(self, board: str, colour: str) -> bool:
        """Return whether a colour can capture."""
        both = (colour, colour.upper())
        for source, man in enumerate(board):  # noqa: SIM110 - any() takes half as long again
            if man in both and self._can_jump(board, source):
                return True
        return False

    def could_go(self, board: str, source: int, target: int) -> bool:
        """Return whether a man could go to a square without a capture, if nobody had to capture."""
        return any(path[-1] == target for path in self.steps(board, source))

    def could_capture(self, board: str, source: int, target: int) -> bool:
        """Return whether a man could capture on its way to a square, even if it must go on from there."""
        return any(target in path[1:] for path, _ in self.jumps(board, source))

    def rank(self, board: str, path: Path, captured: Path) -> tuple[int, ...]:
        """Return what a capture is worth. `captured`: in the order of the way. One of the best must be made."""
        return (len(captured),) if self.captures_most else ()

    def moved(self, board: str, move: Move) -> str:
        """Return the board after a move. A man that ends on the last row becomes a king."""
        squares = list(board)
        man = squares[move.source]
        for square in (move.source, *move.captured):
            squares[square] = EMPTY
        squares[move.target] = man.upper() if man.islower() and self.is_crowned(man, move.paths[0]) else man
        return "".join(squares)

    def is_crowned(self, man: str, path: Path) -> bool:
        """Return whether a man on its way is a king at the end of it."""
        first = 0 if man in "wW" else self.size - self.per_row
        ends = path[1:] if self.crowns_on_way else path[-1:]
        return any(first <= square < first + self.per_row for square in ends)

    def steps(self, board: str, source: int) -> Iterator[Path]:
        """Yield the moves of a man without a capture."""
        man = board[source]
        flies, lines = self.flies and man.isupper(), self.rays[source]
        for direction in _ways(self)[man][0]:
            for target in lines[direction]:
                if board[target] != EMPTY:
                    break
                yield source, target
                if not flies:
                    break

    def jumps(self, board: str, source: int) -> Iterator[tuple[Path, Path]]:
        """Yield all complete captures of a man: where it lands, and what it captures, in the order of its way."""
        if not self._can_jump(board, source):
            return iter(())  # so it is nearly always
        man = board[source]
        return self._jumps(board[:source] + EMPTY + board[source + 1 :], man, (source,), (), set())

    def _can_jump(self, board: str, source: int) -> bool:
        """Return whether a man can begin a capture."""
        man = board[source]
        enemies, rays = self._enemies(man), self._rays_of_jumps[man][source]
        if self.flies and man.isupper():
            return any(True for ray in rays for _ in _next_jumps(board, enemies, ray, flies=True))
        for ray in rays:  # noqa: SIM110 - as above
            if board[ray[1]] == EMPTY and board[ray[0]] in enemies:
                return True
        return False

    @cached_property
    def _rays_of_jumps(self) -> Mapping[str, tuple[tuple[Path, ...], ...]]:
        """For each man and each square the rays on which it could capture."""
        return {
            man: tuple(tuple(lines[way] for way in ways if len(lines[way]) > 1) for lines in self.rays)
            for man, (_, ways) in _ways(self).items()
        }

    def _jumps(self, board: str, man: str, path: Path, captured: Path, seen: set[State]) -> Iterator[tuple[Path, Path]]:
        """Continue a capture. Captured men stay on the board until it is over, and nobody jumps over them again.

        Where they are taken off at once, nobody turns back over the place where the last one stood. A king that can
        land on several squares must choose one from which it goes on, if there is one. Of very many ways, only one to
        each state is followed: what comes after it is the same.
        """
        if self.captures_most and captured:
            state = path[-1], captured[-1], frozenset(captured)
            if len(seen) > _MANY and state in seen:
                return
            seen.add(state)
        goes_on, flies, lines = False, self.flies and man.isupper(), self.rays[path[-1]]
        for direction in _ways(self)[man][1]:
            if captured and captured[-1] in lines[direction]:
                continue
            reached = _next_jumps(board, self._enemies(man), lines[direction], flies)
            jumps = [jump for jump in reached if jump[0] not in captured]
            goes_on = goes_on or bool(jumps)
            ways = [way for jump in jumps if (way := tuple(self._onward(board, man, path, captured, jump, seen)))]
            further = [way for way in ways if len(way[0][1]) > len(captured) + 1]
            for way in further or ways:
                yield from way
        if captured and not goes_on:
            yield path, captured

    def _onward(
        self, board: str, man: str, path: Path, captured: Path, jump: tuple[int, int], seen: set[State]
    ) -> Iterator[tuple[Path, Path]]:
        """Continue a capture with this jump."""
        over, landing = jump
        rest = board[:over] + EMPTY + board[over + 1 :] if self.fills_board else board
        then = man.upper() if self.crowns_on_way and self.is_crowned(man, (*path, landing)) else man
        return self._jumps(rest, then, (*path, landing), (*captured, over), seen)

    def _enemies(self, man: str) -> str:
        enemies = _ENEMIES[man]
        return enemies[0] if self.spares_kings and man.islower() else enemies


@cache
def _rays(width: int, fills_board: bool, is_mirrored: bool) -> tuple[tuple[Path, ...], ...]:
    per_row, apart = (width, 1) if fills_board else (width // 2, 2)
    steps = (*_STEPS, *((apart * down, apart * right) for down, right in _STRAIGHT_STEPS))

    def ray(square: int, down: int, right: int) -> Path:
        row, place = divmod(square, per_row)
        column = place if fills_board else 2 * place + (row + 1 + is_mirrored) % 2
        squares = []
        while 0 <= (row := row + down) < width and 0 <= (column := column + right) < width:
            squares.append(row * per_row + column // apart)
        return tuple(squares)

    return tuple(tuple(ray(square, *step) for step in steps) for square in range(width * per_row))


@cache
def _ways(style: Moving) -> Mapping[str, tuple[Path, Path]]:
    """Return for each man the directions in which it moves, and those in which it captures."""
    if style.fills_board:
        ways = {man: (ahead, ahead) for man, ahead in _STRAIGHT_AHEAD.items()}
        return ways | dict.fromkeys("BW", (_STRAIGHT, _STRAIGHT))
    around = _DIAGONAL + _STRAIGHT if style.captures_straight else _DIAGONAL
    men = {man: (ahead, around if style.captures_back else ahead) for man, ahead in (("b", _DOWN), ("w", _UP))}
    return men | dict.fromkeys("BW", (_DIAGONAL, around))


@lru_cache(maxsize=1024)  # the list is needed to read a move, to make letters and to see whether a game is over
def _legal(style: Moving, board: str, colour: str) -> tuple[Move, ...]:
    both = (colour, colour.upper())
    men = [square for square, man in enumerate(board) if man in both]
    jumps = [jump for source in men for jump in style.jumps(board, source)]
    if not jumps:
        return tuple([Move((path,)) for source in men for path in style.steps(board, source)])
    ranks = [style.rank(board, *jump) for jump in jumps]
    best = max(ranks)
    return _merged(style, board, [jump for jump, rank in zip(jumps, ranks, strict=True) if rank == best])


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


def _merged(style: Moving, board: str, jumps: list[tuple[Path, Path]]) -> tuple[Move, ...]:
    """Put the ways together that have the same effect."""
    ways = dict[tuple[int, int, frozenset[int], bool], list[Path]]()
    for path, captured in jumps:
        is_king = style.crowns_on_way and style.is_crowned(board[path[0]], path)
        ways.setdefault((path[0], path[-1], frozenset(captured), is_king), []).append(path)
    ends = [(source, target) for source, target, *_ in ways]
    return tuple(
        Move(tuple(paths), tuple(sorted(captured)), full=ends.count((source, target)) > 1)
        for (source, target, captured, _), paths in ways.items()
    )
