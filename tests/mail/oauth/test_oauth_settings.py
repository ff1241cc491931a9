"""Which providers are known, and where tokens may be sent."""

from dataclasses import replace

import pytest

from pbmserv.mail.oauth.oauth_settings import Provider, check, hidden, known

_PROVIDER = Provider("https://login.example/token", device_url="https://login.example/device", scopes="mail")


@pytest.mark.parametrize("host", ["imap.gmail.com", "SMTP.gmail.com", "outlook.office365.com", "smtp.office365.com"])
def test_large_providers_are_known(host: str) -> None:
    check(known(host))
    assert bool(known(host).device_url) == ("office" in host)  # Google gives no code for mail


@pytest.mark.parametrize(
    "changes",
    [
        {"token_url": ""},
        {"scopes": ""},
        {"device_url": ""},
        {"token_url": "http://login.example/token"},
        {"token_url": "https:///token"},
        {"device_url": "https://login.example/#here"},
        {"token_url": "https://login.example:x/"},
        {"login_url": "file:///etc/passwd"},
    ],
)
def test_what_is_missing_or_could_be_read_by_others(changes: dict[str, str]) -> None:
    check(_PROVIDER)
    check(replace(_PROVIDER, token_url="http://127.0.0.1:8080/token"))
    with pytest.raises(ValueError, match="PBMSERV_OAUTH_"):
        check(replace(_PROVIDER, **changes))


def test_an_echo_is_hidden() -> None:
    assert hidden(f"no swordfish, 'sword' {'x' * 61} 5.7.8", "swordfish", "sword'") == "no … … … 5.7.8"
