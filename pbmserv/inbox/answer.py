"""What comes back from a call, and from a mail."""

from dataclasses import dataclass, field

from pbmserv.boards.news import BoardNews
from pbmserv.errors import PlayerError
from pbmserv.store import BoardRow, Player


@dataclass
class Answer:
    """What a call gives back: a text for the sender, and boards whose players get a letter.

    `complete`: the board letter is all the answer that the sender needs.
    """

    text: str = ""
    subject: str = ""
    boards: list[BoardNews] = field(default_factory=list)
    complete: bool = False
    attachments: tuple[tuple[str, bytes], ...] = ()  #: JSON files: name, content


@dataclass
class Done:
    """What became of a mail, for its row: the calls without passwords, and the first error."""

    calls: list[str] = field(default_factory=list)
    problem: str = ""


class Outdated(PlayerError):
    """An answer to a letter whose board has moved on; it is answered with the board as it is now."""

    def __init__(self, row: BoardRow, player: Player, length: int) -> None:
        super().__init__("That letter is no longer the latest of this board, so nothing was done.")
        self.row, self.player, self.length = row, player, length
