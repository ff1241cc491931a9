"""A board whose log is full ends, with a result that is as fair as possible."""

import json

import pytest

from pbmserv.admin.imports import restore
from pbmserv.boards import entries
from pbmserv.commands import play as commands
from pbmserv.games.base.log import Kind
from tests.commands.answers import fail, run, to
from tests.world import World

SHORT = 30
TO_AND_FRO = ("c1-c2", "f6-f5", "c2-c1", "f5-f6")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits, so that logs are full after a few moves."""
    monkeypatch.setattr(entries, "MOST_ENTRIES", SHORT)
    monkeypatch.setattr(entries, "WARNED_BEFORE", 3)
    monkeypatch.setattr(commands, "MOST_BEFORE_PROPOSALS", SHORT // 2)


def play_on(world: World, number: int, moves: int) -> None:
    """Let alice and bob move back and forth, one mail for each move."""
    for _ in range(moves):
        ply = world.row(number).board.ply
        userid = ("alice", "bob")[ply % 2]
        run(world, userid, f"tumble move {number} {userid} {userid}-secret {TO_AND_FRO[ply % 4]}")


@pytest.mark.usefixtures("short")
class TestAFullLog:
    @pytest.mark.slow
    def test_it_is_a_draw(self, world: World) -> None:
        number = world.board("alice", "bob")
        play_on(world, number, SHORT - 1)
        assert world.row(number).board.result is None
        letters = run(world, "bob", f"tumble move {number} bob bob-secret {TO_AND_FRO[(SHORT - 1) % 4]}")
        for userid in ("alice", "bob"):
            assert to(letters, userid).first_line == (
                f"Board {number} is over: a draw (because it became too long to go on)."
            )
        log = world.query(lambda s: s.boards.entries(number))
        assert [e.kind for e in log[-2:]] == [Kind.MOVE, Kind.FULL]
        assert len(log) == SHORT + 1
        world.verify()

    @pytest.mark.slow
    def test_it_counts_for_ratings_as_a_draw_by_agreement_does(self, world: World) -> None:
        play_on(world, number := world.board("alice", "bob"), SHORT)
        player = world.player("alice")
        rating = world.query(lambda s: s.ratings.find("tumble", player.id))
        assert rating
        assert (rating.boards, rating.drawn) == (1, 1)
        assert "too long to go on" in to(world.mail("alice", "tumble history"), "alice").flat
        assert number

    @pytest.mark.slow
    def test_nobody_can_go_on(self, world: World) -> None:
        number = world.board("alice", "bob")
        play_on(world, number, SHORT)
        assert "This board is over." in fail(world, "alice", f"tumble resign {number} alice alice-secret").flat

    @pytest.mark.slow
    def test_the_score_of_a_solitaire_counts(self, world: World) -> None:
        number = world.board("alice", game="town")
        letters = run(world, "alice", f"town move {number} alice alice-secret {' '.join(['store'] * (SHORT + 5))}")
        assert f"Board {number} is over: score 0 (because it became too long to go on)." in letters[0].flat
        assert "alice" in to(world.mail("alice", "town standings"), "alice").flat
        world.verify()

    @pytest.mark.slow
    def test_letters_say_that_the_end_is_near(self, world: World) -> None:
        number = world.board("alice", "bob")
        play_on(world, number, SHORT - 4)
        far = run(world, "alice", f"tumble showas alice alice-secret {number}")
        letters = run(world, "alice", f"tumble move {number} alice alice-secret {TO_AND_FRO[(SHORT - 4) % 4]}")
        assert "very long" not in far[0].flat
        assert "It ends after 3 more moves: nobody loses then, it is a draw." in to(letters, "bob").flat

    @pytest.mark.slow
    @pytest.mark.parametrize("verb", ["propose", "undo"])
    def test_proposals_alone_cannot_fill_it(self, world: World, verb: str) -> None:
        number = world.board("alice", "bob")
        play_on(world, number, 3)
        for _ in range(SHORT):
            world.mail(
                "alice", "multiple", "\n".join(f"tumble {v} {number} alice alice-secret" for v in (verb, "reject"))
            )
        assert world.row(number).board.result is None
        assert world.row(number).board.length <= SHORT // 2 + 1
        answer = fail(world, "alice", f"tumble {verb} {number} alice alice-secret")
        assert f"Board {number} is so long that it takes no more proposals." in answer.flat
        play_on(world, number, 1)

    @pytest.mark.slow
    def test_its_record_is_taken_elsewhere(self, world: World) -> None:
        number = world.board("alice", "bob")
        play_on(world, number, SHORT)
        (answer,) = run(world, "alice", f"tumble record {number}")
        record = next(p for p in answer.message.walk() if p.get_content_type() == "application/json").get_content()
        text = record if isinstance(record, bytes) else json.dumps(record).encode()
        row = world.act(lambda s: restore(s, text, world.now))
        assert row.board.result == world.row(number).board.result


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_logs_that_are_longer_already_are_replayed_as_they_are(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    number = world.board("alice", "bob")
    with monkeypatch.context() as patch:
        patch.setattr(entries, "MOST_ENTRIES", 10 * SHORT)
        play_on(world, number, SHORT + 4)
    world.verify()
    play_on(world, number, 1)
    result = world.row(number).board.result
    assert result
    assert result.reason == "length"
    world.verify()
