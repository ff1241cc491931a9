"""Reads whether words below `resign` and the like leave in doubt that it is meant.

A board that is lost cannot be taken back, and nobody can list all jokes. So to resign is done only with no words below
it, or with some that belong to a farewell, and without a question, a joke or a denial among them.
"""

import re
from collections.abc import Collection

from pbmserv.inbox.lines.first_line import bare_words
from pbmserv.inbox.lines.words.comment_words import doubts
from pbmserv.inbox.lines.words.sentence_words import OWN, all_words, denies

_MOST = 2_000  #: characters that are looked at
#: Words of somebody who has only made a joke.
JOKES = re.compile(
    r"kidding|\bjok(?:e|ed|es|ing)\b|\bjk\b|\bj/k\b|\bpsych\b|gotcha|prank|fool|sarcas|\bas if\b|dream on|your dreams|"
    r"you wish|scherz|\bwitz|veräppel|reingelegt|verarsch|(?:nur|bloß|bloss|war|ein) spa(?:ß|ss)\b|träum weiter|"
    r"denkste|blague|rigol|plaisant|\bbrom[ae]|brincad|brincand|grapje|\bżart|шуч|шутк|жарт|skämt|skojar|spøg|\bvits|\bşaka|"
    r"\bžert|legrac|\bvicc|\bglum(?:esc|ă)|déconn|\bcoña|αστει|"
    r"luck (?:of|with|in) (?:the|your) draw|draw of luck|quick on the draw|draw (?:breath|blood)",
    re.IGNORECASE,
)
#: Signs of a joke, and what others should do, below what cannot be taken back.
_LAUGHS = re.compile(
    r"\blo+l\b|\brofl\b|\blmao\b|\b(?:ha|he|hi|ja){2,}h?\b|april|teas(?:e|ing)|should|\bmust\b|ought|\bxd+\b|"
    r"solltest|musst\b|\bmdr\b|;-?[)pPD]|:-?[pP]\b|[😉😜🤣😂😝😛🙃😏🤪😈🤡]",
    re.IGNORECASE,
)
#: Words that people write when they lose.
_FAREWELL = {
    "English": "thanks thank thx ty gg ggs wp good game great nice well played congratulations congrats congrat bravo "
    "enjoyed fun pleasure honour honor strong stronger deserved respect lost losing lose beaten hopeless sorry unlucky "
    "best kind regards greetings cheers kudos compliments rematch lesson learned learnt",
    "German": "danke dank gg gut gespielt glückwunsch gratuliere gratulation schön schöne schönes tolle tolles spiel "
    "grüße gruß lg vg mfg partie verdient stark stärker verloren hoffnungslos respekt hut spaß schade leider revanche "
    "gelernt",
    "French": "merci amicalement cordialement bravo félicitations bien joué belle partie",
    "Spanish, Portuguese": "gracias saludos abraços felicidades felicitaciones bien jugado buena partida obrigado "
    "parabéns bem jogado",
    "Italian": "grazie complimenti bella ben giocato partita",
    "Dutch, Swedish, Danish, Norwegian": "bedankt dank gefeliciteerd goed gespeeld tack tak takk grattis tillykke "
    "gratulerer bra spelat godt spillet",
    "Polish, Czech, Hungarian": "dziękuję dzięki gratulacje dobra gra děkuji díky gratuluji köszönöm gratulálok",
    "Russian, Ukrainian": "спасибо поздравляю хорошая игра дякую вітаю",
    "Finnish, Turkish, Greek": "kiitos onneksi hyvä peli teşekkürler tebrikler iyi oyun ευχαριστώ συγχαρητήρια",
}
#: Words with which people say `no` and mean that they have lost: I have no chance.
_HOPELESS = {
    "English": "chance chances hope hopeless win left more longer defend defence save hold stop way lost",
    "German": "chance chancen hoffnung gewinnen gewinne mehr halten retten verteidigen verloren",
}
#: Words that deny a move, and nothing in a farewell: what a game, that was a blunder.
_HARMLESS = all_words(
    [
        "was what how than once after before bad terrible stupid blunder mistake wrong dead",
        "wie gegen fehler dumm schlecht",
    ]
)
#: Words of what is no reason beside `I resign`.
NO_REASON = all_words(
    [
        "but yet when once never almost nearly says said told tells asked writes wrote aber sobald fast beinahe sagt "
        "sagte meint mais quand dit pero cuando dice dijo ma quando maar zodra zegt"
    ]
)
FAREWELL, _HOPELESS_WORDS = all_words(_FAREWELL.values()), all_words(_HOPELESS.values())


def is_in_doubt(below: str, names: Collection[str], *, needs_farewell: bool) -> bool:
    """Return whether these words leave in doubt what is above them. `names`: of their writer, who signs with them."""
    text = below.strip()[:_MOST]
    if not text or text.lower() in names:
        return False
    words = set(bare_words(text))
    gives_up = needs_farewell and not words.isdisjoint(_HOPELESS_WORDS) and not words.isdisjoint(OWN)
    denied = any(map(denies if needs_farewell else doubts, words - _HARMLESS)) and not gives_up
    is_farewell = gives_up or not words.isdisjoint(FAREWELL)
    is_joke = bool(set("?؟¿？") & set(text) or JOKES.search(text) or _LAUGHS.search(text))
    return is_joke or denied or (needs_farewell and not is_farewell)
