"""Asks the server on our addresses whether it is this installation, and about its last commits."""

import json
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from pbmserv.mail.smtp.endpoints import Endpoint
from pbmserv.model.rows import Json

TIMEOUT = 5.0  #: seconds
_LONGEST = 500  #: bytes of a reply
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - bound to any host, a listener answers on loopback


@dataclass(frozen=True)
class ListenerFound:
    """The program that listens on an address, in one word and in a sentence, and its report about commits."""

    state: Literal["ours", "other", "nobody"]
    text: str
    report: Json = field(default_factory=dict)


def ask(place: Endpoint, domain: str, instance: str) -> ListenerFound:
    """Ask the server at `place`. `instance`: the name of our installation; "" if it has none yet."""
    try:
        with _connected(place) as sock:
            lines = sock.makefile("r", encoding="latin-1", newline="\r\n")
            banner = lines.readline(_LONGEST).strip()
            if wrong := _wrong(banner, place.url, domain, instance):
                return ListenerFound("other", wrong)
            reply = ""
            with suppress(OSError):  # it is ours, but may be stopping now
                sock.sendall(b"HELP status\r\n")
                reply = lines.readline(_LONGEST).strip()
                sock.sendall(b"QUIT\r\n")
    except OSError as e:
        return ListenerFound("nobody", f"Nobody answers at {place.url}: {e.strerror or 'no reply came'}")
    return ListenerFound("ours", f"{place.url} is this server", _read(reply))


def _connected(place: Endpoint) -> socket.socket:
    if place.path:
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.settimeout(TIMEOUT)
        try:
            sock.connect(place.path)
        except OSError:
            sock.close()
            raise
        return sock
    return socket.create_connection((_EVERYWHERE.get(place.host, place.host), place.port), timeout=TIMEOUT)


def _wrong(banner: str, url: str, domain: str, instance: str) -> str:
    """Return why a greeting is not ours; "" if it is. Ours is `220 DOMAIN ESMTP pbmserv INSTANCE`."""
    words = banner.split()
    if not words:
        return f"Somebody answers at {url} and says nothing"
    if words[0] != "220":
        return f"The server at {url} refuses connections: {''.join(c for c in banner if c.isprintable())[:60]}"
    if len(words) < 5 or words[3] != "pbmserv":
        return f"Somebody else answers at {url}"
    if words[1] != domain:
        return f"Another pbmserv answers at {url}: its domain is {words[1]}, and not {domain}"
    if instance and words[4] != instance:
        return f"Another installation of pbmserv answers at {url}: it has another database"
    return ""


def _read(reply: str) -> dict[str, object]:
    """The report in a reply; nothing if this is not one, as when we ask from another machine."""
    try:
        report = json.loads(reply.partition("2.0.0 ")[2])
    except ValueError:
        return {}
    return report if isinstance(report, dict) else {}
