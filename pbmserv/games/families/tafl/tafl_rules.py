"""The rules of tafl, from a row: how men move, what a man captures who came to a square, and how it ends (ADR 114).

A board is a text with a character for each square, a1 b1 … from the south.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.base.grid import ORTHOGONAL, Grid
from pbmserv.games.families.tafl.tafl_rows import Tafl

EMPTY, ATTACKER, DEFENDER, KING = ".adk"
SIDES = (ATTACKER, DEFENDER + KING)  #: by seat: attackers begin
OUTSIDE = -1
MOST_QUIET = 100  #: plies without a capture, until a draw
_DEFENDERS = re.compile(f"[{SIDES[1]}]")


class Move(NamedTuple):
    """From a square to another one, by number."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Position:
    """`quiet`: plies since the last capture; `over`: how it ended, "" while it goes on. Who moved last has won."""

    board: str
    turn: Seat = 0
    quiet: int = 0
    over: str = ""


class TaflRules:
    """The rules of one row. `near`: by square, those beside it; `goal`: where the king wins."""

    def __init__(self, row: Tafl) -> None:
        self.row = row
        self.board = re.sub("[0-9]+", lambda number: EMPTY * int(number[0]), row.setup).replace("/", "")
        side = row.setup.count("/") + 1
        self.grid = grid = Grid(side, side)
        self.throne = grid.size // 2
        corners = {0, side - 1, grid.size - side, grid.size - 1} if row.corners else set[int]()
        self.special = frozenset({self.throne, *corners})  # where only the king stops
        self.near = tuple(map(grid.neighbours, range(grid.size)))
        self.edge = frozenset(s for s in range(grid.size) if len(self.near[s]) < len(ORTHOGONAL))
        self.goal = frozenset(corners) or self.edge
        self._rays = [[grid.ray(s, way) for way in ORTHOGONAL] for s in range(grid.size)]
        self._beside_throne = frozenset({self.throne, *self.near[self.throne]})

    def targets(self, board: str, source: int) -> Iterator[int]:
        """Yield where the man on a square can go."""
        is_king, wall = board[source] == KING, self.throne if self.row.walled else OUTSIDE
        for ray in self._rays[source]:
            for there in ray:
                if board[there] != EMPTY or there == wall:
                    break
                if is_king or there not in self.special:
                    yield there

    def moves(self, board: str, seat: Seat) -> Iterator[Move]:
        """Yield the moves of a seat."""
        for source, man in enumerate(board):
            if man in SIDES[seat]:
                yield from (Move(source, target) for target in self.targets(board, source))

    def taken(self, board: str, move: Move, seat: Seat) -> list[int]:
        """Return the squares of the men whom a move captures. `board`: before it."""
        enemies = SIDES[1 - seat]
        if not any(board[there] in enemies for there in self.near[move.target]):
            return []
        after = _moved(board, move)
        pairs = [(*ray, OUTSIDE)[:2] for ray in self._rays[move.target] if ray]
        return [s for s, beyond in pairs if after[s] in enemies and self._falls(after, s, beyond, seat)]

    def _falls(self, board: str, square: int, beyond: int, seat: Seat) -> bool:
        """Return whether a man falls to a seat that came beside it. `beyond`: the square on his other side."""
        if board[square] == KING and (self.row.strong or square in self._beside_throne):
            near = self.near[square]
            return len(near) == len(ORTHOGONAL) and all(self._is_closed(board, there) for there in near)
        return beyond != OUTSIDE and self._helps(board, beyond, seat)

    def _is_closed(self, board: str, square: int) -> bool:
        return board[square] == ATTACKER or (square == self.throne and board[square] == EMPTY)

    def _helps(self, board: str, square: int, seat: Seat) -> bool:
        """Return whether a square helps a seat to capture the man beside it."""
        man = board[square]
        if man == EMPTY:
            return square in self.special
        is_pin = self.row.walled and man == KING and square == self.throne and seat == 0
        return man in SIDES[seat] or (is_pin and [board[s] for s in self.near[square]].count(ATTACKER) == 3)

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a move, and whether it is over."""
        seat, taken = position.turn, self.taken(position.board, move, position.turn)
        board = _moved(position.board, move, taken)
        quiet = 0 if taken else position.quiet + 1
        return Position(board, 1 - seat, quiet, self._end(board, move, seat, quiet))

    def _end(self, board: str, move: Move, seat: Seat, quiet: int) -> str:
        if KING not in board:
            return "captured"
        if move.target in self.goal and board[move.target] == KING:
            return "escaped"
        if seat == 0 and self.row.encircled and self._is_encircled(board):
            return "encircled"
        if next(self.moves(board, 1 - seat), None) is None:
            return "nomove"
        return "quiet" if quiet >= MOST_QUIET else ""

    def _is_encircled(self, board: str) -> bool:
        """Return whether neither the king nor one of his men could walk to the edge if the attackers stood still."""
        reached = [man.start() for man in _DEFENDERS.finditer(board)]
        known = set(reached)
        for square in reached:  # the list grows during the loop
            if square in self.edge:
                return False
            for there in self.near[square]:
                if board[there] != ATTACKER and there not in known:
                    known.add(there)
                    reached.append(there)
        return True

    def ways_out(self, board: str) -> tuple[int, int]:
        """Return in how many moves the king is at his goal if nobody else moves, 3 if not in two, and his moves."""
        first = list(self.targets(board, king := board.index(KING)))
        if any(square in self.goal for square in first):
            return 1, len(first)
        free = board[:king] + EMPTY + board[king + 1 :]
        thrown = any(t in self.goal for s in first for t in self.targets(_put(free, s, KING), s))
        return 2 if thrown else 3, len(first)

    def obstacle(self, position: Position, move: Move) -> str:
        """Return why a move is not legal; "" if it is."""
        board, name = position.board, self.grid.name
        if board[move.source] not in SIDES[position.turn]:
            return f"you have no man on {name(move.source)}"
        ray = next((ray for ray in self._rays[move.source] if move.target in ray), ())
        if not ray:
            return "men move straight along a row or a column"
        way = ray[: ray.index(move.target) + 1]
        if men := [there for there in way if board[there] != EMPTY]:
            return f"{name(men[0])} is occupied"
        if self.row.walled and self.throne in way:
            return f"no man comes to {name(self.throne)} again, the castle of the king"
        is_barred = move.target in self.special and board[move.source] != KING
        return f"only the king can stop on {name(move.target)}" if is_barred else ""


def _moved(board: str, move: Move, taken: list[int] | None = None) -> str:
    squares = list(board)
    squares[move.target], squares[move.source] = squares[move.source], EMPTY
    for there in taken or ():
        squares[there] = EMPTY
    return "".join(squares)


def _put(board: str, square: int, man: str) -> str:
    return board[:square] + man + board[square + 1 :]
