"""The games of tables: a row for each."""

from pbmserv.games.families.tables.tables_row import ALIKE, BLOCK, PIN_DOWN, ROUND, Table

_BACKGAMMON, _ALL_ON_FIRST = {24: 2, 13: 5, 8: 3, 6: 5}, {24: 15}

ROWS = (
    Table("nackgammon", "Nackgammon", "Backgammon with two men more at the far end.", {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
        credit="Nack Ballard, about 1990.", cube=True, gnubg="Nackgammon"),
    Table("hypergammon", "Hypergammon", "Backgammon with three men.", {24: 1, 23: 1, 22: 1},
        credit="Hugh Sconyers, about 1990.", cube=True, gnubg="Hypergammon3"),
    Table("longgammon", "Longgammon", "Backgammon in which all men begin on the last point.", _ALL_ON_FIRST,
        credit="a game of backgammon clubs.", cube=True),
    Table("portes", "Portes", "The Greek way of backgammon: no cube.", _BACKGAMMON,
        credit="the first of the three games of Greek tavli."),
    Table("irish", "Irish", "The old kind of backgammon, whose doubles count only twice.", _BACKGAMMON,
        credit="Charles Cotton, The Compleat Gamester, 1674.", doubles=2),
    Table("dutch", "Dutch Backgammon", "All men begin outside, and nobody hits before a man is home.", {25: 15},
        credit="a game of backgammon clubs.", aliases=("dutchbackgammon",), hits_from_home=True),
    Table("plakoto", "Plakoto", "Single men are not hit but pinned.", _ALL_ON_FIRST,
        credit="the second of the three games of Greek tavli.", meets=PIN_DOWN, mother=True),
    Table("tapa", "Tapa", "Plakoto as in Bulgaria: the last man at the start is like others.", _ALL_ON_FIRST,
        credit="a game of Bulgaria.", meets=PIN_DOWN),
    Table("fevga", "Fevga", "All run the same way, and one man holds a point.", _ALL_ON_FIRST,
        credit="the third of the three games of Greek tavli.", runs=ROUND, meets=BLOCK, scout=True,
        no_block_at_start=True),
    Table("longnard", "Long Nard", "All run the same way, and men leave the start one by one.", _ALL_ON_FIRST,
        credit="a game of Russia and the Caucasus.", aliases=("nard", "narde", "longnardy"), runs=ROUND, meets=BLOCK,
        head=1, head_twice=(3, 4, 6), no_block_behind=True),
    Table("tabula", "Tabula", "The game of the Romans: three dice, and both run the same way.", {25: 15},
        credit="R. C. Bell's reconstruction of a game of the emperor Zeno, about 480.", runs=ALIKE, dice=3, doubles=1,
        half_waits=True),
)  # fmt: skip
