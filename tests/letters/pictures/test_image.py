"""Images of letters: right PNG of few colours and bytes, whose areas are where the cells are."""

from dataclasses import replace
from io import BytesIO
from itertools import combinations

import PIL.Image
import PIL.ImageChops
import pytest

from pbmserv import games
from pbmserv.games.base import AnyGame, Cell, Picture, Piece, Tray
from pbmserv.games.base.board import Start, begin
from pbmserv.games.base.picture import LAST, MARKS, STATES
from pbmserv.letters.pictures import image as module
from pbmserv.letters.pictures.image import WIDEST, Image, image
from pbmserv.letters.pictures.painting.colours import MOST, colours_for
from pbmserv.letters.pictures.plan import FRAME, FRAME_INK

MOST_BYTES = 14_000
each_game = pytest.mark.parametrize("game", games.GAMES, ids=lambda g: g.info.key)


def picture_of(game: AnyGame) -> Picture:
    found = game.picture(
        game.view(begin(Start(game, game.usual_options({}), game.info.seats[0], "0" * 32)).position, 0)
    )
    assert found
    return found


def opened(made: Image) -> PIL.Image.Image:
    """Return the PNG as another program reads it, which also checks its sums."""
    PIL.Image.open(BytesIO(made.png)).verify()
    return PIL.Image.open(BytesIO(made.png))


@each_game
def test_each_game_has_a_small_image_with_an_area_for_each_cell(game: AnyGame) -> None:
    picture = picture_of(game)
    made = image(picture)
    shown = opened(made)
    assert shown.size == (2 * made.width, 2 * made.height)
    assert made.width <= WIDEST
    assert len(shown.getcolors() or ()) <= MOST
    assert len(made.png) <= MOST_BYTES
    assert {area.cell for area in made.areas} == picture.names
    for area in made.areas:
        assert len(area.coords) == (4 if area.shape == "rect" else 8 if not picture.hexes else 12)
        assert max(area.coords[::2]) <= made.width + 1
        assert max(area.coords[1::2]) <= made.height


@pytest.mark.parametrize("game", [games.find("chess"), games.find("hex")], ids=lambda g: g.info.key)
def test_what_was_kept_of_other_images_changes_nothing(game: AnyGame) -> None:
    picture = picture_of(game)
    marked = picture.marked(dict.fromkeys(sorted(picture.names)[:2], LAST))
    assert image(picture).png != image(marked).png
    again = image(marked)
    for kept in (module._strip, module._canvas, module._layout, module._layer):
        kept.cache_clear()
    assert image(marked) == again


@pytest.mark.parametrize(
    ("marks", "beside", "strips"), [({"e2": LAST, "e4": LAST}, (), 2), ({}, (Tray("", (Cell(ground="light"),)),), 1)]
)
def test_what_did_not_change_stays_compressed(marks: dict[str, str], beside: tuple[Tray, ...], strips: int) -> None:
    picture = picture_of(games.find("chess"))
    changed = replace(picture.marked(marks), beside=beside)
    module._strip.cache_clear()
    image(picture)
    before = module._strip.cache_info().misses
    image(changed)
    assert module._strip.cache_info().misses == before + strips


def test_an_area_lies_upon_its_cell() -> None:
    rows = tuple(tuple(Cell(f"{x}{y}") for x in "abcd") for y in (2, 1))
    for marked in ("a2", "d1"):
        plain, changed = (Picture(rows).marked(marks) for marks in ({}, {marked: LAST}))
        made = image(changed)
        before, after = (opened(image(p)).convert("RGB") for p in (plain, changed))
        (left, top, right, bottom) = next(area.coords for area in made.areas if area.cell == marked)
        for x, y in ((2 * left + 20, 2 * top + 9), (2 * right - 20, 2 * bottom - 9)):
            assert before.getpixel((x, y)) != after.getpixel((x, y))


def test_a_tray_is_below_the_board_and_can_be_touched() -> None:
    made = image(Picture(((Cell("a1"),),), beside=(Tray("Hand", (Cell("x"), Cell("y"))),)))
    areas = {area.cell: area.coords for area in made.areas}
    assert areas["x"][1] >= areas["a1"][3]
    assert areas["y"][0] == areas["x"][2]


def test_marks_differ_also_without_colours() -> None:
    stone = Piece("white", "O", art="stone")
    cells = [Cell(pieces=(stone,), mark=mark) for mark in MARKS] + [Cell(pieces=(stone,), state=s) for s in STATES]
    shades = [opened(image(Picture(((cell,),)))).convert("L").point(lambda v: 255 * (v > 140)) for cell in cells]
    for one, other in combinations(shades, 2):
        assert one.tobytes() != other.tobytes()


@pytest.mark.parametrize("lines", [(), (0, 2, 4, 6)])
def test_where_a_man_left_looks_other_than_where_it_came(lines: tuple[int, ...]) -> None:
    man = (Piece("white", "O", art="man"),)
    plain, left, came = (Cell(pieces=p, mark=m, lines=lines) for p, m in (((), ""), ((), LAST), (man, LAST)))
    bare = replace(came, mark="")
    first, second = changed(plain, left), changed(bare, came)
    assert first
    assert second
    assert len(first & second) < len(first | second) / 2


def test_the_mark_of_the_last_move_hides_no_name_in_the_corner() -> None:
    named, empty = (Cell(text=text, in_corner=True, art="pit", ground="wood", mark=LAST) for text in ("F", ""))
    unmarked = (replace(cell, mark="") for cell in (named, empty))
    assert len(changed(named, empty)) > 0.9 * len(changed(*unmarked))


def changed(one: Cell, other: Cell) -> set[tuple[int, int]]:
    """Return the pixels in which the images of two cells clearly differ."""
    heights = (140,) if one.art else ()
    a, b = (opened(image(Picture(((cell,),), heights=heights))).convert("L") for cell in (one, other))
    difference = PIL.ImageChops.difference(a, b).point(lambda v: 255 * (v > 70))
    return {(x, y) for x in range(a.width) for y in range(a.height) if difference.getpixel((x, y))}


@pytest.mark.parametrize(("strange", "is_taken"), [("#5a93d2", False), ("#d2b22d", False), ("#a69f92", True)])
def test_smooth_edges_have_only_colours_between_those_of_the_drawing(strange: str, is_taken: bool) -> None:
    drawing = frozenset({FRAME, FRAME_INK})
    few = colours_for(drawing | {strange}, frozenset({FRAME})).few(drawing)
    assert (len(few) == 3) == is_taken


def test_a_thin_line_has_no_holes_on_a_board_of_many_cells() -> None:
    across = [tuple(replace(Cell(f"a{n}"), lines=lines) for n in range(21)) for lines in ((), (2, 6))]
    without, with_line = (image(Picture((row,))) for row in across)
    difference = PIL.ImageChops.difference(*(opened(made).convert("L") for made in (without, with_line)))
    left, _, right, _ = difference.getbbox() or (0, 0, 0, 0)
    assert right - left > 560
    columns = (difference.crop((x, 0, x + 1, difference.height)) for x in range(left, right))
    assert all(column.point(lambda v: 255 * (v > 20)).getbbox() for column in columns)


@pytest.mark.parametrize("size", ["19", "17", "13"])
def test_the_lines_of_an_empty_board_of_points_are_seen(size: str) -> None:
    """There are no stones whose colours smooth edges could have."""
    go = games.find("go")
    empty = go.picture(go.view(begin(Start(go, {"size": size}, 2, "0" * 32)).position, 0))
    assert empty
    made = image(empty)
    one, other = ({area.cell: area.coords for area in made.areas}[name] for name in ("b2", "c2"))
    between = opened(made).convert("L").crop((one[2] + other[0] - 6, 2 * one[1], one[2] + other[0] + 6, 2 * one[3]))
    low, high = between.getextrema()
    assert isinstance(low, int)
    assert isinstance(high, int)
    assert high - low > 60


def test_a_tower_is_no_image() -> None:
    with pytest.raises(ValueError, match="pixels"):
        image(Picture(tuple((Cell(f"a{n}"),) for n in range(1, 300))))
