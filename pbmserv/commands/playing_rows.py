"""The rows of the command table with which a board is played: moves, moves ahead, agreements, giving up."""

from pbmserv.commands import ahead, play
from pbmserv.inbox.command import AS, ON_BOARD, Arg, Command, Scope

PLAYING: tuple[Command, ...] = (
    Command(
        "move",
        "Plays one or more moves, one after the other as long as it is still your turn. "
        "move#7 is played only if the next ply is 7.",
        play.move_or_verb,
        Scope.GAME,
        args=(*ON_BOARD, Arg("move", "see the help page of the game", many=True)),
        aliases=("board",),
        needs_turn=True,
        example="{game} move {board} {userid} {password} {move}",
        second="{game} move {board} {userid} {password} {move}#1",
        more="The easiest way needs no password: answer the board letter with your move on the first line.\n"
        "A move that is not possible is answered with the reason and the board; nothing is guessed or corrected. If "
        "one of several moves is not possible, those before it are played, and the letter says so.\n"
        "If it is not your turn, wait for the letter that says it is.",
    ),
    Command(
        "queue",
        "Plays moves now, or keeps them for your turn. their:mine plays mine only after that move of theirs; "
        "if they move otherwise, the rest of the queue lapses. clear empties it; without moves, it is listed.",
        ahead.queue,
        Scope.GAME,
        args=(*ON_BOARD, Arg("move", "moves, pairs such as their:mine, or clear", optional=True, many=True)),
        example="{game} queue {board} {userid} {password}",
        second="{game} queue {board} {userid} {password} clear",
        more="A queued move that is not possible when its turn comes is not played: the rest of the queue lapses, and "
        "a letter says so. Your queue is shown by: GAME showas USERID PASSWORD BOARD",
    ),
    Command(
        "submit",
        "Mails the board after your moves to you alone, and keeps them for confirm. Stops before chance.",
        ahead.submit,
        Scope.GAME,
        args=(*ON_BOARD, Arg("move", "see the help page of the game", many=True)),
        needs_turn=True,
        example="{game} submit {board} {userid} {password} {move}",
        second="{game} submit {board} {userid} {password} {move}#1",
        more="Nothing is played before you send confirm. A move that is not possible is answered as by move.\n"
        "Submitting again replaces what you have submitted before.",
    ),
    Command(
        "confirm",
        "Plays what you have submitted, if nothing has happened on the board since.",
        ahead.confirm,
        Scope.GAME,
        args=ON_BOARD,
        needs_turn=True,
        example="{game} confirm {board} {userid} {password}",
        second="{game} confirm 102 bob {password}",
        more="If nothing was submitted, or somebody has moved since, nothing is played and the answer says so.",
    ),
    Command(
        "preview",
        "Tries moves on a copy; nothing is played or kept. 101#7 starts from ply 7, new from a new board. "
        "Stops before chance, and what is hidden stays hidden.",
        ahead.preview,
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
    ),
    Command(
        "propose",
        "Offers a draw to the others on the board.",
        play.propose,
        Scope.GAME,
        args=ON_BOARD,
        reply=True,
        example="{game} propose {board} {userid} {password}",
        second="{game} move {board} {userid} {password} propose",
        more="All others must accept; any move withdraws the offer. While a proposal is open there cannot be a "
        "second one.\n"
        "Some games know no draw by agreement; the answer says so.",
    ),
    Command(
        "undo",
        "Asks the others to let you take your last move back.",
        play.undo,
        Scope.GAME,
        args=ON_BOARD,
        reply=True,
        example="{game} undo {board} {userid} {password}",
        second="{game} move {board} {userid} {password} undo",
        more="All others must accept; any move withdraws the request.\n"
        "A move cannot be taken back if dice, cards or hidden things came to light since, or if you have not moved.",
    ),
    Command(
        "accept",
        "Says yes to an open proposal: a draw, or taking a move back.",
        play.accept,
        Scope.GAME,
        args=ON_BOARD,
        may_shorten=False,
        reply=True,
        example="{game} accept {board} {userid} {password}",
        second="{game} move {board} {userid} {password} accept",
        more="It is refused if no proposal is open, or if you have agreed already; the board in the answer shows what "
        "is open. The verb is never shortened.",
    ),
    Command(
        "reject",
        "Says no to an open proposal, or withdraws your own.",
        play.reject,
        Scope.GAME,
        args=ON_BOARD,
        reply=True,
        example="{game} reject {board} {userid} {password}",
        second="{game} move {board} {userid} {password} reject",
        more="It is refused if no proposal is open. You can also say no by moving.",
    ),
    Command(
        "resign",
        "Gives the board up. With more than two players the others play on.",
        play.resign,
        Scope.GAME,
        args=ON_BOARD,
        may_shorten=False,
        reply=True,
        example="{game} resign {board} {userid} {password}",
        second="{game} move {board} {userid} {password} resign",
        more="It can be done at any time, in turn or not, until the board is over, and it cannot be taken back. "
        "The verb is never shortened. Before your first move, decline instead: then nobody loses.",
    ),
    Command(
        "decline",
        "Says no to an invitation, as long as you have not moved: nobody wins or loses.",
        play.decline,
        Scope.GAME,
        args=ON_BOARD,
        may_shorten=False,
        reply=True,
        example="{game} decline {board} {userid} {password}",
        second="{game} move {board} {userid} {password} decline",
        more="Once you have moved it is refused; then you can only resign. The verb is never shortened.",
    ),
)
