"""`POST /inbound`: which posts are mails of the provider, with which envelope they go on, and what it is told."""

import asyncio
import hmac
import json
import re
import threading
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

import httpx2
import pytest
import structlog
from starlette.testclient import TestClient

from pbmserv.config import Config
from pbmserv.db import engines
from pbmserv.mail.duplicates import POSTED, POSTED_WITHIN
from pbmserv.mail.signed_addresses import PROOF, Signer
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES
from pbmserv.server.chores.housekeeping import Housekeeping
from pbmserv.store import Readers
from pbmserv.web.app import application
from pbmserv.web.for_programs.posted_mails import MOST_AT_ONCE, MOST_BYTES, PATIENCE, PROVIDERS, Door
from pbmserv.web.visit import Installation
from tests.inbox.mails import message
from tests.tools.aio import in_loop, until
from tests.tools.process import ADDRESS as REAL_ADDRESS
from tests.tools.sink import DISCONNECT, Sink, in_thread
from tests.tools.warm import ForkedProcess
from tests.web.process import served
from tests.world import ADDRESS, KEY, World

SECRET = "a-secret-of-20-chars"
NOW = 1_800_000_000
SIGNED = Signer(ADDRESS, KEY).answer(101, 0, 0, None)
MAIL = b"Return-Path: <eve@example.org>\r\nFrom: x@example.org\r\n\r\n.h4-g5t \xc3\xa9\r\n"
BOUND = "----x"


class Post(NamedTuple):
    """What a provider posts."""

    body: bytes
    headers: dict[str, str]
    path: str = "/inbound"


def login(password: str = SECRET) -> dict[str, str]:
    return {"Authorization": "Basic " + b64encode(f"pbmserv:{password}".encode()).decode()}


def postmark(mail: bytes = MAIL, to: str = SIGNED, **headers: str) -> Post:
    data = {"From": "x@example.org", "OriginalRecipient": to, "TextBody": "…", "RawEmail": mail.decode()}
    return Post(json.dumps(data).encode(), login() | headers)


def mailgun(
    mail: bytes = MAIL,
    at: int = NOW,
    once: str = "t1",
    key: str = SECRET,
    *,
    parts: bool = False,
    sender: str = "alice@example.org",
) -> Post:
    signature = hmac.new(key.encode(), f"{at}{once}".encode(), sha256).hexdigest()
    named = {"recipient": f"{ADDRESS},{SIGNED}", "sender": sender, "timestamp": str(at), "token": once}
    fields = {
        **{name: value.encode() for name, value in named.items()},
        "signature": signature.encode(),
        "body-mime": mail,
    }
    if not parts:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return Post(urlencode(fields).encode(), kind, "/inbound/mime")
    written = [f'Content-Disposition: form-data; name="{n}"\r\n\r\n'.encode() + v + b"\r\n" for n, v in fields.items()]
    body = b"".join(f"--{BOUND}\r\n".encode() + part for part in written) + f"--{BOUND}--\r\n".encode()
    return Post(body, {"Content-Type": f'multipart/form-data; boundary="{BOUND}"'}, "/inbound/mime")


def ses(mail: bytes = MAIL, encoding: str = "BASE64", *, raw: bool = False) -> Post:
    content = b64encode(mail).decode() if encoding == "BASE64" else mail.decode()
    receipt = {"recipients": [ADDRESS, SIGNED], "action": {"type": "SNS", "encoding": encoding}}
    notice = {
        "notificationType": "Received",
        "mail": {"source": "alice@example.org"},
        "receipt": receipt,
        "content": content,
    }
    data = notice if raw else {"Type": "Notification", "Message": json.dumps(notice)}
    return Post(json.dumps(data).encode(), login())


@pytest.fixture
def sink() -> Iterator[Sink]:
    with in_thread(Sink()) as sink:
        yield sink


@pytest.fixture
def door(sink: Sink) -> Door:
    return Door("postmark", SECRET, Signer(ADDRESS, KEY), f"smtp://127.0.0.1:{sink.port}", lambda: NOW)


def posted(world: World, door: Door, *posts: Post) -> list[int]:
    """Post these things, one after the other, and return the status of each answer."""
    app = application(
        Readers(engines.connect_to_read(world.url)), Installation(world.site.renderer, ADDRESS), door=door
    )
    with TestClient(app) as client:
        return [client.post(p.path, content=p.body, headers=p.headers).status_code for p in posts]


@pytest.mark.parametrize(
    ("provider", "post", "sender"),
    [
        ("postmark", postmark(), "eve@example.org"),  # it does not tell
        ("mailgun", mailgun(), "alice@example.org"),
        ("mailgun", mailgun(MAIL + b"\xe9\x00\r\n", parts=True), "alice@example.org"),
        ("mailgun", mailgun(sender=""), ""),
        ("ses", ses(), "alice@example.org"),
        ("ses", ses(encoding="UTF8"), "alice@example.org"),
        ("ses", ses(raw=True), "alice@example.org"),
    ],
)
def test_each_form_is_read(world: World, sink: Sink, door: Door, provider: str, post: Post, sender: str) -> None:
    """The signed address comes first, and the mail is as it was, byte for byte, below what proves it."""
    assert posted(world, replace(door, provider=provider), post) == [200]
    (letter,) = sink.letters
    assert (letter.mail_from, letter.recipient) == (sender, SIGNED)
    assert re.sub(rb"\AX-Pbmserv-Posted: f18.*\r\n", b"", letter.data) in (MAIL, MAIL + b"\xe9\x00\r\n")


def test_what_was_forwarded_to_the_provider_has_its_address_in_the_headers(
    world: World, sink: Sink, door: Door
) -> None:
    mail = f"Delivered-To: {SIGNED}\r\n\r\n".encode()
    assert posted(world, door, postmark(mail, to="0123abcd@inbound.postmarkapp.com")) == [200]
    assert [letter.recipient for letter in sink.letters] == [SIGNED]


@pytest.mark.parametrize(
    ("provider", "posts", "statuses"),
    [
        (
            "postmark",
            [postmark()._replace(headers=login("another-secret-word")), postmark(Authorization="Basic x")],
            [403, 403],
        ),
        ("postmark", [postmark(Authorization=""), postmark(Authorization=f"Bearer {SECRET}")], [401, 401]),
        ("ses", [ses()._replace(headers={})], [401]),
        ("mailgun", [mailgun(key="another-secret-word"), mailgun()._replace(body=b""), postmark()], [403, 403, 403]),
        ("mailgun", [mailgun(at=NOW - POSTED_WITHIN), mailgun(at=NOW + 3600)], [403, 403]),
        ("postmark", [postmark(b"x" * MOST_MESSAGE_BYTES + b"y"), postmark(b"x" * MOST_BYTES)], [413, 413]),
        ("postmark", [Post(b"{}", login()), Post(b"no JSON", login()), Post(b"[" * 9999, login())], [503, 503, 503]),
        ("ses", [Post(b"", login()), Post(b'{"notificationType": "Received"}', login())], [503, 503]),
        ("mailgun", [mailgun(b"")], [503]),
    ],
)
def test_nothing_else_goes_on(
    world: World, sink: Sink, door: Door, provider: str, posts: list[Post], statuses: list[int]
) -> None:
    assert posted(world, replace(door, provider=provider), *posts) == statuses
    assert sink.letters == []


@pytest.mark.slow
@pytest.mark.both
def test_a_signature_is_good_for_one_mail_in_whatever_process(world: World, sink: Sink, door: Door) -> None:
    """The pages keep nothing in their memory: each post here comes to a process that has just started."""
    world.signup("alice", "bob")

    def challenged(number: int, above: bytes = b"", **signature: Any) -> list[int]:
        mail = above + message("alice", "tumble challenge alice bob", number=number)
        assert posted(world, replace(door, provider="mailgun"), mailgun(mail, **signature)) == [200]
        letter = sink.letters.pop()
        world.bytes(letter.data, ADDRESS, letter.mail_from)
        return list(world.query(lambda s: s.board_lists.numbers()))

    def kept() -> int:
        Housekeeping(world.engine, world.site, lambda: world.now).keep()
        return world.query(lambda s: len(s.mailboxes.taken(POSTED, NOW)) + len(s.mailboxes.taken(POSTED, NOW - 1)))

    assert challenged(1) == challenged(1) == [101]
    assert challenged(2) == [101]
    assert challenged(2, b" is folded\r\n") == [101]
    assert challenged(3, once="t2") == [101, 102]
    assert challenged(1, once="t3") == [101, 102]  # the provider signs anew when it tries again
    assert challenged(4, at=NOW - 1) == [101, 102, 103]
    forged = message("alice", "tumble challenge alice bob", number=5)
    world.bytes(f"{POSTED}: {Signer(ADDRESS, b'another key').signed(PROOF, NOW, 7)}\r\n".encode() + forged)
    assert len(world.query(lambda s: s.board_lists.numbers())) == 4
    world.now = datetime.fromtimestamp(NOW - 1 + POSTED_WITHIN, UTC)
    assert kept() == 4
    world.now += timedelta(seconds=1)
    assert kept() == 3


@pytest.mark.parametrize(
    ("stage", "reply", "status"),
    [
        ("final", "552 5.3.4 Too large", 413),
        ("final", "550 5.6.0 Lines must end with CR LF", 406),
        ("final", "451 4.3.0 Not now", 503),
        ("MAIL", "452 4.3.1 Too busy", 503),
        ("CONNECT", DISCONNECT, 503),
    ],
)
def test_what_the_server_says(world: World, sink: Sink, door: Door, stage: str, reply: str, status: int) -> None:
    sink.break_at(stage, reply)
    assert posted(world, door, postmark()) == [status]
    sink.break_at()
    assert posted(world, door, postmark()) == [200]


def test_a_sender_that_cannot_be_written_is_refused_for_good(world: World, sink: Sink, door: Door) -> None:
    assert posted(world, replace(door, provider="mailgun"), mailgun(sender="j\xf6rg@example.org")) == [406]
    assert sink.letters == []


def test_one_form_at_a_time_is_read(world: World, sink: Sink, door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a signature is checked, what a stranger posts takes 80 times as much memory."""
    reading, most = set[int](), 0

    def read(*post: object) -> None:
        nonlocal most
        reading.add(threading.get_ident())
        time.sleep(0.05)
        most = max(most, len(reading))
        reading.discard(threading.get_ident())

    monkeypatch.setitem(PROVIDERS, "mailgun", PROVIDERS["mailgun"]._replace(read=read))
    place = Installation(world.site.renderer, ADDRESS)
    app = application(Readers(engines.connect_to_read(world.url)), place, door=replace(door, provider="mailgun"))
    with TestClient(app) as client, ThreadPoolExecutor(4) as pool:
        assert {answer.status_code for answer in pool.map(client.post, ["/inbound"] * 4)} == {200}
    assert most == 1


@in_loop
async def test_slow_posts_make_room(world: World, door: Door) -> None:
    """Who does not know the secret can begin posts and send nothing more."""
    begun, times = 0, [float(NOW)]

    async def slow() -> AsyncIterator[bytes]:
        nonlocal begun
        yield b"body-mime="
        begun += 1
        await asyncio.Event().wait()

    door = replace(door, provider="mailgun", clock=lambda: times[0])
    app = application(
        Readers(engines.connect_to_read(world.url)), Installation(world.site.renderer, ADDRESS), door=door
    )
    post = mailgun()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="https://pbm.example.org") as client:
        send = partial(client.post, post.path, headers=post.headers)
        strangers = [asyncio.create_task(send(content=slow())) for _ in range(MOST_AT_ONCE)]
        await until(lambda: begun == MOST_AT_ONCE)
        assert (await send(content=post.body)).status_code == 503
        times[0] += PATIENCE
        assert (await send(content=post.body)).status_code == 200
        (ended,) = (stranger for stranger in strangers if stranger.done())
        assert ended.result().status_code == 503
        for stranger in strangers:
            stranger.cancel()


def test_a_subscription_is_confirmed_by_the_operator(world: World, door: Door) -> None:
    """This process opens no link, and the log shows only one that leads to Amazon."""
    kinds = ("https://sns.eu-west-1.amazonaws.com/?Token=1", "https://evil.example/?Token=1")
    posts = [
        Post(json.dumps({"Type": "SubscriptionConfirmation", "SubscribeURL": url}).encode(), login()) for url in kinds
    ]
    posts.append(Post(b'{"Type": "Notification", "Message": "Successfully validated SNS topic"}', login()))
    with structlog.testing.capture_logs() as logs:
        assert posted(world, replace(door, provider="ses"), *posts) == [200, 200, 200]
    assert [line["url"] for line in logs if "url" in line] == [kinds[0]]


def test_the_settings_name_every_provider() -> None:
    assert {*get_args(Config.model_fields["inbound"].annotation)} == {"", *PROVIDERS}


@pytest.mark.slow
def test_a_mail_that_is_posted_twice_counts_once(tmp_path: Path) -> None:
    """A real server and real pages; without the setting, there is no such page."""
    mail = message("alice", "signup alice secret1").replace(ADDRESS.encode(), REAL_ADDRESS.encode())
    post = postmark(mail, to=REAL_ADDRESS)

    def status(url: str) -> int:
        return httpx2.post(f"{url}{post.path}", content=post.body, headers=post.headers).status_code

    with ForkedProcess(tmp_path, PBMSERV_LISTEN="lmtp://127.0.0.1:0") as server:
        shared = {"PBMSERV_WEB_URL": "https://pbm.example.org", "PBMSERV_WEB_LISTENER": server.urls[0]}
        with served(tmp_path, 0, **shared) as url:
            assert status(url) == 404
        with served(tmp_path, 0, PBMSERV_INBOUND="postmark", PBMSERV_INBOUND_KEY=SECRET, **shared) as url:
            assert [status(url), status(url)] == [200, 200]
        assert [mail.status for mail in server.query(lambda store: store.mails.newest())] == ["done"]
        server.stop()
