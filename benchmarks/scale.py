"""How well robots play on the world's scale: the levels of chess against Stockfish, which can play at a rating.

    python -m benchmarks.scale [--games 20] [--engine stockfish] [--elo 1350] LEVEL [LEVEL ...]

Colours alternate; each beginning, four plies at random, is played with both colours. The engine is told `UCI_Elo`, and
looks at a fixed number of positions for a move, so the result is the same on each machine. Its weakest rating is 1350
(Stockfish 15; it ignores what is asked below that). Of a level that never wins against it, only an upper bound is
known. A level below the weakest that is kept gets its rating by its boards against the level above
(`benchmarks.robots`), whose rating is known: one that won nothing is taken for weaker than it would be with one point
of three such series.

What has been played is kept in scale.jsonl beside this file. ROBOTS.md is written from it by `make bench-robots`.
"""

import argparse
import json
import math
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from benchmarks.report import Sheet
from pbmserv.games import find
from pbmserv.games.capture.chess.opening import opening
from pbmserv.rng import NoChance, Rng
from pbmserv.robots.levels import level_of
from pbmserv.robots.manners import EVEN
from pbmserv.robots.thinking import Problem, choose, key_of

CHESS = find("chess")
KEPT = Path(__file__).with_name("scale.jsonl")
NODES = 20_000  #: positions that the engine looks at for a move
MOST = 300  #: plies of a board
BEGINNING = 4  #: plies at random
_SURE = 1.96  #: standard errors
_SLOPE = 400 / math.log(10)  #: points of rating for a logarithm of odds


class Engine:
    """A process that speaks UCI."""

    def __init__(self, command: str, elo: int) -> None:
        self._process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say("uci", "setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._say("quit")
        self._process.wait()

    def _say(self, *lines: str) -> None:
        assert self._process.stdin
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def move(self, moves: list[str]) -> str:
        """Return what it plays after these moves."""
        self._say(f"position startpos moves {' '.join(moves)}", f"go nodes {NODES}")
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith("bestmove"):
                return line.split()[1]
        raise RuntimeError("the engine has ended")


def play(engine: Engine, level: int, number: int) -> float:
    """Return the points of a level: 1 for a win, 0.5 for a draw."""
    position: Any = opening()
    own, moves, seen = number % 2, list[str](), Counter[Any]()
    chance, luck = Rng(f"scale {number // 2}", 0), Rng(f"scale {level} {number}", 1)
    while not CHESS.outcome(position) and len(moves) < MOST:
        seat = position.turn
        if len(moves) < BEGINNING:
            move = chance.choice(CHESS.legal_moves(position, seat))
        elif seat != own:
            text = engine.move(moves)
            move = next(m for m in CHESS.legal_moves(position, seat) if CHESS.format(m).replace("=", "") == text)
        else:
            problem = Problem(CHESS, CHESS.view(position, seat), {}, 2, frozenset(seen))
            choice = choose(problem, level, luck)
            if choice.value <= EVEN and CHESS.claim(position):
                return 0.5
            move = CHESS.parse(position, seat, choice.text)
        seen[key_of(CHESS, position)] += 1
        moves.append(CHESS.format(move).replace("=", ""))
        position = CHESS.apply(position, seat, move, NoChance()).position
    outcome = CHESS.outcome(position)
    return 0.5 if outcome is None or len(set(outcome.ranks)) == 1 else float(outcome.ranks[own] == 1)


def sheet(below: Mapping[int, str]) -> Sheet:
    """The table of all that is kept. `below`: results of each level against the next lower one."""
    titles = ("level", "nodes a move", "boards", "against", "won-drawn-lost", "Elo, and its error")
    table = Sheet("Chess on the world's scale", titles)
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    rows, least = list[tuple[str, ...]](), Rated(0, 0)
    for line in sorted(map(json.loads, lines), key=lambda one: (one["level"], one["elo"])):
        found = rated(line["results"], Rated(line["elo"], 0))
        least = least if rows else found
        rows.append(_row(line["level"], line["nodes"], f"Stockfish at {line['elo']}", line["results"], found))
    for level in range(int(rows[0][0]) - 1 if rows else 0, 0, -1):
        if results := below.get(level + 1, "").translate(_OTHER_SIDE):
            least = rated(results, least)
            rows.insert(0, _row(level, level_of(CHESS, level).nodes, f"level {level + 1}", results, least))
    table.rows += rows
    table.notes.append(f"`UCI_LimitStrength` and `UCI_Elo` of Stockfish, at {NODES} nodes a move.")
    table.notes.append(
        "The error holds for 95 series of 100. Of a level that lost all boards, the most is told that it can be worth."
    )
    return table


class Rated(NamedTuple):
    """A rating, and by how much it may be wrong. `is_most`: it is the highest that it can be."""

    elo: float
    error: float
    is_most: bool = False


_OTHER_SIDE = str.maketrans("wl", "lw")


def _row(level: int, nodes: int, against: str, results: str, found: Rated) -> tuple[str, ...]:
    counts = "-".join(str(results.count(letter)) for letter in "wdl")
    elo = f"less than {found.elo + found.error:.0f}" if found.is_most else f"{found.elo:.0f} ± {found.error:.0f}"
    return str(level), str(nodes), str(len(results)), against, counts, elo


def rated(results: str, other: Rated) -> Rated:
    """Return the rating that results against a player of a rating show."""
    count = len(results)
    share = (results.count("w") + results.count("d") / 2) / count
    is_most, share = share == 0 or other.is_most, min(max(share, 1 / (3 * count)), 1 - 1 / (3 * count))
    error = _SURE * _SLOPE / math.sqrt(count * share * (1 - share))
    return Rated(other.elo - 400 * math.log10(1 / share - 1), math.hypot(error * (not is_most), other.error), is_most)


def main() -> None:
    """Play, keep the results, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--elo", type=int, default=1350)
    parser.add_argument("levels", type=int, nargs="+", metavar="LEVEL")
    asked = parser.parse_args()
    with Engine(asked.engine, asked.elo) as engine, KEPT.open("a") as kept:
        for level in asked.levels:
            points = [play(engine, level, number) for number in range(asked.games)]
            results = "".join({1: "w", 0.5: "d", 0: "l"}[point] for point in points)
            nodes = level_of(CHESS, level).nodes
            kept.write(json.dumps({"level": level, "nodes": nodes, "elo": asked.elo, "results": results}) + "\n")
    sheet({}).show()


if __name__ == "__main__":
    main()
