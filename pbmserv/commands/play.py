"""Playing: moves, resignation, agreements."""

from collections.abc import Callable, Sequence
from hashlib import sha256

from pbmserv.boards import ways
from pbmserv.boards.entries import MOST_ENTRIES, as_written
from pbmserv.boards.news import BoardNews
from pbmserv.commands.seats import substitute
from pbmserv.commands.seats.own_board import by_owner
from pbmserv.errors import MoveError, PlayerError
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.before_setup import GO
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.log import Kind
from pbmserv.inbox.command import ON_BOARD, PASSWORD, Arg, Call, Is, Scope
from pbmserv.inbox.context import Answer, Command, Context, Occasion
from pbmserv.inbox.lines.first_line import moves_of
from pbmserv.inbox.lines.parse import is_move
from pbmserv.inbox.lines.spellings import Letters, formed, in_english, no_letters
from pbmserv.letters.text.men import lettered, letters_of_men
from pbmserv.model import BoardRow, Player

#: From this many entries on, a board accepts no proposals, so that nobody can fill its log with proposals alone.
MOST_BEFORE_PROPOSALS = MOST_ENTRIES // 2


def move(ctx: Context, call: Call) -> Answer:
    """`game move board userid password move …`: play them as long as it is this player's turn."""
    row, player, seat = ctx.my_board(call)
    return play_words(ctx, row, player, moves_for(ctx, row.board, seat, call.values["move"], row))


def moves_for(
    ctx: Context, board: Board, seat: Seat, words: Sequence[str], row: BoardRow | None = None
) -> Sequence[str]:
    """Return the single moves in these words, for the seat that is to move.

    `row`: the board where they will be played; None: they are only tried. Raises PlayerError if a word is no move, if
    there are too many, or if one contains a password.
    """
    moves = split_words(board, seat, words, lambda: letters_of_men(ctx.say))
    if seat in board.to_move:
        ctx.budget.move(len(moves), row)
        if board.waits:
            _demand_no_password(ctx, moves)
    return moves


def split_words(board: Board, seat: Seat, words: Sequence[str], letters: Letters = no_letters) -> Sequence[str]:
    """Split words into single moves. Raises PlayerError if one of the words is no move.

    In some games a word can be several moves, and some people write a move with blanks.
    """
    if not words or seat not in board.to_move:
        return words  # then this is the error that the player is told, whatever the words are
    in_a_row = [words[0], *(in_english(word, board, letters) for word in words[1:])]
    moves = (
        moves_of(in_a_row, board, seat, letters)
        or moves_of([in_english(word, board, letters) for word in words], board, seat)
        or formed(" ".join(words), board, seat, letters)
    )
    if not moves:
        wrong = next(w for w in words if not all(is_move(m, board.game) for m in board.game.words(w)))
        raise board.game.not_a_move(board.position, seat, wrong)
    return moves


def play_words(ctx: Context, row: BoardRow, player: Player, words: Sequence[str]) -> Answer:
    """Play moves one after the other, up to the first that is not possible. Raises PlayerError if none is possible."""
    since, played, stopped = row.board.length, list[str](), ""
    for i, word in enumerate(words):
        try:
            text = _dice_word(ctx, row.board, word) if row.board.waits else expected(row.board, word)
            change = as_written(row.board, play.play(row.board, row.seat_to_move(player), text))
        except PlayerError as e:
            if not played:
                raise
            done = [lettered(move_, ctx.say) for move_ in played]
            stopped = ctx.render("stopped", played=done, error=e, left=len(words) - i).text
            break
        row = ctx.append(row, change)
        played.append(change.entry.shown)
    return Answer(
        text=f"Played: {' '.join(played)}",
        boards=[BoardNews(row, since, player, stopped)],
        complete=True,
    )


def _demand_no_password(ctx: Context, words: Sequence[str]) -> None:
    """Raise PlayerError if a word for the dice contains a password of this mail. A submitted word is stored, too."""
    passwords = [password for (_, password), check in ctx.password_checks.checked.items() if check.fits]
    if any(password in word for word in words for password in passwords):
        raise PlayerError("A word for the dice is public, and yours contains your password.", "Choose another one.")


def _dice_word(ctx: Context, board: Board, word: str) -> str:
    """Return the word for the dice that a player means.

    A player who chooses none gives the sha256 of the Message-ID of the mail, because a Message-ID can name a computer,
    and the word is public. A mail without one gives that of its fingerprint.
    """
    if board.game.normalise(word) == GO:
        return f"word={sha256((ctx.mail.message_id or ctx.mail.fingerprint).encode()).hexdigest()}"
    return word


def _possible(verb: str) -> Callable[[Occasion], bool]:
    """Return a function that tells whether one of the player's seats can use a verb on a board now."""
    return lambda on: on.row is not None and any(verb in ways.ways(on.row, s, on.ctx.log(on.row)) for s in on.seats)


def propose(ctx: Context, call: Call) -> Answer:
    """`game propose board userid password`: offer a draw, or claim it."""
    row, player, seat = by_owner(ctx, call)
    if not row.game.claim(row.board.position):
        _demand_short(row)
    return _done(ctx, row, player, play.propose(row.board, seat))


PROPOSE = Command(
    "propose",
    "Offers a draw to the other players of the board.",
    propose,
    scope=Scope.GAME,
    args=ON_BOARD,
    reply=True,
    requests=True,
    synonyms=(
        *("draw", "offer draw", "offer a draw", "i offer a draw", "propose draw", "propose a draw"),
        *("remis", "remis anbieten", "ich biete remis", "ich biete remis an", "biete remis", "biete remis an"),
    ),
    usable=_possible("propose"),
    example="{game} propose {board} {userid} {password}",
    second="{game} move {board} {userid} {password} propose",
    more="All others must accept. Any move cancels the offer. A board can have only one open proposal.\n"
    "Some games have no draw by agreement. In some, the rules let you claim a draw, for example in chess when a "
    "position stands for the third time. Then this ends the board at once, and nobody has to accept.",
)


def undo(ctx: Context, call: Call) -> Answer:
    """`game undo board userid password`: ask to take back your last move."""
    row, player, seat = ctx.my_board(call)
    _demand_short(row)
    return _done(ctx, row, player, play.undo(row.board, seat, ctx.log(row)))


UNDO = Command(
    "undo",
    "Asks the other players to let you take back your last move.",
    undo,
    scope=Scope.GAME,
    args=ON_BOARD,
    reply=True,
    requests=True,
    synonyms=("take back", "take it back", "take that back", "takeback", "zurücknehmen", "zug zurücknehmen"),
    usable=_possible("undo"),
    example="{game} undo {board} {userid} {password}",
    second="{game} move {board} {userid} {password} undo",
    more="All others must accept. Any move cancels the request.\n"
    "You cannot take back a move if dice, cards or hidden things were seen after it.",
)


def accept(ctx: Context, call: Call) -> Answer:
    """`game accept board userid password`: accept the open proposal."""
    row, player, seat = by_owner(ctx, call)
    _demand_proposal(ctx, row, player, "accept")
    if row.board.offer and row.board.offer.kind is Kind.UNDO:
        ctx.budget.replay(row.board.offer.to_ply)
    return _done(ctx, row, player, play.accept(row.board, _seat_to_answer(row, player, seat), ctx.log(row)))


ACCEPT = Command(
    "accept",
    "Accepts an open proposal: a draw, or taking a move back.",
    accept,
    scope=Scope.GAME,
    args=ON_BOARD,
    may_shorten=False,
    reply=True,
    synonyms=("i accept", "accepted", "annehmen", "angenommen", "ich nehme an"),
    usable=_possible("accept"),
    example="{game} accept {board} {userid} {password}",
    second="{game} move {board} {userid} {password} accept",
    more="This works only if a proposal is open and you have not agreed to it yet. Write this command in full.",
)


def reject(ctx: Context, call: Call) -> Answer:
    """`game reject board userid password`: reject the open proposal, or withdraw your own."""
    row, player, seat = ctx.my_board(call)
    _demand_proposal(ctx, row, player, "reject")
    return _done(ctx, row, player, play.reject(row.board, seat))


REJECT = Command(
    "reject",
    "Rejects an open proposal, or withdraws your own.",
    reject,
    scope=Scope.GAME,
    args=ON_BOARD,
    reply=True,
    synonyms=("i reject", "rejected", "ablehnen", "abgelehnt", "ich lehne ab"),
    usable=_possible("reject"),
    example="{game} reject {board} {userid} {password}",
    second="{game} move {board} {userid} {password} reject",
    more="This works only if a proposal is open. You can also reject it by moving.",
)


def resign(ctx: Context, call: Call) -> Answer:
    """`game resign board userid password`: at any time, in turn or not."""
    row, player, seat = by_owner(ctx, call)
    return _done(ctx, row, player, play.resign(row.board, seat))


RESIGN = Command(
    "resign",
    "Resigns the board. If there are more than two players, the others play on.",
    resign,
    scope=Scope.GAME,
    args=ON_BOARD,
    may_shorten=False,
    reply=True,
    synonyms=("i resign", "i give up", "aufgeben", "ich gebe auf", "gebe auf"),
    usable=_possible("resign"),
    example="{game} resign {board} {userid} {password}",
    second="{game} move {board} {userid} {password} resign",
    more="You can resign at any time until the board is over, also when it is not your turn. You cannot undo it. "
    f"Write this command in full. Before your first move you can decline instead. {ways.NOBODY_LOSES} {ways.FORFEITED}",
)


def decline(ctx: Context, call: Call) -> Answer:
    """`game decline board userid password`: decline an invitation, before your first move."""
    row, player, seat = by_owner(ctx, call)
    ways.demand_declinable(row)
    return _done(ctx, row, player, play.decline(row.board, seat, ctx.log(row)))


DECLINE = Command(
    "decline",
    f"Declines a board before your first move. {ways.NOBODY_LOSES} {ways.FORFEITED}",
    decline,
    scope=Scope.GAME,
    args=ON_BOARD,
    may_shorten=False,
    reply=True,
    synonyms=("i decline", "absagen", "nicht spielen", "ich sage ab"),
    usable=_possible("decline"),
    example="{game} decline {board} {userid} {password}",
    second="{game} move {board} {userid} {password} decline",
    more="After your first move you can only resign. So it is on a board with a substitute, because everybody has "
    "agreed to it. Write this command in full.",
)


#: Verbs that are allowed instead of a move: `game move board userid password propose`.
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
    if len(words) == 1 and (verb := words[0].lower()) in AS_MOVES:
        return AS_MOVES[verb](ctx, call)
    return move(ctx, call)


MOVE = Command(
    "move",
    "Plays a move, or several moves as long as it is still your turn. move#7 is played only if the next ply is 7.",
    move_or_verb,
    scope=Scope.GAME,
    args=(*ON_BOARD, Arg("move", "see the help page of the game", Is.MOVE, many=True)),
    aliases=("board",),
    usable=Occasion.has_turn,
    example="{game} move {board} {userid} {password} {move}",
    second="{game} move {board} {userid} {password} {move}#1",
    more="The easiest way needs no password: answer the board letter with your move on the first line.\n"
    "If a move is not possible, the answer gives the reason and shows the board. The server never guesses or "
    "corrects a move. If you send several moves and one is not possible, the moves before it are played, and the "
    "letter says so.\n"
    "If it is not your turn, wait for the letter that says it is.",
)


def expected(board: Board, word: str) -> str:
    """Return the move in a word such as `move#7`, which is played only if the next ply is 7. Raises MoveError."""
    move_, _, ply = word.partition("#")
    if ply and ply != str(board.ply + 1):
        raise MoveError(f"The next ply is {board.ply + 1}, so your move for another ply was not played.")
    return move_


def _demand_short(row: BoardRow) -> None:
    if row.board.length >= MOST_BEFORE_PROPOSALS:
        raise PlayerError(
            f"Board {row.number} is so long that it takes no more proposals.", "You can only move, or send: resign"
        )


def _done(ctx: Context, row: BoardRow, player: Player, change: Change) -> Answer:
    after = ctx.append(row, change)
    draw = "You claim a draw" if after.board.result else "You offer a draw"
    what = {Kind.PROPOSE: draw, Kind.UNDO: "You ask to take your last move back"}
    text = what.get(change.entry.kind, f"You {change.entry.kind.value}")
    return Answer(text=f"{text}.", boards=[BoardNews(after, row.board.length, player)], complete=True)


def _demand_proposal(ctx: Context, row: BoardRow, player: Player, word: str) -> None:
    """Raise PlayerError if a request for a substitute waits, which an answer to an old proposal must not meet."""
    if not row.board.offer and substitute.asked(ctx, row, player):
        raise PlayerError(
            f"There is no open proposal on board {row.number}, but a request for a substitute.",
            f"To answer that, send: {row.key} substitute {row.number} {player.userid} {PASSWORD} {word}",
        )


def _seat_to_answer(row: BoardRow, player: Player, seat: Seat) -> Seat:
    return next((s for s in row.seats_of(player) if s in row.board.to_answer), seat)
