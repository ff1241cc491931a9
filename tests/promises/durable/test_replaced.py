"""A server goes on as it was when its files are replaced below it, as pip does: it has read them at its start."""

import os
import re
import shutil
import signal
import smtplib
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

import pytest

from pbmserv.commands import COMMANDS
from pbmserv.commands.help import TOPICS
from pbmserv.games import GAMES
from pbmserv.inbox.command import PASSWORD, fill_example
from tests.tools.process import ADDRESS, Process, environment, until
from tests.tools.tree import ROOT
from tests.tools.warm import ForkedProcess

pytestmark = [pytest.mark.slow, pytest.mark.sqlite, pytest.mark.timeout(200)]

#: Beside the package, on the path of each of its processes: refuses all that does not come with Python itself.
_GUARD = """
import os, sys

class Guard:
    def find_spec(self, name, path=None, target=None):
        if os.path.exists(os.path.join(os.path.dirname(__file__), "replaced")) and not self.comes_with_python(name):
            with open(os.path.join(os.path.dirname(__file__), "late"), "a") as late:
                late.write(name + "\\n")
            raise ImportError(f"{name} was replaced")

    def comes_with_python(self, name):
        return name.partition(".")[0] in sys.stdlib_module_names or name.startswith("tzdata")  # a file for each zone

sys.meta_path.insert(0, Guard())
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the package as pip installs it."""
    folder = tmp_path / "site"
    shutil.copytree(ROOT / "pbmserv", folder / "pbmserv")
    for name in ("templates", "migrations"):
        shutil.copytree(ROOT / name, folder / "pbmserv/_data" / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "sitecustomize.py").write_text(_GUARD)
    return folder


def _replace(site: Path) -> None:
    """Put something else in the place of every file."""
    for file in (site / "pbmserv").rglob("*"):
        if file.is_file():
            file.write_text("{% spoiled ]] <\n")
    (site / "replaced").touch()


def _late(site: Path) -> list[str]:
    """The modules that were asked for after that."""
    late = site / "late"
    return sorted(set(late.read_text().split())) if late.exists() else []


def _send(port: int, lines: Iterable[tuple[str, str]]) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as smtp:
        for sender, subject in lines:
            mail = EmailMessage()
            mail["From"], mail["To"], mail["Subject"] = f"{sender}@example.org", ADDRESS, subject
            mail["Message-ID"] = make_msgid(domain="example.org")
            smtp.send_message(mail)


def _everything() -> Iterator[tuple[str, str]]:
    """Each game is begun, moved and ended in one of two languages; each page about commands is asked for in both.

    Each command is tried, too, and at the end a robot is challenged.
    """
    number = 101
    for language, games in (("en", GAMES[::2]), ("de", GAMES[1::2])):
        yield "alice", f"set alice secret1 language={language}"
        yield from (("alice", f"help {topic}") for topic in (*TOPICS, *(c.verb for c in COMMANDS)))
        for game in games:
            yield "alice", f"{game.info.key} help"
            friends = " ".join(("alice", "bob", "carol", "dave")[: game.info.seats[0]])
            yield "alice", f"{game.info.key} challenge {friends}"
            for command in ("moves", "record", "move"):
                found = next((c for c in COMMANDS if c.verb == command), None)
                if found and found.example:
                    yield "alice", fill_example(found, game, board=number).replace(PASSWORD, "secret1")
            yield "alice", f"{game.info.key} resign {number} alice secret1"
            number += 1
    yield from (
        ("bob", fill_example(c, GAMES[0], userid="bob").replace(PASSWORD, "secret1"))
        for c in COMMANDS
        if c.example and c.verb != "signoff"
    )
    yield "alice", "chess challenge robert alice --unrated"


def test_everything_works_from_a_server_whose_files_were_replaced(tmp_path: Path, site: Path) -> None:
    limits = {"PBMSERV_UNPROVED_ANSWERS_A_DAY": "9999", "PBMSERV_UNPROVED_ANSWER_KB_A_DAY": "99999"}
    settings = {"PBMSERV_SENDERS": "1", "PBMSERV_WEBHOOKS": "1", "PBMSERV_ROBOT_REST": "0", **limits}
    with Process(tmp_path, PYTHONPATH=str(site), **settings) as server:
        _send(server.port, ((name, f"signup {name} secret1") for name in ("alice", "bob", "carol", "dave")))
        database = tmp_path / "var/pbmserv.db"

        def count(what: str) -> int:
            with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as reader:
                return int(reader.execute(f"SELECT count(*) FROM {what}").fetchone()[0])

        until(lambda: count("outbox WHERE status = 'sent'") == 4, 60)  # the child that sends has started, too
        server.told("robots", "add", "robert", "--game", "chess")
        _replace(site)
        os.kill(server.children[0], signal.SIGKILL)  # another child takes its place
        _send(server.port, _everything())
        until(lambda: count("board JOIN seat ON board = number JOIN robot USING (player_id) WHERE length > 0"), 100)
        until(lambda: count("outbox WHERE status = 'queued'") == 0, 100)
        server.stop()
        assert _late(site) == []
        assert count("mail WHERE status = 'shelved'") == 0
        assert count("outbox WHERE status NOT IN ('sent', 'dropped')") == 0  # dropped: the robot's answer says it, too
        assert "level='error'" not in server.log
        assert count("board WHERE over IS NOT NULL") >= len(GAMES)


@contextmanager
def _web(folder: Path, site: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "pbmserv", "web", "--listen", "127.0.0.1:0"]
    settings = environment(PYTHONPATH=str(site), PBMSERV_JSON_LISTS="1")
    with (
        (folder / "web.log").open("w") as log,
        subprocess.Popen(command, cwd=folder, env=settings, stdout=subprocess.PIPE, stderr=log, text=True) as pages,
    ):
        try:
            assert pages.stdout
            found = re.search(r"http://(\S+)", pages.stdout.readline())
            assert found
            yield found[0]
        finally:
            pages.terminate()


def test_every_page_is_shown_by_a_web_process_whose_files_were_replaced(tmp_path: Path, site: Path) -> None:
    from pbmserv.web.app import FILES, PAGES

    with ForkedProcess(tmp_path) as server:
        players = [(name, f"signup {name} secret1") for name in ("alice", "bob")]
        _send(server.port, [*players, ("alice", "tumble challenge alice bob"), ("alice", "chess challenge alice bob")])
        with _web(tmp_path, site) as place:
            _replace(site)
            known = {"{game}": "chess", "{number}": "101", "{userid}": "alice", "{topic}": "tournaments", "{ply}": "0"}
            for path in (*PAGES, *FILES, "/games/backgammon/picture.svg"):  # its robots have weights in a file
                if path.startswith("/tournaments/{"):
                    continue
                for word, value in {**known, "{format}": "json"}.items():
                    path = path.replace(word, value)
                with urllib.request.urlopen(place + path, timeout=30) as answer:  # noqa: S310 - a URL of ours
                    assert answer.status == 200, path
        assert _late(site) == []
        assert "level='error'" not in (tmp_path / "web.log").read_text()
