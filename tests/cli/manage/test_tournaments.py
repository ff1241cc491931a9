"""`pbmserv tournaments`: an admin announces tournaments, and says which players can."""

import pytest

from pbmserv.cli.terminal.exits import Exit
from tests.boards.seasons.events import begun, tournament
from tests.cli.conftest import Desk
from tests.commands.answers import only

NEW = ("tournaments", "new", "hex", "--form", "league", "--start", "2035-01-31")


@pytest.mark.slow
def test_one_command_announces_a_monthly_league(desk: Desk) -> None:
    desk.world.mail("bob", "set bob bob-secret broadcasts=on")
    said = desk.says(*NEW, "--every", "month", "--name", "Hex every month", "--boards", "-size=13 --forfeittime=10")
    assert "Tournament 1 is announced: Hex every month. It begins on 2035-01-31 00:00 UTC." in said
    assert "Letters: 1." in said
    assert desk.event() == ("tournament 1: new, league of hex", "")
    plan = tournament(desk.world).plan
    assert (plan.every, plan.size, plan.settings.forfeit, dict(plan.options)["size"]) == ("month", 9, 10.0, "13")
    letter = only(desk.world.letters())
    assert "you take part in tournament 1" in only(desk.world.reply(letter, "join")).text
    found = desk.json("tournaments", "list")[0]
    assert (found["state"], found["players"], found["name"]) == ("open", 1, "Hex every month")
    assert "Entered (1): bob" in desk.says("tournaments", "show", "1")


def test_it_is_closed_opened_and_cancelled(desk: Desk) -> None:
    desk.run(*NEW)
    desk.run("tournaments", "close", "1", "--why", "enough")
    assert desk.event() == ("tournament 1: close", "enough")
    assert tournament(desk.world).state == "closed"
    desk.run("tournaments", "open", "1")
    assert tournament(desk.world).state == "open"
    desk.run("tournaments", "cancel", "1", "--yes")
    assert tournament(desk.world).state == "cancelled"


def test_a_board_says_what_it_counts_for(desk: Desk) -> None:
    begun(desk.world, "carol", "dora")
    assert "Tournament 1: The cup, division 1, season 1 " in desk.says("boards", "show", "102")


def test_a_player_can_be_an_organiser(desk: Desk) -> None:
    line = "hex tournament alice alice-secret new --form=ladder --start=2035-01-31"
    assert "You cannot announce tournaments" in only(desk.world.mail("alice", line)).text
    desk.run("tournaments", "allow", "alice")
    assert desk.event() == ("player alice: can announce tournaments", "")
    assert "tournament 1 is announced" in only(desk.world.mail("alice", line)).text
    assert "alice can announce tournaments already." in desk.says("tournaments", "allow", "alice", code=Exit.DATA)
    desk.run("tournaments", "forbid", "alice")
    assert "You cannot announce tournaments" in only(desk.world.mail("alice", line)).text


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("new", "risk", "--form", "league", "--start", "2035-01-31"), Exit.MISSING, "There is no game risk."),
        (("new", "hex", "--form", "cup", "--start", "2035-01-31"), Exit.DATA, "There is no form of that name."),
        (("new", "hex", "--form", "league", "--start", "2001-01-31"), Exit.DATA, "must be in the future"),
        (("new", "hex", "--form", "league"), Exit.USAGE, "--start"),
        (("show", "7"), Exit.MISSING, "There is no tournament 7."),
        (("close", "7"), Exit.MISSING, "To see them: pbmserv tournaments list"),
        (("allow", "nobody"), Exit.MISSING, "There is no player nobody."),
    ],
)
def test_what_is_wrong_is_said(desk: Desk, words: tuple[str, ...], code: int, text: str) -> None:
    before = desk.world.dump()
    assert text in desk.says("tournaments", *words, code=code)
    assert desk.world.dump() == before
