"""Reads which dice somebody keeps who says it in words: reroll everything except the fives; throw the ones again."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbmserv.games.families.dice.dice_row import Dice

ALL = "roll"  #: keep nothing
_KEEPING = frozenset(("keep", "hold", "keeping", "behalten", "behalte", "halte", "halten"))
_THROWING = frozenset(
    ("roll", "reroll", "re-roll", "rethrow", "throw", "toss", "drop", "discard", "würfeln", "würfle", "werfe", "wirf")
)
_AT_END = frozenset(("behalten", "halten", "würfeln"))  #: verbs that stand behind their dice
_EXCEPT = frozenset(("except", "but", "besides", "save", "außer", "ausser"))
#: What dice are that nobody names.
REST = frozenset(("rest", "others", "other", "everything", "all", "alles", "alle", "remaining", "anderen"))
_JOINING = frozenset(("and", "und", "then", "dann", "&", "+"))
_ARTICLES = frozenset(("the", "my", "a", "die", "der", "den", "meine"))
_BESIDE = "i,i'll,ich,again,nochmal,neu,please,bitte,of,them,just,only,nur,dice,das"
_USUAL = _ARTICLES | frozenset(_BESIDE.split(","))
_COUNTED = {"both": 2, "beiden": 2, "pair": 2, "paar": 2}
_SINGLE = {
    name: face
    for names in ("one,two,three,four,five,six", "eins,zwei,drei,vier,fünf,sechs", "1,2,3,4,5,6")
    for face, name in enumerate(names.split(","), 1)
}
_PLURALS = ("ones,twos,threes,fours,fives,sixes", "1s,2s,3s,4s,5s,6s", "einsen,zweien,dreien,vieren,fünfen,sechsen")
_FACES = {name: face for names in _PLURALS for face, name in enumerate(names.split(","), 1)} | {"aces": 1, "deuces": 2}
_TIMES = re.compile(r"(\d) ?[x×] ?(\d)\W*")  #: 2 x 5
_WORD = re.compile(r"[,;.:!?]|[^\s,;.:!?]+")
_DICE = re.compile("[1-6]{2,6}")
_SIGN = re.compile(r"[,;.:!?]")
_MOST_WORDS = 24


@dataclass
class _KeptDice:
    """What a part of a sentence says: whether its dice are kept or thrown, or all others than these, and which."""

    keeps: bool | None = None
    others: bool = False
    has_rest: bool = False
    dice: list[int] = field(default_factory=list)


def kept_by(text: str, dice: Dice) -> Sequence[str]:
    """Return the moves that a text in lower case may mean, legal or not; none if it says anything else, too."""
    if times := _TIMES.fullmatch(text):
        return (times[2] * int(times[1]),)
    words = _WORD.findall(text)
    parts = _parts(words, dice) if len(words) <= _MOST_WORDS else None
    if not parts:
        return ()
    named = [part for part in parts if part.dice]
    if not named:
        is_all = len(parts) == 1 and parts[0].keeps is False and parts[0].has_rest
        return (ALL,) if is_all else ()
    is_of_dice = not (_ARTICLES | _COUNTED.keys() | _SINGLE.keys() | REST).isdisjoint(words)
    usual = _usual(parts, is_of_dice=is_of_dice)
    ways = [usual] if usual is not None else [True, False] if any(part.others for part in named) else []
    return tuple(dict.fromkeys(move for way in ways if (move := _kept(named, dice, keeps=way))))


def _usual(parts: Sequence[_KeptDice], *, is_of_dice: bool) -> bool | None:
    """Return whether dice beside no verb are kept; None if nothing says it."""
    if (told := next((part.keeps for part in parts if part.dice and part.keeps is not None), None)) is not None:
        return told
    if (rest := next((part.keeps for part in parts if part.keeps is not None), None)) is not None:
        return not rest
    return True if is_of_dice and not any(part.others for part in parts) else None


def _kept(parts: Sequence[_KeptDice], dice: Dice, *, keeps: bool) -> str:
    """Return the move that keeps these dice, or all others than those that are thrown; "" if some are in neither."""
    kept, thrown = Counter[int](), Counter[int]()
    for part in parts:
        keeps = keeps if part.keeps is None else part.keeps
        (kept if keeps != part.others else thrown).update(part.dice)
    every = Counter(dice)
    if kept and thrown and kept + thrown != every:
        return ""
    if not kept and not thrown - every:
        kept = every - thrown
    return "".join(map(str, sorted((kept or thrown).elements()))) if kept or thrown - every else ALL


def _parts(words: Sequence[str], dice: Dice) -> list[_KeptDice] | None:
    """Return what each part says; None if a word says something else."""
    parts = [_KeptDice()]
    for at, word in enumerate(words):
        now = parts[-1]
        if word in _JOINING or _SIGN.fullmatch(word):
            parts.append(_KeptDice())
        elif word in _KEEPING or word in _THROWING:
            parts += [_KeptDice()] * (now.keeps is not None or (bool(now.dice) and word not in _AT_END))
            parts[-1].keeps = word in _KEEPING
        elif word in _EXCEPT and not now.dice:
            now.others = True
        elif word in REST:
            now.has_rest = True
        elif (named := _dice_at(words, at, dice)) is not None:
            now.dice += named
        elif word not in _USUAL:
            return None
    return [part for part in parts if part != _KeptDice()]


def _dice_at(words: Sequence[str], at: int, dice: Dice) -> Sequence[int] | None:
    """Return the dice that a word names: none, if it only counts those behind it; None if it is another word."""
    word, before = words[at], [word for word in words[:at] if word not in ("of", "the", "die", "von")][-1:]
    behind = next((word for word in words[at + 1 :] if word not in ("of", "the", "die", "von")), "")
    count = next(((_COUNTED | _SINGLE).get(word, 0) for word in before), 0)
    if _DICE.fullmatch(word):
        return [int(face) for face in word]
    if word in _FACES:
        return [_FACES[word]] * (count or max(1, dice.count(_FACES[word])))
    if word in _COUNTED or (word in _SINGLE and behind in _FACES):
        return []
    face = _SINGLE.get(word, 0)
    is_die = word.isdigit() or words[max(0, at - 1)] in _ARTICLES
    is_whole = words[max(0, at - 1)] == "a" or dice.count(face) in (0, words.count(word))  # the 5: which of two
    return [face] if face and is_die and is_whole else None
