"""Methods, headers, caching, errors."""

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from pbmserv.db import tables
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
