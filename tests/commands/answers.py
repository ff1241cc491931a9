"""Functions that send commands and read the answers, for the tests of commands."""

import re

from pbmserv.games.base.log import standing
from tests.world import Received, World


def run(world: World, sender: str, line: str, body: str = "") -> list[Received]:
    """Send a command that must succeed; returns its letters."""
    letters = world.mail(sender, line, body)
    assert status(world) == "done", letters[-1].text
    return letters


def fail(world: World, sender: str, line: str, body: str = "", **headers: str) -> Received:
    """Send a command that must fail and change nothing; returns the one answer."""
    before = world.dump()
    (answer,) = world.mail(sender, line, body, **headers)
    assert world.dump() == before
    assert status(world) == "error"
    return answer


def status(world: World) -> str:
    """The status of the last mail: done, error, silent, refused or shelved."""
    return str(world.query(lambda s: s.mails.newest(1))[0].status)


def only(letters: list[Received]) -> Received:
    """The only letter of these; fails if there is none or more than one."""
    assert len(letters) == 1, [(x.to, x.subject, x.text) for x in letters]
    return letters[0]


def to(letters: list[Received], reader: str) -> Received:
    """The only letter to an address, or to the player with this userid."""
    return only([x for x in letters if x.to == (reader if "@" in reader else f"{reader}@example.org")])


def usage(letter: Received) -> str:
    """The usage line of an error."""
    return _after("Write it like this:", letter)


def example(letter: Received) -> str:
    """The line that an error gives as an example."""
    found = _after("For example:", letter)
    assert found, letter.text
    return found


def try_example(world: World, sender: str, letter: Received) -> None:
    """Put the password into the example of an error and send it: it must succeed."""
    line = example(letter)
    named = re.search(r"(\S+) PASSWORD|--as=(\S+):PASSWORD", line)
    userid = (named[1] or named[2]) if named else ""
    line = line.replace("PASSWORD", f"{userid}-secret")
    letters = world.mail(sender, line)
    assert status(world) == "done", f"{line}\n{letters[-1].text}"


def diagram_of(world: World, number: int) -> str:
    """The diagram of a board as spectators see it."""
    row = world.row(number)
    return world.site.renderer.diagram(row.game, row.game.view(row.board.position, None))


def ply(world: World, number: int = 101) -> int:
    """The number of moves on a board that have not been taken back."""
    return int(world.row(number).board.ply)


def moves(world: World, number: int = 101) -> list[str]:
    """The moves on a board that have not been taken back."""
    return [entry.text for entry in standing([line.entry for line in world.query(lambda s: s.boards.log(number))])]


def _after(label: str, letter: Received) -> str:
    match = re.search(rf"^{label}((?:.|\n(?!\n|[A-Z]))*)", letter.text, re.M)
    return " ".join(match[1].split()) if match else ""
