"""A server is killed between the moment when the provider takes a refresh token and the commit of the new one.

The new token was never stored, so nobody has it. Where the provider lets the old one go on, nobody notices. Where it
does not, no program could go on: the operator is told, mails wait, and after a new login all of them are played.
"""

import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.letters.text.times import utc_now
from pbmserv.server.logins.tokens import StoredTokens
from pbmserv.store import Store
from tests.inbox.mails import message
from tests.tools.dovecot import IS_AVAILABLE, Served
from tests.tools.oauth_provider import LOOSE, NEVER, STRICT, USER, Issuer, log_in
from tests.tools.process import until
from tests.tools.sink import Sink, in_thread
from tests.tools.warm import ForkedProcess

pytestmark = [
    pytest.mark.slow,  # kills and restarts real servers
    pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot"),
]

_KEY = "the secret key of this test, which is long"


def _let_it_be_renewed(engine: Engine, served: Served) -> None:
    """Let the next connection need another token, and end this one."""
    end = utc_now()
    engines.transact(engine, lambda c, _: Store(c).mailboxes.change_login(USER, expires=end))
    served.kill()
    served.start()


@pytest.fixture
def relay(tmp_path: Path) -> Iterator[Sink]:
    """A relay that takes tokens only."""
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(tls)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with in_thread(Sink(tls=tls, logins="XOAUTH2")) as sink:
        yield sink


@pytest.mark.parametrize("rotation", [NEVER, LOOSE, STRICT])
def test_killed_between_the_answer_and_the_commit(
    tmp_path: Path, provider: Issuer, served: Served, relay: Sink, rotation: str
) -> None:
    provider.rotation, killed = rotation, threading.Event()
    engine = engines.connect(f"sqlite:///{tmp_path}/var/pbmserv.db")
    tokens = StoredTokens(engine, provider.settings(), _KEY.encode())
    server = ForkedProcess(
        tmp_path,
        PBMSERV_ROLES="listener,mailbox,sender",
        PBMSERV_SENDERS="1",  # a process of its own
        PBMSERV_RELAY=f"smtp+starttls://club%40example.org@localhost:{relay.port}",
        SSL_CERT_FILE=str(tmp_path / "ca.pem"),
        PBMSERV_SECRET_KEY=_KEY,
        PBMSERV_MAILBOX=f"imap://club%40example.org@127.0.0.1:{served.port}",
        **provider.variables(),
    )
    with server:
        log_in(tokens, provider)
        until(lambda: any(row.looked for row in server.query(lambda store: store.mailboxes.all())))
        served.deliver(message("alice", "signup alice alice-secret"))
        until(lambda: len(served.files("done")) == 1 and not served.files() and relay.taken)

        def kill() -> None:
            server.kill()
            killed.set()

        provider.before_answer = kill
        _let_it_be_renewed(engine, served)
        assert killed.wait(30)
        provider.before_answer = lambda: None
        served.deliver(message("bob", "signup bob bob-secret", number=2))
        server.start()
        if rotation == STRICT:
            until(lambda: server.query(lambda store: store.mailboxes.login(USER)).trouble)
            assert "pbmserv mailbox login" in server.asked("status").stdout
            assert "login_over" in server.log
            assert len(served.files()) == 1
            log_in(tokens, provider)
        until(lambda: len(served.files("done")) == 2 and len(relay.taken) == 2)
        server.stop()
        assert len(server.query(lambda store: store.players.userids())) == 2
        printed = server.log + "".join(
            server.asked(*words).stdout for words in (("status",), ("trace",), ("settings",))
        )
    engine.dispose()
    assert [token for token in provider.given if token in printed] == []
