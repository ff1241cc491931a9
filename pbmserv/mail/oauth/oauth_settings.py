"""Where to log in by OAuth2, as settings write it, and what is known of providers. Nothing here takes time."""

from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

_MICROSOFT = "https://login.microsoftonline.com/common/oauth2/v2.0"
_LONGEST_WORD = 60  #: characters of a word that is shown
_HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Provider:
    """Where a provider lets people log in, and where programs get tokens."""

    token_url: str
    login_url: str = ""  #: which a browser opens; it comes back to a redirect on this machine (RFC 8252)
    device_url: str = ""  #: where programs without a browser get a code (RFC 8628)
    scopes: str = ""
    host: str = "127.0.0.1"  #: of the redirect; one provider knows only the name


_GOOGLE = Provider(
    token_url="https://oauth2.googleapis.com/token",  # noqa: S106 - a place, and no password
    login_url="https://accounts.google.com/o/oauth2/v2/auth",
    scopes="https://mail.google.com/",  # no device code: it is not for this scope
)
_OUTLOOK = Provider(
    token_url=f"{_MICROSOFT}/token",
    login_url=f"{_MICROSOFT}/authorize",
    device_url=f"{_MICROSOFT}/devicecode",
    scopes="https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
    host="localhost",
)
#: What is known, by the host of the mailbox or of the relay.
_KNOWN = {
    "imap.gmail.com": _GOOGLE,
    "smtp.gmail.com": _GOOGLE,
    "outlook.office365.com": _OUTLOOK,
    "smtp.office365.com": _OUTLOOK,
    "imap-mail.outlook.com": _OUTLOOK,
    "smtp-mail.outlook.com": _OUTLOOK,
}


@dataclass(frozen=True)
class OAuthSettings:
    """Who logs in, for which registered program, and where."""

    user: str
    client: str
    secret: str = field(repr=False)  #: "" if the provider gives none to programs that people install
    provider: Provider


class LoginTrouble(Exception):
    """There is no token now. The text says why, in the words of the provider or the system."""


class LoginNeeded(LoginTrouble):
    """There will be no token until somebody logs in again."""


class Tokens(Protocol):
    """Gives access tokens for connections."""

    def access(self) -> str:
        """Return a token that is valid now. It may take seconds. Raises LoginTrouble."""

    def refused(self) -> None:
        """Get a new token the next time, because the provider has refused the last one."""


def hidden(text: str, *secrets: str) -> str:
    """Return what a provider says without secrets, which it could echo; also without words as long as such."""
    return " ".join(
        "…" if len(word) > _LONGEST_WORD or any(secret in word for secret in secrets) else word for word in text.split()
    )


def words(told: object) -> str:
    """Return one printable line of what somebody says."""
    text = " ".join(str(getattr(told, "strerror", None) or told).split())[:200]
    return "".join(c if c.isprintable() else " " for c in text)


def known(host: str) -> Provider:
    """Return what is known of the provider whose mailbox or relay is at `host`; nothing of others."""
    return _KNOWN.get(host.lower(), Provider(""))


def check(provider: Provider) -> None:
    """Raise ValueError if a URL is missing, or if others could read what is sent to it."""
    if not (provider.token_url and provider.scopes and (provider.login_url or provider.device_url)):
        raise ValueError(
            "PBMSERV_OAUTH_CLIENT: this provider is not known, so PBMSERV_OAUTH_TOKEN_URL, PBMSERV_OAUTH_SCOPES, and "
            "PBMSERV_OAUTH_LOGIN_URL or PBMSERV_OAUTH_DEVICE_URL are needed, too; or, if the "
            "client is in PBMSERV_RELAY_OAUTH, the same there"
        )
    for url in filter(None, (provider.token_url, provider.login_url, provider.device_url)):
        _check_url(url)


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _HERE)
        is_url = is_safe and bool(parts.hostname) and not parts.fragment and (parts.port or 1) > 0
    except ValueError:
        is_url = False
    if not is_url:
        raise ValueError("PBMSERV_OAUTH_…_URL must be https://host/path, without #")
