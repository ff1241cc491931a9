"""New files can be read by their owner only, whatever the umask.

They are on disk, and several processes make them once.
"""

import os
import signal
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbmserv.db import engines, migrate
from tests.tools.postgresql import Server
from tests.tools.process import Process
from tests.tools.warm import ForkedProcess, forked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files")


@pytest.fixture
def no_umask() -> Iterator[None]:
    """Every file gets the mode that the program asks for."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {str(f.relative_to(folder)): stat.S_IMODE(f.stat().st_mode) for f in folder.rglob("*") if f.is_file()}


@pytest.mark.slow
@pytest.mark.usefixtures("no_umask")
def test_database_log_key_and_backups_are_the_owners_alone(tmp_path: Path) -> None:
    var = tmp_path / "var"
    with Process(tmp_path) as server:
        server.told("send", "alice@example.org", "signup alice secret1")
        running = modes(var)
        assert {"pbmserv.db", "pbmserv.db-wal", "pbmserv.db-shm", "pbmserv.key"} <= running.keys()
        server.told("backup", "--with-key", "copy")
        server.stop()
    server.told("restore", "--yes", "copy")
    later = {name: mode for name, mode in modes(var).items() if not name.startswith("letters")}
    assert any("replaced" in name for name in later)
    kept = {name: mode for name, mode in modes(tmp_path).items() if name.startswith("copy")}
    ours = {n: m for n, m in running.items() if n.startswith("pbmserv")} | later | kept
    assert {name: oct(mode) for name, mode in ours.items() if mode != 0o600} == {}


@pytest.mark.slow
def test_doctor_tells_of_a_database_that_others_may_read(tmp_path: Path) -> None:
    server = ForkedProcess(tmp_path)
    server.told("migrate")
    file = tmp_path / "var/pbmserv.db"
    assert "nobody else may read var/pbmserv.db" in server.told("doctor")
    file.chmod(0o644)
    done = server.asked("doctor")
    assert done.exit_code == 1
    assert "Others may read var/pbmserv.db" in done.stdout
    assert "chmod 600 var/pbmserv.db" in done.stdout
    with server:
        server.stop()
    assert stat.S_IMODE(file.stat().st_mode) == 0o644  # the operator may want it so; it is not changed for them
    assert "Others may read var/pbmserv.db" in server.log


@pytest.mark.slow
def test_doctor_tells_of_a_folder_in_which_nothing_can_be_made(tmp_path: Path) -> None:
    """The folder is in /proc: not even root can make a file there."""
    done = Process(tmp_path, PBMSERV_DATABASE_URL="sqlite:////proc/pbmserv/pbmserv.db").asked("doctor")
    assert done.exit_code == 1
    assert "No file can be made in /proc: " in done.stdout


@pytest.mark.slow
def test_the_names_of_new_folders_and_files_are_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, sync = set[Path](), os.fsync

    def noting(handle: int) -> None:
        synced.add(Path(os.readlink(f"/proc/self/fd/{handle}")))
        sync(handle)

    monkeypatch.setattr(os, "fsync", noting)
    server = ForkedProcess(tmp_path, PBMSERV_DATABASE_URL=f"sqlite:///{tmp_path}/a/b/pbmserv.db")
    assert server.asked("migrate").exit_code == 0
    assert {tmp_path, tmp_path / "a", tmp_path / "a/b"} <= synced
    synced.clear()
    with server:
        assert (tmp_path / "a/b/pbmserv.key").exists()
        server.stop()


@pytest.mark.slow  # starts two servers
def test_several_servers_and_a_migration_begin_at_once(tmp_path: Path) -> None:
    """The first process makes the tables, the others find them."""
    with (tmp_path / "log").open("w") as log:
        servers = [forked(tmp_path, {"PBMSERV_LISTEN": "smtp://127.0.0.1:0"}, log, "serve") for _ in range(2)]
        migration = forked(tmp_path, {}, log, "migrate")
    try:
        for server in servers:
            assert server.stdout.readline().startswith("pbmserv listens on"), (tmp_path / "log").read_text()
        out, _ = migration.communicate(timeout=50)
        assert (migration.returncode, out) == (0, "The database is up to date.\n"), (tmp_path / "log").read_text()
    finally:
        for server in servers:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=40)
    assert [server.returncode for server in servers] == [0] * 2
    with sqlite3.connect(tmp_path / "var/pbmserv.db") as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(migrate.newest(),)]


@pytest.mark.slow
def test_several_migrations_of_postgresql_at_once(tmp_path: Path, postgresql: Server) -> None:
    with postgresql.database() as url:
        engine = engines.connect(url)
        migrate.downgrade(engine, "base")
        engine.dispose()  # else this process would have the database open
        with (tmp_path / "log").open("w") as log:
            begun = [forked(tmp_path, {"PBMSERV_DATABASE_URL": url}, log, "migrate") for _ in range(3)]
        for process in begun:
            process.communicate(timeout=50)
        assert ([process.returncode for process in begun], (tmp_path / "log").read_text()) == ([0] * 3, "")
        assert migrate.is_current(engine)
        engine.dispose()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A new database, which the tests copy and damage: to make one takes as long as the rest of such a test."""
    server = Process(tmp_path_factory.mktemp("whole"))
    assert server.asked("migrate").exit_code == 0
    file = server.folder / "var/pbmserv.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.read_bytes()


@pytest.mark.parametrize(
    ("word", "damage"),
    [
        *(("serve", damage) for damage in ("pages", "all", "head", "short")),
        *((word, "pages") for word in ("migrate", "status", "doctor", "backup copy", "boards verify", "web")),
    ],
)
@pytest.mark.slow
def test_a_damaged_database_is_told_of_in_a_sentence(tmp_path: Path, whole: bytes, damage: str, word: str) -> None:
    server = Process(tmp_path)
    file = tmp_path / "var/pbmserv.db"
    file.parent.mkdir()
    data = bytearray(whole)
    if damage == "all":
        data = bytearray(b"This was a database once. " * 1000)
    elif damage == "head":
        data[:100] = b"\0" * 100
    elif damage == "pages":
        data[100:] = b"\xa5" * (len(data) - 100)
    else:
        data = data[: len(data) // 3]
    file.write_bytes(data)
    done = server.asked(*word.split(), *(["--listen", "127.0.0.1:0"] if word == "web" else []))
    assert done.exit_code in (1, 69, 65), done.output
    assert isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
