"""`--repetition`: players agree, when they begin a board, on how often a position stands until the board is a draw."""

import json
from itertools import cycle, islice

import pytest
import sqlalchemy as sa

from pbmserv.admin.imports import restore
from pbmserv.boards.records import replayed
from pbmserv.db import tables
from pbmserv.games.base import Outcome
from tests.boards.test_records import record
from tests.commands.answers import fail, run, to
from tests.web.browser import browse
from tests.world import World

AROUND = ("f1-g1", "c8-b8", "g1-f1", "b8-c8")  #: both players go to and fro, and the opening stands again
DRAW = Outcome("repetition", (1, 1))


@pytest.fixture
def players(world: World) -> World:
    world.signup("alice", "bob")
    return world


def shuffle(world: World, number: int, plies: int, before: int = 0) -> None:
    """Play to and fro, each move by a mail. `before`: plies that were played on another board."""
    begun = before + world.row(number).board.ply
    for move in islice(cycle(AROUND), begun, begun + plies):
        row = world.row(number)
        (seat,) = row.board.to_move
        userid = row.players[seat].userid
        run(world, userid, f"tumble move {number} {userid} {userid}-secret {move}")


@pytest.mark.slow
def test_two_robots_that_shuffle_come_to_an_end(players: World) -> None:
    run(players, "alice", "tumble challenge alice bob --repetition=5")
    shuffle(players, 101, 15)
    assert players.row().board.result is None
    letters = players.mail("bob", f"tumble move 101 bob bob-secret {AROUND[-1]}")
    assert players.row().board.result == DRAW
    assert "a draw (the same position came back)" in to(letters, "alice").flat
    players.verify()


@pytest.mark.slow
def test_undo_forgets_what_was_taken_back(players: World) -> None:
    run(players, "alice", "tumble challenge alice bob --repetition=2")
    shuffle(players, 101, 3)
    run(players, "alice", "tumble undo 101 alice alice-secret")
    run(players, "bob", "tumble accept 101 bob bob-secret")
    players.verify()
    shuffle(players, 101, 2)
    assert players.row().board.result == DRAW
    players.verify()


def test_it_stands_among_the_conditions(players: World) -> None:
    letters = run(players, "alice", "tumble challenge alice bob --repetition=5")
    said = "rated, reminder after 7 days, time limit 21 days, draw when a position stands 5 times"
    assert all(said in letter.flat for letter in letters)
    run(players, "bob", "set bob bob-secret language=de")
    (letter,) = run(players, "bob", "tumble show 101")
    assert "remis, wenn eine Stellung 5-mal entsteht" in letter.flat
    with browse(players) as pages:
        assert "draw when a position stands 5 times" in pages.get("/boards/101").text


def test_a_seek_shows_it_and_begins_such_a_board(players: World) -> None:
    run(players, "alice", "tumble seek alice alice-secret --repetition=3")
    (letter,) = run(players, "bob", "list")
    assert "draw when a position stands 3 times" in letter.flat
    run(players, "bob", "tumble join 1 bob bob-secret")
    assert players.row().board.start.repetition == 3


def test_an_invitation_says_it(players: World) -> None:
    letters = run(players, "alice", "tumble challenge alice carol@example.com --repetition=3")
    letter = to(letters, "carol@example.com")
    assert "When the same position stands 3 times, the board is a draw." in letter.flat
    players.reply(letter, "accept")
    assert players.row().board.start.repetition == 3


def test_a_rematch_keeps_it_and_a_fork_names_its_own(players: World) -> None:
    run(players, "alice", "tumble challenge alice bob --repetition=3")
    shuffle(players, 101, 2)
    run(players, "alice", "tumble fork 101 alice bob --repetition=2")
    run(players, "alice", "tumble fork 101#1 alice bob")
    run(players, "alice", "tumble resign 101 alice alice-secret")
    run(players, "alice", "tumble rematch 101 alice alice-secret")
    assert [players.row(n).board.start.repetition for n in (102, 103, 104)] == [2, 0, 3]
    shuffle(players, 102, 4, before=2)
    assert players.row(102).board.result == DRAW
    players.verify()


def test_a_record_holds_it_and_can_be_read_back(players: World) -> None:
    run(players, "alice", "tumble challenge alice bob --repetition=3")
    shuffle(players, 101, 6)
    found = record(players, with_secrets=True)
    assert found["settings"]["repetition"] == 3
    number = players.act(lambda s: restore(s, json.dumps(found).encode(), players.now)).number
    assert players.row(number).board.seen == players.row(101).board.seen
    shuffle(players, 101, 2)
    assert replayed(record(players)).result == DRAW
    del found["settings"]["repetition"], found["beginning"]  # as in records of earlier versions
    number = players.act(lambda s: restore(s, json.dumps(found).encode(), players.now)).number
    assert players.row(number).board.start.repetition == 0


def test_a_wrong_count_is_found(players: World) -> None:
    run(players, "alice", "tumble challenge alice bob --repetition=3")
    shuffle(players, 101, 2)
    with players.engine.begin() as connection:
        state = connection.execute(sa.select(tables.board.c.state)).scalar_one()
        connection.execute(sa.update(tables.board).values(state={**state, "seen": state["seen"][:-1]}))
    assert players.differences() == ["board 101: the stored keys of positions differ from the log's at ply 2"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("tumble challenge alice bob --repetition=1", "'--repetition' needs a number from 2 to 9."),
        ("tumble challenge alice bob --repetition=often", "'--repetition' needs a number from 2 to 9."),
        ("trippples challenge alice bob --repetition=3", "Trippples has its own rule for positions that come back."),
        ("loa challenge alice bob --repetition=3", "Lines of Action has its own rule for positions that come back."),
        ("chess seek alice alice-secret --repetition=3", "Chess has its own rule for positions that come back."),
        ("hex challenge alice bob --repetition=3", "A board of Hex cannot be a draw."),
        ("backgammon seek alice alice-secret --repetition=3", "A board of Backgammon cannot be a draw."),
        ("threes challenge alice --repetition=3", "A board of Threes for one player cannot be a draw."),
    ],
)
def test_it_is_refused_where_it_makes_no_sense(players: World, line: str, why: str) -> None:
    answer = fail(players, "alice", line)
    assert why in answer.flat


def test_boards_without_it_store_nothing_more(players: World) -> None:
    run(players, "alice", "tumble challenge alice bob")
    shuffle(players, 101, 2)
    with players.engine.connect() as connection:
        assert "seen" not in connection.execute(sa.select(tables.board.c.state)).scalar_one()
