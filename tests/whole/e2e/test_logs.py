"""The log of a server has one line for each mail. Its reference number leads to everything else."""

import json
from pathlib import Path
from smtplib import SMTPDataError
from typing import Any

import pytest

from tests.tools.mail_program import Client
from tests.tools.process import Process, until
from tests.tools.warm import ForkedProcess


def mails(server: Process) -> list[dict[str, Any]]:
    """Return the lines about mails, in order."""
    return [line for line in map(json.loads, server.log.splitlines()) if line["event"] == "mail"]


@pytest.mark.slow
def test_each_mail_is_one_line(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path, PBMSERV_LOG_FORMAT="json") as server:
        with Client(server) as client:
            client.send("alice@example.org", "signup alice secret1")
            client.send("alice@example.org", "signup alice secret1")  # the same Message-ID
            client.send("alice@example.org", "tumble move 999 alice secret1 a1-a2")
            with pytest.raises(SMTPDataError, match="552"):
                client.smtp.sendmail("x@example.org", "pbmserv@localhost", b"Subject: big\r\n\r\n" + b"x" * 70_000)
        told = until(lambda: found if len(found := mails(server)) == 4 else None)
        assert "nothing was lost" in server.stop()
    assert [line["status"] for line in told] == ["done", "duplicate", "error", "too large"]
    assert [line["reply"] for line in told] == ["250", "250", "250", "552"]
    first = told[0]
    assert (first["mail"], first["peer"]) == (1, "127.0.0.1")
    assert first["size"] > 100
    assert {"read_ms", "wait_ms", "commit_ms"} <= set(first)
    assert f"mail {told[2]['mail']} from alice@example.org" in server.told("mail", "show", str(told[2]["mail"]))
