"""Mails that came in, quarantine for those that met a bug, and bans of those who write."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pbmserv.mail.envelope import client_network


class Added(NamedTuple):
    """A mail that was written down, and when the server's clock ran last, in seconds since 1970."""

    id: int
    last_run: float | None


class Seen(NamedTuple):
    """When a mail with this fingerprint came, if one did, and when the server's clock ran last."""

    received: datetime | None
    last_run: float | None


class Handled(NamedTuple):
    """What became of a mail: its number and status, and why nothing was done, as its writer reads it; "": it was."""

    id: int
    status: str
    problem: str


#: One origin can fill this part of the quarantine: a sixteenth.
ORIGIN_PART = 16


def quarantine_origin(peer: str, sender: str) -> str:
    """Return the origin of a mail in quarantine: the network of the peer (/24 or /64).

    Behind a mail server of our own the peer is always the same, so there it is the sender.
    """
    return client_network(peer, 24) or sender.lower()


def has_room(sizes: Mapping[str, int], where: str, size: int, most: int) -> bool:
    """Return whether `size` more bytes of an origin fit into `most` bytes. `sizes`: see `quarantined_bytes`."""
    return sum(sizes.values()) + size <= most and sizes.get(where, 0) + size <= most // ORIGIN_PART


@dataclass(frozen=True)
class Ban:
    """A ban. `what`: an address in its usual spelling (`mailbox`), or `@` and a domain, whose subdomains count, too."""

    id: int
    what: str
    why: str
    created: datetime


def bans_of(address: str) -> Iterator[str]:
    """Yield what may be banned for this address to be: itself, its domain, and the domains above it."""
    from pbmserv.mail.reading.headers import mailbox  # here, because status needs no mail to be read

    yield (own := mailbox(address))
    domain = own.rpartition("@")[2]
    while domain:
        yield f"@{domain}"
        domain = domain.partition(".")[2]


def banned(address: str, bans: Mapping[str, Ban]) -> Ban | None:
    """Return the ban of an address; None if there is none. `bans`: by what they ban."""
    return next((bans[what] for what in bans_of(address) if what in bans), None) if address and bans else None
