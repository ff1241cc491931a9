"""A provider of logins by OAuth2 (RFC 6749, 7636, 8628), as strict as the strictest one: a real HTTP server."""

import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from pbmserv.mail.oauth.logging_in import begin_device, wait_for_device
from pbmserv.mail.oauth.oauth_settings import OAuthSettings, Provider
from pbmserv.server.logins.tokens import StoredTokens

USER, CLIENT, SECRET = "club@example.org", "program-1", "secret-of-program-1"
#: What becomes of a refresh token that is used: it goes on alone, beside a new one, or a new one takes its place.
NEVER, LOOSE, STRICT = "never", "loose", "strict"


class Issuer:
    """What it has given out, and how it behaves."""

    def __init__(self) -> None:
        self.user = USER
        self.rotation = STRICT
        self.lifetime = 3600.0
        self.script: list[str] = []  #: with what it answers first: `slow_down`, `503`, `nonsense`, `hang up`
        self.echoes = False  #: whether it tells what is wrong as carelessly as some do
        self.before_answer: Callable[[], object] = lambda: None  #: of a renewal, after the old token has ended
        self.renewals = 0
        self.given: list[str] = []  #: all tokens and codes
        self.forms: list[dict[str, str]] = []  #: what was sent to get tokens
        self._numbers = count(1)
        self._ends: dict[str, float] = {}
        self._refresh: str | None = None
        self._old: set[str] = set()
        self._codes: dict[str, Mapping[str, str]] = {}
        self._lock = threading.Lock()
        self.url = ""

    def settings(self, *, device: bool = True) -> OAuthSettings:
        """Return what a program must know."""
        device_url = f"{self.url}/device" if device else ""
        provider = Provider(f"{self.url}/token", f"{self.url}/authorize", device_url, "mail offline")
        return OAuthSettings(self.user, CLIENT, SECRET, provider)

    def variables(self) -> dict[str, str]:
        """Return the same as variables of a server."""
        return {
            "PBMSERV_OAUTH_CLIENT": CLIENT,
            "PBMSERV_OAUTH_SECRET": SECRET,
            "PBMSERV_OAUTH_TOKEN_URL": f"{self.url}/token",
            "PBMSERV_OAUTH_LOGIN_URL": f"{self.url}/authorize",
            "PBMSERV_OAUTH_SCOPES": "mail offline",
        }

    def revoke(self) -> None:
        """End all logins, as after a change of the password."""
        self._refresh = None
        self._old.clear()
        self._ends.clear()

    def is_good(self, access: str) -> bool:
        """Return whether a token lets its owner in."""
        return monotonic() < self._ends.get(access, 0.0)

    # --- what it answers: a status, and what is told ------------------------------------------------------------------

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        with self._lock:
            self.forms.append(form)
            if self.script:
                return _scripted(self.script.pop(0))
            if (form.get("client_id"), form.get("client_secret")) != (CLIENT, SECRET):
                return _error("invalid_client", 401)
            status, told = self._grant(form)
            if self.echoes and "error" in told:
                told["error_description"] = f"'{form['refresh_token']}' is wrong"
            return status, told

    def _grant(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        match form["grant_type"]:
            case "refresh_token":
                return self._renew(form["refresh_token"])
            case "authorization_code":
                asked = self._codes.pop(form["code"], {})
                proof = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).decode().rstrip("=")
                is_right = asked and (asked["code_challenge"], asked["redirect_uri"]) == (proof, form["redirect_uri"])
                return self._tokens(new=True) if is_right else _error("invalid_grant")
            case "urn:ietf:params:oauth:grant-type:device_code":
                is_right = self._codes.pop(form["device_code"], None) is not None
                return self._tokens(new=True) if is_right else _error("expired_token")
        return _error("unsupported_grant_type")

    def _renew(self, refresh: str) -> tuple[int, dict[str, Any]]:
        if refresh != self._refresh and not (self.rotation == LOOSE and refresh in self._old):
            if refresh in self._old:  # somebody else has it, too: all of them end
                self.revoke()
            return _error("invalid_grant")
        self.renewals += 1
        answer = self._tokens(new=self.rotation != NEVER)
        self.before_answer()
        return answer

    def _tokens(self, *, new: bool) -> tuple[int, dict[str, Any]]:
        access = self._make("access")
        self._ends[access] = monotonic() + self.lifetime
        told = {"access_token": access, "token_type": "Bearer", "expires_in": self.lifetime, "scope": "mail"}
        if new:
            if self._refresh:
                self._old.add(self._refresh)
            self._refresh = told["refresh_token"] = self._make("refresh")
        return 200, told

    def device(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if form.get("client_id") != CLIENT:
            return _error("invalid_client", 401)
        self._codes[code := self._make("device")] = form
        told = {"device_code": code, "user_code": "WDJB-MJHT", "verification_uri": f"{self.url}/here", "interval": 1}
        return 200, {**told, "expires_in": 60}

    def authorize(self, query: dict[str, str]) -> str:
        """Return where the browser of somebody who logs in is sent to."""
        assert query["code_challenge_method"] == "S256"
        self._codes[code := self._make("code")] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def introspect(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        return 200, {"active": self.is_good(form.get("token", "")), "username": self.user}

    def _make(self, kind: str) -> str:
        self.given.append(f"{kind}-{next(self._numbers)}-{id(self)}")
        return self.given[-1]


def log_in(tokens: StoredTokens, provider: Issuer) -> StoredTokens:
    """Log in as a person does with a short code, and store it. Returns the same tokens."""
    settings = provider.settings()
    tokens.keep(wait_for_device(settings, begin_device(settings), lambda _: None))
    return tokens


def _scripted(word: str) -> tuple[int, Any]:
    if word.isdecimal():
        return int(word), {}
    return {"nonsense": (200, [1]), "hang up": (0, {})}.get(word, _error(word))


def _error(name: str, status: int = 400) -> tuple[int, dict[str, Any]]:
    return status, {"error": name, "error_description": f"this is {name}"}


class _Handler(BaseHTTPRequestHandler):
    issuer: Issuer

    def do_GET(self) -> None:
        self.send_response(302)
        self.send_header("Location", self.issuer.authorize(_values(urlsplit(self.path).query)))
        self.end_headers()

    def do_POST(self) -> None:
        form = _values(self.rfile.read(int(self.headers["Content-Length"])).decode())
        status, told = getattr(self.issuer, self.path.strip("/"))(form)
        if not status:
            self.close_connection = True
            return
        self.send_response(status)
        if status in range(300, 400):
            self.send_header("Location", self.issuer.url)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    def log_message(self, *_: Any) -> None:
        pass


def _values(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}


@contextmanager
def issuer() -> Iterator[Issuer]:
    """A context in which it runs."""
    made = Issuer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"issuer": made}))
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # who asked was killed
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
