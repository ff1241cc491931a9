"""The letters of the men of chess in the language of a reader: `Nf3` is `Sf3` in German (ADR 98)."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

_MEN = {"pawn": "", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K", "khon": "S"}
#: The letter of a man in a move: before its square, or behind the sign of a promotion.
_LETTER = re.compile(r"\b[NBRQKS](?=@?[a-l]?\d{0,2}x?[a-l]\d)|(?<=\d=)[NBRQ]")


@lru_cache(maxsize=64)
def letters_of_men(say: Callable[[str], str]) -> Mapping[str, str]:
    """Return the letters of the men in the language of `say`, each with that of English: `S` -> `N`.

    It is the first one of a man's name that no man before it has: the knight of Makruk is S in German, the khon H.
    """
    if say("knight") == "knight":
        return {"P": ""}
    letters = dict[str, str]()
    for name, english in _MEN.items():
        letters.setdefault(next(sign for sign in say(name).upper() if sign not in letters), english)
    return letters


def written_with(letters: Mapping[str, str], moves: str) -> str:
    """Return moves, written with the letters of English, with these, each of which has that of English."""
    own = {english: letter for letter, english in letters.items() if english}
    return _LETTER.sub(lambda letter: own.get(letter[0], letter[0]), moves)


def lettered(moves: str, say: Callable[[str], str]) -> str:
    """Return moves, written with the letters of English, with those of the language of `say`."""
    letters = {} if say is str else _own_letters(say)
    return _LETTER.sub(lambda letter: letters[letter[0]], moves) if letters else moves


@lru_cache(maxsize=64)
def _own_letters(say: Callable[[str], str]) -> Mapping[str, str]:
    """Return the letters by those of English; none if they are the same."""
    letters = {letter: own for own, letter in letters_of_men(say).items() if letter}
    return letters if any(own != letter for letter, own in letters.items()) else {}
