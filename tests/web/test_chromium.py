"""The pages in a real browser: they load without errors, their links work, and they fit on a phone."""

from collections.abc import Iterator

import pytest

from pbmserv.games import GAMES
from tests.examples import some_of
from tests.web.chromium import PROGRAM, Tab, tab
from tests.web.filled import fill
from tests.web.process import served
from tests.world import World

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here (Debian: apt-get install chromium)"),
]

NARROW, WIDE = 320, 1200
PAGES = [
    *("/", "/boards", "/boards/finished", "/boards/101", "/boards/101/3", "/boards/101?display=spoken", "/boards/103"),
    *("/boards/104/7", "/boards/105", "/boards/106?display=m", "/players/alice", "/players/carol", "/games/town"),
    *("/games/tumble/standings", "/games/threes/standings", "/help", "/help/commands", "/help/tutorial", "/help/move"),
    *("/games/tumble/help", "/games/3io/help", "/games/threes/help", "/games/town/help", "/games/trippples/help"),
]
#: The smallest contrast between the text of an element and its background, by WCAG 2.2.
CONTRAST = """(() => {
    const parts = c => c.match(/[\\d.]+/g).map(Number);
    const light = c => parts(c).slice(0, 3).map(x => x / 255).map(
        x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4
    ).reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = e => { for (; e; e = e.parentElement) {
        const c = getComputedStyle(e).backgroundColor; if (parts(c)[3] !== 0) return c } return 'rgb(255, 255, 255)' };
    const ratio = e => { const [a, b] = [getComputedStyle(e).color, behind(e)].map(light).sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05) };
    return Math.min(...[...document.body.querySelectorAll('*')].filter(e => e.textContent.trim()).map(ratio)) })()"""

#: Where the texts end of each line that says who has which seat.
BOTTOMS = """[...document.querySelectorAll('.seats li')].map(line => [...line.childNodes].map(part => {
    const range = document.createRange(); range.selectNodeContents(part.firstChild ?? part);
    return range.getBoundingClientRect().bottom }).filter(bottom => bottom > 0))"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the pages of a filled server."""
    folder = tmp_path_factory.mktemp("pages")
    world = World(folder)
    fill(world)
    world.engine.dispose()
    with served(folder, PBMSERV_DATABASE_URL=world.url) as place:
        yield place


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """One tab for all tests."""
    with tab(tmp_path_factory.mktemp("chromium")) as page:
        yield page


# tests/looks measures all of them.
@pytest.mark.parametrize("path", PAGES[::4])
def test_a_page_fits_and_loads_without_complaint(browser: Tab, url: str, path: str) -> None:
    browser.complaints.clear()
    for width in (NARROW, WIDE):
        browser.resize(width)
        browser.open(f"{url}{path}")
        assert browser.evaluate("document.documentElement.scrollWidth") <= width
        assert browser.evaluate("document.styleSheets[0].cssRules.length") > 20
    assert browser.complaints == []


@pytest.mark.parametrize("path", PAGES[::5])
def test_words_stand_out_in_the_light_and_in_the_dark(browser: Tab, url: str, path: str) -> None:
    browser.resize(WIDE)
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        browser.open(f"{url}{path}")
        assert browser.evaluate(CONTRAST) >= 4.5, scheme
    browser.prefer("light")


@pytest.mark.parametrize("path", ["/boards/101?display=h", "/boards/105?display=text", "/boards/106?display=m"])
def test_a_text_diagram_is_never_too_small_to_be_read(browser: Tab, url: str, path: str) -> None:
    for width in (NARROW, WIDE):
        browser.resize(width)
        browser.open(f"{url}{path}")
        assert browser.evaluate("parseFloat(getComputedStyle(document.querySelector('.board pre')).fontSize)") >= 11
        assert browser.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_screen_of_a_phone_says_what_this_is_how_to_begin_and_what_goes_on(browser: Tab, url: str) -> None:
    browser.resize(360, 640)
    browser.open(f"{url}/")
    for what in ("h1", ".call", ".live img"):
        box = browser.evaluate(f"document.querySelector('{what}').getBoundingClientRect().toJSON()")
        assert 0 <= box["top"] < box["bottom"] <= 640, what
    assert browser.evaluate("document.querySelector('.live img').naturalWidth") > 0


def test_a_link_stands_on_the_line_of_its_text(browser: Tab, url: str) -> None:
    browser.resize(WIDE)
    browser.open(f"{url}/boards/101")
    for texts in browser.evaluate(BOTTOMS):
        assert max(texts) - min(texts) < 0.25


def test_every_square_of_a_help_page_is_shown(browser: Tab, url: str) -> None:
    hidden = "[...document.querySelectorAll('td')].filter(e => getComputedStyle(e).display === 'none').length"
    for width in (NARROW, WIDE):
        browser.resize(width)
        for key in (game.info.key for game in some_of(GAMES, 4)):
            browser.open(f"{url}/games/{key}/help")
            assert browser.evaluate(hidden) == 0, key


def test_one_can_walk_through_a_board(browser: Tab, url: str) -> None:
    browser.resize(NARROW)
    browser.open(f"{url}/")
    browser.click('a[href="/boards/101"]')
    seen = []
    while browser.evaluate("document.querySelector('a[rel=prev]') !== null"):
        seen.append(browser.evaluate("document.querySelector('.here').textContent"))
        browser.click("a[rel=prev]")
    assert seen == [f"Ply {ply} of 5" for ply in (5, 4, 3, 2, 1)]
    assert browser.evaluate("location.pathname") == "/boards/101/0"
    browser.click("a[rel=next]")
    assert browser.evaluate("document.querySelector('[aria-current=true] , .moves [aria-current]') !== null")
    assert browser.evaluate("location.pathname") == "/boards/101/1"
    browser.click(".moves li:last-child a")
    assert browser.evaluate("location.pathname") == "/boards/101/5"


def test_the_keyboard_finds_the_page_first(browser: Tab, url: str) -> None:
    browser.open(f"{url}/boards/101")
    first = "[...document.querySelectorAll('a, [tabindex=\"0\"]')][0]"
    assert browser.evaluate(f"{first}.getAttribute('href')") == "#main"
    assert browser.evaluate(f"{first}.focus(), {first}.getBoundingClientRect().left >= 0") is True
    headings = browser.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(h => h.tagName).join(' ')")
    assert headings == "H1 H2 H2"
