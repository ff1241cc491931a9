"""How well robots play: level against level and against random moves, and what a move costs.

    python -m benchmarks.robots [--games 100] [KEY ...]

Colours alternate. A board that is longer than MOST plies counts as a draw. Solitaires: the median of the scores. The
figures are written to ROBOTS.md beside this file if all games are measured.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.report import Sheet, machine
from pbmserv.games import all_games, find
from pbmserv.games.base import AnyGame
from pbmserv.rng import Rng
from pbmserv.robots.thinking import LEVELS, Problem, choose, key_of

RESULTS = Path(__file__).with_name("ROBOTS.md")
MOST = 600  #: plies of a board
RANDOM = 0  #: the level of a player who moves at random
PAIRS = ((1, RANDOM), *((level, level - 1) for level in LEVELS if level > 1))


class Played(NamedTuple):
    """A board that is over. `ranks` and `scores` by seat; `spent`: milliseconds, and `moves`, by seat."""

    ranks: Sequence[int]
    scores: Sequence[float]
    spent: Sequence[float]
    moves: Sequence[int]


def played(game: AnyGame, levels: Sequence[int], seed: str) -> Played:
    """Play a board between robots of these levels, by seat."""
    seats, options = len(levels), game.usual_options({})
    position: Any = game.setup(options, seats, Rng(seed, 0))
    luck = [Rng(f"{seed} {seat}", 0) for seat in range(seats)]
    spent, moves, past = [0.0] * seats, [0] * seats, set[Any]()
    for ply in range(1, MOST + 1):
        if outcome := game.outcome(position):
            return Played(outcome.ranks, outcome.scores, spent, moves)
        seat = min(game.to_move(position))
        began = process_time()
        move = _move(game, position, seat, levels, luck[seat], frozenset(past))
        spent[seat] += 1000 * (process_time() - began)
        moves[seat] += 1
        if not game.info.hidden:
            past.add(key_of(game, position))
        position = game.apply(position, seat, move, Rng(seed, ply)).position
    return Played((1,) * seats, game.scores(position) or (), spent, moves)


def _move(game: AnyGame, position: Any, seat: int, levels: Sequence[int], luck: Rng, past: frozenset[Any]) -> Any:
    if levels[seat] == RANDOM:
        return luck.choice(game.legal_moves(position, seat))
    problem = Problem(game, game.view(position, seat), game.usual_options({}), len(levels), past)
    return game.parse(position, seat, choose(problem, levels[seat], luck).text)


def _matches(game: AnyGame, games: int) -> Iterator[Sequence[str]]:
    """Yield a line for each pair of levels: won, drawn, lost, points in a hundred, Elo, milliseconds a move."""
    for level, other in PAIRS:
        won = drawn = 0
        spent, moves = 0.0, 0
        for number in range(games):
            mine = number % 2
            board = played(game, (level, other) if mine == 0 else (other, level), f"{game.info.key} {level} {number}")
            won += board.ranks[mine] < board.ranks[1 - mine]
            drawn += board.ranks[0] == board.ranks[1]
            spent, moves = spent + board.spent[mine], moves + board.moves[mine]
        share = (won + drawn / 2) / games
        elo = f"{-400 * math.log10(1 / share - 1):+.0f}" if 0 < share < 1 else "all" if share else "none"
        against = f"level {other}" if other else "random"
        figures = (f"{won}-{drawn}-{games - won - drawn}", f"{100 * share:.0f}", elo, f"{spent / max(moves, 1):.1f}")
        yield (game.info.name, f"level {level} to {against}", *figures)


def _alone(game: AnyGame, games: int) -> Iterator[Sequence[str]]:
    """Yield a line for each level: the median of the scores, and milliseconds a move."""
    for level in (RANDOM, *LEVELS):
        boards = [played(game, (level,), f"{game.info.key} {number}") for number in range(games)]
        cost = sum(b.spent[0] for b in boards) / max(sum(b.moves[0] for b in boards), 1)
        name = f"level {level}" if level else "random"
        yield game.info.name, name, f"{median(b.scores[0] for b in boards if b.scores):g}", f"{cost:.1f}"


def sheets(games: Sequence[AnyGame], count: int) -> Iterator[Sheet]:
    """The tables."""
    columns = ("game", "levels", "won-drawn-lost", "points of 100", "Elo", "ms a move")
    pairs = Sheet(f"Two players, {count} boards each", columns)
    for game in games:
        if 2 in game.info.seats:
            pairs.rows += _matches(game, count)
    nodes = ", ".join(f"{level}: {limit}" for level, limit in LEVELS.items())
    pairs.notes.append(f"Colours alternate. Positions that a level makes for a decision: {nodes}.")
    yield pairs
    alone = Sheet(f"Solitaires, {count} boards each", ("game", "level", "median of the scores", "ms a move"))
    for game in games:
        if game.info.seats == (1,):
            alone.rows += _alone(game, count)
    yield alone


def main() -> None:
    """Measure and print, and write the page if all games are measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="boards for each pair of levels")
    parser.add_argument("keys", nargs="*", metavar="KEY", help="only these games")
    asked = parser.parse_args()
    games = [find(key) for key in asked.keys] or all_games()
    shown = []
    for sheet in sheets(games, asked.games):
        sheet.show()
        shown.append(sheet)
    if not asked.keys:
        head = (
            f"# How well robots play\n\nWritten by `make bench-robots`, on {machine()}, {datetime.now(UTC).date()}.\n"
        )
        RESULTS.write_text("\n".join([head, *(sheet.markdown() for sheet in shown)]))


if __name__ == "__main__":
    main()
