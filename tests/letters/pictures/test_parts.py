"""Regions of wide boards: together they cover the board, and each leads to a part with cells that can be touched."""

from dataclasses import replace

import pytest

from pbmserv import games
from pbmserv.games.base import Picture
from pbmserv.games.base.board import Start, begin
from pbmserv.letters.pictures.drawing import drawing
from pbmserv.letters.pictures.parts import columns_of, part, regions
from pbmserv.letters.pictures.plan import NARROWEST
from pbmserv.letters.pictures.shapes.base import Lettering

TARGET = 24  #: pixels that WCAG 2.2 demands of what is touched
WIDE = [("gomoku", ""), ("gomoku", "19"), ("go", "19"), ("hex", "13"), ("hex", "19"), ("havannah", "10")]


def board(game: str, size: str) -> Picture:
    found = games.find(game)
    options = found.usual_options({"size": size} if size else {})
    start = begin(Start(found, options, 2, "0" * 32))
    picture = found.picture(found.view(start.position, 0))
    assert picture
    return picture


def cell_in(picture: Picture) -> float:
    """Return how wide a cell is in the narrowest window."""
    return 100 * NARROWEST / drawing(picture).width


@pytest.mark.parametrize(("game", "size"), WIDE)
def test_each_cell_can_be_touched_in_an_enlarged_part(game: str, size: str) -> None:
    picture = board(game, size)
    assert cell_in(picture) < TARGET
    found = regions(picture)
    parts = [part(picture, region.name) for region in found]
    assert frozenset().union(*(p.names for p in parts)) == picture.names
    for shown in parts:
        assert cell_in(shown) >= 1.4 * TARGET
        assert set(shown.ranks) <= set(picture.ranks)


@pytest.mark.parametrize(("game", "size"), WIDE)
def test_a_touch_of_a_region_shows_the_cell_under_the_finger(game: str, size: str) -> None:
    picture = board(game, size)
    halves = picture.offsets or (0,) * len(picture.rows)
    found = [(region, part(picture, region.name).names) for region in regions(picture)]
    for y, (offset, row) in enumerate(zip(halves, picture.rows, strict=True)):
        for x, cell in enumerate(row):
            (shown,) = (
                names
                for r, names in found
                if r.x <= offset / 2 + x + 0.5 < r.x + r.width and r.y <= y + 0.5 < r.y + r.height
            )
            assert cell is None or cell.name in shown


@pytest.mark.parametrize(("game", "size"), WIDE)
def test_regions_are_large_and_lie_on_the_board(game: str, size: str) -> None:
    picture = board(game, size)
    made = drawing(picture, near=lambda name: f"?near={name}")
    assert len(made.regions) == len(regions(picture))
    for region in regions(picture):
        assert region.width * cell_in(picture) > TARGET
        assert region.x + region.width <= columns_of(picture) + 0.001


def test_a_part_keeps_rows_and_labels_together() -> None:
    shown = part(board("gomoku", "19"), "a1")
    assert shown.files == tuple("ABCDEFG")
    assert shown.ranks == tuple("7654321")
    assert [cell.name for cell in shown.rows[-1] if cell] == [f"{file.lower()}1" for file in shown.files]
    assert part(board("gomoku", "19"), "k99") == board("gomoku", "19")


@pytest.mark.parametrize("game", ["backgammon", "dutch", "plakoto"])
def test_a_keyboard_reaches_each_point_of_an_enlarged_part(game: str) -> None:
    """Only one cell of a point is a link with a name; its men have the same link without one."""
    picture = board(game, "")
    for region in regions(picture):
        shown = part(picture, region.name)
        links = {name: f"/{name}" for name in picture.names}
        drawn = drawing(shown, links=links)
        named = [cell.uri for cell in drawn.cells if cell.uri and not cell.is_part]
        assert sorted(named) == sorted({cell.uri for cell in drawn.cells if cell.uri})


def test_a_part_has_the_title_of_its_rows() -> None:
    titles = ("Above", *[""] * 9, "Below", *[""] * 8)
    picture = replace(board("gomoku", "19"), titles=titles, heights=tuple(range(91, 110)))
    shown = part(picture, "j8")
    assert drawing(shown).height
    assert [title for title in shown.titles if title] == ["Above", "Below"]
    assert dict(zip(shown.ranks, shown.titles, strict=True))["9"] == "Below"
    assert shown.heights == tuple(110 - int(rank) for rank in shown.ranks)


@pytest.mark.parametrize("game", ["amazons", "othello", "battleship", "3io"])
def test_other_boards_are_not_divided(game: str) -> None:
    assert regions(board(game, "")) == []
    assert drawing(board(game, ""), near=str).regions == ()


def test_labels_of_a_wide_board_do_not_overlap() -> None:
    for game, size in WIDE:
        made = drawing(board(game, size))
        rows = dict[float, list[tuple[float, float]]]()  # labels side by side, by how high they stand
        for text in [label for label in made.around if isinstance(label, Lettering)]:
            rows.setdefault(text.y, []).append((text.x, text.size * 0.65 * len(text.text)))
        for labels in rows.values():
            for (x, wide), (further, other) in zip(sorted(labels), sorted(labels)[1:], strict=False):
                assert x + wide / 2 < further - other / 2, (game, size)
