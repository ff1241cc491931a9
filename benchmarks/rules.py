"""How fast the rules are: random moves per second and core, for every game.

Run this when you change rules; `make bench`
measures servers.

The first column is legal_moves + apply + outcome. The second is load + parse + apply + outcome + dump: the cost of one
move by mail. The third is the same with the diagram. The ratio compares the second column with a baseline: the same
positions are read and written once as JSON, which every server has to do. The last columns say how fast the second one
should be at least, and whether it is. Only processor time counts, so other programs disturb little.

Each game is measured without options and with each option alone.

    python -m benchmarks.rules [seconds per measurement [key ...]]
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from pbmserv import games
from pbmserv.conformance.walks import Setup, setups
from pbmserv.games.base import AnyGame, Options
from pbmserv.games.base.board import Board, Start, begin
from pbmserv.letters.text.templates import Renderer
from pbmserv.rng import Rng

RENDERER = Renderer()
TARGET = 5_000  #: moves a second
#: Boards that may be slower: by key, with options or without them if the game has no entry for them.
TARGETS = {"amazons": 1_500, "chess": 3_000, "draughts -international": 3_000, "go": 1_500}
SMALLER = {"go -size=9": TARGET, "go -size=13": TARGET}


class Walk:
    """Random games, one after the other; each step is one move."""

    def __init__(self, game: AnyGame, options: Options, seats: int) -> None:
        self.game = game
        self.options, self.seats = options, seats
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
        return begin(Start(self.game, self.options, self.seats, f"bench{self.count}"))


def rate(walk: Walk, step: Callable[[], None], seconds: float) -> float:
    """Return the steps per second. The choice of the move is not timed."""
    walk.stored = walk.game.dump(walk.board.position)
    spent, steps = 0.0, 0
    while spent < seconds:
        walk.choose()
        began = time.process_time()
        step()
        spent += time.process_time() - began
        steps += 1
    return steps / spent


def target_of(key: str, options: str) -> int:
    """Return how many moves a second a board should do at least."""
    name = f"{key} {options}".strip()
    return SMALLER.get(name, TARGETS.get(name, TARGETS.get(key, TARGET)))


def boards(game: AnyGame) -> Iterator[Setup]:
    """Yield the setup without options, and those with one."""
    seen = set[tuple[tuple[str, str], ...]]()
    for setup in setups(game):
        if len(setup.options) <= 1 and setup.options not in seen:
            seen.add(setup.options)
            yield setup


def main() -> None:
    """Print the table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
    print(f"{'moves/s':26} {'rules':>8} {'fold':>8} {'+diagram':>8} {'json':>8} {'fold/json':>9} {'target':>7}")
    usual = (*games.listed(), *games.of_families()[::8])
    for game in map(games.find, sys.argv[2:]) if sys.argv[2:] else usual:
        for setup in boards(game):
            options = " ".join(f"-{name}={value}" if value else f"-{name}" for name, value in setup.options)
            walk = Walk(game, game.usual_options(dict(setup.options)), setup.seats)
            found = [rate(walk, step, seconds) for step in (walk.rules, walk.fold, walk.with_diagram, walk.json_only)]
            target = target_of(game.info.key, options)
            reached = "reached" if found[1] >= target else "MISSED"
            columns = " ".join(f"{x:8.0f}" for x in found)
            print(f"{f'{game.info.key} {options}':26} {columns} {found[1] / found[3]:9.3f} {target:7} {reached}")


if __name__ == "__main__":
    main()
