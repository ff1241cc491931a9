"""The command table: the only list of commands. Parser, help, docs and tests are derived from it."""

from pbmserv import games
from pbmserv.commands import account, info, lobby, play, standings
from pbmserv.commands.account_rows import PEOPLE
from pbmserv.commands.table import LOGIN, Arg, Command, Is, Scope, Setting

_USERID, _PASSWORD = LOGIN
_BOARD = Arg("board", "the number of the board", Is.BOARD)
_ON_BOARD = (_BOARD, _USERID, _PASSWORD)

CHALLENGE_SETTINGS = (
    Setting("as", "who you are, where your address does not prove it", "USERID:PASSWORD", secret=True),
    Setting("nagtime", "days until you are reminded of your turn (7)", "DAYS"),
    Setting("forfeittime", "days until the turn, and the board, is lost (21)", "DAYS"),
    Setting("totaltime", "days for all moves of a player together (none)", "DAYS"),
    Setting("unrated", "the board does not count for ratings"),
    Setting("random", "seats are drawn by lot"),
    Setting("private", "the board is not listed"),
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
        "The running boards of all games, or of the games you name.",
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
        "Who was invited may decline until he has moved.",
        lobby.challenge,
        Scope.GAME,
        args=(Arg("userid", "the players, in the order of their turns", Is.USERID, many=True),),
        settings=CHALLENGE_SETTINGS,
        takes_options=True,
        example="{game} challenge {players}",
        second="{game} challenge {players} --forfeittime=30 --unrated",
        more="Who sends it is known by his address. If that does not prove it, add --as=USERID:PASSWORD to the line.\n"
        "A userid that is unknown is answered with the nearest ones; an unknown option or a wrong number of players "
        "with what the game has. Options of the game begin with one dash, those of the server with two.",
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
        "With all: everybody.",
        standings.standings,
        Scope.GAME,
        args=(Arg("all", "the whole table", optional=True),),
        aliases=("ratings",),
        example="{game} standings",
        second="{game} standings all",
        more="A rating with a question mark stands on fewer than ten rated boards. Unrated and declined boards "
        "do not count, nor does a board against yourself. For how ratings are made, send: help ratings",
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
