"""`pbmserv boards`: lists, a board on the screen, and the import of a file that `record` has written."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbmserv.cli.main import app
from tests.cli.conftest import Desk, move
from tests.world import World


@pytest.fixture
def folder(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server's folder. Board 101 is running and has chance; board 102 is over."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBMSERV_DATABASE_URL", world.url)
    monkeypatch.setenv("PBMSERV_SECRET_KEY", "k" * 64)  # with PostgreSQL, no key is made
    world.board("alice", "bob", game="3io", options="-twostep")
    world.mail("alice", "3io move 101 alice alice-secret draw 1c3")
    world.board("alice", "bob")
    world.mail("bob", "tumble resign 102 bob bob-secret")
    return tmp_path


def ask(*words: str) -> Result:
    """Run a command of the admin; it may fail."""
    return CliRunner().invoke(app, list(words))


def saved(folder: Path, *words: str) -> str:
    """Write what a command prints to a file; returns the path."""
    file = folder / "board.json"
    file.write_text(ask(*words).stdout)
    return str(file)


@pytest.mark.slow
def test_a_finished_board_is_imported(world: World, folder: Path) -> None:
    done = ask("boards", "import", saved(folder, "boards", "record", "102"))
    assert (done.exit_code, done.stdout) == (0, "Tumble Board 103: alice wins (by resignation)\n")
    world.verify()


@pytest.mark.slow
def test_a_running_board_with_chance_needs_its_seed(world: World, folder: Path) -> None:
    done = ask("boards", "import", saved(folder, "boards", "record", "101"))
    assert done.exit_code == 65
    assert "pbmserv boards record NUMBER --with-seed" in done.stderr
    done = ask("boards", "import", saved(folder, "boards", "record", "101", "--with-seed"))
    assert (done.exit_code, done.stdout) == (0, "3io Board 103: running\n")
    assert len(world.mail("bob", "3io move 103 bob bob-secret draw 1a1")) == 2


@pytest.mark.slow
def test_a_board_says_which_one_it_goes_on_from(world: World, folder: Path) -> None:
    world.signup("carol")
    world.mail("alice", "tumble substitute 102 alice alice-secret")
    (seek,) = json.loads(ask("seeks", "list", "--json").stdout)
    assert seek["seat_of"] == "bob, board 102"
    world.mail("carol", "tumble join 1 carol carol-secret")
    assert "goes on with a substitute on board 103" in ask("boards", "show", "102").stdout
    shown = ask("boards", "show", "103").stdout
    assert "goes on from board 102 after ply 0: seat 1 was bob's (resign)" in shown


def test_a_record_for_other_programs(world: World, folder: Path) -> None:
    world.board("alice", "bob", game="chess")
    world.mail("alice", "chess move 103 alice alice-secret e4")
    done = ask("boards", "record", "103", "--format", "pgn")
    assert done.stdout.splitlines()[0] == '[Event "Chess, board 103"]'
    assert done.stdout.endswith("\n\n1. e4 *\n")
    refused = ask("boards", "record", "102", "--format", "pgn")
    assert (refused.exit_code, refused.stdout) == (64, "")
    assert "Tumbling Down has no records in the format 'pgn'." in refused.stderr


@pytest.mark.slow
def test_games_of_another_program_are_imported(world: World, folder: Path) -> None:
    file = folder / "games.pgn"
    file.write_text('[White "Ann"]\n[Black "Ben"]\n\n1. e4 {good} e5 1-0\n\n1. d4 0-1\n')
    done = ask("boards", "import", str(file), "--players", "alice,bob")
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "Chess Board 103: alice wins (by resignation) (left out: 1 comment)",
            "Chess Board 104: bob wins (by resignation)",
        ],
    )
    world.verify()
    file.write_text('[White "Ann"]\n[Black "Ben"]\n\n1. e5 1-0\n\n1. d4 0-1\n')
    assert "add: --skip-bad" in ask("boards", "import", str(file), "--players", "alice,bob").stderr
    done = ask("boards", "import", str(file), "--players", "alice,bob", "--skip-bad")
    assert (done.exit_code, done.stdout) == (1, "Chess Board 105: bob wins (by resignation)\n")
    assert "left out: Game 1: 1. e5 cannot be played" in done.stderr
    world.verify()
    text = folder / "games.txt"
    text.write_text("1. e5 1-0")
    refused = ask("boards", "import", str(text), "--format", "pgn", "--players", "alice,bob")
    assert refused.exit_code == 65
    assert "Game 1: 1. e5 cannot be played: 'e5' is not possible" in refused.stderr


@pytest.mark.parametrize(
    ("name", "words", "why"),
    [
        ("game.pdn", (), "There is no format 'pdn'.\nAdd --format with one of: json, pgn, sgf"),
        ("game.txt", ("--format", "xml"), "There is no format 'xml'.\nAdd --format with one of: json, pgn, sgf"),
        ("game", (), "The name of the file does not tell its format.\nAdd --format with one of: json, pgn, sgf"),
        ("game.pgn", ("--rated",), "--rated has no use here"),
        ("game.JSON", ("--players", "alice,bob"), "--players has no use here"),
    ],
)
def test_formats_and_options_that_do_not_fit_are_refused(
    folder: Path, name: str, words: tuple[str, ...], why: str
) -> None:
    (folder / name).write_text("1. e4 1-0")
    done = ask("boards", "import", str(folder / name), *words)
    assert done.exit_code == 64
    assert why in done.stderr


def test_a_format_can_be_written_in_capitals(folder: Path) -> None:
    assert json.loads(ask("boards", "record", "102", "--format", "JSON").stdout)["board"] == 102
    assert "Send: tumble record 102" in ask("boards", "record", "102", "--format", "PGN").stderr


@pytest.mark.slow
def test_a_running_record_needs_open_accounts(folder: Path, world: World) -> None:
    file = Path(saved(folder, "boards", "record", "101", "--with-seed"))
    over = folder / "over.json"
    record = json.loads(ask("boards", "record", "102").stdout)
    over.write_text(json.dumps(record).replace('"bob"', '"gone"'))
    refused = ask("boards", "import", str(over))  # the name is part of the first receipt
    assert refused.exit_code == 65
    assert 'To import it all the same, take "beginning" out of it.' in refused.stderr
    over.write_text(json.dumps(record | {"players": ["alice", "gone"]}))
    assert ask("boards", "import", str(over)).exit_code == 0
    file.write_text(file.read_text().replace('"bob"', '"gone"'))
    done = ask("boards", "import", str(file))
    assert done.exit_code == 65
    assert "The account of gone is closed, and the game is not over." in done.stderr


def test_what_is_no_record_is_refused(folder: Path) -> None:
    (folder / "board.json").write_text("{}")
    done = ask("boards", "import", str(folder / "board.json"))
    assert done.exit_code == 65
    assert "This is no record: format: Field required" in done.stderr


@pytest.mark.parametrize(
    ("written", "instead", "where"),
    [
        ('"bob"', '"bob, and others of this name"', "players.1"),
        ("+00:00", "", "created"),
    ],
)
def test_what_no_server_wrote_is_refused(folder: Path, written: str, instead: str, where: str) -> None:
    file = Path(saved(folder, "boards", "record", "102"))
    file.write_text(file.read_text().replace(written, instead))
    done = ask("boards", "import", str(file))
    assert done.exit_code == 65
    assert f"This is no record: {where}: " in done.stderr


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("where", ["created", "at"])
def test_a_date_at_an_end_of_the_calendar_is_refused(folder: Path, where: str, date: str) -> None:
    file = Path(saved(folder, "boards", "record", "102"))
    record = json.loads(file.read_text())
    (record if where == "created" else record["log"][0])[where] = date
    file.write_text(json.dumps(record))
    done = ask("boards", "import", str(file))
    assert done.exit_code == 65
    assert f"{where}: Value error, the year is not from 1000 to 2999" in done.stderr


#: What is listed with each filter.
FILTERED: tuple[tuple[tuple[str, ...], list[int]], ...] = (
    ((), [103, 102, 101]),
    (("--game", "tumble"), [102, 101]),
    (("--game", "THREES"), [103]),
    (("--player", "carol"), [103]),
    (("--status", "active"), [103, 101]),
    (("--status", "inactive"), [102]),
    (("--status", "next", "--player", "bob"), [101]),
    (("--option", "c"), [102]),
    (("--option=-c",), [102]),
    (("--option", "x"), []),
    (("--waiting-since", "2026-03-01 12:00:01Z"), [101]),
    (("--waiting-since", "2026-02-28"), []),
    (("--limit", "1"), [103]),
)


@pytest.mark.both
def test_boards_have_filters(busy: Desk) -> None:
    for words, numbers in FILTERED:
        assert [b["number"] for b in busy.json("boards", "list", *words)] == numbers, words


@pytest.mark.both
def test_options_with_values_are_found_with_and_without_them(desk: Desk) -> None:
    desk.world.board("alice", "bob", game="trippples", options="-e")
    assert [b["number"] for b in desk.json("boards", "list", "--option", "e")] == [102]
    assert desk.json("boards", "list", "--option", "e=2") == []


class TestShow:
    def test_after_a_ply_as_somebody(self, busy: Desk) -> None:
        now, before = (busy.run("boards", "show", "101", *w).output for w in ((), ("--ply", "0", "--as", "bob")))
        assert "c1-c2" in now.partition("+----")[0]
        assert "c1-c2" not in before.partition("+----")[0]

    def test_whose_vacation_is_automatic(self, desk: Desk) -> None:
        desk.world.mail("bob", "set bob bob-secret vacation=auto")
        assert "automatic vacation for bob)" in desk.run("boards", "show", "101").stdout

    def test_as_a_page(self, busy: Desk) -> None:
        page = busy.run("boards", "show", "101", "--html").stdout
        assert page.startswith("<!DOCTYPE html>")
        assert "<pre" in page
        assert "Tumble Board 101" in page
        assert "after ply 0" in busy.run("boards", "show", "101", "--html", "--ply", "0").stdout


@pytest.mark.slow
def test_the_boards_of_a_record_come_back(desk: Desk) -> None:
    move(desk.world, "alice", "c1-c2")
    Path("board.json").write_text(desk.run("boards", "record", "101", "--with-seed").stdout)
    assert json.loads(desk.run("boards", "record", "101").stdout)["seed"] is None
    desk.run("boards", "import", "board.json", "--why", "moved")
    assert desk.event() == ("board 102: import", "moved")
    assert "2 boards replayed, 0 differences" in desk.says("boards", "verify")


@pytest.mark.both
@pytest.mark.parametrize("to", ["", "boards.tar", "boards.zip", "records"])
def test_all_boards_are_exported_in_one_process(world: World, folder: Path, to: str) -> None:
    done = ask("boards", "export", "--all", *(("--to", to) if to else ()))
    assert (done.exit_code, done.stderr) == (0, "Boards written: 2.\n")
    if not to:
        Path("boards.tar").write_bytes(done.stdout_bytes)
    if Path("boards.tar").exists() or to.endswith("zip"):
        packed = to or "boards.tar"
        shutil.unpack_archive(packed, "records", filter="data" if packed.endswith("tar") else None)
    assert {f.name for f in Path("records").iterdir()} == {"101.json", "102.json"}
    assert json.loads(Path("records/102.json").read_text()) == json.loads(ask("boards", "record", "102").stdout)
    assert not list(folder.glob("*.part"))


def test_boards_without_a_record_in_a_format_are_left_out_of_an_export(world: World, folder: Path) -> None:
    world.board("alice", "bob", game="chess")
    done = ask("boards", "export", "--all", "--format", "pgn", "--to", "chess.zip")
    assert done.stderr == "Boards written: 1. Without such a record: 2.\n"


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((), 64, "Name boards by their numbers, or write --all."),
        (("101", "--all"), 64, "Name boards by their numbers, or write --all."),
        (("101", "999", "--to", "boards.zip"), 66, "There is no board 999."),
        (
            ("--all", "--to", "boards.zip", "--format", "pgm"),
            64,
            "There is no format pgm. There are: csa, json, pdn, pgn, sgf",
        ),
        (("--all", "--to", "no/boards.zip"), 73, "no/boards.zip cannot be written: No such file or directory"),
        (("--all", "--to", "file/boards"), 73, "file/boards cannot be written: Not a directory"),
    ],
)
def test_an_export_that_cannot_be_made_leaves_nothing(
    world: World, folder: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    Path("file").touch()
    done = ask("boards", "export", *words)
    assert (done.exit_code, done.stderr.splitlines()[0]) == (code, says)
    assert not list(folder.glob("boards.zip*"))


def test_an_export_into_a_folder_deletes_no_file_beside_it(world: World, folder: Path) -> None:
    Path("records.part").touch()
    assert ask("boards", "export", "--all", "--to", "records").exit_code == 0
    assert Path("records.part").exists()
