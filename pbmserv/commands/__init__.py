"""The command table: the only list of commands. Parser, help, docs and tests are derived from it."""

from pbmserv import games
from pbmserv.commands import account, info, lobby, play
from pbmserv.commands.table import Arg, Command, Is, Scope, Setting

_USERID = Arg("userid", "", Is.USERID)
_PASSWORD = Arg("password", "", Is.PASSWORD)
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
    ),
    Command(
        "signup",
        "Opens an account, or adds addresses to yours. Without an address: the one you write from.",
        account.signup,
        args=(
            Arg("userid", "2 to 20 letters, digits, _ or -; the others will see it", Is.USERID),
            Arg("password", "6 to 128 characters without spaces, quotes or colons", Is.NEW_PASSWORD),
            Arg("address", "where your letters go", optional=True, many=True),
        ),
        aliases=("add",),
        example="signup {newcomer} {password}",
    ),
    Command(
        "list",
        "The running boards of all games, or of the games you name.",
        lobby.list_boards,
        args=(Arg("game", "only these games", optional=True, many=True),),
        example="list {game}",
    ),
    Command("games", "The games of this server, one line each.", lobby.list_games, example="games"),
    Command(
        "help",
        "The rules of a game, its notation and options, with an example.",
        info.help_game,
        Scope.GAME,
        example="{game} help",
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
    ),
    Command(
        "propose",
        "Offers a draw to the others on the board.",
        play.propose,
        Scope.GAME,
        args=_ON_BOARD,
        reply=True,
        example="{game} propose {board} {userid} {password}",
    ),
    Command(
        "undo",
        "Asks the others to let you take your last move back.",
        play.undo,
        Scope.GAME,
        args=_ON_BOARD,
        reply=True,
        example="{game} undo {board} {userid} {password}",
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
    ),
    Command(
        "reject",
        "Says no to an open proposal, or withdraws your own.",
        play.reject,
        Scope.GAME,
        args=_ON_BOARD,
        reply=True,
        example="{game} reject {board} {userid} {password}",
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
    ),
    Command(
        "showas",
        "Shows boards as you see them: with what is hidden from others, in your display setting.",
        info.showas,
        Scope.GAME,
        args=(_USERID, _PASSWORD, Arg("board", "board numbers; or all, active, next", optional=True, many=True)),
        example="{game} showas {userid} {password} {board}",
    ),
    Command(
        "games",
        "A table of the boards of one game, or of players in it.",
        lobby.list_game,
        Scope.GAME,
        args=(Arg("userid", "players, then all, active, inactive or next", optional=True, many=True),),
        example="{game} games {userid}",
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
