"""Games of dice at one table: the game of a row."""

from collections.abc import Mapping

from pbmserv.games.base import AnyGame
from pbmserv.games.families.dice.banking import Aside, OnPot
from pbmserv.games.families.dice.cups import BelowCups, Pairs
from pbmserv.games.families.dice.dice_row import SEATS, BoxRow, CupRow, DiceRow, PotRow
from pbmserv.games.families.dice.sheets import OnSheets

_SHEET = {"done": "all boxes are filled"}
_POT = {"done": "the most points"}
_CUP = {"alone": "the others have lost all"}


def game_of(row: DiceRow) -> AnyGame:
    """Return the game of a row. Its class has the row's name."""
    base, pattern, ends = _engine(row)
    hidden = isinstance(row, CupRow)
    info = row.info(
        seats=SEATS,
        pattern=pattern,
        endings=ends,
        options=row.options,
        agreements=frozenset() if hidden else frozenset({"draw"}),
        chance=True,
        hidden=hidden,
        steps=True,
        first=None if base is Aside else 0,  # the first throw can pass a seat over
    )
    return row.game(base, info)


def _engine(row: DiceRow) -> tuple[type[AnyGame], str, Mapping[str, str]]:
    """Return the class of the game, the pattern of its moves, and its endings."""
    match row:
        case BoxRow():
            return OnSheets, rf"roll|keepall|[1-6]{{1,{row.dice}}}|(?:go-)?(?:{'|'.join(row.boxes)})", _SHEET
        case PotRow(aside=True):
            return Aside, r"[1-6]{0,6}(?:roll|bank)|to[1-9][0-9]{2,3}", _POT
        case PotRow():
            return OnPot, r"roll|bank|to[1-9][0-9]{0,2}", _POT
        case CupRow(pairs=True):
            return Pairs, r"doubt|roll|[1-6]{2}", _CUP
        case _:
            return BelowCups, r"doubt|[1-9][0-9]?x[1-6]", _CUP
