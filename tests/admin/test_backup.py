"""A backup is taken while moves come in. The restored server is complete, verified, and players go on."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbmserv.db import migrate
from tests.promises.durable.table import Table
from tests.tools.command_line import admin, files, set_version
from tests.tools.postgresql import installed, is_available
from tests.tools.process import COMMAND, environment
from tests.tools.warm import ForkedProcess
from tests.world import KEY, World


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the pg_dump of the same version as the PostgreSQL server of the tests."""
    monkeypatch.setenv("PBMSERV_PG_BIN", str(installed() / "bin") if is_available() else "")


@pytest.fixture
def played(world: World) -> World:
    """A server with a board on which a move was played."""
    world.board("alice", "bob", options="-c")
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    return world


@pytest.fixture
def elsewhere(world: World, new_database: Callable[[], str]) -> Iterator[World]:
    """The same server with another database, which is empty."""
    there = World(new_database())
    yield there
    there.engine.dispose()


def settings(url: str) -> dict[str, str]:
    """The settings of a server process. SQLite stays at its default place, so that the key is next to it."""
    if url.startswith("sqlite"):
        return {}
    return {"PBMSERV_DATABASE_URL": url, "PBMSERV_SECRET_KEY": KEY.decode()}


@pytest.mark.slow
def test_taken_while_moves_stream_in_and_played_on(tmp_path: Path, new_database: Callable[[], str]) -> None:
    here, there = (tmp_path / name for name in ("here", "there"))
    here.mkdir()
    there.mkdir()
    copy = tmp_path / "copy"
    with ForkedProcess(here, PBMSERV_PG_BIN=os.environ["PBMSERV_PG_BIN"], **settings(new_database())) as server:
        table = Table(server, seed=3)
        for _ in range(5):
            table.play_one()
        before, said = list(table.moves), []
        thread = threading.Thread(target=lambda: said.append(server.said("backup", str(copy), "--with-key")))
        thread.start()
        while thread.is_alive():
            assert table.play_one()
        table.client.close()
        server.stop()
    assert len(table.moves) > len(before) + 1
    assert "3 boards, " in said[0]
    again = ForkedProcess(there, **settings(new_database()))
    assert "every board is as its log says" in again.told("restore", str(copy))
    boards = again.query(lambda s: s.board_lists.numbers())
    kept = again.query(lambda s: [(n, line.number, line.entry.text) for n in boards for line in s.boards.log(n)])
    assert set(before) <= set(kept) <= set(table.moves)
    with again:
        on = Table(again, seed=4, boards=0)
        for _ in range(5):
            assert on.play_one()
        on.client.close()
        again.verify()
        lines = again.query(lambda s: [line for n in s.board_lists.numbers() for line in s.boards.log(n)])
        assert len(lines) == len(kept) + 5
        assert "nothing was lost" in again.stop()


def test_the_file_is_its_owners_and_says_what_is_in_it(played: World, tmp_path: Path) -> None:
    folder = tmp_path / "safe"
    folder.mkdir()
    done = admin(played, "backup", str(folder / "copy"), "--with-key")
    assert done.exit_code == 0, done.output
    assert "1 boards, 1 entries, 2 players, 2 mails, " in done.stdout
    assert files(folder) == {"copy", "copy.key"}
    assert [(folder / name).stat().st_mode & 0o777 for name in ("copy", "copy.key")] == [0o600, 0o600]
    assert (folder / "copy.key").read_bytes() == KEY
    assert "not in it" in admin(played, "backup", str(folder / "copy")).stderr


@pytest.mark.both
def test_brought_back_elsewhere(played: World, elsewhere: World, tmp_path: Path) -> None:
    before = played.dump()
    assert admin(played, "backup", str(tmp_path / "copy")).exit_code == 0
    elsewhere.engine.dispose()
    done = admin(elsewhere, "restore", str(tmp_path / "copy"))
    assert done.exit_code == 0, done.output
    assert elsewhere.dump() == before
    elsewhere.now, elsewhere.count = played.now, 100
    elsewhere.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    assert elsewhere.row().board.ply == 2
    elsewhere.verify()


@pytest.mark.slow
@pytest.mark.both
def test_what_is_not_empty_is_replaced_only_on_request_and_kept(
    played: World, elsewhere: World, tmp_path: Path
) -> None:
    original = played.dump()
    assert admin(played, "backup", str(tmp_path / "copy")).exit_code == 0
    elsewhere.signup("carol")
    kept = elsewhere.dump()
    refused = admin(elsewhere, "restore", str(tmp_path / "copy"), "--yes")
    assert (refused.exit_code, "Stop" in refused.stderr) == (os.EX_UNAVAILABLE, True)  # we have it open
    elsewhere.engine.dispose()
    refused = admin(elsewhere, "restore", str(tmp_path / "copy"))
    assert refused.exit_code == os.EX_USAGE
    assert "The database is not empty (schema" in refused.stderr
    assert "--yes" in refused.stderr
    assert elsewhere.dump() == kept
    elsewhere.engine.dispose()
    done = admin(elsewhere, "restore", str(tmp_path / "copy"), "--yes")
    assert done.exit_code == 0, done.output
    assert elsewhere.dump() == original
    elsewhere.engine.dispose()
    aside = done.stdout.split("before: ")[1].strip()
    assert admin(elsewhere, "restore", aside, "--yes").exit_code == 0
    assert elsewhere.dump() == kept


@pytest.mark.slow
def test_not_while_a_server_is_running(played: World, tmp_path: Path) -> None:
    assert admin(played, "backup", str(tmp_path / "copy")).exit_code == 0
    played.engine.dispose()
    its = {"PBMSERV_ROLES": "listener", "PBMSERV_DATABASE_URL": played.url, "PBMSERV_SECRET_KEY": "a key"}
    with ForkedProcess(tmp_path, **its) as server:
        done = admin(played, "restore", str(tmp_path / "copy"), "--yes")
        assert done.exit_code == os.EX_UNAVAILABLE
        assert "Stop" in done.stderr
        server.stop()
    assert admin(played, "restore", str(tmp_path / "copy"), "--yes").exit_code == 0


@pytest.mark.both
def test_a_file_that_is_damaged_changes_nothing(played: World, elsewhere: World, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert admin(played, "backup", str(copy)).exit_code == 0
    copy.write_bytes(copy.read_bytes()[: -copy.stat().st_size // 3])
    elsewhere.engine.dispose()
    before = elsewhere.dump()
    elsewhere.engine.dispose()
    done = admin(elsewhere, "restore", str(copy))
    assert done.exit_code in (os.EX_DATAERR, os.EX_UNAVAILABLE)
    assert "Traceback" not in done.output
    assert elsewhere.dump() == before


@pytest.mark.slow
@pytest.mark.both
def test_a_restore_whose_output_nobody_reads_leaves_nothing_behind(played: World, tmp_path: Path) -> None:
    """As in `pbmserv restore … | head -1`: it ends by SIGPIPE, and has changed nothing."""
    copy = tmp_path / "copy"
    assert admin(played, "backup", str(copy)).exit_code == 0
    played.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    before = played.dump()
    played.engine.dispose()
    settings = {"PBMSERV_DATABASE_URL": played.url, "PBMSERV_PG_BIN": os.environ["PBMSERV_PG_BIN"]}
    pipe, unread = os.pipe()
    os.close(pipe)
    command = [*COMMAND, "restore", "--yes", str(copy)]
    done = subprocess.run(command, stdout=unread, stderr=subprocess.PIPE, env=environment(**settings), check=False)
    os.close(unread)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")
    assert played.dump() == before
    assert not [name for name in files(tmp_path) if "part" in name or "replaced" in name]


@pytest.mark.both
def test_what_is_no_backup(played: World, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("hello")
    other = b"PGDMP" if played.engine.dialect.name == "sqlite" else b"SQLite format 3\0"
    (tmp_path / "other").write_bytes(other + b"more")
    none = admin(played, "restore", str(tmp_path / "none"))
    assert (none.exit_code, none.stderr.startswith("There is no file")) == (os.EX_NOINPUT, True)
    letter = admin(played, "restore", str(tmp_path / "letter"))
    assert (letter.exit_code, "is no backup of pbmserv" in letter.stderr) == (os.EX_DATAERR, True)
    kind = admin(played, "restore", str(tmp_path / "other"))
    assert (kind.exit_code, "the other kind of database" in kind.stderr) == (os.EX_DATAERR, True)


@pytest.mark.both
@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE board SET ply = 7", "board 101: the stored ply is 7, the log's 1\n1 boards replayed, 1 differences"),
        ("UPDATE alembic_version SET version_num = 'later'", "A newer version of pbmserv wrote the backup"),
    ],
)
def test_a_backup_that_is_refused_changes_nothing(
    played: World, elsewhere: World, tmp_path: Path, damage: str, says: str
) -> None:
    """It is told, with nothing after it that says something else, and leaves no file behind."""
    copy = tmp_path / "copy"
    elsewhere.signup("carol")
    before = elsewhere.dump()
    with played.engine.connect() as connection:
        connection.exec_driver_sql(damage)
        connection.commit()
    assert admin(played, "backup", str(copy)).exit_code == 0
    set_version(played, migrate.newest())
    elsewhere.engine.dispose()
    done = admin(elsewhere, "restore", str(copy), "--yes")
    assert done.exit_code == os.EX_DATAERR, done.output
    assert says in done.output
    assert elsewhere.dump() == before
    assert not [name for name in files(tmp_path) if "part" in name or "replaced" in name]


@pytest.mark.sqlite
def test_a_damaged_file_is_refused(played: World, tmp_path: Path) -> None:
    assert admin(played, "backup", str(tmp_path / "copy")).exit_code == 0
    with closing(sqlite3.connect(tmp_path / "copy")) as connection, connection:
        connection.execute("UPDATE seat SET player_id = 77")
    before = played.dump()
    played.engine.dispose()
    done = admin(played, "restore", str(tmp_path / "copy"), "--yes")
    assert done.exit_code == os.EX_DATAERR
    assert "The backup is damaged: seat refers to what is not there" in done.output
    assert played.dump() == before


@pytest.mark.slow
def test_what_differs_and_is_no_board_is_told_and_brought_back(played: World, elsewhere: World, tmp_path: Path) -> None:
    with played.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE mail SET status = 'lost' WHERE id = 2")
    before = played.dump()
    assert admin(played, "backup", str(tmp_path / "copy")).exit_code == 0
    elsewhere.engine.dispose()
    done = admin(elsewhere, "restore", str(tmp_path / "copy"))
    assert done.exit_code == 1, done.output
    assert "every board is as its log says" not in done.stdout
    assert "board 101: entry 1: the mail 2 did nothing\n1 entries checked, 1 differences\n" in done.stdout
    assert "mail 2: its status is unknown\n2 mails checked, 1 differences\n" in done.stdout
    assert "servers can use it" in done.stderr
    assert elsewhere.dump() == before


@pytest.mark.slow
def test_boards_without_receipts_are_brought_back_and_mended_there(
    played: World, elsewhere: World, tmp_path: Path
) -> None:
    with played.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE entry SET receipt = ''")
        connection.exec_driver_sql("UPDATE board SET beginning = '', receipt = ''")
    assert admin(played, "backup", str(tmp_path / "copy")).exit_code == 0
    elsewhere.engine.dispose()
    done = admin(elsewhere, "restore", str(tmp_path / "copy"))
    assert done.exit_code == 1, done.output
    assert "pbmserv boards verify --repair" in done.stdout
    assert admin(elsewhere, "boards", "verify", "--repair", "--why", "an old server ran on").exit_code == 0
    mended = elsewhere.dump()
    assert admin(elsewhere, "backup", str(tmp_path / "mended")).exit_code == 0
    elsewhere.engine.dispose()
    done = admin(elsewhere, "restore", "--yes", str(tmp_path / "mended"))
    assert done.exit_code == 0, done.output
    assert elsewhere.dump() == mended
    assert "sealed" in json.loads(elsewhere.row().beginning)


@pytest.mark.slow
@pytest.mark.sqlite
def test_the_key_is_put_where_none_is_and_over_no_other(played: World, elsewhere: World, tmp_path: Path) -> None:
    assert admin(played, "backup", str(tmp_path / "copy"), "--with-key").exit_code == 0
    key = elsewhere.file.with_suffix(".key")

    def restore(secret: str = "") -> str:
        elsewhere.engine.dispose()
        elsewhere.file.unlink(missing_ok=True)
        done = admin(elsewhere, "restore", str(tmp_path / "copy"), PBMSERV_SECRET_KEY=secret)
        assert done.exit_code == 0, done.output
        assert KEY.decode() not in done.output
        return done.stderr

    assert restore(KEY.decode()) == ""
    assert f"Set PBMSERV_SECRET_KEY to what {tmp_path / 'copy.key'} says" in restore("another key")
    assert not key.exists()
    assert restore() == ""
    assert (key.read_bytes(), key.stat().st_mode & 0o777) == (KEY, 0o600)
    assert restore() == ""
    key.write_text("another key")
    assert f"{key} is another key than {tmp_path / 'copy.key'}" in restore()
    assert key.read_text() == "another key"


@pytest.mark.sqlite
def test_where_nothing_can_be_written(played: World, tmp_path: Path) -> None:
    done = admin(played, "backup", str(tmp_path / "nowhere" / "copy"))
    assert done.exit_code == os.EX_CANTCREAT
    assert f"There is no folder {tmp_path / 'nowhere'}. Make it first." in done.stderr


@pytest.mark.slow
@pytest.mark.sqlite
def test_a_database_that_is_damaged_is_told_and_not_lost(played: World, elsewhere: World, tmp_path: Path) -> None:
    copy, file, before = tmp_path / "copy", elsewhere.file, played.dump()
    assert admin(played, "backup", str(copy)).exit_code == 0
    elsewhere.engine.dispose()
    file.write_bytes(b"no database" * 1000)
    for words in (("backup", str(tmp_path / "none")), ("status",), ("boards", "list")):
        done = admin(elsewhere, *words)
        assert done.exit_code == os.EX_UNAVAILABLE
        assert "The database cannot be used: file is not a database" in done.stderr
    assert not (tmp_path / "none").exists()
    refused = admin(elsewhere, "restore", str(copy), "--yes")
    assert refused.exit_code == os.EX_DATAERR
    assert f"is damaged (file is not a database). If no server runs, move {file} out of the way" in refused.stderr
    assert file.read_bytes().startswith(b"no database")
    file.rename(tmp_path / "damaged")
    assert admin(elsewhere, "restore", str(copy)).exit_code == 0
    assert elsewhere.dump() == before


@pytest.mark.sqlite
def test_what_cannot_be_opened_is_no_server_that_runs(played: World, tmp_path: Path) -> None:
    assert admin(played, "backup", str(tmp_path / "copy")).exit_code == 0
    (tmp_path / "folder").mkdir()
    done = admin(
        played, "restore", str(tmp_path / "copy"), "--yes", PBMSERV_DATABASE_URL=f"sqlite:///{tmp_path}/folder"
    )
    assert done.exit_code == os.EX_UNAVAILABLE
    assert "The database cannot be used: unable to open database file" in done.stderr


@pytest.mark.postgresql
def test_without_the_programs_of_postgresql(played: World, tmp_path: Path) -> None:
    done = admin(played, "backup", str(tmp_path / "copy"), "--pg-bin", str(tmp_path))
    assert done.exit_code == os.EX_UNAVAILABLE
    assert f"There is no pg_dump in {tmp_path}. Install the client programs of PostgreSQL" in done.stderr
    assert "copy" not in files(tmp_path)


@pytest.mark.slow
@pytest.mark.sqlite
def test_the_log_of_a_file_that_is_gone_is_not_applied_to_the_new_one(played: World, tmp_path: Path) -> None:
    before, file = played.dump(), played.file
    assert admin(played, "backup", str(tmp_path / "copy")).exit_code == 0
    played.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    with closing(sqlite3.connect(file)) as connection:  # the last connection to close deletes the WAL: keep one
        connection.execute("SELECT count(*) FROM board")
        played.engine.dispose()
        log = file.with_name(f"{file.name}-wal")
        assert log.stat().st_size
        file.unlink()
    assert log.exists()
    done = admin(played, "restore", str(tmp_path / "copy"))
    assert done.exit_code == 0, done.output
    assert played.dump() == before
    played.verify()


@pytest.mark.sqlite
def test_on_a_disk_that_is_full(played: World, tmp_path: Path) -> None:
    """Files of this process may have at most 20 kB, which is less than the backup needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        done = admin(played, "backup", str(tmp_path / "copy"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, files(tmp_path) & {"copy"}) == (73, set())
    assert "cannot be written" in done.stderr


@pytest.mark.sqlite
@pytest.mark.parametrize("full", [False, True])
def test_a_backup_and_its_key_are_both_there_or_neither(played: World, tmp_path: Path, full: bool) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    if full:
        (folder / "copy.key").mkdir()
        done = admin(played, "backup", "--with-key", str(folder / "copy"))
        said, code = f"{folder / 'copy.key'} is a folder.", os.EX_CANTCREAT
    else:
        done = admin(played, "backup", "--with-key", str(folder / "copy"), PBMSERV_SECRET_KEY="")
        said, code = f"There is no secret key at {played.file.with_suffix('.key')}, so nothing was written.", 66
    assert (done.exit_code, done.stderr.strip()) == (code, said)
    assert files(folder) == ({"copy.key"} if full else set())
    assert not played.file.with_suffix(".key").exists()
