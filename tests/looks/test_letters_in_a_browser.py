"""Letters fit into every window, can be read and touched in it, and need no style to be understood."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from pbmserv.games.base import Cell, Picture, Piece, Tray
from pbmserv.games.base.picture import MOST_BESIDE
from pbmserv.letters.pictures.html import Answers, letter_html
from pbmserv.letters.pictures.packing import pack
from pbmserv.letters.pictures.touch import Touches, touches
from pbmserv.letters.text.blocks import below, kind, pictured
from pbmserv.letters.text.templates import Renderer
from tests.letters.samples import letters
from tests.looks.measure import Eye
from tests.looks.pages import without_rules, without_styles
from tests.looks.plays import Played, Sight
from tests.world import Received

_FINE = 11  #: columns of a board whose cells can be narrower than 24 pixels in a letter in the narrowest window

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Received]:
    """A letter with each kind of block."""
    return letters(tmp_path_factory.mktemp("samples"))


def test_letters_of_boards_fit_and_can_be_read(board: Played, eye: Eye) -> None:
    found = [f"{sight.name} {fault}" for sight in board.sights for fault in eye.faults(sight.letter.html)]
    assert not found, "\n".join(found)


def test_letters_of_boards_are_right_without_their_rules(board: Played, eye: Eye) -> None:
    """Some mailers keep only the styles of elements. Then there is no dark scheme."""
    bare = {sight.name: without_rules(sight.letter.html) for sight in board.sights}
    found = [f"{name} {fault}" for name, html in bare.items() for fault in eye.faults(html, ["light"])]
    assert not found, "\n".join(found)


def test_a_board_without_any_style_is_still_a_board(board: Played, eye: Eye) -> None:
    """Rows, columns and labels stay where they are. The width is not measured, because long links cannot be broken."""
    for sight in board.sights:
        bare, styled = (eye.squares(html) for html in (without_styles(sight.letter.html), sight.letter.html))
        if _picture(sight).hexes:  # their rows stay, but only styles put them half a cell further
            assert [uri for _, uri in bare] == [uri for _, uri in styled]
        else:
            assert bare == styled


@pytest.mark.parametrize("count", [4, MOST_BESIDE])
def test_a_tray_to_be_touched_fits(count: int, eye: Eye) -> None:
    cells = tuple(Cell(f"t{n}", pieces=(Piece("white", "N", 12),), text="knight") for n in range(count))
    tray = Tray("In your reserve, white men that can be dropped", cells)
    shown = pictured("+-+", pack(Picture(((Cell("a1"),),), beside=(tray,))))
    answers = Answers("a@example.org", "Re: x", touches=Touches({cell.name: cell.name for cell in cells}))
    html = letter_html(Renderer(), below(kind("diagram"), shown), answers)
    assert not eye.faults(html)
    assert not eye.faults(without_rules(html), ["light"])


@pytest.mark.usefixtures("checker")
def test_axe_finds_nothing_wrong_with_letters_of_boards(board: Played, eye: Eye) -> None:
    found = [
        f"{sight.name} {fault}"
        for sight in board.sights
        for fault in eye.violations(sight.letter.html, "target-size" if _is_fine(sight) else "")
    ]
    assert not found, "\n".join(found)


def _is_fine(sight: Sight) -> bool:
    """Whether the cells are too small for a finger. Then the same move is typed, or made on the reader's own page.

    WCAG 2.2, 2.5.8, makes this exception. tests/looks/test_own_pages_in_a_browser.py measures the page.
    """
    return max(len(row) for row in _picture(sight).rows) >= _FINE


def _picture(sight: Sight) -> Picture:
    game = sight.board.game
    found = game.picture(game.view(sight.board.position, sight.seat))
    assert found
    return found


def test_each_square_that_can_be_touched_is_where_its_move_says(board: Played, eye: Eye) -> None:
    """The squares are read from the labels around the board, as a player reads them, if these are their names."""
    for sight in board.sights:
        picture = _picture(sight)
        on_board = {cell.name for row in picture.rows for cell in row if cell}
        if not on_board <= {f"{file}{rank}".lower() for file in picture.files for rank in picture.ranks}:
            continue  # the lines of Dots and Boxes and the houses of Oware have names of their own
        wanted = touches(sight.board, sight.seat).cells
        found = {square: _body(uri) for square, uri in eye.squares(sight.letter.html)}
        if wanted and not found and _is_fine(sight):
            assert re.search("All your moves|lle deine Züge|room for all your moves", sight.letter.html), sight.name
            continue
        assert found == {cell: move for cell, move in wanted.items() if cell in on_board}, sight.name


def _body(uri: str) -> str:
    """Return the body of the mail that a link opens."""
    return parse_qs(urlsplit(uri).query, strict_parsing=True)["body"][0].strip()


def test_other_letters_fit_and_can_be_read(samples: dict[str, Received], eye: Eye) -> None:
    found = [f"{name} {fault}" for name, letter in samples.items() for fault in eye.faults(letter.html)]
    for name, letter in samples.items():
        found += [f"{name} {fault}" for fault in eye.faults(without_rules(letter.html), ["light"])]
    assert not found, "\n".join(found)


@pytest.mark.usefixtures("checker")
def test_axe_finds_nothing_wrong_with_other_letters(samples: dict[str, Received], eye: Eye) -> None:
    found = [f"{name} {fault}" for name, letter in samples.items() for fault in eye.violations(letter.html)]
    assert not found, "\n".join(found)
