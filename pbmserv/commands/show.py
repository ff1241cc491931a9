"""Shows boards and players: `show`, `showas`, `record`, `all show`, `who`."""

import json
import re
from collections.abc import Sequence
from math import ceil
from textwrap import fill

import structlog

from pbmserv import games
from pbmserv.boards.absences.vacations import wants_auto
from pbmserv.boards.entries import written_by
from pbmserv.boards.past import FEW_PAGES
from pbmserv.boards.ratings import rating_formula
from pbmserv.boards.records import JSON, comments_of, format_for, record_of, sheet_of, site_of
from pbmserv.commands.lists import STATES, boards_table
from pbmserv.errors import PlayerError, quote
from pbmserv.games.base import Seat, moves_of
from pbmserv.games.base.board import Board, demand_running
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.picture import CHOSEN
from pbmserv.inbox.command import (
    AS,
    BOARD,
    LOGIN,
    ON_BOARD,
    Arg,
    BoardRef,
    Call,
    Is,
    Scope,
    Setting,
    game_of,
    is_userid,
    read_board,
)
from pbmserv.inbox.context import Answer, Command, Context, Occasion
from pbmserv.letters.board_page import shown, tournament_of
from pbmserv.letters.pictures.diagrams import drawn, picture_of
from pbmserv.letters.pictures.parts import part
from pbmserv.letters.pictures.touch import Touches, in_order, touches, touches_from
from pbmserv.letters.text import aloud, times
from pbmserv.letters.text.blocks import Block, Words, below, cut, joined, kind
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import day
from pbmserv.mail.outbound import Attachment
from pbmserv.model import BoardRow, Player
from pbmserv.model.boards import BoardState
from pbmserv.model.preferences import SPOKEN, Preferences
from pbmserv.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

MOST_BOARDS = 10  #: in one answer
MOST_LEGAL = 300  #: legal moves in one answer
_PAGE = 60  #: legal moves of a page: so many links fit into a letter
_MOST_PAGES = 20  #: that a page leads to
_WIDTH = 72
MOST_SHOWN = 4_000  #: characters of a record that is in the letter itself, too
MOST_DIAGRAMS = FEW_PAGES  #: in one letter, so that a mail without proof gets them; the boards beyond that are listed


def show(ctx: Context, call: Call) -> Answer:
    """`game show board[#n] …` or `game show userid … [all | active | inactive | next]`: as spectators see them."""
    refs = _refs(ctx, call, call.values["board|userid"])
    pages = [page(ctx, ctx.readable_row(call, ref), ref) for ref in refs[:MOST_BOARDS]]
    return _pages(ctx, call, refs, pages)


SHOW = Command(
    "show",
    "Shows boards, or the boards of players. 101#7 is board 101 after ply 7.",
    show,
    scope=Scope.GAME,
    args=(
        Arg(
            "board|userid",
            "board numbers, 101#7 for ply 7; or userids, then all, active, inactive or next",
            many=True,
        ),
    ),
    synonyms=("zeigen", "brett", "brett zeigen"),
    question=True,
    example="{game} show {board}",
    second="{game} show {userid} next",
    more="If the board belongs to another game, the answer says which. If that ply does not exist, it names the last "
    "one. Hidden things stay hidden; to see yours, send: help showas",
)


def showas(ctx: Context, call: Call) -> Answer:
    """`game showas userid password [board … | next | active | all]`: as that player sees them, with queues."""
    player = ctx.authentication.login(call)
    refs = _refs(ctx, call, call.get("board"), player)
    wants = ctx.preferences(player)
    pages = []
    for ref in refs[:MOST_BOARDS]:
        row = ctx.readable_row(call, ref, player)
        seats = row.seats_of(player)
        queues = ctx.store.waiting_moves.queues(row.number)
        queue = [lettered(str(item), ctx.say) for seat in seats for item in queues.get(seat, [])]
        pages.append(page(ctx, row, ref, row.seat_to_move(player) if seats else None, wants, queue))
    return _pages(ctx, call, refs, pages)


SHOWAS = Command(
    "showas",
    "Shows boards as you see them: with your hidden things, in your display.",
    showas,
    scope=Scope.GAME,
    args=(*LOGIN, Arg("board", "board numbers; or all, active, next", optional=True, many=True)),
    reply=True,
    synonyms=("show", "show board", "board", "brett", "zeigen"),
    question=True,
    example="{game} showas {userid} {password} {board}",
    second="{game} showas {userid} {password} next",
    more="If you do not play on a board, you see what everybody sees. If the password is wrong, nothing is shown.",
)


def legal(ctx: Context, call: Call) -> Answer:
    """`game legal board userid password [square …]`: the moves of the player who asks, all or those from there.

    With `page n` behind it, they come as links, so many that a letter has room for all of them.
    """
    row, player, seat = ctx.my_board(call)
    demand_running(row.board)
    if seat not in row.board.to_move:
        raise PlayerError(
            "It is not your turn, so you have no moves now.", "Wait for the letter that says it is your turn."
        )
    squares, page = _paged(call.get("move") or ())
    if squares:
        touched, diagram = _from(ctx, row, player, seat, squares)
        texts, named = sorted(touched.texts, key=in_order), " ".join(squares).removeprefix("near ").upper()
        text = f"You have {len(texts)} legal moves on board {row.number} at {named}:"
    else:
        touched, diagram = touches(row.board, seat), Words()
        texts = sorted({row.game.format(move) for move in moves_of(row.game, row.board.position, seat)}, key=in_order)
        text = f"You have {len(texts)} legal moves on board {row.number}:"
    pages = tuple[str, ...]()
    if page:
        texts, pages = _page_of(texts, squares, page)
        shown = {text: lettered(written_by(row.board, seat, text), ctx.say) for text in texts}
        touched, diagram = Touches(others=texts, shown=shown), Words()
    listed = _listed(row, seat, texts[:MOST_LEGAL], ctx.preferences(player), ctx.say)
    left = len(texts) - MOST_LEGAL
    if left > 0:
        listed += "\n\n" + ctx.say(f"There are {left} more.")
    words = joined([diagram, cut(f"{kind('how')}\n{ctx.say(text)}\n\n{listed}")])
    reply_to = ctx.site.signer.answer(row.number, seat, row.board.length, player.epoch)
    return Answer(words, subject=row.title, touches=touched, answers=pages, reply_to=reply_to)


def _listed(row: BoardRow, seat: Seat, texts: Sequence[str], wants: Preferences, say: Say) -> str:
    """Return moves as lines, in words if the reader hears them."""
    written = (written_by(row.board, seat, text) for text in texts)
    if wants.display(row.key) != SPOKEN:
        moves = (lettered(text, say).replace(" ", "\N{NO-BREAK SPACE}") for text in written)
        lines = fill("  ".join(moves), _WIDTH, break_on_hyphens=False, break_long_words=False)
        return lines.replace("\N{NO-BREAK SPACE}", " ")
    return aloud.for_ears(wants)(aloud.listed(aloud.heard(row.game, text, say) for text in written))


def _paged(words: Sequence[str]) -> tuple[Sequence[str], int]:
    """Return the squares that follow `legal`, and the number of a page behind them; 0: they name none."""
    numbered = re.fullmatch(r"page ([1-9][0-9]{0,3})", " ".join(words[-2:]).lower())
    return (words[:-2], int(numbered[1])) if numbered else (words, 0)


def _page_of(texts: Sequence[str], squares: Sequence[str], number: int) -> tuple[list[str], tuple[str, ...]]:
    """Return the moves of a page, and the lines that ask for those behind it."""
    last = ceil(len(texts) / _PAGE)
    if number > last:
        raise PlayerError(f"Your moves have only {last} pages.", "For all your moves, answer with the word moves.")
    following = range(number + 1, min(last, number + _MOST_PAGES) + 1)
    asked = tuple(" ".join(("legal", *squares, "page", str(page))) for page in following)
    return list(texts[(number - 1) * _PAGE : number * _PAGE]), asked


def _around(board: Board, seat: Seat, square: str) -> Touches:
    """Return the moves that begin on the cells around one; only those from there if there is no picture."""
    every, near = touches(board, seat), frozenset([square])
    try:
        picture = picture_of(board, seat)
        near |= part(picture, square).names if picture else frozenset()
    except Exception as bug:  # in a game of others
        log.exception("board_without_picture", game=board.game.info.key, bug=type(bug).__name__)
    return Touches(
        {cell: text for cell, text in every.cells.items() if cell in near},
        {cell: ways for cell, ways in every.starts.items() if cell in near},
    )


def _from(ctx: Context, row: BoardRow, player: Player, seat: Seat, squares: Sequence[str]) -> tuple[Touches, Words]:
    """Return the moves that begin with some squares, or, after the word `near`, around one; and a picture of them."""
    word, *cells = squares
    is_near = word == "near" and len(cells) == 1
    touched = _around(row.board, seat, cells[0]) if is_near else touches_from(row.board, seat, squares)
    if not touched.count:  # it names no square: what stands there could be a password in the wrong place
        raise PlayerError("No move of yours begins there.", "For all your moves, answer with the word moves.")
    marks = dict.fromkeys(squares, CHOSEN)
    seen = (lambda p: part(p, cells[0])) if is_near else (lambda p: p.marked(marks))
    wants, log = ctx.preferences(player), read_by(row.board, ctx.log(row), row.seats_of(player))
    diagram = drawn(ctx.renderer, row.board, seat, wants, log, seen)
    return touched, below(kind("diagram"), diagram)


LEGAL = Command(
    "legal",
    "Lists the moves that you can make now.",
    legal,
    scope=Scope.GAME,
    args=(
        *ON_BOARD,
        Arg("move", "only the moves that begin with these squares", optional=True, many=True, form="[square …]"),
    ),
    usable=Occasion.has_turn,
    reply=True,
    synonyms=("moves", "legal moves", "züge", "meine züge"),
    question=True,
    example="{game} legal {board} {userid} {password}",
    second="{game} legal 102 bob {password} d4",
    more="In an answer to a board letter, the word moves is enough. With page 1 at the end, the answer has links to "
    "the first moves. To see how moves are written, send: GAME help",
)


def record(ctx: Context, call: Call) -> Answer:
    """`game record board [--format=]`: options, players, moves and result as a JSON file, or for other programs."""
    reader = ctx.authentication.login(call) if call.credentials else None
    row = ctx.readable_row(call, call.values["board"], reader)
    if (name := call.settings.get("format", JSON).lower()) != JSON:
        return _for_programs(ctx, row, name)
    ctx.budget.page(row)
    content = json.dumps(
        record_of(row, ctx.store.boards.log(row.number), auto=wants_auto(ctx.store, row.players)), indent=1
    ).encode()
    seed = "with its seed" if row.board.result else "without its seed (you get that when the board is over)"
    return Answer(
        f"The record of board {row.number} is attached, {seed}.",
        subject=row.title,
        attachments=(Attachment(f"board-{row.number}.json", content),),
    )


def _for_programs(ctx: Context, row: BoardRow, name: str) -> Answer:
    """Return a record in a format of other programs: as a file, and in the letter if it is short."""
    form = format_for(row, name)
    ctx.budget.page(row)
    film = (ctx.at(row, ply) for ply in range(row.board.ply + 1))
    policy, address = ctx.site.policy, ctx.site.address
    comments = comments_of(ctx.store.reviews.find(row.number), row) if row.board.result else {}
    text = form.write(sheet_of(row, ctx.log(row), film, site_of(row, policy.web_url, address), comments))
    words = ctx.renderer.said(f"The record of board {row.number} is attached in the format {form.name.upper()}.")
    if len(text) <= MOST_SHOWN:
        *tags, moves = (tuple(part.split("\n")) for part in text.strip().split("\n\n"))
        words = Words((*words, *(Block("diagram", lines) for lines in tags), Block("flow", moves)))
    file = Attachment(f"board-{row.number}.{form.name}", text.encode(), form.media_type)
    return Answer(words, subject=row.title, attachments=(file,))


RECORD = Command(
    "record",
    "Sends the whole board as a JSON file: options, players, moves, result. When the board is over, also its seed.",
    record,
    scope=Scope.GAME,
    args=(BOARD,),
    settings=(Setting("format", "of record: pgn, pdn, sgf or csa, which other programs read (json)", "FORMAT"), AS),
    question=True,
    example="{game} record {board}",
    second="{game} record 102 --format=json",
    more="With the seed you can check the dice. The record has it only after the board is over.\n"
    "Programs that show and analyse games read other formats: --format=pgn for games like chess, "
    "--format=pdn for draughts, --format=csa for shogi, --format=sgf for many games of stones. "
    "These have only the moves that stand.",
)


def all_show(ctx: Context, call: Call) -> Answer:
    """`all show userid [next | active]`: every board of a player in all games."""
    player = ctx.lookups.known(call.values["userid"])
    word = call.get("state") or BoardState.ALL
    if word not in (BoardState.NEXT, BoardState.ACTIVE, BoardState.ALL):
        raise PlayerError(f"{quote(word)} cannot be used here.", f"Send: all show {player.userid} next")
    state = BoardState(word)
    boards = ctx.store.board_lists.search(player_ids=[player.id], state=state, public=True)
    if not boards:
        which = {
            BoardState.NEXT: f"{player.userid} is not to move on any board.",
            BoardState.ACTIVE: f"{player.userid} has no running board.",
        }
        return Answer(which.get(state, f"{player.userid} has no board."), subject="Boards")
    pages = []
    for listed in boards[:MOST_DIAGRAMS]:
        row = ctx.store.boards.find(listed.number, lock=False)
        pages += [page(ctx, row, BoardRef(row.number))] if row else []
    if rest := boards[MOST_DIAGRAMS:]:
        pages.append(boards_table(ctx, rest, "Further boards"))
    return Answer(joined(pages), subject=f"All boards of {player.userid}")


ALL_SHOW = Command(
    "all show",
    "Shows the boards of a player in all games. With next, only those where it is their turn.",
    all_show,
    args=(
        Arg("userid", "the player", Is.USERID),
        Arg("state", "next or active; without it, all boards, also finished ones", optional=True, form="[next|active]"),
    ),
    question=True,
    example="all show {userid} next",
    second="all show {userid}",
    more="The newest boards come first. You see what everybody can see. To see your own hidden things, send this for "
    "each game: GAME showas USERID PASSWORD next\n"
    "To see a single board, send: GAME show BOARD",
)


def who(ctx: Context, call: Call) -> Answer:
    """`who userid`: member since, vacation, ratings, boards; never addresses."""
    player = ctx.lookups.known(call.values["userid"])
    away = ctx.store.players.away_until([player.id], ctx.now.timestamp()).get(player.id)
    zone = ctx.reader_zone()
    text = ctx.render(
        "who",
        player=player.shown,
        closed=player.password_hash is None,
        since=ctx.say(day(player.created.astimezone(zone))),
        away=away and ctx.say(times.shown(times.from_seconds(away), zone)),
        rows=by_game(ctx.store, player),
        robot=ctx.store.robots.find(player.id) if player.robot else None,
    )
    return Answer(text, subject=f"About {player.userid}")


WHO = Command(
    "who",
    "Tells about a player: member since when, on vacation or not, ratings, boards. It never shows an address.",
    who,
    args=(Arg("userid", "the player", Is.USERID),),
    question=True,
    example="who {userid}",
    second="who bob",
    more="If there is no such player, the answer lists players with a similar userid.",
)


def by_game(store: Store, player: Player) -> list[dict[str, object]]:
    """Return for each game of the player: its name, the player's rating, running and finished boards."""
    counts = store.board_lists.counts_by_game(player.id)
    ratings, rows = store.ratings.find_many(counts, player.id), []
    installed = [game.info.key for game in games.all_games() if game.info.key in counts]
    for key in (*installed, *sorted(counts.keys() - set(installed))):
        running, finished = counts[key]
        shown = rating_formula.shown(ratings[key]) if key in ratings else "-"
        rows.append({"game": key, "rating": shown, "running": running, "finished": finished})
    return rows


def page(
    ctx: Context,
    row: BoardRow,
    ref: BoardRef,
    seat: Seat | None = None,
    wants: Preferences | None = None,
    queue: Sequence[str] = (),
) -> Words:
    """Return one board as `seat` (None: anybody) may see it, after `ref.ply` if given.

    `wants`: the preferences of a player for whom it is drawn; None: it is drawn as for everybody.
    """
    wants = wants or ctx.authentication.as_spectator
    ctx.budget.page(row)
    then = None if ref.ply is None else ctx.at(row, ref.ply)
    auto, counts_for = wants_auto(ctx.store, row.players), tournament_of(ctx.store, row)
    data = shown(
        *(ctx.renderer, row, ctx.log(row), seat),
        then=then,
        auto=auto,
        tournament=counts_for,
        goes_on=ctx.store.boards.continuation(row.number) if row.board.out else None,
        wants=wants,
        queue=queue,
    )
    words = ctx.render("show", **data)
    ctx.budget.write(len(words.text))
    return words


def _pages(ctx: Context, call: Call, refs: Sequence[BoardRef], pages: list[Words]) -> Answer:
    left = len(refs) - len(pages)
    if left:
        pages = [*pages, ctx.renderer.said(f"({left} more are not shown here. To see them, send their numbers.)")]
    name = game_of(call).info.key.capitalize()
    subject = f"{name} Board {refs[0].number}" if len(refs) == 1 else f"{name} boards"
    return Answer(joined(pages), subject=subject)


def _refs(ctx: Context, call: Call, words: Sequence[str], player: Player | None = None) -> list[BoardRef]:
    """Return the boards of a call: by number, or by userids and a selector. Raises PlayerError if there are none."""
    refs = [r for r in map(read_board, words) if r]
    if refs and len(refs) < len(words):
        raise PlayerError("Name boards or players, not both.", f"Send for example: {game_of(call).info.key} show 101#7")
    if refs:
        return refs
    if player is None:
        return _boards_of(ctx, call, words, public=True)
    if others := [w for w in words if w not in STATES]:
        raise PlayerError(
            f"{quote(others[0])} is neither a board number nor one of {', '.join(STATES)}.",
            f"To see boards of others, send: {game_of(call).info.key} show USERID",
        )
    return _boards_of(ctx, call, (player.userid, *words), public=False)


def _boards_of(ctx: Context, call: Call, words: Sequence[str], public: bool) -> list[BoardRef]:
    """The boards that userids and a selector name. Raises PlayerError if there are none."""
    state = next((BoardState(w) for w in words if w in STATES), BoardState.ACTIVE)
    userids = [w for w in dict.fromkeys(words) if w not in STATES]
    if wrong := [w for w in userids if not is_userid(w)]:
        raise PlayerError(f"{quote(wrong[0])} is neither a board number nor a userid.")
    key = game_of(call).info.key
    if not userids:
        raise PlayerError("The line names no player.", f"Send: {key} show USERID {state}")
    ids = [ctx.lookups.known(userid).id for userid in userids]
    boards = ctx.store.board_lists.search(game=key, player_ids=ids, state=state, public=public)
    if not boards:
        raise PlayerError("There is no such board.", "To see the running boards, send: list")
    return [BoardRef(b.number) for b in reversed(boards)]
