"""A visit is one request; a page or a file is its result."""

import re
from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from hashlib import blake2b

from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.requests import Request

from pbmserv import __version__, games
from pbmserv.errors import no_such
from pbmserv.games.base import AnyGame
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import ENGLISH, Renderer
from pbmserv.store import Store
from pbmserv.web.kept.films import Films
from pbmserv.web.kept.kept import Kept
from pbmserv.web.own.limits import CLICKS, MOVES, Posts, origin_of

SOON = 15  #: seconds for which a browser or proxy may keep a page
MOST_KEPT = 16 * 2**20  #: bytes of the pages and pictures that were asked for last
MOST_NAMED = 4096  #: answers whose names are remembered
LATER = 600  #: the same for pages that change only with a new release or a ruling of an admin
#: What a page may do besides showing itself, for its Content-Security-Policy: have a form, and our own script.
FORM = {"form-action": "'self'"}
SCRIPT = {**FORM, "script-src": "'self'", "connect-src": "'self'"}
_LONGEST_USERID = 20
NEWS = "text/plain"  #: of a few bytes for who asks whether a page is still the same
_LONGEST_HEADER = 200  #: characters of Accept-Language that are read
_WISH = re.compile(r"\s*([a-zA-Z]+)[a-zA-Z0-9-]*\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?))?\s*")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Installation:
    """The settings that the pages need. It has no relay, and a key only if players have pages of their own."""

    renderer: Renderer = field(repr=False)
    address: str  #: the address to which players send mails
    site: Site | None = field(default=None, repr=False)  #: checks links of players' own pages; None: there are none
    films: Films = field(default_factory=Films, repr=False)
    #: Answers without their content, by what was asked for and the state of the database: they have names to compare.
    named: "Kept[File]" = field(default_factory=lambda: Kept(MOST_NAMED, lambda _: 1), repr=False)
    made: Kept[bytes] = field(default_factory=lambda: Kept(MOST_KEPT, len), repr=False)  #: answers by their tags
    clicks: Posts = field(default_factory=partial(Posts, CLICKS), repr=False)
    moves: Posts = field(default_factory=partial(Posts, MOVES), repr=False)
    chosen: tuple[str, ...] = ()  #: `Policy.games`
    json_lists: bool = False  #: `Policy.json_lists`
    acme_folder: str = ""  #: `Policy.acme_folder`

    @property
    def games(self) -> tuple[AnyGame, ...]:
        """The games of which boards can begin. The pages of others are there, but no list of games names them."""
        return games.chosen(self.chosen)

    @property
    def web_url(self) -> str:
        """Where browsers reach the pages; "": nobody knows, so links have no host, and no preview names a page."""
        return self.site.policy.web_url if self.site else ""

    @cached_property
    def _made_by(self) -> str:
        """What every answer depends on: the program with its templates and settings, and the games of others."""
        settings = self.address, self.web_url, self.chosen, self.json_lists
        return repr((__version__, self.renderer.digest, settings, games.packages()))

    def tag(self, known: object) -> str:
        """Return the ETag of an answer, before it is made. `known`: what it follows from, of which `repr` says all."""
        return f'"{blake2b(f"{self._made_by} {known!r}".encode(errors="replace"), digest_size=12).hexdigest()}"'


@dataclass(frozen=True)
class Page:
    """A template of templates/web with its data, in a language. `allows`: FORM, SCRIPT, or nothing.

    `known`: plain values from which the data follow, if it takes long to find these; else they are known themselves.
    """

    template: str
    data: Mapping[str, object] | Callable[[], Mapping[str, object]]
    max_age: int = SOON
    known: object = None
    status: int = 200
    allows: Mapping[str, str] = field(default_factory=dict)
    language: str = ENGLISH

    def file(self, place: Installation, robots: Collection[str] = ()) -> "File":
        """Return the answer with this page. `robots`: all robots' userids."""
        known = self.template, self.data if self.known is None else self.known, sorted(robots)
        ours = {"robots": robots, "web_url": place.web_url, "json_lists": place.json_lists}
        answer = File(lambda: self._rendered(place, ours), "text/html", self.max_age, known=known)
        return replace(answer, status=self.status, allows=self.allows)

    def _rendered(self, place: Installation, ours: Mapping[str, object]) -> str:
        data = self.data() if callable(self.data) else self.data
        return place.renderer.to(self.language).web(self.template, {**ours, **data})


@dataclass(frozen=True)
class File:
    """A response. `name`: to save it as. `shared`: other sites may show it; it loads nothing.

    `known`: plain values from which the content follows, if it takes long to make; None: its bytes name it. `polled`:
    below /my/, where nothing has an ETag but what is asked for again and again. `allows`: as of a page. `tag`: its
    ETag; "": see `named`.
    """

    content: str | bytes | Callable[[], str | bytes]
    media_type: str
    max_age: int = LATER
    name: str = ""
    shared: bool = False
    known: object = None
    status: int = 200
    allows: Mapping[str, str] = field(default_factory=dict)
    polled: bool = False
    tag: str = ""

    def made(self) -> bytes:
        """Make the content."""
        content = self.content() if callable(self.content) else self.content
        return content.encode(errors="replace") if isinstance(content, str) else content

    def named(self, place: Installation) -> "File":
        """Return the same with its ETag."""
        if self.tag:
            return self
        if self.known is not None:
            return replace(self, tag=place.tag((self.media_type, self.known)))
        content = self.made()
        return replace(self, content=content, tag=place.tag((self.media_type, content)))


@dataclass(frozen=True)
class Visit:
    """One request, inside a read-only transaction."""

    place: Installation
    store: Store
    now: datetime
    path: Mapping[str, str]
    query: Mapping[str, str]
    origin: str = ""  #: the network of the visitor; "": nobody knows it
    state: State = field(default_factory=State)  #: of the request: its `language`, if we know who reads

    @classmethod
    def of(cls, request: Request, place: Installation, store: Store, now: datetime) -> "Visit":
        """Make a visit from a request."""
        origin = origin_of(request.client.host if request.client else "", request.headers)
        return cls(place, store, now, request.path_params, request.query_params, origin, request.state)

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


def preferred(header: str, known: Container[str], usual: str) -> str:
    """Return which of our languages a browser likes best, as Accept-Language says (RFC 9110, section 12.5.4)."""
    wishes = (_WISH.fullmatch(part) for part in header[:_LONGEST_HEADER].split(","))
    weights = {wish[1].lower(): -float(wish[2] or 1) for wish in wishes if wish and wish[1].lower() in known}
    liked = [language for language in sorted(weights, key=lambda name: weights[name]) if weights[language]]
    return next(iter(liked), usual)
