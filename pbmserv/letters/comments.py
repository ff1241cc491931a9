"""Texts that players write to each other, made safe to pass on."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pbmserv.letters.site import Site

_LEFT_OUT = "[left out]"
_SIGNED_WORDS = re.compile(r"[a-z][0-9.]*\.[a-z2-7]{16}(?![a-z0-9])", re.I)


@dataclass(frozen=True)
class Comment:
    """A player's text to the others; `text` is a result of `passed_on`."""

    by: str
    text: str


def passed_on(text: str, site: Site, secrets: Iterable[str] = ()) -> str:
    """Remove signed addresses (others could play with them) and `secrets` from a player's text."""
    local = re.escape(site.address.partition("@")[0])
    text = re.sub(rf"{local}(?:\+|%2b)[^\s<>@%]*(?:(?:@|%40)[\w.-]*\w)?", _LEFT_OUT, text, flags=re.I)
    text = _SIGNED_WORDS.sub(lambda m: _LEFT_OUT if site.signer.verify(m[0]) else m[0], text)
    for secret in secrets:
        text = text.replace(secret, _LEFT_OUT)
    return text
