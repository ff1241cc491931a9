"""Games about lines: the game of a row (ADR 113)."""

from collections.abc import Mapping
from typing import Any

from pbmserv.games.base import FIVE_LEVELS, AnyGame, Option
from pbmserv.games.connection.gomoku import NO_STONE, InARow, sgf_colours, sgf_move, sgf_root, sgf_setup
from pbmserv.games.families.lines.lines_on_points import OPENING, OnPoints
from pbmserv.games.families.lines.lines_row import LineRow
from pbmserv.games.families.lines.on_boards import OnBoards
from pbmserv.games.families.lines.on_squares import OnSquares
from pbmserv.games.formats.sgf import Dialect

_LINES = {3: "three in a row", 4: "four in a row", 5: "five in a row", 6: "six in a row"}
_WORTH = {5: InARow.worth, 6: (1, 5, 20, 90, 110, 0)}  #: of stones in a line


def game_of(row: LineRow) -> AnyGame:
    """Return the game of a row. Its class has the row's name."""
    base: type[AnyGame] = OnPoints if row.sides else OnBoards if row.nested else OnSquares
    facts: dict[str, Any] = {"formats": (_sgf(row).format,), "worth": _WORTH[row.length]} if row.sides else {}
    info = row.info(
        pattern=_pattern(row),
        endings=_endings(row),
        nodes=(row.weakest, *(FIVE_LEVELS[1:] if row.sides else (600, 5000))),
        options=tuple(_options(row)),
        repetition=3 if row.pops else 0,
    )
    return row.game(base, info, names=row.names, **facts)


def _sgf(row: LineRow) -> Dialect:
    """Return how a game is written in SGF, where only Renju shares the number of Gomoku; others have their names."""
    number = 4 if row.forbids else row.key
    return Dialect(number, lambda sheet: {**sgf_root(sheet), "RU": [row.name]}, sgf_setup, sgf_move, sgf_colours)


def _pattern(row: LineRow) -> str:
    if row.sides:
        return f"[a-s](?:1[0-9]|[1-9]){f'|{NO_STONE}|white|black' * row.forbids}"
    return f"{'x?' * row.pops}[a-i][1-9]{'|[a-i1-9]' * (row.falls and row.size[2] == 1)}"


def _options(row: LineRow) -> list[Option]:
    usual, *others = map(str, row.sides or (0,))
    size = Option("size", f"points of a side, if not {usual}", values=tuple(others), usual=usual)
    opening = Option(OPENING, "three stones near the middle, then the other player takes a colour")
    return [size] * bool(others) + [opening] * row.forbids


def _endings(row: LineRow) -> Mapping[str, str]:
    line = _LINES[row.length]
    reason, words = "five" if row.sides else "row", f"the other player made {line}" if row.loses else line
    special = {
        "pairs": (row.pairs, "five captured pairs"),
        "passes": (row.forbids, "both players passed"),
        "pops": (row.pops, "sixty discs were taken out"),
    }
    return {reason: words, "full": "the board is full"} | {key: text for key, (has, text) in special.items() if has}
