"""`pbmserv events`: what was done by which admin, and to what."""

import pytest

from tests.cli.conftest import Desk


def test_events_are_found_by_their_thing(busy: Desk) -> None:
    busy.run("boards", "void", "101", "--yes", "--why", "a  reason\nin two lines")
    (event,) = busy.json("events", "list", "--about", "board 101")
    assert (event["what"], event["why"]) == ("board 101: void", "a reason in two lines")
    assert busy.json("events", "list", "--about", "board 10") == []
    assert len(busy.json("events", "list", "--since", "today")) == 2
    assert len(busy.json("events", "list", "--limit", "1")) == 1


def test_events_know_who_stands_behind_root(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "root")
    monkeypatch.setenv("SUDO_USER", "ann")
    desk.run("boards", "void", "101", "--yes")
    assert desk.json("events", "list")[0]["who"] == "ann as root"
