"""The command table: the only list of commands. Parser, help, docs and tests are derived from it."""

from pbmserv import games
from pbmserv.commands import account, ahead, info, lobby, play, records, seeks, standings, watch
from pbmserv.commands.account_rows import PEOPLE
from pbmserv.commands.table import LOGIN, Arg, Command, Is, Scope, Setting

_USERID, _PASSWORD = LOGIN
_BOARD = Arg("board", "the number of the board", Is.BOARD)
_NUMBER = Arg("number", "the number of the seek", Is.NUMBER)
_ON_BOARD = (_BOARD, _USERID, _PASSWORD)

AS = Setting("as", "who you are, where your address does not prove it", "USERID:PASSWORD", secret=True)
TERMS = (
    Setting("nagtime", "days until you are reminded of your turn (7)", "DAYS"),
    Setting("forfeittime", "days until the turn, and the board, is lost (21)", "DAYS"),
    Setting("totaltime", "days for all moves of a player together (none)", "DAYS"),
    Setting("unrated", "the board does not count for ratings"),
    Setting("random", "seats are drawn by lot"),
    Setting("private", "the board is not listed, and nobody can subscribe to it"),
)
SEEK_SETTINGS = (
    *TERMS,
    Setting("seats", "how many players, where the game leaves a choice (the fewest)", "NUMBER"),
    Setting("rating", "whose rating may join (anybody's); unrated players count as 1500", "LOWEST-HIGHEST"),
)

COMMANDS: tuple[Command, ...] = (
    Command(
        "help",
        "Help pages: commands, any game, any command. Without a subject, a short page for newcomers.",
        info.help_,
        args=(Arg("subject", "commands, a game, or a command", optional=True, many=True),),
        aliases=("?",),
        example="help commands",
        second="help move",
        more="If there is no such page, the answer lists those that there are. Every command has one, and every game.",
    ),
    *PEOPLE,
    Command(
        "list",
        "The running boards and the open seeks of all games, or of the games you name.",
        lobby.list_boards,
        args=(Arg("game", "only these games", optional=True, many=True),),
        example="list {game}",
        second="list",
        more="A star marks who is to move. Private boards are not listed.\n"
        "A game that is not known here is answered with the names of those that are.",
    ),
    Command(
        "games",
        "The games of this server, one line each.",
        lobby.list_games,
        example="games",
        more="For the rules of one, send its name and help, for example: tumble help",
    ),
    Command(
        "help",
        "The rules of a game, its notation and options, with an example.",
        info.help_game,
        Scope.GAME,
        example="{game} help",
        second="help {game}",
        more="The rules are long; keep the letter. For the commands of all games, send: help commands",
    ),
    Command(
        "challenge",
        "Begins a board at once; the first userid moves first. A solitaire names one player. "
        "Who was invited may decline until he has moved. In the place of one userid you can name the mail address "
        "of a friend without an account: he is invited by letter, and the board begins when he accepts.",
        lobby.challenge,
        Scope.GAME,
        args=(Arg("userid", "the players, in the order of their turns", Is.OPPONENT, many=True),),
        settings=(AS, *TERMS),
        takes_options=True,
        example="{game} challenge {players}",
        second="{game} challenge {players} --forfeittime=30 --unrated",
        more="Who sends it is known by his address. If that does not prove it, add --as=USERID:PASSWORD to the line.\n"
        "A userid that is unknown is answered with the nearest ones; an unknown option or a wrong number of players "
        "with what the game has. Options of the game begin with one dash, those of the server with two.",
    ),
    Command(
        "seek",
        "An open challenge: the board begins when its seats are full. It lapses after 30 days.",
        seeks.seek,
        Scope.GAME,
        args=(_USERID, _PASSWORD),
        settings=SEEK_SETTINGS,
        takes_options=True,
        example="{game} seek {userid} {password}",
        second="{game} seek {userid} {password} --rating=1500-1900",
        more="Others join by the number that the answer names; see: help join. --rating limits who may join.\n"
        "An unknown option is answered with those that there are.",
    ),
    Command(
        "join",
        "Takes a place in an open challenge. Their numbers are in: list",
        seeks.join,
        Scope.GAME,
        args=(_NUMBER, _USERID, _PASSWORD),
        example="{game} join {seek} {userid} {password}",
        second="{game} join 2 bob {password}",
        more="If the seek is closed, full, or not for your rating, the answer says so. You cannot join twice.\n"
        "The board begins when the last place is taken, and everybody gets its first letter.",
    ),
    Command(
        "withdraw",
        "Gives your place in an open challenge up; without players it is over.",
        seeks.withdraw,
        Scope.GAME,
        args=(_NUMBER, _USERID, _PASSWORD),
        example="{game} withdraw {seek} {userid} {password}",
        second="{game} withdraw 2 bob {password}",
        more="It is refused if you have no place there or if the board has begun; then you can decline the board.",
    ),
    Command(
        "limit",
        "The most boards of this game that others may challenge you to at a time; 0 refuses all challenges. "
        "Without a number, says it.",
        seeks.limit,
        Scope.GAME,
        args=(_USERID, _PASSWORD, Arg("n", "a number, or none", optional=True)),
        example="{game} limit {userid} {password} 5",
        second="{game} limit {userid} {password} none",
        more="You yourself may still begin as many boards as you like. What is neither a number nor none is refused.",
    ),
    Command(
        "move",
        "Plays one or more moves, one after the other as long as it is still your turn. "
        "move#7 is played only if the next ply is 7.",
        play.move_or_verb,
        Scope.GAME,
        args=(*_ON_BOARD, Arg("move", "see the help page of the game", many=True)),
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
        args=(*_ON_BOARD, Arg("move", "moves, pairs such as their:mine, or clear", optional=True, many=True)),
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
        args=(*_ON_BOARD, Arg("move", "see the help page of the game", many=True)),
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
        args=_ON_BOARD,
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
        args=_ON_BOARD,
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
        args=_ON_BOARD,
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
        args=_ON_BOARD,
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
        args=_ON_BOARD,
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
        args=_ON_BOARD,
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
        args=_ON_BOARD,
        may_shorten=False,
        reply=True,
        example="{game} decline {board} {userid} {password}",
        second="{game} move {board} {userid} {password} decline",
        more="Once you have moved it is refused; then you can only resign. The verb is never shortened.",
    ),
    Command(
        "chat",
        "Sends the body of your mail to the other players of a board, and to those who have subscribed to it.",
        watch.chat,
        Scope.GAME,
        args=_ON_BOARD,
        reply=True,
        body="what you say",
        example="{game} chat {board} {userid} {password}",
        second="{game} chat 102 bob {password}",
        more="The words stand in the body of the mail; without any, nothing is sent. Who answers a board letter writes "
        "chat on the first line and his words below it.",
    ),
    Command(
        "subscribe",
        "A copy of every letter of a board, as spectators see it.",
        watch.subscribe,
        Scope.GAME,
        args=_ON_BOARD,
        example="{game} subscribe {board} {userid} {password}",
        second="{game} subscribe 102 bob {password}",
        more="Private boards cannot be subscribed to, and players of a board get its letters anyway. "
        "To end it: GAME unsubscribe BOARD USERID PASSWORD",
    ),
    Command(
        "unsubscribe",
        "No more copies of the letters of a board.",
        watch.unsubscribe,
        Scope.GAME,
        args=_ON_BOARD,
        example="{game} unsubscribe {board} {userid} {password}",
        second="{game} unsubscribe 102 bob {password}",
        more="It does no harm on a board that you have not subscribed to. The letters themselves offer the same.",
    ),
    Command(
        "notify",
        "Only the last letter of boards on which you do not play. Without boards, lists those that you read.",
        watch.notify,
        Scope.GAME,
        args=(_USERID, _PASSWORD, Arg("board", "board numbers", Is.BOARD, optional=True, many=True)),
        example="{game} notify {userid} {password}",
        second="{game} notify {userid} {password} {board}",
        more="Every letter of a board, not only the last, comes with: GAME subscribe BOARD USERID PASSWORD",
    ),
    Command(
        "record",
        "The whole board as a JSON file: options, players, moves, result, and once it is over its seed.",
        records.record,
        Scope.GAME,
        args=(_BOARD,),
        settings=(AS,),
        example="{game} record {board}",
        second="{game} record 102",
        more="The seed, with which everybody can check the dice, is in the record of a finished board only.",
    ),
    Command(
        "fork",
        "A new board, unrated and with a new seed, that begins with ply n of another one. "
        "With chance or hidden things only once that board is over.",
        records.fork,
        Scope.GAME,
        args=(
            Arg("board", "the number of a board, 101#7 for ply 7", Is.BOARD),
            Arg("userid", "the players, in the order of their turns", Is.USERID, many=True),
        ),
        settings=(AS, *(s for s in TERMS if s.name != "unrated")),
        example="{game} fork {board} {players}",
        second="{game} fork {board}#1 {players}",
        more="If the board still runs and has chance or hidden things, or has no such ply, the answer says so. "
        "The number of players must be that of the old board.",
    ),
    Command(
        "show",
        "Shows boards, or the boards of players. 101#7 is board 101 after ply 7.",
        info.show,
        Scope.GAME,
        args=(
            Arg(
                "board|userid",
                "board numbers, 101#7 for ply 7; or userids, then all, active, inactive or next",
                many=True,
            ),
        ),
        example="{game} show {board}",
        second="{game} show {userid} next",
        more="If the board is one of another game, the answer says which. A ply that was never played is answered with "
        "the last one. Hidden things stay hidden: see showas.",
    ),
    Command(
        "showas",
        "Shows boards as you see them: with what is hidden from others, in your display setting.",
        info.showas,
        Scope.GAME,
        args=(_USERID, _PASSWORD, Arg("board", "board numbers; or all, active, next", optional=True, many=True)),
        example="{game} showas {userid} {password} {board}",
        second="{game} showas {userid} {password} next",
        more="A wrong password shows nothing. Boards on which you do not play are shown as everybody sees them.",
    ),
    Command(
        "games",
        "A table of the boards of one game, or of players in it.",
        lobby.list_game,
        Scope.GAME,
        args=(Arg("userid", "players, then all, active, inactive or next", optional=True, many=True),),
        example="{game} games {userid}",
        second="{game} games {userid} all",
        more="To see where you are to move, put next behind your userid. Without a userid, next is refused.",
    ),
    Command(
        "standings",
        "The rating table of the game: the best, and those around you. For a solitaire, the high scores. "
        "With all: the first thousand.",
        standings.standings,
        Scope.GAME,
        args=(Arg("all", "up to a thousand lines", optional=True),),
        aliases=("ratings",),
        example="{game} standings",
        second="{game} standings all",
        more="A rating with a question mark stands on fewer than ten rated boards. Unrated and declined boards "
        "do not count, nor does a board against yourself.",
    ),
    Command(
        "history",
        "Finished boards of the game, or of players in it, with result and reason.",
        standings.history,
        Scope.GAME,
        args=(Arg("userid", "players", Is.USERID, optional=True, many=True),),
        example="{game} history {userid}",
        second="{game} history",
        more="The newest come first. To see one with its whole move list, send: GAME show BOARD\n"
        "A userid that is unknown is answered with the nearest ones.",
    ),
    Command(
        "set",
        "How boards of the game are drawn for you; without an option, says what is set.",
        account.set_display,
        Scope.GAME,
        args=(
            _USERID,
            _PASSWORD,
            Arg("option", "a display setting of the game", optional=True, many=True, dashed=True),
        ),
        example="{game} set {userid} {password}",
        second="{game} set {userid} {password} {display}",
        more="An unknown setting is answered with those that the game has; some have only one way to draw the board.\n"
        "The settings of the server are another command: help set",
    ),
)

#: Words that the language needs beside verbs and games; nobody can have them as his userid.
WORDS = (
    *lobby.STATES,
    "over",
    "error",
    "new",
    "none",
    "off",
    "on",
    "multiple",
    "signoff",
    "yes",
    "no",
    "never",
    "pass",
    "swap",
    "clear",
    "until",
    "board",
    "server",
    "admin",
    "root",
    "postmaster",
    "digest",
    "queue",
    "chat",
)


def reserved() -> frozenset[str]:
    """All words that cannot be a userid."""
    verbs = {word for c in COMMANDS for name in c.names for word in name.split()}
    return frozenset({*verbs, *games.names(), *WORDS})
