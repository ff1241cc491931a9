"""The pictures in README.md and docs/. `make screenshots` makes them again in docs/pictures, the same every time."""

from pathlib import Path

from tests.looks.measure import Eye
from tests.tools.seeds import seeds_from
from tests.tools.tree import ROOT
from tests.world import Received, World

FOLDER = ROOT / "docs/pictures"
PHONE = (360, 740)  #: the window of a telephone
MOST_BYTES = 60_000


def take(eye: Eye, folder: Path) -> None:
    """Write all pictures. `folder` is for databases."""
    FOLDER.mkdir(exist_ok=True)
    place = folder / "docs"
    place.mkdir()
    eye.take_window(letter(place).html, *PHONE, FOLDER / "letter.png")


def letter(folder: Path) -> Received:
    """Return the letter that README.md shows."""
    world = World(folder)
    with seeds_from("docs"):
        world.board("alice", "bob", options="-c")
        world.mail("alice", "tumble move 101 alice alice-secret h4-f6t")
        letters = world.mail("bob", "tumble move 101 bob bob-secret a5-c3t", "A pleasure. Your move!")
    world.close()
    return next(letter for letter in letters if letter.to == "alice@example.org")
