"""Every listing, for people at 80 columns and for programs."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.conftest import Desk, move
from tests.world import World


@pytest.fixture
def busy(desk: Desk) -> Desk:
    """Board 101: alice waits for bob. 102: over, with option -c. 103: carol plays threes. A seek, an event."""
    desk.world.once(_play)
    return desk


def _play(world: World) -> None:
    move(world, "alice", "c1-c2")
    world.board("alice", "bob", options="-c")
    world.mail("bob", "tumble resign 102 bob bob-secret")
    world.board("carol", game="threes")
    world.mail("carol", "tumble seek carol carol-secret --private")
    Desk(world).run("players", "lock", "carol", "--why", "a test")


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
def test_lists_are_json_and_fit_on_the_screen(busy: Desk, words: tuple[str, ...]) -> None:
    move(busy.world, "bob", "f6-f5")
    busy.world.mail("bob", "tumble resign 101 bob bob-secret")
    assert busy.json(*words)
    shown = busy.run(*words).output
    assert max(map(len, shown.splitlines())) <= 80
    assert len(shown.splitlines()) > 3


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ((), [103, 102, 101]),
        (("--game", "tumble"), [102, 101]),
        (("--game", "THREES"), [103]),
        (("--player", "carol"), [103]),
        (("--status", "active"), [103, 101]),
        (("--status", "inactive"), [102]),
        (("--status", "next", "--player", "bob"), [101]),
        (("--option", "c"), [102]),
        (("--option=-c",), [102]),
        (("--option", "x"), []),
        (("--waiting-since", "2026-03-01 12:00:01Z"), [101]),
        (("--waiting-since", "2026-02-28"), []),
        (("--limit", "1"), [103]),
    ],
)
def test_boards_have_filters(busy: Desk, words: tuple[str, ...], numbers: list[int]) -> None:
    assert [b["number"] for b in busy.json("boards", "list", *words)] == numbers


def test_options_with_values_are_found_with_and_without_them(desk: Desk) -> None:
    desk.world.board("alice", "bob", game="trippples", options="-e")
    assert [b["number"] for b in desk.json("boards", "list", "--option", "e")] == [102]
    assert desk.json("boards", "list", "--option", "e=2") == []


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("boards", "list", "--game", "chess"), 66, "There is no game chess. Known are: tumble"),
        (("boards", "list", "--player", "zoe"), 66, "There is no player zoe."),
        (("boards", "list", "--status", "sleeping"), 64, "sleeping"),
        (("letters", "list", "--status", "queue"), 64, "queue"),
        (("mail", "list", "--status", "shelf"), 64, "shelf"),
        (("boards", "verify", "999"), 1, "board 999"),
        (("boards", "list", "--waiting-since", "soon"), 64, "'soon' is no time that is understood"),
        (("boards", "show", "999"), 66, "There is no board 999."),
        (("boards", "show", "101", "--ply", "9"), 66, "There is no ply 9"),
        (("boards", "show", "101", "--as", "carol"), 66, "carol does not play on board 101."),
        (("boards", "record", "999"), 66, "There is no board 999."),
        (("games", "rules", "chess"), 66, "There is no game chess."),
        (("ratings", "show", "chess"), 66, "There is no game chess."),
        (("mail", "show", "99"), 66, "There is no mail 99."),
        (("boards",), 64, "Usage"),
        (("boards", "shew"), 64, "shew"),
        (("players", "lock"), 64, "USERID"),
    ],
)
def test_what_is_not_there(busy: Desk, words: tuple[str, ...], code: int, says: str) -> None:
    assert says in busy.says(*words, code=code)


class TestShow:
    def test_after_a_ply_as_somebody(self, busy: Desk) -> None:
        now, before = (busy.run("boards", "show", "101", *w).output for w in ((), ("--ply", "0", "--as", "bob")))
        assert "c1-c2" in now.partition("+----")[0]
        assert "c1-c2" not in before.partition("+----")[0]

    def test_as_a_page(self, busy: Desk) -> None:
        page = busy.run("boards", "show", "101", "--html").stdout
        assert page.startswith("<!DOCTYPE html>")
        assert "<pre" in page
        assert "Tumble Board 101" in page
        assert "after ply 0" in busy.run("boards", "show", "101", "--html", "--ply", "0").stdout


def test_rules_are_what_players_get(desk: Desk) -> None:
    (letter,) = desk.world.mail("alice", "tumble help")
    shown = desk.says("games", "rules", "tumble")
    assert "Two armies of men stand in stacks" in letter.flat
    assert "Two armies of men stand in stacks" in shown


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


def test_ratings_are_made_anew(busy: Desk) -> None:
    move(busy.world, "bob", "f6-f5")
    busy.world.mail("bob", "tumble resign 101 bob bob-secret")
    before = busy.json("ratings", "show", "tumble")
    assert "1 rated boards" in busy.says("ratings", "rebuild", "--why", "to see")
    assert busy.json("ratings", "show", "tumble") == before
    assert [r["player"] for r in before] == ["alice", "bob"]
    assert busy.event() == ("ratings: rebuild, 1 rated boards", "to see")


def test_stats_count(busy: Desk) -> None:
    counted = busy.json("stats", "--since", "2026-03-01")
    (today,) = [d for d in counted["days"] if d["day"] == "2026-03-01"]
    assert (today["mails"], today["moves"]) == (6, 1)
    tumble = next(g for g in counted["games"] if g["game"] == "tumble")
    assert (tumble["running"], tumble["begun"], tumble["ended"]) == (1, 2, 1)
    assert counted["answers"] == 1
    assert set(counted["seconds"].values()) == {1.0}
    assert busy.json("stats", "--since", "today")["answers"] == 0


def test_answer_times_begin_with_what_was_before_on_the_board(desk: Desk) -> None:
    for userid, text, days in (("alice", "c1-c2", 1), ("bob", "f6-f5", 10)):
        desk.world.now += timedelta(days=days)
        move(desk.world, userid, text)
    seconds = desk.world.query(lambda s: s.operations.answer_seconds(desk.world.now.replace(day=1)))
    assert [round(s / 86400) for s in seconds] == [1, 10]


def test_the_half_of_five_answers_is_three(desk: Desk) -> None:
    for days, text in enumerate(("c1-c2", "f6-f5", "c2-c3", "f5-f4", "c3-c4"), start=1):
        desk.world.now += timedelta(days=days) - timedelta(seconds=1)  # a mail takes a second
        move(desk.world, ("bob", "alice")[days % 2], text)
    seconds = desk.json("stats", "--since", "2026-02-28")["seconds"]
    assert [round(s / 86400) for s in seconds.values()] == [3, 5, 5]


def test_the_boards_of_a_record_come_back(desk: Desk) -> None:
    move(desk.world, "alice", "c1-c2")
    Path("board.json").write_text(desk.run("boards", "record", "101", "--with-seed").stdout)
    assert json.loads(desk.run("boards", "record", "101").stdout)["seed"] is None
    desk.run("boards", "import", "board.json", "--why", "moved")
    assert desk.event() == ("board 102: import", "moved")
    assert "2 boards replayed, 0 differences" in desk.says("boards", "verify")
