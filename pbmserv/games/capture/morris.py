"""Nine men's morris: three men in a row, a mill, take an enemy man off. Also with twelve men and diagonal lines.

Other games of its family are rows of the same class (families/morrislike).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import tanh
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from pbmserv.games.base import (
    FIVE_LEVELS,
    Cell,
    Info,
    InTurn,
    Option,
    Options,
    Picture,
    Piece,
    Seat,
    Step,
    Tray,
    View,
    moves_of,
)
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.notation import parts
from pbmserv.games.base.picture import EAST, TAKEN, captured, on_grid
from pbmserv.rng import Rng

EMPTY = "."
SIGNS = "wb"  #: by seat: White begins
MOST_QUIET = 100  #: plies in which no man is put down or taken, until a draw
_MOVE = re.compile(r"(?:([a-g][1-7])-?)?([a-g][1-7])(?:x([a-g][1-7]))?")
STRAIGHT = (
    *("a1-d1-g1", "b2-d2-f2", "c3-d3-e3", "a4-b4-c4", "e4-f4-g4", "c5-d5-e5", "b6-d6-f6", "a7-d7-g7"),
    *("a1-a4-a7", "b2-b4-b6", "c3-c4-c5", "d1-d2-d3", "d5-d6-d7", "e3-e4-e5", "f2-f4-f6", "g1-g4-g7"),
)
SLANTED = ("a1-b2-c3", "a7-b6-c5", "g1-f2-e3", "g7-f6-e5")
ENDINGS = {
    "few": "the opponent has only two men left",
    "nomove": "the opponent cannot move",
    "full": "the board is full",
    "repetition": "the same position stood for the third time",
    "quiet": "fifty moves without a mill",
}
_PIECES = {
    "w": Piece("white", "W", art="man"),
    "b": Piece("black", "B", art="man"),
    EMPTY: Piece(sign="·", letter="o"),
}

Lines = tuple[tuple[int, ...], ...]


class Move(NamedTuple):
    """Put a man down (`source` is -1) or move it, and take an enemy man (`taken`, else -1). Points by number."""

    source: int
    target: int
    taken: int = -1


@dataclass(frozen=True, slots=True)
class Position:
    """`board`: a character for each point; `hands`: men still to be put down; `twelve`: with diagonal lines.

    `quiet`: plies since a man was put down or taken.
    """

    board: str
    hands: tuple[int, int]
    turn: Seat = 0
    twelve: bool = False
    flying: bool = False
    quiet: int = 0
    over: str = ""


class Web:
    """The points and lines of a board. `lines`: the names of the points on each; three in a row are a mill."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        named = [line.split("-") for line in lines]
        names = {name for line in named for name in line}
        side = max(int(name[1:]) for name in names)
        self.grid = Grid(side, side)
        self.points = tuple(sorted(names, key=self.grid.square))
        self.numbers = {name: number for number, name in enumerate(self.points)}
        self.slanted = tuple(line for line, (one, *_, other) in zip(lines, named, strict=True) if _slants(one, other))
        numbered = [tuple(self.numbers[name] for name in line) for line in named]
        self.mills = tuple(_others(numbered, point) for point in range(len(self.points)))
        self.neighbours = tuple(_next(numbered, point) for point in range(len(self.points)))
        self.drawn = _drawn(self.grid, named)


@cache
def web(lines: tuple[str, ...]) -> Web:
    """Return the board with these lines."""
    return Web(lines)


class Morris(InTurn[Position, Move]):
    """Two players, no chance, nothing hidden."""

    info = Info(
        key="morris",
        name="Nine Men's Morris",
        kind="capture",
        aliases=("merrills", "mill"),
        summary="Put three men in a row, and take the enemy's men off until two are left.",
        seats=(2,),
        pattern=_MOVE.pattern,
        endings=ENDINGS,
        nodes=(6, *FIVE_LEVELS[1:]),
        credit="a game older than its name.",
        options=(
            Option("twelve", "twelve men each, and the corners are joined by diagonal lines"),
            Option("flying", "a player who has three men left may move to any empty point"),
        ),
        repetition=3,
    )
    names = ("White", "Black")
    position_type = Position
    men_worth = MappingProxyType({"man": 1})
    draws = frozenset({"full", "quiet"})
    lines: ClassVar[tuple[str, ...]] = STRAIGHT
    men_each: ClassVar[int] = 9
    flies: ClassVar[bool] = False  #: three men fly without the option
    mixes: ClassVar[bool] = False  #: men may move before all are down
    wins: ClassVar[bool] = False  #: three in a row win, and nothing is taken

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        now = Position("", (0, 0), twelve="twelve" in options, flying=self.flies or "flying" in options)
        return replace(now, board=EMPTY * len(self.web(now).points), hands=(self.men_of_each(now),) * 2)

    def web(self, position: Position) -> Web:
        """Return the board."""
        return web(self.lines + SLANTED * position.twelve)

    def men_of_each(self, position: Position) -> int:
        """Return how many men each player has at the start."""
        return 12 if position.twelve else self.men_each

    def position_key(self, position: Position) -> str:
        return f"{position.board}{position.hands}"

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        ways = self._ways(position, seat)
        return tuple(move for source, target in ways for move in self._with_prey(position, source, target))

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        board = _after(position.board, move, SIGNS[seat])
        hands = position.hands
        if move.source < 0:
            hands = (hands[0] - 1, hands[1]) if seat == 0 else (hands[0], hands[1] - 1)
        is_quiet = move.source >= 0 and move.taken < 0
        quiet = position.quiet + 1 if is_quiet else 0
        now = Position(board, hands, 1 - seat, position.twelve, position.flying, quiet)
        over = self._ended(now, move.target)
        return Step(replace(now, over=over) if over else now)

    def end(self, position: Position) -> str:
        return position.over

    def format(self, move: Move) -> str:
        points = web(self.lines).points  # diagonal lines add none
        source = f"{points[move.source]}-" if move.source >= 0 else ""
        return f"{source}{points[move.target]}{f'x{points[move.taken]}' if move.taken >= 0 else ''}"

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """Ask only whether this one move is legal: there can be hundreds."""
        numbers = self.web(position).numbers
        move = Move(*(numbers.get(name, -2) if name else -1 for name in parts(_MOVE, text)))
        is_way = move.target in self._targets(position, seat, move.source)
        return (move,) if is_way and move in self._with_prey(position, *move[:2]) else ()

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {self._obstacle(position, seat, text)}."

    def caption(self, position: Position, move: Move) -> str:
        """A link says where the man goes and what it takes; the list begins with the point where it comes from."""
        return self.format(move).rpartition("-")[2].upper().replace("X", "x")

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        position = view.position
        points = self.web(position).points
        men = [(name, man) for name, man in zip(points, position.board, strict=True) if man != EMPTY]
        return {"men": men, "hands": position.hands}

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Men count most, then mills that can be closed next, mills, mills that lack one man, and room to move."""
        own, other = (_strength(self.web(position), position, side) for side in (seat, 1 - seat))
        return tanh((own - other) / 6)

    def men(self, position: Position, seat: Seat) -> Mapping[str, int]:
        return {"man": position.board.count(SIGNS[seat]) + position.hands[seat]}

    def picture(self, view: View[Position]) -> Picture:
        position = view.position
        board = self.web(position)
        cells = [_cell(board, square, position.board) for square in range(board.grid.size)]
        diagonal = "Diagonal lines: " + ", ".join(board.slanted)
        hands = (
            f"White has {position.hands[0]} and Black {position.hands[1]} men to put down"
            if any(position.hands)
            else ""
        )
        lines = tuple(filter(None, (hands, diagonal * bool(board.slanted))))
        return on_grid(board.grid, cells, lines, beside=self._captured(position))

    def marks(self, text: str, mover: Seat, reader: Seat | None) -> Mapping[str, str]:
        taken = parts(_MOVE, text)[2]
        return {**super().marks(text, mover, reader), **({taken: TAKEN} if taken else {})}

    def _captured(self, position: Position) -> tuple[Tray, ...]:
        men, board = self.men_of_each(position), position.board
        there = zip(SIGNS, position.hands, strict=True)
        return captured(*((_PIECES[sign], men - board.count(sign) - hand) for sign, hand in there))

    def _ended(self, position: Position, target: int) -> str:
        """Return how a position ends, "" if it does not. `target`: where the last man came."""
        board, turn = position.board, position.turn
        if self.wins and _is_in_mill(self.web(position), board, target):
            return "row"
        if board.count(SIGNS[turn]) + position.hands[turn] < 3:
            return "few"
        if EMPTY not in board:
            return "full"
        if next(self._ways(position, turn), None) is None:
            return "nomove"
        return "quiet" if position.quiet >= MOST_QUIET else ""

    def _obstacle(self, position: Position, seat: Seat, text: str) -> str:
        """Return why a move is not possible."""
        names = parts(_MOVE, text)  # from where, to where, and whose man is taken
        points, numbers = self.web(position).points, self.web(position).numbers
        if missing := [name for name in names if name and name not in numbers]:
            return f"there is no point {missing[0]}"
        source, target, taken = (numbers[name] if name else -1 for name in names)
        moves = [move for move in moves_of(self, position, seat) if move[:2] == (source, target)]
        if not moves:
            return self._no_way(position, seat, source, target)
        if taken < 0:
            return f"that closes a mill, so say which man you take, such as {text}x{points[moves[0].taken]}"
        if all(move.taken < 0 for move in moves):
            return "that closes no mill, so you take nothing"
        return f"you cannot take a man on {names[2]}: it must be the enemy's, and not in a mill unless all are"

    def _no_way(self, position: Position, seat: Seat, source: int, target: int) -> str:
        points = self.web(position).points
        if source < 0:
            is_full = position.hands[seat] > 0
            return f"{points[target]} is occupied" if is_full else "all your men are on the board, so move one"
        if position.hands[seat] and not self.mixes:
            return "you still have men to put down"
        if position.board[source] != SIGNS[seat]:
            return f"you have no man on {points[source]}"
        if position.board[target] != EMPTY:
            return f"{points[target]} is occupied"
        return f"{points[target]} is not next to {points[source]} on a line"

    def _ways(self, position: Position, seat: Seat) -> Iterator[tuple[int, int]]:
        own = SIGNS[seat]
        for source in (-1, *[point for point, man in enumerate(position.board) if man == own]):
            for target in self._targets(position, seat, source):
                yield source, target

    def _targets(self, position: Position, seat: Seat, source: int) -> list[int]:
        """Return where a man can come from a point; -1: from the hand."""
        board, man, in_hand = position.board, SIGNS[seat], position.hands[seat] > 0
        if source == -1:
            return [point for point, there in enumerate(board) if there == EMPTY] if in_hand else []
        if source < 0 or board[source] != man or (in_hand and not self.mixes):
            return []
        flies = position.flying and not in_hand and board.count(man) == 3
        targets = range(len(board)) if flies else self.web(position).neighbours[source]
        return [target for target in targets if board[target] == EMPTY]

    def _with_prey(self, position: Position, source: int, target: int) -> list[Move]:
        """Return a move with each man that it may take; without one if it closes no mill."""
        board, turn, lines = position.board, position.turn, self.web(position)
        if self.wins or not _is_in_mill(lines, _after(board, Move(source, target), SIGNS[turn]), target):
            return [Move(source, target)]
        takeable = _takeable(lines, board, SIGNS[1 - turn])
        return [Move(source, target, taken) for taken in takeable] or [Move(source, target)]


def _strength(lines: Web, position: Position, seat: Seat) -> float:
    board, man = position.board, SIGNS[seat]
    own = [p for p, there in enumerate(board) if there == man]
    mills = sum(board[a] == board[b] == man for p in own for a, b in lines.mills[p]) / 3
    free = sum(board[p] == EMPTY for source in own for p in lines.neighbours[source])
    near = [(p, a, b) for p in own for a, b in lines.mills[p] if {board[a], board[b]} == {man, EMPTY}]
    gaps = {gap for m in near for gap in m if board[gap] == EMPTY and _is_closed_next(lines, position, seat, m, gap)}
    threat = 0.0 if not gaps else 1.2 if position.turn == seat else 0.8 * (len(gaps) > 1)  # one gap alone is filled
    return 2 * (len(own) + position.hands[seat]) + 0.6 * mills + 0.1 * free + 0.15 * len(near) + threat


def _is_closed_next(lines: Web, position: Position, seat: Seat, mill: tuple[int, int, int], gap: int) -> bool:
    """Return whether a man can come to the gap of a mill: one in hand, or one beside it that is not of the mill."""
    beside = (p for p in lines.neighbours[gap] if p not in mill)
    return position.hands[seat] > 0 or any(position.board[p] == SIGNS[seat] for p in beside)


def _slants(one: str, other: str) -> bool:
    return one[0] != other[0] and one[1:] != other[1:]


def _others(lines: Sequence[tuple[int, ...]], point: int) -> Lines:
    """Return the two other points of each line of three through a point."""
    return tuple(tuple(p for p in line if p != point) for line in lines if point in line and len(line) == 3)


def _next(lines: Sequence[tuple[int, ...]], point: int) -> tuple[int, ...]:
    """Return the next points on the lines through a point."""
    pairs = [pair for line in lines for pair in pairwise(line) if point in pair]
    return tuple(sorted({p for pair in pairs for p in pair if p != point}))


def _is_in_mill(lines: Web, board: str, point: int) -> bool:
    return any(board[a] == board[b] == board[point] for a, b in lines.mills[point])


def _takeable(lines: Web, board: str, enemy: str) -> list[int]:
    """Return the men that may be taken: those outside of mills, or all if all stand in mills."""
    theirs = [point for point, man in enumerate(board) if man == enemy]
    return [p for p in theirs if not _is_in_mill(lines, board, p)] or theirs


def _after(board: str, move: Move, man: str) -> str:
    squares = list(board)
    if move.source >= 0:
        squares[move.source] = EMPTY
    if move.taken >= 0:
        squares[move.taken] = EMPTY
    squares[move.target] = man
    return "".join(squares)


def _cell(lines: Web, square: int, board: str) -> Cell:
    number = lines.numbers.get(lines.grid.name(square))
    return _between(lines, square) if number is None else _point(lines, number, board[number])


@cache
def _point(lines: Web, number: int, man: str) -> Cell:
    name = lines.points[number]
    return Cell(name, "wood", (_PIECES[man],), lines=lines.drawn[lines.grid.square(name)], art="dot")


@cache
def _between(lines: Web, square: int) -> Cell:
    """Return a square on which there is at most a line, which text diagrams write as a sign."""
    ways = lines.drawn[square]
    sign = Piece(sign="─", letter="-") if EAST in ways else Piece(sign="│", letter=":")
    return Cell(ground="wood", pieces=(sign,) if ways else (), lines=ways)


def _drawn(grid: Grid, lines: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    """Return for each square where the lines on it lead."""
    ways: list[set[int]] = [set() for _ in range(grid.size)]
    for line in lines:
        start, end = grid.square(line[0]), grid.square(line[-1])
        way = next(d for d in range(8) if end in grid.ray(start, d))
        for one, other in pairwise((start, *grid.ray(start, way)[: grid.ray(start, way).index(end) + 1])):
            ways[one].add(way)
            ways[other].add((way + 4) % 8)
    return tuple(tuple(sorted(directions)) for directions in ways)


POINTS = web(STRAIGHT).points
