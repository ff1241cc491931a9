"""When an address is suspended: it gets no letters until its owner confirms that it works."""

from datetime import datetime

from pbmserv.store import Store

#: An address is suspended when this many letters in a row have bounced.
MOST_BOUNCES = 5


def count_bounce(store: Store, address: str, now: datetime) -> None:
    """Count a bounce of an address, and suspend the address if there are too many."""
    store.addresses.count_bounce(address, now, MOST_BOUNCES)


def uncount_bounce(store: Store, address: str) -> None:
    """Take back the last bounce of an address, because it was not about the address, and what followed from it."""
    store.addresses.uncount_bounce(address, MOST_BOUNCES)
