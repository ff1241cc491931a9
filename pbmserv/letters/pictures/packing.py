"""The picture of a letter that waits as words: a line of text in the block of its diagram.

Usual values are left out: a board of 64 squares has one or two kilobytes.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import astuple, fields, replace
from functools import lru_cache
from typing import Any

from pbmserv.games.base import Cell, Picture, Piece, Tray

_CELLS = ("rows", "beside")  #: the fields with cells
_USUAL = {f.name: f.default for f in fields(Picture) if f.name not in _CELLS}
#: Control characters, as JSON escapes them or not, and halves of characters (surrogates).
_ODD = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u00[01][0-9a-f]|[bfnrt])|[\x7f-\x9f\ud800-\udfff]")
_INSTEAD = "\N{REPLACEMENT CHARACTER}"
_CELL = {f.name: f.default for f in fields(Cell) if f.name not in ("name", "of")}
_PIECE: tuple[object, ...] = astuple(Piece())


def pack(picture: Picture) -> str:
    """Return the picture as JSON on one line, without control characters.

    Characters that no letter can have, which a game of others could use, become a sign that says so.
    """
    looks = dict[str, int]()
    rows = ",".join([_packed_row(row, looks) for row in picture.rows])
    trays = ",".join([_packed_tray(tray, looks) for tray in picture.beside])
    rest = {name: value for name, usual in _USUAL.items() if (value := getattr(picture, name)) != usual}
    packed = f"[[{','.join(looks)}],[{rows}],[{trays}],{_json(rest)}]"
    return _ODD.sub(lambda odd: f"{odd[1] or ''}{_INSTEAD}", packed)


def unpack(packed: str) -> Picture:
    """Return the picture that `pack` turned into a line."""
    packed_looks, rows, trays, rest = json.loads(packed)
    looks = list(map(_look, packed_looks))
    beside = tuple(Tray(says, _row(cells, looks), only, tuple(holds)) for says, cells, only, holds in trays)  # type: ignore[arg-type]  # no place is empty
    board = tuple(_row(row, looks) for row in rows)
    return Picture(board, beside=beside, **{name: tuple(value) for name, value in rest.items()})


def _packed_tray(tray: Tray, looks: dict[str, int]) -> str:
    return f"[{_json(tray.says)},{_packed_row(tray.cells, looks)},{_json(tray.only_drawn)},{_json(tray.holds)}]"


def _packed_row(row: Sequence[Cell | None], looks: dict[str, int]) -> str:
    """Return a row as the names and looks of its cells in turn. `looks`: the number of each that was needed so far."""
    return f"[{','.join([_packed(cell, looks) for cell in row])}]"


def _packed(cell: Cell | None, looks: dict[str, int]) -> str:
    if cell is None:
        return "null,0"
    name, look = _divided(cell)
    return f"{name},{looks.setdefault(look, len(looks))}"


@lru_cache(maxsize=8192)
def _divided(cell: Cell) -> tuple[str, str]:
    """Return the name of a cell and of that which is touched there, and the rest of it without usual values."""
    rest = {name: value for name, usual in _CELL.items() if (value := getattr(cell, name)) != usual}
    if cell.pieces:
        rest["pieces"] = [_short(astuple(piece)) for piece in cell.pieces]
    return _json([cell.name, cell.of] if cell.of else cell.name), _json(rest)


def _short(values: tuple[object, ...]) -> tuple[object, ...]:
    """Leave out the usual values at the end of a piece."""
    left = len(values)
    while left and values[left - 1] == _PIECE[left - 1]:
        left -= 1
    return values[:left]


def _look(values: dict[str, Any]) -> Cell:
    """Return a cell without its name."""
    if pieces := values.pop("pieces", None):
        values["pieces"] = tuple(Piece(*piece) for piece in pieces)
    rest: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
    return Cell(**rest)


def _row(row: Sequence[Any], looks: Sequence[Cell]) -> tuple[Cell | None, ...]:
    cells = zip(row[::2], row[1::2], strict=True)
    return tuple(None if name is None else _named(looks[look], name) for name, look in cells)


def _named(look: Cell, name: str | list[str]) -> Cell:
    return replace(look, name=name) if isinstance(name, str) else replace(look, name=name[0], of=name[1])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
