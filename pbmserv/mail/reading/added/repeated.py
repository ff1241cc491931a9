"""What a player's mails end with twice, word for word, is a signature, whatever its shape."""

from collections.abc import Callable
from typing import NamedTuple

_SHORTEST, _MOST = 12, 3  # characters of a signature, and how many ends are known


class Ending(NamedTuple):
    """A text without its signature, and what is known of the player's mails from now on.

    `known`: hashes, with `+` of signatures and with `-` of the last mail's end, as they are stored.
    """

    text: str
    known: str
    is_new: bool  #: the end has become a signature by this text


def read_ending(text: str, known: str, hashed: Callable[[str], str], is_words: Callable[[str], bool]) -> Ending:
    """Look for one of the ends that are known at the end of a text, and remember how it ends.

    `is_words`: whether a last paragraph surely is what the player wants to say now, such as a command.
    """
    above, _, below = text.strip("\n").rpartition("\n\n")
    if len(below) < _SHORTEST or is_words(below):
        return Ending(text, known, is_new=False)
    last, hashes = hashed(" ".join(below.split())), known.split()
    if f"+{last}" in hashes:
        return Ending(above, known, is_new=False)
    is_new = f"-{last}" in hashes
    signatures = [code for code in hashes if code.startswith("+")]
    kept = (f"{'+' if is_new else '-'}{last}", *signatures)[:_MOST]
    return Ending(above if is_new else text, " ".join(kept), is_new)
