"""A line of a mail becomes a call: which command, of which game, with which values."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from pbmserv.errors import PlayerError, no_such
from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import Arg, Call, CallError, Command, Scope, read_value
from pbmserv.mail.reading.encoding import fold

Games = Mapping[str, AnyGame]  #: by key and alias

#: Words of one command: each costs a little, and a mail has room for thirty thousand.
MOST_WORDS = 250


class Word(NamedTuple):
    """A word as it was written (passwords), and folded: lower case, plain dashes (everything else)."""

    raw: str
    folded: str


def words_of(line: str) -> list[Word]:
    """The words of a line; a lone `**` is ignored."""
    return [Word(w, fold(w).lower()) for w in line.split() if w != "**"]


def parse(line: str, commands: Sequence[Command], games: Games) -> Call:
    """The call that a line makes. Raises CallError."""
    words = words_of(line)
    if not words:
        raise CallError("There is no command in this mail.", "Send: help")
    if len(words) > MOST_WORDS:
        raise CallError(f"A command has at most {MOST_WORDS} words, and this one has {len(words)}.", "Send: help")
    game = games.get(words[0].folded)
    rest = words[1:] if game else words
    command, used = _find(rest, commands, game, games)
    return _read(command, game, rest[used:])


def is_command(line: str, commands: Sequence[Command], games: Games) -> bool:
    """Whether the first word of a line says that it is meant as a command, perhaps misspelt."""
    words = words_of(line)
    if not words:
        return False
    if words[0].folded in games:
        return True
    server = [c for c in commands if c.scope is Scope.SERVER]
    folded = [w.folded for w in words]
    if any(c.named_by(folded) for c in server) or _game_verb(folded[1:], commands):
        return True
    verbs = [c.verb for c in commands]
    return bool(_shortened(words[0].folded, server) or get_close_matches(words[0].folded, [*verbs, *games], cutoff=0.6))


def parse_reply(line: str, commands: Sequence[Command], game: AnyGame) -> tuple[Command, tuple[str, ...]] | None:
    """The verb or the moves on the first line of a reply; None unless every word of the line is understood."""
    words = [w.folded for w in words_of(line)]
    if not words:
        return None
    for command in commands:
        if command.reply and words == [command.verb]:
            return command, ()
    moves = [m for w in words for m in game.words(w)]
    if not all(_is_move(m, game) for m in moves):
        return None
    return next(c for c in commands if c.verb == "move"), tuple(moves)


def _find(
    words: Sequence[Word], commands: Sequence[Command], game: AnyGame | None, games: Games
) -> tuple[Command, int]:
    """The command, and how many words name it."""
    if not words:
        raise CallError("What shall be done? The line names a game only.", f"Send: {game and game.info.key} help")
    scope, folded = Scope.GAME if game else Scope.SERVER, [w.folded for w in words]
    for command in commands:
        if command.scope is scope and (used := command.named_by(folded)):
            return command, used
    short = _shortened(words[0].folded, [c for c in commands if c.scope is scope])
    if len(short) == 1 and short[0].may_shorten:
        return short[0], 1
    if short:
        raise _too_short(words[0].folded, short, game)
    raise _unknown(words, commands, game, games)


def _shortened(verb: str, candidates: Sequence[Command]) -> list[Command]:
    """The commands that begin with these letters, two or more. Some may not be shortened, but may be meant."""
    return [c for c in candidates if len(verb) > 1 and c.verb.startswith(verb) and " " not in c.verb]


def _too_short(verb: str, short: Sequence[Command], game: AnyGame | None) -> CallError:
    prefix = f"{game.info.key} " if game else ""
    choices = ", ".join(prefix + c.verb for c in short)
    if len(short) > 1:
        return CallError(f"'{verb}' is short for several commands.", f"Send one of: {choices}", short[0], game)
    return CallError(f"'{verb}' is too short: that word has to be written in full.", f"Send: {choices}", short[0], game)


def _unknown(words: Sequence[Word], commands: Sequence[Command], game: AnyGame | None, games: Games) -> CallError:
    """The error for a verb that is none, with the nearest ones."""
    verb = words[0].folded
    if game is None and (meant := _game_verb([w.folded for w in words[1:]], commands)):
        return _unknown_game(verb, meant, games)
    if game and verb.startswith("-"):
        takes = next((c for c in commands if c.takes_options), None)
        return CallError("An option cannot stand before the verb.", "Write it behind the verb.", takes, game)
    there = no_such("command", verb) + (f" in {game.info.name}." if game else ".")
    here = {name: c for c in commands if (c.scope is Scope.GAME) == bool(game) for name in c.names}
    elsewhere = next((c for c in commands if verb in c.names), None)
    if elsewhere:
        hint = "It is not a game's: send it without the game." if game else "Begin with the game."
        return CallError(there, hint, elsewhere)
    near = get_close_matches(verb, [*here, *({} if game else games)], n=3, cutoff=0.5)
    prefix = f"{game.info.key} " if game else ""
    hint = f"Perhaps: {', '.join(prefix + n for n in near)}" if near else f"Send: {prefix}help"
    return CallError(there, hint, here.get(near[0]) if near else None, game)


def _unknown_game(name: str, meant: Command, games: Games) -> CallError:
    near = get_close_matches(name, list(games), n=3, cutoff=0.6)
    hint = f"Perhaps: {', '.join(near)}" if near else f"Known are: {', '.join(games)}"
    return CallError(f"{no_such('game', name)}.", hint, meant)


def _game_verb(words: Sequence[str], commands: Sequence[Command]) -> Command | None:
    """The game's command that these words begin with, so that the word before them was meant as a game."""
    return next((c for c in commands if c.scope is Scope.GAME and c.named_by(words)), None)


def _is_move(word: str, game: AnyGame) -> bool:
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
        raise CallError(e.text, e.hint, command, game, Call(command, game, values, options, settings)) from e
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
