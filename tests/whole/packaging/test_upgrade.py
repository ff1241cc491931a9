"""deploy/upgrade.py brings an installation of 1.0.0 here, while mails arrive, however often it is killed."""

import io
import json
import os
import shlex
import shutil
import smtplib
import socket
import subprocess
import sys
import sysconfig
import tarfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.tools.postgresql import QUICK, installed, is_available, running
from tests.tools.process import DEMO, until
from tests.tools.tree import ROOT
from tests.whole.packaging.installed_server import text

pytestmark = [pytest.mark.slow, pytest.mark.timeout(500)]

OLD = "97998510"  # 1.0.0
SERVER = "pbmserv@localhost"
PACKAGES = sysconfig.get_path("purelib")
STEPS = ("installing", "stopping", "backing up", "migrating", "switching", "starting")
STARTING = """
cd {folder}
. ./env
exec 9> starting
flock 9
if ! kill -0 "$(cat pid)" 2> /dev/null; then
    setsid {place}/bin/python -P -m pbmserv serve >> log 2>&1 < /dev/null 9>&- &
    echo $! > pid
fi
for _ in $(seq 300); do
    {python} -c 'import socket; socket.create_connection(("127.0.0.1", {port})).close()' 2> /dev/null && exit 0
    kill -0 "$(cat pid)" 2> /dev/null || exit 1
    sleep 0.2
done
exit 1
"""
STOPPING = """
cd {folder}
[ -f pid ] || exit 0
kill $(cat pid) 2> /dev/null
while kill -0 $(cat pid) 2> /dev/null; do sleep 0.1; done
rm pid
"""


@pytest.fixture(scope="module")
def old_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of 1.0.0, built from the history."""
    packed = subprocess.run(["git", "archive", OLD], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        pytest.skip("the commit of 1.0.0 is only in a whole clone")
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tree:
        tree.extractall(folder / "tree", filter="data")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(folder / "tree")]
    subprocess.run(build, capture_output=True, check=True, timeout=100)
    (wheel,) = folder.glob("*.whl")
    return wheel


class Site:
    """An installation with its settings, its servers and its players. `place` is where the virtual environment is."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.place = folder, folder / "opt/pbmserv"
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
        self.roles("listener,clock,sender")
        where = {"folder": folder, "place": self.place, "port": self.port, "python": sys.executable}
        for name, script in (("start", STARTING), ("stop", STOPPING)):
            (folder / name).write_text(script.format(**where))

    def roles(self, roles: str) -> None:
        """Say which roles the server has after its next start."""
        lines = {**self.settings, "PBMSERV_ROLES": roles}
        (self.folder / "env").write_text("".join(f"export {k}={shlex.quote(v)}\n" for k, v in lines.items()))

    def install(self, wheel: Path) -> None:
        """Install a wheel without pip; what it needs comes from the environment of the tests."""
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(self.place)], check=True, timeout=60)
        (packages,) = self.place.glob("lib/python*/site-packages")
        ZipFile(wheel).extractall(packages)  # noqa: S202 - our own wheel
        (packages / "others.pth").write_text(f"{PACKAGES}\n")

    def script(self, name: str) -> None:
        subprocess.run(["sh", str(self.folder / name)], check=True, timeout=100)

    def upgrade(self, wheel: Path, start: str = "start") -> list[str]:
        """Return the command line of an upgrade."""
        variables = [f"{name}={value}" for name, value in self.settings.items()]
        run = shlex.join(["env", "-C", str(self.folder), *variables])
        scripts = [f"--stop=sh {self.folder}/stop", f"--start=sh {self.folder}/{start}", f"--run={run}"]
        places = [f"--place={self.place}", f"--backups={self.folder}/backups"]
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

    def boards(self) -> int:
        """Return how many boards there are."""
        return len(json.loads(self.pbmserv("boards", "list", "--status", "all", "--limit", "9999", "--json")))

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
def site(
    request: pytest.FixtureRequest, tmp_path: Path, old_wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    """A server of 1.0.0 with boards of its games; the last letters wait, because nobody sends them."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_NO_DEPS", "1")  # they come from the environment of the tests
    (tmp_path / "opt").mkdir()
    if request.param == "postgresql":
        if not is_available():
            pytest.skip("there is no build of PostgreSQL for this machine")
        monkeypatch.setenv("PBMSERV_PG_BIN", str(installed() / "bin"))
        with running(QUICK) as server:
            server._do("postgres", "CREATE DATABASE played")
            yield from _played(Site(tmp_path, server.url("played")), old_wheel)
    else:
        yield from _played(Site(tmp_path, f"sqlite:///{tmp_path}/pbmserv.db"), old_wheel)


def _played(site: Site, wheel: Path) -> Iterator[Site]:
    site.install(wheel)
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
    assert site.boards() == 5 + began
    assert " 0 differences" in site.pbmserv("boards", "verify")
    assert site.pbmserv("version").strip() != "1.0.0"
    site.send("bob@example.org", "Re: Tumble", "resign", to=site.reply_address(101, "bob"))
    until(lambda: "alice wins" in site.pbmserv("boards", "show", "101"), 20)
    until(lambda: any("HELP" in x or "help" in x for x in _letters(site, "carol")[1:]), 30)
    assert json.loads(site.pbmserv("mail", "list", "--status", "shelved", "--json")) == []


def _letters(site: Site, player: str) -> list[str]:
    files = sorted(site.folder.glob(f"letters/{player}*/new/*"))
    return [text(message_from_bytes(file.read_bytes())) for file in files]


def test_an_upgrade_that_is_killed_at_each_step_loses_and_doubles_nothing(site: Site, wheel: Path) -> None:
    with _traffic(site) as began:
        for step in STEPS:
            upgrade = subprocess.Popen(site.upgrade(wheel), stdout=subprocess.PIPE, text=True)
            assert upgrade.stdout
            for line in upgrade.stdout:
                if line.strip() == step:
                    upgrade.kill()
                    break
            upgrade.communicate()
        done = subprocess.run(site.upgrade(wheel), capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert began
    _check(site, len(began))
    assert not list(site.folder.glob("opt/*.upgrade"))


def test_an_upgrade_that_fails_goes_back_and_a_second_one_succeeds(site: Site, wheel: Path) -> None:
    """The start fails wherever the new program is in the place."""
    refusing = f"grep -q '\"1.0.0\"' {site.place}/lib/python*/site-packages/pbmserv/__init__.py || exit 1\n"
    (site.folder / "failing").write_text(refusing + (site.folder / "start").read_text())
    with _traffic(site) as began:
        done = subprocess.run(site.upgrade(wheel, "failing"), capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 1, done.stdout + done.stderr
        assert site.pbmserv("version").strip() == "1.0.0"
        assert " 0 differences" in site.pbmserv("boards", "verify")
        done = subprocess.run(site.upgrade(wheel), capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    _check(site, len(began))


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
