"""A server on which alice and bob play, for all tests of a module."""

from collections.abc import Iterator

import pytest

from tests.tools.mail_program import Client
from tests.tools.process import Process
from tests.tools.warm import ForkedProcess
from tests.web.touching import HOME


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with ForkedProcess(tmp_path_factory.mktemp("server"), PBMSERV_WEB_URL=HOME) as running:
        with Client(running) as client:
            for userid in ("alice", "bob"):
                client.ask(f"{userid}@example.org", f"signup {userid} secret1")
        yield running
        running.verify()
        running.stop()
