"""What comes back from a call, and from a mail."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbmserv.errors import PlayerError
from pbmserv.letters.comments import Told
from pbmserv.store import BoardRow, Player


@dataclass(frozen=True)
class BoardNews:
    """A board whose letter goes out: to all its players, or to `only` one. `since`: entries before this mail's."""

    row: BoardRow
    since: int
    actor: Player | None = None
    news: str = ""
    only: Player | None = None
    quiet: bool = False  #: the actor has his answer elsewhere
    told: Mapping[int, Told] = field(default_factory=dict)  #: what the queues did for their owners


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
