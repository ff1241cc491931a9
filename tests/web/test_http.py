"""Methods, headers, caching, errors."""

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from pbmserv.db import tables
from pbmserv.letters.text import move_list
from pbmserv.letters.text.templates import Renderer
from pbmserv.store.board_lists import BoardListQueries
from pbmserv.store.boards import BoardQueries
from pbmserv.web import displays
from pbmserv.web.app import FILES, PAGES
from tests.web.browser import browse, without_boards
from tests.web.filled import play_on
from tests.world import World

PLACES = {"number": "101", "ply": "3", "game": "tumble", "userid": "alice", "topic": "tutorial"}
#: Board 101 has no record for other programs, because its game has no such format.
EVERY = [
    path.replace("tournaments/{number}", "tournaments/1").format(**PLACES)
    for path in (*PAGES, *FILES)
    if "{format}" not in path
]


@pytest.mark.parametrize("path", [*EVERY, "/nowhere", "/boards/107"])
def test_every_answer_is_locked_down(pages: TestClient, path: str) -> None:
    page = pages.get(path)
    allowed = "" if "/picture." in path else " style-src 'self'; img-src 'self';"
    assert page.headers["Content-Security-Policy"].startswith(f"default-src 'none';{allowed} base-uri 'none';")
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in page.headers
    assert "Cache-Control" in page.headers


@pytest.mark.parametrize("path", EVERY)
def test_pages_are_html_without_scripts_and_styles_of_their_own(pages: TestClient, path: str) -> None:
    page = pages.get(path)
    assert page.status_code == 200
    if page.headers["Content-Type"].startswith("text/html"):
        assert page.text.startswith('<!DOCTYPE html>\n<html lang="en">')
        assert page.text.count("<h1>") == 1
        assert '<a class="skip" href="#main">' in page.text
        assert not any(x in page.text for x in ("<script", "<style", "style=", " onclick", "javascript:"))


@pytest.mark.parametrize("path", EVERY)
def test_head_is_get_without_the_page(pages: TestClient, path: str) -> None:
    head, get = pages.head(path), pages.get(path)
    assert head.status_code == 200
    assert dict(head.headers) == dict(get.headers)
    assert head.content == b""


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_can_be_done(pages: TestClient, method: str) -> None:
    for path in ("/", "/boards/101", "/style.css"):
        page = pages.request(method, path)
        assert page.status_code == 405
        assert set(page.headers["Allow"].split(", ")) == {"GET", "HEAD"}
        assert "<h1>Method Not Allowed</h1>" in page.text


def test_a_finished_board_need_not_be_fetched_twice(pages: TestClient) -> None:
    page = pages.get("/boards/102/3")
    assert page.headers["Cache-Control"] == "public, max-age=600"
    again = pages.get("/boards/102/3", headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["ETag"] == page.headers["ETag"]
    assert pages.get("/boards/102/2").headers["ETag"] != page.headers["ETag"]


@pytest.mark.parametrize(
    "path", ["/", "/boards/101", "/boards/101/3", "/boards/101/picture.svg", "/boards/101/feed.atom", "/help/move"]
)
def test_nothing_is_drawn_or_written_for_who_has_it_already(
    filled: World, pages: TestClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = pages.get(path)
    made = list[object]()
    for owner, name in ((Renderer, "web"), (displays, "drawing"), (move_list, "events"), (BoardQueries, "entries")):
        monkeypatch.setattr(owner, name, lambda *args, **_: made.append(args))
    with browse(filled) as others:  # another process of the same program
        again = others.get(path, headers={"If-None-Match": page.headers["ETag"]})
    assert (again.status_code, again.content, made) == (304, b"", [])
    assert pages.get(path).content == page.content
    assert made == []


@pytest.mark.slow
def test_if_nothing_was_written_since_the_last_visit_nothing_is_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, searched = world.board("alice", "bob"), list[object]()
    with browse(world) as pages:
        paths = ("/players/bob", "/boards", f"/boards/{number}/feed.atom")
        before = [pages.get(path) for path in paths]
        with monkeypatch.context() as patched:
            for part, name in ((BoardListQueries, "search"), (BoardQueries, "find")):
                patched.setattr(part, name, lambda *args, **_: searched.append(args))
            again = [pages.get(path) for path in paths]
        assert [page.content for page in again] == [page.content for page in before]
        assert searched == []
        play_on(world, number, 1)
        assert all(pages.get(path).content != page.content for path, page in zip(paths, before, strict=True))


def _rename(world: World) -> None:
    bob = world.player("bob")
    world.act(lambda s: s.players.rename(bob.id, "bob", "robert"))


#: What changes a page besides the log of its board.
CHANGES: dict[str, tuple[str, Callable[[World], object]]] = {
    "rename": ("/boards/101", _rename),
    "vacation": ("/boards/101", lambda world: world.mail("bob", "set bob bob-secret vacation=auto")),
    "rating": ("/players/bob", lambda world: world.mail("bob", "tumble resign 101 bob bob-secret")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_page_has_another_tag_if_it_says_something_else(world: World, change: str) -> None:
    world.board("alice", "bob")
    path, do = CHANGES[change]
    with browse(world) as pages:
        before = pages.get(path)
        assert pages.get(path).headers["ETag"] == before.headers["ETag"]
        do(world)
        after = pages.get(path)
    assert before.text != after.text
    assert before.headers["ETag"] != after.headers["ETag"]


def test_other_templates_have_other_tags(filled: World, pages: TestClient, tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web/style.css").write_text("body { color: green }")
    with browse(filled, renderer=Renderer(str(tmp_path))) as others:
        for path in ("/style.css", "/boards/101"):
            tag = pages.get(path).headers["ETag"]
            assert others.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_a_running_board_is_asked_for_again(world: World) -> None:
    number = world.board("alice", "bob")
    with browse(world) as pages:
        page = pages.get(f"/boards/{number}")
        assert page.headers["Cache-Control"] == "public, max-age=15"
        play_on(world, number, 1)
        again = pages.get(f"/boards/{number}", headers={"If-None-Match": page.headers["ETag"]})
        assert again.status_code == 200
        assert "Ply 1 of 1" in again.text


def test_errors_are_not_kept(pages: TestClient) -> None:
    for path in ("/boards/999", "/boards/107"):
        assert pages.get(path).headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("asked", "language"),
    [("fr, de-AT;q=0.8, en;q=0.5", "de"), ("en, de", "en"), ("de;q=0, fr", "en"), ("de;q=x", "en"), ("", "en")],
)
def test_errors_are_in_the_language_of_the_browser(pages: TestClient, asked: str, language: str) -> None:
    page = pages.get("/boards/999", headers={"Accept-Language": asked})
    assert f'<html lang="{language}">' in page.text
    assert ("Es gibt keine Partie" in page.text, "There is no board" in page.text) == (
        language == "de",
        language == "en",
    )
    assert page.headers["Vary"] == "Accept-Language"


def test_the_host_of_a_request_is_nowhere_in_the_answer(pages: TestClient) -> None:
    for path in ("/", "/boards/", "/boards/101"):
        page = pages.get(path, headers={"Host": "evil.example"}, follow_redirects=False)
        assert "evil" not in page.text
        assert "Location" not in page.headers


def test_robots_may_read(pages: TestClient) -> None:
    assert pages.get("/robots.txt").text == "User-agent: *\nDisallow: /my/\nAllow: /"


@pytest.mark.both
def test_without_its_tables_it_says_so_in_a_page(world: World) -> None:
    with browse(world) as pages:
        with without_boards(world):
            page = pages.get("/")
        assert page.status_code == 503
        assert page.headers["Retry-After"] == "60"
        assert "The boards cannot be looked at just now." in page.text
        assert "gone" not in page.text
        assert "no-cache" in page.headers["Cache-Control"]
        assert "SELECT" not in page.text


def test_a_bug_is_said_without_its_words(world: World) -> None:
    number = world.board("alice", "bob")
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.board).values(position="{"))
    with browse(world, raise_server_exceptions=False) as pages:
        page = pages.get(f"/boards/{number}")
        assert page.status_code == 500
        assert "<h1>Internal Server Error</h1>" in page.text
        assert "Something went wrong here." in page.text
        assert "ValidationError" not in page.text
