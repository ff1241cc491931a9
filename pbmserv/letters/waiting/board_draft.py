"""Board letters as they wait in the outbox: a view of the log, and only what cannot be told later.

The transaction of a move writes these few hundred bytes for each reader. The sender makes the page, its diagram and its
words (`finisher.py`), with the position as of the stored length of the log (docs/adr/0026).
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from pbmserv.games.base import Seat
from pbmserv.letters.board_page import NOTHING_BESIDE, BesideTheLog
from pbmserv.letters.fence import Comment
from pbmserv.model.rows import Json

_BEGIN = b'{"view": ['


@dataclass(frozen=True)
class BoardDraft:
    """A waiting letter about a board. Its kind, recipient and date, and the mail behind it, are columns of its row."""

    board: int
    player: int  #: the reader's id
    length: int  #: of the log that the letter shows
    had: int = 0  #: the length of the log in the reader's letter before this one
    since: int = 0  #: how many entries the reader has seen
    seat: Seat | None = None  #: for which the reader sees the board; None: as a spectator
    again: int = 0  #: a random number, if another letter about this length has the Message-ID that follows from the log
    begins: bool = False  #: it tells what the letter at the beginning tells, though the log is longer
    alone: bool = False  #: the reader has done all that is new, and can choose to get no such letters
    absent: bool = False  #: the game was not installed when the letter was written
    news: str = ""  #: the text for this reader in addition to the board
    comment: Comment | None = None
    beside: BesideTheLog = NOTHING_BESIDE
    asked: str | None = None  #: the Message-ID of the mail that the letter answers; None: it answers none
    references: tuple[str, ...] = ()  #: of that mail
    receipt: str = ""  #: of the last entry, for who made it; for all with the words for dice and at the end

    @property
    def is_first(self) -> bool:
        """Whether it is the first letter about the board that its reader gets."""
        return self.begins or not self.length

    def pack(self) -> bytes:
        """Return the JSON for the outbox. It begins with the numbers of the letter's Message-ID (see `mark`)."""
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NUMBERS}
        kept = {name: value for name, value in kept.items() if value != _DEFAULTS[name]}
        if self.comment:
            kept["comment"] = (self.comment.by, self.comment.text)
        if "beside" in kept:
            kept["beside"] = self.beside.pack()
        numbers = {"view": (self.board, self.player, self.length), "again": self.again}
        return json.dumps({**numbers, **kept}, ensure_ascii=False).encode()

    def after(self, earlier: "BoardDraft") -> "BoardDraft":
        """Return this letter if its reader does not get an earlier one: it tells that, too, and answers its mail."""
        is_asked = self.asked is None and earlier.asked is not None
        return replace(
            self,
            had=earlier.had,
            since=min(self.since, earlier.since),
            begins=earlier.is_first,
            alone=False,
            news="\n".join(filter(None, (earlier.news, self.news))),
            comment=self.comment or earlier.comment,
            asked=earlier.asked if is_asked else self.asked,
            references=earlier.references if is_asked else self.references,
        )

    @classmethod
    def unpack(cls, packed: bytes) -> "BoardDraft":
        """Return the draft that `pack` turned into bytes."""
        fields: Json = json.loads(packed)
        if "comment" in fields:
            fields["comment"] = Comment(*fields["comment"])
        if "beside" in fields:
            fields["beside"] = BesideTheLog(**fields["beside"])
        fields["references"] = tuple(fields.get("references", ()))
        return cls(*fields.pop("view"), **fields)


_NUMBERS = ("board", "player", "length", "again")
_DEFAULTS = {f.name: f.default for f in fields(BoardDraft)}


def another_message_id() -> int:
    """Return the number for the Message-ID of a letter that does not have the one that follows from the log."""
    return secrets.randbits(60) | 1


def mark(numbers: Sequence[int]) -> bytes | None:
    """Return a part of the stored board letter whose Message-ID has these numbers; None if no such letter has them.

    No player can write it, because quotes in their texts are escaped.
    """
    match numbers:
        case (again,):
            return f'], "again": {again}'.encode()
        case (board, player):
            return _BEGIN + f'{board}, {player}, 0], "again": 0'.encode()
        case (board, player, length, _):
            return _BEGIN + f'{board}, {player}, {length}], "again": 0'.encode()
        case _:
            return None
