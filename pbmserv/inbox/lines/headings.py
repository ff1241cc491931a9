"""Subjects of our letters, which are in the language of their reader, as the English ones that begin commands."""

import re
from collections.abc import Mapping
from functools import lru_cache

from pbmserv.letters.text.templates import Renderer
from pbmserv.model import board_title

_TITLE = re.compile(r"(.*?) (?=[0-9])")
_NUMBER, _USERID = 7, "a"  #: of an example: a language can put them only behind the title
#: Of a game: answers have these subjects, most of which ask again.
_ASKED = ("games", "help", "history", "standings", "error", "invitation")


@lru_cache(maxsize=1)
def titles(renderer: Renderer, games: tuple[str, ...]) -> Mapping[str, str]:
    """Return whole subjects, and what stands before a number, in all languages and lower case, with their English."""
    says, known = [renderer.to(code).say for code in renderer.languages], dict[str, str]()
    for game in games:
        english = f"{board_title(game, _NUMBER)} {_USERID}"
        known |= {_start(say(english)).lower(): _start(english) for say in says}
        asked = [f"{game.capitalize()} {word}" for word in _ASKED]
        known |= {say(english).lower(): english for english in asked for say in says}
    return known | {say("Games").lower(): "Games" for say in says}


def in_english(subject: str, known: Mapping[str, str]) -> str:
    """Return a subject in English, if it is that of a letter; of one with a number, only the words before that."""
    title = subject if subject.lower() in known else _start(subject)
    return known[title.lower()] + subject[len(title) :] if title.lower() in known else subject


def _start(subject: str) -> str:
    title = _TITLE.match(subject)
    return title[1] if title else ""
