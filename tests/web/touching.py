"""A player who moves by touching: with the links of their own page, and with the mail that the last of them opens."""

import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import httpx2
from starlette.testclient import TestClient

from pbmserv.games.base import AnyGame, Game
from tests.world import World

HOME = "https://pbm.example.org"


@dataclass(frozen=True)
class Answer:
    """The mail that a link opens."""

    to: str
    subject: str
    line: str  #: the first line of its text


@dataclass(frozen=True)
class Touchable:
    """What one page offers to be touched."""

    cells: dict[str, str]  #: cells of the board that are links: name -> URI
    below: dict[str, str]  #: what links below the board say -> URI


def own_page(world: World, number: int, userid: str) -> str:
    """Return the path of a player's own page, as the player's letters have it."""
    row = world.row(number)
    seat = next(seat for seat, player in enumerate(row.players) if player.userid == userid)
    link = world.site.page(number, seat, row.players[seat])
    assert link.startswith(f"{HOME}/my/")
    return link.removeprefix(HOME)


def touchable(page: httpx2.Response) -> Touchable:
    """Return what can be touched on a page."""
    assert page.status_code == 200, page.text
    cells = re.findall(r'<a href="([^"]*)" aria-label="([^":]*)[^"]*" transform', page.text)
    below = "".join(re.findall(r'<p class="touched">(.*?)</p>', page.text, re.DOTALL))
    links = re.findall(r'<a class="[a-z]*" href="([^"]*)"(?: title="[^"]*")?>([^<]*)</a>', below)
    return Touchable({name: unescape(uri) for uri, name in cells}, {unescape(t): unescape(uri) for uri, t in links})


def answer(uri: str) -> Answer | None:
    """Return the mail that a link opens, or the line in the form that it fills; None if it opens another page."""
    parts = urlsplit(uri)
    if lines := parse_qs(parts.query).get("line"):
        return Answer("", "", lines[0])
    if parts.scheme != "mailto":
        return None
    fields = dict(part.split("=", 1) for part in parts.query.split("&"))
    body = unquote(fields["body"])
    assert body.endswith("\r\n\r\n")
    return Answer(unquote(parts.path), unquote(fields["subject"]), body.removesuffix("\r\n\r\n"))


def touch(pages: TestClient, path: str, game: AnyGame, move: str) -> Answer:
    """Make a move: touch its first and its last cell on the board, and what is below it only if there is a choice.

    In games whose cells can be touched in several orders, each cell is touched.
    """
    seen, cells = touchable(pages.get(path)), game.cells_of(move)
    if type(game).touch_orders is Game.touch_orders:
        cells = tuple(dict.fromkeys((*cells[:1], *cells[-1:])))
    for cell in cells:
        if cell not in seen.cells:  # several moves end here, or one has two meanings
            break
        if found := answer(seen.cells[cell]):
            assert found.line == move
            return found
        seen = touchable(pages.get(seen.cells[cell]))
    (found,) = (a for uri in seen.below.values() if (a := answer(uri)) and a.line == move)
    return found
