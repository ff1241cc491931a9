"""Reads whether a line agrees or refuses, in the words that people use for it.

Every word of the line must be in a table, so that a sentence about something else agrees to nothing.
"""

import re

from pbmserv.inbox.lines.first_line import LONGEST, bare_words
from pbmserv.inbox.lines.spellings import without_noise
from pbmserv.inbox.lines.words.comment_words import asks
from pbmserv.inbox.lines.words.farewell import FAREWELL
from pbmserv.inbox.lines.words.sentence_words import END_OF_PART, POINTING, POLITE, all_words

_MOST_WORDS = 12  #: of such a line
#: Words that agree, whatever is asked.
_CLEAR = {
    "English": "yes yep yeah yup agree agreed accept accepted confirm confirmed",
    "German": "ja jawohl jep einverstanden angenommen bestätige bestätigt stimme",
    "French, Spanish, Italian": "oui confirmé confirme confirmo confirmado confermo sí sì si",
    "Portuguese": "sim",
    "Dutch, Swedish, Danish, Norwegian": "bevestig bevestigd bekräftar bekræfter bekrefter jo",
    "Polish, Czech": "potwierdzam ano potvrzuji",
    "Russian, Ukrainian": "да подтверждаю підтверджую",
    "Finnish, Turkish, Greek": "kyllä vahvistan evet onaylıyorum ναι",
    "Japanese, Chinese": "はい 是 好的",
}
#: Words that often only say that something was read, or mean yes in one language and thanks or again in others.
_WEAK = {
    "everywhere": "y j ok okay okey k",
    "English": "sure fine right alright deal",
    "German": "klar gut passt geht",
    "Polish, Ukrainian, Hungarian": "tak так igen",
}
_REFUSING = {
    "English": "no nope nah refuse refused reject rejected declined",
    "German": "nein nö nee kein keine abgelehnt",
    "others": "non não nie ne nem нет ні hayır ei όχι nej nei いいえ 不",
}
#: Words about what a letter asks, which may stand beside these.
_ASKED = {
    "English": "address mail email e-mail account",
    "German": "adresse mail konto zu",
    "others": "adresse dirección c'est c'était adres",
    "of a proposal": "way go ahead then with draw offer proposal take back undo your remis angebot",
}
#: Phrases with a denial that agree.
_FINE = re.compile(
    r"\b(?:(?:no|kein|pas de|sin|no hay|nessun|geen|inget?|nie ma|нет) "
    "(?:problema?|problème|probleem|problemu|проблем|probs?|worries|objections?|einwand)|"
    r"no tak|no dead stones?|keine toten steine|pas de pierres mortes|sin piedras muertas|geen dode stenen|"
    r"go (?:right )?ahead|of course|natürlich|selbstverständlich|claro|bien sûr|certo)\b",
    re.IGNORECASE,
)
#: Words besides with which people agree at greater length.
_AT_LENGTH = {
    "English": "let's lets call make take have for by game match mate buddy friend sir dear back fair result",
    "German": "lass lasst machen nehmen nimm für von mir aus",
}
#: Words that begin as those of an answer do, and are none: deal with it, no idea.
_NO_ANSWER = re.compile(
    r"\bdeal with|\bright (?:you|move|square|back|on)\b|\bno (?:idea|clue|time|news|more|one|wonder)\b|"
    r"\bkeine? (?:ahnung|idee|zeit|wunder)\b",
    re.IGNORECASE,
)
#: Words of somebody who agrees to what is so, and not to a proposal: yes, it was.
_STATING, _STATING_LAST = all_words(["was am i'm war bin"]), all_words(["is are ist sind"])
#: What only one kind of proposal is called. Who speaks of the other kind does not answer it.
_OF_DRAWS = all_words(["draw remis nulle tablas empate patta remise ничью ничья"])
_OF_TAKING_BACK = all_words(["undo takeback take-back zurück zurücknehmen back reprendre deshacer"])
#: What somebody else is asked to agree to.
_OWN_PROPOSAL = re.compile(
    r"\b(?:my|mein\w*|mon|ma|mi|mia|mio)(?: own)? "
    r"(?:draw|offer|proposal|remis\w*|angebot|vorschlag|offre|oferta|offerta)",
    re.IGNORECASE,
)
GREETINGS = all_words(
    ["hi hello hey dear good hallo guten liebe lieber servus moin bonjour hola ciao olá hej cześć привет"]
)
_DECLINING = re.compile(r"i (?:decline|refuse|reject)(?: (?:the|your) (?:draw|offer))?(?:,| and)? (?:i )?play ", re.I)
_REFUSED_BESIDE = re.compile(
    r"[,;]? (?:(?:and|but|und|aber|et|mais|y|pero|e|ma|en|maar) )?(?:no|not?|kein|keine|pas de|sin|senza|geen) "
    r"(?:draw|remis|nulle|tablas|patta|undo|take[- ]?backs?)[.! ]*$",
    re.IGNORECASE,
)  #: Qe2 and no draw
_SORRY = re.compile(r"^\s*(?:sorry|leider)\b", re.IGNORECASE)
_DRAW = re.compile(r"\s*(?:an? |ein )?(?:draw|remise?|nulle|tablas|patta|gelijkspel)", re.IGNORECASE)
_UNSURE = frozenset('?؟¿？"„“”«»()[]{}<>…')  #: signs of a question or a quotation
_LONGEST_GREETING = 4  #: words
YES = ("yes",)  #: the answer that letters name
_CLEAR_WORDS, _WEAK_WORDS = all_words(_CLEAR.values()), all_words(_WEAK.values())
_REFUSING_WORDS, _BESIDE = all_words(_REFUSING.values()), all_words(_ASKED.values()) | POLITE
_AGREEING_WORDS = _CLEAR_WORDS | _WEAK_WORDS
_USUAL_WORDS, _PARTING = _AGREEING_WORDS | _BESIDE | all_words(_AT_LENGTH.values()), FAREWELL - {"rematch", "revanche"}


def agrees(line: str, *, clearly: bool = False) -> bool:
    """Return whether a line agrees, and says nothing else. `clearly`: who writes ok may only have read the letter."""
    line = _FINE.sub("ok", line[:LONGEST])
    if _is_no_answer(line):
        return False
    return _says(line, _CLEAR_WORDS) or (not clearly and _says(line, _AGREEING_WORDS))


def asks_to_agree(line: str) -> bool:
    """Return whether a line speaks of its writer's own proposal, as in `accept my draw`."""
    return _OWN_PROPOSAL.search(line[:LONGEST]) is not None


def refuses(line: str) -> bool:
    """Return whether a line refuses, and says nothing else."""
    return _says(_FINE.sub("ok", line[:LONGEST]), _REFUSING_WORDS)


def declines(line: str) -> bool:
    """Return whether a line refuses politely, and speaks of nothing else, such as `no way` does."""
    return refuses(line) and set(bare_words(line)) <= _REFUSING_WORDS | POLITE


def tends(line: str) -> str:
    """Return `accept` or `reject` if a line begins as one that agrees or refuses.

    "": it begins otherwise, asks, or says both; or it agrees, and speaks of something else than what was asked.
    """
    words = bare_words(_FINE.sub("ok", line[:LONGEST]))
    agreed, refused = (not meant.isdisjoint(words) for meant in (_AGREEING_WORDS, _REFUSING_WORDS))
    is_first = bool(words) and words[0] in _AGREEING_WORDS | _REFUSING_WORDS
    if not is_first or agreed == refused or not _UNSURE.isdisjoint(line) or _is_no_answer(line):
        return ""
    if refused:
        return "reject"
    # After a clear word, somebody may take leave. Fine game, and yes, it was fun, are only praise.
    takes_leave = words[0] in _CLEAR_WORDS and POINTING.isdisjoint(words)
    return "accept" if (_USUAL_WORDS | (_PARTING if takes_leave else frozenset())).issuperset(words) else ""


def is_no_answer_to(line: str, *, is_draw: bool) -> bool:
    """Return whether a line is no answer to a proposal.

    It says what is so (`yes, it was`), or speaks of a draw where a move is asked back, or the other way round.
    """
    words = bare_words(line[:LONGEST])
    here, there = (_OF_DRAWS, _OF_TAKING_BACK) if is_draw else (_OF_TAKING_BACK, _OF_DRAWS)
    states = not _STATING.isdisjoint(words) or not _STATING_LAST.isdisjoint(words[-1:])
    states = states and _REFUSING_WORDS.isdisjoint(words)  # nah, I am winning
    return here.isdisjoint(words) and (states or not there.isdisjoint(words))


def behind_refusal(text: str) -> str:
    """Return what stands behind the words with which a text refuses, such as `no draw`; "" if it begins otherwise."""
    if declining := _DECLINING.match(text):
        return text[declining.end() :]
    first, *rest = text.split(None, 1) or [""]
    asked, *below = "".join(rest).split(None, 1) or [""]
    is_asked = without_noise(asked).lower() in all_words(_ASKED.values())
    return "".join(below if is_asked else rest) if refuses(first) else ""


def besides_refusal(line: str) -> str:
    """Return a line without the parts at its beginning that refuse, or its end that does; "" if it has none."""
    rest = line[:LONGEST]
    while (sign := END_OF_PART.search(rest)) and _refuses_at_first(rest[: sign.start()], sign[0]):
        rest = rest[sign.end() :]
    rest = _REFUSED_BESIDE.sub("", rest) or rest
    return rest.strip() if rest != line[:LONGEST] else ""


def _refuses_at_first(part: str, sign: str) -> bool:
    """Return whether a part of a line refuses, or only repeats what was proposed: a draw? Sorry, no."""
    return tends(_SORRY.sub("", part)) == "reject" or (sign[0] == "?" and _DRAW.fullmatch(part) is not None)


def skip_greeting(line: str, below: str) -> tuple[str, str]:
    """Return the first line of a text that is no greeting, and what is below it."""
    words = bare_words(line) if len(line) <= LONGEST else []
    is_greeting = words[:1] and words[0] in GREETINGS and len(words) <= _LONGEST_GREETING
    if not (is_greeting and below.strip()) or agrees(line):
        return line, below
    first, _, rest = below.strip().partition("\n")
    return first, rest


def _says(line: str, meant: frozenset[str]) -> bool:
    is_plain = len(line) <= LONGEST and ".." not in line and _UNSURE.isdisjoint(line)
    words = bare_words(line) if is_plain else []
    is_answer = len(words) <= _MOST_WORDS and not asks(words)
    return is_answer and not meant.isdisjoint(words) and meant | _BESIDE >= set(words)


def _is_no_answer(line: str) -> bool:
    return asks_to_agree(line) or _NO_ANSWER.search(line) is not None
