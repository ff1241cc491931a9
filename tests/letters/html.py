"""Read the HTML part of a letter."""

import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True)
class Tap:
    """A link that a player taps: what it shows, and the mail that it opens."""

    text: str
    to: str
    subject: str
    body: str


def words(html: str) -> list[str]:
    """Return all words of the letter except those of the links."""
    body = html.partition("<body>")[2].partition("</body>")[0]
    body = re.sub(r"<nav>.*?</nav>", " ", body, flags=re.S)
    return unescape(re.sub(r"<[^>]*>", " ", body)).split()


def taps(html: str) -> list[Tap]:
    """Return the links in their order, decoded as a mail program does it (RFC 3986 §2.4, RFC 6068 §2)."""
    return [
        _tap(unescape(text), unescape(uri)) for uri, text in re.findall(r'<a [^>]*href="([^"]*)">([^<]*)</a>', html)
    ]


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
