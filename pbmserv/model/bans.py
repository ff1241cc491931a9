"""Who may not write to the server any more."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from pbmserv.mail.reading.headers import mailbox


@dataclass(frozen=True)
class Ban:
    """A ban. `what`: an address in its usual spelling (`mailbox`), or `@` and a domain, whose subdomains count, too."""

    id: int
    what: str
    why: str
    created: datetime


def bans_of(address: str) -> Iterator[str]:
    """Yield what may be banned for this address to be: itself, its domain, and the domains above it."""
    yield (own := mailbox(address))
    domain = own.rpartition("@")[2]
    while domain:
        yield f"@{domain}"
        domain = domain.partition(".")[2]


def banned(address: str, bans: Mapping[str, Ban]) -> Ban | None:
    """Return the ban of an address; None if there is none. `bans`: by what they ban."""
    return next((bans[what] for what in bans_of(address) if what in bans), None) if address and bans else None
