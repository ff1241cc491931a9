"""Compares the mails that lie in a mailbox as done with the database, which must know each of them.

It only reads, on a connection of its own, so the server can go on running.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from pbmserv.mail.duplicates import fingerprint
from pbmserv.mail.imap.lost_envelope import with_crlf
from pbmserv.mail.reading import headers, mime
from pbmserv.store import Store

_AT_ONCE = 200  #: mails of which the database is asked together


class Unknown(NamedTuple):
    """A mail that the database does not know. `title`: its subject, "" if it cannot be read."""

    uid: int
    sender: str
    title: str


class FolderCheck(NamedTuple):
    """What a folder has: so many mails, and those that the database does not know."""

    looked_at: int
    unknown: tuple[Unknown, ...]


def check(mails: Iterable[tuple[int, bytes]], store: Store) -> FolderCheck:
    """Check the mails of a folder, each with its UID."""
    count, unknown, left = 0, list[Unknown](), iter(mails)
    while some := dict(islice(left, _AT_ONCE)):
        count += len(some)
        unknown += _unknown(some, store)
    return FolderCheck(count, tuple(unknown))


def _unknown(some: Mapping[int, bytes], store: Store) -> Iterator[Unknown]:
    names = {uid: _fingerprints(data) for uid, data in some.items()}
    for apart in (False, True):
        there = store.mails.known({name for each in names.values() for name in each}, apart=apart)
        names = {uid: each for uid, each in names.items() if there.isdisjoint(each)}
    for uid in names:
        root = mime.tree(with_crlf(some[uid]).partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        yield Unknown(uid, headers.author(root)[1], headers.title(root))


def _fingerprints(data: bytes) -> list[str]:
    """Return the fingerprints that a mail may have: its own, or that of one that could not be read and was shelved."""
    names = [sha256(with_crlf(data)).hexdigest()]
    with suppress(mime.TooLarge):
        names.append(fingerprint(mime.tree(data)))
    return names
