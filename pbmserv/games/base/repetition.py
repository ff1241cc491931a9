"""Positions that come back: which of them are the same, and how often they stood on a board (ADR 37).

A board keeps a short key of each position, all in one text, which is stored and compared like any other value. To
count a key among those of 5,000 positions takes some millionths of a second.
"""

from base64 import urlsafe_b64encode
from hashlib import blake2b

from pbmserv.games.base.game import AnyGame

_BYTES = 6  #: two of 5,000 positions have the same key by chance on one board of twenty million
_LENGTH = 1 + _BYTES * 4 // 3  #: characters of a key


def key_of(game: AnyGame, position: object) -> str:
    """Return the key of a position with the seats that are to move: a space and eight letters."""
    seats = sorted(game.to_move(position))
    digest = blake2b(f"{seats}{game.position_key(position)}".encode(), digest_size=_BYTES).digest()
    return f" {urlsafe_b64encode(digest).decode()}"


def first_other(seen: str, other: str) -> int:
    """Return the ply of the first key that is not the same in both texts, which differ."""
    places = range(0, max(len(seen), len(other)), _LENGTH)
    return next(n for n, at in enumerate(places) if seen[at : at + _LENGTH] != other[at : at + _LENGTH])


def times(seen: str, key: str) -> int:
    """Return how often a position stood on a board. `seen`: the keys of all its positions, one after the other."""
    return seen.count(key)
