"""Read the diagrams of letters back, as a third-party program would: from the text alone.

`seen` returns what a diagram says. `stored` returns the same facts of a position. A letter is right when both are
equal. hearing.py does the same for boards in words.
"""

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

from pbmserv.games.base import View
from pbmserv.games.race.three_io.tiles import FEATURES
from pbmserv.games.solitaire.triple_town.tiles import NAMES
from tests.letters.reading_classics import CLASSICS, Facts

_NUMBER = re.compile(r"(?m)^ (\d) ?\|")  #: of a rank, on one of its lines


def seen(game: str, letter: str) -> Facts:
    """Return what the diagram in a letter says."""
    read = CLASSICS[game][0] if game in CLASSICS else _READERS[game][0]
    return read(letter)


def stored(game: str, view: View[Any]) -> Facts:
    """Return what the diagram of a view should say."""
    return CLASSICS[game][1](view) if game in CLASSICS else _READERS[game][1](view.position)


def _cells(letter: str, width: int) -> dict[str, list[str]]:
    """Return the lines of every square that is not empty, top line first."""
    found: dict[str, list[str]] = {}
    for line in _ranks(letter):
        number = _NUMBER.search(line)
        assert number, line
        for row in line.split("\n"):
            cells = row[row.index("|") + 1 :]
            for column in range(cells.count("|")):
                text = cells[column * (width + 1) : column * (width + 1) + width]
                found.setdefault(f"{chr(97 + column)}{number[1]}", []).append(text)
    return {square: lines for square, lines in found.items() if "".join(lines).strip()}


def _ranks(letter: str) -> list[str]:
    """Return the lines between two horizontal rules, rank by rank."""
    parts = re.split(r"(?m)^ *\+[-+]+\+\n", letter)
    return [part.rstrip("\n") for part in parts[1:-1] if _NUMBER.search(part)]


def _read_tumble(letter: str) -> Facts:
    cells = _cells(letter, 8)
    return {s: [run for line in reversed(lines) for run in line.split()] for s, lines in cells.items()}


def _tumble(position: Any) -> Facts:
    facts = {}
    for square, stack in enumerate(position.stacks):
        if stack:
            name = f"{chr(97 + square % 8)}{square // 8 + 1}"
            facts[name] = [f"{colour}{len(list(men))}" for colour, men in groupby(stack)]
    return facts


def _read_threes(letter: str) -> Facts:
    facts: Facts = {s: int(lines[0]) for s, lines in _cells(letter, 6).items()}
    match = re.search(r"Next card: (\S+)   Score: (\d+)", letter)
    assert match
    return facts | {"next": match[1]}


def _threes(position: Any) -> Facts:
    cards = {f"{chr(97 + i % 4)}{i // 4 + 1}": card for i, card in enumerate(position.cards) if card}
    return cards | {"next": str(position.coming) if position.coming in (1, 2, 3) else "+"}


def _read_town(letter: str) -> Facts:
    facts: Facts = {s: lines[0].strip() for s, lines in _cells(letter, 4).items()}
    match = re.search(r"Moves: (\d+)\s+Score: (\d+)", letter)
    assert match
    return facts | {"moves": int(match[1]), "score": int(match[2])}


def _town(position: Any) -> Facts:
    facts: Facts = {name: code for name, code in zip(NAMES, position.land, strict=True) if code}
    facts["a6"] = f"({position.stored or '  '})"
    return facts | {"moves": position.moves, "score": position.score}


def _read_three_io(letter: str) -> Facts:
    facts: Facts = {s: lines[0].strip().rstrip(".").lower()[:6] for s, lines in _cells(letter, 8).items()}
    return facts | {"scores": [int(n) for n in re.findall(r"(?m)^[* ]\d  score (\d+)", letter)]}


def _three_io(position: Any) -> Facts:
    facts: Facts = {
        f"{chr(97 + i % 6)}{i // 6 + 1}": FEATURES[tile.feature].name[:6]
        for i, tile in enumerate(position.sectors)
        if tile
    }
    return facts | {"scores": list(position.scores)}


_ARROWS = {(0, 0): "7", (0, 1): "8", (0, 2): "9", (1, 0): "4", (1, 2): "6", (2, 0): "1", (2, 1): "2", (2, 2): "3"}


def _read_trippples(letter: str) -> Facts:
    return {s: _tile(lines) for s, lines in _cells(letter, 3).items()}


def _tile(lines: list[str]) -> tuple[str, str]:
    """Return the keypad digits of a tile's arrows and the marker on it, as far as they are visible."""
    middle = lines[1][1] if len(lines) > 1 else " "
    marker = middle if middle in "SC1234" else ""
    if lines[0] in (" _ ", ":::", "???"):
        return lines[0], marker
    digits = {d for (row, column), d in _ARROWS.items() if len(lines) > row and lines[row][column] != " "}
    return "".join(sorted(digits)), marker


def _trippples(position: Any) -> Facts:
    signs = {"start": " _ ", "finish": " _ ", "neutral": ":::", "?": "???"}
    markers = dict(zip(position.markers, "SC" if len(position.markers) == 2 else "1234", strict=True))
    return {
        f"{chr(97 + i % 8)}{i // 8 + 1}": (signs.get(tile, "".join(sorted(tile))), markers.get(i, ""))
        for i, tile in enumerate(position.tiles)
        if tile
    }


_READERS: dict[str, tuple[Callable[[str], Facts], Callable[[Any], Facts]]] = {
    "tumble": (_read_tumble, _tumble),
    "threes": (_read_threes, _threes),
    "town": (_read_town, _town),
    "3io": (_read_three_io, _three_io),
    "trippples": (_read_trippples, _trippples),
}
