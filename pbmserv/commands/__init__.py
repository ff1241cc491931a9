"""The command table: the only list of commands. Parser, help, docs and tests are derived from it."""

from pbmserv import games
from pbmserv.commands import access, accounts, challenge, lists, show, watch
from pbmserv.commands.account_rows import PEOPLE
from pbmserv.commands.playing_rows import PLAYING
from pbmserv.commands.reading_rows import READING
from pbmserv.commands.starting_rows import STARTING
from pbmserv.inbox.command import Arg, Command, CommandLanguage, LetterAnswer, Scope
from pbmserv.mail import signed_addresses

COMMANDS: tuple[Command, ...] = (
    Command(
        "help",
        "Help pages: commands, any game, any command. Without a subject, a short page for newcomers.",
        show.help_,
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
        lists.list_boards,
        args=(Arg("game", "only these games", optional=True, many=True),),
        example="list {game}",
        second="list",
        more="A star marks who is to move. Private boards are not listed.\n"
        "A game that is not known here is answered with the names of those that are.",
    ),
    Command(
        "games",
        "The games of this server, one line each.",
        lists.list_games,
        example="games",
        more="For the rules of one, send its name and help, for example: tumble help",
    ),
    Command(
        "help",
        "The rules of a game, its notation and options, with an example.",
        show.help_game,
        Scope.GAME,
        example="{game} help",
        second="help {game}",
        more="The rules are long; keep the letter. For the commands of all games, send: help commands",
    ),
    *STARTING,
    *PLAYING,
    *READING,
)

#: Words that the language needs beside verbs and games; nobody can have them as his userid.
WORDS = (
    *lists.STATES,
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


#: What the answer to a letter about no board does.
BY_LETTER = {
    signed_addresses.CONFIRM: LetterAnswer(accounts.confirm, "(confirmation)"),
    signed_addresses.RESET: LetterAnswer(access.reset, "(new password)"),
    signed_addresses.INVITE: LetterAnswer(challenge.answer_invitation, "(invitation)"),
    signed_addresses.UNSUBSCRIBE: LetterAnswer(watch.unsubscribe_signed, "(unsubscribe)"),
}


def command_language() -> CommandLanguage:
    """All that a mail can say, the names of the games that are installed included."""
    return CommandLanguage(COMMANDS, reserved(), BY_LETTER)
