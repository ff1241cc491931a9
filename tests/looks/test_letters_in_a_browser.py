"""Letters fit into every window, can be read and touched in it, and need no style to be understood."""

from collections.abc import Sequence
from io import BytesIO
from urllib.parse import parse_qs, urlsplit

import PIL.Image
import PIL.ImageChops
import PIL.ImageFilter
import pytest

from pbmserv.games.base.picture import CHOSEN
from pbmserv.letters.pictures.diagrams import picture_of
from pbmserv.letters.pictures.image import Image, image
from pbmserv.mail.sizes import MOST_BOARD_LETTER_BYTES
from tests.examples import SOAK, some_of
from tests.letters.samples import letters
from tests.looks.measure import BARE_WIDTHS, Eye
from tests.looks.pages import pictured, without_rules
from tests.looks.plays import FEW, STAGES, Played, Sight
from tests.world import Received

_FIRST = 500  #: CSS pixels at the top of a letter on a telephone, in which the board begins
_MOST_COVERED = 4 if SOAK == 1 else 8  #: areas of a letter whose places are compared with the image
_SEEN = 60  #: of 255: a smaller difference of colours comes from the choice of the colours, as one does in thin edges
_NEAR = 14  #: CSS pixels between the edge of an area and of a mark in it

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Received]:
    """A letter with each kind of block."""
    return letters(tmp_path_factory.mktemp("samples"))


def test_nothing_is_wrong_with_letters_of_boards(board: Played, eye: Eye) -> None:
    """Letters of the middle to who is to move, and of the end. `make soak` looks at the others, too."""
    sights = (
        board.sights if SOAK > 1 else [sight for sight in _first_of_each_stage(board) if sight.stage != "beginning"]
    )
    shown = {sight.name: pictured(sight.letter) for sight in sights}
    found = [f"{name} {fault}" for name, html in shown.items() for fault in eye.wrong(html)]
    assert not found, "\n".join(found)


def test_letters_of_boards_are_right_without_their_rules(board: Played, eye: Eye) -> None:
    """Some mailers keep only the styles of elements. Then there is no dark scheme. `make soak` looks at every board."""
    if board.sort.name not in some_of(FEW, 4):
        pytest.skip("it is looked at with its rules")
    bare = {sight.name: without_rules(pictured(sight.letter)) for sight in board.sights}
    found = [f"{name} {fault}" for name, html in bare.items() for fault in eye.faults(html, ["light"], BARE_WIDTHS)]
    assert not found, "\n".join(found)


def test_a_letter_is_small_enough(board: Played) -> None:
    for sight in board.sights:
        assert len(sight.letter.data) <= MOST_BOARD_LETTER_BYTES, sight.name


def test_a_board_begins_in_the_first_window_and_each_area_covers_what_its_move_names(board: Played, eye: Eye) -> None:
    """A mark on a cell changes the image only near the area with its name, and a touch there leads to its move."""
    for sight in board.sights if SOAK > 1 else _first_of_each_stage(board):
        areas = eye.areas(pictured(sight.letter))
        assert eye.top(".picture img") <= _FIRST, sight.name
        assert all(uri == hit for _, uri, hit in areas)
        picture = picture_of(sight.board, sight.seat, turned="turn-on" in board.sort.name)
        assert picture
        drawn = image(picture)
        for name, uri, _ in areas[:: max(1, len(areas) // _MOST_COVERED)]:
            cell = name.lower()
            move = _body(uri) if uri.startswith("mailto:") else ""
            assert not move or move == f"legal {cell}" or sight.board.game.cells_of(move)[0] == cell
            changed = _changed(drawn, image(picture.marked({cell: CHOSEN})))
            # A cell can have several areas, such as a point of backgammon.
            assert any(_is_near(changed, area.coords) for area in drawn.areas if area.cell == cell)


def _first_of_each_stage(board: Played) -> list[Sight]:
    """Return one letter of each stage, the one to a seat that is to move."""
    return [next(sight for sight in board.sights if sight.stage == stage) for stage in STAGES]


def _changed(before: Image, after: Image) -> tuple[int, ...]:
    """Return where two images differ, in CSS pixels."""
    plain, marked = (PIL.Image.open(BytesIO(i.png)).convert("RGB") for i in (before, after))
    difference = PIL.ImageChops.difference(plain, marked).convert("L")
    seen = difference.point([255 * (n > _SEEN) for n in range(256)])
    box = seen.filter(PIL.ImageFilter.MinFilter(3)).getbbox() or seen.getbbox()  # marks of small cells are thin, too
    assert box
    return tuple(n // 2 for n in box)


def _is_near(box: Sequence[int], coords: Sequence[int]) -> bool:
    """Return whether a mark has the middle of an area and is as wide or as high; a narrow cell reaches out of its box.

    The image cuts an area that reaches over its edge.
    """
    x, y = coords[::2], coords[1::2]
    around = (min(x), min(y), max(x), max(y))
    across, down = ([abs(box[n] - around[n]) <= _NEAR for n in sides] for sides in ((0, 2), (1, 3)))
    return all(across) or all(down)


def _body(uri: str) -> str:
    """Return the body of the mail that a link opens."""
    return parse_qs(urlsplit(uri).query, strict_parsing=True)["body"][0].strip()


def test_nothing_is_wrong_with_other_letters(samples: dict[str, Received], eye: Eye) -> None:
    found = [f"{name} {fault}" for name, letter in samples.items() for fault in eye.wrong(pictured(letter))]
    for name, letter in samples.items():
        found += [f"{name} {fault}" for fault in eye.faults(without_rules(pictured(letter)), ["light"], BARE_WIDTHS)]
    assert not found, "\n".join(found)
