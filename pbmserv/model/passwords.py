"""Password hashing (argon2id through passlib), and a cache that makes the next check take microseconds."""

import secrets
import threading
from collections import OrderedDict
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from pbmserv import metrics

if TYPE_CHECKING:
    from passlib.context import CryptContext

_REMEMBERED = 100_000

#: Stored instead of a hash while an account has no password. No password matches it.
NO_PASSWORD = "!"  # noqa: S105

#: The prefix of the hash of a locked account, as with `passwd -l`. After unlocking, the old password works again.
LOCKED = "!locked:"


class Passwords:
    """Hashes and verifies passwords. The cache of verified ones uses a key of this process. Thread-safe."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._known: OrderedDict[bytes, bytes] = OrderedDict()  #: the marks of a stored hash and of its password
        self._lock = threading.Lock()

    def hash(self, password: str) -> str:
        """Return the argon2id hash to store."""
        metrics.hashed()
        return str(_scheme().hash(password))

    def verify(self, userid: str, stored: str | None, password: str) -> bool:
        """Return whether `password` fits `stored`, also of a locked account. The cache never fits a changed hash."""
        if stored is None or (hashed := stored.removeprefix(LOCKED)) == NO_PASSWORD:
            return False
        if self.remembers(userid, stored, password):
            return True
        metrics.hashed()
        if not _scheme().verify(password, hashed):
            return False
        self.remember(userid, stored, password)
        return True

    def remember(self, userid: str, stored: str, password: str) -> None:
        """Remember a password that fits."""
        with self._lock:
            self._known[self._mark(userid, stored)] = self._mark(userid, stored, password)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)

    def remembers(self, userid: str, stored: str, password: str) -> bool:
        """Return whether this process has verified the password before. Takes microseconds."""
        return self._known.get(self._mark(userid, stored)) == self._mark(userid, stored, password)

    def knows(self, userid: str, stored: str) -> bool:
        """Return whether this process has verified the password of this hash: what it does not remember is another."""
        return self._mark(userid, stored) in self._known

    def _mark(self, *words: str) -> bytes:
        return blake2b("\0".join(words).encode(), key=self._key, digest_size=16).digest()


@cache
def _scheme() -> "CryptContext":
    """Return the hash function. Its library is imported only now, because most admin commands need no password."""
    from passlib.context import CryptContext

    return CryptContext(
        schemes=["argon2"],
        argon2__type="ID",
        argon2__memory_cost=19 * 1024,  # KiB; with t=2, p=1 the OWASP minimum, about 25 ms
        argon2__rounds=2,
        argon2__parallelism=1,
    )
