"""`pbmserv events`: what was done by which admin, and to what."""

import pytest

from pbmserv.cli.terminal import acting
from tests.cli.conftest import Desk


@pytest.mark.slow
def test_events_are_found_by_their_thing(busy: Desk) -> None:
    busy.run("boards", "void", "101", "--yes", "--why", "a  reason\nin two lines")
    (event,) = busy.json("events", "list", "--about", "board 101")
    assert (event["what"], event["why"]) == ("board 101: void", "a reason in two lines")
    assert busy.json("events", "list", "--about", "board 10") == []
    assert len(busy.json("events", "list", "--since", "today")) == 2
    assert len(busy.json("events", "list", "--limit", "1")) == 1


@pytest.mark.parametrize(
    ("variables", "logged_in", "who"),
    [
        ({"PBMSERV_ADMIN": "ann", "SUDO_USER": "bea"}, "cleo", "ann as pbm@mx"),
        ({"SUDO_USER": "bea"}, "cleo", "bea as pbm@mx"),
        ({"LOGNAME": "root"}, "cleo", "cleo as pbm@mx"),
        ({"SUDO_USER": "pbm"}, "", "pbm@mx"),
    ],
)
def test_events_name_the_person_behind_the_account(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], logged_in: str, who: str
) -> None:
    """Where all admins use the account of the server, its name alone says nothing."""
    for name in ("PBMSERV_ADMIN", "SUDO_USER", "DOAS_USER"):
        monkeypatch.setenv(name, variables.get(name, ""))
    monkeypatch.setattr(acting, "_account_of", lambda uid: "pbm")
    monkeypatch.setattr(acting, "_logged_in", lambda: logged_in)
    monkeypatch.setattr("socket.gethostname", lambda: "mx")
    desk.run("boards", "void", "101", "--yes")
    assert desk.json("events", "list")[0]["who"] == who
