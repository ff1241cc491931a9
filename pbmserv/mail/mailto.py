"""Links that open a new mail."""

from urllib.parse import quote


def mailto(address: str, subject: str, line: str) -> str:
    """A `mailto` URI (RFC 6068) for a mail that begins with `line`.

    All but letters, digits and `-._~` is percent-encoded (§2), the `+` of a signed address too, because some programs
    take it for a space. The body's line ends are %0D%0A (§5); one follows, so that more can be written below.
    """
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body={quote(line, safe='')}%0D%0A"
