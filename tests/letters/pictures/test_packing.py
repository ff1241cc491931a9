"""A picture travels in the text of a letter: nothing is lost, and nobody sees it in the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv import games
from pbmserv.conformance.walks import readers, record, walks
from pbmserv.games.base import AnyGame, Cell, Picture, Piece, Tray
from pbmserv.letters.pictures.packing import pack, unpack
from pbmserv.letters.text.blocks import Depicted, cut, filled_in, kind, pictured, plain, unpictured
from tests.examples import examples

each_game = pytest.mark.parametrize("game", games.GAMES, ids=lambda g: g.info.key)
CELL = Cell("a1", "night", (Piece("", "\N{DECIDUOUS TREE}"), Piece("red", "x", 3)), (0, 7), "a\\nb", "last")
ODD = Picture(
    rows=((CELL, None),),
    files=("A", "B"),
    offsets=(1,),
    beside=(Tray("Next: it", (Cell("next"),)), Tray("Captured", (Cell(state="dead"),), True, ("2 x",))),
    lines=("Score: 5",),
    top=(1,),
)
DIAGRAM = "+--+\n|  |\n\n\nBelow: it"


def test_every_field_comes_through() -> None:
    assert unpack(pack(ODD)) == ODD


@each_game
@examples(1, 2)
@given(data=st.data())
def test_pictures_of_games_come_through_and_are_small(game: AnyGame, data: st.DataObject) -> None:
    for board in record(game, data.draw(walks(game))).boards[::20]:
        for reader in readers(board):
            picture = game.picture(game.view(board.position, reader))
            assert picture
            packed = pack(picture)
            assert unpack(packed) == picture
            assert len(packed) < max(5000, 40 * len(picture.cells))
            assert packed.isprintable()


def test_the_text_is_the_same_with_a_picture_and_without() -> None:
    boards = DIAGRAM, filled_in(pictured(DIAGRAM, pack(ODD)))
    letters = [f"One.\n\n{kind('diagram')}\n{shown}\n\nTwo." for shown in boards]
    assert plain(cut(letters[0])) == plain(cut(letters[1]))
    assert unpictured(cut(letters[1])) == cut(letters[0])
    assert cut(letters[1]).text == cut(letters[0]).text


@pytest.mark.parametrize("carried", [pack(ODD), Depicted(ODD)])
def test_a_diagram_with_a_picture_is_one_block(carried: str | Depicted) -> None:
    _, block, _ = cut(f"One.\n\n{kind('diagram')}\n{filled_in(pictured(DIAGRAM, carried))}\n\nTwo.")
    assert (block.kind, block.picture) == ("diagram", carried)
    assert block.text == "+--+\n|  |\n\nBelow: it"


@pytest.mark.parametrize("odd", ["\x00", "\x05", "\n", "\x1b", "\x7f", "\x85", "\ud800", "\\\x05"])
def test_characters_that_no_letter_can_have_are_replaced(odd: str) -> None:
    picture = Picture(((Cell("a1", pieces=(Piece("red", f"A{odd}"),), text=f"x{odd}y"),),), lines=(f"Score{odd}",))
    packed = pack(picture)
    assert packed.encode().decode() == packed
    assert "\n" not in packed
    shown = unpack(packed)
    kept = odd[:-1]
    assert shown.lines == (f"Score{kept}\N{REPLACEMENT CHARACTER}",)
    assert [cell.text for cell in shown.cells] == [f"x{kept}\N{REPLACEMENT CHARACTER}y"]


def test_backslashes_stay() -> None:
    picture = Picture(((Cell("a1", text="\\n\\u0005"),),))
    assert unpack(pack(picture)) == picture
