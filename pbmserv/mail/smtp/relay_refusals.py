"""Reads the replies with which a relay says that it takes no more letters now. Pure functions.

Such a reply says nothing about the address that it stands behind: the letter waits, and so do all others.
"""

import re

_REPLY = re.compile(r"([45])\d\d(?:[ -]+[45]\.(\d{1,3})\.(\d{1,3}))?\b")
#: Words about a number that is used up, or about mails that come too fast or too early.
_WORDS = re.compile(
    r"gr[ae]y-?\s?list|throttl|too (?:many|much|fast|frequent|often)(?! (?:hops|received))|\bquota|\brate\b|"
    r"\b(?:daily|hourly)\b|\bper (?:minute|hour|day)\b|\blimit(?:s|ed)?\b|limit.{0,20}(?:exceed|reach)|"
    r"exceed.{0,60}(?:limit|messages|recipients|e?mails)",
    re.IGNORECASE,
)
#: What is full or too large here is the reader's mailbox, or the letter: RFC 3463 §3.2, §3.3, §3.4.
_OF_THE_LETTER = re.compile(r"mailbox|message size|size limit|too (?:large|big|long)|line length", re.IGNORECASE)
_ABOUT_THE_ADDRESS, _SYSTEM, _TOO_LARGE = ("1", "2"), "3", "4"
_MOST = 300  #: characters of a reply that are read


def is_limit(reply: str) -> bool:
    """Return whether a reply such as `550 5.4.5 Daily user sending limit exceeded` is about a limit of the relay.

    5.4.5 is the sending limit of large providers, and 4.7.x is a policy that passes, such as greylisting (RFC 6647).
    """
    reply = reply[:_MOST]
    match = _REPLY.search(reply)
    if match is None:
        return False
    kind, subject, detail = match.groups()
    if (subject, detail) == ("4", "5") or (kind == "4" and subject == "7"):
        return True
    if subject in _ABOUT_THE_ADDRESS or (subject, detail) == (_SYSTEM, _TOO_LARGE):
        return False
    return _WORDS.search(reply) is not None and _OF_THE_LETTER.search(reply) is None


def without_names(reply: str) -> str:
    """Return a reply without what differs from letter to letter: addresses, domains, numbers after its codes."""
    match = _REPLY.match(reply)
    codes, rest = (match[0], reply[match.end() :]) if match else ("", reply)
    words = [word for word in rest.lower().split() if not re.search(r"[@\d]|\w\.\w", word)]
    return " ".join((codes, *words))
