"""Tafl: the game of a row."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import tanh
from types import MappingProxyType
from typing import ClassVar

from pbmserv.games.base import Cell, InTurn, Options, Picture, Piece, Seat, Step, Tray, View, moves_of
from pbmserv.games.base.picture import captured, on_grid
from pbmserv.games.families.tafl.tafl_rows import Tafl
from pbmserv.games.families.tafl.tafl_rules import ATTACKER, DEFENDER, EMPTY, KING, Move, Position, TaflRules
from pbmserv.rng import Rng

_ENDINGS = {
    "escaped": "the king has escaped",
    "captured": "the king is captured",
    "encircled": "the king and all defenders are surrounded",
    "nomove": "the opponent cannot move",
    "repetition": "the same position stood for the third time",
    "quiet": "fifty moves without a capture",
}
_PIECES = {
    ATTACKER: Piece("black", "A", art="man"),
    DEFENDER: Piece("white", "D", art="man"),
    KING: Piece("white", "K", art="man-king"),
}
_CROSS = Piece(sign="×", letter="x")
#: Whose men are which: the names of the seats do not tell it, and text diagrams have letters.
_WHOSE = Tray(
    "Attackers, defenders, king",
    tuple(Cell(pieces=(piece,)) for piece in _PIECES.values()),
    only_drawn=True,
    holds=("black", "white", "with a crown"),
)
_ATTACK = "The attackers (A) must capture the king (K)."
_TO_CORNER = "The defenders (D) must bring it to a corner, which has a cross."
_TO_EDGE = "The defenders (D) must bring it to the edge of the board."
_SQUARE = re.compile("[a-k][0-9]+")  # of a text that has the form of a move
_WAYS = (0.0, 9.0, 0.8, 0.0)  #: by moves to the goal: what they are worth to the king


def game_of(row: Tafl) -> "TaflGame":
    """Return the game of a row. Its class has the row's name."""
    square = _square(row)
    endings = {key: text for key, text in _ENDINGS.items() if key != "encircled" or row.encircled}
    pattern, nodes = f"{square}-?{square}(?:x{square}){{0,3}}", (row.weakest, 600, 5000)
    info = row.info(pattern=pattern, endings=endings, nodes=nodes, repetition=3)
    return row.game(TaflGame, info)


class TaflGame(InTurn[Position, Move]):
    """Two players, no chance, nothing hidden. Seat 0 attacks."""

    names = ("Attackers", "Defenders")
    position_type = Position
    draws = frozenset({"quiet"})
    men_worth = MappingProxyType({"man": 1})
    row: ClassVar[Tafl]

    @property
    def rules(self) -> TaflRules:
        """The rules of the row."""
        return _rules(self.row)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position(self.rules.board)

    def position_key(self, position: Position) -> str:
        return position.board

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        return tuple(self.rules.moves(position.board, seat))

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        return Step(self.rules.after(position, move))

    def end(self, position: Position) -> str:
        return position.over

    def format(self, move: Move) -> str:
        return "-".join(map(self.rules.grid.name, move))

    def written(self, position: Position, seat: Seat, text: str) -> str:
        """The men who are captured stand behind an x each."""
        name = self.rules.grid.name
        return "x".join((text, *map(name, self.rules.taken(position.board, self._read(text), seat))))

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """What is captured follows from the move, so it may be left out, but must not be wrong."""
        move, told = self._read(text), {*text.split("x")[1:]}
        board, name = position.board, self.rules.grid.name
        if self.rules.obstacle(position, move):
            return ()
        return (move,) if not told or told == {name(s) for s in self.rules.taken(board, move, seat)} else ()

    def _read(self, text: str) -> Move:
        source, target = _SQUARE.findall(text)[:2]
        return Move(self.rules.grid.square(source), self.rules.grid.square(target))

    def example(self, position: Position, seat: Seat) -> str:
        """Return a move that captures, or one that ends near the castle."""
        rules = self.rules
        row, column = divmod(rules.throne, rules.grid.columns)

        def dull(move: Move) -> tuple[bool, int]:
            there = divmod(move.target, rules.grid.columns)
            return not rules.taken(position.board, move, seat), abs(there[0] - row) + abs(there[1] - column)

        return self.format(min(moves_of(self, position, seat), key=dull))

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        why = self.rules.obstacle(position, self._read(text)) or "that move captures other men, or none"
        return f"'{text}' is not possible: {why}."

    def piece_of(self, position: Position, move: Move) -> str:
        return KING if position.board[move.source] == KING else ""

    def loud(self, position: Position, seat: Seat) -> Sequence[Move]:
        """Captures, and moves of the king to his goal."""
        board, goal, taken = position.board, self.rules.goal, self.rules.taken
        moves = self.rules.moves(board, seat)
        return [m for m in moves if taken(board, m, seat) or (board[m.source] == KING and m.target in goal)]

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Men, of whom each side has its number, then the king's way out, his room, and attackers beside him."""
        board, first = position.board, self.rules.board
        ways, room = self.rules.ways_out(board)
        beside = sum(board[s] == ATTACKER for s in self.rules.near[board.index(KING)])
        men = 2 * board.count(DEFENDER) - board.count(ATTACKER) - 2 * first.count(DEFENDER) + first.count(ATTACKER)
        value = 0.5 * men + _WAYS[ways] * (1 if position.turn == 1 or ways > 1 else 0.2) + 0.04 * room - 0.5 * beside
        return tanh((value if seat == 1 else -value) / 6)

    def men(self, position: Position, seat: Seat) -> Mapping[str, int]:
        return {"man": position.board.count((ATTACKER, DEFENDER)[seat])}

    def help_facts(self) -> Mapping[str, object]:
        """Return the row and a drawn turn: `position`, in which `text` captures `taken`."""
        rules, luck = self.rules, Rng(f"help-{self.info.key}", 0)
        position = Position(rules.board)
        while True:
            moves = tuple(rules.moves(position.board, position.turn))
            captures = [move for move in moves if rules.taken(position.board, move, position.turn)]
            if captures:
                break
            position = rules.after(position, luck.choice(moves))
        names = [rules.grid.name(s) for s in rules.taken(position.board, captures[0], position.turn)]
        source, target = map(rules.grid.name, captures[0])
        facts = {"source": source, "target": target, "taken": names[0], "player": self.names[position.turn]}
        return {"row": rules.row, "position": position, "text": self.format(captures[0]), **facts}

    def picture(self, view: View[Position]) -> Picture:
        rules, board = self.rules, view.position.board
        cells = [_cell(rules, square, man) for square, man in enumerate(board)]
        lost = ((_PIECES[man], rules.board.count(man) - board.count(man)) for man in _PIECES)
        lines = (_ATTACK, _TO_CORNER if rules.row.corners else _TO_EDGE)
        return on_grid(rules.grid, cells, lines, beside=(_WHOSE, *captured(*lost)))


@cache
def _rules(row: Tafl) -> TaflRules:
    """Return the rules of a row. Their tables are made when the game is first played."""
    return TaflRules(row)


@cache
def _cell(rules: TaflRules, square: int, man: str) -> Cell:
    """Return a square. Where only the king stops, there is a cross; where he wins, and in the castle, other ground."""
    special = square in rules.special
    ground = "sand" if square in rules.goal else "stone" if special else "plain"
    pieces = (_PIECES[man],) if man != EMPTY else (_CROSS,) if special else ()
    return Cell(rules.grid.name(square), ground, pieces)


def _square(row: Tafl) -> str:
    rows = row.setup.count("/") + 1
    number = f"[1-{rows}]" if rows < 10 else f"(?:1[0-{rows - 10}]|[1-9])"
    return f"[a-{chr(96 + rows)}]{number}"
