"""Mails from a mailbox take effect once, whatever is killed or cut: the server, the provider, or what is between."""

import random
import time
from pathlib import Path

import pytest

from pbmserv.conformance.walks import SEED
from pbmserv.db import engines
from pbmserv.server.logins.tokens import StoredTokens
from tests.examples import SOAK
from tests.inbox.mails import message
from tests.tools.dovecot import IS_AVAILABLE, Served
from tests.tools.imap_proxy import FAULTS, SILENT, Proxy, proxy
from tests.tools.oauth_provider import LOOSE, Issuer, log_in
from tests.tools.process import run, until
from tests.tools.warm import ForkedProcess

pytestmark = [
    pytest.mark.slow,  # kills and restarts real servers
    pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot"),
]

MAILS, KILLS = (120, 6) if SOAK == 1 else (10_000, 100)
_RENUMBERED = KILLS // 10 or 4  #: kills after which the provider numbers its mails anew
_KEY = "the secret key of this test, which is long"
_COMMANDS = ("AUTHENTICATE", "SELECT", "UID SEARCH", "RFC822.SIZE", "BODY.PEEK", "UID MOVE", " IDLE")
_ROLES = ("mailbox", "listener,clock,mailbox")


@pytest.fixture
def provider(provider: Issuer) -> Issuer:
    """It takes a refresh token twice, because a server that is killed may not know that it has used one."""
    provider.rotation, provider.lifetime = LOOSE, 3.0
    return provider


def _server(folder: Path, port: int, provider: Issuer) -> ForkedProcess:
    return ForkedProcess(
        folder,
        PBMSERV_ROLES="mailbox",
        PBMSERV_MAILBOX=f"imap://club%40example.org@127.0.0.1:{port}",
        PBMSERV_MAILBOX_LEASE="0.1",
        PBMSERV_SECRET_KEY=_KEY,
        **provider.variables(),
    )


def _is_met(server: ForkedProcess) -> bool:
    return any(row.looked for row in server.query(lambda store: store.mailboxes.all()))


def _signed_up(server: ForkedProcess, served: Served) -> None:
    until(lambda: _is_met(server), 30)
    served.deliver_many(
        [message(who, f"signup {who} {who}-secret", number=n) for n, who in enumerate(("alice", "bob"))]
    )
    until(lambda: len(server.query(lambda store: store.players.userids())) == 2, 30)


def _challenge(number: int, *, is_dated: bool) -> bytes:
    """A mail that begins a board; without Message-ID and Date, only where it lies tells that it comes again.

    Nobody has more than 9999 boards of one game.
    """
    if is_dated:
        return message("alice", "tumble challenge alice bob", number=number)
    return f"From: alice@example.org\r\nSubject: 3io challenge alice bob\r\n\r\n\r\n-- \r\n{number}\r\n".encode()


def _fail(between: Proxy, chance: random.Random, kill: int) -> None:
    """Let the connection fail. One that is silent is noticed after a minute: with `make soak`, ten are."""
    is_silent = SOAK > 1 and kill % (KILLS // 10) == 1
    before = between.connections
    between.fail(chance.choice(_COMMANDS), SILENT if is_silent else chance.choice([f for f in FAULTS if f != SILENT]))
    if is_silent:
        until(lambda: between.has_failed and between.connections > before + 1, 180)


@pytest.mark.timeout(600 * SOAK)
def test_mails_through_kills_and_faults(tmp_path: Path, provider: Issuer, served: Served) -> None:
    """Servers are killed while mails come; connections are cut, throttled and silent; mails are numbered anew.

    The server logs in with tokens that live for seconds, so they are renewed all the time. All of it is one run.
    """
    chance, sent, began = random.Random(SEED), 0, time.monotonic()
    with proxy(served.port) as between, _server(tmp_path, between.port, provider) as server:
        engine = engines.connect(f"sqlite:///{tmp_path}/var/pbmserv.db")
        log_in(StoredTokens(engine, provider.settings(), _KEY.encode()), provider)
        engine.dispose()
        _signed_up(server, served)
        for kill in range(1, KILLS + 1):
            numbers = range(sent, sent := kill * MAILS // KILLS)
            served.deliver_many([_challenge(100 + n, is_dated=n % 2 == 0) for n in numbers])
            if kill % 2:
                _fail(between, chance, kill)
            time.sleep(chance.uniform(0, 2 * MAILS / KILLS / 50))
            server.kill()
            if kill % _RENUMBERED == 0:
                served.renumber()
            server.settings["PBMSERV_ROLES"] = _ROLES[kill % 2]
            server.start()
            until(lambda: len(served.files()) < 2 * MAILS / KILLS, 300)
            print(f"{sent} mails, {kill} kills, {time.monotonic() - began:.0f} s", flush=True)
        until(lambda: not served.files(), 300)
        server.stop()
        checked = run(tmp_path, server.settings, "mailbox", "verify")
        assert (checked.returncode, checked.stderr) == (0, "")
        boards = server.query(lambda store: store.board_lists.numbers())
        moved = {file.read_bytes() for file in served.files("done")}  # one can be there twice: its provider was killed
        statuses = {mail.status for mail in server.query(lambda store: store.mails.newest(20_000))}
    print(f"{between.connections} connections, {provider.renewals} renewals, {dict(between.failures)}")
    assert (len(boards), statuses, len(moved)) == (MAILS, {"done"}, MAILS + 2)
    assert provider.renewals
    assert len(between.failures) == len(FAULTS) or SOAK == 1
