"""Games like chess: the picture of a board, with what was captured or can be dropped beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from pbmserv.games.base import Cell, Picture, Piece, Seat, Tray
from pbmserv.games.base.grid import DIAGONAL
from pbmserv.games.base.picture import CHECK, MOST_BESIDE, MOST_IN_LINE, NORTH, SOUTH, crossing, on_grid
from pbmserv.games.families.chesslike.placing import Position
from pbmserv.games.families.chesslike.row import EMPTY, Variant
from pbmserv.games.families.chesslike.row_rules import RowRules
from pbmserv.games.families.chesslike.shogi.shogi_writing import letters

_SIGNS = {"king": "♔♚", "queen": "♕♛", "rook": "♖♜", "bishop": "♗♝", "knight": "♘♞", "pawn": "♙♟"}
_AS_TEXT = "\ufe0e"  #: behind a sign: it is a character and not a coloured picture


def picture_of(rules: RowRules, position: Position) -> Picture:
    """Return the board with the men in hand, or those that were captured, below it."""
    row, turn = rules.row, position.turn
    attacked = rules.royal_square(position.board, turn) if rules.in_check(position.board, turn) else -1
    cells = [_cell(row.key, rules, s, man, s == attacked) for s, man in enumerate(position.board)]
    make = _hand if row.drops or any(position.hands) else _captured
    beside = tuple(tray for seat in (0, 1) for tray in make(rules, position, seat))
    lines = (f"Checks: White {position.checks[0]}, Black {position.checks[1]}",) if row.checks else ()
    if rules.sets_up(position) and row.lays:
        lines = (f"Horses (h) and elephants (e) from your left: {', '.join(row.orders)}",)
    picture = on_grid(row.grid, cells, top=(1,), beside=beside, lines=lines)
    if not rules.falls:
        return picture
    files = tuple(str(file) for file in range(row.grid.columns, 0, -1))
    return replace(picture, files=files, ranks=tuple(chr(97 + rank) for rank in range(row.grid.rows)))


@cache
def _cell(key: str, rules: RowRules, square: int, man: str, attacked: bool) -> Cell:
    row, column = divmod(square, rules.grid.columns)
    ground = "sand" if rules.falls else "light" if (row + column) % 2 else "dark"
    if square in rules.row.centre:
        ground = "sand"
    pieces = () if man == EMPTY else (_man(rules, man),)
    lines = tuple(_lines(rules.row, row, column)) if rules.row.palace else ()
    ground = "wood" if lines else ground
    return Cell(rules.grid.name(square), ground, pieces, state=CHECK if attacked else "", lines=lines)


def _lines(row: Variant, rank: int, file: int) -> Iterator[int]:
    """Yield where lines lead from a point: none over the river but along the edges, and crosses in the palaces."""
    columns, rows = row.grid
    for way in crossing(rows - 1 - rank, file, rows, columns):
        flows = row.river and rank + (way == NORTH) == row.river and way in (NORTH, SOUTH)
        if not flows or file in (0, columns - 1):
            yield way
    for palace in row.palaces:
        middle = sum(palace) // len(palace)
        for way in DIAGONAL:
            ahead = row.grid.neighbours(rank * columns + file, (way,))
            if (
                palace.issuperset({rank * columns + file, *ahead})
                and middle in (rank * columns + file, *ahead)
                and ahead
            ):
                yield way


def _man(rules: RowRules, man: str, count: int = 0) -> Piece:
    row, kind, seat = rules.row, rules.row.kinds[man.lower()], int(man.islower())
    sign = _SIGNS[kind.art][seat] + _AS_TEXT if kind.art in _SIGNS else letters(rules, man)
    art = f"{kind.art}-down" if seat and row.falls_back else kind.art.split("/")[-seat]
    return Piece(row.sides[seat].lower(), sign, count, letters(rules, man), art, kind.name)


def _hand(rules: RowRules, position: Position, seat: Seat) -> Iterator[Tray]:
    """Yield a tray with the men that a seat can drop; none if there are none."""
    if hand := position.hands[seat]:
        men = list(dict.fromkeys(hand))
        row = rules.row
        own = position.turn == seat and not row.lays
        cells = tuple(
            Cell(f"{man}*" * own, pieces=(_man(rules, man.upper() if seat == 0 else man, hand.count(man)),))
            for man in men
        )
        counts = [(man, hand.count(man)) for man in men]
        yield Tray(f"In the hand of {row.sides[seat]}: {', '.join(_held(row, counts, 20))}", cells)


def _captured(rules: RowRules, position: Position, taker: Seat) -> Iterator[Tray]:
    """Yield a tray with the men that a seat has captured; none if there are none."""
    if men := list(_lost(rules, position, 1 - taker)):
        cells = tuple(Cell(pieces=(_man(rules, man, count),)) for man, count in men)
        holds = tuple(_in_words(rules.row, man.lower(), count) for man, count in men)
        yield Tray(f"Captured by {rules.row.sides[taker]}", cells[:MOST_BESIDE], only_drawn=True, holds=holds)


def _held(row: Variant, men: Sequence[tuple[str, int]], before: int) -> tuple[str, ...]:
    """Return men and how many in words, or in letters if a line has no room for words. `before`: what stands there."""
    in_words = tuple(_in_words(row, man.lower(), count) for man, count in men)
    if before + sum(map(len, in_words)) + 2 * len(in_words) <= MOST_IN_LINE:
        return in_words
    return tuple(f"{man}{count if count > 1 else ''}" for man, count in men)


def _in_words(row: Variant, man: str, count: int) -> str:
    name = row.kinds[man].name
    return name if count == 1 else f"{name} ({count})"


def _lost(rules: RowRules, position: Position, seat: Seat) -> Iterator[tuple[str, int]]:
    """Yield the men that a seat has lost, with their numbers. A pawn that became another man is not lost."""
    row, own = rules.row, rules.own[seat]
    first = {man: row.board.count(man) + row.hand.count(man.lower()) for man in own}
    there = {man: position.board.count(man) for man in own}
    pawn = rules.pawn[seat]
    became = sum(max(0, there[man] - first[man]) for man in own if man != pawn)
    for man in sorted(own, key=lambda man: -row.kinds[man.lower()].value):
        lost = first[man] - there[man] - (became if man == pawn else 0)
        if lost > 0:
            yield man, lost
