"""Ways to start a board: open challenges (seeks), and invitations to addresses."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pbmserv.model.boards import LeftSeat, Settings
from pbmserv.model.players import Player
from pbmserv.model.rows import Json


@dataclass(frozen=True)
class Seek:
    """An open challenge: it becomes a board when `seats` players have joined.

    `rating`: the lowest and highest rating of players who may join. `random`: the seats are drawn by lot.
    `left`: the seat that it is for, if somebody left it; then the other players of that board have places here, too.
    `newcomer`: the id of the player who is asked to take that seat; None: anybody can.
    """

    number: int
    game: str
    options: dict[str, str]
    settings: Settings
    seats: int
    rating: tuple[int, int] | None
    random: bool
    created: datetime
    players: tuple[Player, ...]
    left: LeftSeat | None = None
    newcomer: int | None = None


class Invitation(NamedTuple):
    """An invitation to somebody without an account. `data`: the terms of the board. `used`: when it was answered."""

    id: int
    player_id: int
    address: str
    data: Json
    expires: datetime
    used: datetime | None
