"""docs/adding-a-game.md: its example is installed beside a wheel of ours, conforms, and is played by mail."""

import os
import re
import signal
import smtplib
import subprocess
import time
import venv
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PAGE = ROOT / "docs" / "adding-a-game.md"
FILES = re.findall(r"```\w+ file=(\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as the page has it, and a virtual environment in which both are installed."""
    folder = tmp_path_factory.mktemp("noughts")
    for name, text in FILES:
        file = folder / "package" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    venv.create(folder / "venv", with_pip=True)
    install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        str(wheel),
        "--editable",
        str(folder / "package"),
        "pytest",
        "hypothesis",
    ]
    run(folder, "python", *install, seconds=300)
    return folder


def run(folder: Path, program: str, *words: str, seconds: float = 120) -> str:
    """What an installed program prints; it has to succeed."""
    command = [str(folder / "venv/bin" / program), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_package_conforms(home: Path) -> None:
    suite = ("-m", "pytest", "-q", "--pyargs", "pbmserv.conformance", "-k", "noughts", "-p", "no:cacheprovider")
    run(home, "python", *suite, "--golden")
    golden = list((home / "package/noughts_and_crosses/golden").glob("noughts-*.txt"))
    assert golden
    assert re.search("Result: (row|full)", golden[0].read_text())
    assert "passed" in run(home, "python", *suite)


def test_it_is_played_by_mail(home: Path) -> None:
    env = {
        "PATH": os.environ["PATH"],
        "PBMSERV_LISTEN": "smtp://127.0.0.1:0",
        "PBMSERV_TRUST_FROM": "1",
        "PBMSERV_CONFIRM_ADDRESSES": "0",
    }
    command = [str(home / "venv/bin/pbmserv"), "serve"]
    with subprocess.Popen(command, cwd=home, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        match = re.search(r"smtp://127\.0\.0\.1:(\d+)", server.stdout.readline())
        assert match
        for sender, subject in (
            ("alice", "signup alice secret1"),
            ("bob", "signup bob secret2"),
            ("alice", "noughts challenge alice bob"),
            ("alice", "noughts move 101 alice secret1 b2"),
            ("bob", "noughts move 101 bob secret2 a1"),
            ("alice", "tictactoe move 101 alice secret1 b1"),
            ("bob", "noughts move 101 bob secret2 a2"),
            ("alice", "noughts move 101 alice secret1 b3"),
        ):
            send(int(match[1]), f"{sender}@example.org", subject)
        text = last_letter(home / "var/letters/bob@example.org", "Board 101 is over")
        server.send_signal(signal.SIGTERM)
        assert server.wait(40) == 0
    assert "alice wins (three in a row)" in text
    assert " 2| O | X |   |" in text
    assert "1 boards replayed, 0 differ" in run(home, "pbmserv", "boards", "verify")


def send(port: int, sender: str, subject: str) -> None:
    """A mail that is nothing but a subject."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, "pbmserv@localhost", subject
    mail["Message-ID"] = make_msgid(domain="example.org")
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as smtp:
        smtp.send_message(mail)


def last_letter(maildir: Path, words: str) -> str:
    """The letter in which these words stand; it may still be on its way."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for file in sorted((maildir / "new").glob("*")):
            text = str(message_from_bytes(file.read_bytes()).get_payload(0))
            if words in text:
                return text
        time.sleep(0.1)
    raise AssertionError(f"no letter says {words!r}")
