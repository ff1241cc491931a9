"""How a person logs in: with a code that a browser anywhere takes, or by a redirect to this machine.

Both work without a browser here: the code is short, and the address to which the redirect leads can be pasted.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from json import loads
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from oauthlib.oauth2 import DeviceClient, WebApplicationClient

from pbmserv.mail.oauth.grants import Grant, ProviderError, exchange, post, secret
from pbmserv.mail.oauth.oauth_settings import LoginTrouble, OAuthSettings, words

_PACE = 5.0  #: seconds between two questions, and what `slow_down` adds (RFC 8628 §3.5)
_SECONDS = 600.0  #: for which a code is valid if the provider does not say it
_SILENT = 2.0  #: seconds for which a browser may open a connection and say nothing
_DONE = "You are logged in. Close this window, and look at the terminal.\n"
_FAILED = "The login did not work. The terminal says why.\n"


@dataclass(frozen=True)
class Device:
    """A login that waits for a person: who opens `url` and writes `code`."""

    url: str
    code: str
    secret: str = field(repr=False)
    pace: float
    seconds: float


def begin_device(settings: OAuthSettings) -> Device:
    """Ask for a code. Raises LoginTrouble."""
    form = {"client_id": settings.client, "scope": settings.provider.scopes}
    answer = post(settings.provider.device_url, urlencode(form))
    try:
        told = loads(answer)
        url = told.get("verification_uri") or told["verification_url"]  # the second is older than the standard
        pace, seconds = float(told.get("interval") or _PACE), float(told.get("expires_in") or _SECONDS)
        return Device(words(url), words(told["user_code"]), str(told["device_code"]), pace, seconds)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise LoginTrouble(f"the provider gives no code: {words(answer)}") from None


def wait_for_device(settings: OAuthSettings, device: Device, sleep: Callable[[float], None] = time.sleep) -> Grant:
    """Wait until the person has logged in. Raises LoginTrouble, also if that takes too long."""
    client = DeviceClient(settings.client)
    body = client.prepare_request_body(device.secret, include_client_id=True, **secret(settings))
    pace, left = device.pace, device.seconds
    while left > 0:
        sleep(pace)
        left -= pace
        try:
            return exchange(settings, client, body)
        except ProviderError as error:
            if error.name not in ("authorization_pending", "slow_down"):
                raise
            pace += _PACE if error.name == "slow_down" else 0
        except LoginTrouble:
            pace *= 2  # the way to the provider, or the provider, has a problem
    raise LoginTrouble("nobody has logged in in time")


class Redirect:
    """A login in a browser, which comes back to a port of this machine. PKCE binds the code to us (RFC 7636)."""

    def __init__(self, settings: OAuthSettings) -> None:
        self._settings = settings
        self._client = WebApplicationClient(settings.client)
        self._verifier = self._client.create_code_verifier(64)
        self._state = token_urlsafe(24)
        self._server = _Listener(("127.0.0.1", 0), _Answer)
        self.comes_to = f"http://{settings.provider.host}:{self._server.server_port}/"

    @property
    def url(self) -> str:
        """The address that the person opens. Without `prompt` Google gives no refresh token the second time."""
        form = {
            "response_type": "code",
            "client_id": self._settings.client,
            "redirect_uri": self.comes_to,
            "scope": self._settings.provider.scopes,
            "state": self._state,
            "code_challenge": self._client.create_code_challenge(self._verifier, "S256"),
            "code_challenge_method": "S256",
            "access_type": "offline",
            "prompt": "consent",
            "login_hint": self._settings.user,
        }
        return f"{self._settings.provider.login_url}?{urlencode(form)}"

    def fileno(self) -> int:
        """What can be read when a browser comes back."""
        return self._server.fileno()

    def heard(self) -> str:
        """Return what the browser that comes back has got; "" if it is something else."""
        self._server.brought = ""
        self._server.handle_request()
        return self._server.brought

    def grant(self, brought: str) -> Grant:
        """Return the tokens for what came back: an address with a code, or the code alone. Raises LoginTrouble."""
        body = self._client.prepare_request_body(
            self._code(brought.strip()),
            redirect_uri=self.comes_to,
            code_verifier=self._verifier,
            client_secret=self._settings.secret or None,
        )
        return exchange(self._settings, self._client, body)

    def _code(self, brought: str) -> str:
        told = {name: values[0] for name, values in parse_qs(urlsplit(brought).query).items()}
        if "error" in told:
            raise LoginTrouble(words(f"{told['error']}: {told.get('error_description', '')}".strip(": ")))
        if "code" not in told and "=" not in brought:
            return brought
        if told.get("state") != self._state:
            raise LoginTrouble("this address belongs to another login, or a part of it is missing")
        return told.get("code", "")

    def close(self) -> None:
        """End."""
        self._server.server_close()


class _Listener(HTTPServer):
    brought = ""


class _Answer(BaseHTTPRequestHandler):
    """What the browser gets when it comes back."""

    timeout = _SILENT
    server: _Listener

    def do_GET(self) -> None:
        """Take the answer of a login, and nothing else, such as the question for an icon."""
        told = parse_qs(urlsplit(self.path).query)
        is_answer = "code" in told or "error" in told
        if is_answer:
            self.server.brought = self.path
        text = (_DONE if "code" in told else _FAILED).encode()
        self.send_response(200 if is_answer else 404)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        """Say nothing: the address has the code in it."""
