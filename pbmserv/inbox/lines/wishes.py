"""Reads what a newcomer wishes: to play a game, perhaps with somebody, to know its rules, or another language.

People write `Play chess please` or `Ich möchte Schach spielen`. A wish has nothing but a game, an opponent, and words
of the tables. So no sentence about something else begins a board.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import is_userid
from pbmserv.inbox.lines.agreement import GREETINGS
from pbmserv.inbox.lines.first_line import LONGEST, bare_words
from pbmserv.inbox.lines.words.comment_words import wishes_well
from pbmserv.inbox.lines.words.sentence_words import POLITE, all_words

_MOST_WORDS = 20  #: of a wish
_MOST_OF_NAME = 4  #: words of the name of a game
#: Words that ask for a board.
_PLAYING = {
    "English": "play playing start begin try",
    "German": "spiel spiele spielst spielen spielt beginnen beginne starten",
    "French, Spanish, Portuguese, Italian": "jouer joue joues jugar juego jogar jogo giocare gioco",
    "Dutch, Swedish, Danish, Norwegian": "spelen speel spela spille",
    "Polish, Czech, Russian": "grać zagrać hrát zahrát играть сыграть поиграть",
}
#: Words that ask for the rules.
_EXPLAINING = {
    "English": "rules rule how explain instructions help",
    "German": "regel regeln spielregeln anleitung wie erkläre erklär hilfe",
    "others": "règles comment reglas cómo regras como regole come regels hoe zasady pravidla правила как",
}
_BESIDE = {
    "English": "let let's lets love game match round board of some first for today tonight against versus vs somebody "
    "someone anybody one on again does work works are what tell show get send",
    "German": "lass lasst partie runde spiel gegen mit jemand jemanden jemandem heute mal noch vom "
    "von zu geht man funktioniert sind",
    "French, Spanish, Portuguese, Italian": "partie partida partita aux au à de d' del al a contre avec contra con com "
    "contro quelqu'un alguien se juega",
    "Dutch, Swedish, Danish, Norwegian": "potje partij tegen met parti mot med mod",
    "Polish, Czech, Russian": "partię w z przeciwko partii s proti в с против партию",
}
_WITH = all_words(
    ["with against versus vs mit gegen contre avec contra con com contro tegen met mot med mod z s с против"]
)
#: Names of games in languages that have no folder of templates.
_NAMES = {
    "chess": "schach échecs echecs ajedrez scacchi xadrez schaken schaak schack sjakk skak szachy šachy sakk "
    "шахматы шахи",
    "draughts": "damespiel dames damas dama dammen warcaby шашки",
    "morris": "mühlespiel molino mulino młynek",
    "othello": "otello",
}
#: Pairs of words in which the name of a game means something else.
_GOING = tuple((word, "go") for word in ("let's", "lets", "us", "we", "i", "you", "to", "here", "way", "must", "gotta"))
PLEASE = all_words(["please pls plz bitte svp plaît plait favor favore alstublieft proszę prosím пожалуйста"])
_ROBOTS = all_words(["robot bot computer machine roboter ordinateur ordenador computador robô робот robotem"])
#: Names of languages, by code.
_LANGUAGES = {
    "en": "english englisch anglais inglés ingles inglese inglês engels engelska engelsk angielski anglicky angol "
    "englanti ingilizce английский английском",
    "de": "deutsch german allemand alemán aleman tedesco alemão duits tyska tysk niemiecki niemiecku německy német "
    "saksa almanca немецкий немецком",
    "fr": "français francais french französisch francés francese frans franska",
    "es": "español espanol castellano spanish spanisch espagnol spagnolo",
    "it": "italiano italian italienisch italien",
    "pt": "português portugues portuguese portugiesisch",
    "nl": "nederlands dutch niederländisch",
    "sv": "svenska swedish schwedisch",
    "da": "dansk danish dänisch",
    "nb": "norsk norwegian norwegisch",
    "pl": "polski polsku polish polnisch",
    "cs": "česky čeština czech tschechisch",
    "ru": "русский русском по-русски russian russisch",
    "fi": "suomi suomeksi finnish finnisch",
    "hu": "magyar magyarul hungarian ungarisch",
    "tr": "türkçe turkish türkisch",
}
_ABOUT_LANGUAGES = all_words(
    [
        "in auf en em på i na po su op to into switch change have get this that do does speak speaks write send "
        "language languages sprache langue idioma letter letters mail mails email emails brief briefe sprechen "
        "sprichst sprecht schreib schreibe schreibt schicke gibt es geht auch mal nur only instead rather lieber "
        "parlez parla habla"
    ]
)
TO_PLAY, _EXPLAINING_WORDS, _BESIDE_WORDS = (all_words(table.values()) for table in (_PLAYING, _EXPLAINING, _BESIDE))


@dataclass(frozen=True)
class Wish:
    """What a line wishes: a game (None: any), an opponent ("": a robot), or the rules of the game if `explain`.

    `is_said`: it says that somebody wants to play, and not only what. `robot`: it speaks of a robot.
    """

    game: AnyGame | None
    opponent: str = ""
    explain: bool = False
    is_said: bool = False
    robot: bool = False

    @property
    def text(self) -> str:
        """The shortest line with this wish."""
        words = ["play", *([self.game.info.key] if self.game else []), *(["with", self.opponent] * bool(self.opponent))]
        return " ".join(words)


def names_of(named: Mapping[str, AnyGame], titles: Mapping[str, str]) -> dict[tuple[str, ...], AnyGame]:
    """Return the games by the words of their names. `named`: by key and alias; `titles`: name in a language -> key."""
    by_word = {name: key for key, names in _NAMES.items() for name in names.split()}
    by_title = {**{title.lower(): key for title, key in titles.items()}, **by_word}
    known = {name: named[key] for name, key in by_title.items() if key in named} | dict(named)
    return {tuple(name.split()): game for name, game in known.items()}


def game_named(line: str, names: Mapping[tuple[str, ...], AnyGame]) -> AnyGame | None:
    """Return the only game that a line names, whatever else it says; None if there is none, or several."""
    games, _ = _split(_words(line), names)
    return games[0] if len({game.info.key for game in games}) == 1 else None


def read_wish(line: str, names: Mapping[tuple[str, ...], AnyGame]) -> Wish | None:
    """Return what a line wishes; None if it says anything else."""
    words = _words(line)
    games, rest = _split(words, names)
    if any(pair in pairwise(words) for pair in _GOING):
        return None
    if not words or len({game.info.key for game in games}) > 1:
        return None
    opponent = _opponent(rest)
    others = [word for word in rest if word != opponent]
    if not set(others) <= TO_PLAY | _EXPLAINING_WORDS | _BESIDE_WORDS | _ROBOTS | POLITE:
        return None
    explain = bool(games) and not _EXPLAINING_WORDS.isdisjoint(others) and not opponent
    is_said = not TO_PLAY.isdisjoint(others)
    robot = not _ROBOTS.isdisjoint(others)
    return Wish(games[0] if games else None, opponent, explain, is_said, robot) if games or is_said else None


def is_request(line: str) -> bool:
    """Return whether a line asks for something to be done, also if its form is a question: `Could we play, please?`."""
    words = _words(line)
    return words[:1] == ["play"] or not PLEASE.isdisjoint(words)


def language_wished(line: str, described: Mapping[str, str], below: str = "") -> str:
    """Return the code of the language for which a line asks, and for nothing else; "" if it asks for none.

    `below`: what follows the line. Above other words than wishes, the name of a language alone is that of an opening.
    `described`: by code, what letters in a language are called there, with its name at the end. There may be no letters
    in the language that is returned.
    """
    words, named = _words(line), _languages_named(tuple(described.items()))
    codes = {named[word] for word in words if word in named}
    others = set(words) - named.keys()
    if others and others <= GREETINGS:  # Hola German: that is a name, too
        return ""
    if not others and below.strip() and not wishes_well(bare_words(below)):
        return ""
    return codes.pop() if len(codes) == 1 and others <= _ABOUT_LANGUAGES | POLITE else ""


@lru_cache
def _languages_named(described: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Return the code of a language by each of its names. It is asked for each answer to a letter about a board."""
    known = {name: code for code, names in _LANGUAGES.items() for name in names.split()}
    return known | {bare_words(text)[-1]: code for code, text in described}


def _words(line: str) -> list[str]:
    words = bare_words(line) if len(line) <= LONGEST else []
    return words if len(words) <= _MOST_WORDS else []


def _split(words: Sequence[str], names: Mapping[tuple[str, ...], AnyGame]) -> tuple[list[AnyGame], list[str]]:
    """Return the games that are named, and the words besides."""
    chosen, rest, at = list[AnyGame](), list[str](), 0
    while at < len(words):
        sizes = (size for size in range(_MOST_OF_NAME, 0, -1) if tuple(words[at : at + size]) in names)
        size = next(sizes, 0)
        if size:
            chosen.append(names[tuple(words[at : at + size])])
        else:
            rest.append(words[at])
        at += size or 1
    return chosen, rest


def _opponent(words: Sequence[str]) -> str:
    """Return the userid behind a word such as `with`; "" if there is none, or if it is a usual word."""
    behind = (word for before, word in pairwise(words) if before in _WITH)
    usual = TO_PLAY | _BESIDE_WORDS | _ROBOTS | POLITE
    return next((word for word in behind if is_userid(word) and word not in usual), "")
