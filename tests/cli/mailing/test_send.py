"""`pbmserv send` says what is wrong with a mail or its destination before it sends anything."""

from pathlib import Path

import pytest

from tests.cli.conftest import Desk

CONFIG, USAGE, DATA = 78, 64, 65


def test_a_body_that_is_no_text(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBMSERV_LISTEN")
    Path("body").write_bytes(b"\xff")
    assert "must be text in UTF-8" in desk.says("send", "a@example.org", "help", "--body", "body", code=DATA)


def test_a_subject_of_two_lines(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBMSERV_LISTEN")
    assert "one line each" in desk.says("send", "a@example.org", "help\ngames", code=USAGE)


@pytest.mark.parametrize("listen", ["lmtp://127.0.0.1:24", "smtp://127.0.0.1:99999", "smtp://127.0.0.1"])
def test_no_port_to_send_to(desk: Desk, monkeypatch: pytest.MonkeyPatch, listen: str) -> None:
    monkeypatch.setenv("PBMSERV_LISTEN", listen)
    assert "There is no smtp://host:port" in desk.says("send", "a@example.org", "help", code=CONFIG)
