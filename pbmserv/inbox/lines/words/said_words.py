"""Words of moves that are said aloud: letters, numbers, and what stands between two cells.

A word that is missing here is no harm: then the move is offered, or the answer says how to write it.
"""

from collections.abc import Iterator, Mapping

from pbmserv.games.base.words import PASS, SWAP
from pbmserv.inbox.lines.words.sentence_words import JOINING

_LETTERS = {
    "ICAO": "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec "
    "romeo sierra tango",
    "English": "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa "
    "quebec romeo sierra tango",
    "German": "anton berta cäsar dora emil friedrich gustav heinrich ida julius kaufmann ludwig martin nordpol otto "
    "paula quelle richard samuel theodor",
    "other German": "anton berta caesar dora emil fritz gustav heinrich ida jot konrad ludwig martha nathan otto paula "
    "quelle richard siegfried theodor",
    "heard": "alef bee see dee ee eff gee aitch ida jay kay ell emm enn otto pee cue arr ess tee",
    "names of letters": "alef bee cee dee ee eff gee aitch ida jay kay ell emm enn otto pee cue arr ess tee",
}
_ONES = {
    "English": "one two three four five six seven eight nine",
    "German": "eins zwei drei vier fünf sechs sieben acht neun",
    "other German": "ein zwo drei vier fuenf sechs sieben acht neun",
}
_TEENS = {
    "English": "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "German": "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "other German": "zehn elf zwoelf dreizehn vierzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn",
}
OPEN = "~"  #: behind tens that are a word, which a word for ones may follow
_TENS = {
    "English": "twenty thirty forty fifty",
    "German": "zwanzig dreißig vierzig fünfzig",
    "other German": "zwanzig dreissig vierzig fuenfzig",
}


def _numbered(table: Mapping[str, str], first: int, step: int = 1) -> Iterator[tuple[str, int]]:
    for words in table.values():
        yield from ((word, first + step * at) for at, word in enumerate(words.split()))


def _compounds() -> Iterator[tuple[str, int]]:
    """Yield dreiundzwanzig, twenty-three and twentythree."""
    for ten, tens in _numbered(_TENS, 20, 10):
        for one, ones in _numbered(_ONES, 1):
            yield from ((word, tens + ones) for word in (f"{one}und{ten}", f"{ten}-{one}", f"{ten}{one}"))


_LETTER_OF = {word: chr(97 + at) for words in _LETTERS.values() for at, word in enumerate(words.split())}
_NUMBER_OF = dict((*_numbered(_ONES, 1), *_numbered(_TEENS, 10), *_compounds()))
_BETWEEN = {
    " ": "square field point number nummer feld punkt stone disc disk stack stapel line linie ship schiff",
    "-": "to - dash hyphen nach auf",
    "x": "x takes take captures capture schlägt schlaegt nimmt prend slaat bije бьёт бьет slår",
}
#: Moves that are words.
_MOVES = {
    PASS: "passe passen paso passo pasuję пас пасую",
    SWAP: "swappe swappen swapper tausche tauschen tausch vertauschen échanger échange cambiar cambio scambio ruil "
    "zamiana",
}
#: Word -> what it says of a move: a letter (a to t, as on the largest board for Go), a number, `-` for to, `x` for
#: takes; " " is nothing besides the cells. `a` is a letter, and in some languages it is to. `du` is you in German.
SAID: Mapping[str, str] = {
    **dict.fromkeys(JOINING - {"a", "du"}, " "),
    **{word: move for move, words in _MOVES.items() for word in words.split()},
    **{word: sign for sign, words in _BETWEEN.items() for word in words.split()},
    **_LETTER_OF,
    **{word: str(number) for word, number in _NUMBER_OF.items()},
    **{word: f"{number}{OPEN}" for word, number in _numbered(_TENS, 20, 10)},
}
#: Signs of check, and words that say the same; the rules know it better.
CHECKS = frozenset(("check", "checkmate", "mate", "schach", "matt", "schachmatt", "+", "++", "#"))
#: Names of seats, as players say them in other languages.
COLOURS: Mapping[str, str] = {
    "White": "weiß weiss blancs blanc blancas blanco bianco brancas branco wit białe biały bílý bílá vit hvid hvit "
    "valkoinen világos beyaz белые белый білі λευκά 白 흰",
    "Black": "schwarz noirs noir negras negro nero pretas preto zwart czarne czarny černý černá svart sort musta sötét "
    "siyah чёрные черные чёрный черный чорні μαύρα 黒 黑 흑",
    "Red": "rot rouge rojo rosso vermelho rood czerwony červený röd rød punainen piros kırmızı красный красные",
    "Blue": "blau bleu azul blu blauw niebieski modrý blå sininen kék mavi синий синие",
    "Yellow": "gelb jaune amarillo giallo amarelo geel żółty žlutý gul keltainen sárga sarı жёлтый жёлтые",
    "South": "süd süden sud sur zuid południe jih syd sør юг",
    "North": "nord norden norte noord północ sever север",
}
