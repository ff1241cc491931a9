"""`pbmserv health` asks each part that should run, and nothing else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from pbmserv.letters.waiting import relay_trouble
from pbmserv.model.operations import LAST_RUN
from tests.tools.command_line import admin, told
from tests.world import World

MAILBOX = {"PBMSERV_MAILBOX": "imap://club@127.0.0.1:1", "PBMSERV_MAILBOX_PASSWORD": "none"}


@pytest.fixture
def running(world: World) -> World:
    """A server whose clock runs, with letters that wait since a minute."""
    world.now = datetime.now(UTC) - timedelta(minutes=1)
    world.board("alice", "bob")
    world.act(lambda store: store.operations.set_fact(LAST_RUN, repr(world.now.timestamp())))
    return world


def parts(world: World, *words: str, code: int, **settings: str) -> dict[str, str]:
    """Return what is said of each part."""
    found = told(world, "health", *words, code=code, **settings)
    assert found["ok"] is (code == 0)
    return dict(found["parts"])


def test_every_part_works(running: World) -> None:
    assert parts(running, code=0) == dict.fromkeys(("listener", "sender", "clock", "robots"), "")
    assert admin(running, "health", "--roles", "clock,sender").stdout == "clock     works\nsender    works\n"


@pytest.mark.parametrize(
    ("part", "says", "settings"),
    [
        ("listener", "Nobody answers at smtp://127.0.0.1:1", {"PBMSERV_LISTEN": "smtp://127.0.0.1:1"}),
        ("sender", "and nobody has taken it", {}),
        ("clock", "The clock ran last 3 h ago", {}),
        ("mailbox", "club@127.0.0.1/INBOX was never reached", MAILBOX),
    ],
)
def test_a_part_that_does_not_work_is_named(world: World, part: str, says: str, settings: dict[str, str]) -> None:
    world.now = datetime.now(UTC) - timedelta(hours=3, minutes=5)
    world.board("alice", "bob")
    world.act(lambda store: store.operations.set_fact(LAST_RUN, repr(world.now.timestamp())))
    found = parts(world, "--roles", part, code=1, **settings)
    assert found.keys() == {part}
    assert says in found[part]


def test_a_limit_of_the_relay_is_no_trouble_of_the_sender(world: World) -> None:
    world.now = datetime.now(UTC) - timedelta(hours=3, minutes=5)
    world.board("alice", "bob")
    world.act(lambda store: relay_trouble.note(store, "450 4.7.1 daily limit", datetime.now(UTC)))
    assert parts(world, "--roles", "sender", code=0) == {"sender": ""}


@contextmanager
def pages(status: int) -> Iterator[str]:
    """A server that answers the one question that it gets. Yields its place."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/boards" else 404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        thread.join()
        server.server_close()


def test_the_pages_are_asked_for_alone(world: World) -> None:
    with pages(200) as place:
        assert parts(world, "--web", place, code=0) == {"web": ""}
    with pages(503) as place:
        assert parts(world, "--web", place, code=1) == {"web": f"The pages at {place} answer with 503"}
    assert "Nobody answers at 127.0.0.1:1" in parts(world, "--web", "127.0.0.1:1", code=1)["web"]
