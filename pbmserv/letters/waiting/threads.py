"""The Message-IDs of the letters about one board. They follow from its log, so none is stored or looked up."""

from collections.abc import Sequence
from functools import cache

from pbmserv.games.base.log import Entry
from pbmserv.letters.site import Site


class Threads:
    """The Message-IDs of the letters about one board.

    The latest entries count, too: a board that was restored from an older backup gets other letters at the same
    length, and some mail services drop a letter whose Message-ID they know. The entries are hashed with our key,
    because they may be hidden from a reader.
    """

    RECENT = 4  #: letters that the next one refers to besides the first; not every entry caused a letter
    TELLING = 8  #: entries that distinguish a log from others of the same length

    def __init__(self, site: Site, board: int, log: Sequence[Entry]) -> None:
        self._site, self._board, self._log = site, board, log
        self._code, self._told = cache(self._code_at), cache(self._told_of)  #: all readers share them

    def letter(self, player_id: int, length: int) -> str:
        """Return the Message-ID of a reader's letter about the board when its log had this length."""
        code = (length, self._code(length)) if length else ()
        return self._site.signer.message_id(self._board, player_id, *code)

    def until(self, player_id: int, length: int) -> list[str]:
        """Return the Message-IDs of a reader's first letter and of the latest ones up to this length."""
        lengths = (0, *range(max(length - self.RECENT, 0) + 1, length + 1))
        return [self.letter(player_id, n) for n in lengths]

    def _code_at(self, length: int) -> int:
        told = "\n".join(map(self._told, range(max(length - self.TELLING, 0), length)))
        return int(self._site.signer.keyed_hash(told)[:10], 16)

    def _told_of(self, place: int) -> str:
        entry = self._log[place]
        return f"{entry.seat} {entry.kind} {entry.text}"
