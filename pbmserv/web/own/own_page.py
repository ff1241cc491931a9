"""A player's own page of a board, behind a signed link. It shows what the player's seat may see, and moves by touch.

What is touched is in the URL. The last touch fills the form that sends it (own/playing.py), or opens the mail program
if this server takes nothing from pages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from secrets import token_hex
from urllib.parse import quote_plus

from starlette.exceptions import HTTPException

from pbmserv.boards import ways
from pbmserv.boards.absences import free_seats
from pbmserv.boards.absences.vacations import wants_auto
from pbmserv.games import NotInstalled
from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, Kind, standing
from pbmserv.inbox.lines.spellings import legal_move
from pbmserv.letters.board_page import BesideTheLog, board_subject, counted, shown_move, times_to_come
from pbmserv.letters.pictures.linking.links import mailto_end, mailto_start
from pbmserv.letters.pictures.touch import touch_orders, touches
from pbmserv.letters.site import PAGES, Site, player_code
from pbmserv.letters.text import move_list, times
from pbmserv.letters.text.templates import SPOKEN, Renderer
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import button, conditions, result_text
from pbmserv.mail.signed_addresses import MOST_CHARACTERS, PAGE
from pbmserv.model import BoardRow, Player
from pbmserv.model.preferences import Preferences
from pbmserv.web import boards, displays
from pbmserv.web.displays import Links, Panel, finished, panel, stepwise
from pbmserv.web.kept import reviewed
from pbmserv.web.visit import NEWS, SCRIPT, File, Page, Visit, missing

_PICTURE = "picture"  #: in the query, for readers whose letters are in words
_REPLIES = ("accept", "reject")
_TO_THE_BOARD = "#board"  #: so that a telephone shows it again without scrolling
KEPT = timedelta(days=30)  #: how long a page stays after its board is over
_NONE_HERE = "The operator of this server has not set PBMSERV_WEB_URL, so players have no pages of their own here."
_CHANGED = (
    "This link does not work any more, because the player has set another password, or the account is closed or "
    "locked. The next letter has a new link."
)
_QUEUE = (
    "Your moves are kept for your next turns. With their:mine, your move mine is played only after their move, and "
    "clear empties the queue."
)
_CHAT = "All players of this board read what you write."
TOKEN_BYTES = 8  #: of the random name of a post
_OVER = f"This board ended more than {KEPT.days} days ago, so its players' own pages are gone."


@dataclass(frozen=True)
class Own:
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

    @property
    def takes_posts(self) -> bool:
        """Whether this server takes what is sent from pages."""
        return bool(self.site.policy.web_listener)

    @property
    def renderer(self) -> Renderer:
        """The renderer for the reader's language."""
        return self.site.renderer.to(self.wants.language)

    @property
    def say(self) -> Say:
        """A sentence in the reader's language."""
        return self.renderer.say


@dataclass(frozen=True)
class Typed:
    """What the reader writes: `verb` is "" for moves, else the word that stands before `line`, such as resign."""

    line: str = ""
    verb: str = ""
    comment: str = ""
    offers_draw: bool = False

    @property
    def first(self) -> str:
        """The first line of the mail."""
        return f"{self.verb} {self.line}".strip()


@dataclass(frozen=True)
class Told:
    """What became of what the reader has sent, in English, and what is still in the form.

    `token`: names the post in the form, so that posting it again is the same post; "": it gets another.
    """

    says: str
    status: int = 200
    words: Typed = Typed()
    token: str = ""


@dataclass(frozen=True)
class MoveForm:
    """The form that sends what the reader has chosen or written. `length`: of the log that the reader sees."""

    action: str
    words: Typed
    length: int
    token: str
    caption: str  #: of the button of the word
    says: str  #: what the word costs, in English
    takes_line: bool
    takes_draw: bool
    by_mail: str  #: the URI of a mail that says the same; "" if nothing is chosen


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
        # On a page of Go this is called for each of 361 points; `urlencode` takes twice as long.
        asked = "&".join([f"{name}={quote_plus(value)}" for name, value in query.items() if value])
        return self.place + (f"/{ply}" if ply != "" else "") + (f"?{asked}" if asked else "")

    def here(self, **changes: str) -> str:
        """Return the URI of the page at the same ply that looks the same but for these changes."""
        return self.at(self.ply, **changes)


def page(visit: Visit) -> Page:
    """Show a board to the player of a seat, now or after the ply in the path."""
    return shown(visit, owner(visit))


def shown(visit: Visit, own: Own, told: Told | None = None) -> Page:
    """Show a board to its player, and what became of what the player has sent, if this is the answer to that."""
    row, seat, say = own.row, own.seat, own.say
    log = visit.store.boards.entries(row.number)[: row.board.length]
    then = boards.at(visit, row, log)
    moves = standing(read_by(row.board, log, row.seats_of(own.player)))
    ways = _Looks.of(visit, PAGES + own.words)
    latest = then is row.board
    steps = _steps(visit, own, ways) if latest else None
    verbs = _verbs(visit, own, log) if latest else {}
    opens = (lambda verb: ways.at(verb=verb) + _TO_THE_BOARD) if own.takes_posts else _by_mail(own)
    buttons = {verb: (button(verb, say), opens(verb), say(cost)) for verb, cost in verbs.items()}
    replies = [buttons.pop(verb) for verb in _REPLIES if verb in buttons]
    data = {
        "row": row,
        "info": row.game.info,
        "conditions": conditions(row, say, auto=wants_auto(visit.store, row.players)),
        "seats": list(zip(map(say, row.board.seat_names), row.players, strict=True)),
        "seat": seat,
        "headline": _headline(own, then),
        "times": [*_times(visit, own), *counted(row, log, seat, say)] if latest else [],
        "offer": _offer(own, moves) if latest else "",
        "told": told,
        "ply": then.ply,
        "last": row.board.ply,
        "latest": latest,
        "moves": boards.moves_around(row, moves, then.ply, say),
        "events": move_list.events([e for e in moves if e.ply == then.ply], seat, row, say),
        "panel": steps,
        "form": _form(own, ways, verbs, told or Told("", words=_written(visit, own))) if latest else None,
        "replies": replies,  # to what somebody proposes
        "verbs": list(buttons.values()),
        "queue": visit.store.waiting_moves.queues(row.number).get(seat, []) if latest and own.takes_posts else [],
        "ways": ways,
        "news": visit.place.tag((NEWS, row.board.length)),
        "takes_posts": own.takes_posts,
        "address": visit.place.address,
        "review": _review(visit, own, log),
        "days": KEPT.days,
    }
    data |= _board(visit, own, then, moves, ways, steps)
    return Page("mine.html", data, status=told.status if told else 200, allows=SCRIPT, language=own.wants.language)


def news(visit: Visit) -> File:
    """Return how long the log of a board is: a reader who looks at its page asks whether something has happened."""
    length = owner(visit).row.board.length
    return File(str(length), NEWS, known=length, polled=True)


def picture(visit: Visit) -> File:
    """Return the board as its player sees it now, as SVG: for the list of all boards. Raises HTTPException."""
    own = owner(visit)
    drawn = displays.drawn(own.renderer, own.row.board, (), own.seat)
    if drawn is None:
        raise HTTPException(404)
    return File(own.renderer.web("board_picture.svg", {"drawn": drawn, "says": drawn.says}), "image/svg+xml")


def _review(visit: Visit, own: Own, log: Sequence[Entry]) -> dict[str, object] | None:
    """Return what a review says of the board; None if there is none."""
    review = reviewed.done(visit.store, own.row)
    return review and reviewed.section(own.renderer, own.row, review, boards.whole_film(visit, own.row, log))


def _written(visit: Visit, own: Own) -> Typed:
    """Return what the reader has chosen with links: a move as players of the game write it."""
    line, board = visit.query.get("line", ""), own.row.board
    move = legal_move(line, board, own.seat) if own.seat in board.to_move else ""
    return Typed(shown_move(board, own.seat, move, own.say) if move else line, visit.query.get("verb", ""))


def owner(visit: Visit) -> Own:
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
    player = row.players[seat]
    wants = visit.store.players.preferences([player.id])[player.id]
    visit.state.language = wants.language
    if code != player_code(site.signer, player) or player.password_hash is None:
        raise HTTPException(410, _CHANGED)
    if row.over and visit.now > row.over + KEPT:
        raise HTTPException(410, _OVER)
    return Own(site, words.lower(), row, seat, wants)


def _headline(own: Own, then: Board) -> str:
    """Return in a sentence how the board stands for the reader."""
    row, say = own.row, own.say
    if then.result:
        return f"{say('The board is over:')} {result_text(row, say)}."
    if own.seat in then.to_move and then.waits:
        return say(f"This board needs a word from you, {own.player.userid}.")
    if own.seat in then.to_move:
        return say(f"Your move, {own.player.userid}.")
    players = ", ".join(row.players[s].shown for s in sorted(then.to_move))
    if then.waits and players:
        return say(f"The board waits for a word of {players}.")
    return say(f"It is {players}'s turn." if players else "This board waits.")


def _times(visit: Visit, own: Own) -> list[str]:
    """Return until when who has to move, and who is on vacation, in the reader's time zone and language."""
    planned = partial(times.planned, where=times.zone(own.wants.timezone), at=visit.now)
    beside = BesideTheLog.of(visit.store, own.row, visit.now, ())
    return times_to_come(own.row, own.seat, beside, planned, own.say)


def _offer(own: Own, moves: Sequence[Entry]) -> str:
    """Return in a sentence what somebody proposes; "" if nobody does. `moves`: those that stand."""
    offer = own.row.board.offer
    if offer is None:
        return ""
    userid = own.row.players[offer.seat].userid
    if offer.kind is Kind.PROPOSE:
        return own.say(f"{userid} offers a draw.")
    return own.say(f"{userid} asks to take back {move_list.taken_back(own.row.board, moves, own.say)}.")


def _steps(visit: Visit, own: Own, ways: _Looks) -> Panel | None:
    """Return what the reader can touch to move; None if it is not the reader's turn."""
    row, near = own.row, visit.query.get("near", "")
    if own.seat not in row.board.to_move or isinstance(row.game, NotInstalled):
        return None
    answer = _by_mail(own) if not own.takes_posts else lambda move: ways.at(line=move, near=near) + _TO_THE_BOARD
    links = Links(answer, lambda start, goal: ways.at(**{"from": start, "to": goal}, near=near) + _TO_THE_BOARD)
    start, goal, line = (visit.query.get(name, "") for name in ("from", "to", "line"))
    if orders := touch_orders(row.board, own.seat):
        legal, first = frozenset(orders.values()), stepwise(orders, links)
        return finished(row.board, own.seat, line, first, links, legal) or stepwise(orders, links, start)
    known = touches(row.board, own.seat)
    done = line and finished(row.board, own.seat, line, panel(row.game, known, links), links, known.texts)
    return done or panel(row.game, known, links, start, goal)


def _by_mail(own: Own) -> Callable[[str], str]:
    """Return what makes the URI of a mail that answers the letter about the board as it is now with a line."""
    row = own.row
    address = own.site.signer.answer(row.number, own.seat, row.board.length, own.player.epoch)
    title = f"Re: {own.say(board_subject(row, own.player, own.wants))}"
    start = mailto_start(*own.site.reached_at(address, title))
    return lambda line: start + mailto_end(line)


def _verbs(visit: Visit, own: Own, log: Sequence[Entry]) -> dict[str, str]:
    """Return the words for what the reader can do besides moving, each with what it costs, in English."""
    row = own.row
    if isinstance(row.game, NotInstalled):
        return {}
    costs = {verb: way.costs for verb, way in ways.ways(row, own.seat, log).items() if way.offered}
    if free_seats.can_be_asked(visit.store, row, own.seat, log, visit.now):
        costs["substitute"] = ""
    if own.takes_posts and len(row.players) > 1:
        waits = not row.board.result and own.seat not in (*row.board.to_move, *row.board.out)
        costs |= {"queue": _QUEUE, "chat": _CHAT} if waits else {"chat": _CHAT}
    return costs


def _form(own: Own, ways: _Looks, verbs: Mapping[str, str], told: Told) -> MoveForm | None:
    """Return the form that sends what the reader has chosen, or written; None if there is nothing to send now."""
    words, board = told.words, own.row.board
    if words.verb not in verbs:
        words = replace(words, verb="")
    is_turn = own.seat in board.to_move
    if not own.takes_posts or isinstance(own.row.game, NotInstalled) or not (is_turn or words != Typed()):
        return None
    can_offer = not words.verb and "propose" in verbs and not own.row.game.claim(board.position)
    return MoveForm(
        ways.at(),  # its answer is shown from the top: above the board it says what became of what was sent
        words,
        board.length,
        told.token or token_hex(TOKEN_BYTES),
        caption=button(words.verb, own.say),
        says=verbs.get(words.verb, ""),
        takes_line=words.verb in ("", "queue"),
        takes_draw=can_offer,
        by_mail=_by_mail(own)(words.first) if words.first else "",
    )


def _board(
    visit: Visit, own: Own, then: Board, moves: Sequence[Entry], ways: _Looks, steps: Panel | None
) -> dict[str, object]:
    """Return the position in the display that the reader wants, and the displays to choose from."""
    picture, renderer = displays.picture(then, own.seat), own.renderer
    choices = displays.displays(then, is_drawn=picture is not None)
    display = _display(own, ways, [name for name, *_ in choices])
    at_top = picture is not None and own.seat in picture.top
    turned = ways.turn == "1" or (at_top and own.wants.wants_turned and not ways.turn)
    drawn = None
    if picture and not display:
        near, onward, past = visit.query.get("near", ""), _enlarged(visit, ways, steps), moves[: then.ply]
        draw = partial(displays.drawn, renderer, then, past, own.seat, plain=picture)
        drawn = draw(turned=turned, touched=steps, near=near, enlarged=onward)
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


def _display(own: Own, ways: _Looks, known: Sequence[str]) -> str:
    """Return the display in the query, else that which the reader's letters have. Raises HTTPException."""
    if ways.display:
        name = "" if ways.display == _PICTURE else ways.display
        if name not in known:
            raise missing("display", ways.display)
        return name
    preferred = own.wants.display(own.row.key)
    return preferred if preferred == SPOKEN or "" not in known else ""
