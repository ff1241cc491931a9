"""Robots for Go against GNU Go, which plays in a process of its own, by the rules of this server.

    python -m benchmarks.gnugo [--games 40] [--level 4] [--strength 1] [--handicap 4] [--size 9]

Colours alternate, but with a handicap the robot has the stones. When both have passed, each names the stones that it
takes for dead, and they count as players do, by mail. If ten answers bring no agreement, it counts as GNU Go sees it.

What has been played is kept in gnugo.jsonl beside this file and not played again; the table is a part of ROBOTS.md,
which `python -m benchmarks.robots` writes. Forget what is kept (remove its line) when the robots have changed.
"""

import argparse
import json
import os
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from benchmarks.report import Sheet
from pbmserv.games import find
from pbmserv.games.territory.go import area
from pbmserv.games.territory.go.lattice import SIZES, lattice_of
from pbmserv.games.territory.go.phases import NAMES, Position
from pbmserv.rng import NoChance, Rng
from pbmserv.robots.manners import Situation, answer
from pbmserv.robots.thinking import Problem

KEPT = Path(__file__).with_name("gnugo.jsonl")
_GO = find("go")
_MOST_ANSWERS = 10  #: about a count
_COMMAND = ("gnugo", "--mode", "gtp", "--chinese-rules", "--positional-superko", "--forbid-suicide")


class Terms(NamedTuple):
    """Between whom a board is. `strength`: the level of GNU Go."""

    level: int
    strength: int
    handicap: int
    size: int


@dataclass
class Series:
    """The boards that are over. `results`: a letter for each, `w`on or `l`ost by the robot.

    `agreed`: how many were counted as both saw it, or were resigned; `spent`: milliseconds of the robot's moves.
    """

    level: int
    strength: int
    handicap: int
    size: int
    results: str = ""
    agreed: int = 0
    moves: int = 0
    spent: float = 0.0

    @property
    def terms(self) -> Terms:
        """What these boards have in common."""
        return Terms(self.level, self.strength, self.handicap, self.size)


class GnuGo:
    """GNU Go in a process of its own, asked by the Go Text Protocol, version 2."""

    def __init__(self, strength: int, seed: int) -> None:
        command = [*_COMMAND, "--level", str(strength), "--seed", str(seed)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command: str) -> str:
        """Send a command, and return the answer in small letters. Raises ValueError if it was refused."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        answer, line = "", self._process.stdout.readline()
        while line.strip():
            answer, line = answer + line, self._process.stdout.readline()
        if not answer.startswith("="):
            raise ValueError(f"{command}: {answer}")
        return answer[1:].strip().lower()

    def close(self) -> None:
        """End the process."""
        self._process.communicate("quit\n")


class Match:
    """One board. `own`: the seat of the robot; `spent`, `moves`: of the robot."""

    def __init__(self, terms: Terms, number: int) -> None:
        handicap, size = terms.handicap, terms.size
        self.own, self.spent, self.moves, self.is_agreed = 0 if handicap else number % 2, 0.0, 0, True
        self._level, self._seed = terms.level, f"{terms} {number}"
        self._options = {"size": str(size)} if size != SIZES[-1] else {}
        self._options |= {"handicap": str(handicap)} if handicap else {}
        self.position: Position = _GO.setup(self._options, 2, NoChance())
        self._gnugo = GnuGo(terms.strength, number + 1)
        self._gnugo.ask(f"boardsize {size}")
        self._gnugo.ask(f"komi {self.position.komi / 2 + handicap:g}")
        if handicap:
            self._gnugo.ask(f"fixed_handicap {handicap}")
        self._before: Problem[Any, Any] | None = None
        self._plies = self._answers = 0

    def is_won(self) -> bool:
        """Play it to its end, and return whether the robot wins."""
        try:
            while not self.position.is_over:
                text = self._robot() if self.position.turn == self.own else self._other()
                if text == "resign":
                    return self.position.turn != self.own
                if self._answers > _MOST_ANSWERS:
                    self.is_agreed = False
                    return self._gnugo.ask("final_score").startswith(NAMES[self.own][0].lower())
                for word in text.split():
                    self._make(word)
            black, white = self.position.halves
            return (black > white) == (self.own == 0)
        finally:
            self._gnugo.close()

    def _make(self, text: str) -> None:
        position, seat = self.position, self.position.turn
        move = _GO.parse(position, seat, text)
        self.position = _GO.apply(position, seat, move, NoChance()).position
        self._plies += 1
        if not position.count and seat == self.own:  # GNU Go knows its own moves, and nothing of counts by mail
            self._gnugo.ask(f"play {NAMES[seat]} {move}")

    def _robot(self) -> str:
        began = process_time()
        problem = Problem(_GO, _GO.view(self.position, self.own), self._options, 2)
        situation = Situation(problem, is_turn=True, ply=self._plies, before=self._before)
        text = answer(situation, self._level, Rng(self._seed, self._plies))
        self.spent += 1000 * (process_time() - began)
        self._before, self.moves = problem, self.moves + 1
        self._answers += bool(self.position.count)
        return text

    def _other(self) -> str:
        return self._count() if self.position.count else self._gnugo.ask(f"genmove {NAMES[self.position.turn]}")

    def _count(self) -> str:
        """Name the stones that GNU Go takes for dead; agree to other ones if the same side wins."""
        points, count = self.position.points, self.position.count
        assert count
        names, groups = lattice_of(points).names, set(area.groups(points).values())
        named = self._gnugo.ask("final_status_list dead").split()
        dead = {group for group in groups if all(names[point] in named for point in group)}
        offered = {group for group in groups if group[0] in (count.offered or ())}
        if count.offered is not None and self._winner(dead) == self._winner(offered):
            dead = offered
        now = {group for group in groups if group[0] in count.dead}
        changed = sorted(dead ^ now)
        return " ".join([*(f"{'dead' if group in dead else 'alive'}-{names[group[0]]}" for group in changed), "count"])

    def _winner(self, dead: set[tuple[int, ...]]) -> bool:
        points = area.cleared(self.position.points, {point for group in dead for point in group})
        return area.area(points, 0) - area.area(points, 1) > self.position.komi / 2 + self.position.handicap


def kept() -> dict[Terms, Series]:
    """Return what has been played."""
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    played = [Series(**json.loads(line)) for line in lines]
    return {series.terms: series for series in played}


def measure(terms: Terms, count: int) -> None:
    """Play what is not kept yet."""
    have = kept()
    series = have.setdefault(terms, Series(*terms))
    for number in range(len(series.results), count):
        match = Match(terms, number)
        series.results += "w" if match.is_won() else "l"
        series.agreed += match.is_agreed
        series.moves += match.moves
        series.spent = round(series.spent + match.spent, 1)
        KEPT.write_text("".join(f"{json.dumps(asdict(have[key]))}\n" for key in sorted(have)))


def sheet() -> Sheet:
    """The table of all that is kept."""
    columns = ("board", "robot", "GNU Go", "boards", "won-lost", "counts agreed", "ms a move")
    table = Sheet("Go against GNU Go", columns)
    for terms, series in sorted(kept().items()):
        stones = f", {terms.handicap} stones for the robot" if terms.handicap else ""
        count, won = len(series.results), series.results.count("w")
        board = f"{terms.size}x{terms.size}{stones}"
        names = (board, f"level {terms.level}", f"level {terms.strength}", f"{count}")
        table.rows.append((*names, f"{won}-{count - won}", f"{series.agreed}", f"{series.spent / series.moves:.0f}"))
    table.notes.append("GNU Go 3.8 from Debian. Komi 7.5, with stones 0.5 and a point for each of them.")
    return table


def main() -> None:
    """Play what is missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in {"games": 40, "level": 4, "strength": 1, "handicap": 4, "size": 9}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    asked = parser.parse_args()
    os.nice(15)
    measure(Terms(asked.level, asked.strength, asked.handicap, asked.size), asked.games)
    sheet().show()


if __name__ == "__main__":
    main()
