"""Request the web pages of a world, without a network."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from typing import Any

import httpx2
import sqlalchemy as sa
from starlette.testclient import TestClient

from pbmserv.db import engines
from pbmserv.letters.text.templates import Renderer
from pbmserv.store import Readers
from pbmserv.web.app import application
from pbmserv.web.visit import Installation
from tests.world import ADDRESS, World


def browse(
    world: World,
    url: str = "",
    web_url: str = "",
    *,
    json_lists: bool = True,
    renderer: Renderer | None = None,
    **options: Any,
) -> TestClient:
    """A client of the pages, which read the world's database at `url` with read-only connections."""
    engine = engines.connect_to_read(url or world.url)
    policy = replace(world.site.policy, web_url=web_url or world.site.policy.web_url)
    site = replace(world.site, policy=policy) if policy.web_url else None
    place = Installation(
        renderer or world.site.renderer,
        ADDRESS,
        site,
        chosen=policy.games,
        json_lists=json_lists,
        acme_folder=policy.acme_folder,
    )
    app = application(Readers(engine), place, lambda: world.now)
    return TestClient(app, **options)


@contextmanager
def without_boards(world: World) -> Iterator[None]:
    """Hide the table of boards while the context lasts, as in the middle of a migration."""
    _execute(world, "ALTER TABLE board RENAME TO gone")
    try:
        yield
    finally:
        _execute(world, "ALTER TABLE gone RENAME TO board")


def _execute(world: World, statement: str) -> None:
    with world.engine.begin() as connection:
        connection.execute(sa.text(statement))


def words(page: httpx2.Response) -> str:
    """Return the text of a page on one line."""
    text = re.sub(r"</?(?:a|code|kbd|span|time)\b[^>]*>", "", page.text)  # inline elements
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def diagram(page: httpx2.Response) -> str:
    """Return the diagram of the board."""
    found = re.search(r'<div class="fixed board [^>]*><pre>(.*?)</pre>', page.text, re.DOTALL)
    assert found, page.text
    return unescape(found[1])


def links(page: httpx2.Response) -> list[str]:
    """Return all links of the page and all that it loads, without mail addresses and links within the page."""
    found = map(unescape, re.findall(r'(?:href|src)="([^"]*)"', page.text))
    return [x for x in found if not x.startswith(("mailto:", "#"))]
