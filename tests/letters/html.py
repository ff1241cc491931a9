"""Read the HTML part of a letter."""

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote, urlsplit

_LINKS = re.compile(r'<a [^>]*href="(mailto:[^"]*)"[^>]*>(.*?)</a>', re.S)
_NAME = re.compile(r'<span class="fine".*?</span>')
_PICTURE = r'<div class="picture".*?</details>\s*</div>'


@dataclass(frozen=True)
class Tap:
    """A link that a player taps: what it shows, and the mail that it opens."""

    text: str
    to: str
    subject: str
    body: str


def words(html: str) -> list[str]:
    """Return all words of the letter except those of the links, and of boards only those of their diagrams."""
    body = html.partition("<body>")[2].partition("</body>")[0]
    body = re.sub(_PICTURE, lambda found: " ".join(re.findall("<pre.*?</pre>", found[0], flags=re.S)), body, flags=re.S)
    body = re.sub(r"<nav.*?</nav>", " ", body, flags=re.S)
    return unescape(re.sub(r"<[^>]*>", " ", body)).split()


def says_the_same(html: str, text: str) -> bool:
    """Return whether the HTML has the words of the text; some blocks stand below the board there.

    What the text marks by signs as a heading is larger in HTML.
    """
    return Counter(words(_named_once(html))) == Counter(text.replace("==== ", "").split())


def _named_once(html: str) -> str:
    """Return the HTML without the names of columns that it says again in other rows of the same table."""
    for table in re.findall(r'<div style="margin:0 0 18px">.*?</div>', html, flags=re.S):
        for name in set(_NAME.findall(table)):
            first, _, others = table.partition(name)
            html = html.replace(table, table := first + name + others.replace(name, ""))
    return html


def pictures(html: str) -> list[str]:
    """Return the pictures of boards, as HTML."""
    return re.findall(_PICTURE, html, flags=re.S)


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
