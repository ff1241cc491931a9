"""What admins do to boards: it is logged, the players are told, and the ratings are right."""

import re
from pathlib import Path

import pytest

from pbmserv.boards import entries
from pbmserv.boards.clocks import deadlines
from pbmserv.games.base.log import ADMIN, Kind
from pbmserv.letters.text.templates import Renderer
from pbmserv.model import Rating
from tests.cli.conftest import Desk, move
from tests.games.bids import Bids
from tests.games.toy import TEMPLATES, installed
from tests.world import World


def kinds(world: World) -> list[Kind]:
    """The kind of each entry in the log of board 101."""
    return [line.entry.kind for line in world.query(lambda s: s.boards.log(101))]


def ratings(world: World) -> dict[str, Rating | None]:
    """The tumble ratings of alice and bob."""
    ids = {userid: world.player(userid).id for userid in ("alice", "bob")}
    return world.query(lambda s: {userid: s.ratings.find("tumble", id_) for userid, id_ in ids.items()})


def play_a_round(world: World) -> None:
    move(world, "alice", "c1-c2")
    move(world, "bob", "f6-f5")


def time_of_alice(world: World) -> float:
    """When the time of alice on board 101 runs out."""
    row = world.row()
    return deadlines.forfeit_at(row.clocks[0], row.settings) or 0.0


class TestUndo:
    def test_it_takes_the_last_move_back_and_tells_both(self, desk: Desk) -> None:
        play_a_round(desk.world)
        alice, bob = desk.letters("boards", "undo", "101", "--yes", "--why", "bob mistyped")
        assert desk.world.row().board.ply == 1
        for letter in (alice, bob):
            assert "The admin of this server has taken back all moves after ply 1." in letter.flat
            assert "Reason: bob mistyped" in letter.flat
        assert bob.first_line == "Your move, bob."
        assert desk.event() == ("board 101: undo to ply 1, 1 entries", "bob mistyped")
        desk.world.verify()

    def test_the_log_only_grows(self, desk: Desk) -> None:
        play_a_round(desk.world)
        desk.run("boards", "undo", "101", "--yes")
        assert kinds(desk.world) == [Kind.MOVE, Kind.MOVE, Kind.REVERT]
        assert desk.json("boards", "log", "101")[-1]["player"] == "the admin"

    def test_a_letter_from_before_does_nothing(self, desk: Desk) -> None:
        move(desk.world, "alice", "c1-c2")
        world = desk.world
        letter = next(x for x in world.mail("bob", "tumble move 101 bob bob-secret f6-f5") if x.to.startswith("alice"))
        desk.letters("boards", "undo", "101", "--ply", "0", "--yes")
        (answer,) = world.reply(letter, "c2-c3")
        assert "There is a newer letter about this board" in answer.flat
        assert "Since then: the admin revert." in answer.flat
        world.verify()

    def test_it_goes_back_to_a_ply_and_the_game_goes_on(self, desk: Desk) -> None:
        play_a_round(desk.world)
        desk.run("boards", "undo", "101", "--ply", "0", "--yes")
        assert desk.world.row().board.ply == 0
        play_a_round(desk.world)
        assert desk.world.row().board.ply == 2
        desk.world.verify()

    @pytest.mark.slow
    def test_a_finished_board_runs_again_and_nothing_is_rated(self, desk: Desk) -> None:
        desk.world.play()
        desk.world.mail("bob", "tumble resign 101 bob bob-secret")
        assert all(ratings(desk.world).values())
        alice, _ = desk.letters("boards", "undo", "101", "--yes")
        assert alice.first_line == "Your move, alice."
        assert set(ratings(desk.world).values()) == {None}
        assert desk.world.row().over is None
        desk.world.mail("bob", "tumble resign 101 bob bob-secret")
        assert all(ratings(desk.world).values())
        desk.world.verify()

    @pytest.mark.slow
    def test_boards_that_ended_later_are_rated_anew(self, desk: Desk) -> None:
        world = desk.world
        world.board("alice", "bob")
        for number in (101, 102):
            for userid, text in (("alice", "c1-c2"), ("bob", "f6-f5")):
                move(world, userid, text, board=number)
            world.play(number)
            world.mail("bob", f"tumble resign {number} bob bob-secret")
        desk.run("boards", "undo", "101", "--yes")
        after = ratings(world)
        assert [r.boards for r in after.values() if r] == [1, 1]
        world.act(entries.rebuild_ratings)
        assert ratings(world) == after

    def test_queued_moves_lapse(self, desk: Desk) -> None:
        play_a_round(desk.world)
        desk.world.mail("bob", "tumble queue 101 bob bob-secret f5-f4")
        _, bob = desk.letters("boards", "undo", "101", "--yes")
        assert "Your queued moves were cancelled" in bob.flat
        assert desk.world.query(lambda s: s.waiting_moves.queues(101)) == {}

    @pytest.mark.slow
    def test_past_chance_it_must_be_said(self, desk: Desk) -> None:
        desk.world.board("alice", "bob", game="3io", options="-twostep")
        desk.world.mail("alice", "3io move 102 alice alice-secret draw 1c3")
        before = desk.world.dump()
        assert "--past-chance" in desk.says("boards", "undo", "102", "--ply", "0", "--yes", code=65)
        assert desk.world.dump() == before
        desk.run("boards", "undo", "102", "--ply", "0", "--yes", "--past-chance")
        assert desk.world.row(102).board.ply == 0
        desk.world.verify()

    @pytest.mark.parametrize("flag", [(), ("--past-chance",)])
    def test_a_board_whose_seed_was_told_does_not_go_on(self, desk: Desk, flag: tuple[str, ...]) -> None:
        world = desk.world
        number = world.board("alice", "bob", game="3io")
        letters = world.mail("bob", f"3io resign {number} bob bob-secret")
        assert world.row(number).board.start.seed in letters[-1].text
        before = world.dump()
        said = desk.says("boards", "undo", str(number), "--yes", *flag, code=65)
        assert world.dump() == before
        assert "told its seed" in said
        (hint,) = re.findall(r"3io fork \S+ alice bob", said)
        world.mail("alice", hint)
        forked = world.row(number + 1).board
        assert forked.position == world.row(number).board.position
        assert forked.start.seed != world.row(number).board.start.seed

    @pytest.mark.slow
    def test_nor_does_a_board_that_hid_something(self, desk: Desk) -> None:
        """Receipts of hidden moves to come would be sealed with a seed that everybody knows."""
        world = desk.world
        with installed(Bids()):
            world.use(Renderer(str(TEMPLATES)))
            number = world.board("alice", "bob", game="bids")
            world.mail("bob", f"bids resign {number} bob bob-secret")
            assert "told its seed" in desk.says("boards", "undo", str(number), "--yes", code=65)

    def test_how_it_ended_can_still_be_taken_back(self, desk: Desk) -> None:
        number = desk.world.board("alice", "bob", game="3io")
        desk.world.mail("bob", f"3io resign {number} bob bob-secret")
        desk.run("boards", "void", str(number), "--yes")
        desk.run("boards", "undo", str(number), "--yes")
        result = desk.world.row(number).board.result
        assert result
        assert result.reason == "resign"

    @pytest.mark.parametrize(
        ("words", "code", "says"),
        [
            (("101",), 65, "Nothing has happened"),
            (("101", "--ply", "5"), 65, "only an earlier one"),
            (("999",), 66, "There is no board 999."),
        ],
    )
    def test_what_cannot_be_taken_back(self, desk: Desk, words: tuple[str, ...], code: int, says: str) -> None:
        before = desk.world.dump()
        assert says in desk.says("boards", "undo", *words, "--yes", code=code)
        assert desk.world.dump() == before


class TestVoid:
    def test_a_running_board_ends_without_a_result(self, desk: Desk) -> None:
        play_a_round(desk.world)
        alice, bob = desk.letters("boards", "void", "101", "--yes", "--why", "begun by mistake")
        assert alice.first_line == "Board 101 is over: no result (declared void by the admin)."
        assert "Reason: begun by mistake" in bob.flat
        assert set(ratings(desk.world).values()) == {None}
        desk.world.verify()

    @pytest.mark.slow
    def test_a_result_is_struck_out(self, desk: Desk) -> None:
        desk.world.play()
        desk.world.mail("bob", "tumble resign 101 bob bob-secret")
        desk.run("boards", "void", "101", "--yes")
        assert set(ratings(desk.world).values()) == {None}
        assert "void already" in desk.says("boards", "void", "101", "--yes", code=65)
        desk.run("boards", "undo", "101", "--yes")
        assert all(ratings(desk.world).values())
        assert desk.world.row().board.result is not None
        desk.world.verify()


class TestAdjudicate:
    @pytest.mark.slow
    def test_a_winner_is_rated(self, desk: Desk) -> None:
        desk.world.play()
        alice, _ = desk.letters("boards", "adjudicate", "101", "bob", "--yes", "--why", "alice is gone")
        assert alice.first_line == "Board 101 is over: bob wins (by the admin's decision)."
        rated = ratings(desk.world)
        assert rated["bob"] is not None
        assert rated["bob"].won == 1
        desk.run("boards", "adjudicate", "101", "--draw", "--yes")
        rated = ratings(desk.world)
        assert rated["bob"] is not None
        assert (rated["bob"].won, rated["bob"].drawn) == (0, 1)
        desk.world.verify()

    def test_places_in_a_game_of_three(self, desk: Desk) -> None:
        number = desk.world.board("alice", "bob", "carol", game="3io")
        desk.run("boards", "adjudicate", str(number), "carol", "alice", "--yes")
        result = desk.world.row(number).board.result
        assert result is not None
        assert result.ranks == (2, 3, 1)
        assert "named twice" in desk.says("boards", "adjudicate", str(number), "bob", "bob", "--yes", code=65)
        desk.world.verify()

    @pytest.mark.parametrize(("words", "code"), [(("zoe",), 65), ((), 64), (("alice", "--draw"), 64)])
    def test_who_must_be_named(self, desk: Desk, words: tuple[str, ...], code: int) -> None:
        desk.run("boards", "adjudicate", "101", *words, "--yes", code=code)


class TestMove:
    def test_log_and_letters_say_that_it_was_an_admin(self, desk: Desk) -> None:
        alice, bob = desk.letters("boards", "move", "101", "alice", "c1-c2", "--why", "her mail was lost")
        for letter in (alice, bob):
            assert "The admin of this server has moved for alice: c1-c2" in letter.flat
        assert bob.first_line == "Your move, bob."
        log = [line.entry for line in desk.world.query(lambda s: s.boards.log(101))]
        assert [(e.seat, e.kind) for e in log] == [(ADMIN, Kind.ADMIN), (0, Kind.MOVE)]
        desk.run("boards", "undo", "101", "--yes")
        assert desk.world.query(lambda s: s.boards.log(101))[-1].entry.text == "0"
        desk.world.verify()

    @pytest.mark.parametrize(
        "words", [("bob", "f6-f5"), ("alice", "c1-c2", "c2-c3"), ("alice", "c1-c8"), ("carol", "x")]
    )
    def test_all_or_nothing(self, desk: Desk, words: tuple[str, ...]) -> None:
        desk.world.signup("carol")
        before = desk.world.dump()
        desk.run("boards", "move", "101", *words, code=65)
        assert desk.world.dump() == before

    def test_what_was_queued_is_played(self, desk: Desk) -> None:
        desk.world.mail("bob", "tumble queue 101 bob bob-secret f6-f5")
        desk.run("boards", "move", "101", "alice", "c1-c2")
        assert desk.world.row().board.ply == 2

    def test_subscribers_read_of_it(self, desk: Desk) -> None:
        desk.world.signup("carol")
        desk.world.mail("carol", "tumble subscribe 101 carol carol-secret")
        letters = desk.letters("boards", "void", "101", "--yes")
        assert [x.to.partition("@")[0] for x in letters] == ["alice", "bob", "carol"]

    @pytest.mark.slow
    def test_a_ruled_board_is_read_back(self, desk: Desk) -> None:
        desk.run("boards", "move", "101", "alice", "c1-c2")
        desk.run("boards", "undo", "101", "--yes")
        play_a_round(desk.world)
        desk.run("boards", "adjudicate", "101", "alice", "--yes")
        file = Path("board.json")
        file.write_text(desk.run("boards", "record", "101").stdout)
        assert "alice wins (by the admin's decision)" in desk.says("boards", "import", "board.json")
        desk.world.verify()
        file.write_text(file.read_text().replace('"kind": "revert"', '"kind": "resign"'))
        assert "The log is broken at entry 3" in desk.says("boards", "import", "board.json", code=65)


class TestAsking:
    def test_without_anybody_to_ask_it_needs_yes(self, desk: Desk) -> None:
        before = desk.world.dump()
        assert "--yes" in desk.says("boards", "void", "101", code=64)
        assert desk.world.dump() == before

    @pytest.fixture
    def _somebody(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbmserv.cli.terminal.acting.is_interactive", lambda: True)

    @pytest.mark.usefixtures("_somebody")
    def test_no_changes_nothing(self, desk: Desk) -> None:
        before = desk.world.dump()
        assert "Nothing was done." in desk.says("boards", "void", "101", code=1, stdin="n\n")
        assert desk.world.dump() == before

    @pytest.mark.usefixtures("_somebody")
    def test_the_reason_is_asked_for(self, desk: Desk) -> None:
        desk.run("boards", "void", "101", stdin="y\nboth want it\n")
        assert desk.event() == ("board 101: void", "both want it")


def test_each_reads_it_in_his_own_language(desk: Desk) -> None:
    desk.world.mail("bob", "set bob bob-secret language=de")
    alice, bob = desk.letters("boards", "adjudicate", "101", "alice", "--yes", "--why", "Bob ist umgezogen")
    assert "The admin of this server has decided how this board ends: alice wins" in alice.flat
    assert "hat entschieden, wie die Partie endet: alice gewinnt (durch Entscheidung des Betreibers)." in bob.flat
    assert "Grund: Bob ist umgezogen" in bob.flat


class TestExtend:
    def test_a_turn_lasts_so_much_longer_and_both_are_told(self, desk: Desk) -> None:
        limit = time_of_alice(desk.world)
        alice, bob = desk.letters("boards", "extend", "101", "alice", "3d", "--why", "a lost letter")
        for letter in (alice, bob):
            assert "The admin of this server has given alice 3 days more for this move." in letter.flat
            assert "Reason: a lost letter" in letter.flat
        assert desk.event() == ("board 101: 3 days more for alice", "a lost letter")
        assert time_of_alice(desk.world) == limit + 3 * deadlines.DAY

    def test_nothing_is_left_of_it_after_the_move(self, desk: Desk) -> None:
        desk.run("boards", "extend", "101", "alice", "12h")
        move(desk.world, "alice", "c1-c2")
        assert desk.world.row().clocks[0].used == 0
        desk.world.verify()

    @pytest.mark.parametrize(
        ("words", "code", "says"),
        [
            (("bob", "3d"), 65, "bob is not to move on board 101"),
            (("carol", "3d"), 66, "There is no player carol."),
            (("alice", "soon"), 64, "'soon' is not a time up to a year"),
            (("alice", "0d"), 64, "'0d' is not a time up to a year"),
        ],
    )
    def test_what_is_refused(self, desk: Desk, words: tuple[str, ...], code: int, says: str) -> None:
        assert says in desk.says("boards", "extend", "101", *words, code=code)
