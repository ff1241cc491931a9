"""How fast the rules are: random moves per second and core, for every game.

Run this when you change rules; `make bench`
measures servers.

The first column is legal_moves + apply + outcome. The second is load + parse + apply + outcome + dump: the cost of one
move by mail. The third is the same with the diagram. The ratio compares the second column with a baseline: the same
positions are read and written once as JSON, which every server has to do.

    python -m benchmarks.rules [seconds per measurement]
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from pbmserv import games
from pbmserv.games.base import AnyGame
from pbmserv.games.base.board import Board, Start, begin
from pbmserv.letters.text.templates import Renderer
from pbmserv.rng import Rng

RENDERER = Renderer()


class Walk:
    """Random games, one after the other; each step is one move."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.count = 0
        self.text = ""
        self.board = self._begin()
        self.stored = game.dump(self.board.position)

    def choose(self) -> None:
        """Return the text of the next random move."""
        seat = min(self.game.to_move(self.board.position))
        moves = self.game.legal_moves(self.board.position, seat)
        self.text = self.game.format(moves[Rng("pick", self.count).randrange(len(moves))])

    def rules(self) -> None:
        """Run legal_moves, apply and outcome."""
        seat = min(self.game.to_move(self.board.position))
        moves = self.game.legal_moves(self.board.position, seat)
        move = moves[Rng("pick", self.count).randrange(len(moves))]
        self._go(self.game.apply(self.board.position, seat, move, Rng("bench", self.count)).position)

    def fold(self) -> None:
        """Run load, parse, apply, outcome and dump."""
        position = self.game.load(self.stored)
        seat = min(self.game.to_move(position))
        move = self.game.parse(position, seat, self.text)
        self._go(self.game.apply(position, seat, move, Rng("bench", self.count)).position)
        self.stored = self.game.dump(self.board.position)

    def with_diagram(self) -> None:
        """Run the fold, and draw the diagram of a letter."""
        self.fold()
        RENDERER.diagram(self.game, self.game.view(self.board.position, None))

    def json_only(self) -> None:
        """Run the baseline: read and write the stored position as plain JSON."""
        json.dumps(json.loads(self.stored))

    def _go(self, position: Any) -> None:
        self.count += 1
        over = self.game.outcome(position)
        self.board = self._begin() if over else Board(self.board.start, position)

    def _begin(self) -> Board:
        return begin(Start(self.game, {}, self.game.info.seats[0], f"bench{self.count}"))


def rate(walk: Walk, step: Callable[[], None], seconds: float) -> float:
    """Return the steps per second. The choice of the move is not timed."""
    walk.stored = walk.game.dump(walk.board.position)
    spent, steps = 0.0, 0
    while spent < seconds:
        walk.choose()
        began = time.perf_counter()
        step()
        spent += time.perf_counter() - began
        steps += 1
    return steps / spent


def main() -> None:
    """Print the table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print(f"{'moves/s':12} {'rules':>9} {'fold':>9} {'+diagram':>9} {'json':>9} {'fold/json':>10}")
    for game in games.all_games():
        walk = Walk(game)
        found = [rate(walk, step, seconds) for step in (walk.rules, walk.fold, walk.with_diagram, walk.json_only)]
        print(f"{game.info.key:12} " + " ".join(f"{x:9.0f}" for x in found) + f" {found[1] / found[3]:10.3f}")


if __name__ == "__main__":
    main()
