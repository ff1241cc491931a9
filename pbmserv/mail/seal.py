"""Seals the raw bytes of a shelved mail: they may hold a password, so they are never in the database in clear."""

from base64 import urlsafe_b64encode
from hashlib import blake2b

from cryptography.fernet import Fernet


class Seal:
    """Authenticated encryption (Fernet) under a key that is derived from the secret key."""

    def __init__(self, secret_key: bytes) -> None:
        derived = blake2b(secret_key, digest_size=32, person=b"pbmserv shelf").digest()
        self._fernet = Fernet(urlsafe_b64encode(derived))

    def close(self, data: bytes) -> bytes:
        """The sealed bytes."""
        return self._fernet.encrypt(data)

    def open(self, sealed: bytes) -> bytes:
        """The bytes that were sealed. Raises cryptography.fernet.InvalidToken under another key."""
        return self._fernet.decrypt(sealed)
