"""The hues of the colours that games name in their pictures, the same in light and in dark windows.

On each of them a text has a contrast of at least 4.5 : 1 (WCAG 2.2, success criterion 1.4.3), which a test checks.
"""

from typing import NamedTuple

from pbmserv.games.base.picture import CHOSEN, GOAL, LAST


class Hue(NamedTuple):
    """A surface and what is written on it, as `#rrggbb`."""

    fill: str
    ink: str


_DARK, _LIGHT = "#1b1b1b", "#ffffff"

#: By the names in games.base.picture.COLOURS.
PALETTE = {
    "black": Hue("#26282b", _LIGHT),
    "white": Hue("#fbfaf5", _DARK),
    "grey": Hue("#c3c7c9", _DARK),
    "red": Hue("#b3261e", _LIGHT),
    "orange": Hue("#f2a33a", _DARK),
    "yellow": Hue("#f6dc5c", _DARK),
    "green": Hue("#2f6b3a", _LIGHT),
    "blue": Hue("#1f5fa8", _LIGHT),
    "purple": Hue("#6a3d9a", _LIGHT),
    "brown": Hue("#6b4528", _LIGHT),
    "plain": Hue("#f3f1ea", _DARK),
    "light": Hue("#efe0c2", _DARK),
    "dark": Hue("#d3b488", _DARK),
    "wood": Hue("#e3c48f", _DARK),
    "grass": Hue("#cfe5b4", _DARK),
    "sand": Hue("#f1e3b8", _DARK),
    "water": Hue("#bfe0ee", _DARK),
    "stone": Hue("#d9dad6", _DARK),
    "night": Hue("#1d2440", _LIGHT),
}

#: The line around a marked cell, and what is said of it.
MARKED = {LAST: "#d9480f", CHOSEN: "#0b7285", GOAL: "#2b8a3e"}
SAID = {LAST: "last move", CHOSEN: "chosen", GOAL: "a move leads here"}
