"""The language of a visitor of whom we know nothing but what the browser asks for."""

import re
from collections.abc import Container

_LONGEST = 200  #: characters of the header that are read
_WISH = re.compile(r"\s*([a-zA-Z]+)[a-zA-Z0-9-]*\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?))?\s*")


def preferred(header: str, known: Container[str], usual: str) -> str:
    """Return which of our languages a browser likes best, as Accept-Language says (RFC 9110, section 12.5.4)."""
    wishes = (_WISH.fullmatch(part) for part in header[:_LONGEST].split(","))
    weights = {wish[1].lower(): -float(wish[2] or 1) for wish in wishes if wish and wish[1].lower() in known}
    liked = [language for language in sorted(weights, key=lambda name: weights[name]) if weights[language]]
    return next(iter(liked), usual)
