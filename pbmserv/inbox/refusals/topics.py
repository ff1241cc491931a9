"""Words of questions and complaints, by what they are about, and words for places on a board.

A word that is missing here is no harm: then the answer has only what it says about the board. None of them acts.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from pbmserv.inbox.lines.sentence_words import all_words


class Topic(Enum):
    """What a sentence may be about, in the order in which it is answered."""

    SLIP = auto()  #: a move that was not meant
    DRAW = auto()  #: an end without a winner
    PEOPLE = auto()  #: other opponents
    RATINGS = auto()
    GAMES = auto()  #: another game than this one
    END = auto()  #: somebody has had enough of a board, or of letters
    BOARD = auto()  #: what stands on the board, who plays there, and how much time is left
    MOVES = auto()  #: what can be played
    RULES = auto()  #: what is allowed, and how it is written


_TOPICS: Mapping[Topic, Mapping[str, str]] = {
    Topic.SLIP: {
        "English": "oops ooops undo takeback whoops ups sorry mistake mistaken misclick misclicked typo accident "
        "accidentally back regret meant mistyped fatfinger argh",
        "German": "versehen versehentlich zurück vertan vertippt verklickt verschrieben entschuldigung "
        "entschuldige sorry fehler hoppla huch mist verdammt",
        "French": "pardon désolé désolée zut erreur trompé oups mince",
        "Spanish, Portuguese": "perdón perdon siento uy error equivoqué desculpa desculpe errei engano ops",
        "Italian": "scusa scusate ops sbagliato errore",
        "Dutch": "oeps vergissing foutje fout",
        "Swedish, Danish, Norwegian": "hoppsan oj förlåt fel misstag hovsa undskyld fejl beklager feil",
        "Polish, Czech, Slovak": "ojej pomyłka pomyliłem przepraszam jejda omyl omylem spletl promiň",
        "Russian, Ukrainian": "ой упс извини извините ошибка ошибся вибач помилка",
        "Finnish, Hungarian, Turkish, Greek": "hups anteeksi virhe hoppá bocs elnézést tévedés pardon yanlış hata "
        "συγγνώμη λάθος ουπς",
    },
    Topic.DRAW: {
        "English": "draw drawn truce peace tie 1/2 1/2-1/2 \u00bd",
        "German": "remis unentschieden frieden waffenstillstand patt",
        "others": "nulle tablas empate patta gelijkspel oavgjort remiza ничья нічия tasapeli döntetlen "
        "beraberlik ισοπαλία",
    },
    Topic.PEOPLE: {
        "English": "who whom somebody someone opponents friend friends partner human",
        "German": "wer wen wem jemand jemanden anderen andere freund freunde freundin gegner mensch menschen",
        "French, Spanish, Portuguese, Italian": "qui quelqu'un ami amis quién quien quiénes alguien amigo amigos "
        "quem alguém chi qualcuno amico",
        "Dutch, Swedish, Danish, Norwegian": "iemand vriend vem någon vän hvem nogen noen ven venn",
        "Polish, Czech, Russian, Ukrainian": "kto ktoś kdo někdo кто кого хто друг друзья",
        "Finnish, Hungarian, Turkish, Greek": "kuka joku ki kim biri ποιος φίλος",
    },
    Topic.RATINGS: {
        "English": "rating ratings elo rank ranking ranked",
        "German": "wertung wertungszahl rang rangliste",
        "others": "classement clasificación classifica rankingu рейтинг puntuación rankning",
    },
    Topic.GAMES: {
        "English": "games boring bored instead another different poker checkers chess tournament league",
        "German": "langweilig anderes turnier liga",
        "others": "jeux autre juegos otro giochi altro spellen ander spel andra gry inną hry jinou игры другую",
    },
    Topic.END: {
        "English": "surrender resigns resigned lose lost gammon 0-1 1-0 quit quits leave leaving stop stopping end "
        "ending finish enough unsubscribe "
        "goodbye delete remove withdraw cancel off mails emails inbox spam",
        "German": "aufgegeben verliere verloren aufhören beenden schluss genug verlassen abbrechen "
        "löschen austragen abmelden abbestellen mails",
        "others": "arrêter assez abandonner terminar basta parar smettere stoppen sluta stoppe koniec dość konec "
        "хватит закончить lopeta elég yeter",
    },
    Topic.BOARD: {
        "English": "who where whose when see seen show look looks board position picture diagram image time clock "
        "deadline turn score points winning ahead captured last previous "
        "status history screen blank invisible empty colour color "
        "white black red blue mine bot robot",
        "German": "wer wo wann wessen sehe sehen zeig zeige brett stellung stand bild zeit uhr frist dran punkte "
        "zuletzt letzter farbe wohin welcher",
        "French": "qui où quand voir vois plateau échiquier position temps tour couleur",
        "Spanish, Portuguese": "quién quem dónde donde cuándo cuando ver veo tablero posición tiempo turno color "
        "onde quando vejo tabuleiro tempo vez cor",
        "Italian": "chi dove quando vedere vedo scacchiera tempo turno colore",
        "Dutch": "waar wanneer zie zien bord stelling tijd beurt kleur",
        "Swedish, Danish, Norwegian": "vem hvem var när ser bräde brädet tid tur hvor hvornår bræt brett når",
        "Polish, Czech, Slovak": "kto gdzie kiedy plansza szachownica czas kolej kde kdy kdo deska čas tahu",
        "Russian, Ukrainian": "кто хто где когда доска доску позиция время очередь чей де коли дошка час",
        "Finnish, Hungarian, Turkish, Greek": "missä milloin lauta aika vuoro hol mikor tábla idő nerede zaman "
        "tahta sıra πού πότε σκακιέρα σειρά",
        "Asian": "看 棋盘 棋盤 时间 時間 誰 谁 どこ いつ 盤 番 언제 어디 차례",
    },
    Topic.MOVES: {
        "English": "what which can can't cannot could may might should possible possibilities options option "
        "choices best suggest suggestion hint tip advice recommend next stuck place put hide type anything idea "
        "ideas blocked nothing move moves castle capture jump roll pass skip",
        "German": "was welche welchen welches kann könnte darf soll sollte möglich möglichkeiten tipp tip rat "
        "vorschlag züge zug ziehen ziehe ratlos idee rochade rochieren schlagen würfeln passen",
        "French": "que quoi quel quelle quels coups coup puis peux possible conseil roquer jouer",
        "Spanish, Portuguese": "qué que cuál cuáles puedo jugadas jugada posible consejo enrocar mover quais qual "
        "posso lances jogadas possível roque",
        "Italian": "che cosa quale quali posso mosse mossa possibile consiglio arrocco arroccare",
        "Dutch": "wat welke kan mag zet zetten mogelijk tip rokeren",
        "Swedish, Danish, Norwegian": "vad vilka kan drag möjligt hvad hvilke træk hva trekk mulig rokere rockera",
        "Polish, Czech, Slovak": "co jaki jakie mogę ruch ruchy możliwe roszada jaké můžu tah tahy možné rošáda",
        "Russian, Ukrainian": "что какой какие могу ход ходы возможно рокировка що які можу хід рокіровка",
        "Finnish, Hungarian, Turkish, Greek": "mitä mikä voin siirto siirrot mit melyik lépés lehet hangi hamle "
        "yapabilirim τι ποια κίνηση μπορώ ροκέ",
        "Asian": "什么 哪 可以 怎样 何 手 できる 뭐 어떤 수 가능",
    },
    Topic.RULES: {
        "English": "how why must have need needed required wtf huh eh rule rules explain explanation mean means "
        "meaning allowed legal illegal understand confused confusing unclear learn instructions manual notation "
        "format spell written symbol symbols symbol letters work works working broken doesn't don't read idiot "
        "stupid help hate wrong valid invalid accept accepts",
        "German": "wie warum muss muß hä wieso weshalb regel regeln erklär erkläre erklären bedeutet heißt "
        "verstehe verstehen verstanden kapiere kapier erlaubt schreibweise notation schreibt geht funktioniert "
        "lernen anleitung falsch gültig blöd",
        "French": "comment pourquoi règle règles expliquer explique comprends comprendre marche permis écrire",
        "Spanish, Portuguese": "cómo como porqué porque regla reglas explica entiendo funciona permitido escribir "
        "porquê regra regras entendo escrever",
        "Italian": "come perché regola regole spiega capisco funziona permesso scrivere",
        "Dutch": "hoe waarom regel regels uitleg snap begrijp werkt",
        "Swedish, Danish, Norwegian": "hur varför regel regler förklara förstår fungerar hvordan hvorfor forklar "
        "forstår virker fungerer",
        "Polish, Czech, Slovak": "jak dlaczego zasady reguły rozumiem działa proč pravidla nerozumím funguje prečo ako",
        "Russian, Ukrainian": "как почему зачем правила понимаю работает як чому розумію",
        "Finnish, Hungarian, Turkish, Greek": "miten miksi säännöt ymmärrä toimi hogyan miért szabály szabályok "
        "értem nasıl neden kurallar anlamadım πώς γιατί κανόνες καταλαβαίνω",
        "Asian": "怎么 如何 为什么 規則 规则 どう なぜ ルール 어떻게 왜 규칙",
    },
}
#: Words of languages that are written without spaces are looked for within others.
_ASIAN = "\u2e80"
_OF_TOPIC = {topic: all_words(rows.values()) for topic, rows in _TOPICS.items()}
_UNSPACED = [word for known in _OF_TOPIC.values() for word in known if word > _ASIAN]
_SIDES = {
    "top": "top up upper hoch rauf oben oberer oberen haut arriba superior alto boven uppe upp øverst góra górze "
    "nahoře верх вверху сверху ylhäällä north nord norden",
    "bottom": "bottom down lower runter unten unterer unteren bas abajo inferior basso beneden onder nere nede dół "
    "dole низ внизу снизу alhaalla south süd süden",
    "left": "left leftmost links linker linken linke gauche izquierda izquierdo sinistra esquerda vänster venstre "
    "lewo lewy vlevo слева левый vasen vasemmalla west westen",
    "right": "right rightmost rechts rechter rechten rechte droite derecha derecho destra direita höger højre høyre "
    "prawo prawy vpravo справа правый oikea oikealla east ost osten",
    "middle": "middle central centre center mitte zentrum milieu centro midden mitten środek střed центр середина "
    "keskellä tengen",
    "corner": "corner ecke coin esquina angolo canto hoek hörn hjørne róg roh угол kulma",
}
_SPOTS: Mapping[str, tuple[float | None, float | None]] = {
    "top": (None, 0.0),
    "bottom": (None, 1.0),
    "left": (0.0, None),
    "right": (1.0, None),
    "middle": (0.5, 0.5),
    "corner": (0.0, 0.0),
}
#: Words for places on a board: how far to the right, and how far down, of one; None: that is left open.
PLACES = {word: _SPOTS[side] for side, words in _SIDES.items() for word in words.split()}
_NUMBERED = (
    "first second third fourth fifth sixth seventh eighth",
    "erste zweite dritte vierte fünfte sechste siebte achte",
)
#: Words that in a short line can be a number: the third.
ORDINALS = {word: str(at) for words in _NUMBERED for at, word in enumerate(words.split(), 1)}
#: Words of one letter, which in a sentence name no square.
SHORT_WORDS = frozenset("aeiouyàèéòóùıовиуяксзжz")


def topics_in(words: Sequence[str]) -> list[Topic]:
    """Return what words in lower case are about."""
    words = [part for word in words for part in (word, word.partition("'")[0])]  # what's
    unspaced = "".join(word for word in words if word > _ASIAN)
    spoken = {*words, *(known for known in _UNSPACED if known in unspaced)}
    return [topic for topic, known in _OF_TOPIC.items() if spoken & known]
