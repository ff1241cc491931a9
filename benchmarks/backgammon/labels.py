"""Positions of backgammon and what gnubg thinks of them, from which fit.py makes the weights of our nets.

    python -m benchmarks.backgammon.labels FOLDER [--games 2621] [--races 4000]

gnubg plays against itself here, without looking ahead, and so that all kinds of positions occur: in some games the
first turns are at random, and in most of them a turn is now and then any of the better ones. For the best turns and
some others we ask for the chances of the position that follows. More games begin as races, because few become close
ones by themselves. gnubg runs in a process of its own. What it answers are facts about backgammon: neither its code nor
the numbers of its own nets are taken over.
"""

import argparse
import math
import random
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.backgammon.errors import GNUBG
from pbmserv.games.race.backgammon.places import ALL_MEN, BAR, HOME, OFF, OPENING, Men
from pbmserv.games.race.backgammon.throws import Throw, results

_BEST, _OTHERS = 6, 3  #: turns that are kept of each decision
_MOST = 40  #: turns that are looked at
_PORT = 4873
_KEPT = 50_000  #: positions of a file
Pair = tuple[Men, Men]  #: the men of who is about to roll, and of the other
Label = tuple[float, ...]  #: the chances to win, to win a gammon, and to lose one


class Gnubg:
    """gnubg as a server of evaluations on a port of this machine."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([GNUBG, "-t", "-q", "-r"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        assert self._process.stdin
        self._process.stdin.write(f"external 127.0.0.1:{_PORT}\n".encode())
        self._process.stdin.flush()
        self._socket = _connected()
        self._answers = self._socket.makefile()

    def label(self, pair: Pair) -> Label:
        """Return what gnubg thinks without looking ahead."""
        own, other = pair
        points = ":".join(str(own[p] * (p > OFF) - other[BAR - p] * (p < BAR)) for p in range(BAR + 1))
        rest = f"1:0:0:0:0:1:1:1:0:1:-1:0:25:{own[OFF]}:{other[OFF]}:{own[BAR]}:{other[BAR]}:0:0:0:0"
        self._socket.sendall(f"evaluation fibsboard board:one:two:0:0:0:{points}:{rest} plies 0\n".encode())
        win, gammon, _, lost, *_ = map(float, self._answers.readline().split())
        return win, gammon, lost

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._process.terminate()
        self._process.wait()


def _connected() -> socket.socket:
    while True:
        try:
            made = socket.create_connection(("127.0.0.1", _PORT))
        except ConnectionRefusedError:
            time.sleep(0.1)
        else:
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return made


def race(rng: random.Random) -> Pair:
    """Return men who have passed each other, about as far from home on both sides."""
    furthest, left = rng.randint(HOME - 2, 2 * HOME), ALL_MEN - rng.choice((0, 0, 3, 6, 9))
    own, other = ([rng.randint(1, furthest) for _ in range(left)] for _ in range(2))
    return _men(own), _men(other)


def _men(places: Sequence[int]) -> Men:
    return (ALL_MEN - len(places), *(places.count(point) for point in range(1, BAR)), 0)


def labelled(gnubg: Gnubg, rng: random.Random, pair: Pair) -> Iterator[tuple[Pair, Label]]:
    """Yield positions of a game that goes on from this one, and what they are worth."""
    at_random = rng.randrange(4, 16) if rng.random() < 0.25 else 0
    heat = rng.choice((0.0, 0.03, 0.06, 0.12))
    for turn in range(400):
        one, two = rng.randint(1, 6), rng.randint(1, 6)
        pairs = [(other, own) for own, other in sorted(results(Throw(*pair, (max(one, two), min(one, two)))))]
        if any(own[OFF] == ALL_MEN for _, own in pairs):
            return
        pairs = rng.sample(pairs, min(_MOST, len(pairs)))
        labels = [gnubg.label(pair) for pair in pairs] if len(pairs) > 1 else []
        order = sorted(range(len(labels)), key=lambda n: _worth(labels[n]))
        for n in {*order[:_BEST], *rng.sample(order, min(_OTHERS, len(order)))}:
            yield pairs[n], labels[n]
        pair = pairs[_chosen([_worth(label) for label in labels] or [0.0], rng, heat, turn < at_random)]


def _worth(label: Label) -> float:
    """Return what a position is worth to who is about to roll."""
    win, gammon, lost = label
    return 2 * win - 1 + gammon - lost


def _chosen(worths: Sequence[float], rng: random.Random, heat: float, at_random: bool) -> int:
    """Return which turn is made: usually the one that is the worst for the opponent."""
    if at_random:
        return rng.randrange(len(worths))
    least = min(worths)
    if heat and rng.random() < 0.5:
        return rng.choices(range(len(worths)), [math.exp((least - worth) / heat) for worth in worths])[0]
    return worths.index(least)


def main() -> None:
    """Write files of positions: 52 numbers of men for each, and three chances."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=2621)
    parser.add_argument("--races", type=int, default=4000)
    asked = parser.parse_args()
    gnubg = Gnubg()
    _write(asked.folder, "game", (labelled(gnubg, rng, (OPENING, OPENING)) for rng in _luck(asked.games)))
    _write(asked.folder, "race", (labelled(gnubg, rng, race(rng)) for rng in _luck(asked.races)))
    gnubg.close()


def _luck(count: int) -> Iterator[random.Random]:
    """Yield the random numbers of each game."""
    return (random.Random(game) for game in range(count))  # noqa: S311 - for positions


def _write(folder: Path, kind: str, games: Iterable[Iterable[tuple[Pair, Label]]]) -> None:
    """Write what is known of games, many positions to a file. What is too little for another file is left out."""
    kept, files = list[tuple[Pair, Label]](), 0
    for game in games:
        kept += game
        if len(kept) >= _KEPT:
            men = np.array([own + other for (own, other), _ in kept], np.uint8)
            chances = np.array([label for _, label in kept], np.float32)
            np.savez_compressed(folder / f"{kind}-{files:03}.npz", men=men, chances=chances)
            kept, files = [], files + 1
            print(kind, files, flush=True)


if __name__ == "__main__":
    main()
