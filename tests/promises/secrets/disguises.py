"""The forms in which a mail, a database or a log could carry a password."""

from base64 import b64encode
from collections.abc import Iterator
from quopri import encodestring


def disguises(password: str) -> Iterator[bytes]:
    """Return the password as it is and in each encoding."""
    for encoding in ("utf-8", "latin-1", "utf-16-le", "utf-16-be"):
        plain = password.encode(encoding)
        yield plain
        yield encodestring(plain)
        yield encodestring(plain, quotetabs=True)
        # base64 differs at each of three offsets. Its first and last digits also hold bits of the bytes beside it.
        for shift in range(3):
            text = b64encode(b"\0" * shift + plain)
            yield text[shift + 1 : -4]
    yield password.encode("unicode_escape")
    yield password.encode().hex().encode()
