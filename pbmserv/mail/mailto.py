"""Links that open a new mail."""

from collections.abc import Iterable
from urllib.parse import quote


def mailtos(address: str, subject: str, lines: Iterable[str]) -> list[str]:
    """For each line a `mailto` URI (RFC 6068) for a mail that begins with it.

    All but letters, digits and `-._~` is percent-encoded (§2), the `+` of a signed address too, because some programs
    take it for a space. The body's line ends are %0D%0A (§5); one follows, so that more can be written below.
    """
    start = f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body="
    return [f"{start}{quote(line, safe='')}%0D%0A" for line in lines]
