"""A server is killed between the moment when the provider takes a refresh token and the commit of the new one.

The new token was never stored, so nobody has it. Where the provider lets the old one go on, nobody notices. Where it
does not, no program could go on: the operator is told, mails wait, and after a new login all of them are played.
"""

import json
import ssl
import threading
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import trustme
from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.letters.text.times import utc_now
from pbmserv.server.logins.tokens import StoredTokens
from pbmserv.store import Store
from tests.inbox.mails import message
from tests.tools.dovecot import IS_AVAILABLE, Served
from tests.tools.oauth_provider import LOOSE, NEVER, STRICT, USER, Issuer, issuer, log_in
from tests.tools.process import until
from tests.tools.sink import Sink, in_thread
from tests.tools.warm import ForkedProcess

pytestmark = [
    pytest.mark.slow,  # kills and restarts real servers
    pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot"),
]

_KEY = "the secret key of this test, which is long"


def _end(engine: Engine, user: str) -> None:
    """Let the next connection need another token."""
    end = utc_now()
    engines.transact(engine, lambda c, _: Store(c).mailboxes.change_login(user, expires=end))


def _let_it_be_renewed(engine: Engine, served: Served) -> None:
    """Let the next connection need another token, and end this one."""
    _end(engine, USER)
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


def test_two_users_at_two_providers(tmp_path: Path, provider: Issuer, served: Served, relay: Sink) -> None:
    """One reads, the other sends. Each renews with its own token, and what ends the login of one stops only it."""
    engine = engines.connect(f"sqlite:///{tmp_path}/var/pbmserv.db")
    with issuer() as other:
        other.user = "post@example.org"
        logins = [(p, StoredTokens(engine, p.settings(), _KEY.encode())) for p in (provider, other)]
        own = {name.removeprefix("PBMSERV_OAUTH_").lower(): value for name, value in other.variables().items()}
        server = ForkedProcess(
            tmp_path,
            PBMSERV_ROLES="listener,mailbox,sender",
            PBMSERV_SENDERS="0",
            PBMSERV_RELAY=f"smtp+starttls://{quote(other.user)}@localhost:{relay.port}",
            PBMSERV_RELAY_OAUTH=json.dumps(own),
            SSL_CERT_FILE=str(tmp_path / "ca.pem"),
            PBMSERV_SECRET_KEY=_KEY,
            PBMSERV_MAILBOX=f"imap://{quote(USER)}@127.0.0.1:{served.port}",
            **provider.variables(),
        )

        def begin_anew() -> None:
            """Let the next connections need other tokens."""
            server.stop()
            for user in (USER, other.user):
                _end(engine, user)
            server.start()

        with server:
            for issued, tokens in logins:
                log_in(tokens, issued)
            until(lambda: any(row.looked for row in server.query(lambda store: store.mailboxes.all())))
            served.deliver(message("alice", "signup alice alice-secret"))
            until(lambda: len(served.files("done")) == 1 and len(relay.taken) == 1)
            shown = b64decode(next(c for c in relay.commands if "XOAUTH2" in c).split()[2]).decode()
            assert shown.startswith(f"user={other.user}\1")
            begin_anew()
            served.deliver(message("bob", "signup bob bob-secret", number=2))
            until(lambda: len(served.files("done")) == 2 and len(relay.taken) == 2)
            assert (provider.renewals, other.renewals) == (1, 1)
            other.revoke()
            begin_anew()
            served.deliver(message("carol", "signup carol carol-secret", number=3))
            until(lambda: len(served.files("done")) == 3)
            until(lambda: server.query(lambda store: store.mailboxes.login(other.user)).trouble)
            told = server.asked("status").stdout
            assert f"as {other.user}: invalid_grant" in told
            assert f"as {USER}" not in told
            assert len(relay.taken) == 2
            log_in(logins[1][1], other)
            begin_anew()  # or else the sender asks again in a minute
            until(lambda: len(relay.taken) == 3)
            server.stop()
    engine.dispose()
