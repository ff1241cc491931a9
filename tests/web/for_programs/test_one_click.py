"""Letters are stopped with one click (RFC 8058): what the letters offer, and what the page does with a click."""

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.testclient import TestClient

from pbmserv.db import engines, tables
from pbmserv.letters.policy import Policy
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.outbound import CLICK, ONE_CLICK
from pbmserv.mail.signed_addresses import BOARD, BROADCASTS, CONFIRM, NEVER, OWN_MOVES, STOP, UNSUBSCRIBE
from pbmserv.store import Readers
from pbmserv.web.app import HANDING, THREADS, application
from pbmserv.web.own import handing
from pbmserv.web.own.handing import MOST_BYTES
from pbmserv.web.own.limits import CLICKS, MOVES, Posts, origin_of
from pbmserv.web.visit import Installation
from tests.commands.answers import to
from tests.tools.mail_program import Client, letters
from tests.tools.process import ADDRESS as REAL_ADDRESS
from tests.tools.process import Process
from tests.tools.warm import ForkedProcess
from tests.web.browser import browse, words
from tests.web.process import served
from tests.web.touching import HOME
from tests.world import Received, World

NOBODY = "smtp://127.0.0.1:1"  #: nothing listens there
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def watched(world: World) -> World:
    """Alice and bob play on board 101, carol has subscribed, and letters can be stopped with a click."""
    world.allow(web_url=HOME, web_listener=NOBODY)
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    world.board("alice", "bob")
    world.signup("carol")
    world.mail("carol", "tumble subscribe 101 carol carol-secret")
    world.letters()


@pytest.fixture
def pages(watched: World) -> Iterator[TestClient]:
    with browse(watched) as client:
        yield client


def link(letter: Received) -> str:
    """Return the path that a letter names beside the address."""
    url, by_mail = str(letter.message["List-Unsubscribe"]).split(", ")
    assert by_mail.startswith("<mailto:pbmserv+")
    assert letter.message["List-Unsubscribe-Post"] == ONE_CLICK
    assert url.startswith(f"<{HOME}/my/stop/")
    return url[1:-1].removeprefix(HOME)


def moved(world: World) -> list[Received]:
    return world.mail("alice", "tumble move 101 alice alice-secret a1-a2")


class TestLetters:
    def test_each_letter_that_can_be_stopped_names_the_page(self, watched: World) -> None:
        found = moved(watched)
        signed = watched.site.signer.signed
        player = {userid: watched.player(userid).id for userid in ("alice", "carol")}
        assert link(to(found, "carol")) == f"/my/stop/{signed(UNSUBSCRIBE, 101, player['carol'])}"
        assert link(to(found, "alice")) == f"/my/stop/{signed(STOP, player['alice'], OWN_MOVES)}"
        assert to(found, "bob").message["List-Unsubscribe-Post"] is None  # a letter about bob's own turn

    @pytest.mark.parametrize("setting", ["web_listener", "web_url"])
    def test_without_the_settings_they_name_only_the_address(self, watched: World, setting: str) -> None:
        watched.allow(**{setting: ""})
        copy = to(moved(watched), "carol").message
        assert str(copy["List-Unsubscribe"]).startswith("<mailto:")
        assert copy["List-Unsubscribe-Post"] is None

    def test_the_database_has_no_signature_of_a_link(self, watched: World) -> None:
        watched.mail("carol", "set carol carol-secret broadcasts=on")
        copy = to(watched.mail("alice", "broadcast alice alice-secret", "Who plays?"), "carol")
        assert link(copy).rpartition(".")[2] not in watched.dump()


class TestPage:
    @pytest.mark.parametrize(
        ("purpose", "numbers", "said"),
        [
            (UNSUBSCRIBE, (101, 3), "Do you want no more copies of the letters about board 101?"),
            (STOP, (1, OWN_MOVES), "Do you want no more letters about your own moves?"),
            (STOP, (1, BROADCASTS), "Do you want no more broadcasts?"),
            (NEVER, (7,), "Do you want no more invitations to your address?"),
        ],
    )
    def test_it_asks_before_it_does_anything(
        self, watched: World, pages: TestClient, purpose: str, numbers: tuple[int, ...], said: str
    ) -> None:
        before = watched.dump()
        path = f"/my/stop/{watched.site.signer.signed(purpose, *numbers)}"
        page = pages.get(path)
        assert page.status_code == 200
        assert said in words(page)
        assert f'<form method="post" action="{path}">' in page.text
        assert "form-action 'self'" in page.headers["Content-Security-Policy"]
        assert page.headers["Cache-Control"] == "private, no-store"
        assert page.headers["X-Robots-Tag"] == "noindex, nofollow"
        assert watched.dump() == before

    def test_a_link_that_we_did_not_sign_is_refused(self, watched: World, pages: TestClient) -> None:
        sign, mine = watched.site.signer.signed, link(to(moved(watched), "carol"))
        other = "a" if mine[-1] != "a" else "b"
        forged = [f"{mine[:-1]}{other}", mine[:-1], f"{mine}{other}", mine.replace("u101.", "u102."), "/my/stop/x"]
        forged += [f"/my/stop/{sign(BOARD, 101, 0, 0)}", f"/my/stop/{sign(CONFIRM, 1)}", f"/my/stop/{'u1.' * 50}"]
        for path in forged:
            for page in (pages.get(path), pages.post(path, content=ONE_CLICK, headers=FORM)):
                assert page.status_code == 404, path
                assert "This link is not complete, or it is none of ours." in words(page)

    def test_what_has_ended_says_so(self, watched: World, pages: TestClient) -> None:
        path = link(to(moved(watched), "carol"))
        watched.mail("carol", "signoff carol carol-secret")
        for page in (pages.get(path), pages.post(path, content=ONE_CLICK, headers=FORM)):
            assert page.status_code == 410
            assert "There is nothing to stop any more" in words(page)

    def test_where_the_operator_wants_none_there_is_none(self, watched: World) -> None:
        path = link(to(moved(watched), "carol"))
        watched.allow(web_listener="")
        with browse(watched) as pages:
            for page in (pages.get(path), pages.post(path, content=ONE_CLICK, headers=FORM)):
                assert page.status_code == 404
                assert "Write to the address that the letter names for it." in words(page)

    @pytest.mark.parametrize(
        ("body", "status", "said"),
        [
            ("", 400, "a mail program posts List-Unsubscribe=One-Click here"),
            ("List-Unsubscribe=1", 400, "a mail program posts List-Unsubscribe=One-Click here"),
            (f"{ONE_CLICK}{'x' * MOST_BYTES}", 413, "Nothing was done"),
        ],
    )
    def test_what_is_no_click_does_nothing(
        self, watched: World, pages: TestClient, body: str, status: int, said: str
    ) -> None:
        page = pages.post(link(to(moved(watched), "carol")), content=body, headers=FORM)
        assert page.status_code == status
        assert said in words(page)

    def test_if_the_server_is_away_it_says_so_and_too_many_clicks_are_refused(
        self, watched: World, pages: TestClient
    ) -> None:
        path = link(to(moved(watched), "carol"))
        found = [pages.post(path, content=ONE_CLICK, headers=FORM) for _ in range(CLICKS.of_link + 1)]
        assert [page.status_code for page in found] == [503] * CLICKS.of_link + [429]
        assert {page.headers["Retry-After"] for page in found} == {"60"}
        assert "Nothing was changed, because the server cannot be reached" in words(found[0])
        watched.now += timedelta(minutes=1)
        assert pages.post(path, content=ONE_CLICK, headers=FORM).status_code == 503

    def test_nothing_else_can_be_posted(self, watched: World, pages: TestClient) -> None:
        path = link(to(moved(watched), "carol"))
        for method in ("PUT", "PATCH", "DELETE"):
            assert pages.request(method, path).status_code == 405


def test_half_a_click_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handing, "BODY_SECONDS", 0.01)

    async def receive() -> NoReturn:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(HTTPException) as refused:
        asyncio.run(handing.read(Request({"type": "http", "method": "POST", "headers": []}, receive)))
    assert refused.value.status_code == 408


def test_all_links_together_have_a_limit_and_so_has_each_network() -> None:
    clicks, moves = Posts(CLICKS), Posts(MOVES)
    assert not any(clicks.are_too_many(f"u{n}", "192.0.2.0/24", 0.0) for n in range(CLICKS.of_all))
    assert clicks.are_too_many("another", "", 59.0)
    assert not clicks.are_too_many("another", "", 60.0)
    assert not any(moves.are_too_many(f"p{n}", "192.0.2.0/24", 0.0) for n in range(MOVES.of_origin))
    assert moves.are_too_many("another", "192.0.2.0/24", 0.0)
    assert not moves.are_too_many("another", "198.51.100.0/24", 0.0)
    assert not any(moves.are_too_many(f"q{n}", "", 0.0) for n in range(MOVES.of_origin + 1)), "nobody knows whose"


@pytest.mark.parametrize(
    ("peer", "forwarded", "origin"),
    [
        ("9.9.9.9", "", "9.9.9.0/24"),
        ("9.9.9.9", "198.51.100.1", "9.9.9.0/24"),  # written by the visitor
        ("127.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.0/24"),  # only the last is of our proxy
        ("127.0.0.1", "203.0.113.9\n198.51.100.1", "198.51.100.0/24"),  # some write it into a header of their own
        ("10.0.0.2", "2001:db8:1:2::3", "2001:db8:1::/48"),
        ("127.0.0.1", "", ""),
        ("127.0.0.1", "nonsense", ""),
    ],
)
def test_a_visitor_is_known_by_what_our_own_proxy_says(peer: str, forwarded: str, origin: str) -> None:
    headers = Headers(raw=[(b"x-forwarded-for", line.encode()) for line in forwarded.split("\n")])
    assert origin_of(peer, headers) == origin


class TestMailOfAClick:
    @pytest.mark.both
    def test_it_stops_the_letters_and_nobody_gets_an_answer(self, watched: World) -> None:
        address = watched.site.signer.sign(UNSUBSCRIBE, 101, watched.player("carol").id)
        for _ in range(2):
            assert watched.mail(CLICK, "unsubscribe", to=address) == []
        assert {x.to.partition("@")[0] for x in moved(watched)} == {"alice", "bob"}

    def test_of_a_closed_account_nobody_hears(self, watched: World) -> None:
        address = watched.site.signer.sign(STOP, watched.player("carol").id, BROADCASTS)
        watched.mail("carol", "signoff carol carol-secret")
        assert watched.mail(CLICK, "unsubscribe", to=address) == []

    def test_the_inviter_is_told_of_a_refusal_and_the_invited_person_gets_nothing(self, watched: World) -> None:
        invited = to(watched.mail("alice", "tumble challenge alice dora@example.org"), "dora")
        token = watched.site.signer.verify(link(invited).rpartition("/")[2])
        assert token
        found = watched.mail(CLICK, "unsubscribe", to=watched.site.signer.sign(NEVER, *token.numbers))
        assert [x.to for x in found] == ["alice@example.org"]


# --- with a server that listens ---------------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    with ForkedProcess(tmp_path, PBMSERV_WEB_URL=HOME, PBMSERV_WEB_LISTENER=NOBODY) as running:
        with Client(running) as client:
            client.ask("alice@example.org", "signup alice secret1")
        yield running
        running.stop()


def preference(server: Process) -> str:
    """Return what is stored about letters about alice's own moves."""
    [found] = server.query(lambda s: list(s.players.preferences([s.players.find("alice").id]).values()))
    return str(found.stored.get(("", "own"), ""))


def stop_link(server: Process) -> str:
    id_ = server.query(lambda s: s.players.find("alice").id)
    return f"/my/stop/{server.signer.signed(STOP, id_, OWN_MOVES)}"


@pytest.mark.slow
def test_clicks_of_one_minute_are_one_mail_that_is_carried_out_once(server: Process) -> None:
    policy = Policy(web_url=HOME, web_listener=f"smtp://127.0.0.1:{server.port}")
    engine = engines.connect_to_read(f"sqlite:///{server.folder}/var/pbmserv.db")
    site = Site(server.signer, policy=policy)
    seconds = (datetime(2026, 3, 1, 12, second=n, tzinfo=UTC) for n in count())
    before = len(letters(server, "alice@example.org"))
    place = Installation(Renderer(), REAL_ADDRESS, site)
    with TestClient(application(Readers(engine), place, lambda: next(seconds))) as pages:
        for _ in range(3):
            page = pages.post(stop_link(server), files={"List-Unsubscribe": (None, "One-Click")})  # as a multipart form
            assert page.status_code == 200
            assert "You get no more letters about your own moves. To get them again, send: set USERID" in words(page)
    with server.reader() as connection:
        found = connection.execute(sa.select(tables.mail.c.status).where(tables.mail.c.sender == CLICK)).all()
    assert [row.status for row in found] == ["done"]
    assert preference(server) == "off"
    assert len(letters(server, "alice@example.org")) == before


@pytest.mark.slow
def test_it_works_with_web_pages_in_a_process_of_their_own(server: Process) -> None:
    settings = {"PBMSERV_WEB_URL": HOME, "PBMSERV_WEB_LISTENER": f"smtp://127.0.0.1:{server.port}"}
    with served(server.folder, **settings) as url:
        parts = urlsplit(url)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        connection.request("POST", stop_link(server), ONE_CLICK, FORM)
        assert connection.getresponse().status == 200
        connection.close()
    assert preference(server) == "off"
    assert (server.folder / "web.log").read_text() == ""


@pytest.mark.slow
def test_who_hangs_up_in_the_middle_is_no_error_of_ours(server: Process) -> None:
    settings = {"PBMSERV_WEB_URL": HOME, "PBMSERV_WEB_LISTENER": NOBODY}
    with served(server.folder, **settings) as url:
        parts = urlsplit(url)
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=20) as half:
            half.sendall(f"POST {stop_link(server)} HTTP/1.1\r\nHost: x\r\nContent-Length: 26\r\n\r\nList".encode())
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        connection.request("GET", stop_link(server))
        assert connection.getresponse().status == 200
        connection.close()
    assert (server.folder / "web.log").read_text() == ""


@pytest.mark.slow
def test_if_the_mail_server_hangs_pages_go_on(watched: World) -> None:
    paths = [f"/my/stop/{watched.site.signer.signed(STOP, 1, what)}" for what in (OWN_MOVES, BROADCASTS)]
    with socket.create_server(("127.0.0.1", 0), backlog=THREADS) as hanging:
        watched.allow(web_url=HOME, web_listener=f"smtp://127.0.0.1:{hanging.getsockname()[1]}")
        with browse(watched) as pages, ThreadPoolExecutor(THREADS) as readers:

            def click(n: int) -> int:
                return pages.post(paths[n % 2], content=ONE_CLICK, headers=FORM).status_code

            clicks = [readers.submit(click, n) for n in range(THREADS)]
            taken = [hanging.accept()[0] for _ in range(HANDING)]
            assert pages.get("/").status_code == 200
            assert pages.post(paths[0], content=ONE_CLICK, headers=FORM).status_code == 503
            assert pages.get(paths[0]).status_code == 200
            for connection in taken:
                connection.close()
            assert {click.result() for click in clicks} == {503}
