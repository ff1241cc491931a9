"""The pictures in README.md and docs/. `make screenshots` makes them again in docs/pictures, the same every time."""

from pathlib import Path

from tests.looks.measure import Eye
from tests.looks.pages import pictured, whole
from tests.looks.plays import advance
from tests.tools.seeds import seeds_from
from tests.tools.tree import ROOT
from tests.web.browser import browse
from tests.web.filled import play_on
from tests.world import Received, World

FOLDER = ROOT / "docs/pictures"
PHONE = (360, 800)  #: the window: width and height
MOST_PICTURE_BYTES = 60_000  #: of a picture
#: Moves of Tumbling Down with which some stacks are mixed.
_MOVES = """
g4-h5 c7-c8t h5-f7t b8-e8t f7-f8t c8-h3t g2-g4t a5-b5 e1-d2 f5-g6t d1-c2t b5-a4t h1-d1t b6-b4t d1-e2 g6-e4t g1-g5t
e4-f3t f2-h4t a6-b5 f8-g7t h3-h4 c2-d3 d7-b7t g5-f4t c7-b7t g7-f7t b5-a6
"""


def take(eye: Eye, folder: Path) -> None:
    """Write all pictures. `folder` is an empty one for databases."""
    FOLDER.mkdir(exist_ok=True)
    for game in ("tumble", "town"):
        (folder / game).mkdir(parents=True)
    eye.take_window(pictured(_town(folder / "town")), 360, 720, FOLDER / "triple-town.png")
    world = World(folder / "tumble")
    eye.take_window(pictured(_tumble(world)), *PHONE, FOLDER / "letter.png", above=".picture")
    with browse(world) as client:
        eye.take_window(whole(client, "/boards/101"), 360, 540, FOLDER / "board.png", above=".picture")
    world.close()


def _tumble(world: World) -> Received:
    """Return a letter of Tumbling Down in the middle of a game."""
    with seeds_from("pictures"):
        world.board("alice", "bob", options="-c")
    *moves, last = _MOVES.split()
    advance(world, [(ply % 2, move) for ply, move in enumerate(moves)])
    letters = world.mail("bob", f"tumble move 101 bob bob-secret {last}")
    return next(letter for letter in letters if letter.to == "alice@example.org")


def _town(folder: Path) -> Received:
    """Return a letter of Triple Town in the middle of a game."""
    world = World(folder)
    with seeds_from("pictures"):
        world.board("alice", game="town")
    play_on(world, 101, 25)
    board = world.row().board
    move = board.game.example(board.position, 0)
    (letter,) = world.mail("alice", f"town move 101 alice alice-secret {move}")
    world.close()
    return letter
