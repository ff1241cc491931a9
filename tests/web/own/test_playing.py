"""Players move, offer, resign and talk on their own pages; a server that listens carries it out as mails."""

import gc
import html
import re
import tracemalloc
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from pbmserv import games
from pbmserv.cli.mailing.send import text_of
from pbmserv.db import tables
from pbmserv.games.base import AnyGame, moves_of
from pbmserv.games.base.board import Board
from pbmserv.mail.outbound import OWN_PAGE
from pbmserv.web.own.limits import MOVES
from tests.examples import some_of
from tests.letters.text.test_translations_in_play import ENGLISH
from tests.tools.mail_program import Client, letters
from tests.tools.process import Process, until
from tests.web.browser import browse, words
from tests.web.own.sending import NOBODY, begin, form, page_of, playing, send
from tests.web.touching import HOME, own_page, touch, touchable
from tests.world import World


@pytest.fixture
def number(server: Process) -> int:
    return begin(server)


@pytest.fixture(scope="module")
def pages(server: Process) -> Iterator[TestClient]:
    with playing(server) as client:
        yield client


def board(server: Process, number: int) -> Board:
    found: Board = server.query(lambda store: store.boards.find(number, lock=False)).board
    return found


def mails(server: Process) -> list[tuple[str, str]]:
    """Return what pages have sent: what was done, and how that ended."""
    c = tables.mail.c
    with server.reader() as connection:
        asked = sa.select(c.calls, c.status).where(c.sender == OWN_PAGE).order_by(c.id)
        return [(row.calls, row.status) for row in connection.execute(asked)]


def written(server: Process, userid: str) -> int:
    """Return how many letters to a player there are, also those that are not sent yet."""
    with server.reader() as connection:
        asked = sa.select(sa.func.count()).where(tables.outbox.c.recipient == f"{userid}@example.org")
        return connection.execute(asked).scalar_one()


def read(server: Process, userid: str, text: str) -> bool:
    """Wait for a letter to a player that has this text."""
    return bool(until(lambda: any(text in text_of(letter) for letter in letters(server, f"{userid}@example.org"))))


@pytest.mark.slow
def test_two_touches_and_send_play_a_move_as_a_mail(server: Process, pages: TestClient, number: int) -> None:
    path, before = page_of(server, number, "alice"), written(server, "alice")
    start = touchable(pages.get(path)).cells["e2"]
    chosen = pages.get(touchable(pages.get(start)).cells["e4"])
    assert "e4 is chosen. Send it, or touch another move." in words(chosen)
    assert form(chosen)["line"] == "e4"
    assert touchable(chosen).cells["d2"], "another move can be touched"
    played = pages.post(path, data=form(chosen) | {"comment": "> well\r\n-- \r\nBob & all!"})
    assert played.status_code == 200
    assert "Done: e4" in words(played)
    assert "It is bob's turn." in words(played)
    assert mails(server)[-1] == (f"chess move {number} alice e4", "done")
    assert read(server, "bob", "    > well\n    --\n    Bob & all!"), (
        "nothing of it is taken for a quote or a signature"
    )
    assert written(server, "alice") == before + 1, "a letter about the own move, as after a mail"


@pytest.mark.slow
def test_what_is_posted_twice_counts_once(server: Process, pages: TestClient, number: int) -> None:
    path = page_of(server, number, "alice")
    posted = form(pages.get(path)) | {"line": "e4", "comment": "once"}
    before = len(mails(server))
    for _ in range(3):
        assert "Done: e4" in words(pages.post(path, data=posted))
    assert len(mails(server)) == before + 1
    assert board(server, number).ply == 1


@pytest.mark.slow
def test_a_move_that_is_refused_says_why_and_stays_in_the_form(server: Process, pages: TestClient, number: int) -> None:
    path, told = page_of(server, number, "alice"), written(server, "alice")
    refused = send(pages, path, "e2e5", comment="<b>Look</b> at this")
    assert refused.status_code == 422
    assert "Refused: " in words(refused)
    assert "e2e5" in words(refused)
    kept = form(refused)
    assert (kept["line"], kept["comment"]) == ("e2e5", "<b>Look</b> at this")
    assert pages.post(path, data=kept | {"line": "字" * 2000, "comment": "字" * 4000}).status_code == 422, "it has room"
    assert "Done: e4" in words(pages.post(path, data=kept | {"line": "e2e4"}))
    assert read(server, "bob", "<b>Look</b> at this")
    assert written(server, "alice") == told + 1, "only about the move: the page told the rest"


@pytest.mark.slow
def test_if_the_server_is_away_nothing_is_lost_and_it_counts_once(server: Process, number: int) -> None:
    path = page_of(server, number, "alice")
    with playing(server, NOBODY) as pages:
        away = send(pages, path, "e2e4", comment="patience")
    assert away.status_code == 503
    assert "Not now: the server does not answer. What you wrote is still here." in words(away)
    kept = form(away)
    with playing(server) as pages:
        assert [pages.post(path, data=kept).status_code for _ in range(2)] == [200, 200]
    assert board(server, number).ply == 1
    assert read(server, "bob", "patience")


@pytest.mark.slow
def test_a_page_that_is_out_of_date_plays_nothing(server: Process, pages: TestClient, number: int) -> None:
    white, black = (page_of(server, number, userid) for userid in ("alice", "bob"))
    early = form(pages.get(white))
    for path, move in ((white, "e4"), (black, "e5")):
        send(pages, path, move)
    told = written(server, "alice")
    late = pages.post(white, data=early | {"line": "d4"})
    assert late.status_code == 422
    assert "Refused: " in words(late)
    assert form(late)["line"] == "d4"
    assert board(server, number).ply == 2
    ahead = form(late) | {"length": "999999999", "line": "d4"}
    assert "Done: d4" in words(pages.post(white, data=ahead)), "no page can ask for a state that has not come yet"
    assert written(server, "alice") == told + 1, "about the move that was played"


@pytest.mark.slow
def test_a_whole_game(server: Process, pages: TestClient, number: int) -> None:
    for turn, move in enumerate(("f3", "e5", "g4", "Qh4#")):
        done = send(pages, page_of(server, number, ("alice", "bob")[turn % 2]), move)
        assert done.status_code == 200, words(done)
    assert "The board is over: bob wins" in words(done)
    server.verify()
    again = touchable(done).below["rematch"]
    assert "A new board begins." in words(pages.get(again))
    assert send(pages, page_of(server, number, "bob"), verb="rematch").status_code == 200


@pytest.mark.slow
def test_a_draw_that_is_offered_with_a_move_is_accepted(server: Process, pages: TestClient, number: int) -> None:
    send(pages, page_of(server, number, "alice"), "e4", draw="on", comment="Enough?")
    assert read(server, "bob", "Enough?")
    path = page_of(server, number, "bob")
    offered = pages.get(path)
    assert "alice offers a draw." in words(offered)
    assert offered.text.index(">accept</a>") < offered.text.index('id="board"')  # beside the question
    asked = pages.get(touchable(offered).below["accept"])
    assert "You agree to a draw. The board ends as soon as all have agreed." in words(asked)
    assert board(server, number).result is None, "a look does nothing"
    assert "Done: accept" in words(send(pages, path, verb="accept"))
    result = board(server, number).result
    assert result
    assert result.reason == "agreed"


@pytest.mark.slow
def test_moves_wait_for_the_turn_and_words_go_to_the_others(server: Process, pages: TestClient, number: int) -> None:
    white, black = (page_of(server, number, userid) for userid in ("alice", "bob"))
    assert "queue" not in touchable(pages.get(white)).below, "it is alice's turn"
    kept = send(pages, black, "e2e4:e7e5 g1f3:b8c6", verb="queue")
    assert "Done: queue e2e4:e7e5 g1f3:b8c6" in words(kept)
    assert "Waiting for your turn: e2e4:e7e5 g1f3:b8c6" in words(kept)
    assert "Waiting" not in words(pages.get(white))
    assert "Done: chat" in words(send(pages, black, verb="chat", comment="Take your time."))
    assert read(server, "alice", "Take your time.")
    assert "Your move, alice." in words(send(pages, white, "e2e4"))
    assert send(pages, black, "clear", verb="queue").status_code == 200
    assert "Waiting" not in words(pages.get(black))
    assert "was not understood, so nothing was done" in words(send(pages, black, "nonsense", verb="queue"))


def test_it_asks_a_few_bytes_whether_somebody_has_moved(server: Process, pages: TestClient, number: int) -> None:
    path = page_of(server, number, "bob")
    first = pages.get(f"{path}/news")
    assert (first.text, first.headers["Cache-Control"]) == ("0", "private, no-store")
    assert f'data-news="{first.headers["ETag"]}"' in html.unescape(pages.get(path).text)
    asks = {"If-None-Match": first.headers["ETag"]}
    same = pages.get(f"{path}/news", headers=asks)
    assert (same.status_code, same.content) == (304, b"")
    send(pages, page_of(server, number, "alice"), "e4")
    assert pages.get(f"{path}/news", headers=asks).text == "1"


@pytest.mark.slow
def test_it_speaks_the_language_of_its_reader(server: Process, pages: TestClient, number: int) -> None:
    with Client(server) as client:
        client.ask("bob@example.org", "set bob secret1 language=de")
    path = page_of(server, number, "bob")
    send(pages, page_of(server, number, "alice"), "e4")
    page = pages.get(path)
    assert '<html lang="de">' in page.text
    assert "Du bist am Zug, bob." in words(page)
    touched = pages.get(touchable(page).cells["e7"])
    refused, done = (send(pages, path, move, comment="x") for move in ("e5e6", "e7e5"))
    assert "Abgelehnt: " in words(refused)
    assert "Erledigt: e5" in words(done)
    asked, resigned = pages.get(path, params={"verb": "resign"}), send(pages, path, verb="resign")
    assert "aufgeben : Du verlierst" in words(asked)
    assert "Erledigt: aufgeben" in words(resigned)
    for shown in (page, touched, pages.get(path, params={"line": "e7e5"}), refused, done, asked, resigned):
        main = re.sub(r".*<main|<kbd>.*?</kbd>|<footer.*", "", shown.text, flags=re.DOTALL)
        said = [re.sub("<[^>]*>", " ", main), *re.findall(r'(?:aria-label|title)="([^"]*)"', main)]
        assert not ENGLISH.findall(" ".join(said)), said
    with Client(server) as client:
        client.ask("bob@example.org", "set bob secret1 language=en")


@pytest.fixture
def own(world: World) -> World:
    world.allow(web_url=HOME, web_listener=NOBODY)
    world.board("alice", "bob")
    return world


def test_who_posts_without_right_gets_what_a_look_gets(own: World) -> None:
    mine = own_page(own, 101, "alice")
    with browse(own) as pages:
        filled = form(pages.get(mine)) | {"line": "h4h5"}
        policy = pages.get(mine).headers["Content-Security-Policy"]
        assert {"script-src 'self'", "connect-src 'self'", "form-action 'self'"} <= set(policy.split("; "))
        for there in (f"{mine}x", mine.replace("p101.0.", "p101.1.")):
            assert pages.post(there, data=filled).status_code == 404
        for wrong in ({"token": "x"}, {"length": "-1"}, {"length": ""}):
            assert pages.post(mine, data=filled | wrong).status_code == 400
        assert pages.post(mine, data=filled | {"line": ""}).status_code == 422
        own.mail("alice", "change password alice alice-secret another-secret")
        assert pages.post(mine, data=filled).status_code == 410


def test_where_nothing_can_be_posted_the_last_touch_opens_a_mail(own: World) -> None:
    own.allow(web_listener="")
    mine = own_page(own, 101, "alice")
    with browse(own) as pages:
        assert "<form" not in pages.get(mine).text
        assert pages.post(mine, data={"line": "h4h5"}).status_code == 404


@pytest.mark.slow
def test_what_readers_write_is_not_kept(own: World) -> None:
    mine = own_page(own, 101, "alice")
    with browse(own) as pages:
        pages.get(mine, params={"line": "h4h5"})
        tracemalloc.start()
        for n in range(20):
            assert pages.get(mine, params={"line": f"{n}" + "x" * 50_000}).status_code == 200
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert kept < 500_000


@pytest.mark.slow
def test_too_many_posts_are_not_handed_on(own: World) -> None:
    mine = own_page(own, 101, "alice")
    with browse(own) as pages:
        filled = form(pages.get(mine)) | {"line": "h4h5", "comment": "still here"}
        found = [pages.post(mine, data=filled) for _ in range(MOVES.of_link + 1)]
    assert [page.status_code for page in found] == [503] * MOVES.of_link + [429]
    assert {page.headers["Retry-After"] for page in found} == {"60"}
    assert form(found[-1])["comment"] == "still here"
    assert "too much was sent in the last minute" in words(found[-1])


@pytest.mark.parametrize("game", some_of(games.listed(), 3), ids=lambda g: g.info.key)
def test_the_last_touch_fills_the_form_with_what_is_read_as_that_move(world: World, game: AnyGame) -> None:
    world.allow(web_url=HOME, web_listener=NOBODY)
    number = world.board(*("alice", "bob")[: game.info.seats[0]], game=game.info.key)
    row = world.row(number)
    seat = min(row.board.to_move)
    move = row.game.format(moves_of(row.game, row.board.position, seat)[0])
    path = own_page(world, number, row.players[seat].userid)
    with browse(world) as pages:
        made = touch(pages, path, row.game, move)
        filled = form(pages.get(path, params={"line": made.line}))["line"]
    touched = world.site.signer.touch(number, seat, row.board.length, row.players[seat].epoch)
    world.mail(OWN_PAGE, f"Re: {row.title}", filled, to=f"pbmserv+{touched}@games.example")
    played = world.query(lambda store: store.boards.entries(number))
    assert [entry.text for entry in played if entry.seat == seat] == [made.line] == [move]


@pytest.mark.slow
@pytest.mark.both
def test_only_the_address_of_the_page_acts_as_the_page(own: World) -> None:
    """Whoever writes its name into From can do no more than with the reply address alone, and gets no answer."""
    signer = own.site.signer
    assert own.mail(OWN_PAGE, "Re: Tumble", "resign", to=signer.answer(101, 0, 0, None)) == []
    assert own.row().board.result is None
    touched = f"pbmserv+{signer.touch(101, 0, 0, None)}@games.example"
    letters = own.mail(OWN_PAGE, "Re: Tumble", "resign", to=touched)
    assert {letter.to for letter in letters} == {"alice@example.org", "bob@example.org"}
    assert own.row().board.result
