"""Read the HTML part of a letter."""

import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote, urlsplit

_LINKS = re.compile(r'<a [^>]*href="(mailto:[^"]*)"[^>]*>(.*?)</a>', re.S)
_PICTURE = r'<div class="picture".*?</div>'


@dataclass(frozen=True)
class Tap:
    """A link that a player taps: what it shows, and the mail that it opens."""

    text: str
    to: str
    subject: str
    body: str


def words(html: str) -> list[str]:
    """Return all words of the letter except those of the links and of the pictures."""
    return [word for part in _parts(html) for word in part]


def says_the_same(html: str, text: str) -> bool:
    """Return whether the HTML has the words of the text, with pictures in place of diagrams."""
    first, *others = _parts(html)
    left = text.split()
    if left[: len(first)] != first:
        return False
    left = left[len(first) :]
    for part in others:
        starts = (n for n in range(1, len(left) + 1) if left[n : n + len(part)] == part)
        start = next(starts, None) if part is not others[-1] else len(left) - len(part)
        if not start or start < 1 or left[start : start + len(part)] != part:
            return False
        left = left[start + len(part) :]
    return not left


def pictures(html: str) -> list[str]:
    """Return the pictures of boards, as HTML."""
    return re.findall(_PICTURE, html, flags=re.S)


def _parts(html: str) -> list[list[str]]:
    """Return the words before, between and after the pictures, without those of the links."""
    body = html.partition("<body>")[2].partition("</body>")[0]
    body = re.sub(r"<nav>.*?</nav>", " ", body, flags=re.S)
    return [unescape(re.sub(r"<[^>]*>", " ", part)).split() for part in re.split(_PICTURE, body, flags=re.S)]


def taps(html: str) -> list[Tap]:
    """Return the links in their order, decoded as a mail program does it (RFC 3986 §2.4, RFC 6068 §2)."""
    return [_tap(unescape(re.sub(r"<[^>]*>", "", text)), unescape(uri)) for uri, text in _LINKS.findall(html)]


def _tap(text: str, uri: str) -> Tap:
    parts = urlsplit(uri)
    assert parts.scheme == "mailto"
    fields = dict(field.split("=") for field in parts.query.split("&"))
    return Tap(text, unquote(parts.path), unquote(fields["subject"]), unquote(fields["body"]))


def blocks(html: str, tag: str, name: str = "") -> list[str]:
    """Return the texts of the elements with this tag, and with this class if one is given."""
    wanted = rf' class="{name}"' if name else ""
    found = re.findall(rf"<{tag}{wanted}[^>]*>(.*?)</{tag}>", html, flags=re.S)
    return [unescape(re.sub(r"<[^>]*>", "", text)) for text in found]
