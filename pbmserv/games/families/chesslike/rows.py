"""The games like chess: a row for each."""

from pbmserv.games.families.chesslike.row import Row


def _between(back: str, empty: int = 4) -> str:
    """Return the set-up with this back rank, pawns before it, and so many empty ranks."""
    width = len(back)
    return "/".join((back, "p" * width, *[str(width)] * empty, "P" * width, back.upper()))


_CHESS = _between("rnbqkbnr")
_GREAT = {"a": "archbishop", "c": "chancellor"}

ROWS = (
    Row("hill", "King of the Hill", "Mate, or bring your king to the middle of the board.", _CHESS,
        credit="a game of chess clubs.", aliases=("kingofthehill", "koth"), goal="d4 e4 d5 e5"),
    Row("threecheck", "Three Checks", "Mate, or give check three times.", _CHESS,
        credit="a game of chess clubs of the 1980s.", aliases=("3check",), checks=3),
    Row("fivecheck", "Five Checks", "Mate, or give check five times.", _CHESS,
        credit="a game of chess clubs.", aliases=("5check",), checks=5),
    Row("crazyhouse", "Crazyhouse", "What you capture comes back as your own man.", _CHESS,
        credit="chess servers of the 1990s; it goes back to Bughouse.", drops=True),
    Row("atomic", "Atomic Chess", "Each capture blows up what stands around it. Blow up the king.", _CHESS,
        credit="N. Soliman, 1995.", explodes=True),
    Row("antichess", "Antichess", "Lose all your men: you must capture if you can.", _CHESS,
        credit="an old game of unknown origin.", castles="", royal="", becomes="qrbnk", must_capture=True, stalemate=0),
    Row("giveaway", "Giveaway Chess", "Lose all your men, and castle while you can.", _CHESS,
        credit="an old game of unknown origin.", royal="", becomes="qrbnk", must_capture=True, stalemate=0),
    Row("horde", "Horde", "An army must capture thirty-six pawns before they mate.",
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP",
        credit="Lord Dunsany, 1942.", double=(1, 2)),
    Row("racingkings", "Racing Kings", "Bring your king to the last rank first; nobody may give check.",
        "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ", credit="V. R. Parton, 1961.", becomes="", castles="", double=(), race=True),
    Row("losalamos", "Los Alamos Chess", "Chess on six by six squares, without bishops.",
        "rnqknr/pppppp/6/6/PPPPPP/RNQKNR", credit="Paul Stein and Mark Wells, for the MANIAC computer, 1956.",
        becomes="qrn", castles="", double=()),
    Row("gardner", "Five by Five Chess", "The smallest board on which all men of chess stand.",
        "rnbqk/ppppp/5/PPPPP/RNBQK", credit="Martin Gardner, 1969.", aliases=("minichess",), castles="", double=()),
    Row("capablanca", "Capablanca Chess", "Ten files, and two new strong men.", _between("rnabqkbcnr"),
        credit="José Raúl Capablanca, 1925.", men=_GREAT, becomes="qcarbn", castles="ci"),
    Row("bastion", "Bastion Chess", "Capablanca's men in another order.", _between("rnbqckabnr"),
        credit="José Raúl Capablanca, who invented the men.", men=_GREAT, becomes="qcarbn", castles="ci"),
    Row("rampart", "Rampart Chess", "Capablanca's men, with the king in the middle.", _between("rnbqkcabnr"),
        credit="José Raúl Capablanca, who invented the men.", men=_GREAT, becomes="qcarbn", castles="bh"),
    Row("janus", "Janus Chess", "Ten files, and two men that are bishop and knight.", _between("rjnbkqbnjr"),
        credit="Werner Schöndorf, 1978.", men={"j": "archbishop"}, becomes="qjrbn", castles="bi"),
    Row("chancellorchess", "Chancellor Chess", "Nine files, and a man that is rook and knight.",
        _between("rnbqkcnbr", 5), credit="Ben Foster, 1887.", men={"c": "chancellor"}, becomes="qcrbn"),
    Row("modernchess", "Modern Chess", "Nine files, and a man that is bishop and knight.",
        "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR", credit="Gabriel Vicente Maura, 1968.",
        men={"m": "archbishop"}, becomes="qmrbn"),
    Row("centaurchess", "Centaur Chess", "Ten files, and two men that are king and knight.", _between("rcnbqkbncr"),
        credit="an old game of unknown origin.", men={"c": "centaur"}, becomes="qcrbn", castles="ci"),
    Row("almost", "Almost Chess", "The queen is a rook and a knight.", _between("rnbckbnr"),
        credit="Ralph Betza, 1977.", men={"c": "chancellor"}, becomes="crbn"),
    Row("amazonchess", "Amazon Chess", "The queen is a knight, too.", _between("rnbakbnr"),
        credit="an old game of unknown origin.", men={"a": "amazon"}, becomes="arbn"),
    Row("nightrider", "Nightrider Chess", "Knights ride on in one direction.", _CHESS,
        credit="T. R. Dawson, who invented the nightrider in 1925.", men={"n": "nightrider"}),
    Row("berolina", "Berolina Chess", "Pawns move diagonally and capture straight on.", _CHESS,
        credit="Edmund Nebermann, 1926.", men={"p": "slanting pawn"}),
    Row("knightmate", "Knightmate", "Mate the royal knight.", _between("rmbqkbmr"),
        credit="Bruce Zimov, 1972.", men={"k": "royal knight", "m": "commoner"}, becomes="qrbm"),
    Row("hoppelpoppel", "Hoppel-Poppel", "Knights capture as bishops, bishops as knights.", _CHESS,
        credit="an old German game.", men={"n": "hunter", "b": "monk"}),
    Row("newzealand", "New Zealand Chess", "Knights capture as rooks, rooks as knights.", _CHESS,
        credit="a game from New Zealand.", men={"n": "raider", "r": "tower"}),
    Row("extinction", "Extinction Chess", "Capture all men of one kind.", _CHESS,
        credit="R. Wayne Schmittberger, 1985.", royal="", extinct="pnbrqk", becomes="qrbnk"),
    Row("kinglet", "Kinglet", "Capture all pawns of your opponent.", _CHESS,
        credit="V. R. Parton, 1953.", royal="", extinct="p", becomes="k"),
    Row("threekings", "Three Kings", "Each side has three kings. Capture one of them.",
        _between("knbqkbnk"), credit="a game of chess clubs.", royal="", extinct="k", least=3, castles=""),
    Row("misere", "Misère Chess", "The player who is mated has won.", _CHESS,
        credit="a game of chess problems.", mate=0),
    Row("shatranj", "Shatranj", "The chess of the Middle Ages: slow men, and a bare king loses.",
        _between("rnbkqbnr"), credit="the Arabs, before the year 850.", men={"q": "ferz", "b": "elephant"}, becomes="q",
        castles="", double=(), bare=True, stalemate=1),
    Row("courier", "Courier Chess", "The chess of medieval Germany on twelve files.",
        "rnebmk1wbenr/1ppppp1pppp1/6f5/p5p4p/P5P4P/6F5/1PPPPP1PPPP1/RNEBMK1WBENR",
        credit="medieval Germany; Ströbeck played it until about 1800.",
        men={"e": "elephant", "m": "commoner", "f": "ferz", "w": "wazir"}, becomes="f", castles="", double=()),
)  # fmt: skip
