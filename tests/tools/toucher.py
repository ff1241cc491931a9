"""A player who knows no rule and no word: touches at random what a letter or a page offers, until a move is made."""

import random
import re
from collections.abc import Callable, Sequence
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import httpx2
from starlette.testclient import TestClient

from pbmserv.games.base import PASS
from tests.web.own.sending import form
from tests.web.touching import HOME, touchable

_MOST_TOUCHES = 20  #: until a move is made
_AREA = re.compile(r'<area [^>]*href="([^"]*)"')
#: In the list below the board: the square whose moves follow, or what leads to a move.
_LISTED = re.compile(r'<a name="([^"]*)">|<a style="[^"]*" href="([^"]*)"')
_PAGE = re.compile(r'<a class="page" [^>]*href="([^"]*/my/[^"]*)"')
_REGION = re.compile(r'<a class="region" href="([^"]*)"')
_PART = re.compile(r'<a tabindex="-1" aria-hidden="true" href="([^"]*)"')  #: of a cell, such as a man on a point
_WHOLE = re.compile(r'<p class="step"><a class="alone" href="([^"]*)"')  #: out of a region


class OpenedMail(NamedTuple):
    """The mail that a link opens."""

    to: str
    subject: str
    body: str

    @property
    def line(self) -> str:
        """Its first line."""
        return self.body.splitlines()[0]


class Toucher:
    """One who touches. `seed`: of what is touched; `wish`: the line that they prefer of several, or "" for any.

    They pass only if they wish to, or can do nothing else: Renju is over when both have passed.
    """

    def __init__(self, seed: int, wish: Callable[[Sequence[str]], str]) -> None:
        self._random, self._wish = random.Random(seed), wish

    def letter(self, html: str) -> OpenedMail | str:
        """Return the mail that a link of a letter opens, or the address of the page to which it leads.

        An area of the board is touched as often as a link in the list, so both are tried in each game.
        """
        areas = list(map(unescape, _AREA.findall(html)))
        square, rows = "", dict[str, list[str]]()
        for name, uri in _LISTED.findall(html.partition('<div class="ways"')[2]):
            square = name or square
            if uri:
                rows.setdefault(f"#{square}", []).append(unescape(uri))
        listed = [uri for row in rows.values() for uri in row]
        others = [uri for uri in listed if not ((mail := _mail(uri)) and mail.line == PASS)]
        mails = {mail.line: mail for uri in listed if (mail := _mail(uri)) and not mail.line.startswith("legal ")}
        if wish := self._wish(list(mails)):
            return mails[wish]
        uri = self._random.choice(
            areas if areas and self._random.random() < 0.5 else others or areas or listed or _pages(html)
        )
        uri = self._random.choice(rows[uri]) if uri.startswith("#") else uri
        return _mail(uri) or uri

    def page(self, pages: TestClient, uri: str) -> dict[str, str]:
        """Touch what a page offers until its form has a move; return what the form sends."""
        page = pages.get(uri.removeprefix(HOME))
        for _ in range(_MOST_TOUCHES):
            uri = self._random.choice(_further(page))
            page = pages.get(uri)
            if (filled := form(page))["line"]:
                return filled
        raise AssertionError(f"no move after {_MOST_TOUCHES} touches: {uri}")


def _further(page: httpx2.Response) -> list[str]:
    """Return what can be touched on a page: moves, once there are some; else all."""
    seen = touchable(page)
    others = (uri for links in (_PART, _REGION) for uri in links.findall(page.text))
    uris = [*seen.cells.values(), *seen.below.values(), *map(unescape, others)]
    moves = [uri for uri in uris if "line=" in uri]
    onward = [uri for uri in uris if "verb=" not in uri] or list(map(unescape, _WHOLE.findall(page.text)))
    assert onward, f"Nothing can be touched on this page:\n{page.text}"
    touched = moves if moves and page.url.query else onward
    return [uri for uri in touched if f"line={PASS}" not in uri] or touched


def _pages(html: str) -> list[str]:
    uris = _PAGE.findall(html)
    assert uris, f"Nothing can be touched in this letter:\n{html}"
    return list(map(unescape, uris))


def _mail(uri: str) -> OpenedMail | None:
    parts = urlsplit(uri)
    if parts.scheme != "mailto":
        return None
    fields = dict(field.split("=", 1) for field in parts.query.split("&"))
    return OpenedMail(unquote(parts.path), unquote(fields["subject"]), unquote(fields["body"]))
