"""Parses mails. Each line is parsed once, into a call: a command, a game and values."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from pbmserv.errors import PlayerError, may_be_password, no_such
from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import (
    WORD,
    Arg,
    Call,
    CallError,
    CommandLanguage,
    CommandSyntax,
    Is,
    Scope,
    Understood,
    board_for_game,
    read_value,
)
from pbmserv.inbox.lines.words.comment_words import asks
from pbmserv.inbox.lines.words.sentence_words import ASKING, POLITE
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.mail.reading.encoding import fold
from pbmserv.mail.signed_addresses import Token
from pbmserv.model.rows import Json

Games = Mapping[str, AnyGame]  #: by key and alias

NO_TITLES: Games = {}
#: Signs around a word in a sentence.
NOISE = "\t.,;:!?*_'\"()¡¿。"
#: The most commands in one mail.
MOST_LINES = 10
#: The most words in a command. Each takes some time, and a mail has room for thirty thousand.
MOST_WORDS = 250
#: From which similarity on (difflib's ratio) the first word of a mail is a misspelt command: dear is no ladder (0.6).
_LIKE_A_COMMAND = 0.61
_LONGEST_WORD = 60  # the most characters of a word whose spelling is compared with others
_TITLE = re.compile("error|invitation|seek [0-9]+")  # behind a game: how subjects of our letters end
_PROOF = "If it is your password, leave it out, or write it at the end of the line: --as=USERID:PASSWORD"
#: Letters whose answer can have a command in its subject, which then counts instead of the first line. The subjects of
#: our other letters are only titles.
_MAY_BE_CALL = (signed_addresses.BOARD, signed_addresses.CHAT, signed_addresses.DIGEST)


@dataclass(frozen=True)
class Request:
    """The content of a mail: calls; or the `first_line` of a mail to a signed address.

    `calls`: one for each command line, at most one more than allowed. A line that is no call has its error there.
    """

    calls: tuple[Call | CallError, ...] = ()
    token: Token | None = None
    first_line: str = ""
    comment: str = ""
    several: bool = False
    welcomed: Token | None = None  #: the calls answer a letter to a newcomer, whose address proves who writes

    @property
    def is_call(self) -> bool:
        """Whether the first line is a call without an error."""
        return bool(self.calls) and isinstance(self.calls[0], Call)


class Word(NamedTuple):
    """A word as it was written (for passwords), with plain dashes (for moves), and in lower case, too (for the rest).

    A game itself decides whether capitals matter in a move: in chess `Bxc3` is a bishop and `bxc3` is a pawn.
    """

    raw: str
    cased: str
    folded: str


@lru_cache(maxsize=32)  # the lines of a mail are looked at many times
def words_of(line: str, most: int = MOST_WORDS) -> tuple[Word, ...]:
    """Return the words of a line without a lone `**`, at most one more than `most`."""
    words = (w for w in line.split(None, most + 1)[: most + 1] if w != "**")
    return tuple([Word(w, cased, cased.lower()) for w in words for cased in [fold(w)]])


def spelled_like(word: str, names: Iterable[str], cutoff: float) -> list[str]:
    """Return the names with a spelling like that of a word, the nearest first; none for a very long word."""
    return get_close_matches(word, list(names), cutoff=cutoff) if len(word) <= _LONGEST_WORD else []


class Parser:
    """Reads the command language. Safe in any thread."""

    def __init__(self, language: CommandLanguage, games: Games, titles: Games = NO_TITLES) -> None:
        """`titles`: games by words that name them in some language, and that no list of games shows."""
        self._commands = language.commands
        self._games, self._titles = games, titles
        server = {name for c in language.commands if c.scope is Scope.SERVER for name in c.names}
        #: Commands of games whose verb alone is no command of the server.
        of_games = [c for c in language.commands if c.scope is Scope.GAME]
        self._of_games = {c.verb: c for c in of_games if c.verb not in server}
        #: Words that mean a command of games on a line of their own, perhaps with the number of a board.
        self._alone = {word: c for c in reversed(of_games) for word in (*c.synonyms, *c.names) if word not in server}

    def request(self, mail: Mail, token: Token | None) -> Request:
        """Parse a mail: its subject, the lines of its body, or the first line of a reply."""
        # Without a command below it, it is an answer to the answer to several commands.
        several = mail.subject.lower() == "multiple" and (token is None or self._lines(mail.body).is_call)
        subject = self.call_or_error(mail.subject) if mail.subject and not several else None
        comment = "" if mail.is_signature else mail.body  # below a command in the subject
        welcomed = token is not None and token.purpose == signed_addresses.WELCOME
        if token is not None and (welcomed or not several):
            is_call = isinstance(subject, Call) and token.purpose in _MAY_BE_CALL
            if welcomed and (request := self._lines(mail.body)).is_call:
                return replace(request, welcomed=token)  # a newcomer answers the letter with a command that it names
            if welcomed and isinstance(subject, Call) and not subject.command.question:  # "Help" is a title
                return Request((subject,), comment=comment, welcomed=token)
            if not is_call:
                first, _, rest = mail.body.strip().partition("\n")
                return Request(token=token, first_line=first, comment=rest.strip("\n"))
        if subject is not None:
            is_clear = isinstance(subject, Call) and not subject.command.question
            is_title = not self._is_meant(subject, mail.subject, misspelt=False) or (mail.references and not is_clear)
            if is_title and (request := self._lines(mail.body)).is_call:
                return request  # the subject is only a title, such as "hello", or that of an answered letter
            return Request((subject,) if self._is_meant(subject, mail.subject) else (), comment=comment)
        return self._lines(mail.body)

    def _lines(self, body: str) -> Request:
        """Parse each line of the body as a command, if the first line is meant as a command."""
        lines = _body_lines(body)
        if not lines:
            return Request()
        first = self.call_or_error(lines[0])
        if not self._is_meant(first, lines[0]):
            return Request()
        return Request((first, *map(self.call_or_error, lines[1:])), several=True)

    def call_or_error(self, line: str) -> Call | CallError:
        """Parse a line, and return the call or the error."""
        try:
            return self.call(line)
        except CallError as e:
            return e

    def call(self, line: str) -> Call:
        """Parse a line. Raises CallError."""
        words = _without_colon(words_of(line))
        if not words:
            raise CallError("There is no command in this mail.", "Send: help")
        if len(words) > MOST_WORDS:
            raise CallError(
                f"A command can have at most {MOST_WORDS} words, and this one has {len(line.split())}.", "Send: help"
            )
        if without_game := self._of_a_board(words):
            return _read(without_game, None, words[1:])
        game = self._games.get(words[0].folded) or self._titles.get(words[0].folded)
        rest = words[1:] if game else words
        if polite := self._among(words, POLITE):
            return polite
        try:
            command, used = self._find(rest, game)
        except CallError:
            if asked := self._among(words, POLITE | ASKING):
                return asked
            raise
        return _read(command, game, rest[used:])

    def _among(self, words: Sequence[Word], others: frozenset[str]) -> Call | None:
        """Return the call of a question such as `Help, please!`, if only its name is left without other words."""
        bare = [word for w in words if (word := w.folded.strip(NOISE)) and word not in others]
        if not bare or bare == [w.folded for w in words]:
            return None
        named = (c for c in self._commands if c.scope is Scope.SERVER and c.question and c.named_by(bare) == len(bare))
        command = next((c for c in named if all(arg.optional for arg in c.args)), None)
        return Call(command, None, {}) if command else None

    def _of_a_board(self, words: Sequence[Word]) -> CommandSyntax | None:
        """The command, if the words are its verb and the number of a board, as in `show 107`."""
        command = self._of_games.get(words[0].folded)
        return command if command and len(words) > 1 and board_for_game(command, words[1].folded) else None

    def _is_meant(self, call: Call | CallError, line: str, *, misspelt: bool = True) -> bool:
        """Return whether a line is meant as a command: its first word is one, or looks like one if `misspelt`."""
        if isinstance(call, Call):
            return True
        words = [w.folded for w in words_of(line)]
        if not words or words[0].strip(NOISE) in POLITE or asks(words):  # hello is no othello, how do I join is no game
            return False
        if words[0] in self._games:
            return not _TITLE.fullmatch(" ".join(words[1:]))
        server = [c for c in self._commands if c.scope is Scope.SERVER]
        if any(c.named_by(words) or words[0] in c.synonyms for c in server) or self._game_verb(words[1:]):
            return True
        if _without_number(words) in self._alone or (words[0] in self._titles and self._alone.keys() >= {*words[1:2]}):
            return True
        verbs = [c.verb for c in self._commands]
        if not misspelt:
            return words[0] in verbs
        return bool(_shortened(words[0], server) or spelled_like(words[0], [*verbs, *self._games], _LIKE_A_COMMAND))

    def _find(self, words: Sequence[Word], game: AnyGame | None) -> tuple[CommandSyntax, int]:
        """Find the command, and how many words name it."""
        if not words:
            raise CallError("The line names a game, but no command.", _of_a_game(game))
        scope, folded = Scope.GAME if game else Scope.SERVER, [w.folded for w in words]
        for command in self._commands:
            if command.scope is scope and (used := command.named_by(folded)):
                return command, used
        short = _shortened(words[0].folded, [c for c in self._commands if c.scope is scope])
        if len(short) == 1 and short[0].may_shorten:
            return short[0], 1
        if short:
            raise _too_short(words[0].folded, short, game)
        raise self._unknown(words, game)

    def _unknown(self, words: Sequence[Word], game: AnyGame | None) -> CallError:
        """Make the error for an unknown verb, with the nearest ones."""
        verb, commands = words[0].folded, self._commands
        if game is None and (meant := self._game_verb([w.folded for w in words[1:]])):
            return self._unknown_game(verb, meant)
        if game and verb.startswith("-"):
            takes = next((c for c in commands if c.takes_options), None)
            return CallError(
                "An option cannot come before the command.", "Write it after the command.", Understood(takes, game)
            )
        there = no_such("command", verb) + (f" in {game.info.name}." if game else ".")
        here = {name: c for c in commands if (c.scope is Scope.GAME) == bool(game) for name in c.names}
        alone = None if game else self._alone.get(_without_number([w.folded for w in words]))
        elsewhere = alone or next((c for c in commands if verb in c.names), None)
        if elsewhere:
            without = "It is not a command of a game: send it without the game."
            hint = without if game else "Begin the line with the game."
            return CallError(there, hint, Understood(elsewhere))
        near = self._synonymous(verb, game) or [name for name in here if name.startswith(f"{verb} ")]
        near = near or spelled_like(verb, [*here, *({} if game else self._games)], 0.7)
        prefix = f"{game.info.key} " if game else ""
        hint = f"Did you mean: {', '.join(prefix + n for n in near)}" if near else f"Send: {prefix}help"
        return CallError(there, hint, Understood(here.get(near[0]) if near else None, game))

    def _synonymous(self, word: str, game: AnyGame | None) -> list[str]:
        """The verbs that this word means in everyday language."""
        scope = Scope.GAME if game else Scope.SERVER
        return [c.verb for c in self._commands if c.scope is scope and word in c.synonyms]

    def _unknown_game(self, name: str, meant: CommandSyntax) -> CallError:
        like = spelled_like(name, self._games, 0.6)
        hint = f"Did you mean: {', '.join(like)}" if like else f"Available: {', '.join(self._games)}"
        return CallError(f"{no_such('game', name)}.", hint, Understood(meant))

    def _game_verb(self, words: Sequence[str]) -> CommandSyntax | None:
        """Return the command of games with which these words begin. The word before it was then meant as a game."""
        return next((c for c in self._commands if c.scope is Scope.GAME and c.named_by(words)), None)


def _without_number(words: Sequence[str]) -> str:
    """Return a line in lower case without the number of a board, as in `aufgeben 101`."""
    return " ".join(word for word in words if not word.isdecimal())


def _of_a_game(game: AnyGame | None) -> str:
    key = game.info.key if game else ""
    return f"To play it, send: play {key}\nTo get its rules, send: {key} help"


def _without_colon(words: Sequence[Word]) -> list[Word]:
    """Return words whose first one has lost the colon behind it, as in `signup: alice PASSWORD`."""
    return [Word(*(text.rstrip(":") for text in words[0])), *words[1:]] if words else []


def _body_lines(body: str) -> list[str]:
    """Return the lines of the body up to `signoff`, at most one more than allowed, so that it can be refused."""
    lines: list[str] = []
    for line in body.splitlines():
        if [w.folded for w in words_of(line)] == ["signoff"] or len(lines) > MOST_LINES:
            break
        if line.strip():
            lines.append(line)
    return lines


def _shortened(verb: str, candidates: Sequence[CommandSyntax]) -> list[CommandSyntax]:
    """Return the commands that begin with these two or more letters, also those that must not be shortened."""
    return [c for c in candidates if len(verb) > 1 and c.verb.startswith(verb) and " " not in c.verb]


def _too_short(verb: str, short: Sequence[CommandSyntax], game: AnyGame | None) -> CallError:
    prefix = f"{game.info.key} " if game else ""
    choices = ", ".join(prefix + c.verb for c in short)
    if len(short) > 1:
        return CallError(
            f"'{verb}' could mean several commands.", f"Send one of: {choices}", Understood(short[0], game)
        )
    return CallError(
        f"'{verb}' is too short: write that command in full.", f"Send: {choices}", Understood(short[0], game)
    )


def is_move(word: str, game: AnyGame) -> bool:
    """Return whether a word has the form of a move, perhaps with a ply (`move#7`). In chess, # alone is mate."""
    move, _, ply = word.partition("#")
    return game.is_move(game.normalise(move)) and (ply.isdecimal() or not ply)


def _read(command: CommandSyntax, game: AnyGame | None, words: Sequence[Word]) -> Call:
    options: dict[str, str] = {}
    settings: dict[str, str] = {}
    values: Json = {}
    try:
        has_options = command.takes_options or bool(command.settings)
        dashed = [w for w in words if has_options and w.folded.startswith("-")]
        for arg, value in _values(command, [w for w in words if w not in dashed]):
            values[arg.name] = (*values.get(arg.name, ()), value) if arg.many else value
        for word in dashed:
            _read_option(word, command, game, options, settings)
    except PlayerError as e:
        call = Call(command, game, values, options, settings)
        raise CallError(e.text, e.hint, Understood.of(call), e.unnamed) from e
    return Call(command, game, values, options, settings)


def _values(command: CommandSyntax, words: Sequence[Word]) -> Iterator[tuple[Arg, object]]:
    """Pair each word with its argument. The last argument can take many. Raises PlayerError for too few or too many."""
    left = list(words)
    for arg in command.args:
        if not left and not arg.optional:
            article = "At least one" if arg.many else "The"
            raise PlayerError(f"{article} {arg.name} is missing.")
        while left:
            word = left.pop(0)
            if word.folded.startswith("-") and not (arg.is_.secret or arg.dashed):
                raise PlayerError(f"The command {command.verb} takes no options.", "Leave the option out.")
            if arg.is_ is Is.NEW_PASSWORD and not all("@" in more.raw for more in left):
                raise PlayerError(
                    "A userid and a password are one word each, and your line has more words.",
                    "Write both without spaces. Nothing but mail addresses can follow.",
                )
            yield arg, word.cased if arg.is_ is Is.MOVE else _value(command, arg, word)
            if not arg.many:
                break
    if left:
        raise PlayerError(
            f"There are {len(left)} words too many at the end."
            if len(left) > 1
            else "There is one word too many at the end."
        )


def _value(command: CommandSyntax, arg: Arg, word: Word) -> object:
    """Return the value of a word. Raises PlayerError, which says where a password belongs if it may be one."""
    try:
        return read_value(arg, word.folded, word.raw)
    except PlayerError as e:
        takes_proof = arg.is_ is Is.OPPONENT and any(setting.secret for setting in command.settings)
        raise PlayerError(e.text, _PROOF, unnamed=e.unnamed) if takes_proof else e from e


def _read_option(
    word: Word, command: CommandSyntax, game: AnyGame | None, options: dict[str, str], settings: dict[str, str]
) -> None:
    """Put `-name=value` among the game's options or `--name=value` among the server's. Raises PlayerError."""
    name, _, value = word.folded.lstrip("-").partition("=")
    known = {o.name: o for o in game.info.options} if game and command.takes_options else {}
    setting = next((s for s in command.settings if s.name == name), None)
    # Some mailers turn two dashes into one long dash. This is safe, because no option of a game has a setting's name,
    # except the size of a tournament: there one dash means the game.
    if setting and (word.folded.startswith("--") or name not in known):
        if bool(setting.value) != bool(value):
            raise PlayerError(f"'--{name}' is written like this: {setting.usage}")
        settings[name] = word.raw.partition("=")[2] if setting.secret or setting.cased else value
        return
    option = known.get(name)
    if option is None or word.folded.startswith("--"):
        dashed = word.folded.partition("=")[0]
        is_shown = dashed.replace("-", "").isalpha() or not may_be_password(dashed.lstrip("-"))
        options[dashed[1:] if is_shown else WORD] = value  # the answer repeats it
        rows = [f"-{o}" for o in known] + [s.usage for s in command.settings]
        there = f"There is no option '{dashed[:_LONGEST_WORD]}'." if is_shown else "There is no such option."
        raise PlayerError(there, f"Available: {', '.join(rows) or 'none'}")
    options[name] = value  # until it is read
    stored = option.read(value)
    if stored and stored == option.usual:
        del options[name]
    else:
        options[name] = stored
