"""The robot of docs/robots.md plays on a real server: one mail for each letter, and each game comes to its end."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmserv.games.base.log import Kind
from pbmserv.mail.smtp.maildir import folder_name
from tests.examples import SOAK
from tests.tools.mail_program import Client
from tests.tools.process import Process
from tests.tools.tree import ROOT
from tests.tools.warm import ForkedProcess

PAGE = ROOT / "docs" / "robots.md"
(SCRIPT,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
NAMES = ("hal", "eve")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    """A server on which the accounts of two such robots are open."""
    with ForkedProcess(tmp_path) as server:
        with Client(server) as client:
            for name in NAMES:
                client.send(f"{name}@example.org", f"signup {name} {name}-secret")
                client.send(f"{name}@example.org", f"set {name} {name}-secret attach=record robot=yes")
        yield server
        assert "nothing was lost" in server.stop()


def play(server: Process, games: int) -> None:
    """Let the two robots play so many games of small Hex, in which a game has at most ten moves."""
    with Client(server) as client:
        for n in range(games):
            one, two = NAMES if n % 2 else NAMES[::-1]
            client.send(f"{one}@example.org", f"hex challenge {one} {two} -size=3", f"{n}")
    robots = [start(server, name) for name in NAMES]
    try:
        deadline = time.monotonic() + 30 + games
        while running(server) and time.monotonic() < deadline:
            time.sleep(0.5)
    finally:
        for robot in robots:
            robot.kill()
            robot.wait()
    assert not running(server)
    check(server, games)


def start(server: Process, name: str) -> "subprocess.Popen[bytes]":
    """Start a robot as the page says."""
    (server.folder / "robot.py").write_text(SCRIPT)
    folder = server.folder / "var" / "letters" / folder_name(f"{name}@example.org")
    words = ("robot.py", str(folder), "127.0.0.1", str(server.port), f"{name}@example.org")
    return subprocess.Popen([sys.executable, *words], cwd=server.folder)


def running(server: Process) -> int:
    """Return how many boards are not over."""
    numbers = server.query(lambda store: store.board_lists.numbers())
    return sum(server.query(lambda store, n=n: store.boards.find(n)).board.result is None for n in numbers)


def check(server: Process, games: int) -> None:
    """Check that seats have moved in turns, once each, and that no mail of a robot was wrong."""
    numbers = server.query(lambda store: store.board_lists.numbers())
    assert len(numbers) == games
    for number in numbers:
        row = server.query(lambda store, n=number: store.boards.find(n))
        assert row.board.result.reason in row.game.info.endings
        assert not row.settings.rated
        log = server.query(lambda store, n=number: store.boards.log(n))
        seats = [line.entry.seat for line in log if line.entry.kind is Kind.MOVE]
        assert seats == [n % 2 for n in range(len(seats))]
        assert len({line.mail_id for line in log}) == len(log)
    assert {mail.status for mail in server.query(lambda store: store.mails.newest(100_000))} == {"done"}
    server.verify()


def test_it_has_less_than_sixty_lines() -> None:
    assert len(SCRIPT.splitlines()) < 60


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_many_games(server: Process) -> None:
    play(server, 20 if SOAK == 1 else 200)
