"""How much our robots err at backgammon, in the eyes of gnubg, another program.

    python -m benchmarks.backgammon.errors [--games 30] [--match 3] [--plies 0] [--levels 0,1,2,3,4]

Each level plays against itself: single games, which gnubg knows as matches to one point, and matches with the cube.
gnubg reads our SGF, thinks about each decision and says what a bad one costs. mEMG: thousandths of what a game at the
score of the moment is worth, on average for a turn with two or more moves, or for a decision about the cube that is
close or was made. What was counted is kept in errors.jsonl beside this file; the table is a part of ROBOTS.md, which
`python -m benchmarks.robots` writes.
"""

import argparse
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from benchmarks.report import Sheet
from pbmserv.games import find
from pbmserv.games.base.board import Start, begin, play
from pbmserv.games.base.sheet import Facts, Ply, formats_of
from pbmserv.games.base.sheet import Sheet as Record
from pbmserv.rng import Rng
from pbmserv.robots.thinking import Problem, choose

KEPT = Path(__file__).with_name("errors.jsonl")
GNUBG = "/usr/games/gnubg"
#: What gnubg's own Python does in its own process, which is apart from ours for the sake of its licence.
_IN_GNUBG = """
import gnubg, json, os
from glob import glob
quietly = ("set automatic game off", "set analysis luck off")
about = [f"set analysis {what} evaluation plies {os.environ['PLIES']}" for what in ("chequerplay", "cubedecision")]
for command in (*quietly, *about):
    gnubg.command(command)
stats = []
for name in sorted(glob(os.environ["BOARDS"] + "/*.sgf")):
    gnubg.command("load match " + name)
    gnubg.command("analyse match")
    stats += gnubg.match(1, 0, 1, 0)["stats"].values()
with open(os.environ["BOARDS"] + "/stats.json", "w") as file:
    json.dump(stats, file)
"""


_NOTE = (
    "mEMG: thousandths of what the game is worth at the score of the moment. A turn has two or more moves; a cube is"
    " a decision to double, to take or to drop that is close or was made. Single games are played to win, so gammons"
    " count nothing there. The bounds are 55 at level 1, 40 at level 2 and 30 at level 3; level 0 is for beginners,"
    " and has none."
)


@dataclass
class Errors:
    """What a level did wrong on all its boards. `spent`: seconds; `nodes`: positions that it made."""

    level: int
    match: int
    moves: int = 0
    nodes: int = 0
    spent: float = 0.0
    turns: int = 0
    turns_cost: float = 0.0
    cubes: int = 0
    cubes_cost: float = 0.0

    def add(self, stats: Mapping[str, Any]) -> None:
        """Count what gnubg says of one player on one board."""
        self.turns += stats["moves"]["unforced-moves"]
        self.turns_cost += stats["moves"]["error-skill"]
        self.cubes += stats["cube"]["close-cube"]
        self.cubes_cost += stats["cube"]["error-skill"]

    def row(self) -> Sequence[str]:
        """Return a line of the table."""
        cube = f"{1000 * self.cubes_cost / self.cubes:.1f}" if self.match and self.cubes else "-"
        turns = f"{1000 * self.turns_cost / max(self.turns, 1):.1f}"
        costs = f"{1000 * self.spent / max(self.moves, 1):.1f}", f"{self.nodes / max(self.moves, 1):.0f}"
        kind = f"match to {self.match}" if self.match else "single games"
        return f"level {self.level}", kind, turns, str(self.turns), cube, str(self.cubes if self.match else "-"), *costs


def played(errors: Errors, number: int) -> str:
    """Play a board of a level against itself and return it as SGF."""
    game = find("backgammon")
    options = game.usual_options({"match": str(errors.match)} if errors.match else {})
    board, plies = begin(Start(game, options, 2, f"errors {errors.level} {number}")), list[Ply]()
    while not board.result:
        seat = min(board.to_move)
        luck, view, began = Rng(f"{errors.level} {number}", board.ply), game.view(board.position, seat), process_time()
        if agreed := game.agreement(view, luck):
            text = agreed[0]
        else:
            choice = choose(Problem(game, view, options, 2), errors.level, luck)
            text, errors.moves, errors.nodes = choice.text, errors.moves + 1, errors.nodes + choice.nodes
            errors.spent += process_time() - began
        plies.append(Ply(board.position, seat, text))
        board = play(board, seat, text).board
    facts = Facts(number, ("one", "two"), "benchmark", "2026-01-01", "2026-01-01")
    written = formats_of(game)[0].write(Record(facts, board, tuple(plies)))
    return written if errors.match else written.replace("GM[6]", "GM[6]MI[length:1][game:0][ws:0][bs:0]")


def analysed(errors: Errors, games: int, plies: int) -> Errors:
    """Play boards, let gnubg look at them, and count."""
    with TemporaryDirectory() as folder:
        for number in range(games):
            Path(folder, f"{number:04}.sgf").write_text(played(errors, number))
        script = Path(folder, "script.py")
        script.write_text(_IN_GNUBG)
        asked = {**os.environ, "BOARDS": folder, "PLIES": str(plies)}
        subprocess.run([GNUBG, "-t", "-q", "-r", "-p", script], env=asked, check=True, stdout=subprocess.DEVNULL)
        for stats in json.loads(Path(folder, "stats.json").read_text()):
            errors.add(stats)
    return errors


def kept() -> dict[tuple[int, int], Errors]:
    """Return what has been counted, by level and points of the match."""
    lines = map(json.loads, KEPT.read_text().splitlines()) if KEPT.exists() else ()
    return {(line["level"], line["match"]): Errors(**line) for line in lines}


def measure(games: int, match: int, plies: int, levels: Sequence[int]) -> None:
    """Count anew, and keep what there was of other levels."""
    for errors in (Errors(level, kind) for level in levels for kind in (0, match)):
        analysed(errors, games // (3 if errors.match else 1), plies)
        lines = kept() | {(errors.level, errors.match): errors}
        KEPT.write_text("".join(json.dumps(asdict(lines[kind])) + "\n" for kind in sorted(lines)))


def sheet() -> Sheet:
    """The table of all that is kept."""
    columns = ("level", "boards", "mEMG a turn", "turns", "mEMG a cube", "cubes", "ms a move", "nodes a move")
    rows: list[Sequence[str]] = [errors.row() for errors in kept().values()]
    return Sheet("Errors at Backgammon, by gnubg", columns, rows, [_NOTE])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=30, help="single games of each level; a third as many matches")
    parser.add_argument("--match", type=int, default=3, choices=(3, 5, 7), help="points of a match")
    parser.add_argument("--plies", type=int, default=0, help="how far gnubg looks")
    parser.add_argument("--levels", default="0,1,2,3,4", help="which levels, as 1,2")
    asked = parser.parse_args()
    measure(asked.games, asked.match, asked.plies, [int(level) for level in asked.levels.split(",")])
    sheet().show()


if __name__ == "__main__":
    main()
