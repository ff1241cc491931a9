"""Tafl a second time, sentence by sentence from the rules, with men in a dict by column and row.

It shares nothing with the engine. `game`: brandubh, tablut or hnefatafl.
"""

Square = tuple[int, int]
Men = dict[Square, str]  #: "A" attacks, "D" defends, "K" is the king

_BOARDS = {
    "brandubh": "...A... ...A... ...D... AADKDAA ...D... ...A... ...A...",
    "tablut": "...AAA... ....A.... ....D.... A...D...A AADDKDDAA A...D...A ....D.... ....A.... ...AAA...",
    "hnefatafl": "...AAAAA... .....A..... ........... A....D....A A...DDD...A AA.DDKDD.AA "
    "A...DDD...A A....D....A ........... .....A..... ...AAAAA...",
}


class TaflInWords:
    """A game that is being played. `men` and `to_move` ("A" or "D") can be set to any position."""

    def __init__(self, game: str) -> None:
        rows = _BOARDS[game].split()
        self.game, self.size = game, len(rows)
        self.men: Men = {(x, -y): m for y, row in enumerate(rows, 1 - len(rows)) for x, m in enumerate(row) if m != "."}
        self.to_move, self.end = "A", ""
        last = self.size - 1
        self.throne = (last // 2, last // 2)
        self.corners = set() if game == "tablut" else {(0, 0), (0, last), (last, 0), (last, last)}

    def _on_board(self, square: Square) -> bool:
        return all(0 <= part < self.size for part in square)

    def _around(self, square: Square) -> list[Square]:
        return [(square[0] + x, square[1] + y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]

    def _may_enter(self, square: Square, man: str) -> bool:
        """Only the king stops on the throne or a corner; in tablut nobody comes to the throne again."""
        if self.game == "tablut":
            return square != self.throne
        return man == "K" or square not in self.corners | {self.throne}

    def _may_cross(self, square: Square) -> bool:
        return self._on_board(square) and square not in self.men and (self.game != "tablut" or square != self.throne)

    def moves(self) -> set[tuple[Square, Square]]:
        """Return the moves of whose turn it is."""
        moves = set()
        for (x, y), man in self.men.items():
            if ("A" if man == "A" else "D") != self.to_move:
                continue
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                there = (x + dx, y + dy)
                while self._may_cross(there):
                    if self._may_enter(there, man):
                        moves.add(((x, y), there))
                    there = (there[0] + dx, there[1] + dy)
        return moves

    def _is_hostile(self, square: Square, side: str) -> bool:
        """Return whether a square helps this side to capture: a man of it, or an empty throne or corner."""
        man = self.men.get(square)
        if man:
            is_pin = self.game == "tablut" and side == "A" and square == self.throne and man == "K"
            if is_pin and [self.men.get(s) for s in self._around(square)].count("A") == 3:
                return True
            return (man == "A") == (side == "A")
        return square == self.throne or square in self.corners

    def _is_taken(self, victim: Square, mover: Square, side: str) -> bool:
        opposite = (2 * victim[0] - mover[0], 2 * victim[1] - mover[1])
        by_throne = victim == self.throne or self.throne in self._around(victim)
        if self.men[victim] == "K" and (self.game == "hnefatafl" or by_throne):
            return all(self.men.get(s) == "A" or (s == self.throne and s not in self.men) for s in self._around(victim))
        return self._on_board(opposite) and self._is_hostile(opposite, side)

    def move(self, source: Square, target: Square) -> None:
        """Make a move, and see whether the game is over."""
        man = self.men[target] = self.men.pop(source)
        side = self.to_move
        enemies = [s for s in self._around(target) if s in self.men and (self.men[s] == "A") != (side == "A")]
        for victim in [s for s in enemies if self._is_taken(s, target, side)]:
            del self.men[victim]
        self.to_move = "D" if side == "A" else "A"
        edge = {0, self.size - 1}
        if "K" not in self.men.values():
            self.end = "captured"
        elif man == "K" and (target in self.corners or (self.game == "tablut" and edge & {*target})):
            self.end = "escaped"
        elif side == "A" and self.game == "hnefatafl" and not self._reach() & self._edge():
            self.end = "encircled"
        elif not self.moves():
            self.end = "nomove"

    def _edge(self) -> set[Square]:
        return {(x, y) for x in range(self.size) for y in range(self.size) if {x, y} & {0, self.size - 1}}

    def _reach(self) -> set[Square]:
        """Return where the king's men are, and where they could walk step by step if the attackers stood still."""
        reached = {s for s, man in self.men.items() if man != "A"}
        while True:
            more = {n for s in reached for n in self._around(s) if self._on_board(n) and self.men.get(n) != "A"}
            if more <= reached:
                return reached
            reached |= more
