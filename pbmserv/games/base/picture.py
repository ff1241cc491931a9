"""What a board looks like, as data. A game says what lies where; tables, drawings and text are made from that.

See `Game.picture`. The renderers are in pbmserv/letters/pictures.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from pbmserv.games.base.grid import COMPASS, Grid

#: The colours that pieces and grounds can have, each with its name in sentences. The renderers know their hues, and
#: write on each of them in a colour that stands out.
COLOURS = (
    *("black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "brown"),
    #: for grounds: a plain square, the two of a chequered board, wood, grass, sand, water, stone and the night sky
    *("plain", "light", "dark", "wood", "grass", "sand", "water", "stone", "night"),
)

LAST = "last"  #: the last move touched this cell
EARLIER = "earlier"  #: a move before the last one touched this cell, in the same turn
LEFT = "left"  #: the last move left this cell, where other men can still stand (ADR 75)
CHOSEN = "chosen"  #: the reader has touched this cell, and its move goes on
GOAL = "goal"  #: the move can go on here
TAKEN = "taken"  #: the last move took a man from here that did not stand where it ended
MADE = "made"  #: the last move made what is here beside its way, such as a box or an arrow
MARKS = (LAST, EARLIER, LEFT, TAKEN, MADE, CHOSEN, GOAL)

CHECK = "check"  #: the man here is attacked and must be saved
WIN = "win"  #: a part of the line, ring or connection that wins
DEAD = "dead"  #: the piece here is taken off when the board is counted
STATES = (CHECK, WIN, DEAD)

NORTH, EAST, SOUTH, WEST = 0, 2, 4, 6  #: directions of lines and arrows: indices into grid.COMPASS

_POINTS = re.compile("(shield|shogi-.*?)(-down)?")  #: drawings of men that point ahead

MOST_IN_TEXT = 8  #: characters of the short text of a cell
MOST_IN_SIGN = 5  #: characters of the sign of a piece; renderers write long signs smaller
MOST_BESIDE = 8  #: cells of a tray
MOST_IN_LINE = 79  #: characters of a line below the board, and of what is said of a tray


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece, or several equal pieces on top of each other. Its sign tells it from others, whatever its colour."""

    colour: str = ""  #: of the disc; one of COLOURS. "": there is no disc, and the sign is as large as the cell
    sign: str = ""  #: what stands on it, such as `B`, a chess figure or a picture from Unicode, never ""
    count: int = 0  #: how many pieces; 0: they are not counted
    letter: str = ""  #: the sign in text diagrams, in ASCII; "": that is the sign itself
    art: str = ""  #: a drawing of templates/pieces instead of the disc with the sign
    says: str = ""  #: what it is called, for those who hear their letters; "": its letter tells it

    @property
    def label(self) -> str:
        """The sign and the number of pieces: `B3`."""
        return f"{self.sign}{self.count or ''}"

    @property
    def in_ascii(self) -> str:
        """The label as text diagrams write it."""
        return f"{self.letter or self.sign}{self.count or ''}"


@dataclass(frozen=True, slots=True)
class Cell:
    """A square or a hexagon. Colour must never be the only difference between two things: give them signs or texts.

    With `lines` it is a point: what stands on it stands on a crossing.
    """

    name: str = ""  #: as moves name it, in lower case; "" if no move can name it
    ground: str = "plain"  #: one of COLOURS
    pieces: tuple[Piece, ...] = ()  #: a stack, the lowest first
    arrows: tuple[int, ...] = ()  #: where arrows point: indices into grid.COMPASS, clockwise from north
    text: str = ""  #: a few characters in small letters, at most MOST_IN_TEXT
    mark: str = ""  #: one of MARKS, or ""; games leave this to the server
    of: str = ""  #: without a name: the cell that is touched here, too, such as the point on which this piece stands
    state: str = ""  #: one of STATES, or "": what the game says of this cell
    lines: tuple[int, ...] = ()  #: where lines lead from the middle to the edge: directions as those of `arrows`
    in_corner: bool = False  #: the text is the name of the cell, and is written small in its corner
    line: str = ""  #: the colour of these lines if they are thick; one of COLOURS
    fresh: tuple[int, ...] = ()  #: which of them are ends of lines of the last move; games leave this to the server
    art: str = ""  #: a drawing of templates/pieces that lies on the ground, such as `star`
    #: A part of a long triangle that lies on the ground: its colour, then how wide it is at the top and at the bottom,
    #: in percent of the cell.
    wedge: tuple[str, int, int] | tuple[()] = ()


Cells = TypeVar("Cells", tuple[Cell, ...], tuple[Cell | None, ...])


@dataclass(frozen=True, slots=True)
class Tray:
    """A few cells in a row below the board, such as a hand, pieces in reserve or the next tile. Moves can name them."""

    says: str  #: what this is, such as `Next tile: grass`
    cells: tuple[Cell, ...]  #: at most MOST_BESIDE
    only_drawn: bool = False  #: text diagrams leave it out, such as the men that were captured
    holds: tuple[str, ...] = ()  #: what letters say of the cells, if `says` does not tell it, such as `2 rooks`


@dataclass(frozen=True, slots=True)
class Picture:
    """A board: rows of cells from the top. Rows of squares are equally long; None is a place without a square.

    Hexagons stand on a corner. Each row of theirs begins `offsets` halves of a cell further right than the board.
    Texts, lines and what trays say are in English. Renderers look them up in the language of the reader.
    """

    rows: tuple[tuple[Cell | None, ...], ...]
    #: The labels below, one for each column of the longest row; also above a rhombus, and below each part with a title.
    files: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()  #: the labels on the left, one for each row
    offsets: tuple[int, ...] = ()  #: one for each row of hexagons; empty if the cells are squares
    beside: tuple[Tray, ...] = ()  #: shown below the board
    #: What else there is to see: `lines`, such as a score, stand above the board, `notes`, which can wait, below the
    #: trays. In text diagrams both stand below.
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    top: tuple[int, ...] = ()  #: the seats whose pieces stand at the top: the board can be turned for them
    edges: tuple[str, ...] = ()  #: the colours of the edges of a rhombus of hexagons: top, right, bottom, left
    #: the labels on the right, one for each row of hexagons, "" for none. With them, columns run down to the left:
    #: `files` are for those of the top row, `ends` for the others; both stand again below the last row. Such a board is
    #: never turned: `top` is empty.
    ends: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()  #: of the columns of squares, in percent of the usual one; empty: all are equal
    heights: tuple[int, ...] = ()  #: of the rows of squares, likewise
    #: What stands above each row, "" for nothing, so that a board can have parts. Such a board is never turned.
    titles: tuple[str, ...] = ()
    #: Of a game that was reviewed: the chance of the first seat to win at each ply, in percent, as a curve below the
    #: board; and the plies that have a dot there. Games leave both to the server.
    curve: tuple[int, ...] = ()
    dots: tuple[int, ...] = ()

    @property
    def hexes(self) -> bool:
        """Whether the cells are hexagons."""
        return bool(self.offsets)

    @property
    def names(self) -> frozenset[str]:
        """The names of all cells that moves can name."""
        return frozenset(cell.name for cell in self.cells if cell.name)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells: those of the board from the top left, then those of the trays."""
        board = tuple(cell for row in self.rows for cell in row if cell)
        return board + tuple(cell for tray in self.beside for cell in tray.cells)

    def marked(self, marks: Mapping[str, str]) -> "Picture":
        """Return the picture with marks on the cells of these names. Names of other cells are ignored.

        The last move is marked on the parts of a cell, too, such as the men of a point. A line that it drew is marked
        up to its ends, with the things beside it, such as the box that it closed.
        """
        if not marks:
            return self
        rows = _beside_lines(tuple([_marked_row(row, marks) for row in self.rows]))
        beside = tuple([replace(tray, cells=_marked_row(tray.cells, marks)) for tray in self.beside])
        return replace(self, rows=rows, beside=beside)

    def turned(self) -> "Picture":
        """Return the picture after half a turn, as the player on the other side of a table sees it."""
        rows = tuple(tuple(cell and _turned(cell) for cell in reversed(row)) for row in reversed(self.rows))
        beside = tuple(replace(tray, cells=tuple(map(_turned, tray.cells))) for tray in self.beside)
        files, ranks = tuple(reversed(self.files)), tuple(reversed(self.ranks))
        edges = self.edges[2:] + self.edges[:2]
        turned = replace(self, rows=rows, files=files, ranks=ranks, beside=beside, edges=edges)
        widths, heights = tuple(reversed(self.widths)), tuple(reversed(self.heights))
        return replace(turned, offsets=self._turned_offsets(), widths=widths, heights=heights)

    def _turned_offsets(self) -> tuple[int, ...]:
        ends = [offset + 2 * len(row) for offset, row in zip(self.offsets, self.rows, strict=False)]
        return tuple(max(ends) - end for end in reversed(ends))


def on_grid(
    grid: Grid,
    cells: Sequence[Cell],
    lines: tuple[str, ...] = (),
    top: tuple[int, ...] = (),
    beside: tuple[Tray, ...] = (),
    notes: tuple[str, ...] = (),
) -> Picture:
    """Return the picture of a board of squares with letters and numbers around it. `cells`: by number of the square."""
    columns = grid.columns
    rows = tuple(tuple(cells[row * columns : (row + 1) * columns]) for row in reversed(range(grid.rows)))
    files = tuple(chr(65 + column) for column in range(columns))
    ranks = tuple(str(row) for row in range(grid.rows, 0, -1))
    return Picture(rows, files, ranks, beside=beside, lines=lines, notes=notes, top=top)


def chequered(
    grid: Grid,
    pieces: Iterable[tuple[Piece, ...]],
    top: tuple[int, ...] = (1,),
    wins: Collection[int] = (),
    beside: tuple[Tray, ...] = (),
) -> Picture:
    """Return the picture of a chequered board, dark in the corner on the left.

    `pieces`: by number of the square; `wins`: the squares of those that win.
    """
    cells = [_chequered_cell(grid, square, there, square in wins) for square, there in enumerate(pieces)]
    return on_grid(grid, cells, top=top, beside=beside)


@lru_cache(maxsize=4096)  # most squares have not changed since the last picture
def _chequered_cell(grid: Grid, square: int, pieces: tuple[Piece, ...], wins: bool) -> Cell:
    row, column = divmod(square, grid.columns)
    return Cell(grid.name(square), "light" if (row + column) % 2 else "dark", pieces, state=WIN * wins)


def captured(*men: tuple[Piece, int]) -> tuple[Tray, ...]:
    """Return a tray with the men that were captured: of each kind, how many. No tray if there are none."""
    there = [(man, count) for man, count in men if count > 0]
    cells = tuple(Cell(pieces=(replace(man, count=count),)) for man, count in there)
    holds = tuple(f"{count} {man.colour}" for man, count in there)
    return (Tray("Captured men", cells, only_drawn=True, holds=holds),) if cells else ()


@lru_cache(maxsize=1024)
def crossing(row: int, column: int, rows: int, columns: int) -> tuple[int, ...]:
    """Return where the lines of a point lead on a board whose stones stand on crossings. `row` counts from the top."""
    ways = ((NORTH, row), (EAST, columns - 1 - column), (SOUTH, rows - 1 - row), (WEST, column))
    return tuple(way for way, further in ways if further)


def _marked_row(row: Cells, marks: Mapping[str, str]) -> Cells:
    """Return a row with marks. Most of its cells have none, so little is done for them."""
    return tuple([_marked(cell, marks) if cell and (cell.name in marks or cell.of in marks) else cell for cell in row])


def _marked(cell: Cell, marks: Mapping[str, str]) -> Cell:
    mark = marks.get(cell.name) or (LAST if marks.get(cell.of) == LAST else "")
    return replace(cell, mark=mark) if mark else cell


def _beside_lines(rows: tuple[tuple[Cell | None, ...], ...]) -> tuple[tuple[Cell | None, ...], ...]:
    """Mark what is around each thick line of the last move: its ends, and the things of cells without a name."""
    lines = [(y, x) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell and cell.line and cell.mark]
    if not lines:
        return rows
    marked = [list(row) for row in rows]
    for y, x in lines:
        for way in (NORTH, EAST, SOUTH, WEST):
            row, column = y - COMPASS[way][1], x + COMPASS[way][0]
            if 0 <= row < len(marked) and 0 <= column < len(marked[row]):
                marked[row][column] = _beside_line(marked[row][column], (way + 4) % 8)
    return tuple(map(tuple, marked))


def _beside_line(cell: Cell | None, back: int) -> Cell | None:
    """`back`: the direction of the line."""
    if cell and back in cell.lines:
        return replace(cell, fresh=(*cell.fresh, back))
    return replace(cell, mark=MADE) if cell and cell.pieces and not cell.name else cell


def _turned(cell: Cell) -> Cell:
    if not (cell.arrows or cell.lines or cell.wedge or any(_POINTS.fullmatch(piece.art) for piece in cell.pieces)):
        return cell
    pieces = tuple(replace(piece, art=_upside_down(piece.art)) for piece in cell.pieces)
    around = (cell.arrows, cell.lines, cell.fresh)
    arrows, lines, fresh = (tuple((direction + 4) % 8 for direction in ways) for ways in around)
    wedge = (cell.wedge[0], cell.wedge[2], cell.wedge[1]) if cell.wedge else ()
    return replace(cell, pieces=pieces, arrows=arrows, lines=lines, fresh=fresh, wedge=wedge)


def _upside_down(art: str) -> str:
    """Return the drawing of the same man that points to the other side; most men do not point."""
    match = _POINTS.fullmatch(art)
    return (match[1] if match[2] else f"{art}-down") if match else art
