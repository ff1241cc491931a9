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
from pbmserv.web.visit import Page, Visit

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
    site = visit.place.site
    if site is None:
        raise HTTPException(404, _NONE_HERE)
    player, wants = reader(visit, site, _SECRET)
    search = partial(visit.store.board_lists.search, player_ids=[player.id], limit=MOST)
    waiting = [line.number for line in search(state=BoardState.NEXT)]
    others = [line.number for line in search(state=BoardState.ACTIVE) if line.number not in waiting]
    rows = visit.store.boards.find_many([*waiting, *others])
    shown = partial(_shown, visit, site, player, wants)
    data = {
        "waiting": [shown(rows[number]) for number in waiting],
        "others": [shown(rows[number]) for number in others],
    }
    return Page("my_boards.html", data, language=wants.language)


def _shown(visit: Visit, site: Site, player: Player, wants: Preferences, row: BoardRow) -> OwnBoard:
    seat, say = row.seat_to_move(player), site.renderer.to(wants.language).say
    planned = partial(times.planned, where=times.zone(wants.timezone), at=visit.now)
    lines = times_to_come(row, seat, BesideTheLog.of(visit.store, row, visit.now, ()), planned, say)
    path = site.page(row.number, seat, player).removeprefix(site.policy.web_url)
    return OwnBoard(row, path, lines, displays.has_picture(row.game))
