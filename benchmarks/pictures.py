"""What the picture of a letter costs: milliseconds of processor time and bytes, for every game.

A picture of each position of a random game is made twice. The first time, cells that nobody had before are painted and
strips are compressed; the second time, all strips are kept. Each game is measured without options and with each option
alone.

    python -m benchmarks.pictures [key ...]
"""

import sys
import time
from collections.abc import Iterator
from statistics import mean, median

from benchmarks.rules import boards
from pbmserv import games
from pbmserv.conformance.walks import Setup
from pbmserv.games.base import AnyGame, Picture
from pbmserv.games.base.board import Start, begin, play, view_of
from pbmserv.letters.pictures.image import Image, image
from pbmserv.rng import Rng

MOST_BYTES = 21_000  #: of a PNG; in a mail it takes a third more
PLIES = 60


def played(game: AnyGame, setup: Setup) -> Iterator[Picture]:
    """Yield the pictures of the positions of a random game, as the seat sees them that moved."""
    board, rng = begin(Start(game, dict(setup.options), setup.seats, "0" * 32)), Rng("pictures", 0)
    for _ in range(PLIES):
        if not board.to_move:
            return
        seat = min(board.to_move)
        move = game.format(rng.choice(list(game.legal_moves(board.position, seat))))
        board = play(board, seat, move).board
        if picture := game.picture(view_of(board, seat)):
            yield picture.marked(game.marks(move, seat, seat))


def timed(picture: Picture) -> tuple[float, Image]:
    """Return the milliseconds that an image takes, and the image."""
    start = time.process_time()
    made = image(picture)
    return (time.process_time() - start) * 1000, made


def main(keys: list[str]) -> None:
    """Print a line for each game and option."""
    print(f"{'':28}{'first':>8}{'again':>8}{'bytes':>8}{'most':>8}  pixels")
    for game in games.GAMES:
        for setup in boards(game) if not keys or game.info.key in keys else ():
            pictures = list(played(game, setup))
            first, again = ([timed(picture) for picture in pictures] for _ in range(2))
            sizes = [len(made.png) for _, made in first]
            named = " ".join([game.info.key, *(f"-{k}={v}" if v else f"-{k}" for k, v in setup.options)])
            times = (median(ms for ms, _ in runs) for runs in (first, again))
            shown = "".join(f"{ms:8.2f}" for ms in times)
            wide = max((made.width, made.height) for _, made in first)
            warning = "  TOO MANY BYTES" * (max(sizes) > MOST_BYTES)
            print(f"{named:28}{shown}{mean(sizes):8.0f}{max(sizes):8}  {wide[0]}x{wide[1]}{warning}")


if __name__ == "__main__":
    main(sys.argv[1:])
