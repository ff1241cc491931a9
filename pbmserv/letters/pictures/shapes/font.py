"""Letters of our own, for pictures that are painted without a font. Each is one line of a pen.

A capital letter is 10 high. Small letters are drawn as small capital ones.
"""

from functools import lru_cache
from unicodedata import combining, normalize

_GAP, _SPACE = 2.6, 2.0
_SMALL = 0.8  #: how high a small letter is
_DOTS = "\N{COMBINING DIAERESIS}"

#: By sign: how wide it is, and its line from the top left.
_SIGNS = {
    "A": (7, "M0 10L3.5 0L7 10M1.2 6.7H5.8"),
    "B": (6, "M0 0V10H3.2A2.7 2.65 0 0 0 3.2 4.7H0M3 4.7A2.35 2.35 0 0 0 3 0H0"),
    "C": (6.6, "M6.6 1.9A4 5 0 1 0 6.6 8.1"),
    "D": (6.4, "M0 0V10H1.8A4.6 5 0 0 0 1.8 0Z"),
    "E": (5.2, "M5.2 0H0V10H5.2M0 4.8H4.4"),
    "F": (5, "M5 0H0V10M0 5H4.2"),
    "G": (6.9, "M6.5 1.8A4 5 0 1 0 6.9 7.8V5.4H4.2"),
    "H": (6.2, "M0 0V10M6.2 0V10M0 4.8H6.2"),
    "I": (0.4, "M.2 0V10"),
    "J": (4, "M4 0V7A2 2.9 0 0 1 0 7.4"),
    "K": (6, "M0 0V10M5.8 0L0 6.3M2.1 4.1L6 10"),
    "L": (4.8, "M0 0V10H4.8"),
    "M": (7.6, "M0 10V0L3.8 6.6L7.6 0V10"),
    "N": (6.4, "M0 10V0L6.4 10V0"),
    "O": (7.6, "M3.8 0A3.8 5 0 0 0 3.8 10A3.8 5 0 0 0 3.8 0Z"),
    "P": (5.8, "M0 10V0H3A2.8 2.8 0 0 1 3 5.6H0"),
    "Q": (7.8, "M3.8 0A3.8 5 0 0 0 3.8 10A3.8 5 0 0 0 3.8 0ZM4.8 7.2L7.8 10.8"),
    "R": (6, "M0 10V0H3A2.8 2.75 0 0 1 3 5.5H0M3 5.5L6 10"),
    "S": (5.8, "M5.5 1.9A2.7 2.4 0 0 0 2.9 0A2.6 2.4 0 0 0 2.9 4.8A2.6 2.6 0 0 1 2.9 10A2.9 2.5 0 0 1 .1 8"),
    "T": (6.4, "M0 0H6.4M3.2 0V10"),
    "U": (6.2, "M0 0V6.8A3.1 3.2 0 0 0 6.2 6.8V0"),
    "V": (7, "M0 0L3.5 10L7 0"),
    "W": (9, "M0 0L2.3 10L4.5 1.5L6.7 10L9 0"),
    "X": (6.4, "M0 0L6.4 10M6.4 0L0 10"),
    "Y": (6.4, "M0 0L3.2 5.2V10M6.4 0L3.2 5.2"),
    "Z": (6, "M0 0H6L0 10H6"),
    "0": (5.6, "M2.8 0A2.8 5 0 0 0 2.8 10A2.8 5 0 0 0 2.8 0Z"),
    "1": (2.8, "M0 2.2L2.8 0V10"),
    "2": (5.4, "M.2 2.7A2.6 2.7 0 0 1 5.3 2.8C5.3 5.4 0 7.5 0 10H5.4"),
    "3": (5.4, "M.4 1.8A2.5 2.4 0 1 1 2.4 4.7A2.7 2.65 0 1 1 0 8.1"),
    "4": (6, "M4.4 10V0L0 7.2H6"),
    "5": (5.4, "M5 0H.9L.5 4.6A2.8 2.9 0 1 1 0 8.5"),
    "6": (5.6, "M5 .9C2 .2 0 3 0 6.6A2.8 3.3 0 1 0 .2 5.6"),
    "7": (5.4, "M0 0H5.4L1.8 10"),
    "8": (5.4, "M2.7 4.7A2.3 2.35 0 1 1 2.71 4.7A2.7 2.65 0 1 1 2.69 4.7"),
    "9": (5.6, "M.6 9.1C3.6 9.8 5.6 7 5.6 3.4A2.8 3.3 0 1 0 5.4 4.4"),
    ".": (0.3, "M.1 10h.1"),
    ",": (0.6, "M.5 9.8L.1 11.6"),
    ":": (0.3, "M.1 10h.1M.1 4.5h.1"),
    "!": (0.3, "M.15 0V6.6M.1 10h.1"),
    "?": (5, "M.2 2.4A2.4 2.5 0 0 1 5 2.5C5 4.6 2.5 4.6 2.5 6.9M2.4 10h.1"),
    "'": (0.3, "M.15 0V2.6"),
    "+": (6, "M0 5.4H6M3 2.4V8.4"),
    "-": (4, "M0 5.6H4"),
    "=": (5.6, "M0 4H5.6M0 7H5.6"),
    "/": (4, "M4-.4L0 10.4"),
    "(": (2, "M2-.8A9 9 0 0 0 2 10.8"),
    ")": (2, "M0-.8A9 9 0 0 1 0 10.8"),
    "*": (4.8, "M2.4 .4V6.4M0 1.8L4.8 5M0 5L4.8 1.8"),
    "#": (6.4, "M2.2 .6L1.2 9.4M5.2 .6L4.2 9.4M0 3.4H6.4M0 6.6H6.4"),
    "%": (7, "M6.4 0L.6 10M1.4 .6v2M5.6 7.4v2"),
    "<": (5, "M5 1.6L0 5.4L5 9.2"),
    ">": (5, "M0 1.6L5 5.4L0 9.2"),
    "|": (0.3, "M.15-.6V11"),
    "_": (5.6, "M0 11.4H5.6"),
}
_UNKNOWN = (4.6, "M0 0H4.6V10H0Z")


@lru_cache(maxsize=1024)
def pen(text: str) -> tuple[str, float]:
    """Return a text as SVG, and how wide it is in tenths of the height of a capital letter."""
    lines, x, wide = list[str](), 0.0, 0.0
    for sign in normalize("NFD", text.replace("\N{LATIN SMALL LETTER SHARP S}", "ss")):
        if combining(sign):
            lines += [_path(f"M{x - _GAP - wide * (1 - s)} -2.6h.1", 0, 1) for s in (0.3, 0.7) if sign == _DOTS]
            continue
        size = _SMALL if sign.islower() else 1
        usual, line = (_SPACE, "") if sign == " " else _SIGNS.get(sign.upper(), _UNKNOWN)
        wide = usual * size
        lines.append(_path(line, x, size))
        x += wide + _GAP
    return "".join(lines), max(x - _GAP, 0)


def _path(line: str, x: float, size: float) -> str:
    return f'<path transform="translate({x:g} {10 - 10 * size:g}) scale({size:g})" d="{line}"/>' if line else ""
