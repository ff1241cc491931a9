"""A player's own page of a board, behind a signed link. It shows what the player's seat may see, and moves by touch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from urllib.parse import urlencode

from starlette.exceptions import HTTPException

from pbmserv.boards import ways
from pbmserv.boards.absences import free_seats
from pbmserv.boards.absences.vacations import wants_auto
from pbmserv.games import NotInstalled
from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, Kind, standing
from pbmserv.letters.board_page import BesideTheLog, board_subject, times_to_come
from pbmserv.letters.pictures.html import mailto_end, mailto_start
from pbmserv.letters.pictures.touch import touch_orders, touches
from pbmserv.letters.site import PAGES, Site, player_code
from pbmserv.letters.text import move_list, times
from pbmserv.letters.text.templates import SPOKEN
from pbmserv.letters.text.wording import conditions, result_text
from pbmserv.mail.signed_addresses import MOST_CHARACTERS, PAGE
from pbmserv.model import BoardRow, Player
from pbmserv.model.preferences import Preferences
from pbmserv.web import boards, displays
from pbmserv.web.displays import Links, Panel, panel, stepwise
from pbmserv.web.visit import Page, Visit, missing

_PICTURE = "picture"  #: in the query, for readers whose letters are in words
_TO_THE_BOARD = "#board"  #: so that a telephone shows it again without scrolling
KEPT = timedelta(days=30)  #: how long a page stays after its board is over
_NONE_HERE = "The operator of this server has not set PBMSERV_WEB_URL, so players have no pages of their own here."
_CHANGED = (
    "This link does not work any more, because the player has set another password, or the account is closed or "
    "locked. The next letter has a new link."
)
_OVER = f"This board ended more than {KEPT.days} days ago, so its players' own pages are gone."


@dataclass(frozen=True)
class _Own:
    """Whose page it is. `words`: the signed words of its link."""

    site: Site
    words: str
    row: BoardRow
    seat: Seat
    wants: Preferences

    @property
    def player(self) -> Player:
        """Return the reader."""
        return self.row.players[self.seat]


@dataclass(frozen=True)
class _Looks:
    """Where the reader is and how they see the board. `turn`: 1 or 0 if the link says whether the board is turned."""

    place: str
    ply: str
    display: str
    turn: str

    @classmethod
    def of(cls, visit: Visit, place: str) -> "_Looks":
        """Read it from the URL."""
        return cls(place, visit.path.get("ply", ""), visit.query.get("display", ""), visit.query.get("turn", ""))

    def at(self, ply: object = "", **changes: str) -> str:
        """Return the URI of the page at a ply ("": now) that looks the same but for these changes."""
        query = {"display": self.display, "turn": self.turn, **changes}
        asked = urlencode({name: value for name, value in query.items() if value})
        return self.place + (f"/{ply}" if ply != "" else "") + (f"?{asked}" if asked else "")

    def here(self, **changes: str) -> str:
        """Return the URI of the page at the same ply that looks the same but for these changes."""
        return self.at(self.ply, **changes)


def page(visit: Visit) -> Page:
    """Show a board to the player of a seat, now or after the ply in the path."""
    own = _own(visit)
    row, seat = own.row, own.seat
    log = visit.store.boards.entries(row.number)[: row.board.length]
    then = boards.at(visit, row, log)
    moves = standing(read_by(row.board, log, row.seats_of(own.player)))
    ways = _Looks.of(visit, PAGES + own.words)
    steps = _steps(visit, own, ways) if then is row.board else None
    data = {
        "row": row,
        "info": row.game.info,
        "conditions": conditions(row, auto=wants_auto(visit.store, row.players)),
        "seats": list(zip(row.board.seat_names, row.players, strict=True)),
        "seat": seat,
        "to_move": [row.players[s].userid for s in sorted(then.to_move)],
        "headline": _headline(own, then),
        "times": _times(visit, own) if then is row.board else [],
        "offer": _offer(own) if then is row.board else "",
        "ply": then.ply,
        "last": row.board.ply,
        "latest": then is row.board,
        "moves": boards.moves_around(row, moves, then.ply),
        "events": move_list.events([e for e in moves if e.ply == then.ply], seat, row.players),
        "panel": steps,
        "verbs": _verbs(visit, own, log) if then is row.board else [],
        "ways": ways,
        "address": visit.place.address,
        "days": KEPT.days,
    }
    return Page("mine.html", data | _shown(visit, own, then, moves, ways, steps))


def _own(visit: Visit) -> _Own:
    """Return whose page the path names. Raises HTTPException: 404 as for any unknown page if we did not sign it."""
    site, words = visit.place.site, visit.path["token"]
    if site is None:
        raise HTTPException(404, _NONE_HERE)
    token = site.signer.verify(words) if len(words) <= MOST_CHARACTERS else None
    if token is None or token.purpose != PAGE:
        raise HTTPException(404)
    number, seat, code = token.numbers
    row = visit.store.boards.find(number, lock=False)
    if row is None or seat >= len(row.players):
        raise HTTPException(404)
    if code != player_code(site.signer, row.players[seat]) or row.players[seat].password_hash is None:
        raise HTTPException(410, _CHANGED)
    if row.over and visit.now > row.over + KEPT:
        raise HTTPException(410, _OVER)
    player = row.players[seat]
    return _Own(site, words.lower(), row, seat, visit.store.players.preferences([player.id])[player.id])


def _headline(own: _Own, then: Board) -> str:
    """Return in a sentence how the board stands for the reader."""
    row = own.row
    if then.result:
        return f"The board is over: {result_text(row)}."
    if own.seat in then.to_move and then.waits:
        return f"This board needs a word from you, {own.player.userid}."
    if own.seat in then.to_move:
        return f"It is your turn, {own.player.userid}: ply {then.ply + 1}."
    players = " and ".join(row.players[s].shown for s in sorted(then.to_move))
    if then.waits and players:
        return f"The board waits for a word of {players}."
    return f"It is {players}'s turn: ply {then.ply + 1}." if players else "This board waits."


def _times(visit: Visit, own: _Own) -> list[str]:
    """Return until when who has to move, and who is on vacation, in the reader's time zone."""
    shown = partial(times.planned, where=times.zone(own.wants.timezone), at=visit.now)
    return times_to_come(own.row, own.seat, BesideTheLog.of(visit.store, own.row, visit.now, ()), shown)


def _offer(own: _Own) -> str:
    """Return in a sentence what somebody proposes; "" if nobody does."""
    offer = own.row.board.offer
    if offer is None:
        return ""
    what = "offers a draw" if offer.kind is Kind.PROPOSE else f"asks to go back to ply {offer.to_ply}"
    return f"{own.row.players[offer.seat].userid} {what}."


def _steps(visit: Visit, own: _Own, ways: _Looks) -> Panel | None:
    """Return what the reader can touch to move; None if it is not the reader's turn."""
    row = own.row
    if own.seat not in row.board.to_move or isinstance(row.game, NotInstalled):
        return None
    answers = _Answers(own)
    near = visit.query.get("near", "")
    links = Links(answers.uri, lambda start, goal: ways.at(**{"from": start, "to": goal}, near=near) + _TO_THE_BOARD)
    start, goal = visit.query.get("from", ""), visit.query.get("to", "")
    if orders := touch_orders(row.board, own.seat):
        return stepwise(orders, links, start)
    return panel(row.game, touches(row.board, own.seat), links, start, goal)


class _Answers:
    """Makes mails that answer the letter about the board as it is now."""

    def __init__(self, own: _Own) -> None:
        row = own.row
        address = own.site.signer.answer(row.number, own.seat, row.board.length, own.player.epoch)
        self._start = mailto_start(address, f"Re: {board_subject(row, own.player, own.wants)}")

    def uri(self, line: str) -> str:
        """Return the URI of an answer with this line."""
        return self._start + mailto_end(line)


def _verbs(visit: Visit, own: _Own, log: Sequence[Entry]) -> list[tuple[str, str, str]]:
    """Return what the reader can do besides moving, each with the URI of its mail and what it costs."""
    if isinstance(own.row.game, NotInstalled):
        return []
    uri = _Answers(own).uri
    costs = {verb: way.costs for verb, way in ways.ways(own.row, own.seat, log).items() if way.offered}
    if free_seats.can_be_asked(visit.store, own.row, own.seat, log, visit.now):
        costs["substitute"] = ""
    return [(verb, uri(verb), cost) for verb, cost in costs.items()]


def _shown(
    visit: Visit, own: _Own, then: Board, moves: Sequence[Entry], ways: _Looks, steps: Panel | None
) -> dict[str, object]:
    """Return the position in the display that the reader wants, and the displays to choose from."""
    choices = displays.displays(then)
    display = _display(own, ways, [name for name, *_ in choices])
    picture, renderer = displays.picture(then, own.seat), visit.place.renderer
    at_top = picture is not None and own.seat in picture.top
    turned = ways.turn == "1" or (at_top and own.wants.wants_turned and not ways.turn)
    drawn = None
    if picture and not display:
        last = moves[then.ply - 1] if then.ply else None
        near, onward = visit.query.get("near", ""), _enlarged(visit, ways, steps)
        drawn = displays.drawn(renderer, then, last, own.seat, turned=turned, touched=steps, near=near, enlarged=onward)
    return {
        "drawn": drawn,
        "whole": ways.here() + _TO_THE_BOARD if drawn and "near" in visit.query else "",
        "diagram": "" if drawn else displays.diagram(renderer, then, display, own.seat),
        "displays": [(*texts, name == display, ways.here(display=name or _PICTURE)) for name, *texts in choices],
        "turn": ways.here(turn="0" if turned else "1") if drawn and picture and picture.top else "",
    }


def _enlarged(visit: Visit, ways: _Looks, steps: Panel | None) -> Callable[[str], str] | None:
    """Return what makes the URI of the page with a part of a wide board enlarged; None if nothing can be touched."""
    if steps is None or not steps.cells:
        return None
    chosen = {name: visit.query[name] for name in ("from", "to") if name in visit.query}
    return lambda name: ways.at(**chosen, near=name) + _TO_THE_BOARD


def _display(own: _Own, ways: _Looks, known: Sequence[str]) -> str:
    """Return the display in the query, else that which the reader's letters have. Raises HTTPException."""
    if ways.display:
        name = "" if ways.display == _PICTURE else ways.display
        if name not in known:
            raise missing("display", ways.display)
        return name
    preferred = own.wants.display(own.row.key)
    return preferred if preferred == SPOKEN or "" not in known else ""
