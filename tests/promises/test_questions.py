"""A mail that only asks is answered from a snapshot of the database: while its pages are made, everybody can write."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from pbmserv.boards.clocks.deadlines import AWAY
from pbmserv.commands import COMMANDS, command_language
from pbmserv.db import engines
from pbmserv.inbox.command import Call, Scope, fill_example
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.inbox.pipeline import Pipeline, Prepared
from pbmserv.inbox.questions import LASTS
from pbmserv.letters.text.blocks import Words
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.waiting.suspension import MOST_BOUNCES
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from pbmserv.model.operations import LAST_RUN
from pbmserv.server.committer import Committer
from pbmserv.store import Store
from tests.commands.answers import ply, status
from tests.inbox.mails import message
from tests.tools.aio import in_loop
from tests.world import ADDRESS, Received, World

MOVE = "tumble move 101 alice alice-secret c1-c2"
#: Mails that only ask, with and without errors.
QUESTIONS = (
    "tumble show 101",
    "tumble show 101#0 999",
    "tumble showas alice alice-secret 101",
    "tumble showas alice wrong-secret 101",
    "tumble legal 101 alice alice-secret",
    "tumble legal 101 bob bob-secret",
    "tumble preview 101 c1-c2",
    "tumble record 101 --as=alice:alice-secret",
    "all show alice",
    "who bob",
    "who nobody",
    "list",
    "tumble standings",
    "help tumble",
    "tumble frobnicate 101",
    "Good morning!",
)


@pytest.fixture
def played(world: World) -> World:
    """A server on which alice is to move on board 101, where nothing has happened yet."""
    world.once(World.board, "alice", "bob")
    world.letters()
    return world


def ask(world: World, subject: str, body: str = "", *, sender: str = "alice", to: str = ADDRESS) -> Prepared:
    """Return a new mail, read and answered, that waits for its transaction."""
    world.count += 1
    data = message(sender, subject, body, number=world.count)
    return world.prepare(Incoming(data, "x@example.org", (to,), world.peer))


def commit(world: World, *mails: Prepared) -> list[Received]:
    """Handle these mails as one batch, and return their letters."""
    assert world.pipeline.handle(mails) == [ACCEPTED] * len(mails)
    return world.letters()


def unanswered(mail: Prepared) -> Prepared:
    """Return the mail as it was before it was answered."""
    return replace(mail, answered=None)


@contextmanager
def each_page(patch: pytest.MonkeyPatch, do: Callable[[], object]) -> Iterator[list[str]]:
    """Call a function whenever a template of letters is rendered; the list has the names of the templates."""
    made, blocks = list[str](), Renderer.blocks

    def making(self: Renderer, name: str, data: Any) -> Words:
        made.append(name)
        do()
        return blocks(self, name, data)

    with patch.context() as patched:
        patched.setattr(Renderer, "blocks", making)
        yield made


def write_at_once(world: World) -> None:
    """Change a board and commit, without waiting for anybody. Raises the database's errors."""
    update = "UPDATE board SET changed = changed WHERE number = 101"
    if engines.has_one_writer(world.engine):
        with closing(sqlite3.connect(world.file, timeout=0.05)) as second, second:
            second.execute(update)
    else:
        with world.again().engine.begin() as connection:
            connection.exec_driver_sql("SET LOCAL lock_timeout = '50ms'")
            connection.exec_driver_sql(update)


@pytest.mark.both
class TestNobodyWaits:
    def test_while_a_question_is_answered(self, played: World, monkeypatch: pytest.MonkeyPatch) -> None:
        for line in QUESTIONS:
            with each_page(monkeypatch, lambda: write_at_once(played)) as made:
                asked = ask(played, line)
            assert asked.answered, line
            assert "mail/answer.txt" in made
            with each_page(monkeypatch, lambda: None) as made:
                (answer,) = commit(played, asked)
            assert made == [], line
            assert answer.to == "alice@example.org"

    def test_while_ten_lines_are_answered(self, played: World, monkeypatch: pytest.MonkeyPatch) -> None:
        with each_page(monkeypatch, lambda: write_at_once(played)) as made:
            asked = ask(played, "multiple", "tumble show 101\n" * 10)
        assert made.count("mail/show.txt") == 10
        with each_page(monkeypatch, lambda: None) as made:
            (answer,) = commit(played, asked)
        assert made == []
        assert answer.text.count("To move: alice") == 10

    @pytest.mark.parametrize("line", ["show", "moves", "help", "Regeln"])
    def test_while_an_answer_to_a_letter_asks(self, played: World, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
        to = played.site.signer.sign("b", 101, 0, 0)
        with each_page(monkeypatch, lambda: write_at_once(played)):
            asked = ask(played, "Re: Tumble Board 101 alice", line, to=to)
        with each_page(monkeypatch, lambda: None) as made:
            (answer,) = commit(played, asked)
        assert made == []
        assert status(played) == "done"
        assert answer.to == "alice@example.org"

    def test_while_an_answer_to_a_digest_asks(self, played: World, monkeypatch: pytest.MonkeyPatch) -> None:
        alice = played.player("alice")
        digest = played.act(lambda s: s.readers.add_digest(alice.id, [(101, 0, 0)], played.now))
        to = played.site.signer.sign("d", digest)
        with each_page(monkeypatch, lambda: write_at_once(played)):
            asked = ask(played, "Re: Digest", "101: moves\n101: show", to=to)
        with each_page(monkeypatch, lambda: None) as made:
            (answer,) = commit(played, asked)
        assert made == []
        assert "legal moves on board 101" in answer.flat


class TestTheSameAnswers:
    """A question that is answered ahead has the same letters and the same row as one in the transaction of its mail."""

    @pytest.mark.parametrize("line", QUESTIONS)
    def test_from_somebody_who_is_known(self, played: World, line: str) -> None:
        self.same(played, ask(played, line))

    @pytest.mark.parametrize("line", QUESTIONS)
    def test_from_anybody(self, strict_world: World, line: str) -> None:
        strict_world.signup("alice", "bob")
        strict_world.mail("alice", "tumble challenge alice bob --as=alice:alice-secret")
        for sender in ("alice", "stranger"):
            self.same(strict_world, ask(strict_world, line, sender=sender))

    @pytest.mark.slow
    @pytest.mark.parametrize("sender", ["alice", "bob", "carol"])
    def test_hidden_things_and_private_boards(self, world: World, sender: str) -> None:
        world.board("alice", "bob", game="trippples", options="-h")
        world.signup("carol")
        world.mail("alice", "tumble challenge alice bob --private")
        for line in (
            "trippples show 101",
            "trippples showas alice alice-secret 101",
            "tumble show 102",
            "tumble record 102",
        ):
            self.same(world, ask(world, line, sender=sender))
        for line in ("tumble showas alice alice-secret 102", "tumble record 102 --as=carol:carol-secret", "list"):
            self.same(world, ask(world, line, sender=sender))
        (shown,) = commit(world, ask(world, "trippples show 101", sender=sender))
        (private,) = commit(world, ask(world, "tumble show 102", sender=sender))
        assert "???" in shown.text
        assert "Board 102 is private." in private.text
        assert "+--" not in private.text

    @pytest.mark.slow
    def test_every_question_of_the_table(self, played: World) -> None:
        for command in (c for c in COMMANDS if c.question):
            for line in filter(None, (command.example, command.second)):
                game = None if command.scope is Scope.SERVER else played.row().game
                text = fill_example(command, game, line).replace("PASSWORD", "alice-secret")
                self.same(played, ask(played, text))

    def same(self, world: World, asked: Prepared) -> None:
        assert asked.answered, asked.request
        found = []
        for mail in (asked, unanswered(asked)):
            with world.engine.connect() as connection:  # it is undone at the end
                world.pipeline._one(connection, mail, last=True)
                (row,) = Store(connection).mails.newest(1)
                letters = Store(connection).letters.of_mail(row.id)
                told = [(x.kind, x.recipient, without_id(x.data), x.created, x.due) for x in letters]
                found.append((told, row.status, row.calls, row.problem))
        assert found[0] == found[1]


def without_id(data: bytes) -> bytes:
    """Return a stored letter without its Message-ID, which is a random one."""
    before, _, rest = data.partition(b'"message_id": "')
    return before + rest.partition(b'"')[2]


@pytest.mark.both
class TestLimitsHold:
    def test_answers_of_one_day(self, played: World) -> None:
        played.allow(answers_a_day=10)
        mails = [ask(played, "games") for _ in range(14)]
        assert all(mail.answered for mail in mails)
        letters = commit(played, *mails[:8]) + commit(played, *mails[8:])
        assert [x.subject for x in letters] == ["Games"] * 10 + ["Enough answers for today"]
        assert commit(played, ask(played, "games")) == []

    def test_no_page_is_made_for_nobody(self, played: World, monkeypatch: pytest.MonkeyPatch) -> None:
        played.allow(answers_a_day=10)
        commit(played, *(ask(played, "games") for _ in range(10)))
        with each_page(monkeypatch, lambda: None) as made:
            assert len(commit(played, *(ask(played, "tumble show 101") for _ in range(5)))) == 1
        assert "mail/show.txt" not in made

    def test_one_notice_to_a_stranger(self, strict_world: World) -> None:
        mails = [ask(strict_world, line, sender="eve") for line in ("help", "games", "Who are you?")]
        assert [x.subject for x in commit(strict_world, *mails)] == ["How to play by mail"]
        assert commit(strict_world, ask(strict_world, "help", sender="eve")) == []

    def test_a_page_for_a_player_whom_no_letter_reaches_is_not_made_again(
        self, strict_world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        strict_world.mail("alice", "signup alice alice-secret")
        asked = ask(strict_world, "tumble preview new --as=alice:alice-secret")
        with each_page(monkeypatch, lambda: None) as made:
            (letter,) = commit(strict_world, asked)
        assert letter.subject == "How to play by mail"
        assert made == ["mail/notice.txt"]

    def test_error_answers_of_one_day(self, played: World, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbmserv.inbox.pipeline.MOST_ERRORS", 3)
        mails = [ask(played, "tumble show 999") for _ in range(5)]
        assert len(commit(played, *mails)) == 3

    def test_wrong_passwords_are_counted_once_each(self, played: World) -> None:
        commit(played, *(ask(played, "tumble showas alice wrong-secret 101", sender="bob") for _ in range(3)))
        counted = played.query(lambda s: s.operations.counted(played.now.timestamp()))
        assert [c.used for c in counted if c.what == "wrong password"] == [3]

    def test_an_address_that_asks_works(self, played: World) -> None:
        played.act(lambda s: s.addresses.count_bounce("alice@example.org", played.now, MOST_BOUNCES))
        commit(played, ask(played, "tumble showas alice alice-secret 101"))
        (row,) = played.query(lambda s: s.addresses.rows_of(played.player("alice").id))
        assert row.bounces == 0


@pytest.mark.both
class TestOnce:
    def test_a_second_delivery_makes_no_page(self, played: World, monkeypatch: pytest.MonkeyPatch) -> None:
        data = message("alice", "tumble show 101")
        assert len(played.bytes(data)) == 1
        with each_page(monkeypatch, lambda: None) as made:
            assert played.bytes(data) == []
        assert made == []

    def test_two_copies_at_the_same_time_are_answered_once(self, played: World) -> None:
        asked = ask(played, "tumble show 101")
        assert len(commit(played, asked, asked)) == 1
        assert commit(played, asked) == []

    def test_the_same_words_without_date_are_asked_again_an_hour_later(self, played: World) -> None:
        incoming = Incoming(
            b"From: alice@example.org\r\nSubject: games\r\n\r\n", "x@example.org", (ADDRESS,), played.peer
        )
        for minutes, answers in ((0, 1), (40, 0), (20, 1)):
            played.now += timedelta(minutes=minutes)
            prepared = played.prepare(incoming)
            assert bool(prepared.answered) is bool(answers)
            assert len(commit(played, prepared)) == answers


@pytest.mark.both
class TestMailsThatChangeSomething:
    @pytest.mark.parametrize(
        ("subject", "body"),
        [
            (MOVE, ""),
            ("multiple", f"{MOVE}\ntumble show 101"),
            ("multiple", f"tumble show 101\n{MOVE}"),
            ("set alice alice-secret", ""),
        ],
    )
    def test_they_are_not_answered_ahead(self, played: World, subject: str, body: str) -> None:
        assert not ask(played, subject, body).answered

    def test_what_is_shown_after_a_move_has_the_move(self, played: World) -> None:
        letters = commit(played, ask(played, "multiple", f"{MOVE}\ntumble show 101\nwho alice"))
        assert "To move: bob, ply 2" in letters[-1].flat

    def test_a_move_that_looks_like_a_question_is_played(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        world.board("alice", "bob", game="3io")
        verbs = world.pipeline._language.reply_verbs
        monkeypatch.setitem(verbs, "draw", verbs["help"])
        asked = ask(world, "Re: 3io Board 101 alice", "draw", to=world.site.signer.sign("b", 101, 0, 0))
        assert asked.only_asks
        assert not asked.answered
        commit(world, asked)
        assert world.query(lambda s: s.mails.newest(1))[0].calls == "3io move 101 alice draw"

    def test_an_answer_to_an_old_letter_gets_the_current_board(self, played: World) -> None:
        played.mail("alice", MOVE)
        asked = ask(played, "Re: Tumble Board 101 alice", "moves", to=played.site.signer.sign("b", 101, 0, 0))
        assert asked.only_asks
        assert not asked.answered
        (letter,) = commit(played, asked)
        assert letter.subject == "Tumble Board 101 alice"
        assert "There is a newer letter about this board" in letter.flat

    def test_a_question_that_writes_is_no_question(self, played: World) -> None:
        def note(ctx: Context, call: Call) -> Answer:
            ctx.store.operations.set_fact("asked", ctx.mail.sender)
            return Answer("Noted.", subject="Note")

        language = command_language()
        noted = Command("note", "Notes who asks.", note, question=True, example="note")
        language = replace(language, commands=(*language.commands, noted))
        played.pipeline = Pipeline(played.engine, played.site, language, played.seal.close, lambda: played.now)
        played.pipeline._away = float("inf")
        asked = ask(played, "note")
        assert not asked.answered
        (answer,) = commit(played, asked)
        assert answer.text == "Noted.\n"
        assert played.query(lambda s: s.operations.fact("asked")) == "alice@example.org"


@pytest.mark.both
class TestWhatChangedMeanwhile:
    """Between the snapshot and the transaction of the mail."""

    def test_the_board_moved_on(self, played: World) -> None:
        asked = ask(played, "tumble show 101", sender="bob")
        played.mail("alice", MOVE)
        (answer,) = commit(played, asked)
        assert "To move: alice, ply 1" in answer.flat
        played.verify()

    def test_the_password_was_changed(self, played: World) -> None:
        asked = ask(played, "tumble showas alice alice-secret 101")
        played.mail("alice", "change password alice alice-secret other-secret")
        (answer,) = commit(played, asked)
        assert "The password is not that of alice." in answer.flat

    def test_the_account_was_locked(self, played: World) -> None:
        asked = ask(played, "tumble showas alice alice-secret 101")
        alice = played.player("alice")
        played.act(lambda s: s.players.set_password(alice.id, f"!locked:{alice.password_hash}"))
        (answer,) = commit(played, asked)
        assert "The account alice is locked" in answer.flat

    def test_the_account_was_erased(self, strict_world: World) -> None:
        strict_world.signup("alice", "bob")
        strict_world.mail("alice", "tumble challenge alice bob --as=alice:alice-secret")
        asked = [ask(strict_world, line) for line in ("tumble show 101", "tumble showas alice alice-secret 101")]
        assert all(mail.answered for mail in asked)
        strict_world.mail("alice", "signoff alice alice-secret")
        letters = commit(strict_world, *asked)
        assert [x.subject for x in letters] == ["How to play by mail"]

    def test_the_address_was_given_up(self, strict_world: World) -> None:
        strict_world.signup("alice", "bob")
        strict_world.mail("alice", "tumble challenge alice bob --as=alice:alice-secret")
        asked = ask(strict_world, "tumble showas alice alice-secret 101", sender="elsewhere")
        alice = strict_world.player("alice")
        strict_world.act(lambda s: s.addresses.add(alice.id, "new@example.org", strict_world.now, confirmed=True))
        strict_world.act(lambda s: s.addresses.replace(alice.id, ["new@example.org"]))
        assert [x.to for x in commit(strict_world, asked)] == ["new@example.org"]

    def test_the_machine_slept(self, played: World) -> None:
        asked = ask(played, "tumble show 101", sender="bob")
        played.mail("alice", MOVE)
        played.now += 2 * LASTS
        (answer,) = commit(played, asked)
        assert "To move: bob, ply 2" in answer.flat

    def test_the_clock_jumped_before(self, played: World) -> None:
        played.away = AWAY
        played.use(played.site.renderer)
        played.act(lambda s: s.operations.set_fact(LAST_RUN, repr(played.now.timestamp())))
        assert ask(played, "games").answered
        played.now += timedelta(seconds=2 * AWAY)
        asked = ask(played, "tumble show 101")
        assert not asked.answered
        assert len(commit(played, asked)) == 1
        assert ask(played, "games").answered


@dataclass
class Broken:
    """A server on which `who` has a bug."""

    world: World
    mend: Callable[[], None]


@pytest.mark.both
class TestABug:
    @pytest.fixture
    def broken(self, played: World, monkeypatch: pytest.MonkeyPatch) -> Broken:
        def stumble(ctx: Context, call: Call) -> Answer:
            raise ZeroDivisionError(f"a bug that knows {ctx.mail.body}")

        command = next(c for c in COMMANDS if c.verb == "who")
        right = command.run
        monkeypatch.setitem(command.__dict__, "run", stumble)
        return Broken(played, lambda: monkeypatch.setitem(command.__dict__, "run", right))

    def mails(self, world: World) -> Sequence[Prepared]:
        return [ask(world, line, "canary-words") for line in ("games", "who bob", "list")]

    def test_the_mail_is_shelved_with_an_apology_and_harms_no_other(self, broken: Broken) -> None:
        world = broken.world
        letters = commit(world, *self.mails(world))
        rows = world.query(lambda s: s.mails.newest(3))[::-1]
        assert [row.status for row in rows] == ["done", "shelved", "done"]
        assert [x.subject for x in letters] == ["Games", f"Our fault: reference {rows[1].id}", "Boards"]
        assert rows[1].problem.startswith("ZeroDivisionError at test_questions.py:")
        assert "canary" not in f"{rows[1].problem} {letters[1].text}"

    def test_it_is_like_a_bug_in_the_transaction(self, broken: Broken) -> None:
        world, found = broken.world, []
        asked = ask(world, "who bob")
        for mail in (asked, unanswered(asked)):
            with world.engine.connect() as connection:  # it is undone at the end
                world.pipeline._one(connection, mail, last=True)
                (row,) = Store(connection).mails.newest(1)
                letters = Store(connection).letters.of_mail(row.id)
                found.append((row.status, row.problem, row.calls, [(x.kind, x.recipient) for x in letters]))
        assert found[0] == found[1]

    def test_it_is_answered_when_the_bug_is_mended(self, broken: Broken, monkeypatch: pytest.MonkeyPatch) -> None:
        world = broken.world
        commit(world, ask(world, "who bob"))
        (row,) = world.query(lambda s: s.mails.newest(1))
        sealed = world.query(lambda s: s.mails.quarantined(row.id))
        assert sealed
        incoming = Incoming.unpack(world.seal.open(sealed))
        assert world.pipeline.retry(row.id, incoming, lambda _: None)
        assert status(world) == "shelved"
        broken.mend()
        with each_page(monkeypatch, lambda: write_at_once(world)):
            assert world.pipeline.retry(row.id, incoming, lambda _: None)
        assert [x.subject for x in world.letters()] == ["About bob"]
        assert status(world) == "done"


@pytest.mark.both
class TestTheThreads:
    @in_loop
    async def test_moves_do_not_wait_for_a_page(self, played: World, monkeypatch: pytest.MonkeyPatch) -> None:
        making, go = threading.Event(), threading.Event()

        def wait() -> None:
            if not making.is_set():
                making.set()
                assert go.wait(20)

        committer = Committer(played.pipeline)
        with each_page(monkeypatch, wait):
            asking = asyncio.create_task(committer.submit(incoming("tumble show 101", 1)))
            assert await asyncio.to_thread(making.wait, 20)
            assert await committer.submit(incoming(MOVE, 2)) == ACCEPTED
            assert not asking.done()
            go.set()
            assert await asking == ACCEPTED
        await committer.close()
        assert [x.subject for x in played.letters()][-1] == "Tumble Board 101"
        assert ply(played) == 1

    @in_loop
    async def test_a_server_that_ends_answers_what_it_was_asked(self, played: World) -> None:
        committer = Committer(played.pipeline)
        asking = [asyncio.create_task(committer.submit(incoming("games", n))) for n in range(5)]
        await asyncio.sleep(0)
        await committer.close()
        assert [await task for task in asking] == [ACCEPTED] * 5
        assert len(played.letters()) == 5

    @in_loop
    async def test_while_the_database_is_down_the_sender_tries_again(self, played: World) -> None:
        def fail(connection: sa.Connection) -> None:
            if engines.only_reads(connection):
                raise sa.exc.OperationalError("", {}, OSError("gone"))

        committer = Committer(played.pipeline)
        assert await committer.submit(incoming(MOVE, 1)) == ACCEPTED
        sa.event.listen(played.engine, "begin", fail)
        with capture_logs() as logs:
            assert await committer.submit(incoming("games", 2)) == TRY_AGAIN
        assert [line["event"] for line in logs] == ["mail could not be prepared"]
        sa.event.remove(played.engine, "begin", fail)
        assert await committer.submit(incoming("games", 2)) == ACCEPTED
        await committer.close()
        assert [x.subject for x in played.letters()][-1] == "Games"


def incoming(subject: str, number: int) -> Incoming:
    """Return a mail of alice."""
    return Incoming(message("alice", subject, number=number), "x@example.org", (ADDRESS,), "192.0.2.1")
