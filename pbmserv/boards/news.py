"""What happened on a board, and texts for single players in addition to the board itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbmserv.model import BoardRow, Player


@dataclass(frozen=True)
class News:
    """A text for one player in addition to a board: lines, and how many entries the player has seen already."""

    text: str
    since: int

    def then(self, more: "News") -> "News":
        """Join this news and `later`, in this order."""
        return News("\n".join(filter(None, (self.text, more.text))), min(self.since, more.since))


def all_news(first: Mapping[int, News], more: Mapping[int, News]) -> dict[int, News]:
    """Join two sources of news for each player id, in this order."""
    return {**first, **{id_: first[id_].then(news) if id_ in first else news for id_, news in more.items()}}


@dataclass(frozen=True)
class BoardNews:
    """A board that has changed. All its players get a letter, or `only` one player does."""

    row: BoardRow
    since: int  #: the length of its log before the change
    actor: Player | None = None  #: who changed it
    text: str = ""  #: the actor's text in addition to the board
    only: Player | None = None
    without: Player | None = None  #: who needs no letter about it, because another one says what it means
    quiet: bool = False  #: the actor gets another answer and needs no letter about this change
    #: the other players' texts in addition to the board, by player id
    news: Mapping[int, News] = field(default_factory=dict)

    @property
    def by_player(self) -> dict[int, News]:
        """The news by player id, the actor's first."""
        return all_news({self.actor.id: News(self.text, self.since)} if self.actor else {}, self.news)
