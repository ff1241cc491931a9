"""A mailbox on a real IMAP server that takes tokens, and asks the provider about each."""

import asyncio
from base64 import b64encode
from imaplib import IMAP4

import pytest

from pbmserv.letters.text.times import utc_now
from pbmserv.mail.envelope import Incoming
from pbmserv.mail.imap.account import FetchPace, MailboxSettings, read_account
from pbmserv.mail.imap.connection import LoginRefused
from pbmserv.mail.imap.watched_maildir import open_mailbox
from pbmserv.server.fetcher import Fetcher
from pbmserv.server.logins.tokens import StoredTokens
from tests.inbox.mails import message
from tests.tools.aio import in_loop, until
from tests.tools.dovecot import IS_AVAILABLE, Served
from tests.tools.oauth_provider import USER, Issuer, log_in
from tests.world import KEY, World

pytestmark = pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot")

_PACE = FetchPace(idle=600, soonest=0.05, latest=0.05, failed=0.05, longest=0.1, lease=5)


class _Given:
    """A token that nobody has stored."""

    def __init__(self, token: str) -> None:
        self.token, self.count = token, 0

    def access(self) -> str:
        return self.token

    def refused(self) -> None:
        self.count += 1


def _log_in(world: World, provider: Issuer) -> StoredTokens:
    return log_in(StoredTokens(world.engine, provider.settings(), KEY), provider)


@pytest.mark.slow
def test_a_token_lets_in_until_it_is_revoked(
    world: World, provider: Issuer, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal comes with a challenge in JSON, which gets an empty answer; the token is not sent again, nor told."""
    sent: list[bytes] = []
    send = IMAP4.send

    def record(connection: IMAP4, data: bytes) -> None:
        sent.append(bytes(data))
        send(connection, data)

    monkeypatch.setattr(IMAP4, "send", record)
    account = read_account(f"imap://club%40example.org@127.0.0.1:{served.port}")
    good = _Given(_log_in(world, provider).access())
    connection = open_mailbox(account, "", good)
    assert connection.select().mails == 0
    connection.leave()
    provider.revoke()
    with pytest.raises(LoginRefused, match="the login failed") as caught:
        open_mailbox(account, "", good)
    assert good.token not in str(caught.value)
    shown = b64encode(f"user={USER}\1auth=Bearer {good.token}\1\1".encode())
    assert (sent.count(shown), sent[-2:]) == (2, [b"", b"\r\n"])  # once on each connection
    assert good.count == 1


@in_loop
@pytest.mark.slow
async def test_mails_wait_while_a_login_is_over(world: World, provider: Issuer, served: Served) -> None:
    """After a new login the server goes on by itself."""
    account = read_account(f"imap://club%40example.org@127.0.0.1:{served.port}")
    tokens = await asyncio.to_thread(_log_in, world, provider)
    world.signup("alice", "bob")

    async def hand_in(mail: Incoming) -> str:
        (reply,) = await asyncio.to_thread(lambda: world.pipeline.handle([world.prepare(mail)]))
        return reply

    fetcher = Fetcher(world.engine, world.site, MailboxSettings(account, "", _PACE), hand_in, tokens=tokens)
    task = asyncio.create_task(fetcher.run())
    try:
        await until(lambda: _looked(world, account.name))
        served.deliver(message("alice", "tumble challenge alice bob"))
        await until(lambda: len(served.files("done")) == 1 and not served.files())
        provider.revoke()
        world.act(lambda store: store.mailboxes.change_login(USER, expires=utc_now()))
        served.kill()
        served.start()
        served.deliver(message("alice", "tumble challenge alice bob", number=2))
        await until(lambda: "pbmserv mailbox login" in _trouble(world, account.name))
        assert len(served.files()) == 1
        await asyncio.to_thread(_log_in, world, provider)
        await until(lambda: len(served.files("done")) == 2)
    finally:
        fetcher.stop()
        await task


def _looked(world: World, name: str) -> bool:
    row = world.query(lambda store: store.mailboxes.find(name))
    return row is not None and row.looked is not None


def _trouble(world: World, name: str) -> str:
    row = world.query(lambda store: store.mailboxes.find(name))
    return row.trouble if row else ""
