"""The men of games like chess: their names, how they move, and what they are worth in hundredths of a pawn."""

from typing import NamedTuple


class Man(NamedTuple):
    """A kind of man. `betza`: how it moves (betza.py). `says`: the same in words. `art`: its drawing, or those of both
    sides with a slash between.

    `keeps`: the part of the board that it never leaves, "palace" or "side". `beyond`: how it moves beyond the river.
    `crossing`: how it moves along the diagonal lines of palaces, too.
    """

    name: str
    betza: str
    value: int
    says: str
    art: str
    keeps: str = ""
    beyond: str = ""
    crossing: str = ""


_ALONG = "one point along a line, in the palace only"

#: By name. Where two games call men alike that move differently, one of them has a word more.
MEN: dict[str, Man] = {
    man.name: man
    for man in (
        Man("pawn", "mfWcfF", 100, "one square forward; captures diagonally forward", "pawn"),
        Man("slanting pawn", "mfFcfW", 100, "one square diagonally forward; captures straight forward", "pawn"),
        Man("knight", "N", 310, "two squares straight on and one to the side; it may jump", "knight"),
        Man("bishop", "B", 330, "any distance diagonally", "bishop"),
        Man("rook", "R", 500, "any distance along a rank or a file", "rook"),
        Man("queen", "Q", 950, "any distance in a straight line, also diagonally", "queen"),
        Man("king", "K", 400, "one square in any direction", "king"),
        Man("commoner", "K", 400, "one square in any direction, but it is no king", "commoner"),
        Man("royal knight", "N", 400, "as a knight; it must not be lost", "knight"),
        Man("archbishop", "BN", 800, "as a bishop or as a knight", "archbishop"),
        Man("chancellor", "RN", 880, "as a rook or as a knight", "chancellor"),
        Man("amazon", "QN", 1250, "as a queen or as a knight", "horse-queen"),
        Man("centaur", "KN", 700, "as a king or as a knight", "centaur"),
        Man("nightrider", "NN", 480, "any number of knight's leaps in one direction", "nightrider"),
        Man("hunter", "mNcB", 320, "moves as a knight, captures as a bishop", "knight"),
        Man("monk", "mBcN", 320, "moves as a bishop, captures as a knight", "bishop"),
        Man("raider", "mNcR", 400, "moves as a knight, captures as a rook", "knight"),
        Man("tower", "mRcN", 400, "moves as a rook, captures as a knight", "rook"),
        Man("ferz", "F", 150, "one square diagonally", "ferz"),
        Man("elephant", "A", 130, "two squares diagonally; it may jump", "elephant"),
        Man("wazir", "W", 120, "one square along a rank or a file", "wazir"),
        Man("met", "F", 150, "one square diagonally", "ferz"),
        Man("ai-wok", "RNF", 950, "as a rook, a knight or a met", "chancellor"),
        Man("khon", "FfW", 260, "one square diagonally or straight forward", "khon"),
        Man("general", "W", 400, "one point along a line, in the palace only", "xq-marshal/xq-general", "palace"),
        Man("advisor", "F", 200, "one point diagonally, in the palace only", "xq-advisor", "palace"),
        Man(
            "river elephant",
            "nA",
            200,
            "two points diagonally, over neither a man nor the river",
            "xq-minister/xq-elephant",
            "side",
        ),
        Man("horse", "nN", 420, "one point straight, if it is empty, then one diagonally", "xq-horse"),
        Man("chariot", "R", 900, "any distance along a line", "xq-chariot"),
        Man("cannon", "mRcpR", 460, "as a chariot; to capture, it jumps over exactly one man", "xq-cannon"),
        Man("foot soldier", "fsW", 150, "one point forward or to the side", "xq-foot/xq-soldier"),
        Man(
            "soldier",
            "fW",
            100,
            "one point forward; beyond the river also to the side",
            "xq-foot/xq-soldier",
            beyond="fsW",
        ),
        Man("palace general", "W", 400, _ALONG, "jg-cho/jg-han", "palace", crossing="F"),
        Man("guard", "W", 200, _ALONG, "xq-advisor", "palace", crossing="F"),
        Man("palace chariot", "R", 900, "any distance along a line", "xq-wagon", crossing="B"),
        Man(
            "jumping cannon",
            "poR",
            500,
            "along a line, over one man that is no cannon; captures none",
            "jg-cannon",
            crossing="poB",
        ),
        Man("long elephant", "nZ", 260, "one point straight, then two diagonally, over no man", "xq-elephant"),
        Man("palace soldier", "fsW", 140, "one point along a line, not back", "xq-soldier/xq-foot", crossing="fF"),
    )
}
_AS_GOLD = "as a gold"

#: Of games like shogi, by the names of their drawings.
MEN |= {
    man.art: man
    for man in (
        Man("pawn", "fW", 100, "one square straight forward", "shogi-pawn"),
        Man("lance", "fR", 300, "any distance straight forward", "shogi-lance"),
        Man("knight", "fN", 320, "two squares forward and one to the side; it jumps", "shogi-knight"),
        Man("silver", "FfW", 460, "one square diagonally or straight forward", "shogi-silver"),
        Man("gold", "WfF", 520, "one square straight or diagonally forward", "shogi-gold"),
        Man("bishop", "B", 700, "any distance diagonally", "shogi-bishop"),
        Man("rook", "R", 850, "any distance along a rank or a file", "shogi-rook"),
        Man("king", "K", 400, "one square in any direction", "shogi-king"),
        Man("promoted pawn", "WfF", 480, _AS_GOLD, "shogi-promoted-pawn"),
        Man("promoted lance", "WfF", 490, _AS_GOLD, "shogi-promoted-lance"),
        Man("promoted knight", "WfF", 500, _AS_GOLD, "shogi-promoted-knight"),
        Man("promoted silver", "WfF", 520, _AS_GOLD, "shogi-promoted-silver"),
        Man("horse", "BW", 950, "as a bishop, or one square straight", "shogi-horse"),
        Man("dragon", "RF", 1150, "as a rook, or one square diagonally", "shogi-dragon"),
        Man("chick", "fW", 100, "one square straight forward", "shogi-chick"),
        Man("hen", "WfF", 250, "one square straight or diagonally forward", "shogi-hen"),
        Man("elephant", "F", 250, "one square diagonally", "shogi-elephant"),
        Man("giraffe", "W", 280, "one square straight", "shogi-giraffe"),
        Man("lion", "K", 400, "one square in any direction", "shogi-lion"),
    )
}

#: Names by which German players call men that chess has not: German=English.
_IN_GERMAN = (
    "mann=commoner,erzbischof=archbishop,kanzler=chancellor,amazone=amazon,küken=chick,zentaur=centaur,"
    "nachtreiter=nightrider,jäger=hunter,mönch=monk,räuber=raider,turmreiter=tower,fers=ferz,"
    "elefant=elephant,wesir=wazir,lanze=lance,silber=silver,pferd=horse,drache=dragon,huhn=hen,"
    "löwe=lion,berater=advisor,wagen=chariot,kanone=cannon,soldat=soldier"
)
_IN_VIETNAMESE = (
    "mã=horse,xe=chariot,pháo=cannon,tốt=soldier,chốt=soldier,tượng=elephant,sĩ=advisor,tướng=general"  #: of Xiangqi
)
#: The names of men in other languages -> in English.
IN_LANGUAGES = dict(pair.split("=") for pair in f"{_IN_GERMAN},{_IN_VIETNAMESE}".split(","))
