"""How a program gets tokens from a provider (RFC 6749). The library writes requests and reads answers; we send them.

It needs the extra `oauth`. Everything here blocks.
"""

import urllib.request
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs

from oauthlib.oauth2 import OAuth2Error, WebApplicationClient

from pbmserv.mail.oauth.oauth_settings import LoginNeeded, LoginTrouble, OAuthSettings, hidden, words

_TIMEOUT = 15.0  #: seconds for connecting, and for each part of an answer
_MOST_BYTES = 65_536  #: of an answer
_USUAL_SECONDS = 3600.0  #: for which a token is valid if the provider does not say it
_MOST_SECONDS = 30 * 86_400.0  #: for which we take it to be, because some say it lasts longer than a calendar
#: Errors after which only a person can go on: RFC 6749 §5.2, and what OpenID Connect adds.
_OVER = ("invalid_grant", "interaction_required", "login_required", "consent_required")
_SECRET = ("client_secret", "code", "code_verifier", "device_code", "refresh_token")
_BAD_REQUEST = range(400, 429)  #: with these the answer itself says what is wrong; 429 is about the pace


@dataclass(frozen=True)
class Grant:
    """What a provider gives: a token for connections, and one that gets the next ones."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)
    seconds: float  #: for which the first is valid


class ProviderError(LoginTrouble):
    """The provider has answered with an error, such as `authorization_pending`."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name


def renewed(settings: OAuthSettings, refresh: str) -> Grant:
    """Use a refresh token. The provider may give another in its place. Raises LoginNeeded, LoginTrouble."""
    client = WebApplicationClient(settings.client)
    body = client.prepare_refresh_body(refresh_token=refresh, client_id=settings.client, **secret(settings))
    try:
        return exchange(settings, client, body, refresh)
    except ProviderError as error:
        raise LoginNeeded(str(error)) if error.name in _OVER else error from None


def secret(settings: OAuthSettings) -> dict[str, str]:
    """Return what a request has besides the client's name, if the provider has given it."""
    return {"client_secret": settings.secret} if settings.secret else {}


def exchange(settings: OAuthSettings, client: Any, body: str, refresh: str = "") -> Grant:
    """Send a form, and return what it gets. `refresh`: the token that goes on if there is no new one.

    Raises ProviderError, LoginTrouble. No text has what we have sent.
    """
    answer = post(settings.provider.token_url, body)
    try:
        token = client.parse_request_body_response(answer)
        access, lasts = token["access_token"], float(token.get("expires_in") or _USUAL_SECONDS)
        grant = Grant(str(access), str(token.get("refresh_token") or refresh), min(lasts, _MOST_SECONDS))
    except OAuth2Error as error:
        text = hidden(words(f"{error.error}: {error.description or ''}".strip(": ")), *_secrets(body))
        raise ProviderError(error.error or "", text) from None
    except (AttributeError, KeyError, TypeError, ValueError):
        raise LoginTrouble("the provider's answer cannot be read") from None
    if not grant.refresh:
        raise ProviderError("no_refresh_token", "the provider gives no refresh token: are the scopes right?")
    return grant


def _secrets(body: str) -> list[str]:
    return [value for name, values in parse_qs(body).items() if name in _SECRET for value in values]


def post(url: str, body: str) -> str:
    """Send a form, and return the answer. Raises LoginTrouble. Nothing is redirected, because the form has secrets."""
    request = urllib.request.Request(url, body.encode(), {"Accept": "application/json", "User-Agent": "pbmserv"})  # noqa: S310 - the settings allow https only
    try:
        with _opener().open(request, timeout=_TIMEOUT) as answer:
            return str(answer.read(_MOST_BYTES).decode("utf-8", "replace"))
    except HTTPError as error:
        with error:
            if error.code not in _BAD_REQUEST:
                raise LoginTrouble(f"the provider answers {error.code} {words(error.reason)}") from None
            return error.read(_MOST_BYTES).decode("utf-8", "replace")
    except URLError as error:
        raise LoginTrouble(f"the provider cannot be reached: {words(error.reason)}") from None
    except (OSError, HTTPException) as error:
        raise LoginTrouble(f"the provider cannot be reached: {words(error) or type(error).__name__}") from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Follow none."""


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_NoRedirect)
