"""Chromium plays a move on a player's own page: with our script, by touching and by dragging."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.mail_program import Client
from tests.tools.process import Process, until
from tests.tools.warm import ForkedProcess
from tests.web.chromium import PROGRAM, Tab, tab
from tests.web.own.sending import begin, page_of
from tests.web.process import served

pytestmark = [pytest.mark.slow, pytest.mark.skipif(PROGRAM is None, reason="no Chromium")]
#: Where a cell is in the window.
_MIDDLE = """cell => {
    const link = document.querySelector(`#board svg a[aria-label^="${cell}"], #board svg g[aria-label^="${cell}"]`);
    const box = link.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
#: What a page keeps as long as it is not loaded anew.
_MARK = "window.before = 'the same page'"
_TOUCH_AND_SEND = """
    document.querySelector("#board svg a").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    document.querySelector(".send button").click();
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with ForkedProcess(tmp_path_factory.mktemp("server"), PBMSERV_WEB_URL="http://127.0.0.1:1") as running:
        with Client(running) as client:
            for userid in ("alice", "bob"):
                client.ask(f"{userid}@example.org", f"signup {userid} secret1")
        yield running
        running.stop()


def settings_of(server: Process) -> dict[str, str]:
    """Return the settings of pages that hand what is posted to the server."""
    return {"PBMSERV_WEB_URL": "http://127.0.0.1:1", "PBMSERV_WEB_LISTENER": f"smtp://127.0.0.1:{server.port}"}


def shows(page: Tab, expression: str) -> Any:
    """Wait until an expression is true in a page."""
    return until(lambda: page.evaluate(expression))


def touch(page: Tab, cell: str) -> None:
    """Touch a cell."""
    place = page.evaluate(f"(({_MIDDLE})('{cell}'))")
    for what in ("mousePressed", "mouseReleased"):
        page.mouse(what, *place)


def drag(page: Tab, start: str, goal: str) -> None:
    """Move the mouse from one cell to another with its button down."""
    places = [page.evaluate(f"(({_MIDDLE})('{cell}'))") for cell in (start, goal)]
    page.mouse("mousePressed", *places[0])
    page.mouse("mouseMoved", places[0][0] + 12, places[0][1])
    shows(page, "location.search.includes('from=')")
    page.mouse("mouseMoved", *places[1])
    page.mouse("mouseReleased", *places[1])


def test_it_touches_drags_sends_and_hears_of_the_others(server: Process, tmp_path: Path) -> None:
    number = begin(server)
    with served(server.folder, **settings_of(server)) as url, tab(tmp_path / "profile") as page:
        page.resize(800)
        page.open(url + page_of(server, number, "alice"))
        page.evaluate(_MARK)
        page.evaluate("document.querySelector('[name=comment]').value = 'Good luck'")
        touch(page, "e2")
        shows(page, "document.querySelector('.step').textContent.includes('E2 is chosen')")
        drag(page, "d2", "d4")
        shows(page, "document.querySelector('[name=line]').value === 'd4'")
        assert page.evaluate("document.querySelector('[name=comment]').value") == "Good luck"
        page.evaluate(_TOUCH_AND_SEND)
        shows(page, "document.querySelector('.told')?.textContent === 'Done: d4'")
        send_as_bob(server, number)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        shows(page, "document.querySelector('.lead').textContent === 'Your move, alice.'")
        assert page.evaluate("window.before") == "the same page"
        page.evaluate("window.fetch = async () => new Response('Bad Gateway', { status: 502 })")
        touch(page, "e2")
        shows(page, "document.querySelector('.step')?.textContent.includes('E2 is chosen')")
        assert page.complaints == []
        hears_in_the_list_of_boards(server, number, page, url)
    server.verify()


def test_without_scripts_the_first_window_says_what_became_of_what_was_sent(server: Process, tmp_path: Path) -> None:
    number = begin(server)
    with served(server.folder, **settings_of(server)) as url, tab(tmp_path / "profile") as page:
        page.allow_scripts(allowed=False)
        page.resize(360, 640)
        page.open(url + page_of(server, number, "alice"))
        for what in ("svg a[aria-label^=e2]", "svg a[aria-label^=e4]", ".send button"):
            page.click(f"#board {what}")
        assert page.evaluate("document.querySelector('.told').textContent") == "Done: e4"
        assert page.evaluate("document.querySelector('.told').getBoundingClientRect().top") > 0


def hears_in_the_list_of_boards(server: Process, number: int, page: Tab, url: str) -> None:
    with Client(server) as client:
        told = client.ask("bob@example.org", "set bob secret1 page=on")
        page.open(f"{url}/my/{told.partition('/my/')[2].split()[0]}")
        page.evaluate(_MARK)
        assert "No board waits for you." in page.evaluate("document.body.textContent")
        client.ask("alice@example.org", f"chess move {number} alice secret1 e4")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    shows(page, "!document.body.textContent.includes('No board waits for you.')")
    assert page.evaluate("window.before") == "the same page"


def send_as_bob(server: Process, number: int) -> None:
    with Client(server) as client:
        client.ask("bob@example.org", f"chess move {number} bob secret1 d5")
