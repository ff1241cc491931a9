"""How much of what is posted the pages hand on."""

from collections import deque
from dataclasses import dataclass
from ipaddress import ip_address
from threading import Lock
from typing import NamedTuple

from starlette.datastructures import Headers

from pbmserv.mail.envelope import client_network

_SPAN = 60.0  #: seconds


@dataclass(frozen=True)
class Limits:
    """The most posts of a minute: of all links, of one link, and of one network."""

    of_all: int
    of_link: int
    of_origin: int


CLICKS = Limits(120, 5, 120)  #: clicks that stop letters; a provider clicks for all of its readers
MOVES = Limits(1200, 20, 120)  #: what players send from their own pages


class _Posted(NamedTuple):
    at: float
    link: str
    origin: str


class Posts:
    """Counts what was posted in the last minute."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = Lock()
        self._last: deque[_Posted] = deque(maxlen=limits.of_all)

    def are_too_many(self, link: str, origin: str, now: float) -> bool:
        """Count a post to a link, unless there were too many; return whether there were. `origin`: see `origin_of`."""
        with self._lock:
            while self._last and self._last[0].at <= now - _SPAN:
                self._last.popleft()
            of_link = sum(known.link == link for known in self._last)
            of_origin = sum(known.origin == origin for known in self._last) if origin else 0
            most = self._limits
            if of_link >= most.of_link or of_origin >= most.of_origin or len(self._last) >= most.of_all:
                return True
            self._last.append(_Posted(now, link, origin))
            return False


def origin_of(peer: str, headers: Headers) -> str:
    """Return the network of a visitor (/24, or /48 of IPv6); "" if nobody knows it.

    Behind a proxy in our own network it is what the proxy has seen: the last address of X-Forwarded-For, which some
    proxies add as another header of this name. All before that was written by the visitor.
    """
    forwarded = ",".join(headers.getlist("X-Forwarded-For")).rpartition(",")[2].strip()
    return client_network(forwarded if forwarded and _is_near(peer) else peer, 24, 48)


def _is_near(peer: str) -> bool:
    try:
        return ip_address(peer).is_private
    except ValueError:  # a socket of this machine
        return True
