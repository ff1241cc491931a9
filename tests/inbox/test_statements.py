"""What a move costs the database. Hardly anybody would notice one statement more, or one more wait for PostgreSQL."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbmserv.db import engines
from pbmserv.inbox.pipeline import Prepared
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, Incoming
from tests.commands.answers import status
from tests.inbox.mails import message
from tests.tools.tree import ROOT
from tests.world import ADDRESS, World

pytestmark = pytest.mark.both

_BEFORE = 7  #: moves that are played before one is counted: then all statements are prepared


@contextmanager
def counted(world: World, folder: Path) -> Iterator[Counter[str]]:
    """Count what the database is told: `statements`, and on PostgreSQL the `waits` for results."""
    found, trace = Counter[str](), folder / "trace"

    def note(statement: str) -> None:
        found["statements"] += not statement.startswith("PRAGMA")  # asked before and after the lock is taken

    def listen(connection: object, *_: object) -> None:
        if engines.has_one_writer(world.engine):
            connection.set_trace_callback(note)  # type: ignore[attr-defined]
        else:
            connection.pgconn.trace(file.fileno())  # type: ignore[attr-defined]

    with trace.open("w") as file:
        sa.event.listen(world.engine, "checkout", listen)
        yield found
        sa.event.remove(world.engine, "checkout", listen)
        world.engine.dispose()
    sent = Counter(re.findall(r"^[^\t]*\tF\t\d+\t(\w+)", trace.read_text(), re.MULTILINE))
    found.update(statements=sent["Execute"] + sent["Query"], waits=sent["Sync"] + sent["Query"])


def move(world: World, *, password: bool) -> Prepared:
    """Return a mail with a move, ready for its transaction: an answer to a letter, or a line with a password."""
    row = world.row()
    (seat,) = row.board.to_move
    userid = row.players[seat].userid
    text = row.game.format(row.game.legal_moves(row.board.position, seat)[0])
    to, subject, body = ADDRESS, f"tumble move 101 {userid} {userid}-secret {text}", "well met"
    if not password:
        to = world.site.signer.sign(signed_addresses.BOARD, 101, seat, row.board.length)
        subject, body = "Re: Tumble Board 101", f"{text}\n\nwell met"
    data = message(userid, subject, body, number=row.board.length)
    return world.pipeline.prepare(Incoming(data, f"{userid}@example.org", (to,), "192.0.2.1"))


def cost(world: World, folder: Path, *, password: bool) -> dict[str, int]:
    """Return what one move costs, in the middle of a game."""
    world.board("alice", "bob")
    for _ in range(_BEFORE):
        assert world.pipeline.handle([move(world, password=password)]) == [ACCEPTED]
    mail = move(world, password=password)
    with counted(world, folder) as found:
        assert world.pipeline.handle([mail]) == [ACCEPTED]
    assert (status(world), world.row().board.length) == ("done", _BEFORE + 1)
    return dict(found)


def expected(world: World, statements: int, waits: int) -> dict[str, int]:
    """Return what a move may cost. SQLite answers at once."""
    return {"statements": statements, "waits": 0 if engines.has_one_writer(world.engine) else waits}


def test_a_move_in_an_answer(world: World, tmp_path: Path) -> None:
    """docs/pipelining.md has them all, with the round trip of each."""
    numbers = re.findall(r"^\| (\d+) \| (\d+) \|", (ROOT / "docs/pipelining.md").read_text(), re.MULTILINE)
    statements, trips = map(int, numbers[-1])
    assert cost(world, tmp_path, password=False) == expected(world, statements, trips)


def test_a_move_with_a_password(world: World, tmp_path: Path) -> None:
    """The same, and who has that password."""
    assert cost(world, tmp_path, password=True) == expected(world, 20, 6)


def test_a_list_of_all_games_asks_twice_for_each(world: World, tmp_path: Path) -> None:
    """Boards and seeks. Who plays there is asked for all games together."""
    world.board("alice", "bob")
    assert world.mail("alice", "list")  # the first mail on a connection is not the usual one
    data = message("alice", "list")
    with counted(world, tmp_path) as found:
        prepared = world.prepare(Incoming(data, "alice@example.org", (ADDRESS,), "192.0.2.1"))
        assert world.pipeline.handle([prepared]) == [ACCEPTED]
    assert found["statements"] < 2 * len(world.site.games) + 30
