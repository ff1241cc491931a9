"""A package is removed while boards of its game exist. They are shown, and wait. Everything else goes on."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbmserv.cli.checking import checks
from pbmserv.config import Config
from pbmserv.letters.text.templates import Renderer
from pbmserv.model.operations import LAST_RUN
from pbmserv.server.clock import Clock
from pbmserv.server.outbox import StoredOutbox
from tests.tools.command_line import admin, told
from tests.tools.packages import STONES, Shelf
from tests.tools.process import Process
from tests.tools.tree import ROOT
from tests.web.browser import browse
from tests.world import Received, World

DAY = 86400.0
GONE = "The game stones is not installed on this server at the moment."


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "packages")
    made.install()
    yield made
    made.close()


@pytest.fixture
def played(world: World, shelf: Shelf) -> World:
    """A server with boards 101 (stones: alice took two, bob one), 102 (tumble) and 103 (stones, over and rated)."""
    world.use(Renderer())
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    world.board("alice", "bob", game="stones")
    world.board("alice", "bob")
    world.board("alice", "bob", game="stones")
    for who, move in (("alice", "2"), ("bob", "2"), ("alice", "2")):
        world.mail(who, f"stones move 103 {who} {who}-secret {move}")
    world.mail("alice", "stones move 101 alice alice-secret 2")
    world.mail("bob", "stones move 101 bob bob-secret 1")
    sweep(world)
    world.letters()


def restart(world: World) -> None:
    """Replace the process by another one, which finds the games that are installed now."""
    world.use(Renderer())


def sweep(world: World, days: int = 0) -> None:
    """Run the clock twice a day for so many days. A longer pause would count as an absence of the server."""
    clock = Clock(world.engine, world.site, lambda: world.now, gap=13 * 3600)
    clock.sweep()
    for _ in range(2 * days):
        world.now += timedelta(hours=12)
        clock.sweep()


def gone(world: World, shelf: Shelf) -> World:
    shelf.uninstall()
    restart(world)
    sweep(world)
    return world


def text(letters: list[Received]) -> str:
    (letter,) = letters
    return letter.flat


@pytest.mark.slow
def test_every_look_at_a_board_says_that_it_waits(played: World, shelf: Shelf) -> None:
    gone(played, shelf)
    for subject in ("stones show 101", "show 101", "all show alice", "stones showas alice alice-secret 101"):
        said = text(played.mail("alice", subject))
        assert "Game not installed: stones" in said, subject
        assert "This board waits until the game is installed again." in said
    assert "Tumble Board 102" in text(played.mail("alice", "all show alice"))
    assert "stones" in text(played.mail("alice", "who alice"))
    for subject in ("list", "list stones", "stones games", "stones history"):
        assert "alice" in text(played.mail("alice", subject)), subject
    assert text(played.mail("alice", "stones standings")).count("alice") == 1
    (record,) = played.mail("alice", "stones record 101")[0].message.iter_attachments()
    assert '"rules": 1' in record.get_content().decode()


@pytest.mark.slow
def test_what_needs_the_rules_is_refused_in_a_sentence(played: World, shelf: Shelf) -> None:
    gone(played, shelf)
    before = played.row(101).board
    for subject in (
        "stones move 101 alice alice-secret 1",
        "move 101 alice alice-secret 1",
        "stones resign 101 alice alice-secret",
        "stones propose 101 alice alice-secret",
        "stones legal 101 alice alice-secret",
        "stones queue 101 bob bob-secret 1",
        "stones show 101#1",
        "stones challenge alice bob",
        "stones help",
    ):
        said = text(played.mail("alice", subject))
        assert GONE in said, subject
        assert "Its boards wait, and nobody loses time." in said, subject
        assert played.row(101).board == before, subject
    assert played.query(lambda s: s.operations.quarantined_mails()) == 0


@pytest.mark.slow
def test_answers_to_letters_of_such_a_board(played: World, shelf: Shelf) -> None:
    last = played.mail("alice", "stones move 101 alice alice-secret 1")
    letter = next(x for x in last if x.to == "bob@example.org")
    assert letter.data  # it was made while the game was there
    gone(played, shelf)
    for word in ("1", "resign", "nonsense"):
        assert GONE in text(played.reply(letter, word))
    assert "Game not installed" in text(played.reply(letter, "show"))


@pytest.mark.slow
def test_the_other_boards_go_on(played: World, shelf: Shelf) -> None:
    gone(played, shelf)
    assert len(played.mail("alice", "tumble move 102 alice alice-secret c1-c2")) == 2
    assert played.row(102).board.ply == 1


@pytest.mark.slow
def test_nobody_loses_time_and_the_time_is_given_back(played: World, shelf: Shelf) -> None:
    """The time limit is three weeks. One day of the turn is used, then a month passes without the package."""
    before = played.row(101).clocks[0]
    sweep(played, days=1)
    gone(played, shelf)
    away = played.now
    sweep(played, days=30)
    played.verify()
    assert played.row(101).clocks[0] == before
    assert played.row(101).board.result is None
    assert played.row(102).board.result is not None  # on this board the time ran
    shelf.install()
    restart(played)
    sweep(played)
    lost = (played.now - away).total_seconds()
    after = played.row(101).clocks[0]
    assert after.since
    assert before.since
    assert after.due
    assert after.since - before.since == pytest.approx(lost, abs=60)
    assert after.due > played.now.timestamp() + 5 * DAY
    played.mail("alice", "stones move 101 alice alice-secret 1")
    assert played.row(101).board.ply == 3
    played.verify()


@pytest.mark.slow
def test_an_absence_of_the_server_meanwhile_is_given_back_once(played: World, shelf: Shelf) -> None:
    before = played.row(101).clocks[0].since
    gone(played, shelf)
    began = played.now
    sweep(played, days=1)
    played.now += timedelta(days=3)
    sweep(played, days=1)
    shelf.install()
    restart(played)
    sweep(played)
    after = played.row(101).clocks[0].since
    assert before
    assert after
    assert after - before == pytest.approx((played.now - began).total_seconds(), abs=60)


def test_gone_while_the_server_was_stopped(played: World, shelf: Shelf) -> None:
    before = played.row(101).clocks[0].since
    began = played.now
    played.now += timedelta(days=2)
    gone(played, shelf)
    played.now += timedelta(days=2)
    shelf.install()
    restart(played)
    sweep(played)
    after = played.row(101).clocks[0].since
    assert before
    assert after
    assert after - before == pytest.approx((played.now - began).total_seconds(), abs=60)


@pytest.mark.slow
def test_a_server_of_before_that_never_noted_its_games(played: World, shelf: Shelf) -> None:
    played.act(lambda s: s.operations.set_fact(LAST_RUN, repr(played.now.timestamp())))
    with played.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM fact WHERE name = 'games'")
    gone(played, shelf)
    sweep(played, days=30)
    assert played.row(101).board.result is None


@pytest.mark.slow
@pytest.mark.both  # the clock's other queries run on PostgreSQL in tests/server/test_clock.py
def test_who_signs_off_leaves_when_the_game_is_back(played: World, shelf: Shelf) -> None:
    gone(played, shelf)
    assert any("Goodbye" in x.subject for x in played.mail("bob", "signoff bob bob-secret"))
    assert played.row(101).board.result is None
    assert played.row(102).board.result is not None
    shelf.install()
    restart(played)
    played.letters()
    sweep(played)
    result = played.row(101).board.result
    assert result
    assert result.winners == (0,)
    assert [x.to for x in played.letters()] == ["alice@example.org"]
    played.verify()


@pytest.mark.slow
def test_ratings_and_standings_stay(played: World, shelf: Shelf) -> None:
    before = played.query(lambda s: s.audit.ratings_of_all())
    assert {game for game, _ in before} == {"stones"}
    gone(played, shelf)
    assert "0 rated boards" in admin(played, "ratings", "rebuild", "--why", "a test").stdout
    assert played.query(lambda s: s.audit.ratings_of_all()) == before
    played.verify()
    shelf.install()
    assert "1 rated boards" in admin(played, "ratings", "rebuild", "--why", "a test").stdout
    assert played.query(lambda s: s.audit.ratings_of_all()) == before
    played.verify()


@pytest.mark.slow
def test_the_admins_commands(played: World, shelf: Shelf, tmp_path: Path) -> None:
    gone(played, shelf)
    for words in (("boards", "show", "101"), ("boards", "log", "101"), ("boards", "record", "101"), ("boards", "list")):
        done = admin(played, *words)
        assert done.exit_code == 0, done.output
    assert "Game not installed: stones" in admin(played, "boards", "show", "101").stdout
    verified = admin(played, "boards", "verify")
    assert verified.exit_code == 0, verified.output
    assert "1 boards replayed, 0 differences" in verified.stdout
    assert "2 boards could not be replayed: stones is not installed" in verified.stdout
    assert "stones is not installed" in admin(played, "boards", "verify", "101").stdout
    for ruling in ("undo 101 --yes", "adjudicate 101 alice --yes", "move 101 alice 1", "void 103 --yes"):
        done = admin(played, "boards", *ruling.split(), "--why", "a test")
        assert (done.exit_code, GONE in done.output) == (65, True), ruling
    assert "over, no result" in admin(played, "boards", "void", "101", "--yes", "--why", "a test").stdout
    assert {x.to for x in played.letters()} == {"alice@example.org", "bob@example.org"}
    shelf.install()
    played.verify()


@pytest.mark.slow
def test_a_backup_comes_back(played: World, shelf: Shelf, tmp_path: Path) -> None:
    gone(played, shelf)
    file = tmp_path / "backup"
    assert admin(played, "backup", str(file)).exit_code == 0
    played.engine.dispose()
    done = admin(played, "restore", "--yes", str(file))
    assert done.exit_code == 0, done.output
    assert "2 boards could not be replayed: stones is not installed" in done.output
    shelf.install()
    restart(played)
    played.mail("alice", "stones move 101 alice alice-secret 1")
    assert played.row(101).board.ply == 3
    played.verify()


@pytest.mark.slow
def test_doctor_and_status_name_the_game(played: World, shelf: Shelf) -> None:
    gone(played, shelf)
    found = told(played, "doctor", code=1, PBMSERV_LISTEN="smtp://127.0.0.1:0")["checks"]
    assert "There are boards of stones, and no such game is installed" in [f["said"] for f in found]
    status = told(played, "status", code=1, PBMSERV_LISTEN="smtp://127.0.0.1:0")
    assert status["games_missing"] == ["stones"]
    assert [w for w in status["warnings"] if "Boards of stones wait" in w]


@pytest.mark.slow
def test_a_package_that_cannot_be_imported(played: World, shelf: Shelf) -> None:
    shelf.uninstall()
    shelf.install("stones-game", "1.1", code="import no_such_library")
    restart(played)
    why = "stones-game 1.1: the game stones cannot be used: ModuleNotFoundError: No module named 'no_such_library'"
    assert why in [finding.said for finding in checks.packages(Config())]
    assert len(played.mail("alice", "tumble move 102 alice alice-secret c1-c2")) == 2
    assert GONE in text(played.mail("alice", "stones move 101 alice alice-secret 1"))


@pytest.mark.slow
def test_other_rules_are_not_the_rules_of_a_board(played: World, shelf: Shelf) -> None:
    """A board is played to its end with the rules with which it began."""
    shelf.uninstall()
    shelf.install("stones-game", "2.0", code=STONES.replace("pile: int = 6", "pile: int = 12"), rules=2)
    restart(played)
    sweep(played)
    said = text(played.mail("alice", "stones move 101 alice alice-secret 1"))
    assert "The game stones with version 1 of its rules is not installed" in said
    assert told(played, "status", code=1)["games_missing"] == ["stones with rules 1"]
    played.mail("alice", "stones challenge alice bob")
    assert played.row(104).game.info.rules == 2
    played.verify()


@pytest.mark.slow
def test_the_pages(played: World, shelf: Shelf) -> None:
    gone(played, shelf)
    with browse(played) as pages:
        for path in ("/", "/boards", "/boards/finished", "/boards/101", "/boards/103", "/boards/101/record.json",
                     "/players/alice", "/games/stones", "/games/stones/boards", "/games/stones/standings"):  # fmt: skip
            found = pages.get(path)
            assert found.status_code == 200, (path, found.text)
        assert "Game not installed: stones" in pages.get("/boards/101").text
        for path in ("/boards/101/1", "/games/stones/help"):
            assert (pages.get(path).status_code, GONE in pages.get(path).text) == (404, True)


@pytest.mark.slow
def test_it_is_german_for_germans(played: World, shelf: Shelf) -> None:
    played.mail("alice", "set alice alice-secret language=de")
    gone(played, shelf)
    assert "Spiel nicht installiert: stones" in text(played.mail("alice", "stones show 101"))
    said = text(played.mail("alice", "stones move 101 alice alice-secret 1"))
    assert "Das Spiel stones ist zur Zeit auf diesem Server nicht installiert." in said


def test_a_move_at_which_a_package_breaks_names_it_on_the_shelf(played: World, shelf: Shelf) -> None:
    """The shelf shows the exception's message without anything that may be a password."""
    played.mail("alice", "stones move 101 alice alice-secret 9", "divides")
    (mail,) = played.query(lambda s: s.mails.search(status="shelved"))
    said, _, where = mail.problem.rpartition(":")
    assert said == "stones-game 1.0: ZeroDivisionError: no stone WORD Position(pile=3, turn=0) at __init__.py"
    assert int(where) > 1
    assert "stones-game 1.0: ZeroDivisionError" in admin(played, "mail", "show", str(mail.id)).stdout
    assert played.row(101).board.ply == 2


@pytest.mark.slow
def test_a_package_that_breaks_when_it_reads_words_harms_no_other_game(played: World, shelf: Shelf) -> None:
    shelf.uninstall()
    breaks = STONES + "\n    def normalise(self, text):\n        raise RuntimeError('never')\n"
    shelf.install("stones-game", "1.2", code=breaks)
    restart(played)
    assert len(played.mail("alice", "tumble move 102 alice alice-secret c1-c2")) == 2
    assert "no such command" in text(played.mail("alice", "tumble nonsense 102 alice"))


def test_a_board_that_its_package_breaks_is_told_of_by_verify(played: World, shelf: Shelf) -> None:
    shelf.uninstall()
    shelf.install("stones-game", "1.3", code=STONES.replace("if move == 9", "if move == 2"))
    restart(played)
    done = admin(played, "boards", "verify")
    assert done.exit_code == 1
    assert "board 101: entry 1 cannot be played: stones-game 1.3: ZeroDivisionError: no stone divides" in done.stdout


@pytest.mark.slow
def test_letters_about_moves_wait_for_the_game_and_others_go_out(played: World, shelf: Shelf) -> None:
    send_all(played)
    played.mail("alice", "stones chat 101 alice alice-secret", "Well played.")
    played.mail("bob", "tumble chat 102 bob bob-secret", "Your turn.")
    played.mail("alice", "stones move 101 alice alice-secret 1")
    gone(played, shelf)
    assert send_all(played) == {"chat", "answer"}
    waiting = played.query(lambda s: s.letters.unmade())
    assert {x.receipt for x in played.query(lambda s: s.letters.by_ids(waiting))} == {
        "it cannot be written: GameMissing"
    }
    played.mail("alice", "show 101")
    assert "unproved" in send_all(played)
    shelf.install()
    restart(played)
    played.now += timedelta(minutes=5)
    assert send_all(played) >= {"board"}
    assert played.query(lambda s: s.operations.waiting_letters()).count == 0


def send_all(world: World) -> set[str]:
    """Send all letters that can be sent, and return their kinds."""
    box, sent = StoredOutbox(world.engine, world.site, lambda: world.now), list[int]()
    while letters := box.claim(20, 60.0):
        box.sent_many([(letter.id, "250 ok") for letter in letters])
        sent += (letter.id for letter in letters)
    return {x.kind for x in world.query(lambda s: s.letters.by_ids(sent))}


@pytest.mark.slow  # starts a server
def test_a_server_starts_beside_a_package_that_is_broken(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "packages")
    shelf.install(code="import no_such_library")
    shelf.close()
    with Process(tmp_path, PYTHONPATH=f"{shelf.folder}{os.pathsep}{ROOT}") as server:
        server.told("send", "alice@example.org", "signup alice secret1")
        assert server.run("doctor").returncode == 1
        server.stop()
    (line,) = [line for line in server.log.splitlines() if "stones-game 1.0" in line]
    assert "ModuleNotFoundError: No module named 'no_such_library'" in line
    assert "Traceback" not in server.log


@pytest.mark.slow
def test_a_board_that_waits_for_words_waits_for_its_game_first(world: World, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "packages")
    code = STONES.replace('"Everybody\'s."', '"Everybody\'s.", chance=True')
    shelf.install(code=code)
    restart(world)
    world.signup("alice", "bob")
    world.mail("alice", "stones challenge alice bob --dice=shared")
    world.mail("alice", "stones move 101 alice alice-secret word=a")
    gone(world, shelf)
    assert GONE in text(world.mail("bob", "stones move 101 bob bob-secret go"))
    assert "This board waits until the game is installed again." in text(world.mail("bob", "show 101"))
    with browse(world) as pages:
        assert "This board waits" in pages.get("/boards/101").text
    shelf.install(code=code)
    restart(world)
    sweep(world)
    world.mail("bob", "stones move 101 bob bob-secret word=b")
    board = world.row().board
    assert (board.words, board.waits, board.position.pile) == (("a", "b"), False, 6)
    world.verify()
    shelf.close()
