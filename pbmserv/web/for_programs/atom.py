"""Atom feeds (RFC 4287): their entries, and the bytes of a feed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from xml.etree import ElementTree

from pbmserv.web.visit import File, Installation

MOST = 50  #: entries of a feed
MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"

ElementTree.register_namespace("", _ATOM)


@dataclass(frozen=True)
class FeedEntry:
    """An entry of a feed. `path`: of the page that shows it."""

    id: str
    title: str
    when: datetime
    author: str
    path: str
    text: str


def _newest(news: Iterable[FeedEntry]) -> list[FeedEntry]:
    """Return the latest of these; of one board and one moment, that which came last is the first."""
    return sorted(news, key=lambda n: n.when)[: -MOST - 1 : -1]


def tag(place: Installation, since: datetime, path: str) -> str:
    """Return a name that nothing else has, and that stays the same wherever the pages are (RFC 4151)."""
    return f"tag:{place.address.replace('=', '-')},{since:%Y-%m-%d}:{path}"


def feed(
    place: Installation,
    head: FeedEntry,
    news: Callable[[], Iterable[FeedEntry]],
    max_age: int,
    known: object = None,
) -> File:
    """Return a feed of the latest of these news; the times, titles and paths of `head` are its own.

    `known`: plain values from which all of it follows, if it takes long to find the news.
    """
    return File(lambda: _written(place, head, _newest(news())), MEDIA_TYPE, max_age, known=known and ("feed", known))


def _written(place: Installation, head: FeedEntry, news: Sequence[FeedEntry]) -> bytes:
    updated = max([head.when, *(n.when for n in news)])
    feed = ElementTree.Element(f"{{{_ATOM}}}feed")
    _describe(feed, head.id, head.title, updated, f"{place.web_url}{head.path}")
    here = {"rel": "self", "type": MEDIA_TYPE, "href": f"{place.web_url}{head.path}/feed.atom"}
    _add(feed, "link", **here)
    _add(_add(feed, "author"), "name", "PBM Server")
    for n in news:
        entry = _add(feed, "entry")
        _describe(entry, n.id, n.title, n.when, f"{place.web_url}{n.path}")
        _add(_add(entry, "author"), "name", n.author)
        _add(entry, "content", n.text, type="text")
    written: bytes = ElementTree.tostring(feed, "utf-8", xml_declaration=True)
    return written


def _describe(element: ElementTree.Element, id_: str, title: str, updated: datetime, href: str) -> None:
    """Add what feeds and entries have in common."""
    _add(element, "id", id_)
    _add(element, "title", title)
    _add(element, "updated", updated.isoformat(timespec="seconds"))
    _add(element, "link", rel="alternate", type="text/html", href=href)


def _add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    element.text = _clean(text) or None
    return element


def _clean(text: Iterable[str]) -> str:
    """Leave out what XML does not allow: nothing of ours has it, but a restored database could."""
    return "".join(c for c in text if c.isprintable() or c == "\n")
