"""How SQLite finds what it is asked for: by an index wherever a table grows with the age of a server."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from pbmserv import engines
from pbmserv.clock import Clock
from pbmserv.outbox import StoredOutbox
from tests.world import World

pytestmark = pytest.mark.sqlite

GROWING = ("board", "seat", "entry", "mail", "outbox")

DEEDS: dict[str, Callable[[World], Any]] = {
    "a move": lambda w: w.mail("alice", "tumble move 101 alice alice-secret h4-f6t"),
    "a list of boards": lambda w: w.mail("alice", "trippples games"),
    "a player's boards": lambda w: w.mail("alice", "tumble show alice next"),
    "finished boards": lambda w: w.mail("alice", "tumble history"),
    "letters to send": lambda w: StoredOutbox(w.engine, w.site, lambda: w.now).claim(50, 120),
    "the first run of the clock on a day": lambda w: Clock(w.engine, w.site, lambda: w.now).sweep(),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_no_table_that_grows_is_read_from_end_to_end(world: World, deed: str) -> None:
    world.board("alice", "bob", options="-c")
    world.now += timedelta(minutes=1)
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, text: str, values: Any, *_: Any) -> None:
        asked.append((text, values))

    sa.event.listen(world.engine, "before_cursor_execute", note)
    DEEDS[deed](world)
    assert asked
    assert [plan for question in asked for plan in _plans(world, *question) if _reads_all(plan)] == []


def _plans(world: World, text: str, values: Any) -> list[str]:
    """How the driver would go about a statement."""
    if not text.startswith(("SELECT", "UPDATE", "DELETE")):
        return []
    with world.engine.connect().execution_options(**engines.READ_ONLY) as connection:
        values = values[0] if isinstance(values, list) else values
        return [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)]


def _reads_all(plan: str) -> bool:
    words = plan.split()
    return words[0] == "SCAN" and words[1] in GROWING and "USING" not in words
