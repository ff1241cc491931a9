"""Receipts: each entry of a log has a hash that contains the hash before it. docs/receipts.md has the definition.

So nobody can change, leave out, add or move an entry of a log without another hash for all entries after it. Players
have these hashes in their letters. The text of an entry is sealed with a salt that follows from the secret seed of the
board: where a text is hidden, nobody can try which one fits.

Only texts go in, and no rules of any game are needed. A change here would make all hashes of old boards wrong.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b, sha256

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))  # made once, because each entry needs it


def canonical(plain: object) -> str:
    """Return plain data as JSON, always in the same form: ASCII, sorted, without spaces."""
    return _ENCODER.encode(plain)


def receipt_of(text: str) -> str:
    """Return the hash of a text: sha256 in hexadecimal. That of the beginning of a board is its first receipt."""
    return sha256(text.encode()).hexdigest()


def salt(seed: str, number: int) -> str:
    """Return what the text of an entry is sealed with; number 0 is for the position that a board begins with.

    BLAKE2b with a key is made for this, and takes less time than HMAC.
    """
    return blake2b(b"receipt %d" % number, key=seed.encode(), digest_size=16).hexdigest()


def seal(salted: str, text: str) -> str:
    """Return the seal of a text. It says nothing of the text to anybody who does not have the salt."""
    return receipt_of(salted + text)


def moment(at: datetime) -> str:
    """Return a time as the receipts have it, in UTC."""
    return at.astimezone(UTC).isoformat()


def next_receipt(
    before: str, board: int, number: int, seat: int, kind: str, sealed: str, ply: int, at: datetime
) -> str:
    """Return the receipt of an entry. `before`: that of the entry before it, or of the beginning."""
    return receipt_of(canonical([before, board, number, seat, kind, sealed, ply, moment(at)]))


def sealed_origin(seed: str, origin: str | None) -> str | None:
    """Return the seal of the position that a board begins with; None if its game's. `origin`: JSON in any form."""
    return None if origin is None else seal(salt(seed, 0), canonical(json.loads(origin)))


def plain_settings(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a board without those that say nothing: none, no and zero. Later versions have more."""
    return {name: value for name, value in settings.items() if value}


def beginning(
    game: str,
    rules: int,
    options: Mapping[str, str],
    players: Sequence[str],
    settings: Mapping[str, object],
    created: datetime,
    seed: str,
    origin: str | None,
    continues: Sequence[object] | None,
    sealed: datetime | None = None,
) -> str:
    """Return all that is fixed when a board begins, as JSON. It has the sha256 of the seed, and not the seed.

    `continues`: the seat that a substitute takes over, as in `model.LeftSeat`. `sealed`: when the receipts were made of
    a board that had begun without any, or elsewhere; None, as nearly always: when it began.
    """
    left = dict(zip(("board", "seat", "ply", "userid", "how"), continues, strict=True)) if continues else None
    return canonical(
        {
            "game": game,
            "rules": rules,
            "options": dict(options),
            "players": list(players),
            "settings": plain_settings(settings),
            "created": moment(created),
            "commitment": receipt_of(seed),
            "origin": sealed_origin(seed, origin),
            "continues": left,
            **({"sealed": moment(sealed)} if sealed else {}),
        }
    )
