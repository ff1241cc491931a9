"""How a person logs in: with a short code, in a browser that comes back, or in one that cannot come back."""

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing

import pytest

from pbmserv.mail.oauth.grants import ProviderError
from pbmserv.mail.oauth.logging_in import Redirect, begin_device, wait_for_device
from pbmserv.mail.oauth.oauth_settings import LoginTrouble
from tests.tools.oauth_provider import Issuer, issuer


@pytest.fixture
def provider() -> Iterator[Issuer]:
    with issuer() as made:
        yield made


def test_a_code_is_asked_for_at_the_pace_of_the_provider(provider: Issuer) -> None:
    device = begin_device(provider.settings())
    assert (device.code, device.url) == ("WDJB-MJHT", f"{provider.url}/here")
    provider.script = ["authorization_pending", "slow_down", "503", "authorization_pending"]
    pauses: list[float] = []
    grant = wait_for_device(provider.settings(), device, pauses.append)
    assert pauses == [1, 1, 6, 12, 12]
    assert {grant.access, grant.refresh} <= set(provider.given)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["access_denied", "expired_token", "invalid_client"])
def test_a_code_that_leads_to_nothing(provider: Issuer, word: str) -> None:
    device = begin_device(provider.settings())
    provider.script = ["authorization_pending", word]
    with pytest.raises(ProviderError, match=word):
        wait_for_device(provider.settings(), device, lambda _: None)
    provider.script = ["authorization_pending"] * 1000
    with pytest.raises(LoginTrouble, match="nobody has logged in"):
        wait_for_device(provider.settings(), device, lambda _: None)


def _visit(url: str) -> str:
    """Open it as a browser does that can reach this machine."""
    with urllib.request.urlopen(url, timeout=10) as page:  # noqa: S310 - a server of ours
        return str(page.read().decode())


def stranded(url: str) -> str:
    """Open it as a browser on another machine does, and return the address in its bar."""

    class Stays(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.build_opener(Stays).open(url, timeout=10)
    with caught.value as page:
        return str(page.headers["Location"])


def test_a_browser_that_comes_back(provider: Issuer) -> None:
    """It may ask for an icon first, or open a connection and say nothing."""
    with closing(Redirect(provider.settings())) as redirect:
        pages: list[str] = []
        browser = threading.Thread(target=lambda: pages.append(_visit(redirect.url)))
        browser.start()
        brought = redirect.heard()
        browser.join()
        assert "You are logged in" in pages[0]
        asks = threading.Thread(target=lambda: pages.append(str(_fails(f"{redirect.comes_to}favicon.ico"))))
        asks.start()
        assert redirect.heard() == ""
        asks.join()
        assert pages[1] == "404"
        grant = redirect.grant(brought)
    assert {grant.access, grant.refresh} <= set(provider.given)


def _fails(url: str) -> int:
    with pytest.raises(urllib.error.HTTPError) as caught:
        _visit(url)
    with caught.value as page:
        return page.status or 0


def test_an_address_that_is_pasted(provider: Issuer) -> None:
    """It may be the code alone. That of another login is refused, by its state or because the proof does not fit."""
    settings = provider.settings()
    with closing(Redirect(settings)) as redirect, closing(Redirect(settings)) as other:
        assert redirect.grant(f" {stranded(redirect.url)}\n")
        code = stranded(redirect.url).partition("code=")[2].partition("&")[0]
        assert redirect.grant(code)
        foreign = stranded(other.url)
        with pytest.raises(LoginTrouble, match="another login"):
            redirect.grant(foreign)
        with pytest.raises(ProviderError, match="invalid_grant"):
            redirect.grant(foreign.partition("code=")[2].partition("&")[0])
        with pytest.raises(LoginTrouble, match="access_denied: not today"):
            redirect.grant(f"{redirect.comes_to}?error=access_denied&error_description=not+today")
