"""The sentences that are made in Python, in other languages than English: a table of patterns (ADR 11).

The rules, the log and the commands speak English, in finished sentences; some were stored with a move years ago. Such
a sentence is looked up when a letter is rendered. The pattern `There is no board '{word}'.` fits the sentence `There is
no board '999'.`, and what stands there for `word` is filled into the sentence of the other language.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from string import Formatter
from typing import Any, NamedTuple

from pbmserv import games
from pbmserv.letters.text.men import lettered

#: Gives the sentences of the program in the language of a reader.
Say = Callable[[str], str]

_LONGEST = 2000  #: characters of a line; what is longer was written by a person or lists very much
_SENTENCE = re.compile(r"(?<=[.:!?]) ")
#: What a placeholder may stand for, by what follows its colon: digits, a word, a game, anything without a line end.
_GAME = "g"  #: a name or a key of a game that is installed: Winter games are no games of Winter
_WORD = re.compile(r"[^ ]+?(?=,?(?: |$))")
_KINDS = {"d": r"-?[0-9][0-9.]*", "w": r"\S+?", _GAME: r".*?", "": r".*?"}


_Part = tuple[str, str | None, str | None, str | None]  #: as `Formatter.parse` yields them


class _Pattern(NamedTuple):
    """A sentence: how it begins and ends, what it looks like, and what it is in the other language."""

    prefix: str
    suffix: str
    parts: tuple[_Part, ...]
    translated: str

    def match(self, text: str) -> Mapping[str, str] | None:
        """Return what stands in a text for the placeholders; None if the pattern does not fit."""
        match = _expression(self.parts).fullmatch(text)
        return match.groupdict() if match and all(_is_game(match[name]) for name in _games_in(self.parts)) else None


class Messages:
    """A table of sentences. On the right, `{words!t}` looks up what is filled in, `{words!w}` does so word by word.

    A comma behind such a word stays as it is. `{move!m}` is a move, or several, with the letters of the language.
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        """Raises ValueError if a line of the table is not written as it should be."""
        for key, translated in table.items():
            _check(key, translated)
        self._table = dict(table)
        self.say = lru_cache(maxsize=4096)(self._say)
        self._like = lru_cache(maxsize=256)(self._beginning)

    def find(self, text: str) -> str | None:
        """The translation of a sentence; None if there is none. If several patterns fit, the most literal counts."""
        if text in self._table:
            return self._table[text]
        for pattern in self._like(text[:1]):
            if not (text.startswith(pattern.prefix) and text.endswith(pattern.suffix)):
                continue  # as nearly all, and without the cost of a call
            if (filled := pattern.match(text)) is not None:
                return _Filler(self).vformat(pattern.translated, (), filled)
        return None

    def _say(self, text: str) -> str:
        """A text translated line by line, or else sentence by sentence; what the table does not have stays as it is."""
        return "\n".join(map(self._say_line, text.split("\n")))

    def _say_line(self, line: str) -> str:
        translated = self.find(line) if len(line) <= _LONGEST else line
        if translated is not None:
            return translated
        for end in _SENTENCE.finditer(line):
            if (first := self.find(line[: end.start()])) is not None:
                return f"{first} {self._say_line(line[end.end() :])}"
        return line

    def _beginning(self, character: str) -> list[_Pattern]:
        """Those patterns that a text with this first character may have."""
        return [pattern for pattern in self._patterns if pattern.prefix[:1] in ("", character)]

    @cached_property
    def _patterns(self) -> list[_Pattern]:
        fields = {key: tuple(Formatter().parse(key)) for key in self._table if "{" in key}
        literal = {key: sum(len(text) for text, *_ in parts) for key, parts in fields.items()}
        by_literal = sorted(fields, key=lambda key: (-literal[key], key))
        return [_Pattern(fields[key][0][0], _end(fields[key]), fields[key], self._table[key]) for key in by_literal]


class _Filler(Formatter):
    """Fills what was found into a sentence."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def convert_field(self, value: Any, conversion: str | None) -> object:
        """A value as it is to be filled in."""
        if conversion == "t":
            return self._messages.say(value)
        if conversion == "w":
            value = _WORD.sub(lambda word: self._messages.say(word[0]), value)
        return lettered(value, self._messages.say) if conversion else value


def _check(key: str, translated: str) -> None:
    """Raise ValueError unless the left side is a pattern, and the right one needs only what the left one finds."""
    try:
        fields = [(name, kind) for _, name, kind, _ in Formatter().parse(key) if name is not None]
        used = [(name, mark) for _, name, _, mark in Formatter().parse(translated) if name is not None]
    except (ValueError, TypeError):
        raise ValueError(f"{key!r}: braces stand in pairs around a name, and on the right is a sentence") from None
    names = {name for name, _ in fields}
    if len(names) < len(fields) or not all(n.isidentifier() and kind in _KINDS for n, kind in fields):
        raise ValueError(f"{key!r}: a placeholder is a name of its own, with :d, :w, :g or nothing behind it")
    if not all(name in names and mark in (None, *"twm") for name, mark in used):
        raise ValueError(f"{key!r}: on the right stand only placeholders of the left, with !t, !w, !m or nothing")


def _games_in(parts: Iterable[_Part]) -> tuple[str, ...]:
    return tuple(name for _, name, kind, _ in parts if name and kind == _GAME)


def _is_game(text: str) -> bool:
    return text.lower() in games.names() or any(text == game.info.name for game in games.all_games())


def _end(parts: Sequence[_Part]) -> str:
    """What stands behind the last placeholder."""
    text, name, *_ = parts[-1]
    return text if name is None else ""


@cache
def _expression(parts: Sequence[_Part]) -> re.Pattern[str]:
    """The parts of a pattern as an expression. It tries no part twice, so that no text makes it slow."""
    (first, *_), *_ = parts
    fields = [(name or "", _KINDS[kind or ""]) for _, name, kind, _ in parts if name is not None]
    literals = [text for text, *_ in parts[1:]] + [""] * (len(fields) - len(parts) + 1)
    groups = [rf"(?>(?P<{n}>{k}){re.escape(x)})" for (n, k), x in zip(fields[:-1], literals[:-1], strict=True)]
    name, kind = fields[-1]
    return re.compile(f"{re.escape(first)}{''.join(groups)}(?P<{name}>{kind}){re.escape(literals[-1])}")
