"""Every list, for people at 80 columns and for programs."""

import re

import pytest

from pbmserv.cli.terminal.console import console
from tests.cli.conftest import Desk, move

LISTS = [
    ("boards", "list"),
    ("boards", "log", "101"),
    ("players", "list"),
    ("players", "addresses", "alice"),
    ("games", "list"),
    ("games", "options", "trippples"),
    ("seeks", "list"),
    ("mail", "list"),
    ("letters", "list"),
    ("events", "list"),
    ("ratings", "show", "tumble"),
    ("stats", "--since", "2026-02-01"),
    ("trace", "--board", "101"),
]


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_lists_are_json_and_fit_on_the_screen(
    busy: Desk, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    move(busy.world, "bob", "f6-f5")
    busy.world.play()
    busy.world.mail("bob", "tumble resign 101 bob bob-secret")
    assert busy.json(*words)
    assert len(busy.run(*words).output.splitlines()) > 1
    monkeypatch.setattr(console, "_force_terminal", True)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", busy.run(*words).output)
    assert max(map(len, shown.splitlines())) <= 80
    assert len(shown.splitlines()) > 3


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("boards", "list", "--game", "rummy"), 66, "There is no game rummy. Available: tumble"),
        (("boards", "list", "--player", "zoe"), 66, "There is no player zoe."),
        (("boards", "list", "--status", "sleeping"), 64, "sleeping"),
        (("letters", "list", "--status", "queue"), 64, "queue"),
        (("mail", "list", "--status", "shelf"), 64, "shelf"),
        (("boards", "verify", "999"), 1, "board 999"),
        (("boards", "list", "--waiting-since", "soon"), 64, "'soon' is not a time in a known form"),
        (("boards", "show", "999"), 66, "There is no board 999."),
        (("boards", "show", "101", "--ply", "9"), 66, "There is no ply 9"),
        (("boards", "show", "101", "--as", "carol"), 66, "carol does not play on board 101."),
        (("boards", "record", "999"), 66, "There is no board 999."),
        (("games", "rules", "rummy"), 66, "There is no game rummy."),
        (("ratings", "show", "rummy"), 66, "There is no game rummy."),
        (("mail", "show", "99"), 66, "There is no mail 99."),
        (("boards",), 64, "Usage"),
        (("boards", "shew"), 64, "shew"),
        (("players", "lock"), 64, "USERID"),
    ],
)
def test_what_is_not_there(busy: Desk, words: tuple[str, ...], code: int, says: str) -> None:
    assert says in busy.says(*words, code=code)
