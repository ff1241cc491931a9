"""Reads files of tags and moves, as PGN has them: many games in one file, with all that programs and people add.

The main line of each game is read. Variations, comments and signs that judge a move are counted and left out. Nothing
here calls itself, so a file cannot nest too deeply, and each character is looked at a few times at most.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pbmserv.games.base.sheet import FormatError
from pbmserv.games.formats.unicode import as_utf8

_TO = "[ ]?[-–—:][ ]?"
_HALF = "(?:1/2|½|0[.,]5)"
#: How results are written, by program or by hand.
RESULTS = {"1-0": f"1{_TO}0", "0-1": f"[0O]{_TO}1", "1/2-1/2": f"{_HALF}(?:{_TO}{_HALF})?", "*": r"\*"}
_TAG = r'[ \t]*\[[ \t]*[A-Za-z0-9_]{1,255}[ \t]+"'
#: Behind the end of a line: the tags of the next game, after an empty line or with the first tag of the standard.
_BEGINS = rf'(?:[ \t]*\n(?={_TAG})|(?=\[Event[ \t]+"))'
_TOKEN = re.compile(
    rf"""
    (?P<escape>(?m:^)%[^\n]*)
    | \[\s*(?P<tag>[A-Za-z0-9_]{{1,255}})\s+"(?P<value>(?:\\[^\n]|[^"\\\n])*(?="\s*\])|[^\n]*?)"\s*\]
    | (?P<unread_tag>\[[^\]\n]*\])
    | (?P<comment>\{{(?:[^}}\n]++|\n(?!{_BEGINS}))*+\}}|;[^\n]*)
    | (?P<opened>\() | (?P<closed>\))
    | (?P<sign>\$[0-9]+|[!?]+|[+\-=]/[+\-=]
      |(?:e\.?p\.?|\+-|-\+|mate|check|ch|N|D|[^\w\s(){{}}\[\]<>;$"*%–—-]+)(?=[\s;{{()\[$]|$))
    | (?P<result>(?:{"|".join(RESULTS.values())})(?=[\s;{{()\[]|$))
    | (?P<number>[0-9]+(?:[.…]+|(?=[\s;{{(]))|[.…]+)
    | (?P<move>[^\s(){{}}\[\];$"*]+(?:\([QRBN]\))?)
    """,
    re.VERBOSE,
)
_NEXT = re.compile(rf"\n{_BEGINS}")
_SPACE = re.compile(r"[\s\x1a\x00]*")
_UNSEEN = dict.fromkeys(map(ord, "\ufeff\u200b\u200e\u200f\u2060"))  #: signs of web pages that nobody sees
_SHOWN = 30  #: characters of a part that cannot be read


@dataclass
class RawGame:
    """A game in the file, not yet understood. `tags`: by name in lower case. `counted`: what was left out, by kind.

    `depth`: of variations, now.
    """

    number: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    result: str = ""
    counted: Counter[str] = field(default_factory=Counter)
    depth: int = 0

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was left out, in words."""
        return tuple(f"{count} {kind.replace('_', ' ')}{'s' * (count > 1)}" for kind, count in self.counted.items())

    @property
    def is_empty(self) -> bool:
        """Whether nothing of a game was found."""
        return not (self.tags or self.moves or self.result or self.depth)

    def ends_before(self, kind: str) -> bool:
        """Return whether the next part, of this kind, belongs to the next game."""
        if kind == "tag":
            return bool(self.moves or self.depth or self.result)
        return kind == "move" and bool(self.result) and not self.depth

    def add(self, kind: str, text: str, value: str) -> None:
        """Add a part of the file. Raises FormatError."""
        if kind in ("escape", "number"):
            return
        if kind == "closed":
            self.depth -= 1
            if self.depth < 0:
                raise self.error("a ')' closes no variation")
        elif kind == "tag":
            self.tags.setdefault(text.lower(), value)
        elif not self.depth:
            self._add_to_main_line(kind, text)
        self.depth += kind == "opened"

    def _add_to_main_line(self, kind: str, text: str) -> None:
        if kind == "move":
            self.moves.append(text)
        elif kind == "result":
            self.result = self._one_result(result_of(text))
        else:
            self.counted["variation" if kind == "opened" else kind] += 1

    def _one_result(self, result: str) -> str:
        if self.result not in ("", "*", result) and result != "*":
            raise self.error(f"it has two results, {self.result} and {result}")
        return result if self.result in ("", "*") else self.result

    def whole(self) -> "RawGame":
        """Return the game at its end. Raises FormatError if a variation goes on."""
        if self.depth:
            raise self.error("a variation begins with '(' and never ends")
        return self

    def error(self, why: str) -> FormatError:
        """Make the error for a game that cannot be read from here."""
        return FormatError(f"Game {self.number}, after {len(self.moves)} moves: {why}.")


def result_of(text: str) -> str:
    """Return the key in `RESULTS` of a result in any spelling; "" if there is none."""
    return next((name for name, form in RESULTS.items() if re.fullmatch(form, text.strip())), "")


def decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16, else ISO 8859-1, which is the encoding of the standard."""
    data = as_utf8(data).removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_UNSEEN)


def games(data: bytes) -> Iterator[RawGame | FormatError]:
    """Yield the games of a file, and for each that cannot be read the error that says why."""
    text, number = decoded(data), 1
    at = _space(text, 0)
    while at < len(text):
        game, at = _game(text, at, number)
        if isinstance(game, FormatError) or not game.is_empty:
            yield game
            number += 1


def _game(text: str, at: int, number: int) -> tuple[RawGame | FormatError, int]:
    """Read a game, and return where the next one begins."""
    game = RawGame(number)
    try:
        while at < len(text):
            kind, part, value, end = _token(text, at, number)
            if game.ends_before(kind):
                break
            game.add(kind, part, value)
            at = _space(text, end)
    except FormatError as error:
        match = _NEXT.search(text, at)
        return error, match.end() if match else len(text)
    try:
        return game.whole(), at
    except FormatError as error:
        return error, at


def _token(text: str, at: int, number: int) -> tuple[str, str, str, int]:
    """Return a part of the text: kind, text, the value of a tag, and where it ends. Raises FormatError."""
    match = _TOKEN.match(text, at)
    if not match:
        line = text.count("\n", 0, at) + 1
        shown = text[at : at + _SHOWN].splitlines()[0]
        raise FormatError(f"Game {number}: line {line} cannot be read from here: {shown}")
    kind = match.lastgroup or ""
    if kind == "value":
        return "tag", match["tag"], re.sub(r"\\(.)", r"\1", match["value"]), match.end()
    return kind, match[0], "", match.end()


def _space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
