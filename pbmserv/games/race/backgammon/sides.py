"""What each player sees from their own side: their home board at the bottom right, and their numbers of points.

Spectators sit beside White.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pbmserv.games.base import Cell, Picture, Piece, Seat, View
from pbmserv.games.base.picture import SOUTH
from pbmserv.games.race.backgammon.places import ACROSS, BAR, OFF, PIN, numbers, pips
from pbmserv.games.race.backgammon.situation import CRAWFORD, NAMES, NOBODY, Position

SIGNS = "OX"  #: by seat: what stands on the men
_COLOURS = ("white", "black")
_POINTS, _WIDE = ("dark", "brown"), 94  #: the colours of the points, and how wide they are at the edge, in percent
_TALL = 5  #: men of a column that are drawn; a number tells of more
#: The columns of the two halves from the left. The upper one has the bar and the men off of the opponent, the lower one
#: those of the reader.
_UPPER = (*range(13, 19), BAR, *range(19, 25), OFF)
_LOWER = (*range(12, 6, -1), BAR, *range(6, 0, -1), OFF)
#: What a player calls the opponent's places that are no points.
_BESIDE = ({BAR: "white bar", OFF: "white off"}, {BAR: "black bar", OFF: "black off"})
#: Of columns and rows in percent: the bar is narrow, and numbers are low.
_WIDTHS = tuple(70 if place == BAR else 100 for place in _UPPER)
_HEIGHTS = (60, *(100,) * _TALL, 110, *(100,) * _TALL, 60)
_BAR_COLUMN, _DICE_COLUMNS, _CUBE_COLUMN = 6, (9, 10, 11), 13


class Column(NamedTuple):
    """The men on a place. `name`: that of the place for the reader. `pinned`: men of the other seat below them."""

    name: str
    seat: Seat
    men: int
    pinned: int = 0

    def sign(self, depth: int) -> Seat | None:
        """Return whose man is drawn so deep in the column."""
        if depth >= self.men + self.pinned:
            return None
        return 1 - self.seat if depth < self.pinned else self.seat

    def more(self, depth: int) -> int:
        """Return how many men there are, if this is the last that is drawn and there are more."""
        return self.men if depth == _TALL - 1 and self.men + self.pinned > _TALL else 0


def cell_name(place: int) -> str:
    """Return the name of a place of the player who looks at the board."""
    return {OFF: "off", BAR: "bar"}.get(place, str(place))


def name_for(reader: Seat, place: int, side: Seat, across: Sequence[int]) -> str:
    """Return the name that a place of one side has on the board of a reader."""
    if side == reader:
        return cell_name(place)
    return _BESIDE[side][place] if place in _BESIDE[side] else cell_name(across[place])


def picture(view: View[Position], across: Sequence[int], below: tuple[str, ...]) -> Picture:
    """Return the board: a row of numbers, five of men, one for the dice, five of men, a row of numbers."""
    upper, lower = _halves(view, across)
    rows = (
        _labels(upper),
        *(_row(upper, depth, upper=True) for depth in range(_TALL)),
        _between(view.position, across),
        *(_row(lower, depth, upper=False) for depth in reversed(range(_TALL))),
        _labels(lower),
    )
    return Picture(rows, lines=below, widths=_WIDTHS, heights=_HEIGHTS)


def scene(view: View[Position], across: Sequence[int], below: tuple[str, ...]) -> Mapping[str, object]:
    """Return the columns as lines of text, the men by place, and the lines below."""
    halves = _halves(view, across)
    upper, lower = ([[_written(column, depth) for column in half] for depth in range(_TALL)] for half in halves)
    men = [(column.name, column.men, NAMES[column.seat]) for half in halves for column in half if column.men]
    signs = "O: White, X: Black"
    side = NAMES[view.seat or 0]
    return {
        "upper": upper,
        "lower": lower[::-1],
        "men": men,
        "side": side,
        "signs": signs,
        "lines": [*below],
    }


def lines(position: Position) -> Iterator[str]:
    """Yield what stands below the board: who has to do what, the way that is left, the match, the cube."""
    mover = NAMES[position.turn]
    if position.doubled:
        yield f"{NAMES[1 - position.turn]} doubles. {mover} takes or drops."
    elif position.dice:
        yield f"{mover} has rolled {numbers(position.dice)}."
    elif not position.won:
        yield f"{mover} rolls or doubles."
    yield f"Pips to go: White {pips(position.of(0))}, Black {pips(position.of(1))}"
    if position.goal:
        yield f"Match to {position.goal} points: White {position.score[0]}, Black {position.score[1]}"
        yield _about_the_cube(position)


def _about_the_cube(position: Position) -> str:
    if position.crawford == CRAWFORD:
        return "This is the Crawford game: no doubling."
    if position.owner == NOBODY:
        return f"Cube: {position.cube}, in the middle"
    return f"Cube: {position.cube}, {NAMES[position.owner]} has it"


def _halves(view: View[Position], across: Sequence[int]) -> tuple[list[Column], list[Column]]:
    side, men = view.seat or 0, [view.position.of(seat) for seat in (0, 1)]

    def column(place: int, beside: Seat) -> Column:
        """`beside`: whose men are on the bar and off in this half."""
        if place in (OFF, BAR):
            return Column(name_for(side, place, beside, across), beside, men[beside][place])
        own, other = men[side][place], men[1 - side][across[place]]
        pins = [men[s][PIN + n : PIN + n + 1] for s, n in ((side, place), (1 - side, across[place]))]
        return Column(cell_name(place), side if own else 1 - side, own or other, any(map(any, pins)))

    return [column(place, 1 - side) for place in _UPPER], [column(place, side) for place in _LOWER]


def _labels(half: Sequence[Column]) -> tuple[Cell, ...]:
    return tuple(_label(column.name) for column in half)


@cache
def _label(name: str) -> Cell:
    return Cell(name, "wood", text=name.rpartition(" ")[2])


def _row(half: Sequence[Column], depth: int, *, upper: bool) -> tuple[Cell, ...]:
    return tuple(_cell(column, depth, upper, (n + upper + (n > _BAR_COLUMN)) % 2) for n, column in enumerate(half))


@cache  # 28 columns, and what can stand there
def _cell(column: Column, depth: int, upper: bool, shade: int) -> Cell:
    """Return a part of a column; that of a point is a long triangle on the board."""
    if not column.name.isdecimal():
        return Cell(
            ground="brown" if column.name.endswith(cell_name(BAR)) else "wood",
            pieces=_man(column, depth),
            of=column.name,
        )
    wide, narrow = (_WIDE * (_TALL - part) // _TALL for part in (depth, depth + 1))
    wedge = (_POINTS[shade], *((wide, narrow) if upper else (narrow, wide)))
    return Cell(ground="light", pieces=_man(column, depth), of=column.name, wedge=wedge)


def _man(column: Column, depth: int) -> tuple[Piece, ...]:
    """Return the man that lies so deep in a column. The last one that is drawn counts them, if there are more."""
    seat = column.sign(depth)
    return () if seat is None else (Piece(_COLOURS[seat], SIGNS[seat], count=column.more(depth), art="checker"),)


def _between(position: Position, across: Sequence[int]) -> tuple[Cell, ...]:
    """Return the row between the halves, with the dice and the cube, and where all men run if both run alike."""
    cells = [Cell(ground="brown" if place == BAR else "wood") for place in _UPPER]
    for column, die in zip(_DICE_COLUMNS, position.dice, strict=False):
        cells[column] = Cell(ground="wood", pieces=(Piece("white", str(die), art=f"die-{die}"),))
    if position.goal:
        cells[_CUBE_COLUMN] = Cell(ground="wood", pieces=(Piece("yellow", f"x{position.cube}", art="cube"),))
    if across != ACROSS:
        cells[0], cells[-1] = Cell(ground="wood", arrows=(SOUTH,)), Cell(ground="wood")
    return tuple(cells)


def _written(column: Column, depth: int) -> str:
    """Return what a text diagram has in a column."""
    seat = column.sign(depth)
    return "" if seat is None else str(column.more(depth) or SIGNS[seat])
