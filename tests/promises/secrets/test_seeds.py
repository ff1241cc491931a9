"""The seed of a board determines all its dice. Only the last letter tells it; nothing tells it before."""

import json

import pytest
import sqlalchemy as sa

from pbmserv.boards.records import record_of
from pbmserv.db import tables
from tests.web.browser import browse
from tests.world import World


def told(world: World, number: int) -> str:
    """Return all that anybody can read of a board, and all stored data except the board's own row and entries."""
    asked = ["show", "record", "legal", "preview"]
    calls = [f"3io {verb} {number} alice alice-secret" for verb in asked] + [f"3io show {number}#0 alice alice-secret"]
    letters = [x for call in calls for x in world.mail("alice", call)]
    assert len(letters) == len(calls)
    words = [str(part.get_payload(decode=True)) for x in letters for part in x.message.walk()]
    with browse(world) as pages:
        for path in ("", "/0", "/record.json"):
            page = pages.get(f"/boards/{number}{path}")
            assert page.status_code == 200
            words.append(page.text)
    log = world.query(lambda s: s.boards.log(number))
    words.append(json.dumps(record_of(world.row(number), log)))
    words.append(str(world.query(lambda s: s.players.personal_data(world.player("alice").id))))
    with world.engine.connect() as connection:
        others = [table for table in tables.metadata.sorted_tables if table is not tables.board]
        words += [str(row) for table in others for row in connection.execute(sa.select(table))]
    return "\n".join(words)


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize("end", ["3io resign {} bob bob-secret", ""])
def test_nothing_tells_it_before_the_last_letter(world: World, end: str) -> None:
    number = world.board("alice", "bob", game="3io")
    world.signup("carol")
    world.mail("carol", f"3io subscribe {number} carol carol-secret")
    world.mail("alice", f"3io move {number} alice alice-secret draw 1c3")
    seed = world.row(number).board.start.seed
    if end:
        world.mail("bob", end.format(number))
    assert (seed in told(world, number)) == bool(end)
