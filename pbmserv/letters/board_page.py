"""What letters say of a board to one reader, as data for the templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pbmserv.boards import ratings
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry, Kind, standing
from pbmserv.letters.comments import Comment
from pbmserv.letters.preferences import Preferences
from pbmserv.letters.site import Site
from pbmserv.letters.text import move_list
from pbmserv.letters.text.templates import SPOKEN, Renderer, diagram
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import conditions, day, duration, result_text
from pbmserv.rng import commitment
from pbmserv.store import BoardRow, Player, Store

MOST_MOVES = 40  #: legal moves; more than that are not listed


@dataclass(frozen=True)
class _Shared:
    """The part of a page that is the same for all who read a board in one language, in words or not."""

    row: BoardRow
    language: str
    spoken: bool
    data: Mapping[str, Any]

    def is_for(self, row: BoardRow, language: str, spoken: bool) -> bool:
        """Whether it is the part that this page needs."""
        return self.row is row and self.language == language and self.spoken == spoken


class Pages:
    """Makes pages as of one moment, inside one transaction."""

    def __init__(self, site: Site, store: Store, now: datetime) -> None:
        self._site = site
        self._store = store
        self._now = now
        self._last: _Shared | None = None  #: kept for the next reader

    def page(
        self,
        row: BoardRow,
        log: Sequence[Entry],
        seat: Seat | None,
        since: int,
        wants: Preferences,
        comments: Sequence[Comment] = (),
    ) -> dict[str, Any]:
        """What letters say of a board to the player of a seat (None: a spectator), who has seen `since` entries."""
        board, display = row.board, wants.display(row.key)
        renderer = self._site.renderer.to(wants.language)
        say = renderer.say
        playing, spoken = seat in board.to_move, display == SPOKEN
        answers = [] if seat is None else _answers(board, seat, log)
        return {
            **self._shared(row, log, wants.language, spoken),
            "reader": "" if seat is None else row.players[seat].userid,
            "my_turn": playing,
            "offer": _offer_data(row, seat),
            "events": move_list.events(log[since:], seat, row.players, say),
            "example": "" if seat is None or not playing else board.game.example(board.position, seat),
            "diagram": diagram(renderer, board, seat, display),
            "changes": _changes(renderer, board, seat, log, since) if spoken else "",
            "comments": list(comments),
            "answers": answers,
            "verbs": [text for text, is_move in answers if not is_move],
        }

    def _shared(self, row: BoardRow, log: Sequence[Entry], language: str, spoken: bool) -> Mapping[str, Any]:
        """What is the same for all readers of a board with this language; kept for the next of them."""
        if self._last is None or not self._last.is_for(row, language, spoken):
            say = self._site.renderer.to(language).say
            self._last = _Shared(row, language, spoken, self._made(row, log, spoken, say))
        return self._last.data

    def _made(self, row: BoardRow, log: Sequence[Entry], spoken: bool, say: Say) -> dict[str, Any]:
        board = row.board
        table = move_list.spoken if spoken else move_list.table
        return _about(row, say) | {
            "ply": board.ply + 1,
            "to_move": [row.players[s].userid for s in sorted(board.to_move)],
            "table": table(row, standing(log), rounds=None if board.result else 4, say=say),
            "spoken": spoken,
            "facts": self._last_facts(row, say) if board.result else [],
            "stopped": self._stopped(row, say),
        }

    def _stopped(self, row: BoardRow, say: Say) -> list[tuple[str, str]]:
        """Whose time stands still because his letters come back, and the day on which it runs again at the latest."""
        pauses = [(row.players[s].userid, row.clocks[s].paused) for s in sorted(row.board.to_move)]
        now = self._now.timestamp()
        return [(userid, say(day(datetime.fromtimestamp(p, UTC)))) for userid, p in pauses if p is not None and p > now]

    def _last_facts(self, row: BoardRow, say: Say) -> list[str]:
        """What the last letter says about time and ratings, a line for each seat."""
        lines = []
        for seat, (player, change) in enumerate(zip(row.players, self._store.ratings.changes(row.number), strict=True)):
            parts = [say(f"{player.userid} used {duration(row.clocks[seat].used, say)}")]
            if change:
                before, after = (ratings.points(mu) for mu in change)
                parts.append(say(f"rating {before} -> {after} ({after - before:+})"))
            lines.append(", ".join(parts))
        return lines


def _about(row: BoardRow, say: Say) -> dict[str, Any]:
    """The board itself."""
    board, info = row.board, row.game.info
    return {
        "number": row.number,
        "game": info.name,
        "key": info.key,
        "conditions": conditions(row, say),
        "over": board.result is not None,
        "result": result_text(row, say),
        "solitaire": len(row.players) == 1,
        "seats": list(zip(map(say, board.game.seat_names(len(row.players))), row.players, strict=True)),
        "may_decline": board.length == 0 and len(row.players) > 1,
        "commitment": commitment(board.start.seed),
        "seed": board.start.seed,
        "chance": info.chance,
        "settings": row.settings,
    }


def _answers(board: Board, seat: Seat, log: Sequence[Entry]) -> list[tuple[str, bool]]:
    """What a seat can answer to its letter: its moves, if they are few, and its verbs; each with whether it is a move.

    `log` is the whole log of the board.
    """
    return [(text, True) for text in _moves(board, seat)] + [(verb, False) for verb in play.verbs(board, seat, log)]


def _moves(board: Board, seat: Seat) -> list[str]:
    """The legal moves of a seat in alphabetical order; none if there are more than MOST_MOVES."""
    if seat not in board.to_move:
        return []
    legal = board.game.legal_moves(board.position, seat)
    return sorted(board.game.format(move) for move in legal) if len(legal) <= MOST_MOVES else []


def _changes(renderer: Renderer, board: Board, seat: Seat | None, log: Sequence[Entry], since: int) -> str:
    """What is different on the board, in words, after the first `since` entries."""
    then = play.at(board.start, log, log[since - 1].ply if since else 0).position
    view = board.game.view
    return renderer.changes(board.game, view(then, seat), view(board.position, seat))


def shown(
    renderer: Renderer,
    row: BoardRow,
    log: Sequence[Entry],
    seat: Seat | None,
    *,
    ply: int | None = None,
    display: str = "",
    queue: Sequence[str] = (),
) -> dict[str, Any]:
    """A board as the player of a seat (None: a spectator) sees it when he asks: the data of the template `show`.

    `ply`: as the board was then; None: as it is. `queue`: the moves that wait for his turn. Raises PlayerError if the
    board has no such ply.
    """
    board, say = row.board, renderer.say
    then = board if ply is None else play.at(board.start, log, ply)
    table = move_list.spoken if display == SPOKEN else move_list.table
    return {
        "title": row.title,
        "ply": ply,
        "conditions": conditions(row, say),
        "table": table(row, standing(log)[: then.ply], None, say),
        "diagram": diagram(renderer, then, seat, display),
        "result": result_text(row, say),
        "to_move": [row.players[s].userid for s in sorted(board.to_move)],
        "next_ply": board.ply + 1,
        "queue": queue,
    }


def board_subject(row: BoardRow, player: Player) -> str:
    """The subject of all letters of a board to one of its players."""
    return f"{row.title} {player.userid}"


def _offer_data(row: BoardRow, seat: Seat | None) -> dict[str, Any] | None:
    offer = row.board.offer
    if offer is None:
        return None
    return {
        "by": row.players[offer.seat].userid,
        "what": "draw" if offer.kind is Kind.PROPOSE else "undo",
        "to_ply": offer.to_ply,
        "waiting": [row.players[s].userid for s in sorted(row.board.to_answer)],
        "mine": seat in row.board.to_answer,
    }
