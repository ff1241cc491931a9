"""The links of a letter lead to all legal moves, and only there, in every position of every game."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv import games
from pbmserv.conformance.walks import Setup, Walk, record, walks, walks_with_leavers
from pbmserv.games.base import AnyGame
from pbmserv.games.base.board import Board, Start, begin
from pbmserv.games.base.picture import LAST
from pbmserv.letters.pictures.diagrams import drawn, picture_of
from pbmserv.letters.pictures.html import Answers, Html, letter_html
from pbmserv.letters.pictures.packing import pack
from pbmserv.letters.pictures.touch import Touches, Way, touches
from pbmserv.letters.text.blocks import Words, below, cut, joined, kind, pictured, plain
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.waiting.draft import Draft, formed
from pbmserv.mail.outbound import Letter
from pbmserv.mail.signed_addresses import Signer
from pbmserv.mail.sizes import MOST_BOARD_LETTER_BYTES, MOST_LETTER_BYTES
from pbmserv.model.preferences import Preferences
from tests.examples import examples
from tests.letters.html import pictures, taps
from tests.world import RENDERER

each_game = pytest.mark.parametrize("game", games.GAMES, ids=lambda g: g.info.key)
ADDRESS, SUBJECT = "pbmserv+b101.0.12.abcdefghijkl@games.example.org", "Re: Tumble Board 101 alexandra"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
PAGE = "https://games.example.org/my/1"


def words(board: Board, renderer: Renderer = RENDERER, preferences: str = "turn=on") -> Words:
    """Return the blocks of a letter to the seat that is to move."""
    name, value = preferences.split("=")
    shown = drawn(renderer, board, min(board.to_move), Preferences({("", name): value}))
    return joined([below(kind("diagram"), shown), cut(f"{kind('how')}\nMove.")])


def letter(board: Board, page: str = "", renderer: Renderer = RENDERER, preferences: str = "turn=on") -> Html:
    answers = Answers(ADDRESS, SUBJECT, ["resign"], touches(board, min(board.to_move)), page)
    found = words(board, renderer, preferences)
    return letter_html(renderer, found, answers, len(plain(found)))


def legal(board: Board) -> list[str]:
    """Return all moves of the seat that is to move, without those that do the same as a shorter one."""
    game, position = board.game, board.position
    moves = game.legal_moves(position, min(board.to_move))
    return sorted(game.format(move) for move in moves if not game.repeats(position, move))


def listed(html: str) -> list[str]:
    """Return what the mails begin with that the links below the board open, without the only verb."""
    found = taps(html)
    assert {(tap.to, tap.subject) for tap in found} == {(ADDRESS, SUBJECT)}
    assert all(tap.body.endswith("\r\n\r\n") and tap.text.strip() for tap in found)
    return sorted(tap.body[:-4] for tap in found if tap.body != "resign\r\n\r\n")


def touched(html: str) -> dict[str, str]:
    """Return where the areas lead, by their names: the first line of a mail, or a URI."""
    found = re.findall(r'<area shape="(?:rect|poly)" coords="[0-9,]+" href="([^"]+)" alt="([^"]+)">', html)
    assert len(found) == html.count("<area ")
    return {name.lower(): _line(unescape(uri)) for uri, name in found}


def _line(uri: str) -> str:
    return unquote(uri.partition("&body=")[2]).removesuffix("\r\n\r\n") if uri.startswith("mailto:") else uri


def size(html: Html, text: str = "") -> int:
    """Return about how many bytes a letter has."""
    return len(text) + len(html.text.encode()) + sum(len(p.png) * 78 // 57 for p in html.pictures) + 1_500


@pytest.mark.slow
@each_game
@examples(2, 2)
@given(data=st.data())
def test_in_random_positions(game: AnyGame, data: st.DataObject) -> None:
    walk = data.draw(walks(game) | walks_with_leavers(game) if max(game.info.seats) > 2 else walks(game))
    page = data.draw(st.sampled_from(["", PAGE]))
    for board in record(game, walk).boards[::25]:
        if board.to_move:
            check(board, letter(board, page), page)


def test_in_the_opening_of_chess() -> None:
    board = begin(Start(games.find("chess"), {}, 2, "0" * 32))
    check(board, letter(board), "")


def test_many_free_cells_beside_an_image_of_many_bytes() -> None:
    board = record(games.find("havannah"), Walk("havannah", Setup((("noswap", ""),), 2), 1)).boards[125]
    check(board, letter(board), "")


def test_what_is_not_ascii_takes_three_times_as_much_room() -> None:
    board, renderer = begin(Start(games.find("3io"), {}, 2, "0" * 32)), RENDERER.to("de")
    found = joined([words(board, renderer), cut("\n".join(["ü" * 60] * 34))])
    head = Letter("alice@example.org", SUBJECT, "", "<1@games.example>", NOW, reply_to=ADDRESS)
    draft = Draft(head, found, "de", rich=True, touches=touches(board, min(board.to_move)))
    assert len(formed(draft, RENDERER, Signer(ADDRESS, b""))) <= MOST_BOARD_LETTER_BYTES


def check(board: Board, html: Html, page: str) -> None:
    """Look at all links of a letter."""
    assert len(pictures(html.text)) == len(html.pictures) == 1
    assert size(html, plain(words(board))) <= MOST_BOARD_LETTER_BYTES
    moves, found, areas = legal(board), listed(html.text), touched(html.text)
    is_short = f'href="{page}"' in html.text if page else "Touch a square, and a letter" in html.text
    by_mail = "Touch the last link" in html.text
    assert is_short or by_mail or found == moves
    for cell, line in areas.items():
        if line in moves:
            assert line in found or is_short or by_mail
            assert board.game.cells_of(line)[0] == cell
        elif page:
            assert line == f"#{cell}" or re.fullmatch(rf"{PAGE}\?(from|near)={quote(cell)}#board", line)
        else:
            assert line == f"#{cell}" or (
                line in (f"legal {cell}", f"legal near {cell}") and (line in found or not is_short)
            )
        assert not line.startswith("#") or f'<a name="{cell}">' in html.text


def test_moves_for_which_there_is_no_room_are_on_a_page_or_come_by_mail() -> None:
    found = words(begin(Start(games.find("tumble"), {}, 2, "0" * 32)))
    many = Touches(cells={"a1": "a1"}, starts={"b1": [Way(f"b1-{n}", f"{n} tumbles") for n in range(600)]})
    answers = Answers(ADDRESS, SUBJECT, ["resign"], many)
    for page, says in (("", "Touch a square, and a letter"), (PAGE, f'href="{PAGE}"')):
        html = letter_html(RENDERER, found, replace(answers, page=page))
        assert not [line for line in listed(html.text) if line.startswith("b1-")]
        assert says in html.text
    without = letter_html(RENDERER, cut(f"{kind('how')}\nMove."), answers)
    assert listed(without.text) == ["a1", "legal b1", "legal page 1"]


def test_parts_where_nothing_begins_are_not_offered_and_moves_are_in_natural_order() -> None:
    few = Touches(
        cells={"a10": "a10", "a2": "a2"},
        starts={"b10": [Way("b10-b9", "B9"), Way("b10-b11", "B11")], "b9": [Way("b9-b1", "B1"), Way("b9-a1", "A1")]},
        others=["take 10", "take 9"],
    )
    found = words(begin(Start(games.find("hex"), {"size": "19"}, 2, "0" * 32)))
    html = letter_html(RENDERER, found, Answers(ADDRESS, SUBJECT, touches=few)).text
    assert set(touched(html)) == {"b3", "d8", "b12"}
    moves = ["take 9", "take 10", "b9-a1", "b9-b1", "b10-b9", "b10-b11", "a2", "a10"]
    assert [tap.body.strip() for tap in taps(html)] == moves


def test_a_cell_that_is_not_on_the_board_is_listed() -> None:
    answers = Answers(ADDRESS, SUBJECT, touches=Touches(cells={"z9": "z9"}))
    found = cut(f"{kind('how')}\nMove.")
    assert listed(letter_html(RENDERER, found, answers).text) == ["z9"]


@pytest.mark.slow
def test_boards_for_which_there_is_no_room_are_diagrams() -> None:
    board = begin(Start(games.find("tumble"), {}, 2, "0" * 32))
    picture = picture_of(board, 0)
    assert picture
    shown = [pictured("+-+", pack(picture.marked({name: LAST}))) for name in sorted(picture.names)[:20]]
    for beside in range(0, 10_000, 500):  # the text
        html = letter_html(RENDERER, joined(shown), beside=beside)
        assert size(html) + beside <= MOST_LETTER_BYTES
    assert 1 < len(pictures(html.text)) == len(html.pictures) < 20
    assert html.text.count("+-+</pre>") == len(pictures(html.text))
