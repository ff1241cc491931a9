"""A visit is one request; a page or a file is its result."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from starlette.exceptions import HTTPException
from starlette.requests import Request

from pbmserv import games
from pbmserv.errors import no_such
from pbmserv.games.base import AnyGame
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.store import Store
from pbmserv.web.films import Films
from pbmserv.web.for_programs.clicks import Clicks

SOON = 15  #: seconds for which a browser or proxy may keep a page
LATER = 600  #: the same for pages that change only with a new release or a ruling of an admin
_LONGEST_USERID = 20
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Installation:
    """The settings that the pages need. It has no relay, and a key only if players have pages of their own."""

    renderer: Renderer = field(repr=False)
    address: str  #: the address to which players send mails
    site: Site | None = field(default=None, repr=False)  #: checks links of players' own pages; None: there are none
    films: Films = field(default_factory=Films, repr=False)
    clicks: Clicks = field(default_factory=Clicks, repr=False)
    chosen: tuple[str, ...] = ()  #: `Policy.games`
    json_lists: bool = False  #: `Policy.json_lists`

    @property
    def games(self) -> tuple[AnyGame, ...]:
        """The games of which boards can begin. The pages of others are there, but no list of games names them."""
        return games.chosen(self.chosen)

    @property
    def web_url(self) -> str:
        """Where browsers reach the pages; "": nobody knows, so links have no host, and no preview names a page."""
        return self.site.policy.web_url if self.site else ""


@dataclass(frozen=True)
class Page:
    """A template of templates/web with its data."""

    template: str
    data: Mapping[str, object]
    max_age: int = SOON
    status: int = 200


@dataclass(frozen=True)
class File:
    """A response that is no page. `name`: to save it as. `shared`: other sites may show it; it loads nothing."""

    content: str | bytes
    media_type: str
    max_age: int = LATER
    name: str = ""
    shared: bool = False


@dataclass(frozen=True)
class Visit:
    """One request, inside a read-only transaction."""

    place: Installation
    store: Store
    now: datetime
    path: Mapping[str, str]
    query: Mapping[str, str]

    @classmethod
    def of(cls, request: Request, place: Installation, store: Store, now: datetime) -> "Visit":
        """Make a visit from a request."""
        return cls(place, store, now, request.path_params, request.query_params)

    def number(self, name: str) -> int:
        """Return a number in the path. Raises HTTPException unless it is a plain decimal number."""
        return _number(self.path[name])

    def asked(self, name: str) -> int | None:
        """Return a number in the query. Raises HTTPException if it is none."""
        return _number(self.query[name]) if name in self.query else None

    def game(self) -> AnyGame:
        """The game in the path, even if it is not installed and only boards of it are left. Raises HTTPException."""
        key = self.path["game"]
        game = games.names().get(key) or (games.find(key) if key in self.store.audit.games() else None)
        if game is None:
            raise missing("game", key)
        return game

    def userid(self) -> str:
        """Return the userid in the path. Raises HTTPException if nobody can have it."""
        userid = self.path["userid"]
        if len(userid) > _LONGEST_USERID or "\0" in userid:
            raise missing("player", userid)
        return userid


def missing(kind: str, words: str) -> HTTPException:
    """Make the error for something that does not exist. It does not repeat a word that could be a password."""
    return HTTPException(404, f"{no_such(kind, words)}.")


def moved(path: str) -> HTTPException:
    """Make the answer that leads to another page."""
    return HTTPException(301, "This page has moved.", {"Location": path})


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise missing("page", text)
    return int(text)
