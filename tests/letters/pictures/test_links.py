"""The links of a letter are exactly the legal moves, in every position of every game."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv import games
from pbmserv.conformance.walks import record, walks, walks_with_leavers
from pbmserv.games.base import AnyGame
from pbmserv.games.base.board import Board, Start, begin
from pbmserv.letters.pictures.diagrams import drawn
from pbmserv.letters.pictures.html import Answers, letter_html
from pbmserv.letters.pictures.touch import Touches, Way, touches
from pbmserv.letters.text.blocks import cut, filled_in, kind
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.sizes import MOST_HTML_BYTES
from pbmserv.model.preferences import Preferences
from tests.examples import examples
from tests.letters.html import pictures, taps
from tests.world import RENDERER

each_game = pytest.mark.parametrize("game", games.GAMES, ids=lambda g: g.info.key)
ADDRESS, SUBJECT = "pbmserv+b101.0.12.abcdefghijkl@games.example.org", "Re: Tumble Board 101 alexandra"
PAGE = "https://games.example.org/my/1"


def letter(board: Board, page: str = "", renderer: Renderer = RENDERER) -> str:
    """Return the HTML of a letter to the seat that is to move."""
    seat = min(board.to_move)
    diagram = filled_in(drawn(renderer, board, seat, Preferences({("", "turn"): "on"})))
    text = f"{kind('diagram')}\n{diagram}\n\n{kind('how')}\nMove."
    return letter_html(renderer, cut(text), Answers(ADDRESS, SUBJECT, ["resign"], touches(board, seat), page))


def legal(board: Board) -> list[str]:
    """Return all moves of the seat that is to move."""
    return sorted(board.game.format(m) for m in board.game.legal_moves(board.position, min(board.to_move)))


def linked(html: str) -> list[str]:
    """Return what the mails begin with that the links open, without the only verb."""
    found = taps(html)
    assert {(tap.to, tap.subject) for tap in found} == {(ADDRESS, SUBJECT)}
    assert all(tap.body.endswith("\r\n\r\n") and tap.text.strip() for tap in found)
    return sorted(tap.body[:-4] for tap in found if tap.body != "resign\r\n\r\n")


@pytest.mark.slow
@each_game
@examples(2, 10)
@given(data=st.data())
def test_in_random_positions(game: AnyGame, data: st.DataObject) -> None:
    walk = data.draw(walks(game) | walks_with_leavers(game) if max(game.info.seats) > 2 else walks(game))
    for board in record(game, walk).boards[::7]:
        if board.to_move:
            html = letter(board)
            assert len(pictures(html)) == 1
            assert len(html.encode()) <= MOST_HTML_BYTES
            assert linked(html) == legal(board) or "answer with the word moves" in html


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_moves_of_the_usual_opening_fit(language: str) -> None:
    board = begin(Start(games.find("tumble"), {}, 2, "0" * 32))
    html = letter(board, renderer=RENDERER.to(language))
    assert len(legal(board)) == 194
    assert linked(html) == legal(board)
    assert len(html.encode()) < MOST_HTML_BYTES * 0.8


def test_moves_for_which_there_is_no_room_are_on_a_page_or_come_by_mail() -> None:
    board = begin(Start(games.find("tumble"), {}, 2, "0" * 32))
    found = cut(f"{kind('diagram')}\n{filled_in(drawn(RENDERER, board, 0, Preferences()))}\n\n{kind('how')}\nMove.")
    many = Touches(cells={"a1": "a1"}, starts={"b1": [Way(f"b1-{n}", f"{n} tumbles") for n in range(600)]})
    answers = Answers(ADDRESS, SUBJECT, ["resign"], many)
    for page, says in (("", "answer with the word moves"), (PAGE, f'href="{PAGE}"')):
        html = letter_html(RENDERER, found, replace(answers, page=page))
        assert linked(html) == []
        assert says in html
        assert len(html.encode()) <= MOST_HTML_BYTES


def test_a_cell_that_is_not_on_the_board_has_a_button() -> None:
    answers = Answers(ADDRESS, SUBJECT, touches=Touches(cells={"z9": "z9"}))
    found = cut(f"{kind('how')}\nMove.")
    assert linked(letter_html(RENDERER, found, answers)) == ["z9"]


def test_boards_for_which_there_is_no_room_are_diagrams() -> None:
    board = begin(Start(games.find("tumble"), {}, 2, "0" * 32))
    one = f"{kind('diagram')}\n{filled_in(drawn(RENDERER, board, 0, Preferences()))}"
    html = letter_html(RENDERER, cut("\n\n".join([one] * 20)), Answers())
    assert len(html.encode()) <= MOST_HTML_BYTES
    assert len(pictures(html)) + html.count('<div class="board"') == 20
    assert len(pictures(html)) > 3


def test_a_touch_is_as_high_as_a_finger_and_no_text_is_tiny() -> None:
    html = letter(begin(Start(games.find("trippples"), {}, 2, "0" * 32)))
    assert min(map(int, re.findall(r"font(?:-size)?:(?:bold )?(\d+)px", html))) >= 11
