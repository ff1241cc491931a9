"""Mancala games with one row of pits for each player, around which all sow against the clock."""

from dataclasses import replace

from pbmserv.games.base import Seat
from pbmserv.games.families.mancala.mancala_row import MOST_LAPS, Move, Position, Sowing, Turn


class OneRow:
    """The rules of a row. While seeds are sown, holes are the pits and behind them the two stores."""

    def __init__(self, row: Sowing) -> None:
        self.row, self.width = row, row.width
        self.sides = (range(self.width), range(self.width, 2 * self.width))
        self.drawn = (self.sides[1][::-1], self.sides[0])  #: the pits of each row, from the top
        self._follows = (self._followers(0), self._followers(1))

    def _followers(self, seat: Seat) -> list[int]:
        """Return for each hole the one into which the next seed falls when a seat sows."""
        around, store = 2 * self.width, 2 * self.width + seat
        follows = [(pit + 1) % around for pit in range(around)] + [self.width, 0]
        if self.row.through_store:
            follows[self.sides[seat][-1]] = store
        return follows

    def start(self, lay: str) -> Position:
        return Position(tuple(map(int, lay + lay)))

    def name(self, pit: int) -> str:
        return chr(97 + pit)

    def pit_of(self, text: str, seat: Seat) -> int:
        pit = ord(text) - 97
        return pit + self.width if seat and pit < self.width else pit

    def legal(self, position: Position) -> list[Move]:
        moves = [Move(pit) for pit in self.sides[position.turn] if position.pits[pit]]
        others = self.sides[1 - position.turn]
        if not self.row.feeds or any(position.pits[pit] for pit in others):
            return moves
        return [move for move in moves if any(self._played(position, move)[0][pit] for pit in others)]

    def _played(self, position: Position, move: Move) -> tuple[list[int], int, bool]:
        """Return the holes after sowing, the hole of the last seed, and whether it would never end."""
        holes, last = [*position.pits, *position.stores], move.pit
        for _ in range(MOST_LAPS):
            last = self._sow(holes, last, position)
            if not self.row.relay or last >= 2 * self.width or holes[last] == 1:
                return holes, last, False
        return holes, last, True

    def _sow(self, holes: list[int], start: int, position: Position) -> int:
        """Sow the seeds of a pit, and return the hole of the last one."""
        follows, place, hand = self._follows[position.turn], start, holes[start]
        holes[start] = int(self.row.stays and hand > 1)
        hand -= holes[start]
        while hand:
            place = follows[place]
            if place == start and self.row.skips:
                continue
            owned = place in position.marked
            holes[2 * self.width + position.marked.index(place) if owned else place] += 1
            hand -= 1
        return place

    def after(self, position: Position, move: Move) -> Turn:
        holes, last, endless = self._played(position, move)
        seat, marked = position.turn, list(position.marked)
        taken = self._taken(holes, last, seat)
        if self._is_tuzdyk(holes, last, position):
            taken, marked[seat] = [last], last
        captured = sum(holes[pit] for pit in taken)
        for pit in taken:
            holes[pit] = 0
        holes[2 * self.width + seat] += captured
        turn = seat if last >= 2 * self.width else 1 - seat
        then = Position(tuple(holes[:-2]), (holes[-2], holes[-1]), turn, (marked[0], marked[1]))
        then, missed = self._ended(then)
        return Turn(then, captured, endless, missed)

    def _is_tuzdyk(self, holes: list[int], last: int, position: Position) -> bool:
        """Return whether the last seed makes a pit the player's own: not the last pit, nor that opposite number."""
        own, theirs = position.marked[position.turn], position.marked[1 - position.turn]
        others, is_same = self.sides[1 - position.turn], theirs >= 0 and theirs % self.width == last % self.width
        return self.row.tuzdyk and holes[last] == 3 and last in others[:-1] and own < 0 and not is_same

    def _taken(self, holes: list[int], last: int, seat: Seat) -> list[int]:
        """Return the pits that the last seed captures."""
        row, across = self.row, 2 * self.width - 1 - last
        if last in self.sides[1 - seat]:
            return [last] * (row.even and holes[last] % 2 == 0)
        if row.opposite and last in self.sides[seat] and holes[last] == 1 and holes[across]:
            return [across] + [last] * row.with_last
        return []

    def _ended(self, position: Position) -> tuple[Position, tuple[Seat, ...]]:
        """Return the position, with its ending if it is one, and who misses a turn."""
        row, stores, turn = self.row, position.stores, position.turn
        left = [sum(position.pits[pit] for pit in side) for side in self.sides]
        total = sum(left) + sum(stores)
        if row.half and (2 * max(stores) > total or not any(left)):
            return replace(position, ended="half" if 2 * max(stores) > total else "equal"), ()
        if row.early and not all(left):
            return self._shared(position, left, "empty"), ()
        if self.legal(position):
            return position, ()
        if row.passes and any(left):
            return replace(position, turn=1 - turn), (turn,)
        return self._shared(position, left, "nomove"), ()

    def _shared(self, position: Position, left: list[int], reason: str) -> Position:
        """Return the last position, in which the seeds that are left have gone into the stores."""
        if self.row.finisher_takes:
            left = left[::-1]
        stores = (position.stores[0] + left[0], position.stores[1] + left[1])
        return replace(position, pits=(0,) * len(position.pits), stores=stores, ended=reason)

    def obstacle(self, position: Position, pit: int) -> str:
        if pit not in self.sides[position.turn]:
            first, last = (self.name(self.sides[position.turn][end]).upper() for end in (0, -1))
            return f"the pits {first} to {last} are yours"
        if not position.pits[pit]:
            return f"there are no seeds in pit {self.name(pit).upper()}"
        return "your opponent has no seeds, and this move would give none"
