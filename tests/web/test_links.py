"""A crawler: every link of every page leads somewhere."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urljoin

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from pbmserv.db import engines
from pbmserv.store import Readers
from pbmserv.web.app import PAGES
from tests.examples import SOAK
from tests.tools.tree import ROOT
from tests.web.browser import browse, links
from tests.web.filled import PRIVATE, fill
from tests.web.touching import HOME, own_page
from tests.world import World


def crawl(pages: TestClient, most: int) -> set[str]:
    """Follow the links from the first page, and return them. `most`: so many pages of a kind are opened."""
    linked, kinds, waiting = set[str](), Counter[str](), ["/"]
    while waiting:
        path = waiting.pop()
        kind = re.sub(r"(boards(?=/\d)|games|help|players|tournaments)/[^/.]+(/\d+)?", r"\1", path.partition("?")[0])
        if path in linked:
            continue
        linked.add(path)
        kinds[kind] += 1
        if kinds[kind] > most:
            continue
        page = pages.get(path, follow_redirects=False)
        assert page.status_code == 200, path
        if page.headers["Content-Type"].startswith("text/html"):
            assert page.text.count('id="main"') == 1
            waiting += [urljoin(path, link) for link in links(page)]
    return linked


@pytest.mark.slow
def test_every_link_leads_somewhere_and_every_kind_of_page_is_linked(world: World) -> None:
    fill(world)
    with browse(world) as pages:
        linked = crawl(pages, most=40 * SOAK)
    kinds = {path.partition("{")[0] for path in PAGES}
    assert all(any(x.startswith(kind) for x in linked) for kind in kinds)
    assert {f"/boards/101/{ply}" for ply in range(6)} <= linked
    assert not any(x.startswith("/boards/107") for x in linked)
    assert {"/players/alice", "/players/eve", "/games/3io/help", "/help/change%20password"} <= linked


@pytest.mark.postgresql
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_role_with_the_rights_that_the_page_names_is_enough(world: World) -> None:
    page = (ROOT / "docs" / "web.md").read_text()
    grants = re.findall(r"^GRANT .*;$", page, re.MULTILINE)
    world.allow(web_url=HOME, web_listener="smtp://127.0.0.1:1")
    fill(world)
    url = re.sub(r"//[^@]*@", "//pbmserv_web@", world.url)
    with role(world, "pbmserv_web", *grants), browse(world, url) as pages:
        crawl(pages, most=2)
        assert pages.get(own_page(world, PRIVATE, "alice")).status_code == 200
        readers = Readers(engines.connect_to_read(url))
        with readers.store() as store:
            assert store.mails.outcome("") is None
        readers.close()


@contextmanager
def role(world: World, name: str, *grants: str) -> Iterator[None]:
    """A PostgreSQL role that has only the rights that are granted to it."""
    for statement in (f"CREATE ROLE {name} LOGIN", *grants):
        with world.engine.begin() as connection:
            connection.execute(sa.text(statement))
    try:
        yield
    finally:
        with world.engine.begin() as connection:
            connection.execute(sa.text(f"DROP OWNED BY {name}; DROP ROLE {name}"))


def test_lists_are_cut_into_pages(world: World) -> None:
    world.signup("alice")
    for _ in range(3):
        world.mail("alice", "threes challenge alice")
    with browse(world) as pages, pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbmserv.web.boards.A_PAGE", 2)
        first = pages.get("/boards")
        listed = dict.fromkeys(x for x in links(first) if x[-1:].isdigit() and "before" not in x)
        assert list(listed) == ["/boards/103", "/boards/102"]
        assert "/boards?before=102" in links(first)
        last = pages.get("/boards?before=102")
        assert "/boards/101" in links(last)
        assert not any("before" in x for x in links(last))
