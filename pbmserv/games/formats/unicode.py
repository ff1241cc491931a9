"""Files in UTF-16, which some editors write: as the UTF-8 that all readers of records expect."""

import codecs

_LOOKED_AT = 1000  #: bytes in which texts of letters, digits and signs show how they are written


def as_utf8(data: bytes) -> bytes:
    """Return a file in UTF-16, with or without a mark at its beginning, in UTF-8; other files as they are."""
    name = _utf16(data)
    return data.decode(name, "replace").removeprefix("\ufeff").encode() if name else data


def _utf16(data: bytes) -> str:
    """Return the name of the UTF-16 in which a file is written; "" if it is not."""
    head = data[:_LOOKED_AT]
    for mark, name, high in ((codecs.BOM_UTF16_LE, "utf-16-le", 1), (codecs.BOM_UTF16_BE, "utf-16-be", 0)):
        zeros, others = head[high::2].count(0), head[1 - high :: 2].count(0)
        if head.startswith(mark) or (zeros > len(head) // 4 and zeros > 4 * others):
            return name
    return ""
