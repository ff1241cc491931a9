"""Reactions: a sign that a reader puts beside a letter with one touch, and that a program sends as a mail."""

import json
import re
from collections.abc import Iterator

from pbmserv.mail.reading.added.speech import ONE, OWN, speaks
from pbmserv.mail.reading.encoding import clean_line
from pbmserv.mail.reading.mime import MimePart

_GMAIL = "text/vnd.google.email-reaction+json"
_LONGEST, _MOST_BYTES = 12, 1024  # characters of a reaction, and bytes of the part that has it
_EMOJI = (  # without the men of chess and draughts, which are moves
    "[\u203c\u2049\u2600-\u2653\u2660-\u26bf\u26c4-\u27bf\u2b50\u2b55\u3030\u303d\U0001f004\U0001f0cf\U0001f170-\U0001f251"
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7f0\U0001f900-\U0001faff]"
)
_ONLY = re.compile(rf"(?:{_EMOJI} ?){{1,6}}")
_REACTED = (
    r"reacted|reagiert|a réagi|reaccion(?:ó|ado)|ha reagito|gereageerd|reagiu|reagerade|reagerede|reagerte|"
    r"zareagowała?|отреагировала?|реагировал|reagoval\w?|reagált|reagoi|tepki verdi|リアクション|回应|回應|반응"
)
# "X reacted to your message", of Outlook and others, and nothing else beside. A move has a digit.
_QUOTE = "[\"'\u2018\u201c-\u201f\xab]"
_SAID = re.compile(rf"(?=.*{_EMOJI})([^\n\d]{{0,90}}(?:{_REACTED})[^\n\d]{{0,160}}?)(?:{_QUOTE}[^\n]{{0,400}})?", re.I)
_TO_WHAT = re.compile(
    r"messag|gmail|outlook|mail|nachricht|courriel|mensaje|messaggio|bericht|mensagem|meddeland|besked|melding|"
    r"wiadomo|сообщени|письм|повідомл|zpráv|správ|üzenet|viesti|mesaj|ileti|メッセージ|メール|消息|邮件|郵件|訊息|메시지|메일",
    re.I,
)
_BARE = re.compile(r"[^\n]{1,60} reacted to your message:?")
_UNKNOWN = "(reaction)"
# "Liked “It is your turn”", of telephones: what a letter says is in quotes, and cut off.
_TAPPED = {
    "liked|gefällt mir|mag|a aimé|le gustó|piace|vindt leuk|curtiu|gostou de": "\U0001f44d",
    "loved|liebt|a adoré|le encantó|adora|amou": "\u2764",
    "laughed at|lacht über|a ri à|se rió de|ride per|riu de": "\U0001f602",
    "emphasized|hervorgehoben|a mis l'accent sur|enfatizó|enfatizou": "\u203c",
    "disliked|gefällt mir nicht|n'a pas aimé|no le gustó|non piace": "\U0001f44e",
    "questioned|hinterfragt|a questionné|cuestionó|questionou": "\u2753",
}
_VERBS = "|".join(f"(?:{verbs})" for verbs in _TAPPED)
_TAP = re.compile(rf"({_VERBS}):? [\"'\u201c\u201e\u201f\u00ab\u2018].{{1,400}}[\"'\u2018-\u201f\xab\xbb]", re.I)


def reaction(root: MimePart, words: str) -> str:
    """Return the sign with which a reader has reacted to a letter; "" if a mail is no reaction.

    `words`: the sender's own.
    """
    for part in _parts(root):
        if part.kind == _GMAIL:
            return _of_gmail(part) or _sign_in(words) or _UNKNOWN
    return _sign_in(words)


def _parts(root: MimePart) -> Iterator[MimePart]:
    yield root
    for part in root.children:
        yield from _parts(part)


def _of_gmail(part: MimePart) -> str:
    try:
        content = json.loads(part.beginning(_MOST_BYTES))
    except (ValueError, RecursionError):
        return ""
    written = content.get("emoji") if isinstance(content, dict) else None
    sign = clean_line(written) if isinstance(written, str) and len(written) <= _LONGEST else ""
    return "" if sign.isascii() or any(map(str.isalpha, sign)) else sign  # JSON can have anything, such as words


def _sign_in(words: str) -> str:
    line = " ".join(words.split())
    if _ONLY.fullmatch(line):
        return line.replace(" ", "")
    if tap := _TAP.fullmatch(line):
        return next(sign for verbs, sign in _TAPPED.items() if re.fullmatch(verbs, tap[1], re.I))
    if (match := _SAID.fullmatch(line)) and _is_of_program(match[1], line):
        return "".join(re.findall(_EMOJI, line))[:_LONGEST]
    return _UNKNOWN if _BARE.fullmatch(line) else ""


def _is_of_program(words: str, line: str) -> bool:
    """Return whether these words tell to what somebody reacted, perhaps with a quote behind them, and nobody speaks."""
    return bool(words != line or _TO_WHAT.search(words)) and not speaks(words, ONE | OWN)
