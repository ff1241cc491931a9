"""Read the diagrams of the sixteen classic games back, from the text alone, as reading.py does for the first five.

Each game has a function that reads a letter, and one that returns the same facts of a view.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from math import isqrt
from typing import Any

from pbmserv.games.base import View

Facts = dict[str, Any]  #: the name of a cell, or a label -> what is there; empty cells are left out
Read = Callable[[str], Facts]
Stored = Callable[[View[Any]], Facts]

_RANK = re.compile(r"(?m)^ *(\d+)[| ](.*)$")
_LETTERS = re.compile(r"(?m)^ *A(?: +[A-Z])+ *$")
_GO_FILES = "abcdefghjklmnopqrst"  #: books of Go leave out the i


def _square(column: int, row: int) -> str:
    return f"{chr(97 + column)}{row + 1}"


def _men(signs: dict[str, str]) -> Facts:
    return {name: sign for name, sign in signs.items() if sign.strip(".+ ")}


def _ranks(letter: str) -> Iterator[tuple[str, str]]:
    """Yield the number of each row between the two lines of letters, and what is right of it."""
    start, end = (match.span() for match in _LETTERS.finditer(letter))
    yield from _RANK.findall(letter, start[1], end[0])


def _count(letter: str, name: str) -> str:
    """Return the number behind a name in the lines below a diagram."""
    match = re.search(rf"{name}:? (\d+(?:\.\d)?)", letter)
    assert match, name
    return match[1]


def _by_places(signs: str, columns: int) -> Facts:
    """`signs`: one for each square, from a1 on."""
    return _men({_square(n % columns, n // columns): sign for n, sign in enumerate(signs)})


def _read_bars(letter: str) -> Facts:
    """Squares with bars between them."""
    rows = {number: text.rstrip("| ").split("|") for number, text in _ranks(letter)}
    return _men({f"{chr(97 + n)}{number}": cell.strip() for number, row in rows.items() for n, cell in enumerate(row)})


def _squares(view: View[Any]) -> Facts:
    squares = view.position.squares
    return _by_places(squares, isqrt(len(squares)))


def _hex(view: View[Any]) -> Facts:
    cells = view.position.cells
    return _by_places(cells, isqrt(len(cells)))


def _gomoku(view: View[Any]) -> Facts:
    points = view.position.points
    return _by_places(points, isqrt(len(points)))


def _four(view: View[Any]) -> Facts:
    return _by_places(view.position.squares, int(view.position.size.partition("x")[0]))


def _othello(view: View[Any]) -> Facts:
    """Its first rank is at the top, but so it is stored, too."""
    return _squares(view) | {f"Discs of {side}": view.position.squares.count(side) for side in "BW"}


def _read_othello(letter: str) -> Facts:
    return _read_bars(letter) | {f"Discs of {name[0]}": int(_count(letter, name)) for name in ("Black", "White")}


def _chess(view: View[Any]) -> Facts:
    return _by_places(view.position.board, 8)


def _read_draughts(letter: str) -> Facts:
    """A square has its number below its man."""
    men = list[str]()
    found: Facts = {}
    for line in re.findall(r"(?m)^\|(.*)\|$", letter):
        cells = [cell.strip() for cell in line.split("|")]
        found |= {cell: man for cell, man in zip(cells, men, strict=False) if cell.isdecimal() and man.isalpha()}
        men = cells
    return found


def _draughts(view: View[Any]) -> Facts:
    return _men({str(number): man for number, man in enumerate(view.position.board, 1)})


def _read_go(letter: str) -> Facts:
    """While dead stones are agreed on, they are small letters. Small b and w tell whose an empty point is."""
    rows = {number: text.split() for number, text in _ranks(letter)}
    assert all(row[-1] == number for number, row in rows.items())
    points = {
        f"{_GO_FILES[n]}{number}": sign
        for number, row in rows.items()
        for n, sign in enumerate(row[:-1])
        if sign not in "bw"
    }
    taken = {f"taken by {name}": _count(letter, f"by {name}") for name in ("Black", "White")}
    return _men(points) | taken | {"komi": float(_count(letter, "Komi"))}


def _go(view: View[Any]) -> Facts:
    position = view.position
    dead = position.count.dead if position.count else ()
    stones = [stone.lower() if point in dead else stone for point, stone in enumerate(position.points)]
    side = isqrt(len(stones))
    points = {f"{_GO_FILES[n % side]}{n // side + 1}": sign for n, sign in enumerate(stones)}
    taken = {f"taken by {name}": str(n) for name, n in zip(("Black", "White"), position.taken, strict=True)}
    return _men(points) | taken | {"komi": position.komi / 2}


def _read_hex(letter: str) -> Facts:
    """Each row has the first letter of the colours of two edges around it."""
    rows = {number: text.split()[1:-1] for number, text in _ranks(letter)}
    return _men({f"{chr(97 + n)}{number}": sign for number, row in rows.items() for n, sign in enumerate(row)})


def _read_havannah(letter: str) -> Facts:
    """The letters at the top and at the ends of the upper rows name the columns, which go down to the left."""
    top = _LETTERS.search(letter)
    assert top
    side = len(top[0].split())
    found: Facts = {}
    for names, (_, text) in zip(_names_of_hexagon(side), _RANK.findall(letter, top.end()), strict=False):
        found |= zip(names, text.split(), strict=False)
    return _men(found)


def _havannah(view: View[Any]) -> Facts:
    cells = view.position.cells
    side = next(n for n in range(4, 11) if 3 * n * (n - 1) + 1 == len(cells))
    return _men(dict(zip(chain(*_names_of_hexagon(side)), cells, strict=True)))


def _names_of_hexagon(side: int) -> Iterator[list[str]]:
    for row in range(2 * side - 1):
        yield [_square(column, row) for column in range(max(row - side + 1, 0), min(row + side, 2 * side - 1))]


def _read_morris(letter: str) -> Facts:
    """Between the points are lines."""
    return {name: sign for name, sign in _read_bars(letter).items() if sign in "WB"}


def _morris(view: View[Any]) -> Facts:
    """The points are stored in the order of the squares a1, b1, ..."""
    columns = {1: "adg", 2: "bdf", 3: "cde", 4: "abcefg", 5: "cde", 6: "bdf", 7: "adg"}
    names = [f"{column}{row}" for row, letters in columns.items() for column in letters]
    return _men({name: man.upper() for name, man in zip(names, view.position.board, strict=True)})


def _read_oware(letter: str) -> Facts:
    """A house has its letter below its seeds. At the end, when all houses of a row are empty, it is only letters."""
    houses = dict.fromkeys("ABCDEFGHIJKL", 0)
    seeds = list[str]()
    for line in re.findall(r"(?m)^ .\|(.*)\|$", letter):
        cells = [cell.strip() for cell in line.split("|")]
        if cells[0].isalpha():
            houses |= {name: int(count or 0) for name, count in zip(cells, seeds, strict=False)}
            seeds = []
        else:
            seeds = cells
    return houses | {name: int(_count(letter, name)) for name in ("South", "North")}


def _oware(view: View[Any]) -> Facts:
    houses = dict(zip("ABCDEFGHIJKL", view.position.houses, strict=True))
    return houses | dict(zip(("South", "North"), view.position.stores, strict=True))


def _read_dots(letter: str) -> Facts:
    """A dot is a plus sign. Four columns right of it is the next one, and two lines above it."""
    start, end = (match.span() for match in _LETTERS.finditer(letter))
    lines = letter[start[1] : end[0]].strip("\n").split("\n")[::-1]
    found: Facts = {}
    for height, line in enumerate(lines):
        for at, sign in enumerate(line[4:]):
            column, row = at // 4, height // 2
            if sign == "|":
                found[f"{_square(column, row)}-{_square(column, row + 1)}"] = True
            elif sign == "-":
                found[f"{_square(column, row)}-{_square(column + 1, row)}"] = True
            elif sign in "RB":
                found[_square(column, row)] = sign
    return found


def _dots(view: View[Any]) -> Facts:
    side = isqrt(len(view.position.boxes))
    names = []
    for row in range(side + 1):
        for column in range(side + 1):
            here = _square(column, row)
            names += [f"{here}-{_square(column + 1, row)}"] * (column < side)
            names += [f"{here}-{_square(column, row + 1)}"] * (row < side)
    lines = {name: True for name, drawn in zip(names, view.position.lines, strict=True) if drawn}
    return lines | _by_places(view.position.boxes, side)


def _read_backgammon(letter: str) -> Facts:
    """Men stand on top of each other at the edges; where there are more than there is room for, a number stands."""
    lines = letter.split("\n")
    upper, lower = (n for n, line in enumerate(lines) if line.endswith("+OFF"))
    found: Facts = {}
    for edge, rows in ((lines[upper], lines[upper + 1 : lower]), (lines[lower], lines[lower - 1 : upper : -1])):
        for place in re.finditer(r"\d+|BAR|OFF", edge):
            first = place.start() - (len(place[0]) == 1)  # a column is three characters wide
            column = [row[first : first + 3].strip() for row in rows[:5]]
            men = [sign for sign in column if sign]
            if men:
                number = men[-1] if men[-1].isdecimal() else str(len(men))
                half = "upper " if rows[0] == lines[upper + 1] else "lower "
                found[place[0] if place[0].isdecimal() else half + place[0]] = f"{number}{men[0]}"
    return found


def _backgammon(view: View[Any]) -> Facts:
    """The reader's own men are on the bar and off in the lower half."""
    own = view.seat or 0
    found: Facts = {}
    for seat, stored in enumerate(view.position.men):
        half = "lower " if seat == own else "upper "
        for place, digit in enumerate(stored):
            point = str(place if seat == own else 25 - place)
            name = {0: f"{half}OFF", 25: f"{half}BAR"}.get(place, point)
            if digit != "0":
                found[name] = f"{int(digit, 16)}{'OX'[seat]}"
    return found


def _read_battleship(letter: str) -> Facts:
    """The seas stand side by side; the first may be the only one."""
    rows = {number: re.findall(r"(?:[^\d\s] ){9}[^\d\s]", text) for number, text in _ranks_of_seas(letter)}
    seas = max(map(len, rows.values()))
    return _men(
        {
            f"{sea - seas} {chr(97 + n)}{number}": sign
            for number, found in rows.items()
            for sea, signs in enumerate(found)
            for n, sign in enumerate(signs.split())
        }
    )


def _ranks_of_seas(letter: str) -> Iterator[tuple[str, str]]:
    start, end = (match.span() for match in re.finditer(r"(?m)^ +A B .*$", letter))
    yield from _RANK.findall(letter, start[1], end[0])


def _battleship(view: View[Any]) -> Facts:
    """-1: the reader's own sea, which is the last. -2: the enemy's."""
    position, own = view.position, view.seat or 0
    shown = {-1: own} if position.placed[own] < 5 else {-1: own, -2: 1 - own}
    found: Facts = {}
    for sea, seat in shown.items():
        signs = list(position.seas[seat])
        for sign, ship in zip("CFDSG", position.fleets[seat], strict=False):
            for square in _between(*ship.split("-")):
                signs[square] = sign if signs[square] == "." else sign.lower()
        if seat != position.turn:  # shots of a salvo that are not answered yet
            signs = ["?" if square in position.called else sign for square, sign in enumerate(signs)]
        found |= {f"{sea} {name}": sign for name, sign in _by_places("".join(signs), 10).items()}
    return found


def _between(one: str, other: str) -> Iterator[int]:
    """Yield the squares of a ship. The lower or left end comes first."""
    for row in range(int(one[1:]), int(other[1:]) + 1):
        yield from (row * 10 - 10 + ord(letter) - ord("a") for letter in "abcdefghij" if one[0] <= letter <= other[0])


#: How the diagram of a letter is read, and the same facts of a view.
CLASSICS: dict[str, tuple[Read, Stored]] = {
    "amazons": (_read_bars, _squares),
    "backgammon": (_read_backgammon, _backgammon),
    "battleship": (_read_battleship, _battleship),
    "breakthrough": (_read_bars, _squares),
    "chess": (_read_bars, _chess),
    "dots": (_read_dots, _dots),
    "draughts": (_read_draughts, _draughts),
    "four": (_read_bars, _four),
    "go": (_read_go, _go),
    "gomoku": (_read_bars, _gomoku),
    "havannah": (_read_havannah, _havannah),
    "hex": (_read_hex, _hex),
    "loa": (_read_bars, _squares),
    "morris": (_read_morris, _morris),
    "oware": (_read_oware, _oware),
    "othello": (_read_othello, _othello),
}
