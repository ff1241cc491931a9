"""The slow work on passwords, before the transaction of a mail, and how often somebody may try one.

25 ms for each password must not pass under the write lock, and nobody gets that work done without end.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.inbox.command import Call, is_password
from pbmserv.inbox.parse import MOST_LINES, Request
from pbmserv.letters.site import Site
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.store import Player, Store

WRONG = "wrong password"  #: what is counted in a day
#: Wrong passwords for one account in a day (in UTC), counted for all processes together: about as many as the bucket of
#: one process lets pass. Without it, each process more would be so many guesses more.
WRONG_A_DAY = 1500
_MOST_KEYS = 10_000


class Check(NamedTuple):
    """A password that was looked at: the stored hash it was compared with, and whether it fits."""

    stored: str
    fits: bool


@dataclass
class Proofs:
    """Slow password work that was done before the transaction began, for one mail.

    `checked`: by userid and password; `hashed`: new passwords with their hashes; `waits`: by userid and password, what
    the sender is told who has to wait before that password is looked at.
    """

    checked: dict[tuple[str, str], Check] = field(default_factory=dict, repr=False)
    hashed: dict[str, str] = field(default_factory=dict, repr=False)
    waits: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Rate:
    """`burst` tries at once; after that one more each `seconds`."""

    burst: int
    seconds: float


class Buckets:
    """One bucket per key, all with the same rate. When there are too many keys, those not used longest are forgotten.

    Not thread-safe by itself: Attempts holds the lock.
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
        """Take back a try: it does not count after all."""
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
        """For a site without strangers: any number of accounts may be opened."""
        return cls(signup_domain=Rate(1, 0), signup_peer=Rate(1, 0))


class Origin(NamedTuple):
    """Where a mail comes from: the domain in From, and the other side's address; "" if that is our own MTA's."""

    domain: str
    peer: str


class Attempts:
    """Counts who tries a password or opens an account, in one process. Thread-safe; `clock` gives seconds."""

    def __init__(self, rates: Rates | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        rates = rates or Rates()
        self._account = Buckets(rates.account)
        self._login = (Buckets(rates.login_domain), Buckets(rates.login_peer))
        self._signup = (Buckets(rates.signup_domain), Buckets(rates.signup_peer))
        self._clock = clock
        self._lock = threading.Lock()

    def login(self, account: str, origin: Origin) -> float:
        """Count an attempt with a password. Gives 0, or the seconds to wait: then the attempt must not be made."""
        return self._take([(self._account, account), *_keys(self._login, origin)])

    def fits(self, account: str, origin: Origin) -> None:
        """The password was right: that attempt does not count."""
        with self._lock:
            for buckets, key in [(self._account, account), *_keys(self._login, origin)]:
                buckets.give_back(key)

    def signup(self, origin: Origin) -> float:
        """Count a new account. Gives 0, or the seconds to wait: then the account must not be opened."""
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
    domains, peers = by
    keys = [(domains, origin.domain)]
    if origin.peer:
        keys.append((peers, origin.peer))
    return keys


def minutes(seconds: float) -> str:
    """`1 minute`, `12 minutes`: rounded up, so that nobody comes too early."""
    count = max(math.ceil(seconds / 60), 1)
    return f"{count} minute{'s' * (count != 1)}"


class PasswordChecker:
    """Verifies and hashes the passwords of a mail before its transaction begins. Safe in any thread."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        attempts: Attempts,
        reserved: frozenset[str],
        now: Callable[[], datetime],
    ) -> None:
        self._engine = engine.execution_options(**engines.READ_ONLY)
        self._passwords = site.passwords
        self._attempts = attempts
        self._reserved = reserved
        self._now = now

    def check(self, request: Request, mail: Mail, peer: str) -> Proofs:
        """What the calls of a mail need; lines that are no calls are left to the pipeline's answer."""
        proofs = Proofs()
        origin = Origin(mail.sender.rpartition("@")[2], peer)
        calls = [call for call in request.calls[:MOST_LINES] if isinstance(call, Call)]
        players = self._players(calls)
        for call in calls:
            if call.credentials:
                self._check_call(call, players[call.credentials[0]], proofs, origin)
        if request.token and request.token.purpose == signed_addresses.RESET:
            new = request.first_line.strip()
            if is_password(new):
                self._hash(new, proofs)
        return proofs

    def _check_call(self, call: Call, player: Player | None, proofs: Proofs, origin: Origin) -> None:
        password, new = call.credentials and call.credentials[1], call.new_password
        if password is None:
            return
        if player is None:
            if new == password:
                self._open(call.values["userid"], new, proofs, origin)
        elif player.password_hash:
            fits = self._verify(player, player.password_hash, password, proofs, origin)
            if fits and new and new != password:
                self._hash(new, proofs)

    def _verify(self, player: Player, stored: str, password: str, proofs: Proofs, origin: Origin) -> bool:
        """Verify a password, unless too many wrong ones came lately. One that fitted before is not hashed again."""
        pair = (player.userid, password)
        if pair in proofs.waits:
            return False
        if pair in proofs.checked:
            return proofs.checked[pair].fits
        fits = self._passwords.remembers(player.userid, stored, password)
        if not fits:
            if self._is_guessed(player):
                proofs.waits[pair] = "Too many wrong passwords came today. Send it again tomorrow (days are in UTC)."
                return False
            if seconds := self._attempts.login(player.userid, origin):
                proofs.waits[pair] = f"Too many wrong passwords came. Wait {minutes(seconds)}, then send it again."
                return False
            fits = self._passwords.verify(player.userid, stored, password)
            if fits:
                self._attempts.fits(player.userid, origin)
        proofs.checked[pair] = Check(stored, fits)
        return fits

    def _is_guessed(self, player: Player) -> bool:
        """Whether so many wrong passwords came today, to all processes together, that no more are looked at."""
        with self._engine.connect() as connection:
            return Store(connection).readers.spent(player.id, WRONG, _day(self._now())) >= WRONG_A_DAY

    def _open(self, userid: str, password: str, proofs: Proofs, origin: Origin) -> None:
        """Hash the password of a new account, unless too many are opened."""
        if userid in self._reserved or (userid, password) in proofs.waits:
            return
        if seconds := self._attempts.signup(origin):
            text = f"Too many accounts are being opened at this moment. Wait {minutes(seconds)}, then send it again."
            proofs.waits[userid, password] = text
        elif password not in proofs.hashed:
            self._hash(password, proofs)

    def _hash(self, password: str, proofs: Proofs) -> None:
        proofs.hashed[password] = self._passwords.hash(password)

    def _players(self, calls: Sequence[Call]) -> dict[str, Player | None]:
        userids = {c.credentials[0] for c in calls if c.credentials}
        if not userids:
            return {}
        with self._engine.connect() as connection:
            return {userid: Store(connection).players.find(userid) for userid in userids}


def count_wrong(store: Store, proofs: Proofs, now: datetime) -> None:
    """Count the wrong passwords of a mail against their accounts, in the mail's own transaction."""
    for userid in sorted(userid for (userid, _), check in proofs.checked.items() if not check.fits):
        if player := store.players.find(userid):
            store.readers.spend(player.id, WRONG, _day(now), 1, WRONG_A_DAY)


def _day(now: datetime) -> str:
    return f"{now:%Y-%m-%d}"
