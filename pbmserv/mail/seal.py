"""Encrypts the raw bytes of shelved mails. They can contain a password, so the database never has them in clear."""

from base64 import urlsafe_b64encode
from hashlib import blake2b

from cryptography.fernet import Fernet


class Seal:
    """Authenticated encryption (Fernet) with a key derived from the secret key."""

    def __init__(self, secret_key: bytes) -> None:
        derived = blake2b(secret_key, digest_size=32, person=b"pbmserv shelf").digest()
        self._fernet = Fernet(urlsafe_b64encode(derived))

    def close(self, data: bytes) -> bytes:
        """Encrypt bytes."""
        return self._fernet.encrypt(data)

    def open(self, sealed: bytes) -> bytes:
        """Decrypt bytes. Raises cryptography.fernet.InvalidToken if the key is another one."""
        return self._fernet.decrypt(sealed)
