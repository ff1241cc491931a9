"""What has happened on a board, and what some of its players read of it besides the board itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbmserv.store import BoardRow, Player


@dataclass(frozen=True)
class News:
    """What one player reads besides a board: lines of text, and how many entries of its log he has seen already."""

    text: str
    since: int

    def then(self, more: "News") -> "News":
        """Both, in this order."""
        return News("\n".join(filter(None, (self.text, more.text))), min(self.since, more.since))


def all_news(first: Mapping[int, News], more: Mapping[int, News]) -> dict[int, News]:
    """The news of each player, by his id, from two sources in this order."""
    return {**first, **{id_: first[id_].then(news) if id_ in first else news for id_, news in more.items()}}


@dataclass(frozen=True)
class BoardNews:
    """A board that has changed, and so has a letter for all its players, or for `only` one."""

    row: BoardRow
    since: int  #: entries of its log before the change
    actor: Player | None = None  #: who changed it
    text: str = ""  #: what the actor reads besides the board
    only: Player | None = None
    quiet: bool = False  #: the actor has his answer elsewhere, so that he needs no letter about his own deeds
    news: Mapping[int, News] = field(default_factory=dict)  #: what others read besides the board, by player

    @property
    def by_player(self) -> dict[int, News]:
        """The news of each player who has some, the actor's first."""
        return all_news({self.actor.id: News(self.text, self.since)} if self.actor else {}, self.news)
