"""How well robots play: level against level and against random moves, and what a move costs.

    python -m benchmarks.robots [--games 100] [--workers 2] [KEY ...]

Colours alternate. A draw that can be claimed is claimed by a level that is not better, as on boards with robots, and a
position that stands for the fifth time is a draw. After MOST plies the
points count that the board shows, if the game has any, else it is a draw. Solitaires: the median of the scores.
Here the weakest level of each game is 1, whatever its number is to others (`Info.lowest_level`).
In games where two levels would play the same few boards again, boards begin with some moves at random, and each
beginning is played with both colours.

It takes hours, so what has been played is kept in robots.jsonl beside this file, a line for each pair of levels, and
not played again. A board is the same wherever it is played, so the first board of each pair is played again: if it went
another way, the kept ones are of other robots, and are forgotten. ROBOTS.md is written from all that is kept,
here, by `benchmarks.gnugo` and by `benchmarks.scale`.
"""

import argparse
import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks import gnugo, scale
from benchmarks.backgammon import errors
from benchmarks.report import Sheet, machine
from pbmserv.boards.with_robots import REPETITION
from pbmserv.games import all_games, find, listed
from pbmserv.games.base import AnyGame
from pbmserv.rng import Rng
from pbmserv.robots.levels import levels
from pbmserv.robots.manners import EVEN
from pbmserv.robots.thinking import Problem, choose, key_of

RESULTS = Path(__file__).with_name("ROBOTS.md")
KEPT = Path(__file__).with_name("robots.jsonl")
MOST = 600  #: plies of a board
LUCKY = {"backgammon": 4, "battleship": 4}  #: games where luck counts: how many times as many boards they need
SMALLER = {"go": {"size": "9"}}  #: options of boards whose usual size would take days
#: Plies at random in games where fewer than 60 of 100 boards of two levels were different. More decide Four in a Row.
OPENING = {"tumble": 4, "loa": 4, "oware": 4, "four": 2, "othello": 4}
RANDOM = 0  #: the level of a player who moves at random
#: The level of a beginner, who makes every second move at random. For the others he looks at the board right after each
#: of his moves, and takes the one that looks best: he sees what he can take, and what ends the board, and no answer.
BEGINNER = -1

Pair = tuple[str, tuple[int, ...]]
"""A game's key, and the levels that play it."""


@dataclass(frozen=True)
class Wanted:
    """A board to play. `levels`: the one that is measured comes first; it has the seat `number % 2`."""

    game: str
    levels: tuple[int, ...]
    number: int

    @property
    def pair(self) -> Pair:
        """What the boards of one line of the tables have in common."""
        return self.game, self.levels


@dataclass(frozen=True)
class Played:
    """A board that is over.

    `points`: of the measured level: 1 for a win, 0.5 for a draw; `score`: its points; `spent`: milliseconds; `nodes`
    and `moves`: how many it made; `way`: a hash of all moves of the board.
    """

    points: float
    score: float
    spent: float
    nodes: int
    moves: int
    way: str


@dataclass
class Series:
    """The boards of a pair of levels that are over, in the order of their numbers.

    `first`: the way of the first one; `results`: a letter for each, `w`on, `d`rawn or `l`ost; `scores`: of solitaires;
    `spent`, `nodes` and `moves`: of all together.
    """

    game: str
    levels: tuple[int, ...]
    first: str
    results: str = ""
    scores: list[float] = field(default_factory=list)
    spent: float = 0.0
    nodes: int = 0
    moves: int = 0

    def add(self, board: Played) -> None:
        """Count one more board."""
        self.results += {1: "w", 0.5: "d", 0: "l"}[board.points]
        if len(self.levels) == 1:
            self.scores.append(board.score)
        self.spent = round(self.spent + board.spent, 1)
        self.nodes += board.nodes
        self.moves += board.moves


class _Board:
    """A board between levels. `_by_seat`: the level of each seat."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.mine = wanted.number % 2 if len(wanted.levels) == 2 else 0
        self._by_seat = wanted.levels if self.mine == 0 else wanted.levels[::-1]
        self._game = find(wanted.game)
        self._options = self._game.usual_options(SMALLER.get(wanted.game, {}))
        self._seed = f"{wanted.game} {wanted.levels[0]} {wanted.number}"
        self._opening = 0 if min(wanted.levels) <= RANDOM else OPENING.get(wanted.game, 0)
        self._chance = Rng(f"{wanted.game} {wanted.number // 2}", 0)
        self._luck = [Rng(f"{self._seed} {seat}", 0) for seat in range(len(wanted.levels))]
        self._agreed = list[str]()  # what is left of an agreement that takes several moves
        self._seen = Counter[Any]()
        self._spent, self._nodes, self._moves = 0.0, 0, 0

    def play(self) -> Played:
        """Play it to its end."""
        game, way = self._game, sha256()
        position: Any = game.setup(self._options, len(self._by_seat), Rng(self._seed, 0))
        for ply in range(1, MOST + 1):
            key = key_of(game, position)
            if game.outcome(position) or self._seen[key] == REPETITION - 1:
                break
            seat = min(game.to_move(position))
            if ply <= self._opening:
                text = game.format(self._chance.choice(game.legal_moves(position, seat)))
            elif not (text := self._move(position, seat)):
                break
            self._seen[key] += 1
            way.update(f"{text} ".encode())
            position = game.apply(position, seat, game.parse(position, seat, text), Rng(self._seed, ply)).position
        return self._over(position, way.hexdigest()[:12])

    def _move(self, position: Any, seat: int) -> str:
        """Return a move; "" for a draw that is claimed."""
        game, level = self._game, self._by_seat[seat]
        if level <= RANDOM:
            return self._of_a_person(position, seat, level)
        began, nodes = process_time(), 0
        view = game.view(position, seat)
        self._agreed = self._agreed or list(game.agreement(view, self._luck[seat]))
        if self._agreed:
            text = self._agreed.pop(0)
        else:
            past = frozenset[Any]() if game.info.hidden else frozenset(self._seen)
            problem = Problem(game, view, self._options, len(self._by_seat), past)
            choice = choose(problem, _number(game, level), self._luck[seat])
            is_claim = choice.value <= EVEN and bool(game.claim(position))
            text, nodes = "" if is_claim else choice.text, choice.nodes
        if seat == self.mine:
            self._spent += 1000 * (process_time() - began)
            self._nodes += nodes
            self._moves += 1
        return text

    def _of_a_person(self, position: Any, seat: int, level: int) -> str:
        """Return the move of somebody who moves at random, or of a beginner."""
        game, luck = self._game, self._luck[seat]
        if level == BEGINNER and (agreed := game.agreement(game.view(position, seat), luck)):
            return agreed[0]
        moves = luck.shuffled(game.legal_moves(position, seat))
        if level == RANDOM or luck.randrange(2):
            return game.format(moves[0])
        seen = game.determinize(game.view(position, seat), luck)
        return game.format(max(moves, key=lambda move: self._looks(seen, seat, move)))

    def _looks(self, position: Any, seat: int, move: Any) -> float:
        """Return how good the board looks to a seat right after a move."""
        game = self._game
        after = game.apply(position, seat, move, self._luck[seat]).position
        if (outcome := game.outcome(after)) and len(outcome.ranks) > 1:
            return -2.0 * (outcome.ranks[seat] - min(outcome.ranks[:seat] + outcome.ranks[seat + 1 :]))
        return game.evaluate(after, seat) or 0.0

    def _over(self, position: Any, way: str) -> Played:
        outcome, mine = self._game.outcome(position), self.mine
        scores = (outcome.scores if outcome else self._game.scores(position)) or (0.0,) * len(self._by_seat)
        ranks = outcome.ranks if outcome else tuple(-score for score in scores)
        points = 0.5 if len(set(ranks)) == 1 else float(ranks[mine] == min(ranks))
        return Played(points, scores[mine], round(self._spent, 1), self._nodes, self._moves, way)


def play(wanted: Wanted) -> Played:
    """Play a board. In a process of its own."""
    return _Board(wanted).play()


def pairs_of(game: AnyGame) -> list[tuple[int, ...]]:
    """Return the levels that play with each other, the weak ones first; of a solitaire, which play alone."""
    numbers = range(RANDOM + 1, len(levels(game)) + 1)
    if game.info.seats == (1,):
        return [(RANDOM,), *((level,) for level in numbers)]
    return [(RANDOM + 1, BEGINNER), *((level, level - 1) for level in numbers)] if 2 in game.info.seats else []


def boards(games: Sequence[AnyGame], count: int) -> Iterator[Wanted]:
    """The boards that are needed, the weak levels first, because theirs take the least time."""
    rounds = zip_longest(*([(game.info.key, pair) for pair in pairs_of(game)] for game in games))
    for key, pair in (both for each in rounds for both in each if both):
        for number in range(count * LUCKY.get(key, 1)):
            yield Wanted(key, pair, number)


def kept(file: Path, workers: ProcessPoolExecutor) -> dict[Pair, Series]:
    """Return what a file keeps of pairs whose boards today's robots would play in the same way."""
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    found = [Series(**{**line, "levels": tuple(line["levels"])}) for line in lines]
    again = workers.map(play, [Wanted(series.game, series.levels, 0) for series in found])
    pairs = zip(found, again, strict=True)
    return {(series.game, series.levels): series for series, board in pairs if series.first == board.way}


def measure(games: Sequence[AnyGame], count: int, processes: int) -> list[Series]:
    """Play what is not kept yet. Returns all pairs, also of other games."""
    with ProcessPoolExecutor(processes, initializer=os.nice, initargs=(19,)) as workers:
        found = kept(KEPT, workers)
        have = {pair: len(series.results) for pair, series in found.items()}
        missing = [wanted for wanted in boards(games, count) if wanted.number >= have.get(wanted.pair, 0)]
        for wanted, board in zip(missing, workers.map(play, missing), strict=True):
            found.setdefault(wanted.pair, Series(*wanted.pair, board.way)).add(board)
            _keep(found.values())
    return list(found.values())


def _keep(found: Iterable[Series]) -> None:
    """Write the file anew, so that a reader sees the old one or the new one whole."""
    new = KEPT.with_suffix(".new")
    new.write_text("".join(json.dumps(asdict(series)) + "\n" for series in sorted(found, key=_order)))
    new.replace(KEPT)


def _order(series: Series) -> Pair:
    return series.game, series.levels


def sheets(found: Iterable[Series]) -> Iterator[Sheet]:
    """The tables."""
    have = {(series.game, series.levels): series for series in found}
    pairs = Sheet("Two players", ("game", "levels", "boards", "won-drawn-lost", "points of 100", "Elo", *_COSTS))
    alone = Sheet("Solitaires", ("game", "level", "boards", "median of the scores", *_COSTS))
    for game in all_games():
        for pair in pairs_of(game):
            if series := have.get((game.info.key, pair)):
                name, cost, count = _name(game, pair[0]), _costs(series), str(len(series.results))
                if len(pair) == 1:
                    alone.rows.append((game.info.name, name, count, f"{median(series.scores):g}", *cost))
                else:
                    against = f"{name} to {_name(game, pair[1])}"
                    pairs.rows.append((game.info.name, against, count, *_points(series.results), *cost))
    pairs.notes.append(f"Colours alternate. {_nodes(have)} Go: 9x9.")
    plies = ", ".join(f"{find(key).info.name} {count}" for key, count in OPENING.items())
    pairs.notes.append(
        "A beginner makes every second move at random; for the others he looks at the board right after each of his "
        "moves, and takes the one after which the game's own evaluation is best."
    )
    pairs.notes.append(f"Between two levels, so many plies at the beginning are at random: {plies}.")
    pairs.notes.append("A pair's time is of the day on which it was played, so pairs are compared by their nodes.")
    pairs.notes.append("A pair that is missing, or has few boards, has not been played more since its search changed.")
    alone.notes.append("Nobody plays against a robot here: the median is a score to beat.")
    alone.notes.append(
        "Threes: level 1 has no gentle step, since 10 positions a move play as random moves do, and 12 nearly as well "
        "as 60."
    )
    alone.notes.append("Threes: whoever reaches a card of 384 has at least 6561 points.")
    chess = {levels[0]: series.results for (key, levels), series in have.items() if key == "chess" and levels[-1] > 0}
    yield from (pairs, scale.sheet(chess), gnugo.sheet(), errors.sheet(), alone)


_COSTS = ("ms a move", "nodes a move")


def _nodes(played: Iterable[Pair]) -> str:
    """Say how many positions a level may make, of all games that lists name and of those that were played."""
    games, keys = dict[tuple[int, ...], list[str]](), {key for key, _ in played}
    for game in (game for game in all_games() if not game.info.family or game.info.key in keys):
        games.setdefault(game.info.nodes, []).append(game.info.name)
    texts = [f"{', '.join(names)}: {', '.join(map(str, nodes))}" for nodes, names in games.items()]
    more = "All but the weakest make more to look at each move once, if that takes more, but not in Go and backgammon"
    return f"Positions that the levels may make for a move, the weakest first: {'; '.join(texts)}. {more}."


def _name(game: AnyGame, level: int) -> str:
    if level > RANDOM:
        return f"level {_number(game, level)}"
    return "random" if level == RANDOM else "a beginner"


def _number(game: AnyGame, level: int) -> int:
    """Return what others call a level."""
    return level - 1 + game.info.lowest_level


def _costs(series: Series) -> tuple[str, str]:
    moves = max(series.moves, 1)
    return f"{series.spent / moves:.1f}", f"{series.nodes / moves:.0f}"


def _points(results: str) -> tuple[str, str, str]:
    """Return won, drawn and lost boards, points in a hundred, and the difference in Elo."""
    won, drawn = results.count("w"), results.count("d")
    share = (won + drawn / 2) / len(results)
    elo = f"{-400 * math.log10(1 / share - 1):+.0f}" if 0 < share < 1 else "all" if share else "none"
    return f"{won}-{drawn}-{len(results) - won - drawn}", f"{100 * share:.0f}", elo


def main() -> None:
    """Play what is missing, print, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="boards for each pair of levels")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("keys", nargs="*", metavar="KEY", help="only these games")
    asked = parser.parse_args()
    found = measure([find(key) for key in asked.keys] or listed(), asked.games, asked.workers)
    shown = list(sheets(found))
    for sheet in shown:
        sheet.show()
    head = f"# How well robots play\n\nWritten by `make bench-robots`, on {machine()}, {datetime.now(UTC).date()}.\n"
    RESULTS.write_text("\n".join([head, *(sheet.markdown() for sheet in shown)]))


if __name__ == "__main__":
    main()
