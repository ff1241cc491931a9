"""What a player's mails end with twice, word for word, is a signature. Pure functions."""

from collections.abc import Callable
from typing import NamedTuple

from pbmserv.inbox.lines.comment_words import wishes_well
from pbmserv.mail.reading.encoding import fold

_SHORTEST, _MOST = 12, 3  # characters of a signature, and how many ends are known


class Ending(NamedTuple):
    """A text without its signature, and what is known of the player's mails from now on.

    `known`: hashes, with `+` of signatures and with `-` of the last mail's end, as they are stored.
    """

    text: str
    known: str
    is_new: bool  #: the end has become a signature by this text


def read_ending(text: str, known: str, hashed: Callable[[str], str], is_command: Callable[[str], bool]) -> Ending:
    """Look for one of the ends that are known at the end of a text, and remember how it ends.

    What is short, good wishes or a command is no signature.
    """
    above, _, below = text.strip("\n").rpartition("\n\n")
    words, hashes = below.split(), known.split()
    is_wish = wishes_well([fold(word).lower().strip(".,!") for word in words])
    if len(below) < _SHORTEST or is_wish or is_command(below.partition("\n")[0]):
        return Ending(text, known, is_new=False)
    last = hashed(" ".join(words))
    if f"+{last}" in hashes:
        return Ending(above, known, is_new=False)
    is_new = f"-{last}" in hashes
    signatures = [code for code in hashes if code.startswith("+")]
    kept = (f"{'+' if is_new else '-'}{last}", *signatures)[:_MOST]
    return Ending(above if is_new else text, " ".join(kept), is_new)
