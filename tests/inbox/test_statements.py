"""What a move costs the database. Hardly anybody would notice one statement more, or one more wait for PostgreSQL."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbmserv.db import engines
from tests.commands.answers import run, status
from tests.world import Received, World

pytestmark = pytest.mark.both

_BEFORE = 7  #: moves that are played before one is counted: then all statements are prepared


@contextmanager
def counted(world: World, folder: Path) -> Iterator[Counter[str]]:
    """Count what the database is told: `statements`, and on PostgreSQL the `waits` for results."""
    found, trace = Counter[str](), folder / "trace"

    def listen(connection: object, *_: object) -> None:
        if engines.has_one_writer(world.engine):
            connection.set_trace_callback(lambda _: found.update(["statements"]))  # type: ignore[attr-defined]
        else:
            connection.pgconn.trace(file.fileno())  # type: ignore[attr-defined]

    with trace.open("w") as file:
        sa.event.listen(world.engine, "checkout", listen)
        yield found
        sa.event.remove(world.engine, "checkout", listen)
        world.engine.dispose()
    sent = Counter(re.findall(r"^[^\t]*\tF\t\d+\t(\w+)", trace.read_text(), re.MULTILINE))
    found.update(statements=sent["Execute"] + sent["Query"], waits=sent["Sync"] + sent["Query"])


def move(world: World, letters: dict[str, Received], *, password: bool) -> None:
    """Play a move, with an answer to the last letter or with a password. `letters`: the last one to each player."""
    row = world.row()
    (seat,) = row.board.to_move
    userid = row.players[seat].userid
    text = row.game.format(row.game.legal_moves(row.board.position, seat)[0])
    if password:
        found = run(world, userid, f"tumble move 101 {userid} {userid}-secret {text}", "well met")
    else:
        found = world.reply(letters[f"{userid}@example.org"], f"{text}\n\nwell met")
    assert status(world) == "done"
    letters.update({letter.to: letter for letter in found})


def cost(world: World, folder: Path, *, password: bool) -> Counter[str]:
    """Return what one move costs, in the middle of a game."""
    world.board("alice", "bob")
    letters = {letter.to: letter for letter in world.letters()}
    for _ in range(_BEFORE):
        move(world, letters, password=password)
    with counted(world, folder) as found:
        move(world, letters, password=password)
    return found


def test_a_move_in_an_answer(world: World, tmp_path: Path) -> None:
    print(cost(world, tmp_path, password=False))
    assert 0


def test_a_move_with_a_password(world: World, tmp_path: Path) -> None:
    print(cost(world, tmp_path, password=True))
    assert 0
