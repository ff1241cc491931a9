"""The command table, in the order of the manual. Parser, help, docs and tests are derived from it.

Each row is in the file of its handler, below it: syntax, help text and examples.
"""

from pbmserv import games
from pbmserv.commands import accounts, challenge, first_board, puzzles, talk
from pbmserv.commands.accounts import CHANGE_ADDRESS, CHANGE_PASSWORD, FORGOT, SIGNOFF, SIGNUP
from pbmserv.commands.ahead import CONFIRM, PREVIEW, QUEUE, SUBMIT
from pbmserv.commands.board_limit import LIMIT
from pbmserv.commands.challenge import CHALLENGE, REMATCH
from pbmserv.commands.help import GAME_HELP, HELP
from pbmserv.commands.lists import GAME_BOARDS, HISTORY, LIST, LIST_GAMES, STANDINGS, STATES
from pbmserv.commands.play import ACCEPT, DECLINE, MOVE, PROPOSE, REJECT, RESIGN, UNDO
from pbmserv.commands.reviews import REVIEW
from pbmserv.commands.seats import substitute
from pbmserv.commands.seats.substitute import SUBSTITUTE
from pbmserv.commands.seeks import JOIN, SEEK, WITHDRAW
from pbmserv.commands.settings import SET, SET_DISPLAY
from pbmserv.commands.show import ALL_SHOW, LEGAL, RECORD, SHOW, SHOWAS, WHO
from pbmserv.commands.starting import FORK
from pbmserv.commands.talk import BROADCAST, CHAT, FEWER, MESSAGE, NOTIFY, SUBSCRIBE, UNSUBSCRIBE
from pbmserv.commands.tournaments import replying
from pbmserv.commands.tournaments.entering import JOIN_TOURNAMENT, LEAVE_TOURNAMENT
from pbmserv.commands.tournaments.ladder import LADDER_OF_GAME
from pbmserv.commands.tournaments.organising import ORGANISE
from pbmserv.commands.tournaments.showing import LIST_TOURNAMENTS, SHOW_TOURNAMENT
from pbmserv.commands.vacation import VACATION
from pbmserv.inbox.context import Command, Commands, LetterAnswer
from pbmserv.inbox.lines.agreement import YES
from pbmserv.mail import signed_addresses

COMMANDS: tuple[Command, ...] = (
    HELP,
    SIGNUP,
    CHANGE_PASSWORD,
    CHANGE_ADDRESS,
    FORGOT,
    SIGNOFF,
    SET,
    VACATION,
    WHO,
    ALL_SHOW,
    MESSAGE,
    BROADCAST,
    LIST,
    LIST_GAMES,
    SHOW_TOURNAMENT,
    JOIN_TOURNAMENT,
    LEAVE_TOURNAMENT,
    LIST_TOURNAMENTS,  # last, because the word alone is one of its names
    # commands of games; the name of the game comes before the verb
    GAME_HELP,
    CHALLENGE,
    REMATCH,
    SEEK,
    JOIN,
    WITHDRAW,
    SUBSTITUTE,
    LADDER_OF_GAME,
    ORGANISE,
    LIMIT,
    MOVE,
    QUEUE,
    SUBMIT,
    CONFIRM,
    PREVIEW,
    PROPOSE,
    UNDO,
    ACCEPT,
    REJECT,
    RESIGN,
    DECLINE,
    LEGAL,
    FEWER,
    CHAT,
    SUBSCRIBE,
    UNSUBSCRIBE,
    NOTIFY,
    RECORD,
    REVIEW,
    FORK,
    SHOW,
    SHOWAS,
    GAME_BOARDS,
    STANDINGS,
    HISTORY,
    SET_DISPLAY,
)

#: Words with a meaning besides verbs and games. They cannot be userids.
WORDS = (
    *STATES,
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
    "userid",
    "password",
    "server",
    "admin",
    "root",
    "postmaster",
    "digest",
    "queue",
    "chat",
    "robot",
    "seek",
)


def reserved() -> frozenset[str]:
    """Return all words that cannot be userids."""
    verbs = {word for c in COMMANDS for name in c.names for word in name.split()}
    return frozenset({*verbs, *games.names(), *WORDS})


#: How answers to letters that are not about a board are handled.
BY_LETTER = {
    signed_addresses.CONFIRM: LetterAnswer(accounts.confirm, "(confirmation)", accounts.find_confirming, lambda _: YES),
    signed_addresses.RESET: LetterAnswer(accounts.reset, "(new password)", accounts.find_forgetful),
    signed_addresses.INVITE: LetterAnswer(
        challenge.answer_invitation, "(invitation)", challenge.find_invited, challenge.words_for
    ),
    signed_addresses.NEVER: LetterAnswer(challenge.refuse_signed, "(invitation)", challenge.find_invited),
    signed_addresses.SUBSTITUTE: LetterAnswer(
        substitute.answer_signed, "(substitute)", substitute.find_asked, lambda _: ("accept", "reject")
    ),
    signed_addresses.TOURNAMENT: LetterAnswer(
        replying.answer_signed, "(tournament)", replying.find_reader, lambda _: ("join", "show")
    ),
    signed_addresses.WELCOME: LetterAnswer(
        first_board.answer_welcome, "(play)", first_board.find_welcomed, first_board.first_answers
    ),
    signed_addresses.PUZZLE: LetterAnswer(puzzles.answer_signed, "(puzzle)", puzzles.find_solver),
    signed_addresses.TALK: LetterAnswer(talk.answer_message, "(message)", talk.find_answering),
    signed_addresses.STOP: LetterAnswer(talk.stop_signed, "(stop)", talk.find_stopping),
    signed_addresses.UNSUBSCRIBE: LetterAnswer(talk.unsubscribe_signed, "(unsubscribe)", talk.find_subscriber),
}


def command_language() -> Commands:
    """Return the whole command language, including the names of the installed games."""
    return Commands(COMMANDS, reserved(), BY_LETTER)
