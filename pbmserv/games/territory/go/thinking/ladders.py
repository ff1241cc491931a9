"""Ladders: whether a chain that is in atari gets away, or one with two liberties can be caught."""

from pbmserv.games.territory.go.thinking.field import Field, each
from pbmserv.games.territory.go.thinking.playout import ways_out

_MOST = 80  #: stones that are put down to read one ladder; what needs more is thought to get away
_SAFE = 3  #: liberties of a chain that is not chased any more


class LadderReading:
    """One reading. `stones`: how many were put down."""

    __slots__ = ("stones",)

    def __init__(self) -> None:
        self.stones = 0

    def is_caught(self, field: Field, stone: int) -> bool:
        """Return whether the chain of a stone, which is in atari and moves now, is taken whatever it does."""
        seat = field.owner[stone]
        return not any(self.gets_away(field, stone, point) for point in ways_out(field, seat, field.head[stone]))

    def catches(self, field: Field, stone: int, liberty: int) -> bool:
        """Return whether the enemy catches the chain of a stone, which has two liberties, by a move on one of them."""
        enemy = 1 - field.owner[stone]
        if self.stones >= _MOST or not field.may(enemy, liberty):
            return False
        after = field.copy()
        after.put(enemy, liberty)
        self.stones += 1
        return self.is_caught(after, stone)

    def gets_away(self, field: Field, stone: int, point: int) -> bool:
        """Return whether the chain of a stone, which is in atari, is not taken after its move on this point."""
        seat = field.owner[stone]
        if not field.may(seat, point):
            return False
        after = field.copy()
        after.put(seat, point)
        self.stones += 1
        liberties = after.liberties[after.head[stone]]
        if liberties.bit_count() >= _SAFE:
            return True
        is_chased = liberties & liberties - 1
        return bool(is_chased) and not any(self.catches(after, stone, liberty) for liberty in each(liberties))
