"""Tokens are renewed at a real HTTP server, which answers as providers do."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbmserv.mail.oauth.grants import renewed
from pbmserv.mail.oauth.logging_in import begin_device, wait_for_device
from pbmserv.mail.oauth.oauth_settings import LoginNeeded, LoginTrouble
from tests.tools.oauth_provider import LOOSE, NEVER, STRICT, Issuer, issuer
from tests.tools.process import free_port


@pytest.fixture
def provider() -> Iterator[Issuer]:
    with issuer() as made:
        yield made


def _logged_in(provider: Issuer) -> str:
    """Log in, and return the refresh token."""
    settings = provider.settings()
    return wait_for_device(settings, begin_device(settings), lambda _: None).refresh


@pytest.mark.parametrize("rotation", [NEVER, LOOSE, STRICT])
def test_what_a_renewal_gives(provider: Issuer, rotation: str) -> None:
    provider.rotation = rotation
    refresh = _logged_in(provider)
    first = renewed(provider.settings(), refresh)
    assert (first.refresh == refresh) == (rotation == NEVER)
    assert renewed(provider.settings(), first.refresh).access != first.access
    assert first.seconds == provider.lifetime
    assert not any(token in repr(first) for token in provider.given)


@pytest.mark.parametrize(
    ("word", "kind", "said"),
    [
        ("invalid_grant", LoginNeeded, "invalid_grant: this is invalid_grant"),
        ("interaction_required", LoginNeeded, "interaction_required"),
        ("invalid_client", LoginTrouble, "invalid_client"),
        ("temporarily_unavailable", LoginTrouble, "temporarily_unavailable"),
        ("400", LoginTrouble, "missing_token"),
        ("429", LoginTrouble, "the provider answers 429 Too Many Requests"),
        ("503", LoginTrouble, "the provider answers 503 Service Unavailable"),
        ("302", LoginTrouble, "the provider answers 302 Found"),
        ("nonsense", LoginTrouble, "the provider's answer cannot be read"),
        ("hang up", LoginTrouble, "the provider cannot be reached"),
    ],
)
def test_a_renewal_that_does_not_work(provider: Issuer, word: str, kind: type[LoginTrouble], said: str) -> None:
    """Whether only a person can go on, or the next attempt. A redirect is not followed: the form has secrets."""
    refresh = _logged_in(provider)
    provider.script, asked = [word], len(provider.forms)
    with pytest.raises(LoginTrouble, match=said) as caught:
        renewed(provider.settings(), refresh)
    assert isinstance(caught.value, LoginNeeded) == (kind is LoginNeeded)
    assert len(provider.forms) == asked + 1
    assert renewed(provider.settings(), refresh)


def test_nobody_is_there_and_nothing_is_echoed(provider: Issuer) -> None:
    refresh = _logged_in(provider)
    provider.revoke()
    provider.echoes = True
    with pytest.raises(LoginNeeded, match="invalid_grant: … is wrong") as caught:
        renewed(provider.settings(), refresh)
    assert refresh not in str(caught.value)
    settings = provider.settings()
    nobody = replace(settings.provider, token_url=f"http://127.0.0.1:{free_port()}/token")
    with pytest.raises(LoginTrouble, match="cannot be reached: Connection refused"):
        renewed(replace(settings, provider=nobody), refresh)
