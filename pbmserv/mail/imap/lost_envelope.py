"""The envelope of a fetched mail: nobody has kept it, so it is read from what the provider wrote into the headers."""

import re
from collections.abc import Iterator
from itertools import islice

from pbmserv.mail.envelope import Incoming, Place
from pbmserv.mail.reading import headers, mime
from pbmserv.mail.reading.mime import MimePart
from pbmserv.mail.signed_addresses import Signer

#: Where a signed address is looked for, in this order: what the provider writes, then what the sender writes.
_DELIVERED = ("delivered-to", "x-original-to", "envelope-to")
_ADDRESSED = ("to", "cc")
_ADDRESS = re.compile(r"(?<![\w.+=-])[\w.+=-]{1,130}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}", re.ASCII)
_LINE_END = re.compile(rb"\r\n?|\n")
_MOST = 50  #: addresses in headers of one name that are looked at


def incoming(data: bytes, signer: Signer, place: Place | None = None, *, is_cut: bool = False) -> Incoming:
    """Return a fetched mail with its envelope, and with the line ends that a mail has: others keep it with their own.

    `is_cut`: it is too large, and `data` has only its headers.
    """
    data = with_crlf(data)
    head, _, _ = data.partition(b"\r\n\r\n")
    try:
        root = mime.tree(head + b"\r\n\r\n")
    except mime.TooLarge:  # whoever reads it will find the same
        return Incoming(data, "", (signer.address,), place=place, is_cut=is_cut)
    return Incoming(data, _sender(root), _recipients(root, signer), place=place, is_cut=is_cut)


def with_crlf(data: bytes) -> bytes:
    """Return a mail with the line ends that a mail has."""
    ends = data.count(b"\r\n")
    return data if ends == data.count(b"\n") == data.count(b"\r") else _LINE_END.sub(b"\r\n", data)


def _sender(root: MimePart) -> str:
    """Return the envelope sender, "" for the null sender. The last server wrote it on top (RFC 5321 §4.4)."""
    paths = root.values("return-path")
    return paths[0].strip().strip("<>").strip() if paths else headers.author(root)[1]


def _recipients(root: MimePart, signer: Signer) -> tuple[str, ...]:
    """Return the signed address that stands first; without one, those of ours to which the mail was delivered."""
    for name in (*_DELIVERED, *_ADDRESSED):
        if signed := [address for address in _addresses(root, name) if signer.read(address)]:
            return tuple(signed[:1])
    ours = (
        address for name in (*_DELIVERED, *_ADDRESSED) for address in _addresses(root, name) if signer.accepts(address)
    )
    return tuple(dict.fromkeys(ours)) or (signer.address,)


def _addresses(root: MimePart, name: str) -> Iterator[str]:
    return islice((match[0] for value in root.values(name) for match in _ADDRESS.finditer(value)), _MOST)
