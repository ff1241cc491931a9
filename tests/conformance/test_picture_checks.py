"""The suite finds the mistakes of pictures: each broken game here has one of them."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from pbmserv.conformance import picture_checks as checks
from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Playthrough, Walk, record, setups
from pbmserv.games.base import Cell, Picture, Piece, Tray, View
from pbmserv.games.base.picture import LAST
from tests.conformance.toy_boards import Comb, Filling, Pebbles, Position

#: What a broken game shows in each cell, or in its picture, in place of what it should.
WRONG_CELLS: tuple[tuple[Mapping[str, Any], Any, str], ...] = (
    ({"ground": "pink"}, checks.cells_of_the_picture, "'pink', which is none of COLOURS"),
    ({"mark": LAST}, checks.cells_of_the_picture, "Leave marks to the server"),
    ({"name": "A1"}, checks.cells_of_the_picture, "Names of cells are in lower case"),
    ({"arrows": (8,)}, checks.cells_of_the_picture, "indices into grid.COMPASS"),
    ({"arrows": (1, 1)}, checks.cells_of_the_picture, "The same arrow twice"),
    ({"text": "too long a text"}, checks.cells_of_the_picture, "has 0-8 characters, not 15"),
    ({"text": "a\tb"}, checks.cells_of_the_picture, "cannot be printed"),
    ({"pieces": (Piece("pink", "x"),)}, checks.cells_of_the_picture, "'pink' is none of COLOURS"),
    ({"pieces": (Piece("black"),)}, checks.cells_of_the_picture, "Give each piece a sign"),
    ({"pieces": (Piece("black", "too long"),)}, checks.cells_of_the_picture, "has 1-5 characters, not 8"),
    ({"pieces": (Piece("black", "\N{BLACK CIRCLE}"),)}, checks.cells_of_the_picture, "give the piece a `letter`"),
    ({"pieces": (Piece("black", "x", -1),)}, checks.cells_of_the_picture, "a number of men"),
    (
        {"pieces": (Piece("black", "x"), Piece("white", "x"))},
        checks.differences_in_the_picture,
        "only by colour",
    ),
    (
        {"pieces": (Piece(sign="\N{BEAR FACE}", letter="b"), Piece(sign="b"))},
        checks.differences_in_the_picture,
        "In text diagrams these pieces are all 'b'",
    ),
    ({"name": "a1"}, checks.links_in_the_picture, "Two cells have the same name"),
    ({"name": ""}, checks.links_in_the_picture, "names cells that the picture does not have"),
)
WRONG_PICTURES: tuple[tuple[Mapping[str, Any], Any, str], ...] = (
    ({"rows": ()}, checks.shape_of_the_picture, "`Picture.rows` is empty"),
    ({"rows": ((), ())}, checks.shape_of_the_picture, "a row without cells"),
    ({"rows": ((Cell(),), (Cell(), Cell()))}, checks.shape_of_the_picture, "Rows of squares are equally long: .1, 2."),
    ({"files": ("A",)}, checks.shape_of_the_picture, "one label for each column of the longest row .3., or none"),
    ({"ranks": ("1",)}, checks.shape_of_the_picture, "one label for each row .2., or none"),
    ({"ranks": ("1", "\N{GREEK SMALL LETTER ALPHA}")}, checks.shape_of_the_picture, "it must be ASCII"),
    ({"offsets": (1,)}, checks.shape_of_the_picture, "one number for each row of hexagons: 1 for 2"),
    ({"offsets": (1, 2)}, checks.shape_of_the_picture, "has the offset 0"),
    ({"beside": (Tray("none", ()),)}, checks.cells_of_the_picture, "A tray has 1-8 cells, not 0"),
    ({"beside": (Tray("", (Cell(),)),)}, checks.cells_of_the_picture, "has 1-79 characters, not 0"),
    ({"lines": ("two\nlines",)}, checks.cells_of_the_picture, "cannot be printed"),
    ({"top": (2,)}, checks.cells_of_the_picture, "names no seats"),
    ({"edges": ("red",) * 4}, checks.shape_of_the_picture, "`edges` and `ends` are for boards of hexagons"),
    ({"edges": ("red",) * 4, "offsets": (1, 0)}, checks.shape_of_the_picture, "`edges` are for a rhombus"),
    ({"edges": ("red",) * 3, "offsets": (0, 1)}, checks.shape_of_the_picture, "A rhombus has four"),
    ({"edges": ("pink",) * 4, "offsets": (0, 1)}, checks.shape_of_the_picture, "`edges` are some of COLOURS"),
    ({"ends": ("A",), "offsets": (0, 1)}, checks.shape_of_the_picture, "`Picture.ends` has one label for each row .2."),
    ({"ends": ("A", ""), "offsets": (0, 1), "top": (1,)}, checks.shape_of_the_picture, "leave `top` empty"),
)


def played(game: Filling) -> Playthrough:
    return record(game, Walk(game.info.key, setups(game)[0], 1))


@pytest.mark.parametrize("game", [Pebbles(), Comb()], ids=lambda game: game.info.key)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_toys_pass(game: Filling, check: Any) -> None:
    check(played(game))


@pytest.mark.parametrize(("wrong", "check", "message"), WRONG_CELLS)
def test_a_broken_cell_fails(wrong: Mapping[str, Any], check: Any, message: str) -> None:
    class Wrong(Pebbles):
        def at(self, view: View[Position], name: str) -> Cell:
            return replace(super().at(view, name), **wrong)

    with pytest.raises(AssertionError, match=message):
        check(played(Wrong()))


@pytest.mark.parametrize(("wrong", "check", "message"), WRONG_PICTURES)
def test_a_broken_picture_fails(wrong: Mapping[str, Any], check: Any, message: str) -> None:
    class Wrong(Pebbles):
        def picture(self, view: View[Position]) -> Picture:
            return replace(super().picture(view), **wrong)

    with pytest.raises(AssertionError, match=message):
        check(played(Wrong()))


class Sometimes(Pebbles):
    def picture(self, view: View[Position]) -> Picture:
        return super().picture(view) if view.position.turn else None  # type: ignore[return-value]


class Restless(Pebbles):
    numbers = count()

    def picture(self, view: View[Position]) -> Picture:
        return replace(super().picture(view), lines=(str(next(self.numbers)),))


class HidesTooLittle(Pebbles):
    """The last pebble is hidden from all others, who could still see it in the view of a view."""

    def view(self, position: Position, seat: int | None) -> View[Position]:
        return View(seat, replace(position, turn=1 - position.turn))


class Mute(Pebbles):
    def caption(self, position: Position, move: str) -> str:
        return ""


class Talkative(Pebbles):
    def caption(self, position: Position, move: str) -> str:
        return f"put a pebble on the cell {move}"


class SaysOneThing(Pebbles):
    def cells_of(self, text: str) -> tuple[str, ...]:
        return ("a1", text)

    def caption(self, position: Position, move: str) -> str:
        return "there"


class Whispers(HidesTooLittle):
    def caption(self, position: Position, move: str) -> str:
        return f"{move} {position.turn}"


@pytest.mark.parametrize(
    ("game", "check", "message"),
    [
        (Sometimes, checks.picture_of_a_view, "is None at some positions and not at others"),
        (Restless, checks.picture_of_a_view, "gives another picture the second time"),
        (HidesTooLittle, checks.picture_of_a_view, "The view of a view has another picture"),
        (Mute, checks.links_in_the_picture, "has 1-24 characters, not 0"),
        (Talkative, checks.links_in_the_picture, "has 1-24 characters, not 27"),
        (SaysOneThing, checks.links_in_the_picture, "Several moves that begin on a1 have the same caption"),
        (Whispers, checks.links_in_the_picture, "tells something that the seat cannot see"),
    ],
)
def test_a_broken_game_fails(game: type[Pebbles], check: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check(played(game()))


def test_a_game_without_a_picture_passes() -> None:
    class Blind(Pebbles):
        def picture(self, view: View[Position]) -> Picture:
            return None  # type: ignore[return-value]

    for check in checks.PICTURE_CHECKS:
        check(played(Blind()))
