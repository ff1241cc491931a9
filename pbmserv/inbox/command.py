"""The classes for commands and calls, and parts that many rows of the command table share.

The rows are in commands/.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from pbmserv import games
from pbmserv.errors import PASSWORD_LENGTH, PlayerError, quote
from pbmserv.games.base import AnyGame
from pbmserv.games.base.board import Start, begin
from pbmserv.model import Settings
from pbmserv.model.players import USERID, USERID_LENGTH

#: The placeholder for the player's password in every text that we write.
PASSWORD = "PASSWORD"  # noqa: S105 - the placeholder, not a password
#: The placeholder for a word that we do not show because it might be a password.
WORD = "WORD"


#: What an offered word begins with, which no move does; and so many letters of the verb tell it from all others.
ASKED, _OFFERED = "!", 3
#: What the address of a refusal offers while a proposal is open: nothing, and a yes to it may not mean the proposal.
REFUSED = "?"
#: The form of a new password and of a userid, for error messages and help.
PASSWORD_CHARACTERS = f"{PASSWORD_LENGTH[0]} to {PASSWORD_LENGTH[-1]} characters"
_THAT_WORD = "That word"
USERID_LETTERS = f"{USERID_LENGTH[0]} to {USERID_LENGTH[-1]} letters, digits, _ or -"


class Scope(Enum):
    """Whether the line begins with a game."""

    SERVER = "server"
    GAME = "game"


class Is(Enum):
    """The kind of an argument."""

    WORD = "word"
    USERID = "userid"
    PASSWORD = "password"  # noqa: S105
    NEW_PASSWORD = "new password"  # noqa: S105
    BOARD = "board"
    NUMBER = "number"
    SETTING = "setting"  #: in lower case, but with a URL as it was written
    MOVE = "move"  #: with its capitals
    OPPONENT = "opponent"  #: a userid, or the mail address of somebody who may have no account

    @property
    def secret(self) -> bool:
        """Whether the word is never shown."""
        return self in (Is.PASSWORD, Is.NEW_PASSWORD)


@dataclass(frozen=True)
class Arg:
    """One argument: its name in the usage line, its kind, whether it is optional or can be repeated."""

    name: str
    text: str
    is_: Is = Is.WORD
    optional: bool = False
    many: bool = False
    form: str = ""  #: its text in the usage line, if this is not its name
    dashed: bool = False  #: its words can begin with a dash without being options

    @property
    def usage(self) -> str:
        """`[name …]` and the like."""
        if self.form:
            return self.form
        name = self.name + " …" * self.many
        return f"[{name}]" if self.optional else name


@dataclass(frozen=True)
class Setting:
    """An option of the server's, `--name` or `--name=value`."""

    name: str
    text: str
    value: str = ""  #: the name of its value in the usage line; "" for a plain switch
    secret: bool = False
    cased: bool = False  #: capitals in its value count

    @property
    def usage(self) -> str:
        """`--name=value`."""
        return f"--{self.name}={self.value}" if self.value else f"--{self.name}"


@dataclass(frozen=True)
class CommandSyntax:
    """What a row of the command table says of its lines: their syntax, help text and examples.

    `reply`: may stand as a verb on the first line of an answer to a board letter, without userid and password; so may
    its `synonyms`: what people write in its place, in the languages there are. A line that begins with a synonym is
    answered with the verb. `question`: it changes nothing. So it is not run for an address that gets no answer, and a
    mail with nothing else is answered from a snapshot of the database, where writes are refused (inbox/questions.py).
    `requests`: it only asks for something, such as a draw, so it can be written with a question mark.
    """

    verb: str
    text: str
    _: KW_ONLY
    scope: Scope = Scope.SERVER
    args: tuple[Arg, ...] = ()
    aliases: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    takes_options: bool = False
    may_shorten: bool = True
    reply: bool = False
    question: bool = False
    requests: bool = False
    synonyms: tuple[str, ...] = ()
    reaches_others: bool = False  #: only for players who have confirmed an address
    for_strangers: bool = False  #: whoever has no confirmed address is told, too, what is wrong in a line
    body: str = ""  #: what the body of the mail means for this command, if it is not a comment
    example: str = ""  #: a line that works when its fields are filled in: see fill_example
    second: str = ""  #: another one for the help page, filled in the same way
    more: str = ""  #: more text for the help page: likely errors and what to do

    def usage(self, game: str = "game") -> str:
        """The usage line."""
        words = [game] if self.scope is Scope.GAME else []
        words += [self.verb, *(a.usage for a in self.args)]
        if self.takes_options:
            words.append("[-options]")
        if self.settings:
            words.append("[--options]")
        return " ".join(words)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The verb and its aliases."""
        return (self.verb, *self.aliases)

    def named_by(self, words: Sequence[str]) -> int:
        """How many of these words, from the first, are a name of the command; 0 if they are none."""
        return next((len(name) for name in self._names_in_words if words[: len(name)] == name), 0)

    @cached_property
    def _names_in_words(self) -> list[list[str]]:
        return [name.split() for name in self.names]


# --- what several rows share -----------------------------------------------------------------------------------------

YOUR_USERID = Arg("userid", "", Is.USERID)
LOGIN = (YOUR_USERID, Arg("password", "", Is.PASSWORD))
BOARD = Arg("board", "the number of the board", Is.BOARD)
ON_BOARD = (BOARD, *LOGIN)

AS = Setting("as", "your userid and password, if your address is not enough", "USERID:PASSWORD", secret=True)
TERMS = (
    Setting("nagtime", f"days until a player gets a reminder ({Settings.nag:g})", "DAYS"),
    Setting(
        "forfeittime", f"time limit for each move, in days; after it the board is lost ({Settings.forfeit:g})", "DAYS"
    ),
    Setting("totaltime", "time limit for all moves of a player together, in days (none)", "DAYS"),
    Setting("bank", "days of each player for the board; who has none left loses (none)", "DAYS"),
    Setting("increment", "days that each move adds to the bank (none)", "DAYS"),
    Setting("cap", "the most days that the bank can hold (one and a half times the bank)", "DAYS"),
    Setting("unrated", "the board does not count for ratings"),
    Setting("random", "the server draws who moves first"),
    Setting("repetition", "a draw if a position has stood NUMBER times, 2 to 9 (never)", "NUMBER"),
    Setting("dice", "the dice follow from a word of each player, too (no)", "shared"),
    Setting("engines", "allowed or forbidden: may programs help with the moves (forbidden)", "allowed"),
    Setting("private", "the board is not listed, and nobody can subscribe to it"),
)
MOST_READERS = 10  #: of one message


def fill_example(command: CommandSyntax, game: AnyGame | None, line: str = "", **facts: object) -> str:
    """An example line of a command; facts: board, userid, players, other, newcomer, move, seek, own_seek.

    `line`: another example than the usual one.
    """
    game, line = game or games.GAMES[0], line or command.example
    if "{move}" in line and facts.get("move") is None:
        opening = begin(Start(game, game.usual_options({}), game.info.seats[0], "example"))
        facts["move"] = game.shown_example(opening.position, min(opening.to_move))
    friends = " ".join(("alice", "bob", "carol", "dave")[: game.info.seats[0]])
    usual = {"board": 101, "userid": "alice", "newcomer": "alice", "players": friends, "other": "bob", "seek": 1}
    usual["own_seek"] = usual["seek"]
    display = game.info.displays[-1].name if game.info.displays else ""
    values = {**usual, **facts, "game": game.info.key, "display": display, "password": PASSWORD}
    return line.format(**values).rstrip()


# --- a line, parsed --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardRef:
    """A board number, perhaps with a ply: `101` or `101#7`."""

    number: int
    ply: int | None = None

    def __str__(self) -> str:
        return str(self.number) if self.ply is None else f"{self.number}#{self.ply}"


@dataclass(frozen=True)
class Call:
    """One command line, parsed. `values` has a value for each argument given: a tuple where it may be repeated."""

    command: CommandSyntax
    game: AnyGame | None
    values: Mapping[str, Any] = field(repr=False)
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> Any:
        """The value of an optional argument; None, or () where it may be repeated."""
        many = any(a.name == name and a.many for a in self.command.args)
        return self.values.get(name, () if many else None)

    @cached_property
    def credentials(self) -> tuple[str, str] | None:
        """The userid and password of the sender, if the call has them."""
        if "as" in self.settings:
            userid, _, password = self.settings["as"].partition(":")
            return userid.lower(), password
        given = (a.name for a in self.command.args if a.is_.secret and a.name in self.values)
        if (first := next(given, None)) is not None:
            return self.values["userid"], self.values[first]
        return None

    @property
    def new_password(self) -> str | None:
        """The password that the call sets."""
        names = (a.name for a in self.command.args if a.is_ is Is.NEW_PASSWORD)
        return self.values.get(next(names, ""))

    def shown(self, may_show: Callable[[str], bool]) -> str:
        """Return the line for showing and storing: without passwords, and without words that `may_show` refuses.

        The latter are needed because a player may write a password in the wrong place.
        """
        words = [self.game.info.key] if self.game else []
        words.append(self.command.verb)
        for arg in self.command.args:
            if arg.name in self.values:
                value = self.values[arg.name]
                words_given = map(str, value if arg.many else (value,))
                words += [PASSWORD if arg.is_.secret else w if may_show(w) else WORD for w in words_given]
        words += [f"-{k}={v if may_show(v) else WORD}" if v else f"-{k}" for k, v in self.options.items()]
        secret = {s.name for s in self.command.settings if s.secret}
        plain = {k: v if may_show(v) else WORD for k, v in self.settings.items() if k not in secret}
        words += [f"--{k}={v}" if v else f"--{k}" for k, v in plain.items()]
        return " ".join(words)


def game_of(call: Call) -> AnyGame:
    """The game of a call of a game's command."""
    if call.game is None:
        raise ValueError("the command table gives this command a game")
    return call.game


@dataclass(frozen=True)
class Understood:
    """The parts of a failed line that were understood. `command`: the row that was meant, or the nearest one."""

    command: CommandSyntax | None = None
    game: AnyGame | None = None
    call: Call | None = None

    @classmethod
    def of(cls, call: Call) -> "Understood":
        """Everything: the line is a call."""
        return cls(call.command, call.game, call)


class CallError(PlayerError):
    """A line that is no call."""

    def __init__(self, text: str, hint: str = "", understood: Understood = Understood(), unnamed: str = "") -> None:
        super().__init__(text, hint, unnamed=unnamed)
        self.understood = understood


class TooOften(PlayerError):
    """A line that was not checked, because too many of its kind came lately. Its answer says only this."""


@dataclass(frozen=True)
class CommandLanguage:
    """What the lines of a mail can say: all commands, in the order of the manual, and other words with a meaning."""

    commands: tuple[CommandSyntax, ...]
    reserved: frozenset[str]  #: words that cannot be a userid

    def game_command(self, verb: str) -> CommandSyntax:
        """The command of all games with this verb. Raises KeyError."""
        return self._game_commands[verb]

    @cached_property
    def reply_verbs(self) -> Mapping[str, CommandSyntax]:
        """Verb or synonym -> the command that it means on the first line of an answer to a board letter."""
        return {word: c for c in self.commands if c.reply for word in (c.verb, *c.synonyms)}

    @cached_property
    def known_words(self) -> frozenset[str]:
        """All words with a meaning in a mail: reserved ones, and those of synonyms."""
        return self.reserved | frozenset(word for verb in self.reply_verbs for word in verb.split())

    def offered(self, code: str) -> tuple[CommandSyntax, str] | None:
        """The command and the userid of an offered word, as `code_of` wrote them; None if this is no word."""
        start, _, userid = code.removeprefix(ASKED).partition(" ")
        replies = [c for c in self.commands if c.reply and c.verb.startswith(start)] if code.startswith(ASKED) else []
        return (replies[0], userid) if len(replies) == 1 else None

    @cached_property
    def _game_commands(self) -> Mapping[str, CommandSyntax]:
        return {c.verb: c for c in self.commands if c.scope is Scope.GAME}


def code_of(command: CommandSyntax, userid: str = "") -> str:
    """Return how an address of an offer holds a word, and whom it names. There is little room."""
    return f"{ASKED}{command.verb[:_OFFERED]} {userid}".rstrip()


_BOARD = re.compile(r"(\d{1,15})(?:#(\d{1,9}))?")


def is_userid(text: str) -> bool:
    """Whether the text has the form of a userid (`USERID`), in any case of letters."""
    return re.fullmatch(USERID, text.lower()) is not None


def is_password(text: str) -> bool:
    """Whether the text may be a new password: long enough, without spaces, quotes, colons or a leading dash."""
    return len(text) in PASSWORD_LENGTH and not re.search(r"[\s'\"`:]", text) and not text.startswith("-")


def read_board(text: str) -> BoardRef | None:
    """`101` or `101#7`."""
    match = _BOARD.fullmatch(text)
    return match and BoardRef(int(match[1]), int(match[2]) if match[2] else None)


def board_for_game(command: CommandSyntax, first: object) -> BoardRef | None:
    """Return the board whose number stands in for the game; None if a line of this command must name the game.

    `first`: the value of the first argument, or the word as it was written.
    """
    if command.scope is Scope.SERVER or not command.args or not command.args[0].name.startswith("board"):
        return None
    value = first[0] if isinstance(first, tuple) else first
    return value if isinstance(value, BoardRef) else read_board(str(value))


def read_value(arg: Arg, folded: str, raw: str) -> object:
    """The value of one word. Raises PlayerError with what the word should have been."""
    match arg.is_:
        case Is.PASSWORD:
            return raw
        case Is.NEW_PASSWORD:
            return _read_new_password(raw)
        case Is.OPPONENT if "@" in raw:
            return raw
        case Is.SETTING if "://" in raw:
            name, mark, value = raw.partition("=")
            return f"{name.lower()}{mark}{value}"
        case Is.WORD | Is.SETTING:
            return folded
    return _READERS[arg.is_](folded)


def _demand_board(text: str) -> BoardRef:
    board = read_board(text)
    if board is None:
        raise PlayerError(f"{quote(text)} is not a board number.", "Board numbers look like 101.")
    return board


def _read_number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise PlayerError(f"{quote(text)} is not a number.", "Write numbers with digits, such as 3.")
    return int(text)


def _read_new_password(text: str) -> str:
    if not is_password(text):
        raise PlayerError(
            f"A password must have {PASSWORD_CHARACTERS}, without spaces, quotes or colons, and must not begin with "
            "a dash.",
            "Choose another password.",
        )
    return text


def _read_userid(text: str) -> str:
    if not is_userid(text):
        why = f" cannot be a userid: it must have {USERID_LETTERS}, and begin with a letter."
        raise PlayerError(quote(text) + why, unnamed=_THAT_WORD + why)
    return text.lower()


_READERS: Mapping[Is, Callable[[str], object]] = {
    Is.USERID: _read_userid,
    Is.OPPONENT: _read_userid,
    Is.BOARD: _demand_board,
    Is.NUMBER: _read_number,
}
