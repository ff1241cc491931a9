"""The names of men, in the languages in which players write them, and which kind of man each is.

A name counts with endings, too: `knights`, `Springers`, `ratsulla`. Words that mean something else in a sentence, such
as `at` (a knight in Turkish), are left out. A name that is not here is no harm: see inbox/lines/offers.py.
"""

from collections.abc import Iterable, Mapping

_KINDS = ("p", "n", "b", "r", "q", "k")
#: Of chess: pawn, knight, bishop, rook, queen, king. Several names of one kind have a comma between them.
_CHESS = {
    "English": "pawn knight,horse bishop rook,castle,tower queen king",
    "German": "bauer,bauern springer,pferd,rössel läufer,laeufer turm,türme dame,königin,koenigin könig,koenig",
    "French": "pion cavalier fou tour dame,reine roi",
    "Spanish": "peón,peon caballo alfil torre dama,reina rey",
    "Italian": "pedone,pedoni cavallo,cavalli alfiere torre,torri donna,regina re",
    "Portuguese": "peão,peao cavalo bispo torre dama,rainha rei",
    "Catalan": "peó cavall alfil torre dama,reina rei",
    "Dutch": "pion,boer paard,springer loper,raadsheer toren dame,koningin koning",
    "Polish": "pion,pionek,pionk skoczek,skoczk,koń,koni goniec,gońc,laufer wieża,wież hetman,dama,królow król",
    "Czech": "pěšec,pěšák,pěšc jezdec,jezdc,kůň,koně střelec,střelc věž dáma,dámou král",
    "Slovak": "pešiak jazdec,jazdc,kôň strelec,strelc veža,vežou dáma,dámou kráľ",
    "Russian": "пешк,пешек конь,коня,конём,конем слон ладья,ладью,ладьё,ладье ферзь,ферз король,корол",
    "Ukrainian": "пішак кінь,коня,конем слон тура,турою ферзь,ферз король,корол",
    "Bulgarian": "пешка кон,коня,конят офицер топ,топа дама,царица цар",
    "Serbian": "пешак скакач,коњ ловац,ловц топ,кула дама,краљиц краљ",
    "Croatian, Slovenian": "pješak,pešak,kmet skakač,konj,kopito lovac,lovc,lovec,tekač kula,trdnjav kraljic kralj",
    "Hungarian": "gyalog huszár,ló futó,futár bástya vezér,királynő király",
    "Romanian": "pion calul nebun turnul,tura damă,dama,regin rege",
    "Swedish": "bonde,bönder springare,häst löpare torn dam,damen,drottning kung",
    "Danish, Norwegian": "bonde,bønder springer,hest,ridder løber,løper tårn dronning,dame konge",
    "Icelandic": "peð riddar biskup hrók drottning kóng",
    "Finnish": "sotila ratsu,hevos,hevonen lähet torni,torni kuningat,daami kuninka,kuningas",
    "Estonian": "ettur ratsu oda vanker lipp kuningas,kuninga",
    "Lithuanian, Latvian": "pėstinink,bandinie žirg,zirg rikis,laidn bokšt,torn valdov,dāma karali",
    "Turkish": "piyon atım,atla fili,filim kale,kalem vezir şah,kral",
    "Greek": "πιόνι,στρατιώτη ίππο,άλογο αξιωματικ,τρελό πύργο βασίλισσα,ντάμα βασιλι",
    "Esperanto": "peono ĉevalo kuriero turo damo,reĝino reĝo",
    "Indonesian, Malay": "bidak kuda gajah benteng menteri,ster raja",
    "Vietnamese": "tốt mã tượng xe hậu vua",
}  # fmt: skip
#: Of draughts: man, king.
_DRAUGHTS = {
    "English": "man,men,checker,draughtsman king,queen,crown",
    "German": "stein,mann,bauer dame,könig,koenig",
    "Dutch": "schijf,schijv dam,damm",
    "French": "pion dame",
    "Spanish, Portuguese": "peón,peon,ficha,peão,peao,pedra dama,reina",
    "Italian": "pedina,pedine dama,damone",
    "Polish": "pion,pionek,pionk damka,damk",
    "Russian, Ukrainian": "шашк,простая,пешка дамк",
    "Czech": "kámen dáma,dámou",
    "Swedish, Danish, Norwegian": "bricka,brik,brikke dam,damen,dame,konge",
    "Turkish": "taş dama",
}


def _kinds(rows: Iterable[str], kinds: Iterable[str]) -> dict[str, str]:
    """Return name -> kind; a name of two kinds in two languages is "?", which fits no man."""
    kind_of: dict[str, str] = {}
    for row in rows:
        for names, kind in zip(row.split(), kinds, strict=False):
            for name in names.split(","):
                kind_of[name] = kind if kind_of.get(name, kind) == kind else "?"
    return kind_of


#: Name -> kind of man, as in FEN in lower case.
CHESSMEN: Mapping[str, str] = _kinds(_CHESS.values(), _KINDS)
#: Name -> m or k.
DRAUGHTSMEN: Mapping[str, str] = _kinds(_DRAUGHTS.values(), "mk")
#: Of games in which all men are alike, so that their names say nothing.
ALIKE: Mapping[str, str] = {name: "" for men in (CHESSMEN, DRAUGHTSMEN) for name, kind in men.items() if kind in "pm"}
QUEENS: Mapping[str, str] = {**ALIKE, **{name: "" for name, kind in CHESSMEN.items() if kind == "q"}}


def changed_by(*words: str) -> Mapping[str, str]:
    """Return the names of men that are alike, and words that say something of a move which its squares do not."""
    return {**ALIKE, **dict.fromkeys(words, "?")}


#: What is a man in one language, and a usual word before a square in others: at f3 is a knight in Turkish.
ALSO_WORDS = frozenset({"at"})
_ALL = frozenset({*CHESSMEN, *DRAUGHTSMEN})
_LETTERS = frozenset(map("".join, map(sorted, _ALL)))  #: of each name
_STEM = 4  #: characters of a name to which endings can be added
_ENDING = 4  #: the most characters of these


def kind_named(word: str, men: Mapping[str, str]) -> str:
    """Return the kind of man that a word in lower case names, by the names of a game; "?" if it is none of these.

    "": the word names no man of any game, or the men of the game are alike.
    """
    return men.get(name, "?") if (name := man_named(word, men)) else ""


def man_named(word: str, men: Mapping[str, str]) -> str:
    """Return the name of a man in a word in lower case, without its ending; "" if the word names no man of any game."""
    if word not in _ALL and "".join(sorted(word)) in _LETTERS:
        return ""  # a kinght is no king
    ends = (len(word), *range(len(word) - 1, max(_STEM, len(word) - _ENDING) - 1, -1))
    return next((word[:end] for end in ends if word[:end] in men or word[:end] in _ALL), "")
