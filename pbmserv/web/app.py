"""The pages as an ASGI application: routes, headers, errors."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus

import anyio
import anyio.to_thread
import structlog
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbmserv.letters.site import PAGES as OWN
from pbmserv.letters.site import STOPPING
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.store import Readers, StoreError
from pbmserv.web import boards, manual, people, previews
from pbmserv.web.for_programs import (
    acme,
    calendars,
    feeds,
    lists_as_json,
    one_click,
    posted_mails,
    tournament_news,
    tournaments_as_json,
)
from pbmserv.web.own import boards_list, handing, own_page, playing
from pbmserv.web.own.handing import Post
from pbmserv.web.seasons import tournament_pages
from pbmserv.web.visit import SOON, File, Installation, Page, Visit, preferred

THREADS = 8  #: the most requests that are handled at the same time; others wait
#: The most posts that wait for the mail server at the same time, in threads of their own: if it hangs, pages go on.
HANDING = 4

_FOR_NOW = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_LATER = "60"  #: seconds until it makes sense to try again
#: What readers can meet, in words that do not need HTTP.
TITLES = {
    HTTPStatus.BAD_REQUEST: "That did not work",
    HTTPStatus.FORBIDDEN: "This is not for everybody",
    HTTPStatus.NOT_FOUND: "There is no such page",
    HTTPStatus.GONE: "This link has ended",
    HTTPStatus.TOO_MANY_REQUESTS: "Too much at once",
}
#: Allows only our own style and icon; no frames, forms or scripts.
_POLICY: Mapping[str, str] = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
#: For a picture: it loads nothing, not even our style, and other sites may show it.
SHARED = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
#: For players' own pages, also if there are none at an address: nobody keeps them, and no search engine lists them.
PRIVATE = {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex, nofollow"}
PAGES: dict[str, Callable[[Visit], Page | File]] = {
    "/": boards.home,
    "/boards": boards.running,
    "/boards/finished": boards.finished,
    "/index.json": lists_as_json.home,
    "/boards.json": lists_as_json.running,
    "/boards/finished.json": lists_as_json.finished,
    "/games/{game}/boards.json": lists_as_json.running,
    "/games/{game}/finished.json": lists_as_json.finished,
    "/games/{game}/standings.json": lists_as_json.standings,
    "/players/{userid}.json": lists_as_json.player,
    "/games/{game}/tournaments.json": tournaments_as_json.listed,
    "/tournaments.json": tournaments_as_json.listed,
    "/tournaments/{number}.json": tournaments_as_json.one,
    "/tournaments/{number}/feed.atom": tournament_news.tournament,
    "/boards/{number}": boards.board,
    "/boards/{number}/record.json": boards.record,
    "/boards/{number}/record.{format}": boards.record_for_programs,
    "/boards/{number}/feed.atom": feeds.board,
    "/boards/{number}/picture.svg": previews.drawn,
    "/boards/{number}/picture.png": previews.painted,
    "/boards/{number}/{ply}": boards.board,
    "/boards/{number}/{ply}/picture.svg": previews.drawn,
    "/boards/{number}/{ply}/picture.png": previews.painted,
    "/games/{game}": people.game,
    "/games/{game}/feed.atom": feeds.game,
    "/games/{game}/picture.svg": previews.of_game,
    "/games/{game}/boards": boards.running,
    "/games/{game}/finished": boards.finished,
    "/games/{game}/standings": people.standings,
    "/games/{game}/help": manual.game,
    "/games/{game}/tournaments": tournament_pages.listed,
    "/tournaments": tournament_pages.listed,
    "/tournaments/{number}": tournament_pages.one,
    "/players/{userid}": people.player,
    "/players/{userid}/feed.atom": feeds.player,
    "/help": manual.contents,
    "/help/commands": manual.commands,
    "/help/{topic}": manual.topic,
}
#: What only the links in letters lead to, and what no person looks at.
OWN_PAGES: dict[str, Callable[[Visit], Page | File]] = {
    f"{STOPPING}{{token}}": one_click.asked,
    f"{OWN}{{token}}/calendar.ics": calendars.feed,
    f"{OWN}{{token}}/boards": boards_list.page,
    f"{OWN}{{token}}/boards/news": boards_list.news,
    f"{OWN}{{token}}/news": own_page.news,
    f"{OWN}{{token}}/picture.svg": own_page.picture,
    f"{OWN}{{token}}": own_page.page,
    f"{OWN}{{token}}/{{ply}}": own_page.page,
    f"{acme.PATH}{{token}}": acme.answered,
}
#: Where something can be posted.
POSTED: dict[str, Callable[[Visit, bytes], Post | Page]] = {
    f"{STOPPING}{{token}}": one_click.clicked,
    f"{OWN}{{token}}": playing.sent,
}
#: Files that never change while the program runs: path -> (template, media type).
FILES = {
    "/style.css": ("style.css", "text/css"),
    "/play.js": ("play.js", "text/javascript"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    "/robots.txt": ("robots.txt", "text/plain"),
}

Now = Callable[[], datetime]
log = structlog.get_logger()


def application(
    readers: Readers,
    place: Installation,
    clock: Now = lambda: datetime.now(UTC),
    door: posted_mails.Door | None = None,
) -> Starlette:
    """Return the ASGI application. The schema of the database must be current. `door`: who may post mails."""
    threads = anyio.CapacityLimiter(HANDING)
    routes = [Route(path, _taking(readers, place, clock, threads, do), methods=["POST"]) for path, do in POSTED.items()]
    routes += [Route(path, _answering(readers, place, clock, do, _remembered)) for path, do in PAGES.items()]
    routes += [Route(path, _answering(readers, place, clock, do, _looked_up)) for path, do in OWN_PAGES.items()]
    routes += [Route(path, _file(place, *what)) for path, what in FILES.items()]
    if door:
        take = posted_mails.endpoint(door, threads)
        routes += [Route(path, take, methods=["POST"]) for path in ("/inbound", "/inbound/mime")]

    def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        why = error.detail if isinstance(error, HTTPException) else "Something went wrong here. It is in our log."
        return _failed(request, place, status, why, getattr(error, "headers", None))

    def unavailable(request: Request, error: Exception) -> Response:
        log.warning("web page without its database", error=type(error).__name__)
        return _failed(request, place, 503, "The boards cannot be looked at just now.", {})

    handlers = {HTTPException: refused, StoreError: unavailable, Exception: refused}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lambda _: _running(readers))
    app.router.redirect_slashes = False  # a redirect would contain the Host header, which anybody can forge
    return app


def _answering(
    readers: Readers,
    place: Installation,
    clock: Now,
    do: Callable[[Visit], Page | File],
    look: Callable[[Visit, Request, Callable[[Visit], Page | File]], File],
) -> Callable[[Request], Response]:
    """Return the endpoint for a page. Starlette runs it in a thread."""

    def answer(request: Request) -> Response:
        with _visit(readers, place, clock, request) as visit:
            return _response(request, place, look(visit, request, do))

    return answer


def _looked_up(visit: Visit, _: Request, do: Callable[[Visit], Page | File]) -> File:
    return _file_of(visit, do(visit))


def _remembered(visit: Visit, request: Request, do: Callable[[Visit], Page | File]) -> File:
    """Return an answer with its ETag; nothing is looked up if this is known from a visit that saw the same database.

    What follows from the time of day may be as old as a browser may keep a page.
    """
    fresh, place = list[File](), visit.place

    def named() -> File:
        fresh.append(_looked_up(visit, request, do).named(place))
        return replace(fresh[0], content="", known=None)

    asked = request.scope["path"], request.scope["query_string"]
    known = place.named.get((*asked, visit.store.state_seen, visit.now.timestamp() // SOON), named)
    return fresh[0] if fresh else replace(known, content=lambda: _looked_up(visit, request, do).made())


def _taking(
    readers: Readers,
    place: Installation,
    clock: Now,
    threads: anyio.CapacityLimiter,
    do: Callable[[Visit, bytes], Post | Page],
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint for what somebody posts. While the server is asked, no connection of ours waits."""

    def look(request: Request, body: bytes) -> Post | Response:
        with _visit(readers, place, clock, request) as visit:
            post = do(visit, body)
            return post if isinstance(post, Post) else _response(request, place, _file_of(visit, post))

    def show(request: Request, post: Post, taken: bool) -> Response:
        with _visit(readers, place, clock, request) as visit:
            return _response(request, place, _file_of(visit, post.shown(visit, taken)))

    async def answer(request: Request) -> Response:
        post = await run_in_threadpool(look, request, await handing.read(request))
        if isinstance(post, Response):
            return post
        taken = bool(threads.available_tokens) and await anyio.to_thread.run_sync(post.hand, limiter=threads)
        return await run_in_threadpool(show, request, post, taken)

    return answer


def _file_of(visit: Visit, answer: Page | File) -> File:
    if isinstance(answer, File):
        return answer
    return answer.file(visit.place, visit.store.players.robots())


@contextlib.contextmanager
def _visit(readers: Readers, place: Installation, clock: Now, request: Request) -> Iterator[Visit]:
    with readers.store() as store:
        yield Visit.of(request, place, store, clock())


def _file(place: Installation, template: str, media_type: str) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        return _response(request, place, File(lambda: place.renderer.web(template, {}), media_type, known=template))

    return answer


def _failed(request: Request, place: Installation, status: int, why: str, headers: dict[str, str] | None) -> Response:
    phrase = HTTPStatus(status).phrase
    title, why = TITLES.get(HTTPStatus(status), phrase), "" if why == phrase else why
    page = Page("error.html", {"title": title, "why": why}, status=status, language=_language(request, place))
    response = _response(request, place, page.file(place))
    response.headers.update({"Vary": "Accept-Language", **(headers or {})})
    return response


def _language(request: Request, place: Installation) -> str:
    """Return the language of a reader to whom something went wrong: of a player's own page we know it."""
    asked = preferred(request.headers.get("Accept-Language", ""), place.renderer.languages, ENGLISH)
    return str(getattr(request.state, "language", asked))


def _response(request: Request, place: Installation, file: File) -> Response:
    """Return a file with its headers; only the headers if the browser already has it."""
    is_own = request.scope["path"].startswith(OWN)
    usual = SHARED if file.shared else {**HEADERS, "Content-Security-Policy": _policy(file.allows)}
    if file.status != HTTPStatus.OK or (is_own and not file.polled):
        kept = PRIVATE if is_own else {"Cache-Control": "no-cache"}
        later = {"Retry-After": _LATER} if file.status in _FOR_NOW else {}
        return Response(file.made(), file.status, {**usual, **kept, **later}, file.media_type)
    file = file.named(place)
    headers = {
        **usual,
        "ETag": file.tag,
        **(PRIVATE if is_own else {"Cache-Control": f"public, max-age={file.max_age}"}),
    }
    if file.tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    if file.name:
        headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return Response(place.made.get(file.tag, file.made), file.status, headers, file.media_type)


def _policy(allows: Mapping[str, str]) -> str:
    return "; ".join(f"{what} {where}" for what, where in {**_POLICY, **allows}.items())


@contextlib.asynccontextmanager
async def _running(readers: Readers) -> AsyncIterator[None]:
    """Use as many threads as the database allows connections, and close the connections at the end."""
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    yield
    readers.close()
