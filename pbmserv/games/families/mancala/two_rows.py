"""Mancala games with two rows of pits for each player, who sows around the own rows only.

Each player's pits are numbered as that player sees them: the front row from the left, then the back row from the right.
Here `own` and `theirs` are the pits of who is to move and of the other one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbmserv.games.base import Seat
from pbmserv.games.families.mancala.mancala_row import MOST_LAPS, Move, Position, Sowing, Turn

HOUSE = 4  #: the pit of the house, in the front row
_FULL = 6  #: seeds of a house with its rights
_MOST = 15  #: seeds of a pit from which a capture may begin
_TAX = 2  #: seeds that a house gives if nothing else can be sown


@dataclass
class _Hands:
    """A turn that goes on. `house`, `theirs_house`: whether houses are still owned. `asked`: it came to its house."""

    own: list[int]
    theirs: list[int]
    house: bool
    theirs_house: bool
    captured: int = 0
    asked: bool = False
    endless: bool = False


class TwoRows:
    """The rules of a row."""

    def __init__(self, row: Sowing) -> None:
        self.row, self.width, self.around = row, row.width, 2 * row.width
        front, back = list(range(self.width)), list(range(self.around - 1, self.width - 1, -1))
        north = [[pit + self.around for pit in reversed(side)] for side in (back, front)]
        self.drawn = (*north, front, back)  #: the pits of each row, from the top
        named = ((f"{chr(97 + x)}{4 - y}", pit) for y, pits in enumerate(self.drawn) for x, pit in enumerate(pits))
        self._pits = dict(named)
        self._names = {pit: name for name, pit in self._pits.items()}

    def start(self, lay: str) -> Position:
        stock = self.row.stock
        houses = (HOUSE, self.around + HOUSE) if stock else (-1, -1)
        return Position(tuple(map(int, lay + lay)), (stock, stock), 0, houses)

    def name(self, pit: int) -> str:
        return self._names[pit]

    def pit_of(self, text: str, seat: Seat) -> int:
        return self._pits[text[:2]]

    def _sides(self, position: Position) -> tuple[list[int], list[int]]:
        south, north = list(position.pits[: self.around]), list(position.pits[self.around :])
        return (south, north) if position.turn == 0 else (north, south)

    def legal(self, position: Position) -> list[Move]:
        sides, shift = self._sides(position), position.turn * self.around
        captures = list(self._captures(position, *sides))
        local = captures or self._quiet(position, sides[0])
        moves = [Move(pit + shift, first + shift, way) for pit, first, way in local]
        if captures and position.marked[position.turn] >= 0:
            moves += [move._replace(safari=True) for move in moves if self._played(position, move, True).asked]
        return moves

    def _captures(self, position: Position, own: list[int], theirs: list[int]) -> Iterator[tuple[int, int, int]]:
        """Yield the moves that begin with a capture, if these go before all others: pit, first pit and way."""
        entering = position.stores[position.turn] > 0
        for pit in range(self.around * self.row.head):
            for way in (1, -1):
                if self._is_capture(entering, own, theirs, pit, way):
                    first, onward = self._onward(pit, way) if entering else ((pit + way) % self.around, way)
                    if onward == way:
                        yield pit, first, way

    def _is_capture(self, entering: bool, own: list[int], theirs: list[int], pit: int, way: int) -> bool:
        """Return whether a turn begins with a capture: by the seed that is entered, or by the last of those sown."""
        if entering:
            return own[pit] > 0 and self._faces(theirs, pit) > 0
        end = (pit + way * own[pit]) % self.around
        return 2 <= own[pit] <= _MOST and own[end] > 0 and self._faces(theirs, end) > 0

    def _faces(self, theirs: list[int], pit: int) -> int:
        """Return how many seeds stand before a pit of the front row."""
        return theirs[self.width - 1 - pit] if pit < self.width else 0

    def _quiet(self, position: Position, own: list[int]) -> Iterator[tuple[int, int, int]]:
        """Yield the moves that do not begin with a capture, or all if captures need not go before them."""
        if not self.row.both_ways:
            yield from ((pit, pit, -1) for pit, seeds in enumerate(own) if seeds > 1)
            return
        front = [pit for pit in range(self.width) if own[pit]]
        for pit in self._sown(position, own, front):
            for way in (1, -1):
                first = (pit + way) % self.around
                if front != [pit] or first < self.width:  # the front row must not be emptied
                    yield pit, first, way

    def _sown(self, position: Position, own: list[int], front: list[int]) -> list[int]:
        """Return the pits from which a turn without a capture may begin."""
        several = [pit for pit in front if own[pit] > 1 and pit + position.turn * self.around != position.barred]
        if not position.stores[position.turn]:
            return several or [pit for pit in range(self.width, self.around) if own[pit] > 1]
        if self._has_house(position, own):
            return [pit for pit in front if pit != HOUSE] or [HOUSE]
        return several or front

    def _has_house(self, position: Position, own: list[int]) -> bool:
        return position.marked[position.turn] >= 0 and own[HOUSE] >= _FULL

    def _played(self, position: Position, move: Move, captures: bool) -> _Hands:
        """Return what a turn leads to; `captures`: it begins with a capture, or need not to go on capturing."""
        seat, (own, theirs) = position.turn, self._sides(position)
        hands = _Hands(own, theirs, position.marked[seat] >= 0, position.marked[1 - seat] >= 0)
        pit, way, first = move.pit % self.around, move.way, (move.pit + move.way) % self.around
        if position.stores[seat]:
            own[pit] += 1
        if position.stores[seat] and captures:
            seeds, first = self._take(hands, pit), move.first % self.around
        else:
            taxed = position.stores[seat] and pit == HOUSE and hands.house and own[HOUSE] > _FULL
            seeds = _TAX if taxed else own[pit]
            hands.house = hands.house and (bool(taxed) or pit != HOUSE)
            own[pit] -= seeds
        self._go_on(hands, seeds, first, way, captures, move.safari)
        return hands

    def _go_on(self, hands: _Hands, seeds: int, first: int, way: int, captures: bool, safari: bool) -> None:
        """Sow, and sow again what was captured or stands in the pit of the last seed, as long as it goes."""
        own = hands.own
        for _ in range(MOST_LAPS):
            for step in range(seeds):
                own[(first + way * step) % self.around] += 1
            last = (first + way * (seeds - 1)) % self.around
            is_capture = captures and self._faces(hands.theirs, last) > 0
            is_won = self.row.front and not any(hands.theirs[: self.width])
            if own[last] == 1 or is_won:
                return
            if last == HOUSE and hands.house and not is_capture:
                if own[HOUSE] >= _FULL and not (captures and safari):
                    hands.asked = captures
                    return
                hands.house = False
            if is_capture:
                seeds, (first, way) = self._take(hands, last), self._onward(last, way)
            else:
                seeds, own[last], first = own[last], 0, (last + way) % self.around
        hands.endless = True
        own[last] += seeds

    def _onward(self, last: int, way: int) -> tuple[int, int]:
        """Return where captured seeds are sown, and in which way: near an end of the front row always from there."""
        if not self.row.head:
            return (last + way) % self.around, way
        way = 1 if last < 2 else -1 if last >= self.width - 2 else way
        return 0 if way == 1 else self.width - 1, way

    def _take(self, hands: _Hands, pit: int) -> int:
        """Take the seeds that stand before a pit of the front row; without heads those of the back row, too."""
        facing = self.width - 1 - pit
        pits = (facing,) if self.row.head else (facing, self.width + pit)
        seeds = sum(hands.theirs[there] for there in pits)
        for there in pits:
            hands.theirs[there] = 0
        if facing == HOUSE:
            hands.theirs_house = False
        hands.captured += seeds
        return seeds

    def after(self, position: Position, move: Move) -> Turn:
        seat, entering = position.turn, position.stores[position.turn] > 0
        pit, way = move.pit % self.around, move.way
        is_capture = not self.row.head or self._is_capture(entering, *self._sides(position), pit, way)
        hands = self._played(position, move, is_capture)
        sides, owned = (hands.own, hands.theirs), (hands.house, hands.theirs_house)
        stores = list(position.stores)
        stores[seat] -= entering
        marked = (HOUSE if owned[seat] else -1, HOUSE + self.around if owned[1 - seat] else -1)
        then = Position((*sides[seat], *sides[1 - seat]), (stores[0], stores[1]), 1 - seat, marked)
        if self.row.head and not is_capture and not entering:
            then = self._with_barred(then)
        return Turn(self._ended(then), hands.captured, hands.endless)

    def _with_barred(self, position: Position) -> Position:
        """Return a position after a turn without captures: an only pit that is now threatened may not be played."""
        seat, (theirs, own) = position.turn, self._sides(position)
        threats = {
            self.width - 1 - (pit + way * seeds) % self.around
            for pit, seeds in enumerate(own)
            for way in (1, -1)
            if self._is_capture(False, own, theirs, pit, way)
        }
        front = [pit for pit in range(self.width) if theirs[pit]]
        several = [pit for pit in front if theirs[pit] > 1]
        if len(threats) != 1 or threats in ({front[0]} if len(front) == 1 else set(), set(several)):
            return position
        (pit,) = threats
        if pit == HOUSE and self._has_house(position, theirs):
            return position
        return replace(position, barred=pit + seat * self.around)

    def _ended(self, position: Position) -> Position:
        own, theirs = self._sides(position)
        turn = position.turn
        if self.row.front and not any(own[: self.width]):
            reason = "front"
        elif self.row.front and not any(theirs[: self.width]):
            reason, turn = "front", 1 - turn
        elif not self.legal(position):
            reason = "nomove"
        else:
            return position
        return replace(position, turn=turn, barred=-1, ended=reason)

    def obstacle(self, position: Position, pit: int) -> str:
        (own, theirs), shift = self._sides(position), position.turn * self.around
        entering = position.stores[position.turn] > 0
        if not 0 <= pit - shift < self.around:
            return f"the pit {self.name(pit)} is not yours"
        if any(self._captures(position, own, theirs)):
            return "you can capture, so you have to"
        if entering and (pit - shift >= self.width or not own[pit - shift]):
            return "a seed is entered in a pit with seeds of your front row"
        if not entering and own[pit - shift] < 2:
            return f"there are fewer than two seeds in {self.name(pit)}"
        if pit == position.barred:
            return f"{self.name(pit)} is takasia, so no takasa may begin there"
        if pit - shift == HOUSE and entering and self._has_house(position, own):
            return "your house is not sown while another pit of the front row has seeds"
        return (
            "another pit or direction goes first" if self.row.both_ways else "name the pit alone, without another one"
        )
