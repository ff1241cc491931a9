"""A picture on its way into the HTML of a letter: a line of text in the block of its diagram.

So every letter with a diagram can have the picture, too, also one that waits as words. Usual values are left out: a
board of 64 squares has one or two kilobytes.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import astuple, fields
from functools import lru_cache
from typing import Any

from pbmserv.games.base import Cell, Picture, Piece, Tray

_CELLS = ("rows", "beside")  #: the fields with cells
_USUAL = {f.name: f.default for f in fields(Picture) if f.name not in _CELLS}
#: The picture that was packed last: most letters are made at once. It is replaced as a whole, so threads can share it.
_LATEST: list[tuple[str, Picture]] = [("", Picture(()))]
#: Control characters, as JSON escapes them or not, and halves of characters (surrogates).
_ODD = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u00[01][0-9a-f]|[bfnrt])|[\x7f-\x9f\ud800-\udfff]")
_INSTEAD = "\N{REPLACEMENT CHARACTER}"
_CELL: tuple[Any, ...] = astuple(Cell())
_PIECE: tuple[object, ...] = astuple(Piece())


def pack(picture: Picture) -> str:
    """Return the picture as JSON on one line, without control characters.

    Characters that no letter can have, which a game of others could use, become a sign that says so.
    """
    rows = ",".join(map(_packed_row, picture.rows))
    trays = ",".join(f"[{_json(tray.says)},{_packed_row(tray.cells)}]" for tray in picture.beside)
    rest = {name: value for name, usual in _USUAL.items() if (value := getattr(picture, name)) != usual}
    packed = f"[[{rows}],[{trays}],{_json(rest)}]"
    clean = _ODD.sub(lambda odd: f"{odd[1] or ''}{_INSTEAD}", packed)
    _LATEST[0] = clean, (picture if clean == packed else _unpacked(clean))
    return clean


def unpack(packed: str) -> Picture:
    """Return the picture that `pack` turned into a line."""
    latest, picture = _LATEST[0]
    return picture if packed == latest else _unpacked(packed)


@lru_cache(maxsize=64)
def _unpacked(packed: str) -> Picture:
    rows, trays, rest = json.loads(packed)
    beside = tuple(Tray(says, _row(cells)) for says, cells in trays)  # type: ignore[arg-type]  # no place is empty
    return Picture(tuple(map(_row, rows)), beside=beside, **{name: tuple(value) for name, value in rest.items()})


def _packed_row(row: Sequence[Cell | None]) -> str:
    return f"[{','.join(map(_packed, row))}]"


def _row(cells: list[Any]) -> tuple[Cell | None, ...]:
    return tuple(None if cell is None else _cell(cell) for cell in cells)


@lru_cache(maxsize=4096)
def _packed(cell: Cell | None) -> str:
    if cell is None:
        return "null"
    name, ground, pieces, *rest = (getattr(cell, f.name) for f in fields(cell))
    return _json(_short((name, ground, tuple(_short(astuple(piece), _PIECE) for piece in pieces), *rest), _CELL))


def _short(values: tuple[object, ...], usual: tuple[object, ...]) -> tuple[object, ...]:
    """Leave out the usual values at the end."""
    left = len(values)
    while left and values[left - 1] == usual[left - 1]:
        left -= 1
    return values[:left]


def _cell(values: list[Any]) -> Cell:
    name, ground, pieces, arrows, *rest = [*values, *_CELL[len(values) :]]
    return Cell(name, ground, tuple(Piece(*piece) for piece in pieces), tuple(arrows), *rest)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
