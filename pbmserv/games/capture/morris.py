"""Nine men's morris: three men in a row, a mill, take an enemy man off. Also with twelve men and diagonal lines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import tanh
from types import MappingProxyType
from typing import NamedTuple

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
from pbmserv.games.base.picture import EAST, captured, on_grid
from pbmserv.rng import Rng

GRID = Grid(7, 7)
EMPTY = "."
SIGNS = "wb"  #: by seat: White begins
MOST_QUIET = 100  #: plies in which no man is put down or taken, until a draw
_MOVE = re.compile(r"(?:([a-g][1-7])-?)?([a-g][1-7])(?:x([a-g][1-7]))?")
_STRAIGHT = (
    *("a1-d1-g1", "b2-d2-f2", "c3-d3-e3", "a4-b4-c4", "e4-f4-g4", "c5-d5-e5", "b6-d6-f6", "a7-d7-g7"),
    *("a1-a4-a7", "b2-b4-b6", "c3-c4-c5", "d1-d2-d3", "d5-d6-d7", "e3-e4-e5", "f2-f4-f6", "g1-g4-g7"),
)
_DIAGONAL = ("a1-b2-c3", "a7-b6-c5", "g1-f2-e3", "g7-f6-e5")
POINTS = tuple(sorted({name for line in _STRAIGHT for name in line.split("-")}, key=GRID.square))
_PIECES = {
    "w": Piece("white", "W", art="man"),
    "b": Piece("black", "B", art="man"),
    EMPTY: Piece(sign="·", letter="o"),
}
_NUMBERS = {name: number for number, name in enumerate(POINTS)}

Lines = tuple[tuple[int, ...], ...]


class Move(NamedTuple):
    """Put a man down (`source` is -1) or move it, and take an enemy man (`taken`, else -1). Points by number."""

    source: int
    target: int
    taken: int = -1


@dataclass(frozen=True, slots=True)
class Position:
    """`board`: a character for each of POINTS; `hands`: men still to be put down; `twelve`: with diagonal lines.

    `quiet`: plies since a man was put down or taken.
    """

    board: str
    hands: tuple[int, int]
    turn: Seat = 0
    twelve: bool = False
    flying: bool = False
    quiet: int = 0
    over: str = ""


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
        endings={
            "few": "the opponent has only two men left",
            "nomove": "the opponent cannot move",
            "full": "the board is full",
            "repetition": "the same position stood for the third time",
            "quiet": "fifty moves without a mill",
        },
        nodes=FIVE_LEVELS,
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

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        men = 12 if "twelve" in options else 9
        return Position(EMPTY * len(POINTS), (men, men), twelve="twelve" in options, flying="flying" in options)

    def position_key(self, position: Position) -> str:
        return f"{position.board}{position.hands}"

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        return _legal(position.board, position.hands[seat] > 0, SIGNS[seat], position.twelve, position.flying)

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        board = _after(position.board, move, SIGNS[seat])
        hands = position.hands
        if move.source < 0:
            hands = (hands[0] - 1, hands[1]) if seat == 0 else (hands[0], hands[1] - 1)
        is_quiet = move.source >= 0 and move.taken < 0
        quiet = position.quiet + 1 if is_quiet else 0
        now = Position(board, hands, 1 - seat, position.twelve, position.flying, quiet)
        return Step(now if not (over := self._ended(now)) else _with_end(now, over))

    def end(self, position: Position) -> str:
        return position.over

    def format(self, move: Move) -> str:
        source = f"{POINTS[move.source]}-" if move.source >= 0 else ""
        return f"{source}{POINTS[move.target]}{f'x{POINTS[move.taken]}' if move.taken >= 0 else ''}"

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """Ask only whether this one move is legal: there can be hundreds."""
        move = Move(*(_NUMBERS.get(name, -2) if name else -1 for name in parts(_MOVE, text)))
        board, man = position.board, SIGNS[seat]
        ways = _ways(board, position.hands[seat] > 0, man, position.twelve, position.flying)
        return (move,) if move[:2] in ways and move in _with_prey(board, *move[:2], man, position.twelve) else ()

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {self._obstacle(position, seat, text)}."

    def caption(self, position: Position, move: Move) -> str:
        """A link says where the man goes and what it takes; the list begins with the point where it comes from."""
        return self.format(move).rpartition("-")[2].upper().replace("X", "x")

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        position = view.position
        men = [(name, man) for name, man in zip(POINTS, position.board, strict=True) if man != EMPTY]
        return {"men": men, "hands": position.hands}

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Men count most, then mills that can be closed next, mills, mills that lack one man, and room to move."""
        own, other = (_strength(position, side) for side in (seat, 1 - seat))
        return tanh((own - other) / 6)

    def men(self, position: Position, seat: Seat) -> Mapping[str, int]:
        return {"man": position.board.count(SIGNS[seat]) + position.hands[seat]}

    def picture(self, view: View[Position]) -> Picture:
        position = view.position
        cells = [_cell(square, position.board, position.twelve) for square in range(GRID.size)]
        diagonal = "Diagonal lines: " + ", ".join(_DIAGONAL)
        hands = (
            f"White has {position.hands[0]} and Black {position.hands[1]} men to put down"
            if any(position.hands)
            else ""
        )
        lines = tuple(filter(None, (hands, diagonal * position.twelve)))
        return on_grid(GRID, cells, lines, beside=_captured(position))

    def _ended(self, position: Position) -> str:
        men = position.board.count(SIGNS[position.turn])
        if men + position.hands[position.turn] < 3:
            return "few"
        if EMPTY not in position.board:
            return "full"
        turn = position.turn
        ways = _ways(position.board, position.hands[turn] > 0, SIGNS[turn], position.twelve, position.flying)
        if next(ways, None) is None:
            return "nomove"
        return "quiet" if position.quiet >= MOST_QUIET else ""

    def _obstacle(self, position: Position, seat: Seat, text: str) -> str:
        """Return why a move is not possible."""
        names = parts(_MOVE, text)  # from where, to where, and whose man is taken
        if missing := [name for name in names if name and name not in _NUMBERS]:
            return f"there is no point {missing[0]}"
        source, target, taken = (_NUMBERS[name] if name else -1 for name in names)
        moves = [move for move in moves_of(self, position, seat) if move[:2] == (source, target)]
        if not moves:
            return _no_way(position, seat, source, target)
        if taken < 0:
            return f"that closes a mill, so say which man you take, such as {text}x{POINTS[moves[0].taken]}"
        if all(move.taken < 0 for move in moves):
            return "that closes no mill, so you take nothing"
        return f"you cannot take a man on {names[2]}: it must be the enemy's, and not in a mill unless all are"


def _strength(position: Position, seat: Seat) -> float:
    board, man = position.board, SIGNS[seat]
    own = [p for p, there in enumerate(board) if there == man]
    mills = sum(board[a] == board[b] == man for p in own for a, b in _mills(position.twelve)[p]) / 3
    free = sum(board[p] == EMPTY for source in own for p in _neighbours(position.twelve)[source])
    near = [(p, a, b) for p in own for a, b in _mills(position.twelve)[p] if {board[a], board[b]} == {man, EMPTY}]
    gaps = {gap for mill in near for gap in mill if board[gap] == EMPTY and _is_closed_next(position, seat, mill, gap)}
    threat = 0.0 if not gaps else 1.2 if position.turn == seat else 0.8 * (len(gaps) > 1)  # one gap alone is filled
    return 2 * (len(own) + position.hands[seat]) + 0.6 * mills + 0.1 * free + 0.15 * len(near) + threat


def _is_closed_next(position: Position, seat: Seat, mill: tuple[int, int, int], gap: int) -> bool:
    """Return whether a man can come to the gap of a mill: one in hand, or one beside it that is not of the mill."""
    beside = (p for p in _neighbours(position.twelve)[gap] if p not in mill)
    return position.hands[seat] > 0 or any(position.board[p] == SIGNS[seat] for p in beside)


def _with_end(position: Position, over: str) -> Position:
    p = position
    return Position(p.board, p.hands, p.turn, p.twelve, p.flying, p.quiet, over)


def _no_way(position: Position, seat: Seat, source: int, target: int) -> str:
    if source < 0:
        return f"{POINTS[target]} is occupied" if position.hands[seat] else "all your men are on the board, so move one"
    if position.hands[seat]:
        return "you still have men to put down"
    if position.board[source] != SIGNS[seat]:
        return f"you have no man on {POINTS[source]}"
    if position.board[target] != EMPTY:
        return f"{POINTS[target]} is occupied"
    return f"{POINTS[target]} is not next to {POINTS[source]} on a line"


@cache
def _mills(twelve: bool) -> tuple[Lines, ...]:
    """Return for each point the two other points of each line through it."""
    lines = [tuple(_NUMBERS[name] for name in line.split("-")) for line in _STRAIGHT + _DIAGONAL * twelve]
    return tuple(
        tuple(tuple(p for p in line if p != point) for line in lines if point in line) for point in range(len(POINTS))
    )


@cache
def _neighbours(twelve: bool) -> tuple[tuple[int, ...], ...]:
    """Return for each point the next ones on its lines."""
    neighbours: list[set[int]] = [set() for _ in POINTS]
    for line in _STRAIGHT + _DIAGONAL * twelve:
        for one, other in pairwise(_NUMBERS[name] for name in line.split("-")):
            neighbours[one].add(other)
            neighbours[other].add(one)
    return tuple(tuple(sorted(points)) for points in neighbours)


def _legal(board: str, puts: bool, man: str, twelve: bool, flying: bool) -> tuple[Move, ...]:
    ways = _ways(board, puts, man, twelve, flying)
    return tuple(move for source, target in ways for move in _with_prey(board, source, target, man, twelve))


def _with_prey(board: str, source: int, target: int, man: str, twelve: bool) -> list[Move]:
    """Return a move with each man that it may take; without one if it closes no mill."""
    there = board if source < 0 else board[:source] + EMPTY + board[source + 1 :]
    if not any(there[a] == there[b] == man for a, b in _mills(twelve)[target]):
        return [Move(source, target)]
    takeable = _takeable(board, SIGNS[1 - SIGNS.index(man)], twelve)
    return [Move(source, target, taken) for taken in takeable] or [Move(source, target)]


def _ways(board: str, puts: bool, man: str, twelve: bool, flying: bool) -> Iterator[tuple[int, int]]:
    empty = [point for point, there in enumerate(board) if there == EMPTY]
    if puts:
        yield from ((-1, point) for point in empty)
        return
    flies = flying and board.count(man) == 3
    for source, there in enumerate(board):
        if there == man:
            targets = empty if flies else _neighbours(twelve)[source]
            yield from ((source, target) for target in targets if board[target] == EMPTY)


def _takeable(board: str, enemy: str, twelve: bool) -> list[int]:
    """Return the men that may be taken: those outside of mills, or all if all stand in mills."""
    theirs = [point for point, man in enumerate(board) if man == enemy]
    free = [p for p in theirs if not any(board[a] == board[b] == enemy for a, b in _mills(twelve)[p])]
    return free or theirs


def _after(board: str, move: Move, man: str) -> str:
    squares = list(board)
    if move.source >= 0:
        squares[move.source] = EMPTY
    if move.taken >= 0:
        squares[move.taken] = EMPTY
    squares[move.target] = man
    return "".join(squares)


def _captured(position: Position) -> tuple[Tray, ...]:
    men, board = 12 if position.twelve else 9, position.board
    there = zip(SIGNS, position.hands, strict=True)
    return captured(*((_PIECES[sign], men - board.count(sign) - hand) for sign, hand in there))


def _cell(square: int, board: str, twelve: bool) -> Cell:
    name = GRID.name(square)
    return _point(name, board[_NUMBERS[name]], twelve) if name in _NUMBERS else _between(square)


@cache
def _point(name: str, man: str, twelve: bool) -> Cell:
    return Cell(name, "wood", (_PIECES[man],), lines=_drawn(twelve)[GRID.square(name)], art="dot")


@cache
def _between(square: int) -> Cell:
    """Return a square on which there is at most a line, which text diagrams write as a sign."""
    lines = _drawn(twelve=False)[square]
    sign = Piece(sign="─", letter="-") if EAST in lines else Piece(sign="│", letter=":")
    return Cell(ground="wood", pieces=(sign,) if lines else (), lines=lines)


@cache
def _drawn(twelve: bool) -> tuple[tuple[int, ...], ...]:
    """Return for each square where the lines on it lead."""
    ways: list[set[int]] = [set() for _ in range(GRID.size)]
    for line in _STRAIGHT + _DIAGONAL * twelve:
        start, _, end = map(GRID.square, line.split("-"))
        way = next(d for d in range(8) if end in GRID.ray(start, d))
        for one, other in pairwise((start, *GRID.ray(start, way)[: GRID.ray(start, way).index(end) + 1])):
            ways[one].add(way)
            ways[other].add((way + 4) % 8)
    return tuple(tuple(sorted(directions)) for directions in ways)
