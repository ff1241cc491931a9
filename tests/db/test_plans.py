"""No query for a player or for the clock makes SQLite scan a whole table, even if the table is small in a test."""

import re
import sqlite3
from collections.abc import Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.boards.seasons import challenging
from pbmserv.db import tables as db
from pbmserv.server.clock import Clock
from tests.boards.seasons import events
from tests.web.filled import fill
from tests.world import World

pytestmark = pytest.mark.sqlite

_COMMANDS = (
    *("list", "games", "help", "who alice", "who nobody2", "all show alice", "all show alice next"),
    *("tumble standings", "tumble standings all", "threes standings", "tumble history", "tumble history alice"),
    *("tumble games", "tumble games alice all", "tumble show 101", "tumble show alice all", "tumble show alice next"),
    *(
        "tumble show 777",
        "tumble record 101",
        "tumble move 101 alice wrong b3-c3",
        "tumble resign 102 alice alice-secret",
    ),
    *("set alice alice-secret", "vacation alice alice-secret", "tumble limit alice alice-secret", "forgot alice"),
    *("tumble seek alice alice-secret", "tumble join 1 alice alice-secret", "tumble withdraw 3 alice alice-secret"),
    *("tumble notify alice alice-secret", "tumble subscribe 109 alice alice-secret", "trippples challenge alice bob"),
    *("tumble challenge alice friend@example.net", "signup alice other-secret", "signup dora dora-secret"),
    *("tumble resign 101 alice alice-secret", "threes challenge alice", "threes resign 110 alice alice-secret"),
    *("vacation alice alice-secret 5", "vacation alice alice-secret off", "broadcast alice alice-secret"),
    *("signoff carol carol-secret", "digest", "nonsense"),
)
#: Tables of which a statement wants all rows: bans, letters that wait for the morning, values of the clock, robots.
_SHORT = {"ban", "collected", "fact", "level", "robot", "thinking"}
_LONG = set(db.metadata.tables) - _SHORT
#: A broadcast wants all rows of the first index, puzzles those of the second, a list that marks robots of the third.
_SEASON = re.compile(r"SEARCH entrant .*\(tournament=\? AND season=\?\)")  #: inside a join it is rows times rows
_WANTED = re.compile("USING (?:COVERING )?INDEX (?:ix_preference_broadcasts|ix_preference_puzzle|ix_player_robot)")


@pytest.fixture
def said(world: World) -> Iterator[list[str]]:
    """Collects the statements that are run, with their values filled in."""
    found: list[str] = []

    def listen(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_trace_callback(found.append)

    fill(world)
    world.signup("dave")
    sa.event.listen(world.engine, "checkout", listen)
    yield found
    sa.event.remove(world.engine, "checkout", listen)


def whole_tables(world: World, statements: list[str]) -> set[str]:
    """The statements that scan a whole table which can be long, or all entrants for each row of another one.

    A scan with a LIMIT is all right.
    """
    found = set()
    asked = {s for s in statements if re.match("SELECT|UPDATE|DELETE|WITH", s)}
    with world.engine.connect() as connection:
        for statement in sorted(asked):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")
            steps = [row[3] for row in plan if not _WANTED.search(row[3])]
            tables = {match[1] for step in steps if (match := re.match(r"SCAN (\w+)", step))}
            if (tables & _LONG and "LIMIT" not in statement) or any(_SEASON.search(step) for step in steps[1:]):
                found.add(statement)
        connection.rollback()
    return found


@pytest.mark.slow
def test_commands(world: World, said: list[str]) -> None:
    for command in _COMMANDS:
        world.mail("alice", command, "well met")
    assert len(said) > 500
    assert whole_tables(world, list(said)) == set()


@pytest.mark.slow
def test_the_clock(world: World, said: list[str]) -> None:
    clock = Clock(world.engine, world.site, lambda: world.now, gap=float("inf"))
    for _ in range(3):
        clock.sweep()
        world.now += timedelta(days=31)
    assert len(said) > 50
    assert whole_tables(world, list(said)) == set()


@pytest.mark.slow
def test_tournaments(world: World, said: list[str]) -> None:
    """A season of a league, a challenge on a ladder, and what follows from forfeits."""
    events.everybody_meets(world, "quin", "rosa", "seth")
    entries = tuple(f"entrant{n}" for n in range(5))
    number = events.announced(world)
    events.entered(world, number, *entries)
    ladder = events.begun(world, "tess", "ursa", form="ladder")
    tess, ursa = world.player("tess"), world.player("ursa")
    world.act(lambda s: challenging.challenge(s, ladder, ursa, tess, world.now))
    clock = Clock(world.engine, world.site, lambda: world.now, gap=float("inf"))
    for _ in range(4):
        world.now += timedelta(days=8)
        clock.sweep()
        for entry in world.query(lambda s: s.tournaments.pairings(number, 1)):
            loser = world.query(lambda s, p=entry: s.players.by_id(p.first))  # type: ignore[misc]
            if loser and not entry.decided and entry.id % 3:
                world.mail(loser.userid, f"tumble decline {entry.board} {loser.userid} {loser.userid}-secret")
    world.mail("tess", "signoff tess tess-secret")
    assert whole_tables(world, list(said)) == set()


@pytest.mark.slow
def test_a_whole_table_would_be_noticed(world: World, said: list[str]) -> None:
    world.query(lambda s: s.players.all())
    assert whole_tables(world, list(said))
