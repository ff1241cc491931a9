"""Compares the mails that lie in a mailbox as done with the database, which must know each of them.

It only reads, on a connection of its own, so the server can go on running.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from typing import NamedTuple, Protocol

from pbmserv.mail.duplicates import fingerprint
from pbmserv.mail.imap.lost_envelope import with_crlf
from pbmserv.mail.reading import headers, mime

_AT_ONCE = 200  #: mails of which the database is asked together


class Known(Protocol):
    """Returns those of some fingerprints that the database has."""

    def __call__(self, fingerprints: Collection[str], *, apart: bool) -> set[str]: ...


class Unknown(NamedTuple):
    """A mail that the database does not know. `title`: its subject, "" if it cannot be read."""

    uid: int
    sender: str
    title: str


class FolderCheck(NamedTuple):
    """What a folder has: so many mails, and those that the database does not know."""

    looked_at: int
    unknown: tuple[Unknown, ...]


def check(mails: Iterable[tuple[int, bytes]], known: Known) -> FolderCheck:
    """Check the mails of a folder, each with its UID. `known`: asks the database, see `MailQueries.known`."""
    count, unknown, left = 0, list[Unknown](), iter(mails)
    while some := dict(islice(left, _AT_ONCE)):
        count += len(some)
        unknown += _unknown(some, known)
    return FolderCheck(count, tuple(unknown))


def _unknown(some: Mapping[int, bytes], known: Known) -> Iterator[Unknown]:
    names = {uid: _fingerprints(data) for uid, data in some.items()}
    for apart in (False, True):
        asked = {name for each in names.values() for name in each}
        there = known(asked, apart=apart) if asked else set()
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
