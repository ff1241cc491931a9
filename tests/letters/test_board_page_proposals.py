"""Whoever proposes a draw, or to take a move back, reads what the others say to it."""

import pytest

from pbmserv.games.base.log import ADMIN, Entry, Kind
from pbmserv.letters.text import move_list
from tests.commands.answers import to
from tests.letters.test_board_page_times import below
from tests.world import Received, World


def after(world: World, *lines: str) -> list[Received]:
    """Carry out lines such as `bob reject` on board 101, and return the letters about the last one."""
    letters: list[Received] = []
    key = world.row(101).key
    for line in lines:
        userid, *words = line.split()
        verb = words[0] if len(words) == 1 and words[0].isalpha() else "move"
        rest = "" if verb == words[0] else " ".join(words)
        letters = world.mail(userid, f"{key} {verb} 101 {userid} {userid}-secret {rest}".rstrip())
        for letter in letters:
            assert "Error" not in letter.subject, letter.text
    return letters


@pytest.fixture
def tumble(world: World) -> World:
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    world.signup("alice", "bob", "dave")
    world.mail("alice", "tumble challenge alice bob --forfeittime=none")
    world.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    world.mail("bob", "tumble move 101 bob bob-secret c8-c7")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["alice propose", "bob reject"], "bob declines the draw."),
        (["alice propose", "alice reject"], "alice withdraws the draw offer."),
        (["bob propose", "alice c2-c3"], "alice's move ends the draw offer."),
        (["alice propose", "alice c2-c3"], "alice's move ends the draw offer."),
        (["bob undo", "alice reject"], "alice declines the take-back."),
        (["bob undo", "bob reject"], "bob withdraws the take-back request."),
        (["bob undo", "alice c2-c3"], "alice's move ends the take-back request."),
        (["bob undo", "alice accept"], "alice agrees: back to ply 1."),
        (["alice undo", "bob accept"], "bob agrees: back to ply 0."),
        (["alice propose", "bob accept"], "bob agrees to the draw."),
    ],
)
def test_both_players_read_the_answer(tumble: World, lines: list[str], says: str) -> None:
    letters = after(tumble, *lines)
    assert sorted(x.to for x in letters) == ["alice@example.org", "bob@example.org"]  # one letter each, as ever
    assert [below(letter) for letter in letters] == [says, says]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("bob reject", "bob lehnt das Remis ab."),
        ("bob accept", "bob nimmt das Remis an."),
        ("alice reject", "alice zieht das Remisangebot zurück."),
        ("alice c2-c3", "Mit dem Zug von alice endet das Remisangebot."),
    ],
)
def test_it_is_said_in_german(tumble: World, line: str, says: str) -> None:
    tumble.mail("alice", "set alice alice-secret language=de")
    assert below(to(after(tumble, "alice propose", line), "alice")) == says


def test_it_is_said_until_the_reader_has_done_something_and_not_again(tumble: World) -> None:
    letters = after(tumble, "bob propose", "alice reject", "alice c2-c3")
    assert below(to(letters, "bob")) == "alice declines the draw."
    assert "declines" not in to(letters, "alice").text
    assert not any("declines" in x.text for x in after(tumble, "bob c7-c6"))


def test_a_move_without_a_proposal_ends_none(tumble: World) -> None:
    assert not any(" ends " in x.text for x in after(tumble, "alice propose", "bob reject", "alice c2-c3"))


def test_who_wins_or_resigns_ends_the_board_and_not_a_proposal(tumble: World) -> None:
    assert not any("draw offer" in x.text for x in after(tumble, "bob propose", "alice resign"))


def test_a_subscriber_and_a_digest_tell_it_too(tumble: World) -> None:
    tumble.mail("dave", "tumble subscribe 101 dave dave-secret")
    letters = after(tumble, "alice propose", "bob reject")
    assert below(to(letters, "dave")) == "bob declines the draw."


class TestThree:
    @pytest.fixture
    def world(self, world: World) -> World:
        world.signup("alice", "bob", "carol")
        world.mail("alice", "3io challenge alice bob carol --forfeittime=none")
        after(world, "alice propose")
        return world

    def test_the_end_of_another_does_not_seem_to_be_the_end_of_an_open_one(self, world: World) -> None:
        letters = after(world, "bob resign", "alice propose")
        assert to(letters, "carol").first_line == "carol, alice offers a draw: answer accept or reject."
        assert "bob has left" not in to(letters, "carol").text
        letters = after(world, "alice reject")
        told = "bob has resigned. bob has left, which ends the draw offer. alice withdraws the draw offer."
        assert below(to(letters, "carol")) == told

    def test_each_answer_is_told_to_all(self, world: World) -> None:
        letters = after(world, "bob accept")
        assert {below(x) for x in letters} == {"bob agrees to the draw."}
        assert "Still to answer: carol." in to(letters, "alice").text
        letters = after(world, "carol reject")
        assert below(to(letters, "alice")) == "bob agrees to the draw. carol declines the draw."
        assert below(to(letters, "bob")) == below(to(letters, "carol")) == "carol declines the draw."

    def test_the_last_yes_ends_the_board(self, world: World) -> None:
        letters = after(world, "bob accept", "carol accept")
        assert below(to(letters, "bob")) == "carol agrees to the draw."
        assert to(letters, "bob").first_line == "Board 101 is over: a draw (by agreement)."

    def test_one_who_agreed_can_decline(self, world: World) -> None:
        assert below(to(after(world, "bob accept", "bob reject"), "carol")).endswith("bob declines the draw.")

    def test_a_player_who_leaves_ends_it(self, world: World) -> None:
        letters = after(world, "bob resign")
        assert below(to(letters, "alice")) == "bob has resigned. bob has left, which ends the draw offer."


def test_of_three_all_must_agree_before_a_move_is_taken_back(world: World) -> None:
    world.board("alice", "bob", "carol", game="3io")
    log = [Entry(0, Kind.MOVE, "a", 1), Entry(0, Kind.UNDO, "", 1), Entry(ADMIN, Kind.ADMIN, "", 1)]
    log += [Entry(1, Kind.ACCEPT, "", 1), Entry(2, Kind.ACCEPT, "", 0), Entry(0, Kind.MOVE, "b", 1)]
    players = world.row(101).players
    said = ["bob agrees to the take-back.", "carol agrees: back to ply 0."]
    assert [move_list.answered(log, since, players) for since in range(7)] == [*[said] * 4, said[1:], [], []]
