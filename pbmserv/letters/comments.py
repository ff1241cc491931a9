"""What people are told besides the board: the words of other players, and news of their own."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbmserv.letters.site import Site

_LEFT_OUT = "[left out]"
_SIGNED_WORDS = re.compile(r"[a-z][0-9.]*\.[a-z2-7]{16}(?![a-z0-9])", re.I)


@dataclass(frozen=True)
class Comment:
    """What a player writes to the others; `text` has passed `passed_on`."""

    by: str
    text: str


def passed_on(text: str, site: Site, secrets: Iterable[str] = ()) -> str:
    """A player's words as others may read them: signed addresses would let them play for him, passwords even more."""
    local = re.escape(site.address.partition("@")[0])
    text = re.sub(rf"{local}(?:\+|%2b)[^\s<>@%]*(?:(?:@|%40)[\w.-]*\w)?", _LEFT_OUT, text, flags=re.I)
    text = _SIGNED_WORDS.sub(lambda m: _LEFT_OUT if site.signer.verify(m[0]) else m[0], text)
    for secret in secrets:
        text = text.replace(secret, _LEFT_OUT)
    return text


@dataclass(frozen=True)
class Told:
    """What one player is told besides the board: a line of news, and how many entries of the log he has seen."""

    news: str
    since: int

    def then(self, more: "Told") -> "Told":
        """Both, in this order."""
        return Told("\n".join(filter(None, (self.news, more.news))), min(self.since, more.since))


def all_told(first: Mapping[int, Told], more: Mapping[int, Told]) -> dict[int, Told]:
    """What players are told, by player, from two sources in this order."""
    return {**first, **{id_: first[id_].then(told) if id_ in first else told for id_, told in more.items()}}
