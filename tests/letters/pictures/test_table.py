"""Boards as tables: what they say without colours and styles, the last move, and turning."""

import re
from pathlib import Path
from typing import Any

import pytest

from pbmserv.games.base import Cell, Picture, Piece, Tray
from pbmserv.games.capture.tumbling_down import Position, TumblingDown
from pbmserv.letters.pictures.html import letter_html
from pbmserv.letters.pictures.packing import pack
from pbmserv.letters.pictures.palette import PALETTE
from pbmserv.letters.text.blocks import below, kind, pictured
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.sizes import MOST_HTML_BYTES
from tests.letters.html import pictures
from tests.world import RENDERER, World


def table(picture: Picture, renderer: Renderer = RENDERER) -> str:
    (found,) = pictures(letter_html(renderer, below(kind("diagram"), pictured("+-+", pack(picture)))))
    return found


def bare(html: str) -> list[str]:
    """Return what is left without any styles, row by row."""
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in re.split(r"<tr height=[^>]*>", html)[1:]]


def files(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html.partition("</tr>\n")[2].partition("</tr>")[0]).strip()


def test_the_highest_run_of_a_stack_is_on_top() -> None:
    stacks = [""] * 64
    stacks[0] = "BBWB"
    rows = bare(table(TumblingDown().picture(TumblingDown().view(Position(tuple(stacks)), 0))))
    assert rows[-1].startswith("1 B1 W1 B2")


def test_nothing_needs_colours_or_styles() -> None:
    html = table(Picture(((Cell("a1", "dark", (Piece("black", "B", 2), Piece("white", "W", 1)), text="five"),),)))
    assert bare(html) == ["W1 B2 five"]
    assert f'bgcolor="{PALETTE["black"].fill}"' in html
    assert html.isascii()


def test_arrows_stand_around_the_sign() -> None:
    html = table(Picture(((Cell("a1", pieces=(Piece("red", "S"),), arrows=(0, 2, 5)),),)))
    lines = [re.sub(r"<[^>]*>", "", line) for line in re.findall(r"<nobr>(.*?)</nobr>", html)]
    gap = "&#8194;&#8197;"
    assert lines == [f"{gap}&#8593;{gap}", f"{gap}S&#8594;", f"&#8601;&#65038;{gap}{gap}"]


def test_edges_have_their_colours_and_the_labels() -> None:
    rows = tuple(tuple(Cell(f"{x}{y}") for x in "abc") for y in (1, 2))
    html = table(Picture(rows, tuple("ABC"), ("1", "2"), (0, 1), edges=("red", "blue", "red", "blue")))
    red, blue = (f'bgcolor="{PALETTE[colour].fill}"' for colour in ("red", "blue"))
    assert (html.count(red), html.count(blue)) == (6, 4)
    assert [row.split()[0] for row in bare(html)] == ["1", "2"]
    assert '<td colspan="3"></td><td align="center"' in html  # the labels below begin where the last row does


def test_labels_on_the_right_of_hexagons() -> None:
    rows = tuple(tuple(Cell(f"{x}{y}") for x in "abc"[:length]) for y, length in enumerate((2, 3, 2), 1))
    html = table(Picture(rows, ("A", "B"), ("1", "2", "3"), (1, 0, 1), ends=("C", "", "")))
    assert bare(html) == ["1 C", "2", "3"]
    assert [len(re.findall(f">{letter}<", html)) for letter in "ABC"] == [1, 1, 1]


def test_a_board_of_many_cells_leaves_room_in_a_letter() -> None:
    """Each man in a table of its own would make the letter longer than a mail program shows."""
    cells = tuple(tuple(Cell(pieces=(Piece("red", "R"),)) for _ in range(19)) for _ in range(19))
    html = table(Picture(cells))
    assert len(html) < MOST_HTML_BYTES
    assert bare(html)[0].split() == ["R"] * 19


def test_hexagons_are_moved_by_half_a_cell() -> None:
    rows = tuple(tuple(Cell(f"{x}{y}") for x in "abc"[: 2 + y % 2]) for y in (1, 2))
    html = table(Picture(rows, ("A", "B", "C"), ("1", "2"), (0, 1)))
    assert html.count('<td colspan="1"></td>') == 1
    assert len(re.findall(r'<td align="center" bgcolor="[^"]*" colspan="2"', html)) == 5


def test_lines_and_trays_stand_below() -> None:
    tray = Tray("Next card: 3", (Cell("", pieces=(Piece("red", "3"),)),))
    html = table(Picture(((Cell("a1"),),), beside=(tray,), lines=("Score: <5>",)))
    assert bare(html)[-1].startswith("3 Next card: 3")
    assert "Score: &lt;5&gt;" in html


def test_the_last_move_is_marked(world: World) -> None:
    world.board("alice", "bob", options="-c")
    for letter in world.mail("alice", "tumble move 101 alice alice-secret h4-g5t"):
        assert letter.html.count('title="last move"') == 2
    (first,) = world.mail("alice", "tumble show 101#0")
    (second,) = world.mail("alice", "tumble show 101#1")
    assert [x.html.count('title="last move"') for x in (first, second)] == [0, 2]


def test_own_men_are_at_the_bottom_if_the_player_wants_it(world: World) -> None:
    world.board("alice", "bob", options="-c")
    for userid in ("alice", "bob"):
        world.mail(userid, f"set {userid} {userid}-secret turn=on")
    black, white = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    assert [files(pictures(x.html)[0]) for x in (black, white)] == ["ABCDEFGH", "HGFEDCBA"]
    assert bare(pictures(white.html)[0])[-1].startswith("8 ")
    assert (
        world.site.renderer.diagram(world.row().game, world.row().game.view(world.row().board.position, 1))
        in white.text
    )
    world.mail("bob", "set bob bob-secret turn=off")
    (again,) = world.mail("bob", "tumble showas bob bob-secret 101")
    assert files(pictures(again.html)[0]) == "ABCDEFGH"


def test_all_letters_with_a_board_have_its_picture(world: World) -> None:
    world.board("alice", "bob", options="-c")
    for line in (
        "tumble show 101",
        "tumble showas alice alice-secret 101",
        "tumble preview 101 h4-g5t",
        "tumble submit 101 alice alice-secret h4-g5t",
        "tumble move 101 alice alice-secret a1-a2",
        "all show alice",
    ):
        (letter,) = world.mail("alice", line)
        assert len(pictures(letter.html)) == 1, line
        assert "+--------+" in letter.text
        assert "+--------+" not in letter.html


@pytest.mark.parametrize("mail", ["text", "spoken"])
def test_who_reads_no_html_pays_for_no_picture(world: World, mail: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world.board("alice", "bob", options="-c")
    for userid in ("alice", "bob"):
        world.mail(userid, f"set {userid} {userid}-secret mail={mail}")
    made = list[object]()
    monkeypatch.setattr(TumblingDown, "picture", lambda *_: made.append(1))
    for line in (
        "tumble show 101",
        "tumble showas alice alice-secret 101",
        "tumble preview 101 h4-g5t",
        "tumble move 101 alice alice-secret a1-a2",
        "tumble move 101 alice alice-secret h4-g5t",
    ):
        letter, *_ = world.mail("alice", line)
        assert letter.message.get_content_type() == "text/plain"
    assert made == []


def test_a_board_whose_picture_cannot_be_made_is_a_diagram(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    world.board("alice", "bob", options="-c")
    monkeypatch.setattr(TumblingDown, "picture", fail)
    (letter,) = world.mail("alice", "tumble show 101")
    assert "+--------+" in letter.html


def test_a_board_whose_table_cannot_be_made_is_a_diagram(world: World, tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail/picture.html").write_text("{% macro cell() %}{{ nothing.here }}{% endmacro %}")
    world.board("alice", "bob", options="-c")
    world.use(Renderer(str(tmp_path)))
    (letter,) = world.mail("alice", "tumble show 101")
    assert "+--------+" in letter.html
