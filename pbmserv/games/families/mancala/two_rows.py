"""Mancala games with two rows of pits for each player, who sows around the own rows only.

Each player's pits are numbered as that player sees them: the front row from the left, then the back row from the right.
Here `mine` and `theirs` are the pits of who is to move and of the other one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbmserv.games.families.mancala.mancala_row import MOST_LAPS, Move, Position, Sowing, Turn

HOUSE = 4  #: the pit of the house, in the front row
_FULL = 6  #: seeds of a house with its rights
_MOST = 15  #: seeds of a pit from which a capture may begin
_TAX = 2  #: seeds that a house gives if nothing else can be sown


@dataclass
class _Hands:
    """A turn that goes on. `house`, `theirs_house`: whether houses are still owned. `asked`: it came to its house."""

    mine: list[int]
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
        self._names = {
            pit: f"{chr(97 + column)}{4 - row}"
            for row, pits in enumerate(self.drawn)
            for column, pit in enumerate(pits)
        }

    def start(self, lay: str) -> Position:
        stock = self.row.stock
        houses = (HOUSE, self.around + HOUSE) if stock else (-1, -1)
        return Position(tuple(map(int, lay + lay)), (stock, stock), 0, houses)

    def name(self, pit: int) -> str:
        return self._names[pit]

    def _sides(self, position: Position) -> tuple[list[int], list[int]]:
        south, north = list(position.pits[: self.around]), list(position.pits[self.around :])
        return (south, north) if position.turn == 0 else (north, south)

    def legal(self, position: Position) -> list[Move]:
        return self.captures(position) or list(self._quiet(position))

    def captures(self, position: Position) -> list[Move]:
        """Return the moves that begin with a capture, where they go before all others."""
        entering, (mine, theirs) = position.stores[position.turn] > 0, self._sides(position)
        moves = list[Move]()
        for pit in range(self.around * self.row.head):
            ways = [way for way in (1, -1) if self._captures(mine, theirs, entering, pit, way)]
            if entering and ways:
                moves += (Move(pit, first, way) for first, way in self._heads(pit))
            else:
                moves += (self._step(pit, way) for way in ways)
        return list(self._numbered(position, moves))

    def _captures(self, mine: list[int], theirs: list[int], entering: bool, pit: int, way: int) -> bool:
        """Return whether a turn begins with a capture: by the seed that is entered, or by the last of those sown."""
        if entering:
            return mine[pit] > 0 and self._faces(theirs, pit) > 0
        end = (pit + way * mine[pit]) % self.around
        return 2 <= mine[pit] <= _MOST and mine[end] > 0 and self._faces(theirs, end) > 0

    def _numbered(self, position: Position, moves: list[Move]) -> Iterator[Move]:
        """Yield moves with the numbers of pits on the whole board, and both ways to treat the house."""
        shift = position.turn * self.around
        for pit, first, way, _ in moves:
            move = Move(pit + shift, first + shift if first >= 0 else -1, way)
            yield move
            if position.marked[position.turn] >= 0 and self._played(position, move, True).asked:
                yield move._replace(safari=True)

    def _step(self, pit: int, way: int) -> Move:
        return Move(pit, (pit + way) % self.around, way)

    def _faces(self, theirs: list[int], pit: int) -> int:
        """Return how many seeds stand before a pit of the front row."""
        return theirs[self.width - 1 - pit] if pit < self.width else 0

    def _heads(self, pit: int) -> list[tuple[int, int]]:
        """Return the ends of the front row, with their ways, from which seeds captured at a pit can be sown."""
        ends = [(0, 1), (self.width - 1, -1)]
        return ends[:1] if pit < 2 else ends[1:] if pit >= self.width - 2 else ends

    def _quiet(self, position: Position) -> Iterator[Move]:
        """Yield the moves that do not begin with a capture, or all if captures need not go before them."""
        mine, _ = self._sides(position)
        shift = position.turn * self.around
        if not self.row.both_ways:
            yield from (Move(pit + shift, way=-1) for pit, seeds in enumerate(mine) if seeds > 1)
            return
        front = [pit for pit in range(self.width) if mine[pit]]
        for pit in self._sown(position, mine, front):
            for way in (1, -1):
                step = self._step(pit, way)
                if front != [pit] or step.first < self.width:  # the front row must not be emptied
                    yield Move(pit + shift, step.first + shift, way)

    def _sown(self, position: Position, mine: list[int], front: list[int]) -> list[int]:
        """Return the pits from which a turn without a capture may begin."""
        several = [pit for pit in front if mine[pit] > 1 and pit + position.turn * self.around != position.barred]
        if not position.stores[position.turn]:
            return several or [pit for pit in range(self.width, self.around) if mine[pit] > 1]
        if self._has_house(position, mine):
            return [pit for pit in front if pit != HOUSE] or [HOUSE]
        return several or front

    def _has_house(self, position: Position, mine: list[int]) -> bool:
        return position.marked[position.turn] >= 0 and mine[HOUSE] >= _FULL

    def _played(self, position: Position, move: Move, captures: bool) -> _Hands:
        """Return what a turn leads to; `captures`: it begins with a capture, or need not to go on capturing."""
        seat, (mine, theirs) = position.turn, self._sides(position)
        hands = _Hands(mine, theirs, position.marked[seat] >= 0, position.marked[1 - seat] >= 0)
        pit, way, first = move.pit % self.around, move.way, (move.pit + move.way) % self.around
        if position.stores[seat]:
            mine[pit] += 1
        if position.stores[seat] and captures:
            seeds, first = self._take(hands, pit), move.first % self.around
        else:
            taxed = position.stores[seat] and pit == HOUSE and hands.house and mine[HOUSE] > _FULL
            seeds = _TAX if taxed else mine[pit]
            hands.house = hands.house and (bool(taxed) or pit != HOUSE)
            mine[pit] -= seeds
        self._go_on(hands, seeds, first, way, captures, move.safari)
        return hands

    def _go_on(self, hands: _Hands, seeds: int, first: int, way: int, captures: bool, safari: bool) -> None:
        """Sow, and sow again what was captured or stands in the pit of the last seed, as long as it goes."""
        mine = hands.mine
        for _ in range(MOST_LAPS):
            for step in range(seeds):
                mine[(first + way * step) % self.around] += 1
            last = (first + way * (seeds - 1)) % self.around
            is_capture = captures and self._faces(hands.theirs, last) > 0
            if mine[last] == 1 or not any(hands.theirs[: self.width]):
                return
            if last == HOUSE and hands.house and not is_capture:
                if mine[HOUSE] >= _FULL and not (captures and safari):
                    hands.asked = captures
                    return
                hands.house = False
            if is_capture:
                seeds, (first, way) = self._take(hands, last), self._onward(last, way)
            else:
                seeds, mine[last], first = mine[last], 0, (last + way) % self.around
        hands.endless = True
        mine[last] += seeds

    def _onward(self, last: int, way: int) -> tuple[int, int]:
        """Return where captured seeds are sown, and in which way."""
        if not self.row.head:
            return (last + way) % self.around, way
        heads = self._heads(last)
        return heads[0] if len(heads) == 1 or way == 1 else heads[1]

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
        pit = move.pit % self.around
        is_capture = not self.row.head or self._captures(*self._sides(position), entering, pit, move.way)
        hands = self._played(position, move, is_capture)
        sides, owned = (hands.mine, hands.theirs), (hands.house, hands.theirs_house)
        stores = list(position.stores)
        stores[seat] -= entering
        marked = (HOUSE if owned[seat] else -1, HOUSE + self.around if owned[1 - seat] else -1)
        then = Position((*sides[seat], *sides[1 - seat]), (stores[0], stores[1]), 1 - seat, marked)
        if self.row.head and not is_capture and not entering:
            then = self._with_barred(then)
        return Turn(self._ended(then), hands.captured, hands.endless)

    def _with_barred(self, position: Position) -> Position:
        """Return a position after a turn without captures: an only pit that is now threatened may not be played."""
        seat, (theirs, mine) = position.turn, self._sides(position)
        threats = {
            self.width - 1 - (pit + way * seeds) % self.around
            for pit, seeds in enumerate(mine)
            for way in (1, -1)
            if self._captures(mine, theirs, False, pit, way)
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
        mine, theirs = self._sides(position)
        turn = position.turn
        if self.row.front and not any(mine[: self.width]):
            reason = "front"
        elif self.row.front and not any(theirs[: self.width]):
            reason, turn = "front", 1 - turn
        elif not self.legal(position):
            reason = "nomove"
        else:
            return position
        return replace(position, turn=turn, barred=-1, ended=reason)

    def obstacle(self, position: Position, pit: int) -> str:
        mine, shift = self._sides(position)[0], position.turn * self.around
        entering = position.stores[position.turn] > 0
        if not 0 <= pit - shift < self.around:
            return f"the pit {self.name(pit)} is not yours"
        if self.captures(position):
            return "you can capture, so you have to"
        if entering and (pit - shift >= self.width or not mine[pit - shift]):
            return "a seed is entered in a pit with seeds of your front row"
        if not entering and mine[pit - shift] < 2:
            return f"there are fewer than two seeds in {self.name(pit)}"
        if pit == position.barred:
            return f"{self.name(pit)} is takasia, so no turn may begin there"
        if pit - shift == HOUSE and entering and self._has_house(position, mine):
            return "your house is not sown while another pit of the front row has seeds"
        return "another pit or direction goes first"
