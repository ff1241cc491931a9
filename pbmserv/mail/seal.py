"""Encrypts the bytes of mails in quarantine (ADR 5): the database never has a password in clear."""

from base64 import urlsafe_b64encode
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.fernet import Fernet


class Seal:
    """Authenticated encryption (Fernet) with a key derived from the secret key."""

    def __init__(self, secret_key: bytes, purpose: bytes = b"pbmserv shelf") -> None:
        """Each purpose has a key of its own."""
        self._key = urlsafe_b64encode(blake2b(secret_key, digest_size=32, person=purpose).digest())

    @cached_property
    def _fernet(self) -> "Fernet":
        """What encrypts. Its library is imported only for the first mail in quarantine: few servers ever have one."""
        from cryptography.fernet import Fernet

        return Fernet(self._key)

    def close(self, data: bytes) -> bytes:
        """Encrypt bytes."""
        return self._fernet.encrypt(data)

    def open(self, sealed: bytes) -> bytes:
        """Decrypt bytes. Raises cryptography.fernet.InvalidToken if the key is another one."""
        return self._fernet.decrypt(sealed)

    def opened(self, sealed: bytes) -> bytes | None:
        """Decrypt bytes; None if the key is another one."""
        from cryptography.fernet import InvalidToken

        try:
            return self.open(sealed)
        except InvalidToken:
            return None
