"""Scores with a half: on a board, in its record, in the table of high scores, after a migration and back."""

import json
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from pbmserv.admin.imports import restore
from pbmserv.boards import entries
from pbmserv.boards.records import record_of, replayed
from pbmserv.db import migrate
from pbmserv.db import tables as db
from pbmserv.games.base import Outcome, Score, score_of
from pbmserv.letters.text.templates import Renderer
from pbmserv.model.ratings import ScoreLine
from tests.games.toy import TEMPLATES, Toy, installed
from tests.web.filled import begin
from tests.world import RENDERER, World


@pytest.mark.parametrize(
    ("number", "score"),
    [(12, "12"), (12.0, "12"), (12.5, "12.5"), (-0.5, "-0.5"), (0.1 + 0.2, "0.3"), (2**60 + 1, str(2**60 + 1))],
)
def test_a_score_has_one_form(number: float, score: str) -> None:
    assert str(score_of(number)) == score
    assert json.dumps(Outcome("end", (1,), (number,)).scores) == f"[{score}]"


@pytest.fixture
def played(world: World) -> Iterator[World]:
    """Solitaires 101 and 103 and board 102 of two players; in all of them everybody has half a point more."""
    with installed(Toy()):
        world.use(Renderer(str(TEMPLATES)))
        world.signup("alice", "bob")
        for players in (["alice"], ["alice", "bob"], ["alice"]):
            take_all(world, begin(world, *players, game="toy", options="half"))
        yield world


def take_all(world: World, number: int) -> None:
    """The first player always takes two stones, the second one."""
    while not (row := world.row(number)).board.result:
        (seat,) = row.board.to_move
        userid = row.players[seat].userid
        world.mail(userid, f"toy move {number} {userid} {userid}-secret {'21'[seat]}")


def scores_in_table(world: World) -> list[Score | None]:
    with world.engine.connect() as connection:
        return list(connection.scalars(sa.select(db.seat.c.score).order_by(db.seat.c.board, db.seat.c.seat)))


@pytest.mark.slow
@pytest.mark.both
def test_a_score_is_the_same_everywhere(played: World) -> None:
    assert repr(scores_in_table(played)) == "[12.5, 8.5, 4.5, 12.5]"
    assert played.row(102).board.result == Outcome("empty", (1, 2), (8.5, 4.5))
    (line,) = played.query(lambda s: s.ratings.scores("toy", "-half", 10))
    assert repr(line) == repr(ScoreLine(1, "alice", 12.5, 12.5, 2))
    assert played.query(lambda s: s.ratings.score("toy", "-half", line.place)) == line
    assert repr(played.query(lambda s: s.ratings.scores_of_boards())).endswith("(best=12.5, total=25, boards=2)}")
    played.verify()
    played.act(entries.rebuild_ratings)
    played.verify()


@pytest.mark.slow
@pytest.mark.both
def test_a_record_holds_it(played: World) -> None:
    row, log = played.row(102), played.query(lambda s: s.boards.log(102))
    record = json.loads(text := json.dumps(record_of(row, log)))
    assert record["result"]["scores"] == [8.5, 4.5]
    assert replayed(record).result == row.board.result
    number = played.act(lambda s: restore(s, text.encode(), played.now).number)
    assert played.row(number).board.result == row.board.result


@pytest.mark.slow
@pytest.mark.both
def test_letters_say_it(played: World) -> None:
    (letter,) = played.mail("alice", "toy show 101")
    assert "score 12.5 (the pile is gone)" in letter.flat
    lines = played.query(lambda s: s.ratings.scores("toy", "-half", 10))
    table = RENDERER.text(
        "mail/scores.txt", {"info": Toy.info, "tables": [("-half", lines, 1)], "mine": {"alice"}, "robots": ()}
    )
    assert "1 alice* 12.5 12.5 2" in " ".join(table.split())


@pytest.mark.both
@pytest.mark.slow
def test_a_migration_back_rounds(played: World) -> None:
    migrate.downgrade(played.engine, "0007")
    migrate.upgrade(played.engine)
    assert repr(scores_in_table(played)) in ("[13, 9, 5, 13]", "[12, 8, 4, 12]")
