"""The receiver of docs/webhooks.md takes events of a real server, which may reach this machine."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.tools.mail_program import Client, letters
from tests.tools.process import Process, until
from tests.tools.tree import ROOT
from tests.tools.warm import ForkedProcess

PAGE = (ROOT / "docs" / "webhooks.md").read_text()
(RECEIVER,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def server(tmp_path: Path, port: int) -> Iterator[Process]:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "cert.pem"))
    with ForkedProcess(
        tmp_path,
        PBMSERV_WEBHOOKS="1",
        PBMSERV_WEBHOOK_PORTS=str(port),
        PBMSERV_WEBHOOK_NETWORKS="127.0.0.0/8,::1/128",
        SSL_CERT_FILE=str(tmp_path / "ca.pem"),
    ) as server:
        yield server
        assert "nothing was lost" in server.stop()


@contextmanager
def receiver(folder: Path, port: int, *secret: str) -> Iterator[Path]:
    """Run the program of the page. Yields the file with what it prints."""
    (folder / "receiver.py").write_text(RECEIVER)
    words = [sys.executable, "-I", "receiver.py", str(port), "cert.pem", "cert.pem", *secret]
    out = folder / f"receiver{len(secret)}.txt"
    with out.open("wb") as file, subprocess.Popen(words, cwd=folder, stdout=file, stderr=subprocess.DEVNULL) as program:
        try:
            until(lambda: _listens(port))
            yield out
        finally:
            program.kill()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _told(out: Path, kind: str) -> Any:
    """Return the data of the last event of this kind; None if there is none yet."""
    found = [line.partition(" ")[2] for line in out.read_text().splitlines() if line.startswith(f"{kind} ")]
    return json.loads(found[-1]) if found else None


def test_it_is_short() -> None:
    assert len([line for line in RECEIVER.splitlines() if line.strip()]) < 40


@pytest.mark.slow
def test_the_receiver_of_the_page(server: Process, tmp_path: Path, port: int) -> None:
    with Client(server) as client:
        for name in ("alice", "bob"):
            client.send(f"{name}@example.org", f"signup {name} {name}-secret")
        with receiver(tmp_path, port) as out:
            client.send("alice@example.org", f"set alice alice-secret webhook=https://localhost:{port}/pbm")
            code = until(lambda: _told(out, "challenge"))["code"]
        client.send("alice@example.org", f"set alice alice-secret webhook={code}")
        (letter,) = until(lambda: [x for x in letters(server, "alice@example.org") if x["Subject"] == "Your webhook"])
        secret = re.findall(r"h[\d.]+\.\w{16}-h[\d.]+\.\w{16}", str(letter))[0]
        with receiver(tmp_path, port, secret) as out, socket.create_connection(("127.0.0.1", port)):  # it says nothing
            client.send("bob@example.org", "message bob bob-secret alice", "Hello")
            assert until(lambda: _told(out, "message"))["from"] == "bob"
            client.send("alice@example.org", "threes challenge alice --as=alice:alice-secret")
            assert until(lambda: _told(out, "turn"))["game"] == "threes"
    assert secret not in server.log
    assert "/pbm" not in server.log
