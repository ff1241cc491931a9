"""The URLs of webhooks, as players write them."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pbmserv.errors import PlayerError

FORMS = ("json", "discord", "matrix")
MOST_CHARACTERS = 500
HTTPS = 443  #: the usual port

_DISCORD = re.compile(r"https://(?:\w+\.)?discord\.com/api/(?:v\d+/)?webhooks/")
#: Labels of a host, the last one without a digit in front: so no number is a host, in whichever way it is written.
_HOST = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
_EXAMPLE = "For example: webhook=https://bot.example.org/pbm"


@dataclass(frozen=True)
class Destination:
    """Where events of a player go. The path is kept secret, because for Discord it is a password."""

    form: str
    host: str
    port: int
    path: str = field(repr=False)  #: with the query

    @property
    def authority(self) -> str:
        """Host and port as in the header Host (RFC 9110 §7.2)."""
        return self.host if self.port == HTTPS else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole, for storing."""
        return f"https://{self.authority}{self.path}"


def read_target(text: str, ports: Collection[int]) -> Destination:
    """Read `https://…`, or `discord:https://…`. Raises PlayerError with what it should be."""
    form, mark, url = text.partition(":https://")
    if mark and form not in FORMS:
        forms = " or ".join(f"webhook={known}:https://…" for known in FORMS)
        raise PlayerError(f"A webhook cannot have the form {form}.", f"Write: {forms}")
    url = f"https://{url}" if mark else text
    if not mark:
        form = "discord" if _DISCORD.match(url) else "json"
    if len(url) > MOST_CHARACTERS or not (url.isascii() and url.isprintable()):
        raise PlayerError(f"The URL of a webhook has at most {MOST_CHARACTERS} ASCII characters.", _EXAMPLE)
    return _target(form, url, ports)


def _target(form: str, url: str, ports: Collection[int]) -> Destination:
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), HTTPS if parts.port is None else parts.port
    except ValueError:  # a port that is none, or half an IPv6 address
        host, port = "", 0
    if not host or parts.scheme != "https" or "@" in parts.netloc or parts.fragment:
        raise PlayerError("A webhook needs a URL that begins with https:// and has no user and no #.", _EXAMPLE)
    if not _HOST.fullmatch(host):
        raise PlayerError("The URL of a webhook must name a host, not an IP address.", _EXAMPLE)
    if port not in ports:
        raise PlayerError(f"The port of a webhook can only be {' or '.join(map(str, ports))}.", _EXAMPLE)
    return Destination(form, host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def read_stored(form: str, url: str) -> Destination:
    """Return the target whose `url` was stored."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return Destination(form, parts.hostname or "", parts.port or HTTPS, parts.path + query)
