"""Drawings of pictures: everything is inside, letters can be read on a telephone, and each cell can be a link."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from pbmserv import games
from pbmserv.games.base import AnyGame, Cell, Picture, Piece, Tray
from pbmserv.games.base.board import Start, begin
from pbmserv.games.base.picture import COLOURS, MARKS
from pbmserv.letters.pictures.drawing import Drawing, drawing, sentences
from pbmserv.letters.pictures.palette import MARKED, PALETTE
from pbmserv.letters.pictures.plan import NARROWEST
from pbmserv.letters.pictures.shapes.base import Lettering, Part, Shape, lettering
from pbmserv.letters.pictures.shapes.cells import CellRoom, look, seen, seen_as
from tests.world import RENDERER

TUMBLE = games.find("tumble")
OPENING = begin(Start(TUMBLE, {}, 2, "0" * 32))
VIEW = TUMBLE.view(OPENING.position, None)
SVG = "{http://www.w3.org/2000/svg}"


def opening() -> Picture:
    found = TUMBLE.picture(VIEW)
    assert found
    return found


def svg(drawn: Drawing, says: str = "") -> ElementTree.Element:
    """Return the SVG that the web pages contain."""
    text = RENDERER.web("board_picture.svg", {"drawn": drawn, "says": says})
    return ElementTree.fromstring(text)


def letters(parts: Sequence[Part]) -> list[Lettering]:
    return [part for part in parts if isinstance(part, Lettering)]


def one_cell(cell: Cell) -> Drawing:
    return drawing(Picture((tuple([cell] * 8),)))


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(x * share for x, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one: str, other: str) -> float:
    light, dark = sorted(map(luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colour", COLOURS)
def test_what_is_written_on_a_colour_stands_out(colour: str) -> None:
    assert contrast(PALETTE[colour].fill, PALETTE[colour].ink) >= 4.5


def test_there_is_a_hue_for_each_colour_and_mark() -> None:
    assert set(PALETTE) == set(COLOURS)
    assert set(MARKED) == set(MARKS)


@pytest.mark.parametrize("columns", range(1, 13))
def test_no_letters_are_too_small_on_a_telephone(columns: int) -> None:
    men = tuple(Piece("white", "W", 12) for _ in range(7))
    cells = tuple(Cell(f"{chr(97 + i)}1", pieces=men[: i + 1], text="12345678") for i in range(columns))
    files = tuple(chr(65 + i) for i in range(columns))
    drawn = drawing(Picture((cells,), files, ("10",), beside=(Tray("hand", cells[:6]),)))
    for part in (drawn, *(tray for _, tray in drawn.trays)):
        pixels = min(part.pixels, NARROWEST) / part.width
        written = letters([*part.around, *(shape for cell in part.cells for shape in cell.parts)])
        assert min(text.size for text in written) * pixels >= 11


def test_a_cell_of_eight_can_be_touched_on_a_telephone() -> None:
    drawn = drawing(opening())
    assert 100 * NARROWEST / drawn.width >= 32


def test_a_text_is_as_large_as_it_fits_and_is_pressed_together_at_last() -> None:
    sizes = [lettering(text, (50, 50), 60, 40, 20, "#000000") for text in ("3", "768", "W123456789")]
    assert [text.size for text in sizes] == sorted((text.size for text in sizes), reverse=True)
    assert [text.squeezed for text in sizes] == [0, 0, 60]
    assert sizes[-1].size == 20


def test_a_stack_is_drawn_man_by_man_from_the_bottom_up() -> None:
    drawn = one_cell(Cell("a1", pieces=(Piece("black", "B", 3), Piece("white", "W", 2))))
    drums = [part.fill for part in drawn.cells[0].parts if isinstance(part, Shape) and part.path.endswith("Z")]
    black, white = PALETTE["black"].fill, PALETTE["white"].fill
    # the ground, five men, the top of the last one, what their number is written on
    assert drums[1:] == [black, black, black, white, white, white, white]
    assert [text.text for text in letters(drawn.cells[0].parts)] == ["5"]


def test_a_very_tall_stack_is_told_in_words() -> None:
    men = tuple(Piece(("black", "white")[i % 2], "BW"[i % 2], 10 * i + 1) for i in range(3))
    drawn = one_cell(Cell("c3", pieces=men))
    assert [text.text for text in letters(drawn.cells[0].parts)] == ["33"]
    assert drawn.below[-1] == "Stack on C3, from the bottom: B1 W11 B21"


def test_the_number_of_a_stack_moves_none_of_its_men() -> None:
    first, second = (one_cell(Cell("a1", pieces=(Piece("black", "B", men),))).cells[0].parts[1] for men in (3, 4))
    assert isinstance(first, Shape)
    assert first == second


def test_one_man_has_no_number() -> None:
    one, two = (one_cell(Cell(pieces=(Piece("white", "P", men, art="pawn"),))).cells[0].parts for men in (1, 2))
    assert [text.text for text in letters(one)] == []
    assert [text.text for text in letters(two)] == ["2"]


def test_everything_is_within_the_drawing() -> None:
    marked = opening().marked({"a1": "last", "h8": "chosen", "a8": "goal"})
    hexes = replace(marked, rows=marked.rows[:2], ranks=("2", "1"), offsets=(1, 0))
    for picture in (marked, hexes, marked.turned()):
        drawn = drawing(picture)
        for cell in drawn.cells:
            assert 0 <= cell.x <= drawn.width - 100
            assert 0 <= cell.y <= drawn.height - 100
        assert all(0 < text.x < drawn.width and 0 < text.y < drawn.height for text in letters(drawn.around))


def test_hexagons_stand_on_a_corner_and_are_set_off() -> None:
    cells = tuple(Cell(name) for name in ("a1", "b1", "c1"))
    drawn = drawing(Picture((cells[:2], cells[2:]), offsets=(0, 1)))
    first, second, third = drawn.cells
    assert second.x - first.x == 100
    assert third.x - first.x == 50
    assert third.y - first.y == pytest.approx(86.6, abs=0.1)
    assert isinstance(first.parts[0], Shape)
    assert first.parts[0].path.count("L") == 5


def test_a_picture_is_one_image_with_a_name() -> None:
    found = svg(drawing(opening(), spoken=RENDERER.facts(TUMBLE, VIEW)))
    assert found.get("role") == "img"
    assert "a1: 2 black. b1: 3 black." in str(found.get("aria-label"))
    assert found.findall(f".//{SVG}a") == []
    assert not re.search(r' (style|class)="(?!picture)', ElementTree.tostring(found, encoding="unicode"))


def test_a_picture_with_links_is_a_group_of_cells_with_names() -> None:
    drawn = drawing(opening(), {"a1": "/touch?a&b", "d4": "/elsewhere"}, RENDERER.facts(TUMBLE, VIEW))
    found = svg(drawn, "The board")
    assert (found.get("role"), found.get("aria-label")) == ("group", "The board")
    links = found.findall(f"{SVG}a")
    assert [(a.get("href"), a.get("aria-label")) for a in links] == [
        ("/elsewhere", "d4: empty"),
        ("/touch?a&b", "a1: 2 black"),
    ]
    others = found.findall(f"{SVG}g[@role='img']")
    assert len(others) == 62
    assert others[0].get("aria-label") == "a8: empty"


def test_trays_are_drawings_of_their_own_with_links_of_their_own() -> None:
    picture = Picture(((Cell("a1"),),), beside=(Tray("Push", (Cell("w", arrows=(0,)), Cell("", text="x"))),))
    drawn = drawing(picture, {"w": "/w"})
    assert not drawn.linked
    ((says, tray),) = drawn.trays
    assert says == "Push"
    assert tray.linked
    assert [cell.uri for cell in tray.cells] == ["/w", ""]


def test_what_a_cell_says_is_text() -> None:
    found = svg(one_cell(Cell("a1", text="<b>&\"'", pieces=(Piece(sign="<i>"),))))
    assert "<b>&\"'" in {text.text for text in found.iter(f"{SVG}text")}


def test_facts_become_sentences() -> None:
    assert sentences(["Score: 6", "", "It is over!", "a1: grass"]) == "Score: 6. It is over! a1: grass."


def test_each_edge_of_a_rhombus_has_a_line_in_its_colour() -> None:
    rows = tuple(tuple(Cell(f"{x}{y}") for x in "abc") for y in (1, 2, 3))
    drawn = drawing(Picture(rows, tuple("ABC"), ("1", "2", "3"), (0, 1, 2), edges=("red", "blue", "red", "blue")))
    edges = [edge for edge in drawn.around if isinstance(edge, Shape)]
    colours = [edge.stroke for edge in edges if edge.stroke in {hue.fill for hue in PALETTE.values()}]
    assert colours == [PALETTE[colour].fill for colour in ("red", "blue", "red", "blue")]
    corners = [re.findall(r"[\d.]+ [\d.]+", edge.path) for edge in edges[1::2]]
    assert [len(each) for each in corners] == [7, 6, 7, 6]
    top, right, bottom, left = corners
    assert (top[-1], right[-1]) == (right[0], bottom[-1])
    assert (top[0], left[-1]) == (left[0], bottom[0])
    assert len(svg(drawn).findall(f"{SVG}g[@aria-hidden]/{SVG}path")) == 8


def test_a_hexagon_of_hexagons_has_a_line_around_it() -> None:
    side, game = 4, games.find("havannah")
    picture = game.picture(game.view(begin(Start(game, {"size": str(side)}, 2, "0" * 32)).position, None))
    assert picture
    edge, _ = (part for part in drawing(picture).around if isinstance(part, Shape))
    corners = re.findall(r"[\d.]+ [\d.]+", edge.path)
    assert len(set(corners)) == 12 * side - 6
    assert corners[:2] == corners[-2:]


@pytest.mark.parametrize(
    "form", [{"offsets": (0, 1), "edges": ("red", "blue", "red", "blue")}, {"titles": ("First sea", "Second sea")}]
)
def test_a_rhombus_and_parts_with_titles_have_the_labels_of_columns_twice(form: dict[str, Any]) -> None:
    rows = tuple(tuple(Cell(f"{x}{y}") for x in "ab") for y in (1, 2))
    drawn = drawing(Picture(rows, ("A", "B"), **form))
    first, second = (label for label in letters(drawn.around) if label.text == "A")
    assert abs(first.y - second.y) > 100
    assert not any(cell.y < label.y < cell.y + 90 for label in (first, second) for cell in drawn.cells)


def test_labels_on_the_right_are_inside_and_stand_again_where_their_columns_end() -> None:
    rows = tuple(tuple(Cell(f"{x}{y}") for x in "abc"[:length]) for y, length in enumerate((2, 3, 2), 1))
    drawn = drawing(Picture(rows, ("A", "B"), ("1", "2", "3"), (1, 0, 1), ends=("C", "", "")))
    assert [label.text for label in letters(drawn.around)] == ["A", "B", "1", "2", "3", "C", "B", "C"]
    assert all(0 < label.x < drawn.width and 0 < label.y < drawn.height for label in letters(drawn.around))


def test_a_narrow_cell_can_be_touched_in_its_wide_neighbours() -> None:
    rows = ((Cell(art="dot"), Cell("a1-b1"), Cell(art="dot")),)
    drawn = drawing(Picture(rows, widths=(28, 100, 28), heights=(28,)), {"a1-b1": "/edge"})
    *_, upon = svg(drawn).findall(f"{SVG}a")
    assert (upon.get("href"), upon.get("aria-hidden"), upon.get("tabindex")) == ("/edge", "true", "-1")
    assert drawn.cells[1].reach == "M50 -14L100 50L50 114L0 50Z"


@pytest.mark.parametrize("game", games.GAMES, ids=lambda g: g.info.key)
def test_cells_that_differ_in_their_names_alone_are_drawn_once(game: AnyGame) -> None:
    opening = begin(Start(game, game.usual_options({}), game.info.seats[0], "0" * 32))
    found, room = game.picture(game.view(opening.position, None)), CellRoom(20)
    assert found
    for mark in ("", *MARKS):
        cells = [replace(cell, mark=mark) for cell in found.cells]
        looks = {seen(cell): look(cell, room) for cell in cells}
        assert all(look(cell, room) == looks[seen(cell)] == look(seen_as(*seen(cell)), room) for cell in cells)
