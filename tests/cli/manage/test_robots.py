"""`pbmserv robots`: an admin adds robots, lets them rest, and removes them."""

import json
import sys
from pathlib import Path

import pytest

from pbmserv.cli.terminal.exits import Exit
from tests.cli.conftest import Desk
from tests.robots import engine_programs

ADD = ("robots", "add", "robert", "--game", "four")


@pytest.fixture
def robert(desk: Desk) -> Desk:
    """There is a robot for Four in a Row, and alice has a board with it: 102."""
    desk.run(*ADD, "--level", "1", "--boards", "2", "--why", "for beginners")
    desk.world.mail("alice", "four challenge alice robert")
    return desk


def test_a_robot_is_listed_with_its_boards(robert: Desk) -> None:
    assert robert.event() == ("player robert: add as a robot for four, at level 1", "for beginners")
    robot = {
        "userid": "robert",
        "game": "four",
        "level": 1,
        "suits": "a child",
        "engine": "",
        "elo": None,
        "nodes": None,
        "boards": 1,
        "most": 2,
        "state": "plays",
    }
    assert robert.json("robots", "list") == [robot]
    assert "robert four 1 a child 1 plays 2" in robert.says("robots", "list")


@pytest.mark.parametrize(
    ("game", "level", "text"),
    [("Chess", "5", "chess at level 5, for a club player."), ("Go", "0", "go at level 0, for a child.")],
)
def test_a_robot_is_told_with_whom_it_suits(desk: Desk, game: str, level: str, text: str) -> None:
    """Names of games can be written large."""
    said = desk.says("robots", "add", "Robert", "--game", game, "--level", level)
    assert f"The robot robert plays {text}" in said


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("add", "robert", "--game", "risk"), Exit.MISSING, "There is no game risk. The games are: tumble"),
        (
            ("add", "robert", "--game", "four", "--level", "4"),
            Exit.DATA,
            "Four in a Row has no level 4. The levels are: 1 (a child), 2 (somebody who knows the rules), 3",
        ),
        (("add", "robert", "--game", "backgammon", "--level", "5"), Exit.DATA, "The levels are: 0 (a child), 1"),
        (("add", "robert", "--game", "four", "--boards", "0"), Exit.USAGE, "--boards"),
        (("add", "robert", "--game", "chess", "--engine", "x"), Exit.MISSING, "There is no engine x in the settings."),
        (("add", "robert", "--game", "chess", "--elo", "9"), Exit.DATA, "Name one with: --engine NAME"),
        (("add", "robert"), Exit.USAGE, "--game"),
        (("add", "robert", "--game", "four", "--game", "go"), Exit.USAGE, "--game is given twice. It takes one value"),
        (("add", "alice", "--game", "four"), Exit.DATA, "alice"),
        (("add", "robot", "--game", "four"), Exit.DATA, "robot"),
        (("add", "r/2", "--game", "four"), Exit.DATA, "A userid has 2 to 20 letters"),
        (("pause", "nobody"), Exit.MISSING, "There is no player nobody."),
        (("pause", "alice"), Exit.DATA, "alice is no robot. To see the robots: pbmserv robots list"),
        (("resume", "alice"), Exit.DATA, "alice is no robot."),
        (("remove", "alice", "--yes"), Exit.DATA, "alice is no robot."),
    ],
)
def test_what_is_wrong_is_said(desk: Desk, words: tuple[str, ...], code: int, text: str) -> None:
    before = desk.world.dump()
    assert text in desk.says("robots", *words, code=code)
    assert desk.world.dump() == before


def test_no_two_accounts_have_one_name(robert: Desk) -> None:
    assert "robert" in robert.says(*ADD, code=Exit.DATA)


@pytest.mark.slow
def test_a_robot_that_rests_takes_no_challenge(robert: Desk) -> None:
    assert robert.says("robots", "pause", "Robert", "--why", "the machine is slow") == "The robot robert rests."
    assert robert.event() == ("player robert: robot paused", "the machine is slow")
    assert [r["state"] for r in robert.json("robots", "list")] == ["paused"]
    (answer,) = robert.world.mail("bob", "four challenge bob robert")
    assert "The robot robert rests at the moment." in answer.flat
    assert "paused already" in robert.says("robots", "pause", "robert", code=Exit.DATA)
    assert robert.says("robots", "resume", "robert") == "The robot robert plays again."
    assert "playing already" in robert.says("robots", "resume", "robert", code=Exit.DATA)
    robert.world.mail("bob", "four challenge bob robert")
    assert robert.json("robots", "list")[0]["boards"] == 2


def test_a_robot_is_not_locked_like_a_player(robert: Desk) -> None:
    """Its moves would be refused, each with a letter to nobody."""
    said = robert.says("players", "lock", "robert", code=Exit.DATA)
    assert "robert is a robot of this server. To let it rest, write: pbmserv robots pause robert" in said


@pytest.mark.slow
def test_a_robot_that_is_removed_resigns(robert: Desk) -> None:
    said = robert.says("robots", "remove", "robert", "--why", "nobody plays with it", code=Exit.USAGE)
    assert "Close the account of the robot robert for good?" in said
    robert.world.mail("alice", f"four move 102 alice alice-secret {_first(robert)}")
    robert.world.letters()
    said = robert.says("robots", "remove", "robert", "--yes")
    assert "The robot robert is gone." in said
    assert robert.json("robots", "list") == []
    assert robert.world.row(102).board.result is not None
    (letter,) = robert.world.letters()
    assert letter.to == "alice@example.org"
    assert "robert" in robert.says(*ADD, code=Exit.DATA)


@pytest.mark.slow
def test_a_robot_that_is_erased_like_a_player_is_gone_too(robert: Desk) -> None:
    """Else it would be offered to people, and could not be removed any more."""
    robert.run("players", "erase", "robert", "--yes")
    assert robert.json("robots", "list") == []
    robert.world.letters()
    (answer,) = robert.world.mail("bob", "four challenge bob robot")
    assert "No robot plays Four in a Row here." in answer.flat


@pytest.mark.slow
def test_the_engine_of_a_robot_is_started_when_it_is_added_and_shown_to_all(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [sys.executable, engine_programs.__file__, "draughts", str(tmp_path / "log")]
    engines = {"scan": {"command": " ".join(words), "protocol": "hub"}, "no": {"command": "no-such", "protocol": "uci"}}
    monkeypatch.setenv("PBMSERV_ENGINES", json.dumps(engines))
    refused = {
        ("chess", "scan"): "The engine scan cannot play Chess: hub has no word for it.",
        ("chess", "no"): "The engine no does not play so: there is no program no-such",
        ("draughts", "scan", "--elo", "1500"): "cannot play by Elo",
        ("draughts", "scan", "--elo", "1500", "--nodes", "9"): "An engine has one limit.",
    }
    for (game, engine, *limit), why in refused.items():
        said = desk.says("robots", "add", "rob", "--game", game, "--engine", engine, *limit, code=Exit.DATA)
        assert why in said
    said = desk.says("robots", "add", "rob", "--game", "draughts", "--engine", "scan", "--nodes", "9")
    assert "The robot rob plays draughts by the engine scan, 9 nodes." in said
    (answer,) = desk.world.mail("alice", "draughts standings")
    assert "rob, engine scan, 9 nodes" in answer.text
    (answer,) = desk.world.mail("alice", "who rob")
    assert "It is a robot of this server: engine scan, 9 nodes." in answer.flat
    checks = json.loads(desk.run("doctor", "--json", code=None).stdout)["checks"]
    (scan, no) = (check for check in checks if check["check"] == "engines")
    assert "scan answers" in scan["said"]
    assert (no["status"], no["said"]) == ("warning", "no: there is no program no-such")


def _first(desk: Desk) -> str:
    row = desk.world.row(102)
    return row.game.example(row.board.position, min(row.board.to_move))
