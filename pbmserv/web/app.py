"""The pages as an ASGI application: routes, headers, errors."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
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
from pbmserv.store import Readers, StoreError
from pbmserv.web import boards, manual, own_page, people, previews
from pbmserv.web.for_programs import calendars, feeds, lists_as_json, one_click, tournament_news, tournaments_as_json
from pbmserv.web.seasons import tournament_pages
from pbmserv.web.visit import File, Installation, Page, Visit

THREADS = 8  #: the most requests that are handled at the same time; others wait
#: The most clicks that wait for the mail server at the same time, in threads of their own: if it hangs, pages go on.
CLICKING = 4

#: Allows only our own style and icon; no frames, forms or scripts.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
#: For a page with a form that is sent to this server.
WITH_FORM = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace("form-action 'none'", "form-action 'self'"),
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
#: What only the links in letters lead to.
OWN_PAGES: dict[str, Callable[[Visit], Page | File]] = {
    f"{STOPPING}{{token}}": one_click.asked,
    f"{OWN}{{token}}/calendar.ics": calendars.feed,
    f"{OWN}{{token}}": own_page.page,
    f"{OWN}{{token}}/{{ply}}": own_page.page,
}
#: Files that never change while the program runs: path -> (template, media type).
FILES = {
    "/style.css": ("style.css", "text/css"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    "/robots.txt": ("robots.txt", "text/plain"),
}

Now = Callable[[], datetime]
log = structlog.get_logger()


def application(readers: Readers, place: Installation, clock: Now = lambda: datetime.now(UTC)) -> Starlette:
    """Return the ASGI application. The schema of the database must be current."""
    routes = [Route(f"{STOPPING}{{token}}", _clicking(readers, place, clock), methods=["POST"])]
    routes += [Route(path, _answering(readers, place, clock, do)) for path, do in {**PAGES, **OWN_PAGES}.items()]
    routes += [Route(path, _file(place, *what)) for path, what in FILES.items()]

    def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        why = error.detail if isinstance(error, HTTPException) else "Something went wrong here. It is in our log."
        return _failed(request, place, status, why, getattr(error, "headers", None))

    def unavailable(request: Request, error: Exception) -> Response:
        log.warning("web page without its database", error=type(error).__name__)
        return _failed(request, place, 503, "The boards cannot be looked at just now.", {"Retry-After": "60"})

    handlers = {HTTPException: refused, StoreError: unavailable, Exception: refused}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lambda _: _running(readers))
    app.router.redirect_slashes = False  # a redirect would contain the Host header, which anybody can forge
    return app


def _answering(
    readers: Readers, place: Installation, clock: Now, do: Callable[[Visit], Page | File]
) -> Callable[[Request], Response]:
    """Return the endpoint for a page. Starlette runs it in a thread."""

    def answer(request: Request) -> Response:
        with _visit(readers, place, clock, request) as visit:
            page = do(visit)
            if isinstance(page, Page):
                painted = previews.PIXELS * previews.CAN_PAINT
                page = page.file(place, visit.store.players.robots(), painted)
            return _response(request, place, page)

    return answer


def _clicking(readers: Readers, place: Installation, clock: Now) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of the only pages that take what somebody posts."""
    threads = anyio.CapacityLimiter(CLICKING)

    def look(request: Request) -> one_click.Click:
        with _visit(readers, place, clock, request) as visit:
            return one_click.clicked(visit)

    async def answer(request: Request) -> Response:
        await one_click.demand_click(request)
        click = await run_in_threadpool(look, request)
        if not threads.available_tokens:
            raise one_click.later()
        page = await anyio.to_thread.run_sync(one_click.stop_letters, click, limiter=threads)
        return _response(request, place, page.file(place))

    return answer


@contextlib.contextmanager
def _visit(readers: Readers, place: Installation, clock: Now, request: Request) -> Iterator[Visit]:
    with readers.store() as store:
        yield Visit.of(request, place, store, clock())


def _file(place: Installation, template: str, media_type: str) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        return _response(request, place, File(lambda: place.renderer.web(template, {}), media_type, known=template))

    return answer


def _failed(request: Request, place: Installation, status: int, why: str, headers: dict[str, str] | None) -> Response:
    title = HTTPStatus(status).phrase
    why = "" if why == title else why
    page = Page("error.html", {"title": title, "why": why}).file(place)
    response = _response(request, place, page, status)
    response.headers.update(headers or {})
    return response


def _response(request: Request, place: Installation, file: File, status: int = 200) -> Response:
    """Return a file with its headers; only the headers if the browser already has it."""
    if request.url.path.startswith(OWN):
        headers = {**(WITH_FORM if request.url.path.startswith(STOPPING) else HEADERS), **PRIVATE}
        return Response(file.made(), status, headers, file.media_type)
    if status != HTTPStatus.OK:
        return Response(file.made(), status, {**HEADERS, "Cache-Control": "no-cache"}, file.media_type)
    file = file.named()
    tag = place.tag((file.media_type, file.known))
    usual = SHARED if file.shared else HEADERS
    headers = {**usual, "ETag": tag, "Cache-Control": f"public, max-age={file.max_age}"}
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    if file.name:
        headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return Response(place.made.get(tag, file.made), status, headers, file.media_type)


@contextlib.asynccontextmanager
async def _running(readers: Readers) -> AsyncIterator[None]:
    """Use as many threads as the database allows connections, and close the connections at the end."""
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    yield
    readers.close()
