"""The template data of a board for one reader."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias
from urllib.parse import quote

from pbmserv.boards import entries, ways
from pbmserv.boards.absences import free_seats
from pbmserv.boards.clocks import deadlines
from pbmserv.boards.clocks.deadlines import Limit
from pbmserv.boards.past import Replays, TooMuch
from pbmserv.boards.ratings import rating_formula
from pbmserv.errors import AmbiguousMove, MoveError, PlayerError
from pbmserv.games import NotInstalled
from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.hidden import hides_moves, read_by
from pbmserv.games.base.log import Entry, Kind, standing, standing_backwards
from pbmserv.letters.fence import Comment
from pbmserv.letters.pictures.diagrams import drawn
from pbmserv.letters.site import Site
from pbmserv.letters.text import aloud, move_list, times
from pbmserv.letters.text.aloud import for_ears
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.templates import SPOKEN, Renderer
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import conditions, day, duration, result_text, tournament_line
from pbmserv.model import BoardRow, LeftSeat, Player
from pbmserv.model.preferences import NO_PREFERENCES, Preferences
from pbmserv.rng import commitment
from pbmserv.store import Store

_MOST_IN_SUBJECT = 5  #: boards that the subject of a digest names


Due: TypeAlias = tuple[Seat, float] | tuple[Seat, float, str]


@dataclass(frozen=True)
class BesideTheLog:
    """What the page of a board says that does not follow from its log, as of one moment."""

    #: seats whose time is stopped because letters bounce, with the time until which it is (seconds since 1970)
    stopped: Sequence[tuple[Seat, float]] = ()
    #: the other seats that are to move, with the time until which each has to, in whole seconds; and which limit ends
    #: then, if the board has a bank
    due: Sequence[Due] = ()
    away: Sequence[tuple[Seat, float]] = ()  #: seats whose players are on vacation, with its end
    used: Sequence[float] = ()  #: of a board that is over: the seconds that each seat has used
    auto: Sequence[int] = ()  #: the ids of players whose days of vacation are used automatically
    ratings: Sequence[tuple[float, float] | None] = ()  #: of a board that is over: each seat's rating before and after
    tournament: str = ""  #: what it counts for, in English; "": it belongs to no tournament

    @classmethod
    def of(cls, store: Store, row: BoardRow, now: datetime, auto: Collection[int]) -> "BesideTheLog":
        """Read it for a board now. `auto`: the ids of players with automatic vacation."""
        if row.board.result:
            rated = tuple(store.ratings.changes(row.number))
            return cls(used=tuple(c.used for c in row.clocks), ratings=rated, tournament=tournament_of(store, row))
        moment, to_move = now.timestamp(), sorted(row.board.to_move)
        pauses = ((seat, row.clocks[seat].paused) for seat in to_move)
        stopped = {seat: p for seat, p in pauses if p is not None and p > moment}
        limits = ((s, deadlines.limit_of(row.clocks[s], row.settings)) for s in to_move if s not in stopped)
        due = tuple(_due(row, seat, limit) for seat, limit in limits if limit is not None)
        playing = [(s, p.id) for s, p in enumerate(row.players) if s not in row.board.out]
        ends = store.players.on_vacation({id_ for _, id_ in playing}, moment)
        away = tuple((seat, ends[id_]) for seat, id_ in playing if id_ in ends)
        told, counts_for = tuple(sorted(auto)), tournament_of(store, row)
        if not (stopped or due or away or told or counts_for):
            return NOTHING_BESIDE
        return cls(tuple(stopped.items()), due, away, auto=told, tournament=counts_for)

    def pack(self) -> dict[str, object]:
        """Return it as JSON takes it."""
        return {name: value for name, value in vars(self).items() if value}


NOTHING_BESIDE = BesideTheLog()


def tournament_of(store: Store, row: BoardRow) -> str:
    """Return the line that says for which tournament a board counts; "" if for none."""
    if row.tournament is None:
        return ""
    tournament, pairing = store.tournaments.find(row.tournament), store.tournaments.pairing_of(row.number)
    return tournament_line(tournament, pairing) if tournament and pairing else ""


def _due(row: BoardRow, seat: Seat, limit: Limit) -> Due:
    """Return the seat, when it has to have moved (since 1970), and on a board with a bank the kind of the limit.

    Nothing runs out before the turn counts, so not in the minute before a vacation, which the clock may have missed.
    """
    moment = int(max(limit.at, row.clocks[seat].since or 0.0))
    return (seat, moment, limit.kind.value) if row.settings.bank else (seat, moment)


_UNHEARD = {"brief": "", "changes": ""}


@dataclass(frozen=True)
class _Shared:
    """The part of a page that is the same for all readers with the same language and kind of display."""

    row: BoardRow
    language: str
    spoken: bool
    beside: BesideTheLog
    data: Mapping[str, object]

    def is_for(self, row: BoardRow, language: str, spoken: bool, beside: BesideTheLog) -> bool:
        """Return whether a page can use this part."""
        return self.row is row and (self.language, self.spoken, self.beside) == (language, spoken, beside)


class Pages:
    """Makes pages. What readers of the same board share is made once."""

    def __init__(self, site: Site, replays: Replays) -> None:
        self._site = site
        self._replays = replays
        self._last: _Shared | None = None  #: kept for the next reader

    def page(
        self,
        row: BoardRow,
        log: Sequence[Entry],
        seat: Seat | None,
        since: int,
        wants: Preferences,
        comments: Sequence[Comment] = (),
        beside: BesideTheLog = NOTHING_BESIDE,
        *,
        at: datetime,
        is_first: bool = False,  # about the board, of those that its reader gets
    ) -> dict[str, object]:
        """What a letter, written `at`, says of a board to a seat (None: a spectator) that has seen `since` entries."""
        board, display = row.board, wants.display(row.key)
        log = read_by(board, log, () if seat is None else row.seats_of(row.players[seat]))
        renderer = self._site.renderer.to(wants.language)
        say = renderer.say
        spoken = display == SPOKEN
        free = _free_seat(row, seat, log, since)
        words = _verbs(row, seat, log) + ["substitute"] * bool(free)
        shared = self._shared(row, log, wants.language, spoken, beside)
        heard = {"table": shared["table"], **self._heard(renderer, row, log, seat, since)} if spoken else _UNHEARD
        return {
            **shared,
            **{name: for_ears(wants)(str(text)) for name, text in heard.items()},
            **_web_pages(self._site.policy.web_url, row.key),
            **self._of_reader(row, seat, say, heard=spoken),
            "below": [
                *counted(row, log, seat, say, heard=spoken),
                *move_list.leavers(log, since, seat, row.players, say),
                *move_list.answered(log, since, row.players, say, over=board.result is not None),
                *times_to_come(row, seat, beside, partial(times.planned, where=times.zone(wants.timezone), at=at), say),
            ],
            "offer": _offer_data(row, seat, log, say),
            "free": free,
            "events": [*map(for_ears(wants), move_list.events(log[since:], seat, row, say, heard=spoken))],
            "diagram": drawn(renderer, board, seat, wants, log),
            "comments": list(comments),
            "is_set_up": any(e.kind is Kind.WORD and e.fixed for e in log[since:]),
            "verbs": words,
            "answers": [*words, *["help"] * (is_first and not self._site.policy.web_url)],  # or a page has the rules
        }

    def _of_reader(self, row: BoardRow, seat: Seat | None, say: Say, *, heard: bool) -> dict[str, object]:
        """What a page says of the player of a seat (None: a spectator)."""
        if seat is None:
            return {"reader": "", "page_url": "", "my_turn": False, "example": ""}
        board, player = row.board, row.players[seat]
        playing = seat in board.to_move
        return {
            "reader": player.userid,
            "page_url": self._site.page(row.number, seat, player),
            "my_turn": playing,
            "example": _example(board, seat, say, heard=heard) if playing else "",
        }

    def _heard(
        self, renderer: Renderer, row: BoardRow, log: Sequence[Entry], seat: Seat | None, since: int
    ) -> dict[str, str]:
        """What a page says of a board to a seat that hears it and has seen `since` entries: first what has changed."""
        return {
            "brief": move_list.brief(row, log, since, renderer.say),
            "changes": self._changes(renderer, row, seat, since),
        }

    def _changes(self, renderer: Renderer, row: BoardRow, seat: Seat | None, since: int) -> str:
        """Return in words what has changed since the log had this length; "" if this exceeds the budget."""
        try:
            then = self._replays.after(row, since)
        except TooMuch:
            return ""
        if then.game is not row.game:  # the board was set up since
            return ""
        return renderer.changes(row.game, view_of(then, seat), view_of(row.board, seat))

    def _shared(
        self, row: BoardRow, log: Sequence[Entry], language: str, spoken: bool, beside: BesideTheLog
    ) -> Mapping[str, object]:
        """What is the same for all readers of a board with this language; kept for the next of them."""
        if self._last is None or hides_moves(row.game) or not self._last.is_for(row, language, spoken, beside):
            say = self._site.renderer.to(language).say
            self._last = _Shared(row, language, spoken, beside, _made(row, log, spoken, beside, say))
        return self._last.data


def _example(board: Board, seat: Seat, say: Say, *, heard: bool) -> str:
    """Return a legal move as players of the game write it, or say it, in the language of `say`."""
    text = board.game.example(board.position, seat)
    if heard:
        return aloud.heard(board.game, entries.written_by(board, seat, text), say)
    return shown_move(board, seat, text, say)


def shown_move(board: Board, seat: Seat, text: str, say: Say) -> str:
    """Return a legal move as players of the game write it, with the letters of the men in the language of `say`.

    If that may be another move in English, it is returned as its text: `Dxe4` is a queen in German, or a pawn.
    """
    written = entries.written_by(board, seat, text)
    own = lettered(written, say)
    if own == written:
        return written
    try:
        board.game.parse(board.position, seat, own)
    except AmbiguousMove:
        return text
    except MoveError:
        return own
    return text


def counted(
    row: BoardRow, log: Sequence[Entry], seat: Seat | None, say: Say = str, *, heard: bool = False
) -> list[str]:
    """Return in a sentence, or none, what a seat calls the last move of another, if it has other names there."""
    _, last = next(standing_backwards(log), (0, None))
    if last is None or seat is None:
        return []
    text = row.game.as_counted_by(seat, last.text, last.seat)
    words = aloud.heard(row.game, text, say) if heard and text else text
    return [say(f"{row.players[last.seat].userid} moved, by your numbers: {words}")] if words else []


def _made(row: BoardRow, log: Sequence[Entry], spoken: bool, beside: BesideTheLog, say: Say) -> dict[str, object]:
    board = row.board
    table = move_list.spoken if spoken else move_list.table
    return _about(row, say, beside.auto) | {
        "ply": board.ply + 1,
        "left": entries.left(board),
        "to_move": [row.players[s].userid for s in sorted(board.to_move)],
        "table": table(row, log, rounds=None if board.result else 4, say=say),
        "spoken": spoken,
        "facts": _last_facts(row, beside, say) if board.result else [],
        "tournament": say(beside.tournament),
        "stopped": [(row.players[s].userid, _say_day(until, say)) for s, until in beside.stopped],
    }


def _say_day(until: float, say: Say) -> str:
    """Return the latest day on which a stopped time runs again."""
    return say(day(datetime.fromtimestamp(until, UTC)))


#: What ends at the time until which a player has to move, by the kind of the limit.
_ENDS = {"bank": "then the bank is empty", "move": "the limit for one move", "total": "the limit for all moves"}


def times_to_come(
    row: BoardRow, seat: Seat | None, beside: BesideTheLog, at: Callable[[float], str], say: Say = str
) -> list[str]:
    """Return the lines about times to come: until when to move, and which of the others are on vacation."""
    me = None if seat is None else row.players[seat].id
    lines = [_move_by("" if s == seat else row.players[s].userid, at(limit), *kind) for s, limit, *kind in beside.due]
    ends = {row.players[s]: end for s, end in beside.away}
    lines += [f"{p.userid} is on vacation until {at(end)}." for p, end in ends.items() if p.id != me]
    return [say(line) for line in lines]


def _move_by(who: str, when: str, kind: str = "") -> str:
    """Return until when somebody has to move ("": the reader). `kind`: of the limit, on a board with a bank."""
    if not kind:
        return f"{who} has to move by {when}." if who else f"Move by {when}."
    what = _ENDS[kind]
    return f"{who} has to move by {when} ({what})." if who else f"Move by {when} ({what})."


def _web_pages(url: str, key: str) -> dict[str, str]:
    """Return links to the rules of a game and to help pages; "" if `url`, that of the site, is ""."""
    return {
        "rules_url": f"{url}/games/{quote(key)}/help" if url else "",
        "dice_url": f"{url}/help/dice" if url else "",
        "receipts_url": f"{url}/help/receipts" if url else "",
    }


def _last_facts(row: BoardRow, beside: BesideTheLog, say: Say) -> list[str]:
    """Return the lines about time and ratings in the last letter, one for each seat."""
    lines = []
    for player, used, change in zip(row.players, beside.used, beside.ratings, strict=True):
        parts = [say(f"{player.shown} used {duration(used, say)}")]
        if change:
            before, after = (rating_formula.points(mu) for mu in change)
            parts.append(say(f"rating {before} -> {after} ({after - before:+})"))
        lines.append(", ".join(parts))
    return lines


def _about(row: BoardRow, say: Say, auto: Collection[int]) -> dict[str, object]:
    """Return what a page says of the board as a whole."""
    board, info = row.board, row.game.info
    return {
        "number": row.number,
        "game": info.name,
        "key": info.key,
        "conditions": conditions(row, say, auto),
        "over": board.result is not None,
        "result": result_text(row, say),
        "solitaire": len(row.players) == 1,
        "seats": list(zip(map(say, board.seat_names), row.players, strict=True)),
        "commitment": commitment(board.start.seed),
        "seed": board.start.seed,
        "chance": info.draws(board.start.options),
        "shared": board.start.shared,
        "waits": board.waits,
        "words": [(p.userid, word) for p, word in zip(row.players, board.words, strict=False)],
        "settings": row.settings,
        "rematch_of": row.rematch_of,
        "continues": row.continues,
        "seat_lasts": free_seats.SEAT_LASTS.days,
    }


def _free_seat(row: BoardRow, seat: Seat | None, log: Sequence[Entry], since: int) -> LeftSeat | None:
    """Return the seat for which a reader can ask for a substitute, if this is the letter that says it is free."""
    board = row.board
    if seat is None or not board.out or seat in board.out:
        return None
    if not board.result and not any(e.kind in (Kind.RESIGN, Kind.FORFEIT) for e in log[since:]):
        return None
    try:
        return free_seats.free_seat(row, log)
    except PlayerError:
        return None


def _verbs(row: BoardRow, seat: Seat | None, log: Sequence[Entry]) -> list[str]:
    """Return the words that a seat (None: a spectator) can answer with, besides moves."""
    return [] if seat is None or isinstance(row.game, NotInstalled) else ways.offered(row, seat, log)


def shown(
    renderer: Renderer,
    row: BoardRow,
    log: Sequence[Entry],
    seat: Seat | None,
    *,
    then: Board | None = None,
    wants: Preferences = NO_PREFERENCES,
    queue: Sequence[str] = (),
    auto: Collection[int] = (),
    tournament: str = "",
    goes_on: int | None = None,
) -> dict[str, object]:
    """Return the data of the template `show`: a board as the player of a seat (None: a spectator) sees it.

    `then`: an earlier state of the board; None: now. `queue`: the player's queued moves. `auto`: the ids of players
    with automatic vacation. `tournament`: see `tournament_of`. `goes_on`: the board on which this one goes on.
    """
    board, say, ply = row.board, renderer.say, then and then.ply
    then = then or board
    table = move_list.spoken if wants.display(row.key) == SPOKEN else move_list.table
    seats = () if seat is None else row.seats_of(row.players[seat])
    moves = standing(read_by(board, log, seats))[: then.ply]
    return {
        "title": row.title,
        "ply": ply,
        "conditions": conditions(row, say, auto),
        "tournament": say(tournament),
        "table": for_ears(wants)(table(row, moves, None, say)),
        "diagram": drawn(renderer, then, seat, wants, moves),
        "result": result_text(row, say),
        "continues": row.continues,
        "goes_on": goes_on,
        "to_move": [row.players[s].userid for s in sorted(board.to_move)],
        "next_ply": board.ply + 1,
        "queue": queue,
        "ways": [] if seat is None or then is not board else _ways_of(row, seat, log, say),
    }


def _ways_of(row: BoardRow, seat: Seat, log: Sequence[Entry], say: Say) -> list[tuple[str, str]]:
    """Return what a seat can do besides moving, and what that costs."""
    if isinstance(row.board.game, NotInstalled):
        return []
    return [(verb, say(way.costs)) for verb, way in ways.ways(row, seat, log).items()]


def board_subject(row: BoardRow, player: Player, wants: Preferences, *, playing: bool = True) -> str:
    """Return the subject of a letter about a board to one of its players, or to a spectator.

    It is the same for all of them, because mail programs thread by it, unless the reader wants to see whose turn it is.
    """
    if wants.wants_turn_in_subject:
        return _turn_subject(row, player)
    return f"{row.title} {player.userid}" if playing else row.title


def _turn_subject(row: BoardRow, player: Player) -> str:
    """Return the board's number and whose turn it is."""
    board, seats, game = row.board, row.seats_of(player), row.key.capitalize()
    if board.result:
        return f"{row.number} over ({game})"
    if board.to_answer.intersection(seats):
        return f"{row.number} your answer ({game})"
    if board.to_move.intersection(seats):
        return f"{row.number} your turn ({game})"
    names = ", ".join(dict.fromkeys(row.players[seat].userid for seat in sorted(board.to_move)))
    return f"{row.number} {names} ({game})"


def digest_subject(pages: Sequence[Mapping[str, object]], wants: Preferences) -> str:
    """Return the subject of a digest; it may begin with the numbers of the boards where the reader is to move."""
    if not wants.wants_turn_in_subject:
        return "Digest"
    own = [page["number"] for page in pages if page["my_turn"] and not page["over"]]
    numbers = [str(number) for number in own or (page["number"] for page in pages)]
    boards = ", ".join(numbers[:_MOST_IN_SUBJECT]) + (" ..." if len(numbers) > _MOST_IN_SUBJECT else "")
    return f"{boards} your turn (Digest)" if own else f"{boards} news (Digest)"


def _offer_data(row: BoardRow, seat: Seat | None, log: Sequence[Entry], say: Say) -> dict[str, object] | None:
    offer = row.board.offer
    if offer is None:
        return None
    return {
        "by": row.players[offer.seat].userid,
        "what": "draw" if offer.kind is Kind.PROPOSE else "undo",
        "moves": move_list.taken_back(row.board, standing(log), say),
        "waiting": [row.players[s].userid for s in sorted(row.board.to_answer)],
        "mine": seat in row.board.to_answer,
    }
