"""Pages about boards: the lists, a board at any of its plies, its record."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException

from pbmserv import games
from pbmserv.boards.absences.vacations import wants_auto
from pbmserv.boards.records import JSON, comments_of, format_for, formats_now, record_of, sheet_of, site_of
from pbmserv.commands.seeks import seek_terms
from pbmserv.errors import PlayerError
from pbmserv.games.base.board import Board
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, standing
from pbmserv.letters.letters import habits_of
from pbmserv.letters.text import move_list
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import conditions, result_line, result_text
from pbmserv.model import BoardRow, Listed, Seek
from pbmserv.model.boards import BoardState, options_text
from pbmserv.rng import commitment
from pbmserv.web import displays
from pbmserv.web.displays import Looks
from pbmserv.web.kept import reviewed
from pbmserv.web.kept.films import MOST_ENTRIES
from pbmserv.web.visit import LATER, SOON, File, Page, Visit, missing

NEWEST = 20  #: boards on a page with other content
A_PAGE = 50  #: boards on a page of a list
MOST_SEEKS = 50
A_BLOCK = 60  #: moves on a board's page, if nobody moves twice in a round


def home(visit: Visit) -> Page:
    """Show how to begin, the board on which somebody moved last, running boards, the open seeks, the games."""
    data = {
        "games": [g.info for g in visit.place.games],
        "live": listed(visit, limit=1, by_change=True),
        "boards": listed(visit, limit=NEWEST),
        "seeks": _open_seeks(visit),
        "address": visit.place.address,
    }
    return Page("home.html", data)


def _open_seeks(visit: Visit) -> list[dict[str, object]]:
    open_ones = seeks(visit)
    say, habits = visit.place.renderer.say, habits_of(visit.store, {p for s in open_ones for p in s.players})
    return [
        {
            "number": seek.number,
            "game": games.find(seek.game).info,
            "options": options_text(seek.options),
            "players": [p.userid for p in seek.players],
            "terms": seek_terms(seek, say, habits),
        }
        for seek in open_ones
    ]


def seeks(visit: Visit) -> list[Seek]:
    """Return the open seeks of games that are offered here."""
    offered = {g.info.key for g in visit.place.games}
    return [s for s in visit.store.challenges.open_seeks(limit=MOST_SEEKS) if s.game in offered]


def running(visit: Visit) -> Page:
    """List running boards, only of one game if the path names one."""
    return _list(visit, over=False)


def finished(visit: Visit) -> Page:
    """List finished boards, only of one game if the path names one."""
    return _list(visit, over=True)


def search(
    visit: Visit,
    *,
    over: bool = False,
    game: str | None = None,
    player_ids: Collection[int] = (),
    before: int | None = None,
    limit: int = A_PAGE,
    by_change: bool = False,
) -> list[Listed]:
    """Return boards that are not private, the newest first; with `by_change`, those that have changed last."""
    state = BoardState.INACTIVE if over else BoardState.ACTIVE
    return visit.store.board_lists.search(
        game=game, player_ids=player_ids, state=state, public=True, before=before, limit=limit, by_change=by_change
    )


def listed(visit: Visit, **terms: Any) -> list[dict[str, object]]:
    """Return the same boards as `search`, as pages list them."""
    return [_line(b) for b in search(visit, **terms)]


def rest_of(boards: list[dict[str, Any]]) -> tuple[list[dict[str, object]], int | None]:
    """Return the boards of one page, and where the next begins. `boards` has one more than a page."""
    page = boards[:A_PAGE]
    return page, page[-1]["number"] if len(boards) > A_PAGE else None


def board(visit: Visit) -> Page:
    """Show a board now, or after the ply in the path, as everybody may see it."""
    row = find(visit)
    auto = wants_auto(visit.store, row.players)
    tournament = row.tournament and visit.store.tournaments.find(row.tournament)
    goes_on = visit.store.boards.continuation(row.number) if row.board.out else None
    looks = visit.path.get("ply"), visit.query.get("display"), visit.query.get("turn")
    review = reviewed.done(visit.store, row)
    shown = known(row), sorted(auto), tournament and tournament.plan.name, goes_on, looks, review and review.done
    more = {"tournament": tournament, "goes_on": goes_on, "review": review}
    made_of = partial(_board, visit, row, auto, more)
    return Page("board.html", made_of, LATER if row.board.result else SOON, known=shown)


def known(row: BoardRow) -> object:
    """Return plain values from which all follows that is stored of a board."""
    people = [(player.shown, clock.rest) for player, clock in zip(row.players, row.clocks, strict=True)]
    return row.number, row.receipt, row.board.length, row.changed, row.over, row.settings, row.continues, people


def _board(visit: Visit, row: BoardRow, auto: Collection[int], more: Mapping[str, Any]) -> dict[str, object]:
    """Return what the page of a board shows."""
    log = visit.store.boards.entries(row.number)[: row.board.length]
    then = at(visit, row, log)
    moves = standing(read_by(row.board, log))
    data = {
        **more,
        "row": row,
        "info": row.game.info,
        "formats": [JSON, *(form.name for form in formats_now(row) if len(log) <= MOST_ENTRIES)],
        "conditions": conditions(row, auto=auto),
        "seats": list(zip(row.board.seat_names, row.players, strict=True)),
        "latest": "ply" not in visit.path,
        "ply": then.ply,
        "last": row.board.ply,
        "moves": moves_around(row, moves, then.ply),
        "events": move_list.events([e for e in moves if e.ply == then.ply], None, row),
        "commitment": commitment(row.board.start.seed),
        "seed": row.board.start.seed if row.board.result else "",
        "address": visit.place.address,
    }
    if review := more["review"]:
        data["review"] = reviewed.section(visit.place.renderer, row, review, whole_film(visit, row, log))
    return data | _whose_turn(row, then) | _shown(visit, then, moves)


def record(visit: Visit) -> File:
    """Return the same record as `record` mails, of a finished or a running board."""
    row = find(visit)
    auto = wants_auto(visit.store, row.players)

    def written() -> str:
        lines = visit.store.boards.log(row.number)[: row.board.length]
        return json.dumps(record_of(row, lines, auto=auto), indent=1)

    return _record(row, "json", "application/json", written, sorted(auto))


def record_for_programs(visit: Visit) -> File:
    """Return the record of a board in the format that the path names."""
    row = find(visit)
    if isinstance(row.game, games.NotInstalled):
        raise HTTPException(404, row.game.error().text)
    try:
        form = format_for(row, visit.path["format"])
    except PlayerError as e:
        raise HTTPException(404, e.text) from None

    review = reviewed.done(visit.store, row)

    def written() -> str | bytes:
        log = visit.store.boards.entries(row.number)[: row.board.length]
        site = site_of(row, visit.place.web_url, visit.place.address)
        return form.write(sheet_of(row, log, whole_film(visit, row, log), site, comments_of(review, row)))

    return _record(row, form.name, form.media_type, written, review and review.done)


def _record(
    row: BoardRow, ending: str, media_type: str, written: Callable[[], str | bytes], more: object = None
) -> File:
    age = LATER if row.board.result else SOON
    return File(written, media_type, age, f"board-{row.number}.{ending}", known=(known(row), ending, more))


def _list(visit: Visit, *, over: bool) -> Page:
    game = visit.game() if "game" in visit.path else None
    key = game.info.key if game else None
    lines = listed(visit, over=over, game=key, before=visit.asked("before"), limit=A_PAGE + 1)
    page, before = rest_of(lines)
    data = {"info": game and game.info, "over": over, "boards": page, "before": before}
    return Page("boards.html", data | {"later": "before" in visit.query})


def _line(b: Listed) -> dict[str, object]:
    game = games.find(b.game)
    return {
        "number": b.number,
        "game": game.info,
        "has_picture": displays.has_picture(game),
        "ply": b.ply,
        "players": b.players,
        "to_move": b.to_move,
        "changed": b.changed,
        "result": result_line(b.game, b.players, b.result) if b.result else "",
    }


def find(visit: Visit) -> BoardRow:
    """Return the board in the path. Raises HTTPException if there is none, or if it is private."""
    number = visit.number("number")
    row = visit.store.boards.find(number, lock=False)
    if row is None:
        raise missing("board", str(number))
    if not row.may_be_read_by(None):
        raise HTTPException(403, f"Board {number} is private: its players see it, by mail.")
    return row


def at(visit: Visit, row: BoardRow, log: Sequence[Entry]) -> Board:
    """Return the board after the ply in the path. Raises HTTPException if there is no such ply."""
    ply = visit.number("ply") if "ply" in visit.path else row.board.ply
    if ply > row.board.ply:
        raise HTTPException(404, f"There is no ply {ply} on board {row.number}: it has {row.board.ply}.")
    if ply == row.board.ply:
        return row.board
    return whole_film(visit, row, log)[ply]


def whole_film(visit: Visit, row: BoardRow, log: Sequence[Entry]) -> Sequence[Board]:
    """Return the board at each of its plies. Raises HTTPException if nobody can replay it here."""
    if isinstance(row.game, games.NotInstalled):
        raise HTTPException(404, row.game.error().text)
    if len(log) > MOST_ENTRIES:
        raise HTTPException(404, f"Board {row.number} is too long to be replayed here. Ask for its plies by mail.")
    return visit.place.films.film(row, log)


def _shown(visit: Visit, then: Board, moves: Sequence[Entry]) -> dict[str, object]:
    """Return the position in the display that the visitor wants, and what else there is to choose from."""
    looks, renderer = Looks.of(visit, then), visit.place.renderer
    picture, past, query = displays.picture(then), moves[: then.ply], looks.query
    drawn = None
    if picture and not looks.display:
        drawn = displays.drawn(renderer, then, past, turned=looks.turned, plain=picture)
    return {
        "at": lambda ply: f"/boards/{visit.path['number']}/{ply}{query}",
        "drawn": drawn,
        "diagram": "" if drawn else displays.diagram(renderer, then, looks.display),
        "displays": displays.displays(then, is_drawn=picture is not None),
        "looks": looks,
        "can_turn": bool(drawn and picture and picture.top),
    }


def _whose_turn(row: BoardRow, then: Board) -> dict[str, object]:
    """Return who is to move at this ply, and the headlines of this ply and of the board as it is now."""
    now = _headline(row, row.board)
    when = f"After ply {then.ply}" if then.ply else "At the beginning"
    return {
        "to_move": [row.players[s].userid for s in sorted(then.to_move)],
        "headline": now if then is row.board else f"{when}. {_headline(row, then)}",
        "now": "" if then is row.board else now,
    }


def _headline(row: BoardRow, then: Board) -> str:
    """Return in a sentence how a board stands."""
    if then.result:
        return f"The board is over: {result_text(row)}."
    players = ", ".join(row.players[s].shown for s in sorted(then.to_move))
    if then.waits and players:
        return f"The board waits for a word of {players}."
    return f"To move: {players}, ply {then.ply + 1}." if players else "This board waits."


def moves_around(row: BoardRow, moves: Sequence[Entry], ply: int, say: Say = str) -> dict[str, object]:
    """Return the block of rounds that contains this ply, and plies of the blocks around it.

    A round has a cell for each seat: its moves, each with its ply. Of a solitaire, each move is a round.
    """
    seats = len(row.players)
    rounds: list[list[move_list.Cell]] = move_list.rounds(moves, seats) if seats > 1 else [[[move]] for move in moves]
    most = A_BLOCK // seats
    plies = [[move.ply for cell in cells for move in cell if move] for cells in rounds]
    here = next((i for i, those in enumerate(plies) if ply in those), 0)
    first = here // most * most
    beyond = first + most
    return {
        "first": first + 1,
        "names": [player.userid for player in row.players],
        "rounds": [[[_move(move, say) for move in cell] for cell in cells] for cells in rounds[first:beyond]],
        "before": plies[first - 1][-1] if first else None,
        "after": plies[beyond][0] if beyond < len(rounds) else None,
    }


def _move(move: Entry | None, say: Say) -> tuple[int, str]:
    """Return a move with its ply; 0: the seat was passed over."""
    return (move.ply, lettered(move.shown, say)) if move else (0, move_list.MISSED)
