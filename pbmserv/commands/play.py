"""Playing: moves, resignation, agreements."""

from collections.abc import Callable, Sequence

from pbmserv.boards.news import BoardNews
from pbmserv.errors import MoveError, PlayerError
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.log import Entry, Kind
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import ON_BOARD, PASSWORD, Arg, Call, Command, Scope
from pbmserv.inbox.context import Context, Occasion
from pbmserv.store import BoardRow, Player

#: Moves of one command: a second of CPU is enough for many more, and a solitaire takes thousands without an opponent.
MOST_MOVES = 200


def move(ctx: Context, call: Call) -> Answer:
    """`game move board userid password move …`: play them as long as it is this player's turn."""
    row, player, _ = ctx.my_board(call)
    return play_words(ctx, row, player, split_words(row.game, call.values["move"]))


def split_words(game: AnyGame, words: Sequence[str]) -> list[str]:
    """Single moves: some games let several be run together in one word. Raises PlayerError if they are too many."""
    moves = [m for w in words for m in game.words(w)]
    if len(moves) > MOST_MOVES:
        raise PlayerError(
            f"A mail has at most {MOST_MOVES} moves, and yours has {len(moves)}.",
            "Send the first of them, then the rest.",
        )
    return moves


def play_words(ctx: Context, row: BoardRow, player: Player, words: Sequence[str]) -> Answer:
    """Play moves one after the other, up to the first that is not possible. Raises PlayerError if none is."""
    since, played, stopped = row.board.length, list[str](), ""
    for i, word in enumerate(words):
        try:
            change = play.play(row.board, row.seat_to_move(player), expected(row.board, word))
        except PlayerError as e:
            if not played:
                raise
            stopped = ctx.render("stopped", played=played, error=e, left=len(words) - i)
            break
        row = ctx.append(row, change)
        played.append(change.entry.text)
    return Answer(
        text=f"Played: {' '.join(played)}",
        boards=[BoardNews(row, since, player, stopped)],
        complete=True,
    )


def _possible(verb: str) -> Callable[[Occasion], bool]:
    """The function that tells whether one of the asker's seats can use a verb of a board now."""

    def is_possible(on: Occasion) -> bool:
        return on.row is not None and any(verb in play.verbs(on.row.board, s, on.ctx.log(on.row)) for s in on.seats)

    return is_possible


def propose(ctx: Context, call: Call) -> Answer:
    """`game propose board userid password`: offer a draw."""
    row, player, seat = _by_owner(ctx, call)
    return _done(ctx, row, player, play.propose(row.board, seat))


PROPOSE = Command(
    "propose",
    "Offers a draw to the others on the board.",
    propose,
    Scope.GAME,
    args=ON_BOARD,
    reply=True,
    usable=_possible("propose"),
    example="{game} propose {board} {userid} {password}",
    second="{game} move {board} {userid} {password} propose",
    more="All others must accept; any move withdraws the offer. While a proposal is open there cannot be a "
    "second one.\n"
    "Some games know no draw by agreement; the answer says so.",
)


def undo(ctx: Context, call: Call) -> Answer:
    """`game undo board userid password`: ask to take one's last move back."""
    row, player, seat = ctx.my_board(call)
    return _done(ctx, row, player, play.undo(row.board, seat, ctx.log(row)))


UNDO = Command(
    "undo",
    "Asks the others to let you take your last move back.",
    undo,
    Scope.GAME,
    args=ON_BOARD,
    reply=True,
    usable=_possible("undo"),
    example="{game} undo {board} {userid} {password}",
    second="{game} move {board} {userid} {password} undo",
    more="All others must accept; any move withdraws the request.\n"
    "A move cannot be taken back if dice, cards or hidden things came to light since, or if you have not moved.",
)


def accept(ctx: Context, call: Call) -> Answer:
    """`game accept board userid password`: say yes to the open proposal."""
    row, player, seat = _by_owner(ctx, call)
    return _done(ctx, row, player, play.accept(row.board, _seat_to_answer(row, player, seat), ctx.log(row)))


ACCEPT = Command(
    "accept",
    "Says yes to an open proposal: a draw, or taking a move back.",
    accept,
    Scope.GAME,
    args=ON_BOARD,
    may_shorten=False,
    reply=True,
    usable=_possible("accept"),
    example="{game} accept {board} {userid} {password}",
    second="{game} move {board} {userid} {password} accept",
    more="It is refused if no proposal is open, or if you have agreed already; the board in the answer shows what "
    "is open. The verb is never shortened.",
)


def reject(ctx: Context, call: Call) -> Answer:
    """`game reject board userid password`: say no to the open proposal, or withdraw one's own."""
    row, player, seat = ctx.my_board(call)
    return _done(ctx, row, player, play.reject(row.board, seat))


REJECT = Command(
    "reject",
    "Says no to an open proposal, or withdraws your own.",
    reject,
    Scope.GAME,
    args=ON_BOARD,
    reply=True,
    usable=_possible("reject"),
    example="{game} reject {board} {userid} {password}",
    second="{game} move {board} {userid} {password} reject",
    more="It is refused if no proposal is open. You can also say no by moving.",
)


def resign(ctx: Context, call: Call) -> Answer:
    """`game resign board userid password`: at any time, in turn or not."""
    row, player, seat = _by_owner(ctx, call)
    return _done(ctx, row, player, play.resign(row.board, seat))


RESIGN = Command(
    "resign",
    "Gives the board up. With more than two players the others play on.",
    resign,
    Scope.GAME,
    args=ON_BOARD,
    may_shorten=False,
    reply=True,
    usable=_possible("resign"),
    example="{game} resign {board} {userid} {password}",
    second="{game} move {board} {userid} {password} resign",
    more="It can be done at any time, in turn or not, until the board is over, and it cannot be taken back. "
    "The verb is never shortened. Before your first move, decline instead: then nobody loses.",
)


def decline(ctx: Context, call: Call) -> Answer:
    """`game decline board userid password`: a player who was invited and has not moved says no."""
    row, player, seat = _by_owner(ctx, call)
    return _done(ctx, row, player, play.decline(row.board, seat, ctx.log(row)))


def _may_decline(on: Occasion) -> bool:
    """Whether one of the asker's seats can decline. In a solitaire it can, although no letter offers it there."""
    return on.row is not None and any(_can_be_declined(on.row.board, s, on.ctx.log(on.row)) for s in on.seats)


def _can_be_declined(board: Board, seat: Seat, log: Sequence[Entry]) -> bool:
    try:
        play.decline(board, seat, log)
    except PlayerError:
        return False
    return True


DECLINE = Command(
    "decline",
    "Says no to an invitation, as long as you have not moved: nobody wins or loses.",
    decline,
    Scope.GAME,
    args=ON_BOARD,
    may_shorten=False,
    reply=True,
    usable=_may_decline,
    example="{game} decline {board} {userid} {password}",
    second="{game} move {board} {userid} {password} decline",
    more="Once you have moved it is refused; then you can only resign. The verb is never shortened.",
)


#: Verbs that may stand in the place of a move: `game move board userid password propose`.
AS_MOVES = {
    "propose": propose,
    "undo": undo,
    "accept": accept,
    "reject": reject,
    "resign": resign,
    "decline": decline,
}


def move_or_verb(ctx: Context, call: Call) -> Answer:
    """`move`, or one of the agreements written as a move."""
    words = call.values["move"]
    if len(words) == 1 and words[0] in AS_MOVES:
        return AS_MOVES[words[0]](ctx, call)
    return move(ctx, call)


MOVE = Command(
    "move",
    "Plays one or more moves, one after the other as long as it is still your turn. "
    "move#7 is played only if the next ply is 7.",
    move_or_verb,
    Scope.GAME,
    args=(*ON_BOARD, Arg("move", "see the help page of the game", many=True)),
    aliases=("board",),
    usable=Occasion.has_turn,
    example="{game} move {board} {userid} {password} {move}",
    second="{game} move {board} {userid} {password} {move}#1",
    more="The easiest way needs no password: answer the board letter with your move on the first line.\n"
    "A move that is not possible is answered with the reason and the board; nothing is guessed or corrected. If "
    "one of several moves is not possible, those before it are played, and the letter says so.\n"
    "If it is not your turn, wait for the letter that says it is.",
)


def expected(board: Board, word: str) -> str:
    """The move of a word such as `move#7`, which is played only if the next ply is 7. Raises MoveError."""
    move_, mark, ply = word.partition("#")
    if mark and ply != str(board.ply + 1):
        raise MoveError(f"The next ply is {board.ply + 1}, so a move for another one was not played.")
    return move_


def _done(ctx: Context, row: BoardRow, player: Player, change: Change) -> Answer:
    after = ctx.append(row, change)
    what = {Kind.PROPOSE: "You offer a draw", Kind.UNDO: "You ask to take your last move back"}
    text = what.get(change.entry.kind, f"You {change.entry.kind.value}")
    return Answer(text=f"{text}.", boards=[BoardNews(after, row.board.length, player)], complete=True)


def _by_owner(ctx: Context, call: Call) -> tuple[BoardRow, Player, Seat]:
    """As `my_board`, for what cannot be taken back. A signed address alone does not do: the mail has to come from the
    player's own address. Raises PlayerError.
    """
    row, player, seat = ctx.my_board(call)
    if ctx.asker.signed and not ctx.asker.is_own_address(player):
        raise PlayerError(
            "This is taken only from one of your own addresses.",
            f"Send it with your password: {row.key} {call.command.verb} {row.number} {player.userid} {PASSWORD}",
        )
    return row, player, seat


def _seat_to_answer(row: BoardRow, player: Player, seat: Seat) -> Seat:
    return next((s for s in row.seats_of(player) if s in row.board.to_answer), seat)
