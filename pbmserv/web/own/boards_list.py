"""The page with all boards of a player, those that wait for the player first, with small pictures."""

from functools import partial
from typing import NamedTuple

from starlette.exceptions import HTTPException

from pbmserv.letters.board_page import BesideTheLog, times_to_come
from pbmserv.letters.site import Site
from pbmserv.letters.text import times
from pbmserv.mail.signed_addresses import BOARDS
from pbmserv.model import BoardRow, Player
from pbmserv.model.boards import BoardState
from pbmserv.model.preferences import Preferences
from pbmserv.web import displays
from pbmserv.web.own.secret_links import Secret, reader
from pbmserv.web.visit import NEWS, SCRIPT, File, Page, Visit

MOST = 200  #: boards on the page, the newest
_NONE_HERE = "This server has no web pages of players."
_SECRET = Secret(
    BOARDS,
    lambda wants: wants.page,
    "This link does not work any more, because the player asked for another one or turned the page off, set another "
    "password, or the account is closed. To get a new one, send: set USERID PASSWORD page=new",
)


class OwnBoard(NamedTuple):
    """A board on the page. `path`: of the player's own page of it; `lines`: times to come."""

    row: BoardRow
    path: str
    lines: list[str]
    has_picture: bool


def page(visit: Visit) -> Page:
    """List the running boards of the player whom the link names. Raises HTTPException as `reader` does."""
    site, player, wants = _reader(visit)
    waiting, others = _listed(visit, player)
    rows = visit.store.boards.find_many([*waiting, *others])
    shown = partial(_shown, visit, site, player, wants)
    data = {
        "waiting": [shown(rows[number]) for number in waiting],
        "others": [shown(rows[number]) for number in others],
        "news": visit.place.tag((NEWS, (waiting, others))),
    }
    return Page("my_boards.html", data, allows=SCRIPT, language=wants.language)


def news(visit: Visit) -> File:
    """Return how many boards wait: a reader who looks at the list asks whether something has happened."""
    _, player, _ = _reader(visit)
    waiting, others = _listed(visit, player)
    return File(str(len(waiting)), NEWS, known=(waiting, others), polled=True)


def _reader(visit: Visit) -> tuple[Site, Player, Preferences]:
    site = visit.place.site
    if site is None:
        raise HTTPException(404, _NONE_HERE)
    return site, *reader(visit, site, _SECRET)


def _listed(visit: Visit, player: Player) -> tuple[dict[int, int], dict[int, int]]:
    """Return the boards that wait for a player, and those that wait for others: the plies of each, by its number."""
    search = partial(visit.store.board_lists.search, player_ids=[player.id], limit=MOST)
    waiting, running = (
        {line.number: line.ply for line in search(state=s)} for s in (BoardState.NEXT, BoardState.ACTIVE)
    )
    return waiting, {number: ply for number, ply in running.items() if number not in waiting}


def _shown(visit: Visit, site: Site, player: Player, wants: Preferences, row: BoardRow) -> OwnBoard:
    seat, say = row.seat_to_move(player), site.renderer.to(wants.language).say
    planned = partial(times.planned, where=times.zone(wants.timezone), at=visit.now)
    lines = times_to_come(row, seat, BesideTheLog.of(visit.store, row, visit.now, ()), planned, say)
    path = site.page(row.number, seat, player).removeprefix(site.policy.web_url)
    return OwnBoard(row, path, lines, displays.has_picture(row.game))
