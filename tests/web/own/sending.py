"""Players who move on their own pages: the forms of the pages, and a server that listens."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from secrets import token_hex

import httpx2
from starlette.testclient import TestClient

from pbmserv.db import engines
from pbmserv.letters.policy import Policy
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.store import Readers
from pbmserv.web.app import application
from pbmserv.web.own.limits import MOVES, Limits, Posts
from pbmserv.web.visit import Installation
from tests.tools.mail_program import Client
from tests.tools.process import ADDRESS, Process
from tests.web.touching import HOME

NOBODY = "smtp://127.0.0.1:1"  #: nothing listens there


@contextmanager
def playing(server: Process, listener: str = "", limits: Limits = MOVES) -> Iterator[TestClient]:
    """Yield a client of pages that hand to a listener, usually that of the server, what is posted."""
    site = site_of(server, listener or f"smtp://127.0.0.1:{server.port}")
    engine = engines.connect_to_read(f"sqlite:///{server.folder}/var/pbmserv.db")
    place = Installation(site.renderer, ADDRESS, site, moves=Posts(limits))
    with TestClient(application(Readers(engine), place)) as pages:
        yield pages


def site_of(server: Process, listener: str) -> Site:
    return Site(server.signer, Renderer(), policy=Policy(web_url=HOME, web_listener=listener))


def begin(server: Process, game: str = "chess", players: str = "alice bob", options: str = "") -> int:
    """Begin a board, and return its number. It is there when the mail is accepted, long before its letters are sent."""
    with Client(server) as client:
        words = f"{game} challenge {players} {options}".strip()
        client.send("alice@example.org", words, token_hex(8))  # the same mail would count once
    found: int = server.query(lambda store: max(b.number for b in store.board_lists.search(limit=1)))
    return found


def page_of(server: Process, number: int, userid: str) -> str:
    """Return the path of a player's own page."""
    row = server.query(lambda store: store.boards.find(number, lock=False))
    seat = next(seat for seat, player in enumerate(row.players) if player.userid == userid)
    return site_of(server, NOBODY).page(number, seat, row.players[seat]).removeprefix(HOME)


def form(page: httpx2.Response) -> dict[str, str]:
    """Return what a browser would post of the form of a page, if its reader changed nothing."""
    (found,) = re.findall(r'<form class="send".*?</form>', page.text, re.DOTALL)
    fields = dict(re.findall(r'<input(?: type="hidden")? name="(\w+)" value="([^"]*)"', found))
    fields |= dict(re.findall(r'<textarea name="(\w+)"[^>]*>(.*?)</textarea>', found, re.DOTALL))
    return {name: unescape(value) for name, value in fields.items()}


def send(pages: TestClient, path: str, line: str = "", **fields: str) -> httpx2.Response:
    """Fill the form of a page and send it. `verb`: the word whose form it is."""
    query = {name: fields[name] for name in ("verb",) if name in fields}
    filled = form(pages.get(path, params=query)) | ({"line": line} if line else {}) | fields
    return pages.post(path, data=filled)
