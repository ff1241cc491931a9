"""A game as a row of data: what the rows of all families say, and the game that is made of one (ADR 124)."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, TypeVar, cast

from pbmserv.games.base import Game, Info

G = TypeVar("G", bound=Game[Any, Any])


@dataclass(frozen=True, eq=False, repr=False)
class GameRow:
    """What people read of a game, as in `Info`. What each row of a family says besides stands in its class."""

    key: str
    name: str
    summary: str
    _: KW_ONLY
    credit: str
    aliases: tuple[str, ...] = ()
    family: str = ""
    page: str = ""
    kind: ClassVar[str] = "capture"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.key!r})"

    @property
    def told(self) -> Mapping[str, Any]:
        """What people read of it."""
        names = ("key", "name", "summary", "credit", "aliases", "family", "page", "kind")
        return {name: getattr(self, name) for name in names}

    def info(self, *, seats: tuple[int, ...] = (2,), **facts: Any) -> Info:
        """Return all facts of the game. `facts`: those of its rules."""
        return Info(**self.told, seats=seats, **facts)

    def game(self, base: type[G], info: Info, **facts: object) -> G:
        """Return the game. Its class has the row's name. `facts`: other attributes of it."""
        made = type(self.key, (base,), {"__module__": base.__module__, "row": self, "info": info, **facts})
        return cast("G", made())
