"""What a page is made of, and what it is made from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from pbmserv import games
from pbmserv.errors import no_such
from pbmserv.games.base import AnyGame
from pbmserv.letters.text.templates import Renderer
from pbmserv.store import Store
from pbmserv.web.films import Films

SOON = 15  #: seconds for which a page may be shown again without asking
LATER = 600  #: the same for a page that changes only with a new release or a ruling of an admin
_LONGEST_USERID = 20
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Installation:
    """One installation as the pages know it: no key, no relay, no addresses but its own."""

    renderer: Renderer = field(repr=False)
    address: str  #: to which players send their mails
    films: Films = field(default_factory=Films, repr=False)


@dataclass(frozen=True)
class Page:
    """A template of templates/web with its data."""

    template: str
    data: Mapping[str, Any]
    max_age: int = SOON
    status: int = 200


@dataclass(frozen=True)
class File:
    """What is no page; `name`: the file name under which a browser saves it."""

    content: str
    media_type: str
    max_age: int = LATER
    name: str = ""


@dataclass(frozen=True)
class Visit:
    """One request inside its transaction, which only reads."""

    place: Installation
    store: Store
    now: datetime
    path: Mapping[str, str]
    query: Mapping[str, str]

    @classmethod
    def of(cls, request: Request, place: Installation, store: Store, now: datetime) -> "Visit":
        """What a page needs to know of a request."""
        return cls(place, store, now, request.path_params, request.query_params)

    def number(self, name: str) -> int:
        """A number in the path. Raises HTTPException unless it is written as we write it."""
        return _number(self.path[name])

    def asked(self, name: str) -> int | None:
        """A number in the query. Raises HTTPException."""
        return _number(self.query[name]) if name in self.query else None

    def game(self) -> AnyGame:
        """The game in the path. Raises HTTPException."""
        key = self.path["game"]
        game = games.names().get(key)
        if game is None:
            raise missing("game", key)
        return game

    def userid(self) -> str:
        """The userid in the path. Raises HTTPException if nobody can have it."""
        userid = self.path["userid"]
        if len(userid) > _LONGEST_USERID or "\0" in userid:
            raise missing("player", userid)
        return userid


def missing(kind: str, words: str) -> HTTPException:
    """There is no such thing; what was asked for is not repeated if it could be somebody's password."""
    return HTTPException(404, f"{no_such(kind, words)}.")


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise missing("page", text)
    return int(text)
