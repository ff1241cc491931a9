"""Boards in letters: which letters have a picture, which one, and what there is without it."""

import re
import subprocess
import sys
from typing import Any

import pytest

from pbmserv.games import find
from pbmserv.games.base.board import Board, Start, begin
from pbmserv.games.capture.tumbling_down import TumblingDown
from pbmserv.letters.pictures import html as letter_html
from pbmserv.letters.pictures.diagrams import picture_of, said
from pbmserv.letters.pictures.image import image
from tests.letters.html import blocks, pictures
from tests.world import Received, World

_DIAGRAM = "+--------+"
_BOARD_LINES = (
    "tumble show 101",
    "tumble showas alice alice-secret 101",
    "tumble preview 101 h4-g5t",
    "tumble submit 101 alice alice-secret h4-g5t",
    "tumble move 101 alice alice-secret a1-a2",
    "all show alice",
)


def shown(letter: Received) -> list[bytes]:
    """Return the PNGs that the HTML shows, in its order. It shows all that the letter has, and they have names."""
    parts = [part for part in letter.message.walk() if part.get_content_type() == "image/png"]
    by_id = {part["Content-ID"].strip("<>"): part for part in parts}
    ids = re.findall(r'<img src="cid:([^"]+)"', letter.html)
    assert set(ids) == by_id.keys()
    assert all(id_.endswith(".png") and str(by_id[id_].get_filename()).endswith(".png") for id_ in ids)
    return [by_id[id_].get_content() for id_ in ids]


def png_of(world: World, seat: int | None, *, turned: bool = False) -> bytes:
    board: Board = world.row().board
    log = [line.entry for line in world.query(lambda s: s.boards.log(101))]
    picture = picture_of(board, seat, log, turned=turned)
    assert picture
    return image(picture).png


@pytest.mark.slow
def test_all_letters_with_a_board_have_its_picture_and_its_text(world: World) -> None:
    world.board("alice", "bob", options="-c")
    for line in _BOARD_LINES:
        (letter,) = world.mail("alice", line)
        assert len(shown(letter)) == len(pictures(letter.html)) == 1, line
        assert [_DIAGRAM in text for text in blocks(letter.html, "pre")].count(True) == 1
        assert _DIAGRAM in letter.text


def test_a_letter_with_a_board_twice_has_its_picture_once(world: World) -> None:
    world.board("alice", "bob", options="-c")
    (letter,) = world.mail("alice", "tumble show 101 101#0")
    assert len(pictures(letter.html)) == 2
    assert len(set(shown(letter))) == 1


def test_the_picture_has_the_last_move_and_own_men_at_the_bottom(world: World) -> None:
    world.board("alice", "bob", options="-c")
    world.mail("bob", "set bob bob-secret turn=on")
    black, white = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    assert shown(black) == [png_of(world, 0)]
    assert shown(white) == [png_of(world, 1, turned=True)]
    plain = picture_of(world.row().board, 1)
    assert plain
    assert len({png_of(world, 1, turned=True), png_of(world, 1), image(plain).png}) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        ("chess", "e2e4 d7d5 e4d5 d8d5 a2a3 d5d2 d1d2", "Geschlagen von Weiß: Dame, Bauer"),
        ("chess", "e2e4 d7d5 e4d5 d8d5 a2a3 d5d2 d1d2", "Geschlagen von Schwarz: 2 Bauern"),
        ("threes", "", "Schieben: nach links, nach oben, nach unten, nach rechts"),
    ],
)
def test_what_is_beside_a_board_is_told_below_its_image(world: World, game: str, moves: str, told: str) -> None:
    names = ("alice",) if game == "threes" else ("alice", "bob")
    world.board(*names, game=game)
    world.mail("alice", "set alice alice-secret language=de")
    for ply, move in enumerate(moves.split()):
        name = names[ply % 2]
        world.mail(name, f"{game} move 101 {name} {name}-secret {move}")
    (letter,) = world.mail("alice", f"{game} showas alice alice-secret 101")
    assert told in letter.html
    assert told not in letter.text


def test_a_man_has_the_letter_of_its_moves_in_the_language_of_the_reader(world: World) -> None:
    board = begin(Start(find("janggi"), {}, 2, ""))
    drawn = picture_of(board, 0)
    assert drawn
    arts = {piece.art for cell in said(drawn, world.site.renderer.to("de")).cells for piece in cell.pieces}
    assert "xq-wagon-t" in arts
    assert arts - {"xq-wagon-t"} == {piece.art for cell in drawn.cells for piece in cell.pieces} - {"xq-wagon"}


def test_the_board_of_a_last_letter_is_above_its_moves(world: World) -> None:
    """A long game has hundreds of lines of moves."""
    world.board("alice", "bob", game="chess")
    for ply, move in enumerate(["f2f3", "e7e5", "g2g4", "d8h4"]):
        name = ("alice", "bob")[ply % 2]
        last = world.mail(name, f"chess move 101 {name} {name}-secret {move}")
    for letter in (*last, *world.mail("alice", "chess show 101")):
        assert "is over" in letter.text
        assert 0 < letter.html.find("<img") < letter.html.find(" 1  f3")
        assert 0 < letter.text.find("+--") < letter.text.find(" 1  f3")


def test_the_words_in_place_of_the_picture_are_no_move(world: World) -> None:
    world.board("alice", "bob", options="-c")
    _, letter = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    (alt,) = re.findall(r'alt="(The board[^"]*)"', letter.html)
    assert alt == "The board after h4-f6t (Black). Next to move: White."
    assert ">Next to move: White.</p>" in letter.html.partition("<img")[0]
    answered = world.reply(letter, alt)
    assert world.row().board.ply == 1
    assert "not understood" in answered[0].text


@pytest.mark.parametrize(("preference", "html"), [("mail=text", False), ("mail=spoken", False), ("pictures=off", True)])
def test_who_wants_no_pictures_pays_for_none(
    world: World, preference: str, html: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.board("alice", "bob", options="-c")
    for userid in ("alice", "bob"):
        world.mail(userid, f"set {userid} {userid}-secret {preference}")
    made = list[object]()
    monkeypatch.setattr(TumblingDown, "picture", lambda *_: made.append(1))
    for line in (*_BOARD_LINES, "tumble move 101 alice alice-secret h4-g5t"):
        letter, *_ = world.mail("alice", line)
        kinds = [part.get_content_type() for part in letter.message.walk()]
        assert kinds == (["multipart/alternative", "text/plain", "text/html"] if html else ["text/plain"])
        assert not html or any(_DIAGRAM in text for text in blocks(letter.html, "pre")), line
    assert made == []


@pytest.mark.parametrize(("owner", "name"), [(TumblingDown, "picture"), (letter_html, "image")])
def test_a_board_whose_picture_cannot_be_made_is_a_diagram(
    world: World, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    world.board("alice", "bob", options="-c")
    monkeypatch.setattr(owner, name, fail)
    (letter,) = world.mail("alice", "tumble show 101")
    assert not pictures(letter.html)
    assert any(_DIAGRAM in text for text in blocks(letter.html, "pre"))


@pytest.mark.slow
def test_nothing_is_imported_for_the_first_image() -> None:
    program = """
import sys
from io import BytesIO
import PIL.Image, pbmserv.letters.pictures.html
known = set(sys.modules)
PIL.Image.new("P", (9, 9)).save(image := BytesIO(), "PNG", optimize=True)
PIL.Image.open(image).convert("RGB")
print(*set(sys.modules) - known)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
