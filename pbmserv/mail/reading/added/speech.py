"""What tells the words of a person from those of a program: who speaks, and which links are there."""

import re

# A link with the brackets that programs put around it. Group 1 is its host.
_LINK = re.compile(
    r"[<(\[]{0,2} ?\b(?:https?://|mailto:|(?=www\.))([^\s<>()\[\]/?#]{1,200})[^\s<>()\[\]]{0,900}(?: ?[>)\]]){0,2}",
    re.I,
)
#: The name of a site, in lower case.
DOMAIN = re.compile(r"\bwww\.\w|\b[\w-]{2,40}\.(?:com|net|org|eu|de|at|ch|fr|es|it|nl|pl|ru|se|cz|jp|uk|io|app)\b")
WORD = re.compile(r"[^\s,;:.!?()\[\]<>|\"/\u201e\u201c\u3001\u3002]+")

# Words with which people speak of themselves, of what is theirs, and to others.
_ONE = "i i'm i'll i've me ich mich mir je j'ai moi yo io ik ja mnie я мне jag jeg eu ben já sorry"
_SEVERAL = "we us wir uns nous nosotros noi wij ons мы vi biz"
_OTHERS = "you dich dir ihr euch toi vous tú ti voi jij tobie ty cię ты тебя dig você sinä sen siz"
_OWN = "my mine mein meine meinen meinem mon ma mes mi mis mio mia mijn мой моя min mitt"
ONE, OWN = frozenset(_ONE.split()), frozenset(_OWN.split())
ANYBODY = frozenset(f"{_ONE} {_SEVERAL} {_OTHERS}".split())


def hosts(text: str) -> list[str]:
    """Return the hosts of the links in a text, in lower case."""
    return [host.lower() for host in _LINK.findall(text)] if _has_link(text) else []


def without_links(text: str, sign: str) -> str:
    """Return the text with a sign in place of each link."""
    return _LINK.sub(sign, text) if _has_link(text) else text


def _has_link(text: str) -> bool:
    return "://" in text or "www." in text or "mailto:" in text


def speaks(text: str, words: frozenset[str]) -> bool:
    """Return whether a text has one of these words."""
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower()
    return not words.isdisjoint(WORD.findall(text))
