"""Subjects of answers to letters about boards, which are in the language of their reader, as the English ones."""

import re
from collections.abc import Iterable, Mapping

from pbmserv.letters.text.templates import Renderer
from pbmserv.model import board_title

_TITLE = re.compile(r"(.*?) (?=[0-9])")
_NUMBER, _USERID = 7, "a"  #: of an example: a language can put them only behind the title


def titles(renderer: Renderer, games: Iterable[str]) -> Mapping[str, str]:
    """Return what stands before the number in subjects of all languages, in lower case, and the English for it."""
    says, known = [renderer.to(code).say for code in renderer.languages], dict[str, str]()
    for game in games:
        english = f"{board_title(game, _NUMBER)} {_USERID}"
        known |= {_start(say(english)).lower(): _start(english) for say in says}
    return known


def in_english(subject: str, known: Mapping[str, str]) -> str:
    """Return a subject with the English words before its first number, if it is that of a letter about a board."""
    title = _start(subject)
    return known[title.lower()] + subject[len(title) :] if title.lower() in known else subject


def _start(subject: str) -> str:
    title = _TITLE.match(subject)
    return title[1] if title else ""
