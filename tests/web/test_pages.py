"""What each page shows. It is the same as `show`, `who`, `history` and `record` say by mail."""

import json
import re
from html import unescape

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from pbmserv import games
from pbmserv.commands import COMMANDS
from pbmserv.games import GAMES
from pbmserv.letters.pictures.palette import MARKED
from pbmserv.web import displays
from tests.commands.answers import run
from tests.web.browser import browse, diagram, links, words
from tests.web.filled import PRIVATE
from tests.world import ADDRESS, RENDERER, World


def by_mail(world: World, line: str) -> str:
    """Return the answer to a command from a sender without an account, on one line."""
    return run(world, "stranger@example.net", line)[0].flat


def test_the_first_page_has_games_boards_and_seeks(pages: TestClient) -> None:
    page = words(pages.get("/"))
    assert "Stacks of men tumble" in page
    assert "Tumbling Down 101 alice, bob (to move) 5 plies" in page
    assert "1: Tumbling Down -c, bob, 1 place left, rated" in page
    assert "Tumbling Down 102" not in page.partition("Open challenges")[0]


def test_the_first_page_says_how_to_begin_and_shows_what_goes_on_before_any_list(pages: TestClient) -> None:
    page = pages.get("/").text
    first = page.partition("<h2>")[0]
    assert f'href="mailto:{ADDRESS}?subject=help">Write to <b>{ADDRESS}</b>' in first
    assert re.findall('<img src="([^"]*)" alt=""', first) == ["/boards/106/3/picture.svg"]
    assert page.index("<h2>Running boards") < page.index("<h2>Open challenges") < page.index("<h2>Games")


@pytest.mark.parametrize("path", ["/", "/boards", "/boards/finished", "/players/alice", "/games/tumble"])
def test_boards_and_games_have_small_pictures(pages: TestClient, path: str) -> None:
    page = pages.get(path).text
    pictures = re.findall('<img [^>]*src="([^"]*)"', page)
    assert len(pictures) >= page.count('<a class="which"')
    for picture in pictures[::4]:
        assert pages.get(picture).headers["Content-Type"] == "image/svg+xml"


def test_a_game_of_others_without_pictures_has_none_in_lists() -> None:
    assert not displays.has_picture(games.find("nosuch"))
    assert all(displays.has_picture(game) for game in GAMES)


@pytest.mark.parametrize("ref", ["101", "101#0", "101#3", "102", "102#2", "103#7", "104#5", "105", "106", "106#2"])
def test_a_board_is_shown_as_show_shows_it(filled: World, pages: TestClient, ref: str) -> None:
    key = filled.row(int(ref[:3])).key
    (letter,) = run(filled, "stranger@example.net", f"{key} show {ref}")
    first = [d.name for d in filled.row(int(ref[:3])).game.info.displays][:1]
    page = pages.get(f"/boards/{ref.replace('#', '/')}?display={(first or ['text'])[0]}")
    assert page.status_code == 200
    assert diagram(page) in letter.text
    result = [x.removeprefix("It is over: ") for x in letter.text.split("\n") if x.startswith("It is over: ")]
    assert all(x in words(page) for x in result)


def test_a_board_can_be_shown_in_each_display_and_in_words(filled: World, pages: TestClient) -> None:
    row = filled.row(106)
    view = row.game.view(row.board.position, None)
    for display in ("b", "m", "spoken"):
        shown = diagram(pages.get(f"/boards/106?display={display}"))
        assert shown == filled.site.renderer.diagram(row.game, view, display)
    assert "/boards/106/1?display=m" in links(pages.get("/boards/106/2?display=m"))
    assert pages.get("/boards/106?display=h").status_code == 404


@pytest.mark.parametrize("number", [101, 103, 104, 105, 106])
def test_a_board_is_a_picture_whose_name_is_the_position_in_words(
    filled: World, pages: TestClient, number: int
) -> None:
    row = filled.row(number)
    page = pages.get(f"/boards/{number}")
    (name,) = re.findall(r'<svg [^>]* role="img" aria-label="([^"]*)"', page.text.partition('<div class="tray">')[0])
    told = filled.site.renderer.told(row.game, row.game.view(row.board.position, None))
    assert all(line in unescape(name) for line in told)
    assert name.startswith(f"{row.game.info.name} board {number} after ply {row.board.ply}. ")
    assert "<pre>" not in page.text


def test_the_cells_of_the_last_move_are_marked(pages: TestClient) -> None:
    marked = f'stroke="{MARKED["last"]}"'
    assert marked not in pages.get("/boards/101/0").text
    assert pages.get("/boards/101/2").text.count(marked) == 2


def test_a_board_can_be_turned_where_one_side_stands_at_the_top(pages: TestClient) -> None:
    page, turned = pages.get("/boards/101/2"), pages.get("/boards/101/2?turn=1")
    assert "/boards/101/2?turn=1" in links(page)
    assert "/boards/101/1?turn=1" in links(turned)
    assert "/boards/101/2" in links(turned)
    assert _labels(turned) == _labels(page)[::-1]
    assert "turn=1" not in pages.get("/boards/103").text


def _labels(page: Response) -> list[str]:
    """Return the ranks beside the picture from the top."""
    return re.findall(r">([1-8])</text>", page.text.partition("</g>")[0])


def test_the_headline_of_a_ply_is_about_this_ply(pages: TestClient) -> None:
    then, now = words(pages.get("/boards/101/2")), words(pages.get("/boards/101"))
    assert "Black: alice (to move) White: bob After ply 2. To move: alice, ply 3. Now: To move: bob, ply 6." in then
    assert "Black: alice White: bob (to move) To move: bob, ply 6." in now
    assert "Now:" not in now
    over = words(pages.get("/boards/102/1"))
    assert "After ply 1. To move: bob, ply 2. Now: The board is over: alice wins (by resignation)." in over
    assert "Now:" not in words(pages.get("/boards/102/4"))
    assert "At the beginning. To move: alice, ply 1." in words(pages.get("/boards/101/0"))


def test_the_example_joins_a_seek_of_another_game(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "3io seek alice alice-secret")
    with browse(world) as pages:
        assert "To join the first, send: 3io join 1 USERID PASSWORD" in words(pages.get("/"))


def test_plies_lead_to_their_neighbours(pages: TestClient) -> None:
    assert {"/boards/101/0", "/boards/101/2", "/boards/101/4", "/boards/101/5"} <= set(
        links(pages.get("/boards/101/3"))
    )
    first, last = pages.get("/boards/101/0"), pages.get("/boards/101/5")
    assert "/boards/101/1" in links(first)
    assert 'rel="prev"' not in first.text
    assert "/boards/101/4" in links(last)
    assert 'rel="next"' not in last.text


def test_a_long_board_lists_its_moves_in_blocks(filled: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmserv.web.boards.A_BLOCK", 4)
    with browse(filled) as pages:
        first, later = pages.get("/boards/101/4"), pages.get("/boards/101")
    assert '<ol class="moves" start="1">' in first.text
    assert "Later moves" in words(first)
    assert "Earlier moves" not in words(first)
    assert '<ol class="moves" start="3">' in later.text
    assert "Earlier moves" in words(later)
    assert "Later moves" not in words(later)
    assert "/boards/101/1" not in links(later)


@pytest.mark.parametrize(
    ("number", "plies"), [(101, [[1, 2], [3, 4], [5]]), (106, [[1, 2], [3]]), (103, [[n] for n in range(1, 21)])]
)
def test_moves_stand_in_pairs_and_those_of_a_solitaire_alone(
    pages: TestClient, number: int, plies: list[list[int]]
) -> None:
    rounds = re.findall(r"<li><span class=\"round\">(.*?)</li>", pages.get(f"/boards/{number}").text)
    assert [list(map(int, re.findall(rf'href="/boards/{number}/([0-9]+)"', cells))) for cells in rounds] == plies
    assert rounds[-1].endswith("<span>…</span></span>") is (len(plies[-1]) < len(plies[0]))


def test_what_a_move_brought_is_told_as_far_as_everybody_may_know(filled: World, pages: TestClient) -> None:
    log = [line.entry for line in filled.query(lambda s: s.boards.log(103))]
    told = [(e.ply, n.text) for e in log for n in e.notes if n.seats is None]
    assert told
    for ply, text in told[:3]:
        assert " ".join(text.split()) in words(pages.get(f"/boards/103/{ply}"))


def test_the_record_is_the_file_that_record_mails(filled: World, pages: TestClient) -> None:
    for number, key in ((101, "tumble"), (102, "tumble"), (106, "trippples")):
        (letter,) = run(filled, "stranger@example.net", f"{key} record {number}")
        (attached,) = letter.message.iter_attachments()
        page = pages.get(f"/boards/{number}/record.json")
        assert page.json() == json.loads(attached.get_content())
        assert page.headers["Content-Disposition"] == f'attachment; filename="board-{number}.json"'


def test_the_record_for_other_programs_is_the_file_that_record_mails(world: World) -> None:
    world.board("alice", "bob", game="othello")
    world.mail("alice", "othello move 101 alice alice-secret d3")
    (letter,) = run(world, "stranger@example.net", "othello record 101 --format=sgf")
    (attached,) = letter.message.iter_attachments()
    with browse(world) as pages:
        page = pages.get("/boards/101/record.sgf")
        assert page.content == attached.get_content()
        assert page.headers["Content-Type"] == attached.get_content_type() == "application/x-go-sgf"
        assert page.headers["Content-Disposition"] == 'attachment; filename="board-101.sgf"'
        assert "/boards/101/record.sgf" in pages.get("/boards/101").text
        refused = pages.get("/boards/101/record.pgn")
        assert (refused.status_code, "Othello has no records" in refused.text) == (404, True)


def test_the_seed_is_told_at_the_end_only(filled: World, pages: TestClient) -> None:
    for number, over in ((105, False), (104, True)):
        seed = filled.row(number).board.start.seed
        for path in (f"/boards/{number}", f"/boards/{number}/1", f"/boards/{number}/record.json"):
            assert (seed in pages.get(path).text) is over
    assert "/help/dice" in pages.get("/boards/104").text


def test_a_page_of_a_game_without_chance_says_nothing_of_a_seed(pages: TestClient) -> None:
    for path in ("/boards/101", "/boards/102", "/boards/102/1"):
        assert "seed" not in words(pages.get(path)).lower().partition("about this board")[2]


def test_finished_boards_are_listed_with_their_results(pages: TestClient) -> None:
    page = words(pages.get("/boards/finished"))
    assert "Tumbling Down 102 alice, bob alice wins (by resignation), 4 plies" in page
    assert "Trippples 108 carol, eve no result (the board was declined)" in page
    assert "Tumbling Down 102" in words(pages.get("/games/tumble/finished"))
    assert "Trippples" not in words(pages.get("/games/tumble/finished"))


def test_a_player_is_told_of_as_who_does(filled: World, pages: TestClient) -> None:
    page, letter = words(pages.get("/players/carol")), by_mail(filled, "who carol")
    assert "has been a member since 1 March 2026 and is on vacation until" in letter
    assert "Has been a member since 1 March 2026 and is on vacation until 6 March 2026." in page
    assert "tumble - 1 0" in letter
    assert "Tumbling Down - 1 0" in page
    assert "Was a member from 1 March 2026 and has closed the account." in words(pages.get("/players/eve"))
    assert "Has not played yet." in words(pages.get("/players/nobody1"))
    assert words(pages.get("/players/CAROL")) == page


def test_standings_and_high_scores(pages: TestClient) -> None:
    page = words(pages.get("/games/tumble/standings"))
    assert "2 rated players" in page
    assert "1 alice" in page
    assert "Without options Place Player Best Average Boards 1 bob" in words(pages.get("/games/threes/standings"))
    assert "Nobody has finished a rated board yet." in words(pages.get("/games/3io/standings"))
    assert "There are no players in these places." in words(pages.get("/games/tumble/standings?from=3"))


@pytest.mark.slow
def test_every_command_and_topic_has_its_page(filled: World, pages: TestClient) -> None:
    manual = words(pages.get("/help/commands"))
    for command in COMMANDS:
        assert " ".join(command.usage().split()) in manual
        page = words(pages.get(f"/help/{command.verb}"))
        assert " ".join(command.text.split()) in page
    tutorial = by_mail(filled, "help tutorial")
    assert words(pages.get("/help/tutorial")).partition("YOUR FIRST BOARD")[2][:300] in tutorial


def test_the_page_of_a_game_says_whose_it_is_in_a_sentence(pages: TestClient) -> None:
    assert "For 2 players. A game of China, more than two thousand years old." in words(pages.get("/games/go"))
    assert "For 2 players. Tumbling Down, (c) 2000" in words(pages.get("/games/tumble"))


def test_the_rules_of_a_game_are_those_of_its_help(filled: World, pages: TestClient) -> None:
    page = pages.get("/games/tumble/help")
    assert words(page).partition("GOAL")[2][:200] in by_mail(filled, "tumble help")


def test_the_diagrams_of_a_help_page_are_tables(pages: TestClient) -> None:
    """Dots and Boxes begins with dots only: there are no cells yet."""
    with_cells = [g.info.key for g in GAMES if "+--" in RENDERER.game_help(g).text]
    assert len(with_cells) > len(GAMES) // 2
    for key in with_cells:
        page = pages.get(f"/games/{key}/help")
        assert '<table class="grid">' in page.text, key
        assert "+--" not in page.text, key
        assert "<pre>" not in page.text, key


@pytest.mark.parametrize(
    "path",
    [
        *("/boards/", "/boards/999", "/boards/0101", "/boards/99999999999999999999", "/boards/x", "/boards/101/6"),
        *(
            "/boards/101/-1",
            "/boards/101/x",
            "/boards/101/3/4",
            "/boards/999/record.json",
            "/boards/999/record.pgn",
            "/boards/101/record.x",
            "/boards?before=x",
        ),
        *("/games/rummy", "/games/rummy/standings", "/players/mallory", "/players/" + "x" * 21, "/players/a%00b"),
        *("/help/nothing", "/games/tumble/standings?from=x", "/.env", "/style.css/"),
    ],
)
def test_what_is_not_there_is_said_in_a_page(pages: TestClient, path: str) -> None:
    page = pages.get(path)
    assert page.status_code == 404
    assert "<h1>There is no such page</h1>" in page.text
    assert "Go to the home page" in page.text


def test_a_word_that_could_be_a_password_is_not_repeated(pages: TestClient) -> None:
    for path in ("/players/secret-1", "/help/secret-1", "/games/secret-1", "/boards/101?display=secret-1"):
        assert "secret-1" not in pages.get(path).text


def test_a_private_board_is_nowhere(pages: TestClient) -> None:
    for path in (
        f"/boards/{PRIVATE}",
        f"/boards/{PRIVATE}/1",
        f"/boards/{PRIVATE}/record.json",
        f"/boards/{PRIVATE}/record.pgn",
    ):
        page = pages.get(path)
        assert page.status_code == 403
        assert words(page).count("alice") == 0
    for path in ("/", "/boards", "/games/tumble", "/games/tumble/boards", "/players/alice", "/players/carol"):
        assert str(PRIVATE) not in words(pages.get(path))
    for path in ("/boards/finished", "/games/tumble/finished"):
        assert str(PRIVATE) not in words(pages.get(path))
    assert "trippples: carol" not in words(pages.get("/"))  # nor is a private seek
