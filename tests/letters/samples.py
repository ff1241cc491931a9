"""Sample letters to look at: one of each kind of block, and the widest and longest letter of every sort."""

from pathlib import Path

from tests.letters.kinds import CAUSES
from tests.tools.seeds import seeds_from
from tests.world import Received, World

_COMMENT = """Well played! I did not see that coming, and I had spent the whole evening on the other side of the board.

Your move. No hurry: I am away until Sunday."""


def letters(folder: Path) -> dict[str, Received]:
    """Return letters by name, from a server in an empty folder.

    The boards are the same every time, so that the moves are legal.
    """
    world = World(folder)
    with seeds_from("samples"):
        found = _played(world)
    world.close()
    return found


def reviews(folder: Path) -> dict[str, Received]:
    """Return letters with a review and with a puzzle, and the answer to a right move, by name."""
    found = dict[str, Received]()
    for name in ("review", "puzzle", "puzzle_answer"):
        (folder / name).mkdir()
        world = World(folder / name)
        found[name] = CAUSES[name](world)[-1]
        world.close()
    return found


def _played(world: World) -> dict[str, Received]:
    world.signup("alice", "bob")
    found = {"first": _to("bob", world.mail("alice", "tumble challenge alice bob -c", "Shall we?"))}
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    found["tumble"] = _to("alice", world.mail("bob", "tumble move 101 bob bob-secret a5-b4t", _COMMENT))
    found["waiting"] = _to("alice", world.mail("alice", "tumble move 101 alice alice-secret h3-g4"))
    found["offer"] = _to("bob", world.mail("alice", "tumble propose 101 alice alice-secret", "Shall we call it even?"))
    found["over"] = _to("bob", world.mail("alice", "tumble resign 101 alice alice-secret"))
    found["error"] = _to("bob", world.mail("bob", "tumble move 101 bob bob-secret a1-a9"))
    world.mail("alice", "threes challenge alice")
    found["threes"] = _to("alice", world.mail("alice", "threes move 102 alice alice-secret a"))
    found["town"] = _to("alice", world.mail("alice", "town challenge alice"))
    world.mail("alice", "trippples challenge alice bob")
    found["trippples"] = _to("bob", world.mail("alice", "trippples move 104 alice alice-secret h2", "And now?"))
    world.mail("alice", "3io challenge alice bob -twostep")
    found["3io"] = _to("bob", world.mail("alice", "3io move 105 alice alice-secret draw 1c3+"))
    found["help"] = _to("alice", world.mail("alice", "threes help"))
    found["list"] = _to("alice", world.mail("alice", "list"))
    return found


def _to(userid: str, letters: list[Received]) -> Received:
    return next(x for x in letters if x.to == f"{userid}@example.org")
