"""Players enter tournaments, look at them, and leave, by mail. Also ladders and their challenges."""

import pytest

from pbmserv.letters.text.table_lines import MOST_COLUMNS
from pbmserv.model import Phase
from tests.boards.seasons.events import begun, ladder, pairing
from tests.commands.answers import fail, only, run, to
from tests.commands.tournaments.cups import allowed, announced
from tests.letters.html import taps
from tests.world import Received, World


def _announced(world: World) -> None:
    announced(allowed(world, "alice", "bob", "carol"))


@pytest.fixture
def cup(world: World) -> World:
    world.once(_announced)
    return world


def test_a_tournament_is_entered_and_left_with_a_password(cup: World) -> None:
    answer = only(run(cup, "bob", "tournament join 1 bob bob-secret"))
    assert answer.subject == "Tournament 1: Hex league"
    assert "You need not do anything" in answer.text
    assert "Entered (1): bob" in only(run(cup, "carol", "tournament show 1")).text
    assert "Your entry is withdrawn." in only(run(cup, "bob", "tournament leave 1 bob bob-secret")).text
    assert "You do not take part in tournament 1." in fail(cup, "bob", "tournament leave 1 bob bob-secret").text
    assert "bob" not in only(run(cup, "carol", "tournament show 1")).text


@pytest.mark.parametrize("line", ["tournament", "tournaments", "tournament list", "tournament list hex"])
def test_tournaments_are_listed(cup: World, line: str) -> None:
    text = only(run(cup, "bob", line)).text
    assert "\n     1  Hex league\n        hex, league, open\n        0 players, begins on 2026-03-10\n" in text
    assert "tournament join 1 USERID PASSWORD" in text


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("hex join 1", "There is a tournament 1. If you mean it, send: tournament join 1"),
        ("hex withdraw 1", "There is a tournament 1. If you mean it, send: tournament leave 1"),
        ("hex join 2", "To see the open seeks, send: list"),
        ("four join 1", "To see the open seeks, send: list"),
    ],
)
def test_who_means_a_tournament_and_not_a_seek_is_told_so(cup: World, line: str, remedy: str) -> None:
    assert remedy in fail(cup, "bob", f"{line} bob bob-secret").flat


def test_the_answer_links_the_page(cup: World) -> None:
    cup.allow(web_url="https://games.example")
    assert "On the web: https://games.example/tournaments/1" in only(run(cup, "bob", "tournament show 1")).text


def test_the_list_of_another_game_is_empty(cup: World) -> None:
    assert "There are none at the moment." in only(run(cup, "bob", "tournament list tumble")).text
    assert "There is no game 'chass'." in fail(cup, "bob", "tournament list chass").text
    assert "There is no tournament 9." in fail(cup, "bob", "tournament show 9").text


def test_a_match_needs_a_team(world: World) -> None:
    allowed(world, "alice", "bob", "carol")
    announced(
        world, "hex tournament alice alice-secret new --form=match --start=2026-03-10 --teams=North,South --size=1"
    )
    assert (
        "Name yours: tournament join 1 USERID PASSWORD TEAM"
        in fail(world, "bob", "tournament join 1 bob bob-secret").text
    )
    assert "You play for North." in only(run(world, "bob", "tournament join 1 bob bob-secret north")).text
    assert "has its 1 players" in fail(world, "carol", "tournament join 1 carol carol-secret north").text
    assert "bob (North)" in only(run(world, "carol", "tournament show 1")).text


@pytest.mark.slow
def test_the_table_shows_all_results(world: World) -> None:
    begun(world, "alice", "bob", "carol", "dave", "erin")
    world.mail("alice", "tumble resign 101 alice alice-secret")
    world.mail("carol", "tumble decline 102 carol carol-secret")
    text = only(run(world, "erin", "tournament show 1")).text
    assert "Division 1, season 1" in text
    assert "    player    pts direct    S-B\n  1 bob         1      1      1\n" in text
    assert "\n  2 alice       1      0      0\n  3 dave        0             0\n" in text
    assert "\n  3 erin        0             0*\n  5 carol" in text  # two are equal in everything
    assert (
        "                         1 2 3 4 5\n  1 bob                    1\n  2 alice                0   . . +\n" in text
    )
    assert max(len(line) for line in text.splitlines() if "  " in line.strip()) <= MOST_COLUMNS
    world.mail("erin", "set erin erin-secret language=de")
    german = only(run(world, "erin", "tournament show 1"))
    assert "Abteilung 1, Saison 1" in german.text
    assert "There is no division 4." in fail(world, "bob", "tournament show 1 4").text


def test_boards_say_what_they_count_for(world: World) -> None:
    begun(world, "alice", "bob", "carol")
    letters = world.mail("alice", "tumble move 101 alice alice-secret c1-c5t")
    line = "Tournament 1: The cup, division 1, season 1"
    assert line in to(letters, "bob").text
    assert line in only(run(world, "carol", "tumble show 101")).text
    assert "alice, *bob, tournament 1" in only(run(world, "carol", "list")).flat
    world.mail("bob", "set bob bob-secret language=de")
    letters = world.mail("bob", "tumble resign 101 bob bob-secret")
    assert "Turnier 1: The cup, Abteilung 1, Saison 1" in to(letters, "bob").text


def _tapped(letter: Received) -> list[str]:
    return [tap.text for tap in taps(letter.html)]


def test_what_is_over_is_left_by_nobody(world: World) -> None:
    begun(world, "alice", "bob")
    letter = only(world.reply(only(run(world, "bob", "tournament leave 1 bob bob-secret")), "show"))
    assert "join" in _tapped(letter)
    world.act(lambda s: s.tournaments.change(1, phase=Phase.OVER))
    assert _tapped(only(world.reply(letter, "show"))) == []
    assert "Answer with the word show." in only(world.reply(letter, "perhaps")).text


class TestLadder:
    @pytest.fixture
    def rungs(self, world: World) -> World:
        """Five players on a ladder of Tumbling Down, alice at the top."""
        begun(world, "alice", "bob", "carol", "dave", "erin", form="ladder")
        return world

    def test_a_challenge_without_a_name_lists_who_is_free(self, rungs: World) -> None:
        answer = only(run(rungs, "erin", "tumble ladder erin erin-secret challenge"))
        assert "erin, you stand on rung 5 of The cup." in answer.text
        assert "You can challenge: bob, carol, dave" in answer.text
        letters = rungs.reply(answer, "challenge bob")
        assert {x.to for x in letters} == {"bob@example.org", "erin@example.org"}
        assert to(letters, "bob").first_line == "Your move, bob."
        assert "To decline" not in to(letters, "bob").text
        assert pairing(rungs).second == rungs.player("erin").id

    def test_a_challenge_with_a_password_and_its_end(self, rungs: World) -> None:
        run(rungs, "erin", "tumble ladder erin erin-secret challenge bob")
        assert "is not over yet" in fail(rungs, "erin", "tumble ladder erin erin-secret challenge carol").text
        rungs.mail("bob", "tumble resign 101 bob bob-secret")
        assert ladder(rungs) == ["alice", "bob", "erin", "carol", "dave"]
        text = only(run(rungs, "bob", "tournament show 1")).text
        assert "    1  alice" in text
        assert "    2  bob*" in text

    def test_players_enter_and_leave(self, rungs: World) -> None:
        rungs.signup("frank")
        answer = only(run(rungs, "frank", "tumble ladder frank frank-secret join"))
        assert "frank, you are on the ladder: The cup, rung 6." in answer.text
        assert "answer this letter with challenge and a userid" in answer.flat
        run(rungs, "alice", "tumble ladder alice alice-secret leave")
        assert ladder(rungs) == ["bob", "carol", "dave", "erin", "frank"]

    def test_errors_say_what_to_send(self, rungs: World) -> None:
        rungs.signup("frank")
        line = "tumble ladder frank frank-secret"
        assert "tumble ladder frank PASSWORD join" in fail(rungs, "frank", f"{line} challenge").text
        assert "ends with join, leave or challenge" in fail(rungs, "frank", f"{line} climb").text
        assert "Hex has no ladder at the moment." in fail(rungs, "frank", "hex ladder frank frank-secret join").flat
        assert "stands too high" in fail(rungs, "erin", "tumble ladder erin erin-secret challenge alice").text
        assert "does not stand above you" in fail(rungs, "bob", "tumble ladder bob bob-secret challenge dave").text

    def test_a_league_takes_no_challenges(self, cup: World) -> None:
        letter = to(cup.mail("bob", "tournament join 1 bob bob-secret"), "bob")
        assert "Tournament 1 is no ladder" in only(cup.reply(letter, "challenge alice")).text
