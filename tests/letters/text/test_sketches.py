"""Text diagrams and words of pictures, for games that bring no template."""

from dataclasses import replace

import pytest

from pbmserv.games.base import Cell, Picture, Piece, Tray, View
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.picture import on_grid
from pbmserv.letters.text.aloud import SPOKEN_WIDTH
from pbmserv.letters.text.templates import SPOKEN, WIDTH
from tests.conformance.toy_boards import Pebbles, Position
from tests.world import RENDERER

CROSS, RING = Piece("black", "\N{BLACK CIRCLE}", letter="X"), Piece("white", "\N{WHITE CIRCLE}", letter="O")


class Shown(Pebbles):
    """A game that shows one picture."""

    def __init__(self, picture: Picture) -> None:
        self.shown = picture

    def picture(self, view: View[Position]) -> Picture:
        return self.shown


def draw(picture: Picture, display: str = "", language: str = "en") -> str:
    game = Shown(picture)
    return RENDERER.to(language).diagram(game, View(None, Position(())), display)


def board(columns: int, rows: int, **cells: Cell) -> Picture:
    grid = Grid(columns, rows)
    return on_grid(grid, [cells.get(grid.name(s), Cell(grid.name(s))) for s in range(grid.size)])


def hexhex(side: int, **pieces: Piece) -> Picture:
    """A board of hexagons with six sides of this length."""
    lengths = [2 * side - 1 - abs(side - 1 - row) for row in range(2 * side - 1)]
    rows = [[f"{chr(97 + i)}{j + 1}" for j in range(n)] for i, n in enumerate(lengths)]
    cells = tuple(tuple(Cell(name, pieces=(pieces[name],) if name in pieces else ()) for name in row) for row in rows)
    ranks = tuple(chr(65 + i) for i in range(len(rows)))
    return Picture(cells, ranks=ranks, offsets=tuple(max(lengths) - n for n in lengths))


def test_squares() -> None:
    picture = board(3, 2, a1=Cell("a1", pieces=(CROSS,)), b2=Cell("b2", pieces=(RING, Piece("black", "K", 2))))
    assert draw(picture).split("\n") == [
        "     A      B      C",
        "  +------+------+------+",
        " 2|      | O K2 |      |",
        "  +------+------+------+",
        " 1|  X   |      |      |",
        "  +------+------+------+",
        "     A      B      C",
    ]


def test_arrows_and_texts_take_more_lines() -> None:
    picture = board(2, 1, a1=Cell("a1", arrows=(0, 3, 6), text="start"), b1=Cell("b1", pieces=(CROSS,), arrows=(2,)))
    assert draw(picture).split("\n")[1:6] == [
        "  +-------+-------+",
        "  |   |   |       |",
        " 1|  -o   |       |",
        "  |    \\  |   X-  |",
        "  | start |       |",
    ]


def test_a_place_without_a_square() -> None:
    """With such places, a dot says that a square is there and empty."""
    rows = ((None, Cell("b2"), None), (Cell("a1"), Cell("b1", pieces=(CROSS,)), Cell("c1")))
    assert draw(Picture(rows)).split("\n") == [
        "+---+---+---+",
        "|   | . |   |",
        "+---+---+---+",
        "| . | X | . |",
        "+---+---+---+",
    ]


@pytest.mark.parametrize(
    ("count", "first"),
    [(0, "19| X |"), (9, "19 X9 .")],
)
def test_a_large_board_fits_a_letter(count: int, first: str) -> None:
    """Its fences are left out if they need too much room."""
    diagram = draw(board(19, 19, a19=Cell("a19", pieces=(Piece("black", "X", count),))))
    assert max(map(len, diagram.split("\n"))) <= WIDTH
    assert f"\n{first}" in diagram


def test_a_tall_stack_stands_in_a_column_if_the_board_is_wide() -> None:
    stack = (Piece("black", "B", 2), Piece("white", "W", 1), Piece("black", "B", 1))
    assert "| B2 W1  |\n" not in draw(board(12, 1, a1=Cell("a1", pieces=stack)))
    assert draw(board(12, 1, a1=Cell("a1", pieces=stack))).split("\n")[2:5] == [
        "  | B1 |" + "    |" * 11,
        " 1| W1 |" + "    |" * 11,
        "  | B2 |" + "    |" * 11,
    ]


def test_hexagons() -> None:
    """The labels of files stand only where a row has a cell for each; elsewhere empty hexagons show their names."""
    assert draw(hexhex(2, b2=CROSS)).split("\n") == ["   A a1  a2", " B b1  X   b3", "   C c1  c2"]
    rows = tuple(tuple(Cell(f"{file}{n}") for file in "abc") for n in (1, 2))
    rhombus = Picture(rows, files=tuple("ABC"), ranks=("1", "2"), offsets=(0, 1))
    assert draw(rhombus).split("\n") == ["   A B C", " 1 . . .", "  2 . . .", "    A B C"]


def rhombus(edges: tuple[str, ...] = ("red", "blue", "red", "blue")) -> Picture:
    rows = tuple(tuple(Cell(f"{file}{n}") for file in "abc") for n in (1, 2))
    return Picture(rows, files=tuple("ABC"), ranks=("1", "2"), offsets=(0, 1), edges=edges)


def test_edges_have_the_first_letters_of_their_colours() -> None:
    assert draw(rhombus()).split("\n") == [
        "     A B C",
        "     r r r",
        " 1 b . . . b",
        "  2 b . . . b",
        "      r r r",
        "      A B C",
    ]


def test_labels_at_both_ends_of_columns_that_run_down_to_the_left() -> None:
    picture = replace(hexhex(2, b2=CROSS), files=("A", "B"), ends=("C", "", ""))
    assert draw(picture).split("\n") == ["     A B", "  A . . C", " B . X .", "  C . ."]


def test_a_large_board_of_hexagons_fits_a_letter() -> None:
    diagram = draw(hexhex(10, j19=CROSS))
    assert max(map(len, diagram.split("\n"))) <= WIDTH
    assert "\n J j1  j2 " in diagram


def test_what_stands_below() -> None:
    tray = Tray("Hand of Black", (Cell("p@", pieces=(Piece("black", "P", 2),)), Cell("s@")))
    picture = Picture(((Cell("a1"),),), beside=(tray,), lines=("Score: 12",))
    assert draw(picture).split("\n")[3:] == ["Hand of Black", "[ P2 ] [    ]", "  p@     s@", "Score: 12"]


def test_in_words() -> None:
    tray = Tray("Next card: 2", (Cell(pieces=(Piece("red", "2"),)),))
    cells = (
        Cell("a1", pieces=(RING, CROSS), arrows=(0, 5)),
        Cell("b1"),
        Cell("c1", text="start"),
        None,
        Cell(pieces=(CROSS,)),
    )
    picture = Picture((cells,), beside=(tray,), lines=("Score: 12",))
    spoken = draw(picture, SPOKEN)
    assert max(map(len, spoken.split("\n"))) <= SPOKEN_WIDTH
    assert spoken.split("\n") == [
        "Every stack from the bottom up",
        "a1: white, black, arrows north southwest",
        "c1: start",
        "row 1 cell 5: black",
        "Next card: 2, red 2",
        "Score: 12",
    ]
    assert draw(picture, SPOKEN, "de").split("\n") == [
        "Jeder Stapel von unten nach oben",
        "a1: weiß, schwarz, Pfeile Nord Südwest",
        "c1: Start",
        "Reihe 1 Feld 5: schwarz",
        "Nächste Karte: 2, rot 2",
        "Punkte: 12",
    ]


@pytest.mark.parametrize(
    ("ranks", "files", "label", "german"),
    [
        (("2", "1"), ("A", "B"), "b2", "b2"),
        (("alice", "bob"), ("round 1", "round 2"), "alice round 2", "alice round 2"),
        (("alice", "bob"), (), "alice cell 2", "alice Feld 2"),
        ((), ("Left", "Right"), "row 1 Right", "Reihe 1 Right"),
    ],
)
def test_a_cell_without_a_name_is_called_by_the_labels(
    ranks: tuple[str, ...], files: tuple[str, ...], label: str, german: str
) -> None:
    full, empty = (Picture(((Cell(), Cell(pieces=men)), (Cell(), Cell())), files, ranks) for men in ((CROSS,), ()))
    assert draw(full, SPOKEN) == f"{label}: black"
    assert draw(full, SPOKEN, "de") == f"{german}: schwarz"
    views = View(None, Position(())), View(1, Position(()))
    game = Shown(full)
    game.picture = lambda view: empty if view.seat else full  # type: ignore[method-assign]
    assert RENDERER.changes(game, *views) == f"The board is empty.\n{label}: now empty"


def test_changes_in_words() -> None:
    game = Pebbles()
    before, after = (
        game.view(Position(cells, turn), None)
        for cells, turn in (((0, None, 1, None, None, None), 0), ((0, 1, None, None, None, None), 1))
    )
    assert RENDERER.changes(game, before, after).split("\n") == ["b1: white", "Next pebble: white", "c1: now empty"]


def test_the_name_of_a_pit_is_the_same_in_german() -> None:
    picture = Picture(((Cell("e", text="E", in_corner=True), Cell(text="E")),))
    assert draw(picture, language="de").split("\n")[1] == "| E | O |"  # elsewhere an E is the east


def test_in_german() -> None:
    tray = Tray("Push", (Cell(text="store"),))
    picture = Picture(((Cell("a1", text="store"),),), beside=(tray,), lines=("Score: 12",))
    assert draw(picture, language="de").split("\n")[1::2] == ["| Lager |", "Schieben", "Punkte: 12"]
