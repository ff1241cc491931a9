"""The cost of one mail, and of one sender in a day, is limited. Without limits, 1 kB can occupy the server for 17 s.

The tests count work, not time: replayed moves, stored bytes, executed statements.
"""

import time
from dataclasses import replace

import pytest
import sqlalchemy as sa

from pbmserv.boards.past import (
    ENTRIES_OF_A_PAGE,
    FEW_BYTES,
    FEW_PAGES,
    FEW_REPLAYED,
    MOST_AGAINST_ONESELF,
    MOST_ANSWER_BYTES,
    MOST_MOVES,
    MOST_PAGES,
    MOST_REPLAYED,
)
from pbmserv.db import tables
from tests.commands.answers import fail, ply, run, status, to
from tests.promises.hostile.long_boards import begin_long, count_replayed
from tests.world import World

LONG = 3_000
SECONDS = 10  #: seconds of processor time: ten times what a mail may cost


def stored(world: World) -> int:
    """Return the bytes of all letters."""
    with world.engine.connect() as connection:
        return int(connection.execute(sa.select(sa.func.sum(sa.func.length(tables.outbox.c.data)))).scalar_one())


def ask(world: World, *lines: str) -> str:
    """Send several commands, the first of which proves who asks, and return the answer."""
    return ask_as_anybody(world, "vacation alice alice-secret", *lines)


def ask_as_anybody(world: World, *lines: str) -> str:
    """Send several commands that do not prove who asks, and return the answer."""
    return world.mail("alice", "multiple", "\n".join(lines))[-1].flat


def limit_answers(world: World, answers: int, megabytes: int = 10) -> None:
    """Let an address get only so many answers a day from now on."""
    policy = replace(world.site.policy, answers_a_day=answers, answer_mb_a_day=megabytes)
    world.site = replace(world.site, policy=policy)
    world.use(world.site.renderer)


class TestOneMail:
    @pytest.mark.slow
    def test_earlier_positions_of_a_board_cost_one_replay(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        number = begin_long(world, LONG, "alice", "alice")
        began = time.process_time()
        with count_replayed(monkeypatch) as replayed:
            answer = ask(world, *(f"tumble show {number}#{ply}" for ply in (2990, 7, 3000, 2998, 1, 0)))
        assert status(world) == "done", answer[-300:]
        assert len(replayed) == LONG
        for ply_ in (2990, 7, 3000, 2998, 1, 0):
            assert f"after ply {ply_} " in answer
        assert time.process_time() - began < SECONDS

    def test_a_position_is_the_one_of_its_ply(self, world: World) -> None:
        number = world.board("alice", "bob")
        boards = [world.row(number).board]
        for player, move in (("alice", "c1-c2"), ("bob", "f6-f5"), ("alice", "c2-c3")):
            run(world, player, f"tumble move {number} {player} {player}-secret {move}")
            boards.append(world.row(number).board)
        diagrams = [world.site.renderer.diagram(b.game, b.game.view(b.position, None)) for b in boards]
        (answer,) = world.mail("alice", "multiple", "\n".join(f"tumble show {number}#{n}" for n in (2, 0, 3, 1)))
        shown = [answer.text.index(diagrams[n]) for n in (2, 0, 3, 1)]
        assert shown == sorted(shown)

    def test_moves_that_are_played_between_two_looks_are_seen(self, world: World) -> None:
        number = world.board("alice", "alice")
        lines = (f"tumble show {number}#0", f"tumble move {number} alice alice-secret c1-c2", f"tumble show {number}#1")
        assert "after ply 1 " in ask(world, *lines)
        assert status(world) == "done"

    @pytest.mark.slow
    def test_only_so_much_is_replayed(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = [begin_long(world, LONG, "alice", "alice") for _ in range(MOST_REPLAYED // LONG + 2)]
        with count_replayed(monkeypatch) as replayed:
            answer = ask(world, *(f"tumble show {n}#{LONG}" for n in numbers))
        assert len(replayed) <= MOST_REPLAYED
        assert f"at most {MOST_REPLAYED} moves are replayed for one mail" in answer
        assert "Send the rest in another mail. > tumble show" in answer
        assert f"> tumble show {numbers[-1]}#{LONG} Not run." in answer
        assert (
            f"after ply {LONG} "
            in to(world.mail("alice", f"tumble showas alice alice-secret {numbers[-1]}#{LONG}"), "alice").flat
        )

    @pytest.mark.parametrize("line", ["tumble preview {}#2999", "tumble fork {}#2999 alice alice"])
    @pytest.mark.slow
    def test_other_commands_replay_no_more(self, world: World, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
        number = begin_long(world, LONG, "alice", "alice")
        with count_replayed(monkeypatch) as replayed:
            ask(world, *[line.format(number)] * 9)
        assert status(world) == "done"
        assert len(replayed) <= LONG

    @pytest.mark.slow  # makes fifty thousand moves
    def test_taking_back_replays_no_more(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = [begin_long(world, LONG, "alice", "bob") for _ in range(MOST_REPLAYED // LONG + 2)]
        for n in numbers:
            run(world, "alice", f"tumble undo {n} alice alice-secret")
        with count_replayed(monkeypatch) as replayed:
            lines = [f"tumble accept {n} bob bob-secret" for n in numbers]
            world.mail("bob", "multiple", "\n".join(lines))
        assert len(replayed) <= MOST_REPLAYED
        run(world, "bob", lines[-1])

    @pytest.mark.slow
    def test_moves_that_wait_for_others_replay_nothing(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        number = begin_long(world, LONG, "alice", "bob")
        run(world, "bob", f"tumble queue {number} bob bob-secret c1-c2:f6-f5 c2-c1:f5-f6")
        run(world, "alice", f"tumble queue {number} alice alice-secret c1-c2 f6-f5:c2-c1")
        assert ply(world, number) == LONG + 4
        with count_replayed(monkeypatch) as replayed:
            run(world, "bob", f"tumble queue {number} bob bob-secret C1C2:f6-f5 c2-c1:f5-f6")
            run(world, "alice", f"tumble move {number} alice alice-secret c1-c2")
        assert ply(world, number) == LONG + 6
        assert not replayed

    @pytest.mark.slow
    def test_spoken_boards_are_replayed_once_for_all_readers(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        number = begin_long(world, LONG, "alice", "bob")
        world.signup("carol", "dave")
        for userid in ("alice", "bob", "carol", "dave"):
            run(world, userid, f"set {userid} {userid}-secret mail=spoken")
        for userid in ("carol", "dave"):
            run(world, userid, f"tumble subscribe {number} {userid} {userid}-secret")
        with count_replayed(monkeypatch) as replayed:
            letters = run(world, "alice", f"tumble move {number} alice alice-secret c1-c2")
        assert len(letters) == 4
        assert len(replayed) <= LONG

    @pytest.mark.slow
    def test_answers_have_so_many_bytes(self, world: World) -> None:
        number = begin_long(world, LONG, "alice", "alice")
        before = stored(world)
        ask(world, f"tumble record {number}")
        one = stored(world) - before
        answer = ask(world, *[f"tumble record {number}"] * 10)
        assert "Nothing is added to an answer of more than 256 KiB." in answer
        assert stored(world) - before <= 2 * one + MOST_ANSWER_BYTES

    @pytest.mark.slow
    def test_one_record_is_sent_however_long_it_is(self, world: World) -> None:
        number = begin_long(world, LONG, "alice", "alice")
        (answer,) = run(world, "alice", f"tumble record {number}")
        assert len(answer.data) > MOST_ANSWER_BYTES

    @pytest.mark.slow
    def test_so_many_boards_are_shown(self, world: World) -> None:
        world.allow(unanswered_boards=100)
        world.board("alice", "bob")
        for _ in range(10):
            world.mail("alice", "tumble challenge alice bob")
        answer = ask(world, *["tumble show alice"] * 10)
        assert f"You get at most {MOST_PAGES} boards for one mail" in answer
        assert answer.count("To move:") == MOST_PAGES

    @pytest.mark.slow
    def test_a_mail_without_a_proof_gets_less_and_is_told_how_to_get_the_rest(self, world: World) -> None:
        world.allow(unanswered_boards=100)
        number = begin_long(world, LONG, "alice", "bob")
        for _ in range(10):
            world.mail("alice", "tumble challenge alice bob --as=alice:alice-secret")
        how = "Send the rest in another mail. A mail with your password gets more, for example: GAME showas"
        for lines, says in (
            (
                ["tumble show " + " ".join(map(str, range(102, 112)))] * 3,
                f"You get at most {FEW_PAGES} boards for one mail",
            ),
            ([f"tumble show 101#{FEW_REPLAYED + 1}"], f"at most {FEW_REPLAYED} moves are replayed for one mail"),
            ([f"tumble record {number}"] * 2, f"an answer of more than {FEW_BYTES // 1024} KiB"),
        ):
            answer = ask_as_anybody(world, *lines)
            assert says in answer
            assert how in answer
        assert f"after ply {LONG} " in ask(world, f"tumble show {number}#{LONG}")

    @pytest.mark.slow
    def test_long_boards_count_as_several(self, world: World) -> None:
        number = begin_long(world, 4 * ENTRIES_OF_A_PAGE, "alice", "bob")
        before = stored(world)
        ask(world, *[f"tumble show {number} {number} {number} {number}"] * 10)
        assert status(world) == "error"
        assert stored(world) - before < 2 * MOST_ANSWER_BYTES


class TestMovesOfOneMail:
    def test_all_commands_together(self, world: World) -> None:
        numbers = [world.board("alice", game="town") for _ in range(2)]
        moves = " ".join(["store"] * 120)
        answer = ask(world, *(f"town move {n} alice alice-secret {moves}" for n in numbers))
        assert f"A mail can have at most {MOST_MOVES} moves, and yours has 240." in answer
        assert [ply(world, n) for n in numbers] == [120, 0]

    @pytest.mark.parametrize("verb", ["move", "queue", "submit"])
    def test_against_oneself(self, world: World, verb: str) -> None:
        number = world.board("alice", "alice")
        moves = " ".join(("c1-c2", "f6-f5", "c2-c1", "f5-f6")[n % 4] for n in range(MOST_AGAINST_ONESELF + 1))
        answer = fail(world, "alice", f"tumble {verb} {number} alice alice-secret {moves}")
        assert (
            f"On boards against yourself, a mail has at most {MOST_AGAINST_ONESELF} moves, and yours has "
            f"{MOST_AGAINST_ONESELF + 1}. Send the first of them now, and the rest later."
        ) in answer.flat

    def test_a_hundred_lines_do_not_help(self, world: World) -> None:
        number = world.board("alice", "alice")
        four = "c1-c2 f6-f5 c2-c1 f5-f6"
        for _ in range(3):
            lines = [
                f"tumble move {number} alice alice-secret {four} {four}",
                f"tumble queue {number} alice alice-secret {four}",
            ]
            ask(world, *lines * 5)
        assert ply(world, number) <= 3 * MOST_AGAINST_ONESELF

    def test_confirmed_moves_count(self, world: World) -> None:
        number = world.board("alice", "alice")
        half = " ".join(("c1-c2", "f6-f5", "c2-c1", "f5-f6")[n % 4] for n in range(MOST_AGAINST_ONESELF // 2))
        lines = [f"tumble submit {number} alice alice-secret {half}", f"tumble confirm {number} alice alice-secret"]
        ask(world, *lines * 5)
        assert ply(world, number) <= MOST_AGAINST_ONESELF


class TestOneDay:
    def test_answers(self, world: World) -> None:
        world.board("alice", "bob")
        limit_answers(world, 10)
        for _ in range(10):
            assert len(world.mail("alice", "games")) == 1
        (last,) = world.mail("alice", "games")
        assert last.subject == "Enough answers for today"
        assert "10 answers" in last.flat
        assert "Your moves and your other commands still work" in last.flat
        for _ in range(3):
            assert world.mail("alice", "games") == []

    def test_moves_and_letters_of_boards_go_on(self, world: World) -> None:
        number = world.board("alice", "bob")
        limit_answers(world, 10)
        for _ in range(12):
            world.mail("alice", "games")
        assert len(run(world, "alice", f"tumble move {number} alice alice-secret c1-c2")) == 2
        (answer,) = run(world, "alice", "set alice alice-secret timezone=Europe/Berlin")
        assert answer.subject != "Enough answers for today"

    @pytest.mark.slow
    def test_a_question_that_is_not_answered_costs_nothing(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        number = begin_long(world, LONG, "alice", "alice")
        limit_answers(world, 10)
        for _ in range(12):
            world.mail("alice", "games")
        with count_replayed(monkeypatch) as replayed:
            assert world.mail("alice", f"tumble show {number}#{LONG}") == []
        assert not replayed

    @pytest.mark.slow
    def test_bytes(self, world: World) -> None:
        number = begin_long(world, LONG, "alice", "alice")
        limit_answers(world, 1_000, megabytes=1)
        before = stored(world)
        for _ in range(10):
            world.mail("alice", f"tumble record {number}")
        assert stored(world) - before < 2_000_000
        assert world.mail("alice", "games") == []

    def test_the_next_day_begins_anew(self, world: World) -> None:
        world.signup("alice")
        limit_answers(world, 10)
        for _ in range(12):
            world.mail("alice", "games")
        world.now = world.now.replace(day=world.now.day + 1, hour=13)
        assert len(world.mail("alice", "games")) == 1

    def test_other_spellings_of_an_address_are_the_same_sender(self, strict_world: World) -> None:
        strict_world.signup("alice")
        limit_answers(strict_world, 10)
        found = [strict_world.mail(f"{'alice'[:n].upper()}{'alice'[n:]}@example.org", "games") for n in range(6)]
        found += [strict_world.mail(f"a{'lice'[:n].upper()}{'lice'[n:]}@example.org", "games") for n in range(1, 5)]
        assert {x.to for letters in found for x in letters} == {"alice@example.org"}
        assert [x.subject for x in strict_world.mail("aLICe@example.org", "games")] == ["Enough answers for today"]

    def test_a_stranger_whom_nobody_answers_makes_no_work(
        self, strict_world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        strict_world.signup("alice")
        strict_world.mail("alice", "tumble challenge alice alice --as=alice:alice-secret")
        with count_replayed(monkeypatch) as replayed:
            run(strict_world, "alice", "tumble move 101 alice alice-secret c1-c2")
            letters = strict_world.mail("stranger@elsewhere.example", "multiple", "tumble show 101#1\n" * 10)
        assert [x.subject for x in letters] == ["How to play by mail"]
        assert not replayed

    def test_a_move_asks_nothing_about_the_day(self, world: World) -> None:
        number = world.board("alice", "bob")
        said: list[str] = []
        if world.engine.dialect.name == "sqlite":
            sa.event.listen(world.engine, "checkout", lambda c, *_: c.set_trace_callback(said.append))
            world.pipeline.handle([])
        run(world, "alice", f"tumble move {number} alice alice-secret c1-c2")
        assert not [s for s in said if "outbox" in s and "SELECT" in s and "outbox.id >" not in s]
