"""Moves that are not played yet: queued for the turn, submitted to be looked at, or only tried."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pbmserv.boards.news import BoardNews
from pbmserv.boards.queued_moves import MOST, chosen
from pbmserv.commands.play import expected, play_words, split_words
from pbmserv.commands.starting import fewest_seats, new_seed
from pbmserv.errors import NotAMove, PlayerError, quote
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import AS, ON_BOARD, PASSWORD, Arg, Call, Command, Scope, game_of, read_board
from pbmserv.inbox.context import Context, Occasion
from pbmserv.letters.text.templates import diagram
from pbmserv.letters.text.wording import result_line
from pbmserv.store import BoardRow, Player, Queued
from pbmserv.store.boards import options_text

_LONGEST = 200  #: characters of a queued move


@dataclass(frozen=True)
class Tried:
    """A board after moves on a copy.

    `stop`: the first move that was not tried because it would draw or reveal something; "" if all were.
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
    if words == ("clear",):
        ctx.store.waiting_moves.set_queues(row.number, {**queues, seat: []})
        return _queue_answer(ctx, row, player, [])
    _demand_playing(row, seat)
    mine = [*queues.get(seat, []), *_items(row.game, words)]
    if len(mine) > MOST:
        raise PlayerError(
            f"A queue has at most {MOST} moves, yours would have {len(mine)}.",
            f"Empty it first: {row.key} queue {row.number} {player.userid} {PASSWORD} clear",
        )
    if seat not in row.board.to_move:
        ctx.store.waiting_moves.set_queues(row.number, {**queues, seat: mine})
        return _queue_answer(ctx, row, player, mine)
    after = ctx.append(row, chosen(row, ctx.log(row), seat, mine[0]))
    ctx.store.waiting_moves.set_queues(row.number, {**queues, seat: mine[1:]})
    kept = f"Kept for your next turn: {' '.join(map(str, mine[1:]))}" if mine[1:] else ""
    return Answer(f"Played: {mine[0].mine}", boards=[BoardNews(after, row.board.length, player, kept)], complete=True)


QUEUE = Command(
    "queue",
    "Plays moves now, or keeps them for your turn. their:mine plays mine only after that move of theirs; "
    "if they move otherwise, the rest of the queue lapses. clear empties it; without moves, it is listed.",
    queue,
    Scope.GAME,
    args=(*ON_BOARD, Arg("move", "moves, pairs such as their:mine, or clear", optional=True, many=True)),
    usable=Occasion.plays,
    example="{game} queue {board} {userid} {password}",
    second="{game} queue {board} {userid} {password} clear",
    more="A queued move that is not possible when its turn comes is not played: the rest of the queue lapses, and "
    "a letter says so. Your queue is shown by: GAME showas USERID PASSWORD BOARD",
)


def submit(ctx: Context, call: Call) -> Answer:
    """`game submit board userid password move …`: see the board after it, and keep the moves for `confirm`."""
    row, player, seat = ctx.my_board(call)
    words = split_words(row.game, call.values["move"])
    tried = _try(row.board, words, lambda board: replace(row, board=board).seat_to_move(player))
    ctx.store.waiting_moves.submit(row.number, seat, row.board.length, words)
    names = [p.userid for p in row.players]
    last = f"To play it, send: {row.key} confirm {row.number} {player.userid} {PASSWORD}"
    text = _tried_text(ctx, tried, row.title, names, row.seat_to_move(player), player, last)
    return Answer(text, subject=row.title)


SUBMIT = Command(
    "submit",
    "Mails the board after your moves to you alone, and keeps them for confirm. Stops before chance.",
    submit,
    Scope.GAME,
    args=(*ON_BOARD, Arg("move", "see the help page of the game", many=True)),
    usable=Occasion.has_turn,
    example="{game} submit {board} {userid} {password} {move}",
    second="{game} submit {board} {userid} {password} {move}#1",
    more="Nothing is played before you send confirm. A move that is not possible is answered as by move.\n"
    "Submitting again replaces what you have submitted before.",
)


def confirm(ctx: Context, call: Call) -> Answer:
    """`game confirm board userid password`: play what was submitted, if nothing has happened since."""
    row, player, seat = ctx.my_board(call)
    waiting, key = ctx.store.waiting_moves.submitted(row.number, seat), row.key
    again = f"Send: {key} submit {row.number} {player.userid} {PASSWORD} MOVE"
    if waiting is None:
        raise PlayerError(f"You have submitted nothing on board {row.number}.", again)
    if waiting.length != row.board.length:
        raise PlayerError("Something has happened on this board since you submitted your move.", again)
    ctx.store.waiting_moves.forget_submitted(row.number, seat)
    return play_words(ctx, row, player, waiting.moves)


def _has_submitted(on: Occasion) -> bool:
    """Whether the asker has submitted moves on the board, and nothing has happened there since."""
    if on.row is None:
        return False
    waiting = [on.ctx.store.waiting_moves.submitted(on.row.number, seat) for seat in on.seats]
    return any(w and w.length == on.row.board.length for w in waiting)


CONFIRM = Command(
    "confirm",
    "Plays what you have submitted, if nothing has happened on the board since.",
    confirm,
    Scope.GAME,
    args=ON_BOARD,
    usable=_has_submitted,
    example="{game} confirm {board} {userid} {password}",
    second="{game} confirm 102 bob {password}",
    more="If nothing was submitted, or somebody has moved since, nothing is played and the answer says so.",
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
            f"Board {ref.number} has its options already.",
            f"To try others, send: {game_of(call).info.key} preview new {options_text(call.options)}",
        )
    reader = ctx.asker.login(call) if call.credentials else None
    row = ctx.readable_row(call, ref, reader)
    board = row.board if ref.ply is None else play.at(row.board.start, ctx.log(row), ref.ply)
    seats = row.seats_of(reader) if reader else ()
    tried = _try(board, split_words(row.game, call.get("move")), lambda b: _seat_to_try(row, b, seats))
    title = row.title + (f" {ctx.say(f'after ply {ref.ply}')}" if ref.ply is not None else "")
    seat = row.seat_to_move(reader) if reader and seats else None
    return Answer(_tried_text(ctx, tried, title, [p.userid for p in row.players], seat, reader), subject=row.title)


PREVIEW = Command(
    "preview",
    "Tries moves on a copy; nothing is played or kept. 101#7 starts from ply 7, new from a new board. "
    "Stops before chance, and what is hidden stays hidden.",
    preview,
    Scope.GAME,
    args=(
        Arg("board|new", "the number of a board, 101#7 for ply 7; or new"),
        Arg("move", "the moves of whoever is to move", optional=True, many=True),
    ),
    settings=(AS,),
    takes_options=True,
    example="{game} preview new",
    second="{game} preview {board} {move}",
    more="A ply that was never played, or a move that is not possible there, is answered with the reason.\n"
    "Nobody else gets a letter, and no time is used.",
)


def _preview_new(ctx: Context, call: Call) -> Answer:
    game = game_of(call)
    seats = fewest_seats(game, call.options)
    board = play.begin(Start(game, dict(call.options), seats, new_seed()))
    words = split_words(game, call.get("move"))
    tried = _try(board, words, lambda b: min(b.to_move, default=0))
    names = [*map(ctx.say, game.seat_names(seats))]
    text = _tried_text(ctx, tried, ctx.say(f"A new board of {game.info.name}"), names, None, None)
    return Answer(text, subject=f"{game.info.key.capitalize()} preview")


def _try(board: Board, words: Sequence[str], seat: Callable[[Board], Seat]) -> Tried:
    """Play the words on a copy, up to the first that would draw or reveal something. Raises PlayerError."""
    played: list[str] = []
    for word in words:
        after = play.preview(board, seat(board), expected(board, word))
        if after is None:
            return Tried(board, tuple(played), word)
        board = after
        played.append(word)
    return Tried(board, tuple(played))


def _seat_to_try(row: BoardRow, board: Board, mine: Sequence[Seat]) -> Seat:
    """The seat whose move is tried: one that is to move and sees no more than the reader does. Raises PlayerError."""
    game, movers = board.game, sorted(board.to_move)
    for seat in movers:
        seen = game.view(board.position, seat).position
        if seat in mine or seen == game.view(board.position, mine[0] if mine else None).position:
            return seat
    if not movers:
        return 0
    names = " or ".join(row.players[s].userid for s in movers)
    raise PlayerError(
        f"What {names} can play depends on things that others do not see.",
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
) -> str:
    board = tried.board
    key = board.game.info.key
    display = ctx.preferences(reader).display(key) if reader else ""
    return ctx.render(
        "tried",
        title=title,
        words=tried.words,
        stop=tried.stop,
        diagram=diagram(ctx.renderer, board, seat, display),
        to_move=[names[s] for s in sorted(board.to_move)],
        result=result_line(key, names, board.result, ctx.say) if board.result else "",
        last=ctx.say(last),
    )


def _queue_answer(ctx: Context, row: BoardRow, player: Player, items: Sequence[Queued]) -> Answer:
    text = ctx.render("queue", items=[str(i) for i in items], number=row.number, key=row.key, player=player.userid)
    return Answer(text, subject=row.title)


def _items(game: AnyGame, words: Sequence[str]) -> list[Queued]:
    """Words as queued moves; `their:mine` is conditional. Raises NotAMove unless all have the form of a move."""
    items = []
    for word in words:
        theirs, colon, mine = word.partition(":")
        if not (colon and theirs) or _is_move(game, word):
            theirs, mine = "", word
        first, *more = game.words(mine)
        items += [Queued(first, theirs), *map(Queued, more)]
    for text in (t for item in items for t in ((item.theirs, item.mine) if item.theirs else (item.mine,))):
        if not _is_move(game, text):
            raise NotAMove(
                f"{quote(text)} is not a move in {game.info.name}.", f"For the notation, send: {game.info.key} help"
            )
    return items


def _is_move(game: AnyGame, text: str) -> bool:
    return len(text) <= _LONGEST and game.is_move(game.normalise(text))


def _demand_playing(row: BoardRow, seat: Seat) -> None:
    if row.board.result:
        raise PlayerError("This board is over.", f"To see how it ended, send: {row.key} show {row.number}")
    if seat in row.board.out:
        raise PlayerError("You have left this board.")
