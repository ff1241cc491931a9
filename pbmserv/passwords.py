"""Password hashing (argon2id through passlib), and the memory that makes the next move cost microseconds."""

import secrets
import threading
from collections import OrderedDict
from hashlib import blake2b

from passlib.context import CryptContext

from pbmserv import metrics

_SCHEME = CryptContext(
    schemes=["argon2"],
    argon2__type="ID",
    argon2__memory_cost=19 * 1024,  # KiB; with t=2, p=1 the OWASP minimum, about 25 ms
    argon2__rounds=2,
    argon2__parallelism=1,
)
_REMEMBERED = 100_000

#: What stands in the place of the hash while an account has no password: nothing fits it.
NO_PASSWORD = "!"  # noqa: S105


class Passwords:
    """Hashes and verifies; remembers what was verified under a key that only this process has. Thread-safe."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    def hash(self, password: str) -> str:
        """The argon2id hash to store."""
        metrics.hashed()
        return str(_SCHEME.hash(password))

    def verify(self, userid: str, stored: str | None, password: str) -> bool:
        """Whether `password` belongs to the `stored` hash. A changed hash is never found in the memory."""
        if stored is None or stored == NO_PASSWORD:
            return False
        if self.remembers(userid, stored, password):
            return True
        metrics.hashed()
        if not _SCHEME.verify(password, stored):
            return False
        with self._lock:
            self._known[self._mark(userid, stored, password)] = None
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return True

    def remembers(self, userid: str, stored: str, password: str) -> bool:
        """Whether this was verified before: costs microseconds."""
        return self._mark(userid, stored, password) in self._known

    def _mark(self, userid: str, stored: str, password: str) -> bytes:
        words = "\0".join((userid, stored, password)).encode()
        return blake2b(words, key=self._key, digest_size=16).digest()
