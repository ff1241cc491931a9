"""Tokens from a stored login: each refresh token is used once, is stored before anything else, and never lost."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from pbmserv.db import engines, migrate
from pbmserv.mail.oauth.oauth_settings import LoginNeeded, LoginTrouble
from pbmserv.server.logins.tokens import StoredTokens
from pbmserv.server.server import Gauges
from tests.tools.oauth_provider import LOOSE, USER, Issuer, log_in
from tests.world import KEY, World

_HOUR = timedelta(hours=1)


def _tokens(world: World, provider: Issuer, key: bytes = KEY) -> StoredTokens:
    return StoredTokens(world.engine, provider.settings(), key, lambda: world.now)


def _logged_in(world: World, provider: Issuer) -> StoredTokens:
    return log_in(_tokens(world, provider), provider)


@pytest.mark.both
def test_a_token_is_renewed_before_it_ends_and_not_each_time(world: World, provider: Issuer) -> None:
    tokens = _logged_in(world, provider)
    starting = engines.connect(world.url)
    provider.before_answer = partial(migrate.upgrade, starting)  # who starts does not wait for a slow provider
    first = tokens.access()
    world.now += _HOUR - timedelta(minutes=6)
    assert (tokens.access(), provider.renewals) == (first, 0)
    world.now += timedelta(minutes=2)
    second = tokens.access()
    assert second != first
    assert _tokens(world, provider).access() == second
    assert provider.renewals == 1
    world.now -= timedelta(days=1)  # the clock was set back
    assert tokens.access() != second


def test_tokens_that_are_valid_for_longer_than_a_calendar_lasts_are_stored(world: World, provider: Issuer) -> None:
    """They exist nowhere else."""
    tokens = _logged_in(world, provider)
    provider.lifetime = 10**12
    world.now += _HOUR
    assert tokens.access() == tokens.access()
    assert provider.renewals == 1


@pytest.mark.both
def test_many_at_once_use_a_refresh_token_once(world: World, provider: Issuer) -> None:
    """This provider ends the login if one is used twice. Several processes are like these threads."""
    _logged_in(world, provider)
    for _ in range(3):
        world.now += _HOUR
        provider.renewals, together = 0, threading.Barrier(6)

        def ask(tokens: StoredTokens, together: threading.Barrier = together) -> str:
            together.wait()
            return tokens.access()

        with ThreadPoolExecutor(6) as pool:
            got = set(pool.map(ask, [_tokens(world, provider) for _ in range(6)]))
        assert len(got) == 1
        assert provider.renewals == 1


@pytest.mark.both
def test_a_login_that_is_over(world: World, provider: Issuer) -> None:
    """Nobody asks the provider again; a new login ends it."""
    tokens = _logged_in(world, provider)
    provider.revoke()
    world.now += _HOUR
    with capture_logs() as lines, pytest.raises(LoginNeeded, match=r"invalid_grant.*pbmserv mailbox login"):
        tokens.access()
    assert [line["event"] for line in lines] == ["login_over"]
    asked = len(provider.forms)
    with pytest.raises(LoginNeeded, match=r"invalid_grant.*pbmserv mailbox login"):
        _tokens(world, provider).access()
    assert len(provider.forms) == asked
    row = world.query(lambda store: store.mailboxes.login(USER))
    assert row is not None
    assert row.trouble.startswith("invalid_grant")
    tokens.refused()  # as another process may say that has just logged in
    look = Gauges(world.engine, dict, users=[USER])
    assert look()["login_needed"] == 1
    tokens.refused()  # another process has found out meanwhile, and a letter is not to blame
    _logged_in(world, provider)
    assert look()["login_needed"] == 0
    assert provider.is_good(tokens.access())


def test_nobody_has_logged_in_or_the_key_is_another_one(world: World, provider: Issuer) -> None:
    with pytest.raises(LoginNeeded, match="nobody has logged in"):
        _tokens(world, provider).access()
    _logged_in(world, provider)
    with pytest.raises(LoginNeeded, match="PBMSERV_SECRET_KEY is another one"):
        _tokens(world, provider, b"another key").access()


def test_the_provider_is_down(world: World, provider: Issuer) -> None:
    """The old token serves until its end."""
    tokens = _logged_in(world, provider)
    first = tokens.access()
    world.now += _HOUR - timedelta(minutes=4)
    provider.script, asked = ["503", "503"], len(provider.forms)
    assert (tokens.access(), tokens.access()) == (first, first)
    assert len(provider.forms) == asked + 1  # not at each connection
    world.now += timedelta(minutes=4)
    with pytest.raises(LoginTrouble, match="503"):
        tokens.access()
    assert tokens.access() != first


def test_a_token_that_is_refused_is_renewed_once(world: World, provider: Issuer) -> None:
    tokens = _logged_in(world, provider)
    first = tokens.access()
    tokens.refused()
    assert tokens.access() == first  # it has just come, so another one would be no better
    world.now += timedelta(minutes=2)
    tokens.refused()
    assert tokens.access() != first
    assert provider.renewals == 1


@pytest.mark.slow
@pytest.mark.sqlite
def test_new_tokens_wait_for_the_database(world: World, provider: Issuer) -> None:
    """It takes nothing at the moment when they come. They exist nowhere else, and the old one is of no use any more."""
    tokens = _logged_in(world, provider)
    trigger = "CREATE TRIGGER full BEFORE UPDATE ON login BEGIN SELECT RAISE(ABORT, 'no room'); END"

    def break_down() -> None:
        with world.engine.begin() as connection:
            connection.execute(sa.text(trigger))
        threading.Timer(0.3, mend).start()

    def mend() -> None:
        with world.engine.begin() as connection:
            connection.execute(sa.text("DROP TRIGGER full"))

    provider.before_answer = break_down
    world.now += _HOUR
    with capture_logs() as lines:
        tokens.access()
    assert {line["event"] for line in lines} == {"login_not_stored", "login_renewed"}
    provider.before_answer = lambda: None
    world.now += _HOUR
    assert provider.is_good(tokens.access())


@pytest.mark.sqlite
def test_no_token_can_be_read(world: World, provider: Issuer) -> None:
    """Neither in the database nor in the log."""
    provider.rotation = LOOSE
    tokens = _logged_in(world, provider)
    with capture_logs() as lines:
        for _ in range(2):
            world.now += _HOUR
            tokens.access()
        provider.revoke()
        world.now += _HOUR
        with pytest.raises(LoginNeeded):
            tokens.access()
    file = Path(str(world.engine.url.database))
    stored = b"".join(part.read_bytes() for part in file.parent.glob(f"{file.name}*"))
    assert [token for token in provider.given if token.encode() in stored or token in str(lines)] == []
