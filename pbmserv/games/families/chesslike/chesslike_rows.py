"""The games like chess: a row for each."""

from functools import partial

from pbmserv.games.families.chesslike.row import Variant


def _between(back: str, empty: int = 4) -> str:
    """Return the set-up with this back rank, pawns before it, and so many empty ranks."""
    width = len(back)
    return "/".join((back, "p" * width, *[str(width)] * empty, "P" * width, back.upper()))


_CHESS = _between("rnbqkbnr")
_GREAT = {"a": "archbishop", "c": "chancellor"}
_SHOGI = {"p": "pawn", "l": "lance", "n": "knight", "s": "silver", "g": "gold", "b": "bishop", "r": "rook", "k": "king"}
_PROMOTED = {"t": "promoted-pawn", "y": "promoted-lance", "m": "promoted-knight", "z": "promoted-silver"}
#: What games like shogi have in common.
_shogi = partial(
    Variant,
    men={letter: f"shogi-{name}" for letter, name in (_SHOGI | _PROMOTED | {"h": "horse", "d": "dragon"}).items()},
    falls_back=dict(zip("plnsbr", "tymzhd", strict=True)),
    becomes="", castles="", double=(), stalemate=1, drops=True, drop_laws=True, perpetual=4, quiet=500, most=500,
    sides=("Black", "White"), family="shogi", page="shogi",
)  # fmt: skip

ROWS = (
    Variant("hill", "King of the Hill", "Mate, or bring your king to the middle of the board.", _CHESS,
        credit="a game of chess clubs.", aliases=("kingofthehill", "koth"), goal="d4 e4 d5 e5", fairy="kingofthehill"),
    Variant("threecheck", "Three Checks", "Mate, or give check three times.", _CHESS,
        credit="a game of chess clubs of the 1980s.", aliases=("3check",), checks=3, fairy="3check"),
    Variant("fivecheck", "Five Checks", "Mate, or give check five times.", _CHESS,
        credit="a game of chess clubs.", aliases=("5check",), checks=5, fairy="5check"),
    Variant("crazyhouse", "Crazyhouse", "What you capture comes back as your own man.", _CHESS,
        credit="chess servers of the 1990s; it goes back to Bughouse.", drops=True),
    Variant("atomic", "Atomic Chess", "Each capture blows up what stands around it. Blow up the king.", _CHESS,
        credit="N. Soliman, 1995.", explodes=True),
    Variant("antichess", "Antichess", "Lose all your men: you must capture if you can.", _CHESS,
        credit="an old game of unknown origin.", castles="", royal="", becomes="qrbnk", must_capture=True, stalemate=0),
    Variant("giveaway", "Giveaway Chess", "Lose all your men, and castle while you can.", _CHESS,
        credit="an old game of unknown origin.", royal="", becomes="qrbnk", must_capture=True, stalemate=0),
    Variant("horde", "Horde", "An army must capture thirty-six pawns before they mate.",
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP",
        credit="Lord Dunsany, 1942.", double=(1, 2)),
    Variant("racingkings", "Racing Kings", "Bring your king to the last rank first; nobody may give check.",
        "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ", credit="V. R. Parton, 1961.", becomes="", castles="", double=(), race=True),
    Variant("losalamos", "Los Alamos Chess", "Chess on six by six squares, without bishops.",
        "rnqknr/pppppp/6/6/PPPPPP/RNQKNR", credit="Paul Stein and Mark Wells, for the MANIAC computer, 1956.",
        becomes="qrn", castles="", double=()),
    Variant("gardner", "Five by Five Chess", "The smallest board on which all men of chess stand.",
        "rnbqk/ppppp/5/PPPPP/RNBQK", credit="Martin Gardner, 1969.", aliases=("minichess",), castles="", double=()),
    Variant("capablanca", "Capablanca Chess", "Ten files, and two new strong men.", _between("rnabqkbcnr"),
        credit="José Raúl Capablanca, 1925.", men=_GREAT, becomes="qcarbn", castles="ci"),
    Variant("bastion", "Bastion Chess", "Capablanca's men in another order.", _between("rnbqckabnr"),
        credit="José Raúl Capablanca, who invented the men.", men=_GREAT, becomes="qcarbn", castles="ci",
        fairy="gothic"),
    Variant("rampart", "Rampart Chess", "Capablanca's men, with the king in the middle.", _between("rnbqkcabnr"),
        credit="José Raúl Capablanca, who invented the men.", men=_GREAT, becomes="qcarbn", castles="bh",
        fairy="embassy"),
    Variant("janus", "Janus Chess", "Ten files, and two men that are bishop and knight.", _between("rjnbkqbnjr"),
        credit="Werner Schöndorf, 1978.", men={"j": "archbishop"}, becomes="qjrbn", castles="bi"),
    Variant("chancellorchess", "Chancellor Chess", "Nine files, and a man that is rook and knight.",
        _between("rnbqkcnbr", 5), credit="Ben Foster, 1887.", men={"c": "chancellor"}, becomes="qcrbn",
        fairy="chancellor"),
    Variant("modernchess", "Modern Chess", "Nine files, and a man that is bishop and knight.",
        "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR", credit="Gabriel Vicente Maura, 1968.",
        men={"m": "archbishop"}, becomes="qmrbn", fairy="modern"),
    Variant("centaurchess", "Centaur Chess", "Ten files, and two men that are king and knight.", _between("rcnbqkbncr"),
        credit="an old game of unknown origin.", men={"c": "centaur"}, becomes="qcrbn", castles="ci", fairy="centaur"),
    Variant("almost", "Almost Chess", "The queen is a rook and a knight.", _between("rnbckbnr"),
        credit="Ralph Betza, 1977.", men={"c": "chancellor"}, becomes="crbn"),
    Variant("amazonchess", "Amazon Chess", "The queen is a knight, too.", _between("rnbakbnr"),
        credit="an old game of unknown origin.", men={"a": "amazon"}, becomes="arbn", fairy="amazon"),
    Variant("nightrider", "Nightrider Chess", "Knights ride on in one direction.", _CHESS,
        credit="T. R. Dawson, who invented the nightrider in 1925.", men={"n": "nightrider"}),
    Variant("berolina", "Berolina Chess", "Pawns move diagonally and capture straight on.", _CHESS,
        credit="Edmund Nebermann, 1926.", men={"p": "slanting pawn"}),
    Variant("knightmate", "Knightmate", "Mate the royal knight.", _between("rmbqkbmr"),
        credit="Bruce Zimov, 1972.", men={"k": "royal knight", "m": "commoner"}, becomes="qrbm"),
    Variant("hoppelpoppel", "Hoppel-Poppel", "Knights capture as bishops, bishops as knights.", _CHESS,
        credit="an old German game.", men={"n": "hunter", "b": "monk"}),
    Variant("newzealand", "New Zealand Chess", "Knights capture as rooks, rooks as knights.", _CHESS,
        credit="a game from New Zealand.", men={"n": "raider", "r": "tower"}),
    Variant("extinction", "Extinction Chess", "Capture all men of one kind.", _CHESS,
        credit="R. Wayne Schmittberger, 1985.", royal="", extinct="pnbrqk", becomes="qrbnk"),
    Variant("kinglet", "Kinglet", "Capture all pawns of your opponent.", _CHESS,
        credit="V. R. Parton, 1953.", royal="", extinct="p", becomes="k"),
    Variant("threekings", "Three Kings", "Each side has three kings. Capture one of them.",
        _between("knbqkbnk"), credit="a game of chess clubs.", royal="", extinct="k", least=3, castles=""),
    Variant("misere", "Misère Chess", "The player who is mated has won.", _CHESS,
        credit="a game of chess problems.", mate=0),
    Variant("shatranj", "Shatranj", "The chess of the Middle Ages: slow men, and a bare king loses.",
        _between("rnbkqbnr"), credit="the Arabs, before the year 850.", men={"q": "ferz", "b": "elephant"}, becomes="q",
        castles="", double=(), bare=True, stalemate=1),
    Variant("courier", "Courier Chess", "The chess of medieval Germany on twelve files.",
        "rnebmk1wbenr/1ppppp1pppp1/6f5/p5p4p/P5P4P/6F5/1PPPPP1PPPP1/RNEBMK1WBENR",
        credit="medieval Germany; Ströbeck played it until about 1800.",
        men={"e": "elephant", "m": "commoner", "f": "ferz", "w": "wazir"}, becomes="f", castles="", double=()),
    _shogi("shogi", "Shogi", "The chess of Japan: what you capture comes back as your own man.",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
        credit="Japan, 16th century; the laws are those of the Japan Shogi Association.", zone=3, entering=(28, 27),
        family=""),
    _shogi("minishogi", "Minishogi", "Shogi on five by five squares, with six men.", "rbsgk/4p/5/P4/KGSBR",
        credit="Shigenobu Kusumoto, about 1970."),
    _shogi("judkins", "Judkins Shogi", "Shogi on six by six squares, with seven men.", "rbnsgk/5p/6/6/P5/KGSNBR",
        credit="Paul Judkins, before 1998.", aliases=("judkinsshogi",), zone=2),
    _shogi("gorogoro", "Gorogoro Shogi", "Shogi without rooks and bishops, on five files and six ranks.",
        "sgkgs/5/1ppp1/1PPP1/5/SGKGS", credit="Madoka Kitao, 2012.", aliases=("gorogoroshogi",), zone=2),
    _shogi("twolions", "Two Lions", "A first shogi for children: five sorts of animals on twelve squares.",
        "gle/1c1/1C1/ELG", credit="Madoka Kitao, who invented the rules in 2008.",
        men={"g": "shogi-giraffe", "l": "shogi-lion", "e": "shogi-elephant", "c": "shogi-chick", "h": "shogi-hen"},
        royal="", extinct="l", pawn="c", falls_back={"c": "h"}, drop_laws=False, home="l", fairy="dobutsu"),
)  # fmt: skip
