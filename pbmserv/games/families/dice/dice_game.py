"""Games of dice at one table: the game of a row."""

from pbmserv.games.base import AnyGame
from pbmserv.games.families.dice.banking import Aside, OnPot
from pbmserv.games.families.dice.cups import BelowCups, Pairs
from pbmserv.games.families.dice.dice_row import BoxRow, CupRow, DiceRow, PotRow
from pbmserv.games.families.dice.sheets import OnSheets

_SHEET = {"done": "all boxes are filled"}
_POT = {"done": "the most points"}
_CUP = {"alone": "the others have lost all"}


def game_of(row: DiceRow) -> AnyGame:
    """Return the game of a row. Its class has the row's name."""
    base: type[AnyGame]
    match row:
        case BoxRow():
            boxes = "|".join(row.boxes)
            base, info = OnSheets, row.info(rf"roll|[1-6]{{1,{row.dice - 1}}}|(?:go-)?(?:{boxes})", _SHEET)
        case PotRow(aside=True):
            base, info = Aside, row.info(r"[1-6]{0,6}(?:roll|bank)|to[1-9][0-9]{2,3}", _POT, nobody_first=True)
        case PotRow():
            base, info = OnPot, row.info(r"roll|bank|to[1-9][0-9]{0,2}", _POT)
        case CupRow(pairs=True):
            base, info = Pairs, row.info(r"doubt|roll|[1-6]{2}", _CUP, hidden=True)
        case _:
            base, info = BelowCups, row.info(r"doubt|[1-9][0-9]?x[1-6]", _CUP, hidden=True)
    game: AnyGame = type(row.key, (base,), {"__module__": __name__, "info": info, "row": row})()
    return game
