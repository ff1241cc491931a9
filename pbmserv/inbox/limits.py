"""Token buckets: how often something may be tried before one has to wait."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

_MOST_KEYS = 10_000

#: Wrong passwords for one account in a day (in UTC), counted for all processes together: about as many as the bucket of
#: one process lets pass. Without it, each process more would be so many guesses more.
WRONG_A_DAY = 1500


@dataclass(frozen=True)
class Rate:
    """`burst` tries at once; after that one more each `seconds`."""

    burst: int
    seconds: float


class Buckets:
    """One bucket per key, all with the same rate. When there are too many keys, those not used longest are forgotten.

    Not thread-safe by itself: Limits holds the lock.
    """

    def __init__(self, rate: Rate, most_keys: int = _MOST_KEYS) -> None:
        self._rate = rate
        self._most_keys = most_keys
        self._full_at: OrderedDict[str, float] = OrderedDict()  #: when the bucket of a key is full again

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: str, now: float) -> float:
        """Seconds until the next try; 0 if it may be made now."""
        full_at = max(self._full_at.get(key, now), now)
        return max(full_at - now - (self._rate.burst - 1) * self._rate.seconds, 0.0)

    def take(self, key: str, now: float) -> None:
        """Count a try."""
        self._full_at[key] = max(self._full_at.get(key, now), now) + self._rate.seconds
        self._full_at.move_to_end(key)
        while len(self._full_at) > self._most_keys:
            self._full_at.popitem(last=False)

    def give_back(self, key: str) -> None:
        """A try that does not count after all."""
        if key in self._full_at:
            self._full_at[key] -= self._rate.seconds


@dataclass(frozen=True)
class Rates:
    """What one server takes. A mail domain has many players, and each of them logs in after a restart."""

    account: Rate = Rate(10, 60)
    login_domain: Rate = Rate(100, 6)
    login_peer: Rate = Rate(100, 6)
    signup_domain: Rate = Rate(200, 18)  #: 200 in an hour
    signup_peer: Rate = Rate(200, 18)

    @classmethod
    def closed(cls) -> "Rates":
        """For a site without strangers: accounts may be opened without end."""
        return cls(signup_domain=Rate(1, 0), signup_peer=Rate(1, 0))


class Origin(NamedTuple):
    """Where a mail comes from: the domain in From, and the other side's address; "" if that is our own MTA's."""

    domain: str
    peer: str


class Limits:
    """The limits of one process on what costs a password hash. Thread-safe; `clock` gives seconds."""

    def __init__(self, rates: Rates | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        rates = rates or Rates()
        self._account = Buckets(rates.account)
        self._login = (Buckets(rates.login_domain), Buckets(rates.login_peer))
        self._signup = (Buckets(rates.signup_domain), Buckets(rates.signup_peer))
        self._clock = clock
        self._lock = threading.Lock()

    def login(self, account: str, origin: Origin) -> float:
        """Count an attempt with a password: 0, or the seconds to wait, and then it is not to be made."""
        return self._take([(self._account, account), *_keys(self._login, origin)])

    def fits(self, account: str, origin: Origin) -> None:
        """The password was right: that attempt does not count."""
        with self._lock:
            for buckets, key in [(self._account, account), *_keys(self._login, origin)]:
                buckets.give_back(key)

    def signup(self, origin: Origin) -> float:
        """Count a new account: 0, or the seconds to wait, and then it is not to be opened."""
        return self._take(_keys(self._signup, origin))

    def _take(self, keys: Iterable[tuple[Buckets, str]]) -> float:
        keys = list(keys)
        with self._lock:
            now = self._clock()
            if seconds := max(buckets.wait(key, now) for buckets, key in keys):
                return seconds
            for buckets, key in keys:
                buckets.take(key, now)
            return 0.0


def _keys(by: tuple[Buckets, Buckets], origin: Origin) -> list[tuple[Buckets, str]]:
    """The buckets of a domain and of a peer; our own MTA has none."""
    return [(by[0], origin.domain)] + [(by[1], origin.peer)] * bool(origin.peer)


def minutes(seconds: float) -> str:
    """`1 minute`, `12 minutes`: rounded up, so that nobody comes too early."""
    count = max(math.ceil(seconds / 60), 1)
    return f"{count} minute{'s' * (count != 1)}"
