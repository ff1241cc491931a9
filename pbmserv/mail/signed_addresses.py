"""Signed addresses: a local part that only this server can have written, so that no password is needed.

`pbmserv+b101.0.12.<signature>@…` stands for board 101, seat 0, a log of 12 entries. The signature is HMAC-SHA256
(RFC 2104) over purpose and payload, cut to 80 bits, in lower-case base32: 16 characters that survive every mailer.
"""

import hmac
import re
from base64 import b32encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

BOARD = "b"  #: board.seat.length
CONFIRM = "c"  #: token number: an address to be confirmed
DIGEST = "d"  #: digest number: an answer moves on all its boards
INVITE = "i"  #: token number: an invitation to somebody's address
UNSUBSCRIBE = "u"  #: board.player: ends the copies of a board's letters
RESET = "r"  #: a random number: an answer with a new password, once and within an hour
VERP = "v"  #: outbox number: envelope sender of a letter, where its bounces come back (variable envelope return path)
OFFER = "o"  #: board.seat.length.code of a move: an answer with the word yes plays it
MESSAGE = "m"  #: left part of our Message-IDs

#: Characters of the part of an address before the @ (RFC 5321 §4.5.3.1.1).
MOST_CHARACTERS = 64

#: What stands for a seat: board, seat and length come first in the numbers.
OF_A_BOARD = (BOARD, OFFER)
#: What a mail can be an answer to.
ANSWERED = (*OF_A_BOARD, CONFIRM, DIGEST, INVITE, UNSUBSCRIBE, RESET)

# Purpose, numbers, signature. What has another form was not signed by us, and need not be hashed to know that.
_SIGNED = re.compile(r"(([a-z])((?:[0-9]+(?:\.[0-9]+)*)?))\.([a-z2-7]{16})")


def offered_move(code: int) -> str:
    """The move that a code in the address of an offer stands for."""
    return code.to_bytes((code.bit_length() + 7) // 8, "big").decode()


@dataclass(frozen=True)
class Token:
    """What a signed address says: its purpose and its numbers."""

    purpose: str
    numbers: tuple[int, ...]


class Signer:
    """Makes and reads the addresses of one service; `address` is the setting, `key` the secret key."""

    def __init__(self, address: str, key: bytes) -> None:
        self.address = address
        self._local, _, self.domain = address.rpartition("@")
        self._own = {f"{local}@{self.domain}".lower() for local in (self._local, "postmaster")}
        self._key = key
        self._mac = lru_cache(maxsize=4096)(self._new_mac)  # a letter names the same addresses several times

    def sign(self, purpose: str, *numbers: int) -> str:
        """The signed form of the service address, its local part at most 64 characters long (RFC 5321 §4.5.3.1.1)."""
        return f"{self._local}+{self.signed(purpose, *numbers)}@{self.domain}"

    def signed(self, purpose: str, *numbers: int) -> str:
        """The signed words alone, such as `b101.0.12.abcdefghijklmnop`."""
        words = purpose + ".".join(str(n) for n in numbers)
        return f"{words}.{self._mac(words)}"

    def offer(self, board: int, seat: int, length: int, move: str) -> str:
        """The address whose answer may be the word yes, for a move; "" if the move is too long for an address."""
        address = self.sign(OFFER, board, seat, length, int.from_bytes(move.encode(), "big"))
        return address if len(address.rpartition("@")[0]) <= MOST_CHARACTERS else ""

    def read(self, address: str) -> Token | None:
        """What a signed address says; None for every other address, and for one whose signature is wrong."""
        local, _, domain = address.lower().rpartition("@")
        name, _, signed = local.rpartition("+")
        return self.verify(signed) if f"{name}@{domain}" == self.address.lower() else None

    def verify(self, text: str) -> Token | None:
        """What signed words say, None if we did not sign them. The comparison takes constant time."""
        found = _SIGNED.fullmatch(text.lower())
        if not found or not hmac.compare_digest(self._mac(found[1]), found[4]):
            return None
        return Token(found[2], tuple(int(n) for n in found[3].split(".") if n))

    def accepts(self, address: str) -> bool:
        """Whether mail to this address is ours: the service address, a signed form of it, the postmaster."""
        return address.lower() in self._own or self.read(address) is not None

    def keyed_hash(self, text: str) -> str:
        """64 hexadecimal digits for `text` that nobody can make who has only the database."""
        # The word keeps these apart from the signatures. It stays as it is, for databases are full of such hashes.
        return hmac.digest(self._key, b"digest\0" + text.encode(), sha256).hex()

    def _new_mac(self, words: str) -> str:
        mac = hmac.digest(self._key, words.encode(), sha256)
        return b32encode(mac[:10]).decode().lower()
