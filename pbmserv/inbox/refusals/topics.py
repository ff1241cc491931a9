"""Words of questions and complaints, by what they are about, and words for places on a board.

A word that is missing here is no harm: then the answer has only what it says about the board. None of them acts.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from enum import Enum, auto
from itertools import pairwise

from pbmserv.inbox.lines.wishes import TO_PLAY
from pbmserv.inbox.lines.words.comment_words import may_ask
from pbmserv.inbox.lines.words.said_words import SAID
from pbmserv.inbox.lines.words.sentence_words import ARTICLES, OWN, PAST, all_words, denies
from pbmserv.mail.reading.encoding import fold


class Topic(Enum):
    """What a sentence may be about, in the order in which it is answered."""

    PASSWORD = auto()
    ACCOUNT = auto()
    ADDRESS = auto()  #: where letters go
    SLIP = auto()  #: a move that was not meant
    DRAW = auto()  #: an end without a winner
    PEOPLE = auto()  #: other opponents
    RATINGS = auto()
    GAMES = auto()  #: another game than this one
    AWAY = auto()  #: somebody will not be there for some days
    END = auto()  #: somebody has had enough of a board, or of letters
    LETTERS = auto()  #: fewer letters
    TROUBLE = auto()  #: with another player
    AGAIN = auto()  #: another board with the same players
    RECORD = auto()  #: all moves in a file
    SETTINGS = auto()  #: how letters and boards look
    BOARDS = auto()  #: another board than this one
    BOARD = auto()  #: what stands on the board, who plays there, and how much time is left
    MOVES = auto()  #: what can be played
    RULES = auto()  #: what is allowed, and how it is written


_TOPICS: Mapping[Topic, Mapping[str, str]] = {
    Topic.PASSWORD: {
        "English": "password login",
        "German": "passwort kennwort",
        "others": "contraseña senha wachtwoord lösenord adgangskode passord hasło heslo пароль salasana jelszó şifre "
        "κωδικός",
    },
    Topic.ACCOUNT: {"English": "account signoff", "others": "konto compte cuenta conta účet tili fiók hesap аккаунт"},
    Topic.ADDRESS: {
        "English": "address addresses e-mail-address",
        "others": "adresse adressen mailadresse dirección correo indirizzo endereço adres adresu адрес osoite",
    },
    Topic.SLIP: {
        "English": "oops ooops undo takeback whoops ups mistake mistaken misclick misclicked typo accident "
        "accidentally regret meant mistyped fatfinger",
        "German": "versehen versehentlich zurücknehmen vertan vertippt verklickt verschrieben fehler hoppla",
        "French": "zut erreur trompé oups",
        "Spanish, Portuguese": "deshacer deshago desfazer uy error equivoqué errei engano ops",
        "Italian": "ops sbagliato errore",
        "Dutch": "oeps vergissing foutje fout",
        "Swedish, Danish, Norwegian": "hoppsan fel misstag hovsa fejl feil",
        "Polish, Czech, Slovak": "ojej pomyłka pomyliłem jejda omyl omylem spletl",
        "Russian, Ukrainian": "упс ошибка ошибся помилка",
        "Finnish, Hungarian, Turkish, Greek": "hups virhe hoppá tévedés yanlış hata λάθος ουπς",
    },
    Topic.DRAW: {
        "English": "draw drawn truce tie 1/2 1/2-1/2 \u00bd",
        "German": "remis unentschieden frieden waffenstillstand patt",
        "others": "nulle tablas empate patta gelijkspel oavgjort remiza ничья ничью нічия нічию tasapeli döntetlen "
        "beraberlik ισοπαλία",
        "Asian": "引き分け 提和 和棋 무승부",
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
        "English": "games boring bored instead another different poker checkers chess backgammon othello "
        "gomoku hex shogi xiangqi draughts yacht tournament league",
        "German": "langweilig anderes schach mühle turnier liga",
        "others": "jeux autre juegos otro giochi altro spellen ander spel andra gry inną hry jinou игры другую",
    },
    Topic.AWAY: {
        "English": "holiday holidays vacation pause paused away hospital travelling traveling trip adjourn postpone "
        "extension ill sick flu covid corona",
        "German": "urlaub ferien pause pausieren verreist verreise reise krankenhaus abwesend vertagen aufschub krank "
        "grippe fieber",
        "French, Spanish, Portuguese, Italian": "vacances congés vacaciones férias ferie vacanza vacanze",
        "Dutch, Swedish, Danish, Norwegian": "vakantie semester bortrest ferie",
        "Polish, Czech, Russian, Ukrainian": "urlop urlopie wakacje dovolená dovolené отпуск отпуске відпустка",
        "Finnish, Hungarian, Turkish, Greek": "lomalla loma szabadság tatil tatildeyim διακοπές",
        "Asian": "休暇 度假 休假 휴가",
    },
    Topic.END: {
        "English": "surrender resigns resigned resigning lose lost gammon 0-1 1-0 quit quits leave leaving stop "
        "stopping end ending finish enough unsubscribe "
        "goodbye delete remove withdraw cancel off mails emails inbox spam",
        "German": "aufgegeben verliere verloren aufhören beenden schluss genug verlassen abbrechen "
        "löschen austragen abmelden abbestellen mails ergebe",
        "others": "arrêter assez abandonner abandonne terminar basta parar rindo abandono desisto smettere arrendo "
        "stoppen opgeven geef sluta ger stoppe giver gir koniec dość poddaję konec vzdávám rezygnuję teslim "
        "хватит закончить сдаюсь здаюсь здаюся lopeta luovutan elég feladom yeter pes παραιτούμαι",
        "giving up": "capitulate capitulo capitule capitolo kapituluję",
        "Asian": "投了 降参 负けました 負けました 认输 認輸 投降 기권",
    },
    Topic.LETTERS: {"words together": "fewerletters"},
    Topic.TROUBLE: {
        "English": "rude cheat cheats cheating cheater insult insults insulting insulted harass harasses harassing "
        "abusive offensive",
        "German": "beleidigt beleidigend betrügt schummelt",
        "others": "triche tricheur insulte trampa insulta bara",
    },
    Topic.AGAIN: {"everywhere": "rematch revanche revancha rivincita"},
    Topic.RECORD: {"games": "pgn pdn sgf csa fen record export download", "German": "aufzeichnung mitschrift"},
    Topic.SETTINGS: {
        "English": "settings setting preferences text html picture pictures image images font bigger flip "
        "flipped rotate rotated dark private",
        "German": "einstellungen einstellung text bild bilder schrift größer drehen gedreht dunkel",
        "others": "paramètres ajustes configuración configurações impostazioni instellingen inställningar "
        "indstillinger innstillinger ustawienia nastavení настройки",
    },
    Topic.BOARDS: {"words together": "otherboard"},
    Topic.BOARD: {
        "English": "who where whose when see seen show look looks board position picture diagram image time clock "
        "deadline days until turn score points winning ahead captured last previous "
        "status history repetition resend throws screen blank invisible empty colour color "
        "white black red blue mine bot robot",
        "German": "wer wo wann wessen sehe sehen zeig zeige brett stellung stand bild zeit uhr frist tage dran punkte "
        "zuletzt letzter farbe wohin welcher",
        "French": "qui où quand voir vois plateau échiquier position temps tour couleur",
        "Spanish, Portuguese": "quién quem dónde donde cuándo cuando ver veo tablero posición tiempo turno color "
        "onde quando vejo tabuleiro tempo vez cor",
        "Italian": "chi dove quando vedere vedo scacchiera tempo giorni turno colore",
        "Dutch": "waar wanneer zie zien bord stelling tijd beurt kleur",
        "Swedish, Danish, Norwegian": "vem hvem var när ser bräde brädet tid tur hvor hvornår bræt brett når",
        "Polish, Czech, Slovak": "kto gdzie kiedy plansza szachownica czas czasu dni kolej kde kdy kdo deska čas tahu",
        "Russian, Ukrainian": "кто хто где когда доска доску позиция время времени дней чей очередь де коли дошка час",
        "Finnish, Hungarian, Turkish, Greek": "missä milloin lauta aika vuoro hol mikor tábla idő nerede zaman "
        "tahta sıra πού πότε σκακιέρα σειρά",
        "Asian": "看 棋盘 棋盤 时间 時間 誰 谁 どこ いつ 盤 番 언제 어디 차례",
    },
    Topic.MOVES: {
        "English": "what which can can't cannot could may might should possible possibilities options option "
        "choices best suggest suggestion hint tip advice recommend next stuck place put hide type anything idea "
        "ideas blocked nothing move moves castle capture jump roll rolls rolling reroll throw pass skip",
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
        "meaning threefold stalemate castling "
        "allowed legal illegal understand confused confusing unclear learn instructions manual notation "
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
#: Words beside which a person may be another opponent.
_CAN = frozenset(TO_PLAY) | all_words(["can could else kann könnte sonst peux puedo posso kan mogę můžu могу"])
#: What those have not, or do not want, who would rather not play.
_WILLING = TO_PLAY | all_words(
    ["time interested interest zeit lust interesse temps tiempo tempo tijd czasu času времени"]
)
_ELSE = all_words(["ha rather instead lieber plutôt why warum pourquoi how wie"])
#: Words beside which `left` and `right` are no places.
ELSEWHERE = all_words(
    [
        "time times much many long back away signed sign luck zeit give giving gave set-up setup hurry catch pick "
        "stand sit shut look looks seem seems"
    ]
)
#: Words behind which a letter is no word: in column a.
COLUMNS = all_words(["column row file pit house hole spalte reihe linie loch haus mulde colonne columna colonna kolom"])
#: Words of those who do not want the end that the rules propose, such as the count of Go.
GOING_ON = all_words(["continue continuing resume weiterspielen weitermachen continuer continuar continuare"])
#: Words of languages that are written without spaces are looked for within others.
_ASIAN = "\u2e80"
#: Words together, and a word of a topic that they mean: take it back, what is komi, more time.
_TOGETHER = {
    "password": ({"mot", "passe"},),
    "deadline": ({"how", "long"}, {"wie", "lange"}),
    "takeback": (
        {"take", "back"},
        {"have", "back"},
        {"wrong", "move"},
        {"wrong", "square"},
        {"wrong", "man"},
        {"wrong", "piece"},
        {"could", "change"},
        {"can", "change"},
        {"zug", "zurück"},
        {"falscher", "zug"},
        {"falsches", "feld"},
        {"nehme", "zurück"},
        {"nehmen", "zurück"},
    ),
    "truce": ({"make", "peace"}, {"peace", "offer"}, {"call", "even"}),
    "explain": (
        {"i'm", "lost"},
        {"am", "lost"},
        {"bin", "verloren"},
        {"suis", "perdu"},
        {"suis", "perdue"},
        {"what", "is"},
        {"what's"},
        {"what", "are"},
        {"was", "ist"},
        {"was", "heißt"},
    ),
    "quit": (
        {"give", "up"},
        {"give", "in"},
        {"gebe", "auf"},
        {"will", "nicht", "mehr"},
        {"mag", "nicht", "mehr"},
        {"ai", "marre"},
        {"fed", "up"},
    ),
    "otherboard": (
        {"other", "board"},
        {"other", "game"},
        {"another", "board"},
        {"wrong", "board"},
        {"wrong", "game"},
        {"anderen", "brett"},
        {"andere", "partie"},
        {"anderen", "partie"},
        {"autre", "partie"},
        {"otra", "partida"},
        {"altra", "partita"},
        {"outra", "partida"},
    ),
    "settings": (
        {"black", "bottom"},
        {"white", "bottom"},
        {"schwarz", "unten"},
        {"weiß", "unten"},
        {"turn", "board"},
        {"turned", "board"},
    ),
    "address": ({"changed", "mail"}, {"changed", "email"}, {"new", "mail"}, {"new", "email"}, {"mail", "provider"}),
    "vacation": (
        {"stop", "clock"},
        {"pause", "clock"},
        {"week", "off"},
        {"weeks", "off"},
        {"day", "off"},
        {"days", "off"},
        {"days", "off"},
        {"day", "off"},
        {"woche", "frei"},
        {"tage", "frei"},
        {"more", "time"},
        {"more", "days"},
        {"mehr", "zeit"},
        {"mehr", "tage"},
    ),
}
#: Words of somebody who gives up, beside the word of the server for it.
GIVING_UP = all_words(
    [
        "surrender concede capitulate kapituliere ergebe capitulo capitule capitolo kapituluję abandonne abandono "
        "abbandono rindo arrendo desisto poddaję vzdávám luovutan feladom сдаюсь здаюся 投了 投降 认输 認輸"
    ]
)
_ENDINGS = frozenset(("end", "ending", "finish", "schluss"))  #: with an article they are a place or a time
#: Words of another game only beside a word for a game.
_OTHER_ONES = all_words(["instead another different anderes autre otro altro ander andra inną jinou другую"])
_GAMES = all_words(
    [
        "game games play something spiel spiele spielen etwas partie jeu jeux jouer quelque juego jugar algo gioco "
        "giocare qualcosa jogo jogar spel spelen iets gra grę grać coś hra hru hrát игра игру играть spela spille"
    ]
)
#: Of moves and men, not of somebody who will not be there.
_NO_ABSENCE = re.compile(
    r"\b(?:right|straight|far|runs?|ran|running|gives?|gave|giving|throws?|threw|throwing|takes?|took|taking) away\b"
)
#: Words of an end that are none in such phrases.
_WEAK_ENDS = all_words(["enough lost stop end off lose leave finish"])
_NO_END = re.compile(
    r"\b(?:fair|good|sure|well|soon|clear|strange|funny) enough\b|\blost (?:track|count|my|the)\b|"
    r"\b(?:then|before|and) stop\b|\bstop (?:i|and|then|the clock)\b|"
    r"\b(?:\w+ed|take|taking|far|day|days|time|show|better|well|going|went|clear) off\b|"
    r"\b(?:i'm|im|am|bin|suis|estoy|estou|sono) (?:\w+ ){0,2}(?:lost|verloren)\b|"
    r"\bin the end\b|\bleaves?\b (?:me|you|him|us|two|a)\b"
)
_LOSING = all_words(["lost lose verloren verliere perdu perdue"])
#: Words of an end that ask for one only beside others: no more mails, but not one end of the row.
_ENDS_BESIDE = (
    (
        all_words(["mails emails inbox spam"]),
        all_words(
            ["no stop more fewer less many much too get getting keine weniger viele nicht don't dont unsubscribe clear"]
        ),
    ),
    (
        all_words(["end off remove delete cancel"]),
        all_words(
            [
                "me it game games match board account list letter letters mail mails play playing call turn switch "
                "want please partie spiel brett konto"
            ]
        ),
    ),
)
#: Words of a topic that are none in such phrases: draw the third side, in chess, our games, on compte.
_NO_TOPIC = {
    Topic.DRAW: re.compile(r"\bdraw(?:s|n)? (?:the|my|this|that|it|one|two|three|here|from)\b"),
    Topic.GAMES: re.compile(
        r"\b(?:our|my|your|these|those|in|of|like|unsere|im|bei|beim) (?:\w+ )?(?:games?|chess|go)\b"
    ),
    Topic.ACCOUNT: re.compile(r"\b(?:on|je|nous|tu|elle?|il) comptes?\b"),
    Topic.SLIP: re.compile(
        r"\b(?:take|takes|taking) back (?:with|on|at|the (?!(?:last )?move\b))|\b(?:i|we|can|then) take back$|"
        r"\b(?:if|when|wenn) \w+ takes? (?:my|the|your)\b"
    ),
}
#: Words of who wants fewer letters, and those with which the board goes on.
_OF_LETTERS = all_words(
    ["letters mails emails inbox spam reminders reminder notifications unsubscribe briefe erinnerungen abbestellen"]
)
_STOPPING = _OF_LETTERS | all_words(["stop stopping enough off genug stoppen remove cancel"])
#: Words that deny a wish to play only on some condition, or speak of what is against it.
_DEPENDING = all_words(
    [
        "if anything everything either or otherwise unless except against than when whether wenn falls oder gegen si "
        "quand cuando quando wanneer se als om"
    ]
)
_OF_TOPIC = {topic: all_words(rows.values()) for topic, rows in _TOPICS.items()}
_UNSPACED = [word for known in _OF_TOPIC.values() for word in known if word > _ASIAN]
_SIDES = {
    "top": "top up upper hoch rauf oben oberer oberen haut arriba superior alto boven uppe øverst góra górze "
    "nahoře верх вверху сверху ylhäällä north nord norden",
    "bottom": "bottom down lower runter unten unterer unteren bas abajo inferior basso beneden onder nere nede dół "
    "dole низ внизу снизу alhaalla south süd süden",
    "left": "left leftmost links linker linken linke gauche izquierda izquierdo sinistra esquerda vänster venstre "
    "lewo lewy vlevo слева левый vasen vasemmalla west westen",
    "right": "right rightmost rechts rechter rechten rechte droite derecha derecho destra direita höger højre høyre "
    "prawo prawy vpravo справа правый oikea oikealla east ost osten",
    "middle": "middle central centre center mitte zentrum milieu centro midden mitten środek střed центр середина "
    "keskellä tengen 天元",
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
#: Behind a place and one of these words: what is no edge, such as my hit.
_THEIRS = all_words(
    ["my your his her their that it there mein meinem meiner dein deinem deiner seinem mon ma ton mi tu"]
)
_OF = all_words(["of from von vom neben de du van di av"])
#: Before a place within three words: one further to the left.
_FURTHER = all_words(["further farther next beside weiter daneben neben verder längre lenger dalej dále дальше"])
#: Ways, which are no places if they stand alone: king up.
_WAYS = all_words(["up down hoch rauf runter"])
_NUMBERED = (
    "first second third fourth fifth sixth seventh eighth",
    "erste zweite dritte vierte fünfte sechste siebte achte",
)
#: With which others are asked how they are.
_THEM = frozenset((("are", "you"), ("bist", "du"), ("seid", "ihr"), ("how", "is"), ("how's", "your")))
#: Words that in a short line can be a number: the third, my five point.
NUMBERS = {word: number for word, number in SAID.items() if number.isdigit()} | {
    word: str(at) for words in _NUMBERED for at, word in enumerate(words.split(), 1)
}
#: Words of one letter, which in a sentence name no square.
SHORT_WORDS = frozenset("aeiouyàèéòóùıовиуяксзжz")


#: With which somebody asks what a word of the rules means: swap?? what's that.
_MEANING = re.compile(
    r"\bwhat(?:'s| is) (?:that|it|this|a|an)\b|\bwhat do(?:es)? (?:that|it|this|.{1,30}\bmean)|"
    r"\bexplain\b|"
    r"\bwas (?:ist|heißt|bedeutet|soll)\b|\berklär|"
    r"qu'est-ce que|c'est quoi|que veut dire|\b(?:que|qué) (?:es|significa)\b|\bcosa (?:è|significa)\b|"
    r"\bwat (?:is|betekent)\b|\bco (?:to|znaczy)\b|что (?:такое|это|значит)",
    re.IGNORECASE,
)
_ASKS_FIRST = re.compile(r"what do(?:es)? .{1,30}\bmean|(?:please )?explain\b|was (?:heißt|bedeutet)\b", re.IGNORECASE)
_SIGN = re.compile("[?,;:.!…]+")
_MOST_MEANING = 100  #: characters in which that is looked for


def asks_meaning(line: str) -> bool:
    """Return whether a line asks what a word of the rules means, before it or behind its first sign."""
    plain = fold(line[:_MOST_MEANING]).strip()
    word, *behind = _SIGN.split(plain, maxsplit=1)
    is_asked = behind and "?" in plain and word.replace(" ", "").isalpha() and _MEANING.search(behind[0])
    return not any(map(str.isdigit, plain)) and bool(is_asked or _ASKS_FIRST.match(plain))


def is_beside(words: Sequence[str]) -> bool:
    """Return whether words name a side of something on the board: left of my hit, one further to the left."""
    threes = zip(words, words[1:], words[2:], strict=False)
    is_further = any(word in _FURTHER and any(map(PLACES.get, words[at : at + 4])) for at, word in enumerate(words))
    return is_further or any(word in PLACES and of in _OF and then in _THEIRS for word, of, then in threes)


def is_way(words: Sequence[str]) -> bool:
    """Return whether words name no place but a way: king up."""
    return _WAYS.issuperset(word for word in words if word in PLACES)


def topics_in(words: Sequence[str], *, asks: bool = False) -> list[Topic]:
    """Return what words in lower case are about. `asks`: they are a question, so who says `lost` gives nothing up."""
    words = [part for word in words for part in dict.fromkeys((word, *word.split("'")))]  # what's, j'abandonne
    unspaced = "".join(word for word in words if word > _ASIAN)
    spoken = {*words, *(known for known in _UNSPACED if known in unspaced)}
    spoken |= {word for word, pairs in _TOGETHER.items() if any(map(spoken.issuperset, pairs))}
    topics = [topic for topic, known in _OF_TOPIC.items() if spoken & known]
    nouns = {word for before, word in pairwise(words) if before in ARTICLES}  # the t at the end
    if is_of_them(words) or (spoken & _OF_TOPIC[Topic.AWAY] == {"away"} and _NO_ABSENCE.search(" ".join(words))):
        topics = [topic for topic in topics if topic is not Topic.AWAY]
    if spoken & _OF_TOPIC[Topic.END] <= nouns & _ENDINGS:
        topics = [topic for topic in topics if topic is not Topic.END]
    if not _asks_for_games(spoken):
        topics = [topic for topic in topics if topic is not Topic.GAMES]
    if spoken & _OF_TOPIC[Topic.END] <= _WEAK_ENDS and _NO_END.search(" ".join(words)):
        topics = [topic for topic in topics if topic is not Topic.END]
    weak = {word for words, beside in _ENDS_BESIDE if beside.isdisjoint(spoken) for word in words}
    if spoken & _OF_TOPIC[Topic.END] <= weak | (_LOSING if asks else frozenset()):
        topics = [topic for topic in topics if topic is not Topic.END]
    if Topic.END in topics and not _OF_LETTERS.isdisjoint(spoken) and spoken & _OF_TOPIC[Topic.END] <= _STOPPING:
        topics[topics.index(Topic.END)] = Topic.LETTERS
    told = " ".join(words)
    topics = [topic for topic in topics if not (topic in _NO_TOPIC and _NO_TOPIC[topic].search(told))]
    topics = [Topic.PASSWORD] if Topic.PASSWORD in topics else topics  # who has lost it has not lost the board
    return [topic for topic in topics if topic is not Topic.PEOPLE or spoken & _CAN]


def _asks_for_games(spoken: Collection[str]) -> bool:
    """Return whether words name a game, or say another one: one man to 6, the other one to 4 is none."""
    is_named = not {*spoken} & _OF_TOPIC[Topic.GAMES] <= _OTHER_ONES
    return is_named or (not _GAMES.isdisjoint(spoken) and not any(map(str.isdigit, "".join(spoken))))


def is_of_them(words: Sequence[str]) -> bool:
    """Return whether words in lower case ask or tell how somebody is or was, and not what their writer will do."""
    is_past = not PAST.isdisjoint(words) and OWN.isdisjoint(words)
    return is_past or not _THEM.isdisjoint(pairwise(words))


def is_unwilling(words: Sequence[str]) -> bool:
    """Return whether words in lower case say that their writer does not want to play, or has no time."""
    is_about_play = not _WILLING.isdisjoint(words) and _ELSE.isdisjoint(words)
    is_greeting = not {("no", "see"), ("this", "time")}.isdisjoint(pairwise(words))  # long time no see
    return (
        is_about_play
        and not is_greeting
        and any(denies(word) and not may_ask(word) and word not in _DEPENDING for word in words)
    )
