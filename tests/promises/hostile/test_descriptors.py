"""More connections than the process may open files: each gets a reply, and the log says so."""

import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.tools.mail_program import Client
from tests.tools.process import Process

_FEW = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.slow
def test_each_connection_gets_a_reply(tmp_path: Path) -> None:
    with Process(tmp_path, under=(sys.executable, "-c", _FEW)) as server:
        banners = []
        with ExitStack() as stack:
            client = stack.enter_context(Client(server))
            for n in range(100):
                peer = stack.enter_context(socket.socket())
                peer.settimeout(20)
                peer.bind((f"127.0.0.{2 + n // 10}", 0))
                peer.connect(("127.0.0.1", server.port))
                banners.append(peer.recv(100)[:4])
            assert client.ask("ann@example.org", "help")
        assert set(banners) == {b"220 ", b"421 "}
        assert banners.count(b"220 ") >= 20
        assert server.log.count("connection_refused") == banners.count(b"421 ")
        assert "few_descriptors" in server.log
