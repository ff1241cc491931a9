"""`boards verify` accepts the rows that a server writes. It finds and names each kind of damage."""

import re
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from pbmserv.cli.main import app
from pbmserv.server.clock import Clock
from tests.world import World


@pytest.fixture
def played(world: World) -> World:
    """Board 101: alice has resigned. 102: both have moved. 103 and 104: no move yet. There are mails of every kind."""
    world.once(_play)
    return world


def _play(world: World) -> None:
    for _ in range(4):
        world.board("alice", "bob", options="-c")
    for number in (101, 102):
        world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
        world.mail("bob", f"tumble move {number} bob bob-secret a5-b4t")
    world.play(101)
    world.mail("alice", "tumble resign 101 alice alice-secret")
    world.mail("bob", "tumble move 102 bob bob-secret a1-a1")  # an error
    world.mail("someone@example.net", "out of office", Auto_Submitted="auto-replied")


def spoil(world: World, *statements: str) -> None:
    """Run these statements without checks of foreign keys, which the server's own statements never do."""
    if world.engine.dialect.name == "sqlite":
        with closing(sqlite3.connect(world.file)) as file, file:
            for statement in statements:
                file.execute(statement)
        return
    with world.engine.begin() as connection:
        for statement in ("SET LOCAL session_replication_role = replica", *statements):
            connection.execute(sa.text(statement))


@pytest.mark.slow
@pytest.mark.both
def test_nothing_is_wrong_with_what_the_server_writes(played: World) -> None:
    played.verify()


@pytest.mark.both
@pytest.mark.slow
def test_what_was_forgotten_in_time_is_not_missed(played: World) -> None:
    played.now += timedelta(days=500)
    Clock(played.engine, played.site, lambda: played.now, gap=1e9).sweep()
    assert played.query(lambda s: s.audit.count_rows("outbox")) < 40  # letters that were sent are deleted after a while
    spoil(played, "DELETE FROM outbox")
    played.verify()


@pytest.mark.slow
@pytest.mark.both
def test_who_wants_no_letters_for_his_own_moves_misses_none(played: World) -> None:
    played.mail("alice", "set alice alice-secret own=off digest=daily")
    played.mail("bob", "set bob bob-secret digest=daily")
    played.mail("alice", "tumble move 103 alice alice-secret h4-g5t")
    played.verify()


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE board SET ply = 7 WHERE number = 102", "board 102: the stored ply is 7, the log's 2"),
        ("UPDATE board SET length = 3 WHERE number = 102", "board 102: the stored length is 3, the log's 2"),
        (
            "UPDATE board SET position = (SELECT position FROM board WHERE number = 103) WHERE number = 102",
            "board 102: the stored position differs from the log's",
        ),
        ("UPDATE board SET over = NULL WHERE number = 101", "board 101: it is over, and its end says otherwise"),
        ("UPDATE board SET ending = 5 WHERE number = 101", "1 boards have ended, but their endings are numbered to 5"),
        ("DELETE FROM entry WHERE board = 102 AND number = 1", "board 102: the log has a gap: 1 is missing"),
        ("DELETE FROM entry WHERE board = 102 AND number = 2", "board 102: the stored length is 2, the log's 1"),
        (
            "UPDATE entry SET text = 'h4-h4' WHERE board = 102 AND number = 1",
            "board 102: entry 1 cannot be played: .*",
        ),
        ("UPDATE entry SET ply = 5 WHERE board = 102", "board 102: entry 1 is not what its replay makes of it"),
        ("UPDATE entry SET mail_id = 4711 WHERE board = 102", "board 102: entry 1: the mail 4711 is not there"),
        (
            "UPDATE mail SET status = 'refused' "
            "WHERE id = (SELECT mail_id FROM entry WHERE board = 101 AND number = 5)",
            "board 101: entry 5: the mail 11 did nothing",
        ),
        (
            "UPDATE mail SET received = '2027-01-01 00:00:00' "
            "WHERE id = (SELECT mail_id FROM entry WHERE board = 101 AND number = 5)",
            "board 101: entry 5: the mail 11 came later",
        ),
        ("DELETE FROM board WHERE number = 104", "letter 7: the board 104 is not there"),
        ("DELETE FROM board WHERE number = 102", "board 102: entry 1: its board is not there"),
        (
            "DELETE FROM outbox WHERE mail_id = (SELECT mail_id FROM entry WHERE board = 101 AND number = 5)",
            "board 101: entry 5: the mail 11 caused no letter",
        ),
        ("UPDATE seat SET to_move = NOT to_move WHERE board = 102", "board 102: seat 0 is not to move as .*"),
        ("UPDATE seat SET rank = 1 WHERE board = 101", "board 101: the ranks of its seats are not those of the result"),
        ("UPDATE seat SET score = 3 WHERE board = 102", "board 102: the scores of its seats are not those .*"),
        ("UPDATE seat SET seat = seat + 5 WHERE board = 104", "board 104: its seats are not numbered from 0"),
        ("UPDATE mail SET status = 'lost' WHERE id = 3", "mail 3: its status is unknown"),
        ("UPDATE mail SET status = 'shelved' WHERE id = 1", "mail 1: it is shelved, but its bytes are gone"),
        ("UPDATE mail SET sealed = 'x' WHERE id = 2", "mail 2: its bytes were not erased"),
        ("UPDATE outbox SET mail_id = 4711 WHERE id = 1", "letter 1: the mail 4711 is not there"),
        ("UPDATE outbox SET board = 99 WHERE id = 1", "letter 1: the board 99 is not there"),
        ("UPDATE outbox SET mail_id = NULL, kind = 'reset' WHERE id = 1", "letter 1: no mail caused it"),
        ("UPDATE outbox SET created = '2020-01-01 00:00:00' WHERE id = 1", "letter 1: the mail 1 came later"),
        ("UPDATE outbox SET status = 'lost' WHERE id = 1", "letter 1: its status is unknown"),
        ("UPDATE outbox SET finished = created WHERE id = 1", "letter 1: it waits, but is finished"),
        ("UPDATE outbox SET status = 'sent' WHERE id = 1", "letter 1: it neither waits nor is finished"),
        ("UPDATE rating SET mu = mu + 0.01 WHERE won = 1", "the tumble rating of bob is not that of the boards: .*"),
        ("DELETE FROM rating WHERE lost = 1", "the tumble rating of alice is not that of the boards: .*"),
        ("UPDATE rating SET level = level + 1 WHERE won = 1", "the place of bob in tumble is counted wrongly: .*"),
        ("UPDATE level SET players = 2", r"the ratings of tumble have 1 players at level \d+, not 2: .*"),
        ("DELETE FROM level", r"the ratings of tumble have 1 players at level \d+, not 0: .*"),
        (
            "INSERT INTO score (game, variant, player_id, best, total, boards, level) "
            "VALUES ('threes', '', 1, 5, 5, 1, 5)",
            "the threes high score of alice is not that of the boards: pbmserv ratings rebuild",
        ),
        (
            "UPDATE seat SET mu_after = mu_after + 1 WHERE board = 101 AND seat = 1",
            "board 101: the change of the rating of seat 1 is not that of its result",
        ),
    ],
)
def test_what_is_spoilt_is_named(played: World, statement: str, found: str) -> None:
    spoil(played, statement)
    differences = played.differences()
    assert [d for d in differences if re.fullmatch(found, d)], differences


@pytest.mark.slow
@pytest.mark.both
def test_the_command_counts_and_ends_with_1(played: World) -> None:
    def verify(*words: str) -> Result:
        return CliRunner().invoke(app, ["boards", "verify", *words], env={"PBMSERV_DATABASE_URL": played.url})

    well = verify()
    assert well.exit_code == 0, well.output
    assert well.stdout.splitlines() == [
        "4 boards replayed, 0 differences",
        "7 entries checked, 0 differences",
        "13 mails checked, 0 differences",
        "23 letters checked, 0 differences",
        "1 finished boards rated again, 0 differences",
        "0 pairings recounted, 0 differences",
    ]
    spoil(played, "UPDATE board SET ply = 7 WHERE number = 102", "UPDATE mail SET status = 'lost' WHERE id = 3")
    spoilt = verify()
    assert spoilt.exit_code == 1
    assert (
        "4 boards replayed, 1 differences\n7 entries checked, 0 differences\nmail 3: its status is unknown\n"
        in spoilt.stdout
    )
    assert (verify("101").exit_code, verify("102").exit_code) == (0, 1)
    assert "board 99: there is no such board" in verify("99").stdout
