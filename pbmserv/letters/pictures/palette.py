"""The hues of the colours that games name in their pictures, the same in light and in dark windows.

On each of them a text has a contrast of at least 4.5 : 1 (WCAG 2.2, success criterion 1.4.3), which a test checks.
"""

from typing import NamedTuple

from pbmserv.games.base.picture import CHECK, CHOSEN, DEAD, EARLIER, GOAL, LAST, LEFT, MADE, TAKEN, WIN


class Hue(NamedTuple):
    """A surface, what is written on it, and what drawings have on it, as `#rrggbb`."""

    fill: str
    ink: str
    line: str  #: around a piece
    shade: str  #: its side away from the light, or its gloss


_DARK, _LIGHT = "#1b1b1b", "#ffffff"


def _light(fill: str, shade: str) -> Hue:
    return Hue(fill, _DARK, _DARK, shade)


def _dark(fill: str, shade: str) -> Hue:
    return Hue(fill, _LIGHT, _DARK, shade)


#: By the names in games.base.picture.COLOURS.
PALETTE = {
    "black": _dark("#3a3b3f", "#7d7f86"),
    "white": _light("#fbfaf5", "#cfcabb"),
    "grey": _light("#c3c7c9", "#9ba0a3"),
    "red": _dark("#b3261e", "#e0655c"),
    "orange": _light("#f2a33a", "#c97f1d"),
    "yellow": _light("#f6dc5c", "#d2b22d"),
    "green": _dark("#2f6b3a", "#5f9c6a"),
    "blue": _dark("#1f5fa8", "#5a93d2"),
    "purple": _dark("#6a3d9a", "#9c75c7"),
    "brown": _dark("#6b4528", "#94694a"),
    "plain": _light("#f3f1ea", "#d5d1c4"),
    "light": _light("#f0e2c6", "#d8c6a0"),
    "dark": _light("#c79f6f", "#a98153"),
    "wood": _light("#e6c58f", "#c9a468"),
    "grass": _light("#cfe5b4", "#a9c987"),
    "sand": _light("#f1e3b8", "#d6c48d"),
    "water": _light("#bfe0ee", "#94c4d8"),
    "stone": _light("#d9dad6", "#b4b6b0"),
    "night": _dark("#1d2440", "#4b5684"),
}

#: The line around a marked cell, and what is said of it.
MARKED = dict.fromkeys((LAST, EARLIER, LEFT, TAKEN), "#a6400a") | {MADE: "#f2a51f", CHOSEN: "#0b7285", GOAL: "#237804"}
SAID = {
    LAST: "last move",
    EARLIER: "earlier in the last turn",
    LEFT: "left by the last move",
    TAKEN: "taken by the last move",
    MADE: "made by the last move",
    CHOSEN: "chosen",
    GOAL: "a move leads here",
    CHECK: "check",
    WIN: "wins",
    DEAD: "dead",
}
