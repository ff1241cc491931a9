"""Boards to be heard: what is alike is said once, with all its places, and squares can be spelt in words."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from textwrap import fill

from pbmserv.games.base import AnyGame
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.translations import Say
from pbmserv.model.preferences import SPOKEN, Preferences

SPOKEN_WIDTH = 40  #: cells of a usual Braille line
_MANY = 6  #: squares that are told without pauses
MOST_WORDS = 12  #: of the sentence that says what has changed

_WORDS = (
    *("alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima"),
    *("mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey"),
    *("xray", "yankee", "zulu"),
)
_SQUARE = re.compile(r"(?<![A-Za-z0-9])([A-Za-z])(?=[0-9]{1,2}(?![A-Za-z0-9]))")
_SPELT = re.compile(rf"\b(?:{'|'.join(_WORDS)})(?=\s+[0-9])", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]{2,}")
#: The label of a fact about a place: `e4`, `7g` of shogi, `31`, `h` of Oware, `a1-a2` of Dots and Boxes, `own e4`.
_PLACE = re.compile(r"(?:([a-z]+) )?([a-z]?[0-9]{1,2}|[1-9]?[a-z]|[a-z][0-9]-[a-z][0-9])")


def spoken_line(line: str) -> str:
    """A fact in words, on as many lines as a Braille display needs."""
    return fill(line, SPOKEN_WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def grouped(facts: Iterable[str], say: Say = str) -> list[str]:
    """Facts such as `e4: white`; those that say the same of several places are one: `White: e4 d5`."""
    groups: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        label, _, words = fact.partition(": ")
        place = _PLACE.fullmatch(label) if words else None
        about = (place[1] or "", words) if place else ("", fact)
        groups.setdefault(about, []).extend([place[2]] if place else [])
    return [_group(say(of) if of else "", words, places) for (of, words), places in groups.items()]


def _group(of: str, words: str, places: Sequence[str]) -> str:
    """What is said of places, of which the first word says whose they are; without a place it is a sentence.

    Many squares are told row by row, with a pause between them: `White: a4 c4, b3, e2`.
    """
    if len(places) < 2:
        return f"{' '.join(filter(None, [of, *places]))}: {words}" if places else words
    about = f"{of} {words}".strip()
    rows = (" ".join(row) for _, row in groupby(places, _row)) if len(places) > _MANY else [" ".join(places)]
    return f"{about[0].upper()}{about[1:]}: {', '.join(rows)}"


def _row(place: str) -> str:
    """The row of a square; "" for other places."""
    if place[0].isdecimal() and place[1:].isalpha():
        return place[1:]
    return place[1:] if place[0].isalpha() and place[1:].isdecimal() else ""


def translated(words: str, say: Say) -> str:
    """The words of a move in the reader's language, each by itself."""
    return _WORD.sub(lambda word: say(word[0]), words)


def heard(game: AnyGame, written: str, say: Say) -> str:
    """A move in words of the reader's language, or as it is written if there are none."""
    return translated(game.spoken(written) or lettered(written, say), say)


def spelt(text: str) -> str:
    """Spoken lines with the letters of their squares as words, which cannot be misheard: `echo 4`."""
    words = _SQUARE.sub(lambda square: f"{_WORDS[ord(square[1].lower()) - ord('a')]} ", text.replace("\n  ", " "))
    return "\n".join(map(spoken_line, words.split("\n")))


def unspelt(text: str) -> str:
    """The same text with letters for the words that `spelt` writes, and with all its spaces and lines: `e 4`."""
    return _SPELT.sub(lambda word: word[0][0], text)


def for_ears(wants: Preferences) -> Callable[[str], str]:
    """What is done to spoken lines before a reader gets them: squares are spelt, if the reader wants that."""
    return spelt if wants.mail == SPOKEN and wants.wants_spelling else str


def brief(moves: Sequence[str]) -> str:
    """The last of these sentences that have twelve words together; "" if the last alone has more."""
    least = len(moves)
    while least and len(" ".join(moves[least - 1 :]).split()) <= MOST_WORDS:
        least -= 1
    return "".join(f"{move}. " for move in moves[least:]).rstrip()


def listed(moves: Iterable[str]) -> str:
    """Moves in words, a line for those that differ only in the last one: `Knight a3 c3 f3 h3`."""
    ways: dict[str, list[str]] = {}
    for move in moves:
        begin, _, last = move.rpartition(" ")
        ways.setdefault(begin, []).append(last)
    lines = (f"{begin} {' '.join(ends)}".strip() for begin, ends in ways.items())
    return "\n".join(spoken_line(f"{line[0].upper()}{line[1:]}") for line in lines)
