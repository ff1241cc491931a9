"""Signed addresses. Only this server can make their local parts, so an answer to one needs no password.

`pbmserv+b101.0.12.<signature>@…` means board 101, seat 0, a log of 12 entries. The signature is HMAC-SHA256
(RFC 2104) over purpose and payload, cut to 80 bits, in lower-case base32: 16 characters that no mailer changes.

Where no mail goes to such addresses, their words stand in brackets at the end of a subject, and once more in the last
line of the letter. There they have another signature, which fits for mails of the letter's reader only (ADR 92).
"""

import hmac
import re
from base64 import b32encode
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from pbmserv.mail.seal import Seal

BOARD = "b"  #: board.seat.length, and the epoch of the player's password if it has one
CONFIRM = "c"  #: token number: an address to be confirmed
DIGEST = "d"  #: digest number, and the epoch if there is one: an answer moves on all its boards
INVITE = "i"  #: token number: an invitation to somebody's address
UNSUBSCRIBE = "u"  #: board.player: stops copies of a board's letters
STOP = "s"  #: player.what: stops one kind of letters to a player
NEVER = "n"  #: token number: stops all invitations to somebody's address
RESET = "r"  #: a random number: for an answer with a new password, once and within an hour
SUBSTITUTE = "t"  #: seek.player: the answer to the question whether somebody agrees to a substitute
TOURNAMENT = "e"  #: tournament.player: the answers join, leave, show and challenge
WELCOME = "w"  #: player: the answer "play" begins a board with a robot
PUZZLE = "z"  #: puzzle.player: a move solves the puzzle, or does not
VERP = "v"  #: outbox number: the envelope sender of a letter, which gets its bounces (variable envelope return path)
OFFER = "o"  #: board.seat.length, the epoch if there is one, code of a move or word: the answer "yes" plays it
PAGE = "p"  #: board.seat.code of the player: no address, but the end of a link to the player's own web page
BOARDS = "g"  #: player.code: no address, but a part of the link to the list of a player's boards
CALENDAR = "k"  #: player.code: no address, but a part of the link to the player's own calendar
WEBHOOK = "h"  #: player.nonce: no address, but a half of the secret of the player's webhook
TALK = "a"  #: writer.reader of a message, and the epoch if there is one: an answer is a message back to the writer
CHAT = "x"  #: as BOARD, of a letter that another player wrote: what is no command goes to that player
TOUCH = "q"  #: as BOARD, of what a player sends from their own page: no letter has it, only the page makes it
PROOF = "f"  #: time.hash: no address, but what a provider's post proved itself by, for the server (`duplicates.POSTED`)
MESSAGE = "m"  #: left part of our Message-IDs

#: Characters of the part of an address before the @ (RFC 5321 §4.5.3.1.1).
MOST_CHARACTERS = 64

#: Of the signatures. OpenSSL finds it faster by its name than by a function.
_HASH = "sha256"
_MOST_FOUND = 20  # addresses in one text that are read
#: Purposes that mean a seat: their numbers begin with board, seat and length.
OF_A_BOARD = (BOARD, OFFER, CHAT, TOUCH)
#: Purposes that a mail can answer.
ANSWERED = (
    *OF_A_BOARD,
    CONFIRM,
    DIGEST,
    INVITE,
    UNSUBSCRIBE,
    STOP,
    NEVER,
    RESET,
    SUBSTITUTE,
    TOURNAMENT,
    WELCOME,
    TALK,
    PUZZLE,
)

_WORDS = r"[a-z](?:[0-9]+(?:\.[0-9]+)*)?"
# Of signed words in a stored letter: the signature, what stands directly before it, and what stands there without it.
# JSON escapes control characters, so nobody can write the mark of an open place.
_SIGNATURE = re.compile(rb"\.([a-z2-7]{16})", re.IGNORECASE)
_BEFORE = re.compile(rf"{_WORDS}\Z".encode(), re.IGNORECASE)
_OPEN = b"\x01"
_UNSIGNED = re.compile(rf"({_WORDS})\.".encode() + _OPEN, re.IGNORECASE)

# Purpose, numbers, signature. We have not signed anything in another form, so there is no need to hash it.
_SIGNED = re.compile(r"(([a-z])((?:[0-9]+(?:\.[0-9]+)*)?))\.([a-z2-7]{16})")

# Signed words in brackets, of whatever signature.
_BRACKETED = re.compile(r"[ \t]?\[([a-z][0-9.]{0,64}\.[a-z2-7]{16})\]", re.IGNORECASE)

OWN_MOVES, BROADCASTS = 1, 2  #: what an address of the purpose STOP stops: its last number


def offered_move(code: int) -> str:
    """Return the move, or what stands for a word, for a code in the address of an offer."""
    return code.to_bytes((code.bit_length() + 7) // 8, "big").decode()


def _if_any(epoch: int | None) -> tuple[int, ...]:
    """Return what an epoch adds to the numbers of an address: nothing before the first change of the password."""
    return (epoch,) if epoch else ()


def words_of(address: str) -> str:
    """Return the signed words of a signed address."""
    return address.partition("@")[0].rpartition("+")[2]


def with_words(subject: str, words: str) -> str:
    """Return a subject with signed words in brackets."""
    return f"{subject} [{words}]".lstrip()


def bracketed(text: str) -> tuple[str, ...]:
    """Return the first words in brackets that look like signed ones. Nobody has checked them."""
    return tuple(match[1] for match in islice(_BRACKETED.finditer(text), _MOST_FOUND))


def without_words(text: str, instead: str = "") -> str:
    """Return a text without what `bracketed` finds in it, and all like it."""
    return _BRACKETED.sub(instead, text)


@dataclass(frozen=True)
class Token:
    """The content of a signed address: its purpose and its numbers."""

    purpose: str
    numbers: tuple[int, ...]

    @property
    def epoch(self) -> int | None:
        """The epoch of the password with which the address acts for its player; None: it was the first one."""
        match self.purpose, self.numbers:
            case ("b", (_, _, _, epoch)) | ("o", (_, _, _, epoch, _)) | ("d", (_, epoch)):
                return epoch
            case ("x" | "q", (_, _, _, epoch)) | ("a", (_, _, epoch)):
                return epoch
        return None


def _for_reader(unsigned: str, reader: str) -> str:
    """Return what is signed for one reader. No other text that is signed has a space."""
    return f"{unsigned} {reader.casefold()}"


class Signer:
    """Makes and reads the addresses of one service; `address` is the setting, `key` the secret key."""

    def __init__(self, address: str, key: bytes) -> None:
        self.address = address
        self._local, _, self.domain = address.rpartition("@")
        domain = self.domain.lower()
        self._operators = {"postmaster", f"postmaster@{domain}", f"abuse@{domain}"}
        self._key = key
        self._empty = hmac.new(key, digestmod=_HASH)  #: copied for each hash: `hmac.digest` would begin anew
        self._mac = lru_cache(maxsize=4096)(self._new_mac)  # a letter contains the same addresses several times

    def sign(self, purpose: str, *numbers: int) -> str:
        """Return a signed service address. Its local part has at most 64 characters (RFC 5321 §4.5.3.1.1)."""
        return f"{self._local}+{self.signed(purpose, *numbers)}@{self.domain}"

    def signed(self, purpose: str, *numbers: int) -> str:
        """Return only the signed words, such as `b101.0.12.abcdefghijklmnop`."""
        words = purpose + ".".join(str(n) for n in numbers)
        return f"{words}.{self._mac(words)}"

    def for_reader(self, words: str, reader: str) -> str:
        """Return signed words with the signature that fits for mails from the address of this reader only."""
        unsigned, _, _ = words.rpartition(".")
        return f"{unsigned}.{self._mac(_for_reader(unsigned, reader))}"

    def message_id(self, *numbers: int) -> str:
        """Return the Message-ID for these numbers. The same numbers always give the same one."""
        return f"<{self.signed(MESSAGE, *numbers)}@{self.domain}>"

    def offer(self, board: int, seat: int, length: int, epoch: int | None, move: str) -> str:
        """Return the address where the answer "yes" plays a move; "" if the move is too long for an address."""
        code = int.from_bytes(move.encode(), "big")
        address = self.sign(OFFER, board, seat, length, *_if_any(epoch), code)
        return address if len(address.rpartition("@")[0]) <= MOST_CHARACTERS else ""

    def answer(self, board: int, seat: int, length: int, epoch: int | None, offer: str = "") -> str:
        """Return the reply address of a board letter: that of an offered move, if there is one.

        `epoch`: of the password of the seat's player. When another one is set, the address acts no more.
        """
        if offer:
            return self.offer(board, seat, length, epoch, offer)
        return self.sign(BOARD, board, seat, length, *_if_any(epoch))

    def digest(self, number: int, epoch: int | None) -> str:
        """Return the reply address of a digest."""
        return self.sign(DIGEST, number, *_if_any(epoch))

    def talk(self, writer: int, reader: int, epoch: int | None) -> str:
        """Return the reply address of a message: what its reader answers goes to its writer."""
        return self.sign(TALK, writer, reader, *(() if epoch is None else (epoch,)))

    def chat(self, board: int, seat: int, length: int, epoch: int | None) -> str:
        """Return the reply address of a letter that another player of a board wrote."""
        return self.sign(CHAT, board, seat, length, *(() if epoch is None else (epoch,)))

    def touch(self, board: int, seat: int, length: int, epoch: int | None) -> str:
        """Return the signed words of the address for what a player sends from their own page."""
        return self.signed(TOUCH, board, seat, length, *_if_any(epoch))

    def list_id(self, label: str) -> str:
        """Return the identifier of a kind of letters (RFC 2919), such as `tumble.pbmserv.games.example`."""
        return f"{label}.{self._local}.{self.domain}"

    def read(self, address: str) -> Token | None:
        """Read a signed address; None for any other address, and for a wrong signature."""
        local, _, domain = address.lower().rpartition("@")
        name, _, signed = local.rpartition("+")
        return self.verify(signed) if f"{name}@{domain}" == self.address.lower() else None

    def find(self, text: str) -> list[Token]:
        """Return the contents of the first signed addresses in a text, and of signed words in brackets."""
        local, domain = map(re.escape, (self._local, self.domain))
        texts = re.findall(rf"{local}\+[a-z0-9.]{{1,64}}@{domain}", text, re.IGNORECASE)
        tokens = map(self.read, list(dict.fromkeys(texts))[:_MOST_FOUND])
        return [token for token in (*tokens, *map(self.verify, bracketed(text))) if token]

    def quoted(self, text: str, reader: str) -> Token | None:
        """Return the content of the first words in brackets in a text that are signed for this reader."""
        return next(filter(None, (self.verify(words, reader) for words in bracketed(text))), None)

    def verify(self, text: str, reader: str = "") -> Token | None:
        """Read signed words; None if we did not sign them. The comparison takes constant time.

        `reader`: the address for which they must be signed, if they stood in the text of a mail.
        """
        match = _SIGNED.fullmatch(text.lower())
        if not match:
            return None
        signed = _for_reader(match[1], reader) if reader else match[1]
        if not hmac.compare_digest(self._mac(signed), match[4]):
            return None
        return Token(match[2], tuple(int(n) for n in match[3].split(".") if n))

    def without_signatures(self, stored: bytes) -> bytes:
        """Return the JSON with a mark in place of each of our signatures, so that its readers get no signature."""
        parts, end = list[bytes](), 0
        for match in _SIGNATURE.finditer(stored):
            words = _BEFORE.search(stored, max(0, match.start() - MOST_CHARACTERS), match.start())
            if words and self.verify((words[0] + match[0]).decode()):
                parts += (stored[end : match.start(1)], _OPEN)
                end = match.end()
        return b"".join((*parts, stored[end:]))

    def with_signatures(self, stored: bytes) -> bytes:
        """Return the JSON with its signatures: the reverse of `without_signatures`."""

        def signed(match: re.Match[bytes]) -> bytes:
            return match[1] + b"." + self._mac(match[1].decode().lower()).encode()

        return _UNSIGNED.sub(signed, stored) if _OPEN in stored else stored

    def accepts(self, address: str) -> bool:
        """Return whether we accept mail to this address: the service address, a signed form, or the operator's."""
        is_plain = address.lower() == self.address.lower() or self.is_for_operator(address)
        return is_plain or self.read(address) is not None

    def is_for_operator(self, address: str) -> bool:
        """Return whether this is an address of the operator: postmaster (RFC 5321 §4.5.1), or abuse (RFC 2142)."""
        return address.lower() in self._operators

    def is_ours(self, address: str) -> bool:
        """Return whether an address is the service address, one of the operator's, or looks like a signed one."""
        local, _, domain = address.lower().rpartition("@")
        return self.is_for_operator(address) or f"{local.partition('+')[0]}@{domain}" == self.address.lower()

    def keyed_hash(self, text: str) -> str:
        """Return 64 hexadecimal digits for `text`, which cannot be computed from the database alone."""
        # The word separates these hashes from signatures. Never change it, because databases contain such hashes.
        return self._hmac(b"digest\0" + text.encode()).hex()

    @cached_property
    def seal(self) -> Seal:
        """Encrypts what the database keeps, but its reader must not know."""
        return Seal(self._key, b"pbmserv webhook")

    def _new_mac(self, words: str) -> str:
        return b32encode(self._hmac(words.encode())[:10]).decode().lower()

    def _hmac(self, data: bytes) -> bytes:
        made = self._empty.copy()
        made.update(data)
        return made.digest()
