"""Moves that are not played yet: queued for the turn, submitted for confirmation, or only tried."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pbmserv.boards.entries import as_written
from pbmserv.boards.news import BoardNews
from pbmserv.boards.queued_moves import MOST, RESIGN, chosen, resigns
from pbmserv.commands.play import expected, moves_for, play_words
from pbmserv.commands.starting import fewest_seats, new_seed
from pbmserv.errors import NotAMove, PlayerError, quote
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.before_setup import not_set_up
from pbmserv.games.base.board import Board, Start, view_of
from pbmserv.inbox.command import AS, ON_BOARD, PASSWORD, Arg, Call, Is, Scope, game_of, read_board
from pbmserv.inbox.context import Answer, Command, Context, Occasion
from pbmserv.inbox.lines.spellings import in_english, legal_move
from pbmserv.letters.pictures.diagrams import drawn
from pbmserv.letters.text.blocks import Words
from pbmserv.letters.text.men import lettered, letters_of_men
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import result_line
from pbmserv.model import BoardRow, Player, Queued
from pbmserv.model.boards import options_text

_LONGEST = 200  #: characters of a queued move


@dataclass(frozen=True)
class Tried:
    """A copy of a board after some moves.

    `stop`: the first move that was not tried, because it would draw or reveal something; "" if all were tried.
    """

    board: Board
    words: tuple[str, ...]
    stop: str = ""


def queue(ctx: Context, call: Call) -> Answer:
    """`game queue board userid password [move … | clear]`: play now, or keep for the turn."""
    row, player, seat = ctx.my_board(call)
    words, queues = call.get("move"), ctx.store.waiting_moves.queues(row.number)
    if not words:
        return _queue_answer(ctx, row, player, queues.get(seat, []))
    if [word.lower() for word in words] == ["clear"]:
        ctx.store.waiting_moves.set_queues(row.number, {**queues, seat: []})
        return _queue_answer(ctx, row, player, [])
    _demand_playing(row, seat)
    waiting = queues.get(seat, [])
    items = _items(row, player, [_in_english(word, row.board, ctx.say) for word in words])
    if waiting and resigns(row.game, waiting[-1]):
        raise PlayerError(
            "Your queue ends with a resignation, so nothing can follow it.",
            f"Empty it first: {row.key} queue {row.number} {player.userid} {PASSWORD} clear",
        )
    ctx.budget.move(len(items), row)
    queued = [*waiting, *items]
    if len(queued) > MOST:
        raise PlayerError(
            f"A queue can have at most {MOST} moves, and yours would have {len(queued)}.",
            f"Empty it first: {row.key} queue {row.number} {player.userid} {PASSWORD} clear",
        )
    if seat not in row.board.to_move:
        ctx.store.waiting_moves.set_queues(row.number, {**queues, seat: queued})
        return _queue_answer(ctx, row, player, queued)
    change = as_written(row.board, chosen(row, ctx.log(row), seat, queued[0], ctx.before(row)))
    after = ctx.append(row, change)
    ctx.store.waiting_moves.set_queues(row.number, {**queues, seat: queued[1:]})
    kept = f"Kept for your next turn: {' '.join(map(str, queued[1:]))}" if queued[1:] else ""
    done = "You resign." if resigns(row.game, queued[0]) else f"Played: {change.entry.shown}"
    return Answer(done, boards=[BoardNews(after, row.board.length, player, kept)], complete=True)


QUEUE = Command(
    "queue",
    "Plays moves now, or keeps them for your next turn. With their:mine, your move mine is played only after their "
    "move. If they move differently, the rest of the queue is cancelled. their:resign resigns after their move. clear "
    "empties the queue. Without moves, the answer lists it.",
    queue,
    scope=Scope.GAME,
    args=(
        *ON_BOARD,
        Arg("move", "moves, pairs such as their:mine or their:resign, or clear", Is.MOVE, optional=True, many=True),
    ),
    usable=Occasion.plays,
    example="{game} queue {board} {userid} {password}",
    second="{game} queue {board} {userid} {password} clear",
    more="If a queued move is not possible when it is your turn, it is not played. The rest of the queue is "
    "cancelled, and a letter says so. To see your queue, send: GAME showas USERID PASSWORD BOARD\n"
    "An answer to a board letter can do the same, with queue THEIR:MINE on its first line.\n"
    "A resignation needs their move before it, and is the last word of a queue: THEIR1:MINE1 THEIR2:resign. It cannot "
    "be taken back once it is played. To resign now, send: GAME resign BOARD USERID PASSWORD",
)


def submit(ctx: Context, call: Call) -> Answer:
    """`game submit board userid password move …`: see the board after it, and keep the moves for `confirm`."""
    row, player, seat = ctx.my_board(call)
    words = moves_for(ctx, row.board, seat, call.values["move"], row)
    tried = _try(ctx, row.board, words, lambda board: replace(row, board=board).seat_to_move(player))
    ctx.store.waiting_moves.submit(row.number, seat, row.board.length, words)
    names = [p.userid for p in row.players]
    last = f"To play it, send: {row.key} confirm {row.number} {player.userid} {PASSWORD}"
    text = _tried_text(ctx, tried, row.title, names, row.seat_to_move(player), player, last)
    return Answer(text, subject=row.title)


SUBMIT = Command(
    "submit",
    "Shows only you the board after your moves, and keeps the moves until you send confirm. It stops where dice, "
    "cards or hidden things would come.",
    submit,
    scope=Scope.GAME,
    args=(*ON_BOARD, Arg("move", "see the help page of the game", Is.MOVE, many=True)),
    usable=Occasion.has_turn,
    example="{game} submit {board} {userid} {password} {move}",
    second="{game} submit {board} {userid} {password} {move}#1",
    more="Nothing is played until you send confirm. If a move is not possible, the answer gives the reason.\n"
    "If you submit again, the new moves replace the old ones.",
)


def confirm(ctx: Context, call: Call) -> Answer:
    """`game confirm board userid password`: play what was submitted, if nothing has happened since."""
    row, player, seat = ctx.my_board(call)
    waiting, key = ctx.store.waiting_moves.submitted(row.number, seat), row.key
    again = f"Send: {key} submit {row.number} {player.userid} {PASSWORD} MOVE"
    if waiting is None:
        raise PlayerError(f"You have not submitted a move on board {row.number}.", again)
    if waiting.length != row.board.length:
        raise PlayerError("Something has happened on this board since you submitted your move.", again)
    ctx.budget.move(len(waiting.moves), row)
    ctx.store.waiting_moves.forget_submitted(row.number, seat)
    return play_words(ctx, row, player, waiting.moves)


def _has_submitted(on: Occasion) -> bool:
    """Return whether the player has submitted moves on the board, and nothing has happened there since."""
    if on.row is None:
        return False
    waiting = [on.ctx.store.waiting_moves.submitted(on.row.number, seat) for seat in on.seats]
    return any(w and w.length == on.row.board.length for w in waiting)


CONFIRM = Command(
    "confirm",
    "Plays the moves that you have submitted, if nothing has happened on the board since then.",
    confirm,
    scope=Scope.GAME,
    args=ON_BOARD,
    usable=_has_submitted,
    example="{game} confirm {board} {userid} {password}",
    second="{game} confirm 102 bob {password}",
    more="If you have submitted nothing, or somebody has moved since then, nothing is played.",
)


def preview(ctx: Context, call: Call) -> Answer:
    """`game preview board[#n] move …` or `game preview new [-options] [move …]`: on a copy; nothing is stored."""
    if call.values["board|new"] == "new":
        return _preview_new(ctx, call)
    ref = read_board(call.values["board|new"])
    if ref is None:
        raise PlayerError(
            "Name the number of a board, or the word new.", f"Send for example: {game_of(call).info.key} preview new"
        )
    if call.options:
        raise PlayerError(
            f"Board {ref.number} already has its options.",
            f"To try others, send: {game_of(call).info.key} preview new {options_text(call.options)}",
        )
    reader = ctx.authentication.login(call) if call.credentials else None
    row = ctx.readable_row(call, ref, reader)
    ctx.budget.page(row)
    board = row.board if ref.ply is None else ctx.at(row, ref.ply)
    seats = row.seats_of(reader) if reader else ()
    words = moves_for(ctx, board, _seat_to_try(row, board, seats), call.get("move"))
    tried = _try(ctx, board, words, lambda b: _seat_to_try(row, b, seats))
    title = ctx.say(row.title) + (f" {ctx.say(f'after ply {ref.ply}')}" if ref.ply is not None else "")
    seat = row.seat_to_move(reader) if reader and seats else None
    return Answer(_tried_text(ctx, tried, title, [p.userid for p in row.players], seat, reader), subject=row.title)


PREVIEW = Command(
    "preview",
    "Tries moves on a copy. Nothing is played or kept. 101#7 starts after ply 7, new starts a new board. It stops "
    "where dice, cards or hidden things would come.",
    preview,
    scope=Scope.GAME,
    args=(
        Arg("board|new", "a board number; or 101#7, for ply 7; or new"),
        Arg("move", "moves of the player whose turn it is", Is.MOVE, optional=True, many=True),
    ),
    settings=(AS,),
    takes_options=True,
    question=True,
    example="{game} preview new",
    second="{game} preview {board} {move}",
    more="If that ply does not exist, or a move is not possible there, the answer gives the reason.\n"
    "Nobody else gets a letter, and no time counts.",
)


def _preview_new(ctx: Context, call: Call) -> Answer:
    game = game_of(call)
    options = game.usual_options(dict(call.options))
    seats = fewest_seats(game, options)
    board = play.begin(Start(game, options, seats, new_seed()))
    words = moves_for(ctx, board, min(board.to_move, default=0), call.get("move"))
    tried = _try(ctx, board, words, lambda b: min(b.to_move, default=0))
    names = [*map(ctx.say, board.seat_names)]
    text = _tried_text(ctx, tried, ctx.say(f"A new board of {game.info.name}"), names, None, None)
    return Answer(text, subject=f"{game.info.key.capitalize()} preview")


def _try(ctx: Context, board: Board, words: Sequence[str], seat: Callable[[Board], Seat]) -> Tried:
    """Play the words on a copy, up to the first that would draw or reveal something. Raises PlayerError."""
    played: list[str] = []
    for word in words:
        mover, text = seat(board), expected(board, word)
        shown = ctx.shown_move(board, mover, legal_move(text, board, mover) or text)
        after = play.preview(board, mover, text)
        if after is None:
            return Tried(board, tuple(played), shown)
        board = after
        played.append(shown)
    return Tried(board, tuple(played))


def _seat_to_try(row: BoardRow, board: Board, own: Sequence[Seat]) -> Seat:
    """Return the seat whose move is tried: one that is to move and sees no more than the reader. Raises PlayerError."""
    movers = sorted(board.to_move)
    for seat in movers:
        seen = view_of(board, seat).position
        if seat in own or seen == view_of(board, own[0] if own else None).position:
            return seat
    if not movers:
        return 0
    names = " or ".join(row.players[s].userid for s in movers)
    raise PlayerError(
        f"The moves of {names} depend on things that others cannot see.",
        f"Only {names} can try moves here, by adding --as=USERID:{PASSWORD}",
    )


def _tried_text(
    ctx: Context,
    tried: Tried,
    title: str,
    names: Sequence[str],
    seat: Seat | None,
    reader: Player | None,
    last: str = "",
) -> Words:
    board = tried.board
    key = board.game.info.key
    wants = ctx.preferences(reader) if reader else ctx.authentication.as_spectator
    return ctx.render(
        "tried",
        title=title,
        words=tried.words,
        stop=tried.stop,
        diagram=drawn(ctx.renderer, board, seat, wants),
        to_move=[names[s] for s in sorted(board.to_move)],
        result=result_line(key, names, board.result, ctx.say) if board.result else "",
        last=ctx.say(last),
    )


def _queue_answer(ctx: Context, row: BoardRow, player: Player, items: Sequence[Queued]) -> Answer:
    names = {"number": row.number, "key": row.key, "player": player.userid}
    last = bool(items) and resigns(row.game, items[-1])
    text = ctx.render("queue", items=[lettered(str(i), ctx.say) for i in items], resigns=last, **names)
    return Answer(text, subject=row.title)


def _in_english(word: str, board: Board, say: Say) -> str:
    """Return a word of a queue with the letters of men in English."""
    return ":".join(in_english(part, board, lambda: letters_of_men(say)) for part in word.split(":"))


def _items(row: BoardRow, player: Player, words: Sequence[str]) -> list[Queued]:
    """Words as queued moves; `their:mine` is conditional. Raises PlayerError unless all have the form of a move."""
    game, items = row.game, list[Queued]()
    for word in words:
        theirs, colon, move = word.partition(":")
        if not (colon and theirs) or _is_move(game, word):
            theirs, move = "", word
        if items and resigns(game, items[-1]):
            raise PlayerError(f"After {items[-1]} nothing can follow.", "Write it as the last word.")
        if not _is_move(game, move) and move.lower() == RESIGN:
            _demand_condition(row, player, theirs)
            items.append(Queued(RESIGN, theirs))
            continue
        first, *more = game.words(move)
        items += [Queued(first, theirs), *map(Queued, more)]
    for item in items:
        _demand_moves(game, item)
    return items


def _demand_condition(row: BoardRow, player: Player, theirs: str) -> None:
    """Raise PlayerError if a resignation waits for no move of the others."""
    if not theirs:
        raise PlayerError(
            "A queue resigns only after a move of the others, so write their move before it: THEIR:resign",
            f"To resign now, send: {row.key} resign {row.number} {player.userid} {PASSWORD}",
        )


def _demand_moves(game: AnyGame, item: Queued) -> None:
    """Raise NotAMove unless all parts of a queued move have the form of a move."""
    for text in (item.theirs, "" if resigns(game, item) else item.own):
        if text and not _is_move(game, text):
            raise NotAMove(
                f"{quote(text)} is not a move in {game.info.name}.",
                f"To see how moves are written, send: {game.info.key} help",
            )


def _is_move(game: AnyGame, text: str) -> bool:
    return len(text) <= _LONGEST and game.is_move(game.normalise(text))


def _demand_playing(row: BoardRow, seat: Seat) -> None:
    if row.board.result:
        raise PlayerError("This board is over.", f"To see how it ended, send: {row.key} show {row.number}")
    if seat in row.board.out:
        raise PlayerError("You have left this board.")
    if row.board.waits:
        raise not_set_up()
