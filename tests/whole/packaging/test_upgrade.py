"""deploy/upgrade.py brings an installation of 1.0.0 here, while mails arrive, however often it is killed."""

import io
import json
import os
import resource
import shlex
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import sysconfig
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import make_msgid
from hashlib import sha256
from pathlib import Path
from typing import TypeVar
from zipfile import ZipFile

import psycopg
import pytest
import uv

from pbmserv.db import engines
from pbmserv.games.base.log import Kind
from pbmserv.store import Store
from tests.examples import SOAK
from tests.tools.postgresql import USER, Server, installed
from tests.tools.process import DEMO, until
from tests.tools.tree import ROOT
from tests.whole.packaging.conftest import once
from tests.whole.packaging.installed_server import text

pytestmark = [pytest.mark.slow, pytest.mark.timeout(500)]

T = TypeVar("T")

OLD = "97998510"  # 1.0.0
SERVER = "pbmserv@localhost"
PACKAGES = sysconfig.get_path("purelib")
LOCKED = "SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND database IN (SELECT oid FROM pg_database)"
HOLD = "hold"  #: a file: while it is there, whoever starts the servers waits for them
#: Where an upgrade is killed, one attempt after the other: the step, and the files or the query that tell that it is in
#: the middle of it. Without, it is killed alone at the beginning, and what it has started runs on; else all dies.
KILLS = {
    "sqlite": (
        ("installing", "opt/pbmserv-*/lib"),
        *([("stopping", ""), ("backing up", "backups/.before-*part")] if SOAK > 1 else []),  # nothing has changed yet
        ("migrating", "pbmserv.db-journal"),
        ("going back", ".pbmserv.db.*part"),
        ("migrating", ""),
        ("starting the old servers", HOLD),
        *([("switching", "")] if SOAK > 1 else []),
        ("starting", HOLD),
    ),
    "postgresql": (  # only what it does otherwise
        ("migrating", LOCKED),
        ("going back", LOCKED),
    ),
}
STARTING = """
cd "{folder}"
. ./env
exec 9> starting
flock 9
if ! kill -0 "$(cat pid)" 2> /dev/null; then
    setsid "{place}/bin/python" -P -m pbmserv serve >> log 2>&1 < /dev/null 9>&- &
    echo $! > pid
fi
for _ in $(seq 300); do
    if {python} -S -c 'import socket; socket.create_connection(("127.0.0.1", {port})).close()' 2> /dev/null; then
        while [ -f hold ]; do sleep 0.1; done
        exit 0
    fi
    kill -0 "$(cat pid)" 2> /dev/null || exit 1
    sleep 0.2
done
exit 1
"""
SEEDING = """#!/bin/sh
exec "{uv}" venv --quiet --seed --python "{python}" "$3"
"""
LINKING = """#!{python} -S
import os, shutil, sys
venv = os.path.join(os.path.dirname(sys.argv[0]), "venv")
shutil.copytree(venv, sys.argv[3], symlinks=True, copy_function=os.link)
"""
STOPPING = """
cd "{folder}"
[ -f pid ] || exit 0
kill $(cat pid) 2> /dev/null
while kill -0 $(cat pid) 2> /dev/null; do sleep 0.1; done
rm pid
"""


@pytest.fixture(scope="session")
def old_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of 1.0.0, built from the history."""
    packed = subprocess.run(["git", "archive", OLD], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        pytest.skip("the commit of 1.0.0 is only in a whole clone")

    def build(folder: Path) -> None:
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tree:
            tree.extractall(folder / "tree", filter="data")
        words = ["--wheel", "--no-isolation", "--outdir", str(folder), str(folder / "tree")]
        subprocess.run([sys.executable, "-m", "build", *words], capture_output=True, check=True, timeout=300)

    (wheel,) = once(tmp_path_factory, "old", build).glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def old(tmp_path_factory: pytest.TempPathFactory, old_wheel: Path) -> Path:
    """A virtual environment with 1.0.0."""
    return once(tmp_path_factory, "old-environment", lambda folder: _install(folder, old_wheel))


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """A Python whose `-m venv` links the files of an environment with the wheel, and with a pip that does nothing.

    An upgrade that is killed ten times would spend its time with installing. Beside it is `seeding`, for installing in
    earnest: its `-m venv` has a real pip, in a twentieth of the time.
    """

    def install(folder: Path) -> None:
        (folder / "seeding").write_text(SEEDING.format(uv=uv.find_uv_bin(), python=sys.executable))
        (folder / "seeding").chmod(0o755)
        (_install(folder / "venv", wheel) / "pip.py").touch()
        (folder / "python").write_text(LINKING.format(python=sys.executable))
        (folder / "python").chmod(0o755)

    return once(tmp_path_factory, "new", install) / "python"


def _install(place: Path, wheel: Path) -> Path:
    """Make a virtual environment without pip, and install a compiled wheel. Returns the folder of its packages.

    What it needs comes from the environment of the tests.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True, timeout=60)
    (packages,) = place.glob("lib/python*/site-packages")
    ZipFile(wheel).extractall(packages)  # noqa: S202 - our own wheel
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(packages / "pbmserv")], check=True, timeout=300)
    (packages / "others.pth").write_text(f"{PACKAGES}\n")
    return packages


class Site:
    """An installation with its settings, its servers and its players. `place` is where the virtual environment is."""

    def __init__(self, folder: Path, database: str, old: Path) -> None:
        self.folder, self.place = folder, folder / "opt/pbmserv"
        self.kind = database.partition(":")[0]
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.settings = {
            **DEMO,
            "PBMSERV_DATABASE_URL": database,
            "PBMSERV_LISTEN": f"smtp://127.0.0.1:{self.port}",
            "PBMSERV_RELAY": f"maildir:{folder}/letters",
            "PBMSERV_PG_BIN": os.environ.get("PBMSERV_PG_BIN", ""),
            "PBMSERV_SENDERS": "0",
            "PBMSERV_SECRET_KEY": "k" * 44,
            "PYTHONPATH": PACKAGES,
        }
        (folder / "backups").mkdir()
        (folder / "opt").mkdir()
        shutil.copytree(old, self.place, symlinks=True, copy_function=os.link)
        self.roles("listener,clock,sender")
        where = {"folder": folder, "place": self.place, "port": self.port, "python": sys.executable}
        for name, script in (("start", STARTING), ("stop", STOPPING)):
            (folder / name).write_text(script.format(**where))

    def roles(self, roles: str) -> None:
        """Say which roles the server has after its next start."""
        lines = {**self.settings, "PBMSERV_ROLES": roles}
        (self.folder / "env").write_text("".join(f"export {k}={shlex.quote(v)}\n" for k, v in lines.items()))

    def script(self, name: str) -> None:
        subprocess.run(["sh", str(self.folder / name)], check=True, timeout=100)

    def upgrade(self, wheel: Path, python: Path, start: str = "start") -> list[str]:
        """Return the command line of an upgrade."""
        variables = [f"{name}={value}" for name, value in self.settings.items()]
        run = shlex.join(["env", "-C", str(self.folder), *variables])
        start, stop = (shlex.join(["sh", str(self.folder / name)]) for name in (start, "stop"))
        scripts = [f"--stop={stop}", f"--start={start}", f"--run={run}"]
        places = [f"--place={self.place}", f"--backups={self.folder}/backups", f"--python={python}"]
        return [sys.executable, str(ROOT / "deploy/upgrade.py"), str(wheel), *places, *scripts]

    def pbmserv(self, *words: str) -> str:
        """Return what a command of the program that is installed now prints. It must succeed."""
        command = [str(self.place / "bin/python"), "-P", "-m", "pbmserv", *words]
        settings = {**os.environ, **self.settings}
        done = subprocess.run(command, cwd=self.folder, env=settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def send(self, sender: str, subject: str, body: str = "", to: str = SERVER) -> None:
        """Send a mail until it is taken, as mail servers do."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = sender, to, subject, make_msgid(domain="x.test")
        mail.set_content(body)
        deadline = time.monotonic() + 200
        while True:
            try:
                with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as smtp:
                    smtp.send_message(mail)
                    return
            except (OSError, smtplib.SMTPException):
                assert time.monotonic() < deadline
                time.sleep(0.1)

    def ask(self, question: Callable[[Store], T]) -> T:
        """Ask the database, which has our schema after the upgrade."""
        engine = engines.connect(self.settings["PBMSERV_DATABASE_URL"])
        try:
            with engine.execution_options(**engines.READ_ONLY).connect() as connection:
                return question(Store(connection))
        finally:
            engine.dispose()

    def reply_address(self, board: int, player: str) -> str:
        """Return the address that the last letter of a board gave a player."""
        files = sorted(self.folder.glob(f"letters/{player}*/new/*"))
        letters = [message_from_bytes(file.read_bytes()) for file in files]
        found = [x for x in letters if f"Board {board} " in x["Subject"]]
        assert found
        return str(found[-1]["Reply-To"])


@contextmanager
def _traffic(site: Site) -> Iterator[list[int]]:
    """Alice begins one board after the other; the list has one item for each that the server has accepted."""
    accepted: list[int] = []
    over = threading.Event()

    def begin() -> None:
        while not over.is_set():
            site.send("alice@example.org", "tumble challenge alice bob")
            accepted.append(1)
            over.wait(1)

    thread = threading.Thread(target=begin)
    thread.start()
    try:
        yield accepted
    finally:
        over.set()
        thread.join(timeout=210)


@pytest.fixture(params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server of 1.0.0 with boards of its games; the last letters wait, because nobody sends them."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_NO_DEPS", "1")  # they come from the environment of the tests
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("postgresql")
        monkeypatch.setenv("PBMSERV_PG_BIN", str(installed() / "bin"))
        server._do("postgres", "CREATE DATABASE upgraded")
        yield from _played(Site(tmp_path, server.url("upgraded"), old))
        server._do("postgres", "DROP DATABASE upgraded WITH (FORCE)")
    else:
        folder = tmp_path / "with a space"
        folder.mkdir()
        yield from _played(Site(folder, f"sqlite:///{folder}/pbmserv.db", old))


def _played(site: Site) -> Iterator[Site]:
    site.pbmserv("migrate")
    site.script("start")
    try:
        for name in ("alice", "bob", "carol"):
            site.send(f"{name}@example.org", f"signup {name} secret1")
        for line in ("tumble challenge alice bob -c", "3io challenge alice bob", "trippples challenge alice bob"):
            site.send("alice@example.org", line)
        for line in ("threes challenge alice", "town challenge alice"):
            site.send("alice@example.org", line)
        site.send("alice@example.org", "tumble move 101 alice secret1 h4-g5t")
        until(lambda: len(list(site.folder.glob("letters/*/new/*"))) >= 12, 60)
        site.script("stop")
        site.roles("listener,clock")
        site.script("start")
        site.send("carol@example.org", "help")
        site.roles("listener,clock,sender")
        yield site
    finally:
        site.script("stop")


def _check(site: Site, began: int) -> None:
    assert len(site.ask(lambda s: s.board_lists.numbers())) == 5 + began
    assert " 0 differences" in site.pbmserv("boards", "verify")
    assert site.pbmserv("version").strip() != "1.0.0"
    site.send("bob@example.org", "Re: Tumble", "resign", to=site.reply_address(101, "bob"))
    until(lambda: site.ask(lambda s: s.boards.entries(101)[-1].kind is Kind.RESIGN), 20)
    until(lambda: any("HELP" in x or "help" in x for x in _letters(site, "carol")[1:]), 30)
    assert site.ask(lambda s: s.operations.quarantined_mails()) == 0


def _letters(site: Site, player: str) -> list[str]:
    files = sorted(site.folder.glob(f"letters/{player}*/new/*"))
    return [text(message_from_bytes(file.read_bytes())) for file in files]


@contextmanager
def _sign_of(site: Site, sign: str) -> Iterator[Callable[[], object]]:
    """A function that tells whether a step is in its middle, by its sign in `KILLS`."""
    if sign != LOCKED:
        yield lambda: any(site.folder.glob(sign))
        return
    _, _, host = site.settings["PBMSERV_DATABASE_URL"].partition("?host=")
    with psycopg.connect(host=host, user=USER, dbname="postgres", autocommit=True) as connection:
        yield lambda: connection.execute(LOCKED.encode()).fetchone() is not None


def _kill(site: Site, command: list[str], step: str, sign: str, accepted: list[int]) -> None:
    """Begin an upgrade and kill it in this step."""
    before, hold = len(accepted), site.folder / HOLD
    upgrade = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, umask=0o077)
    try:
        assert upgrade.stdout
        said = []
        for line in upgrade.stdout:
            said.append(line)
            if line.strip() == step:
                break
        assert said[-1].strip() == step, "".join(said)
        if sign == HOLD:
            hold.touch()
            until(lambda: len(accepted) > before, 200)
        elif sign:
            with _sign_of(site, sign) as is_amid:
                until(lambda: upgrade.poll() is not None or is_amid(), 200, longest=0.005)
    finally:
        upgrade.kill() if not sign else os.killpg(upgrade.pid, signal.SIGKILL)
        upgrade.communicate()
        hold.unlink(missing_ok=True)


def _upgrade(command: list[str], code: int) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == code, done.stdout + done.stderr


def _pinned(folder: Path) -> tuple[Path, str]:
    """Make a package of one module. Returns its wheel and the line of a constraints file without the digest."""
    wheel, about = folder / "pinned-1.0-py3-none-any.whl", "pinned-1.0.dist-info"
    with ZipFile(wheel, "w") as z:
        z.writestr("pinned.py", "")
        z.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: pinned\nVersion: 1.0\n")
        z.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        z.writestr(f"{about}/RECORD", "")
    return wheel, f"pinned @ {wheel.as_uri()} --hash=sha256:"


def _fail(site: Site, wheel: Path, python: Path) -> list[str]:
    """Fail where the new program is in the place, then by a wrong digest. Returns the command with the right one.

    This one and the other with a digest install in earnest.
    """
    place = shlex.quote(str(site.place))
    refusing = f"grep -q '\"1.0.0\"' {place}/lib/python*/site-packages/pbmserv/__init__.py || exit 1\n"
    (site.folder / "failing").write_text(refusing + (site.folder / "start").read_text())
    _upgrade(site.upgrade(wheel, python, start="failing"), 1)
    assert site.pbmserv("version").strip() == "1.0.0"
    assert " 0 differences" in site.pbmserv("boards", "verify")
    pinned, line = _pinned(site.folder)
    wrong, right = site.folder / "wrong.txt", site.folder / "right.txt"
    wrong.write_text(f"{line}{'0' * 64}\n")
    right.write_text(f"{line}{sha256(pinned.read_bytes()).hexdigest()}\n")
    earnest = site.upgrade(wheel, python.with_name("seeding"))
    _upgrade([*earnest, f"--constraints={wrong}"], 1)
    return [*earnest, f"--constraints={right}"]


def test_an_upgrade_that_fails_or_is_killed_anywhere_loses_and_doubles_nothing(
    site: Site, wheel: Path, python: Path
) -> None:
    """Mails arrive all the time, also between its old servers' second start and its own end."""
    is_whole = site.kind == "sqlite"
    with _traffic(site) as began:
        linked = site.upgrade(wheel, python)
        *before, last = KILLS[site.kind]
        earnest = _fail(site, wheel, python) if is_whole else linked
        for step, sign in before:
            _kill(site, linked, step, sign, began)
        _kill(site, earnest, *last, began)
        _upgrade(linked, 0)
    assert began
    _check(site, len(began))
    assert not list(site.folder.glob("opt/*.upgrade"))
    assert len(list(site.folder.glob("opt/pbmserv/lib/*/site-packages/pinned.py"))) == is_whole
    assert site.place.resolve().stat().st_mode & 0o055 == 0o055


def test_the_extras_and_games_in_use_are_found(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "deploy"))
    try:
        from upgrade import IN_USE
    finally:
        sys.path.pop(0)
    files = {
        "pbmserv-1.0.0": (
            'Requires-Dist: psycopg[binary]>=3; extra == "postgresql"\nRequires-Dist: here>=1; extra == "metrics"\n'
            "Requires-Dist: here; extra == 'web'\nRequires-Dist: gone>=1; extra == 'web'\nRequires-Dist: here\n",
            "",
        ),
        "here-1.0": ("", ""),
        "discs-3.1": ("", "[pbmserv.games]\ndiscs = discs:Discs\n"),
    }
    for name, (more, points) in files.items():
        folder = tmp_path / f"{name}.dist-info"
        folder.mkdir()
        project, _, version = name.partition("-")
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n{more}\n")
        (folder / "entry_points.txt").write_text(points)
    command = [sys.executable, "-S", "-c", IN_USE]
    found = subprocess.run(command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True)
    assert json.loads(found.stdout) == [["metrics"], ["discs==3.1"]]


def test_it_needs_nothing_but_python(tmp_path: Path) -> None:
    shutil.copy(ROOT / "deploy/upgrade.py", tmp_path)
    said = subprocess.run(
        [sys.executable, "-S", "-I", str(tmp_path / "upgrade.py"), "--help"], capture_output=True, check=True
    )
    assert b"--place" in said.stdout


def _limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize(
    ("place", "programs", "limit", "says"),
    [
        ("nowhere/pbmserv", "", None, "No such file or directory"),
        ("opt/pbmserv", "", None, "systemctl"),
        ("opt/pbmserv", "--stop=true", _limit_files, "File too large"),
    ],
)
def test_what_cannot_begin_is_told_and_changes_nothing(
    tmp_path: Path, place: str, programs: str, limit: Callable[[], None] | None, says: str
) -> None:
    (tmp_path / "opt/pbmserv").mkdir(parents=True)
    words = ["new.whl", f"--place={tmp_path}/{place}", *programs.split()]
    command = [sys.executable, str(ROOT / "deploy/upgrade.py"), *words]
    done = subprocess.run(
        command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, preexec_fn=limit, check=False
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert says in done.stdout
    assert list((tmp_path / "opt/pbmserv").iterdir()) == []
