"""Writes PNG of sixteen colours (ISO/IEC 15948) from strips that are kept compressed: a move changes one or two.

Pillow's own writer compresses the whole image each time, and takes ten times as long.
"""

import struct
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple
from zlib import DEFLATED, Z_FULL_FLUSH, adler32, crc32

import PIL.Image

#: The extra `fast` has zlib-ng, which takes half the time.
_packing = import_module("zlib_ng.zlib_ng" if find_spec("zlib_ng") else "zlib")

#: Columns on the left of a strip that are not seen. Packed, each row begins with the byte 0: the filter "None".
PAD = 2
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS, _INDEXED = 4, 3
_LEVEL, _BARE = 6, -15  #: of zlib: the usual compression, without head and checksum
_HEAD, _END = b"\x78\x9c", b"\x03\x00"  #: of a zlib stream (RFC 1950, RFC 1951)
_PRIME = 65521  #: of Adler-32


class Strip(NamedTuple):
    """Some rows of an image, compressed so that others can follow. `adler`, `length`: of their bytes."""

    data: bytes
    adler: int
    length: int


def strip(rows: PIL.Image.Image) -> Strip:
    """Compress rows with `PAD` and an even width."""
    raw = rows.tobytes("raw", "P;4")
    packer = _packing.compressobj(_LEVEL, DEFLATED, _BARE)
    return Strip(packer.compress(raw) + packer.flush(Z_FULL_FLUSH), adler32(raw), len(raw))


def png(size: tuple[int, int], colours: bytes, strips: Sequence[Strip]) -> bytes:
    """Return strips as a PNG. `colours`: three bytes for each."""
    head = struct.pack(">IIBBBBB", *size, _BITS, _INDEXED, 0, 0, 0)
    rows = b"".join([_HEAD, *(part.data for part in strips), _END, struct.pack(">I", _checksum(strips))])
    return _SIGNATURE + b"".join(map(_chunk, (b"IHDR", b"PLTE", b"IDAT", b"IEND"), (head, colours, rows, b"")))


def _checksum(strips: Sequence[Strip]) -> int:
    """Return the Adler-32 of all strips from those of each."""
    low, high = 1, 0
    for part in strips:
        high = (high + (part.adler >> 16) + part.length * (low - 1)) % _PRIME
        low = (low + (part.adler & 0xFFFF) - 1) % _PRIME
    return high << 16 | low


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc32(name + data))
