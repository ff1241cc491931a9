"""What others show of a board whose link somebody shares."""

import re
from collections.abc import Iterator
from html import unescape
from xml.etree import ElementTree

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tests.web.browser import browse
from tests.web.filled import PRIVATE
from tests.world import World

HOME = "https://pbm.example.org"


@pytest.fixture(scope="module")
def at_home(filled: World) -> Iterator[TestClient]:
    """The pages of a server that knows where browsers reach it."""
    with browse(filled, web_url=HOME) as client:
        yield client


def properties(page: Response) -> dict[str, str]:
    """Return what the page says about itself to other sites."""
    return {
        name: unescape(text) for name, text in re.findall(r'<meta property="([^"]*)" content="([^"]*)">', page.text)
    }


def test_a_board_has_a_preview(at_home: TestClient) -> None:
    found = properties(at_home.get("/boards/101/2"))
    assert found == {
        "og:site_name": "PBM Server",
        "og:type": "website",
        "og:title": "Tumbling Down board 101: alice, bob",
        "og:description": "After ply 2. To move: alice, ply 3.",
        "og:url": f"{HOME}/boards/101/2",
        "og:image": f"{HOME}/boards/101/2/picture.png",
        "og:image:type": "image/png",
        "og:image:alt": "Tumbling Down board 101: alice, bob",
    }
    png = at_home.get("/boards/101/2/picture.png")
    assert png.headers["Content-Type"] == "image/png"
    assert png.content.startswith(b"\x89PNG\r\n\x1a\n")


def test_without_the_place_no_page_and_no_picture_is_named(pages: TestClient) -> None:
    found = properties(pages.get("/boards/101"))
    assert found["og:title"] == "Tumbling Down board 101: alice, bob"
    assert not {"og:url", "og:image"} & set(found)
    assert "canonical" not in pages.get("/boards/101").text


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_picture_loads_nothing_and_others_may_show_it(pages: TestClient, ending: str) -> None:
    picture = pages.get(f"/boards/101/picture.{ending}")
    assert picture.headers["Content-Security-Policy"] == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
    )
    assert picture.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    again = pages.get(f"/boards/101/picture.{ending}", headers={"If-None-Match": picture.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("number", [101, 102, 103, 104, 105, 106])
def test_an_svg_stands_alone(pages: TestClient, number: int) -> None:
    answer = pages.get(f"/boards/{number}/picture.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    picture = ElementTree.fromstring(answer.content)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert int(str(picture.get("width"))) > 0
    assert int(str(picture.get("height"))) > 0
    assert "currentColor" not in answer.text
    assert not re.search(r"<(script|style|image|foreignObject)|href=(?!\"#)|url\(", answer.text)


def test_pictures_show_their_ply(pages: TestClient) -> None:
    assert pages.get("/boards/101/5/picture.svg").content == pages.get("/boards/101/picture.svg").content
    assert pages.get("/boards/101/4/picture.svg").content != pages.get("/boards/101/picture.svg").content
    assert pages.get("/boards/101/9/picture.svg").status_code == 404


def test_private_boards_have_no_pictures_for_others(pages: TestClient) -> None:
    for path in ("picture.svg", "picture.png", "1/picture.svg", "1/picture.png"):
        assert pages.get(f"/boards/{PRIVATE}/{path}").status_code == 403
