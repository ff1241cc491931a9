"""What a mail asks for: each of its lines becomes a call, once: which command, of which game, with which values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

from pbmserv.errors import PlayerError, no_such
from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import (
    Arg,
    Call,
    CallError,
    Command,
    CommandLanguage,
    Scope,
    Understood,
    read_board,
    read_value,
)
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.mail.reading.encoding import fold
from pbmserv.mail.signed_addresses import Token

Games = Mapping[str, AnyGame]  #: by key and alias

#: Commands in one mail.
MOST_LINES = 10
#: Words of one command: each costs a little, and a mail has room for thirty thousand.
MOST_WORDS = 250
#: The letters whose answer may have a command in its subject that counts more than its first line. The subjects of
#: our other letters are only titles.
_MAY_BE_CALL = (signed_addresses.BOARD, signed_addresses.DIGEST)


@dataclass(frozen=True)
class Request:
    """What a mail asks for: calls; or, sent to a signed address, what `first_line` says there.

    `calls`: one for each command line, at most one more than may be run; a line that is no call has its error there.
    """

    calls: tuple[Call | CallError, ...] = ()
    token: Token | None = None
    first_line: str = ""
    comment: str = ""
    several: bool = False


class Word(NamedTuple):
    """A word as it was written (passwords), and folded: lower case, plain dashes (everything else)."""

    raw: str
    folded: str


def words_of(line: str) -> list[Word]:
    """The words of a line; a lone `**` is ignored."""
    return [Word(w, fold(w).lower()) for w in line.split() if w != "**"]


class Parser:
    """Reads the command language. Safe in any thread."""

    def __init__(self, language: CommandLanguage, games: Games) -> None:
        self._commands = language.commands
        self._games = games
        server = {name for c in language.commands if c.scope is Scope.SERVER for name in c.names}
        #: Commands that need no game before them if a board follows: its number says the game.
        self._of_a_board = {
            c.verb: c
            for c in language.commands
            if c.scope is Scope.GAME and c.verb not in server and c.args and c.args[0].name.startswith("board")
        }

    def request(self, mail: Mail, token: Token | None) -> Request:
        """What a mail asks for: by its subject, the lines of its body, or the first line of a reply."""
        several = mail.subject.lower() == "multiple"
        subject = self.call_or_error(mail.subject) if mail.subject and not several else None
        if token is not None and not several:
            is_call = isinstance(subject, Call) and token.purpose in _MAY_BE_CALL
            if not is_call:
                first, _, rest = mail.body.strip().partition("\n")
                return Request(token=token, first_line=first, comment=rest.strip("\n"))
        if subject is not None:
            return Request((subject,) if self._is_meant(subject, mail.subject) else (), comment=mail.body)
        return self._lines(mail.body)

    def _lines(self, body: str) -> Request:
        """A command on each line of the body, if the first one is meant as a command."""
        lines = _body_lines(body)
        if not lines:
            return Request()
        first = self.call_or_error(lines[0])
        if not self._is_meant(first, lines[0]):
            return Request()
        return Request((first, *map(self.call_or_error, lines[1:])), several=True)

    def call_or_error(self, line: str) -> Call | CallError:
        """The call that a line makes, or why it makes none."""
        try:
            return self.call(line)
        except CallError as e:
            return e

    def call(self, line: str) -> Call:
        """The call that a line makes. Raises CallError."""
        words = words_of(line)
        if not words:
            raise CallError("There is no command in this mail.", "Send: help")
        if len(words) > MOST_WORDS:
            raise CallError(f"A command has at most {MOST_WORDS} words, and this one has {len(words)}.", "Send: help")
        if used := self._names_a_board(words):
            return _read(self._of_a_board[words[0].folded], None, words[used:])
        game = self._games.get(words[0].folded)
        rest = words[1:] if game else words
        command, used = self._find(rest, game)
        return _read(command, game, rest[used:])

    def _names_a_board(self, words: Sequence[Word]) -> int:
        """1 if the words are a verb of a game and the number of a board, as in `show 107`; else 0."""
        return int(len(words) > 1 and words[0].folded in self._of_a_board and read_board(words[1].folded) is not None)

    def _is_meant(self, found: Call | CallError, line: str) -> bool:
        """Whether a line is meant as a command, perhaps misspelt: it is a call, or its first word says so."""
        if isinstance(found, Call):
            return True
        words = [w.folded for w in words_of(line)]
        if not words:
            return False
        if words[0] in self._games:
            return True
        server = [c for c in self._commands if c.scope is Scope.SERVER]
        if any(c.named_by(words) or words[0] in c.synonyms for c in server) or self._game_verb(words[1:]):
            return True
        verbs = [c.verb for c in self._commands]
        return bool(_shortened(words[0], server) or get_close_matches(words[0], [*verbs, *self._games], cutoff=0.6))

    def _find(self, words: Sequence[Word], game: AnyGame | None) -> tuple[Command, int]:
        """The command, and how many words name it."""
        if not words:
            raise CallError("What shall be done? The line names a game only.", f"Send: {game and game.info.key} help")
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
        """The error for a verb that is none, with the nearest ones."""
        verb, commands = words[0].folded, self._commands
        if game is None and (meant := self._game_verb([w.folded for w in words[1:]])):
            return self._unknown_game(verb, meant)
        if game and verb.startswith("-"):
            takes = next((c for c in commands if c.takes_options), None)
            return CallError(
                "An option cannot stand before the verb.", "Write it behind the verb.", Understood(takes, game)
            )
        there = no_such("command", verb) + (f" in {game.info.name}." if game else ".")
        here = {name: c for c in commands if (c.scope is Scope.GAME) == bool(game) for name in c.names}
        elsewhere = next((c for c in commands if verb in c.names), None)
        if elsewhere:
            hint = "It is not a game's: send it without the game." if game else "Begin with the game."
            return CallError(there, hint, Understood(elsewhere))
        near = self._synonymous(verb, game) or [name for name in here if name.startswith(f"{verb} ")]
        near = near or get_close_matches(verb, [*here, *({} if game else self._games)], n=3, cutoff=0.7)
        prefix = f"{game.info.key} " if game else ""
        hint = f"Perhaps: {', '.join(prefix + n for n in near)}" if near else f"Send: {prefix}help"
        return CallError(there, hint, Understood(here.get(near[0]) if near else None, game))

    def _synonymous(self, word: str, game: AnyGame | None) -> list[str]:
        """The verbs that this word means in everyday language."""
        scope = Scope.GAME if game else Scope.SERVER
        return [c.verb for c in self._commands if c.scope is scope and word in c.synonyms]

    def _unknown_game(self, name: str, meant: Command) -> CallError:
        near = get_close_matches(name, list(self._games), n=3, cutoff=0.6)
        hint = f"Perhaps: {', '.join(near)}" if near else f"Known are: {', '.join(self._games)}"
        return CallError(f"{no_such('game', name)}.", hint, Understood(meant))

    def _game_verb(self, words: Sequence[str]) -> Command | None:
        """The game's command that these words begin with, so that the word before them was meant as a game."""
        return next((c for c in self._commands if c.scope is Scope.GAME and c.named_by(words)), None)


def _body_lines(body: str) -> list[str]:
    """The lines of the body until one that says `signoff`; one more than may be run, so that it can be refused."""
    lines: list[str] = []
    for line in body.splitlines():
        if [w.folded for w in words_of(line)] == ["signoff"] or len(lines) > MOST_LINES:
            break
        if line.strip():
            lines.append(line)
    return lines


def _shortened(verb: str, candidates: Sequence[Command]) -> list[Command]:
    """The commands that begin with these letters, two or more. Some may not be shortened, but may be meant."""
    return [c for c in candidates if len(verb) > 1 and c.verb.startswith(verb) and " " not in c.verb]


def _too_short(verb: str, short: Sequence[Command], game: AnyGame | None) -> CallError:
    prefix = f"{game.info.key} " if game else ""
    choices = ", ".join(prefix + c.verb for c in short)
    if len(short) > 1:
        return CallError(
            f"'{verb}' is short for several commands.", f"Send one of: {choices}", Understood(short[0], game)
        )
    return CallError(
        f"'{verb}' is too short: that word has to be written in full.", f"Send: {choices}", Understood(short[0], game)
    )


def is_move(word: str, game: AnyGame) -> bool:
    """Whether a word has the form of a move, perhaps with the ply at which it is meant (`move#7`)."""
    move, mark, ply = word.partition("#")
    return game.is_move(game.normalise(move)) and (ply.isdecimal() or not mark)


def _read(command: Command, game: AnyGame | None, words: Sequence[Word]) -> Call:
    options: dict[str, str] = {}
    settings: dict[str, str] = {}
    values: dict[str, Any] = {}
    try:
        has_options = command.takes_options or bool(command.settings)
        dashed = [w for w in words if has_options and w.folded.startswith("-")]
        for arg, value in _values(command, [w for w in words if w not in dashed]):
            values[arg.name] = (*values.get(arg.name, ()), value) if arg.many else value
        for word in dashed:
            _read_option(word, command, game, options, settings)
    except PlayerError as e:
        call = Call(command, game, values, options, settings)
        raise CallError(e.text, e.hint, Understood.of(call)) from e
    return Call(command, game, values, options, settings)


def _values(command: Command, words: Sequence[Word]) -> Iterator[tuple[Arg, Any]]:
    """Each word with its argument; the last argument may take many. Raises PlayerError on too few or too many."""
    left = list(words)
    for arg in command.args:
        if not left and not arg.optional:
            article = "At least one" if arg.many else "The"
            raise PlayerError(f"{article} {arg.name} is missing.")
        while left:
            word = left.pop(0)
            if word.folded.startswith("-") and not (arg.is_.secret or arg.dashed):
                raise PlayerError(f"The command {command.verb} takes no options.", "Leave the option out.")
            yield arg, read_value(arg, word.folded, word.raw)
            if not arg.many:
                break
    if left:
        raise PlayerError(
            f"There are {len(left)} words too many at the end."
            if len(left) > 1
            else "There is one word too many at the end."
        )


def _read_option(
    word: Word, command: Command, game: AnyGame | None, options: dict[str, str], settings: dict[str, str]
) -> None:
    """Put `-name=value` among the game's options or `--name=value` among the server's. Raises PlayerError."""
    name, _, value = word.folded.lstrip("-").partition("=")
    known = {o.name: o for o in game.info.options} if game and command.takes_options else {}
    setting = next((s for s in command.settings if s.name == name), None)
    # Some mailers turn two dashes into one long one; no game's option may have a setting's name.
    if setting:
        if bool(setting.value) != bool(value):
            raise PlayerError(f"'--{name}' is written so: {setting.usage}")
        settings[name] = word.raw.partition("=")[2] if setting.secret else value
        return
    option = known.get(name)
    if option is None or word.folded.startswith("--"):
        rows = [f"-{o}" for o in known] + [s.usage for s in command.settings]
        raise PlayerError(f"{no_such('option', word.folded)}.", f"Known are: {', '.join(rows) or 'none'}")
    if (value or "") not in (option.values or ("",)):
        choices = ", ".join(f"-{name}={v}" for v in option.values) or f"-{name}"
        raise PlayerError(f"The option '-{name}' is written so: {choices}")
    options[name] = value
