"""What a seat can do besides moving, and what it costs: commands, letters, `show` and the help say the same."""

import pytest

from pbmserv.boards import ways
from tests.boards.seasons.events import begun
from tests.commands.answers import fail, run, to
from tests.letters.html import taps
from tests.world import World


def costs(world: World, number: int, seat: int = 0) -> dict[str, str]:
    row = world.row(number)
    found = ways.ways(row, seat, world.query(lambda s: s.boards.entries(number)))
    return {verb: way.costs for verb, way in found.items()}


def offered(world: World, number: int, seat: int = 0) -> list[str]:
    return ways.offered(world.row(number), seat, world.query(lambda s: s.boards.entries(number)))


class TestABoardOfATournament:
    """To decline it is a loss, so nothing offers it as if it cost nothing."""

    @pytest.fixture(autouse=True)
    def cup(self, world: World) -> None:
        begun(world, "alice", "bob")

    def test_its_letter_offers_no_way_out_that_loses_unseen(self, world: World) -> None:
        letter = to(run(world, "alice", "tumble move 101 alice alice-secret c1-c2"), "bob")
        assert "Other answers (one word): propose, resign, help, moves, stop" in letter.flat
        assert "decline" not in [tap.text for tap in taps(letter.html)]
        assert "nobody loses" not in letter.flat
        answer = world.reply(letter, "nonsense")[0]
        assert "one of these words: propose, resign The word propose offers a draw. To say it to alice" in answer.flat

    def test_it_says_what_it_costs_where_somebody_asks(self, world: World) -> None:
        assert costs(world, 101)["decline"] == ways.FORFEITED
        (shown,) = run(world, "bob", "tumble showas bob bob-secret 101")
        assert f"decline: {ways.FORFEITED}" in shown.flat
        (answer,) = run(world, "bob", "help decline")
        assert ways.FORFEITED in answer.flat

    def test_the_help_says_the_same_of_it_and_of_leaving(self, world: World) -> None:
        (declining,) = run(world, "bob", "help decline")
        (resigning,) = run(world, "bob", "help resign")
        for said in (ways.NOBODY_LOSES, ways.FORFEITED):
            assert said in declining.flat
            assert said in resigning.flat
        (leaving,) = run(world, "bob", "help tournament leave")
        (left,) = run(world, "bob", "tournament leave 1 bob bob-secret")
        said = left.flat.partition("You have left tournament 1. ")[2].partition(" To come back")[0]
        assert said.startswith("The boards of this season still count.")
        assert said in leaving.flat

    def test_the_command_does_it(self, world: World) -> None:
        run(world, "bob", "tumble decline 101 bob bob-secret")
        result = world.row().board.result
        assert result is not None
        assert result.reason == "declined"


def test_a_board_between_two_can_be_declined_by_each_until_the_first_move(world: World) -> None:
    world.board("alice", "bob")
    assert "decline" in offered(world, 101, 0)
    assert costs(world, 101)["decline"] == ways.NOBODY_LOSES
    letters = run(world, "alice", "tumble move 101 alice alice-secret c1-c2")
    assert "resign, decline, help" in to(letters, "bob").flat
    assert "decline" not in to(letters, "alice").text
    assert (offered(world, 101, 0), offered(world, 101, 1)) == (
        ["propose", "undo", "resign"],
        ["propose", "resign", "decline"],
    )


def test_in_a_solitaire_nobody_is_told_to_decline_but_can(world: World) -> None:
    world.board("alice", game="threes")
    assert offered(world, 101) == ["resign"]
    assert costs(world, 101)["resign"] == "The board ends, and the score that you have counts."
    run(world, "alice", "threes decline 101 alice alice-secret")


def test_a_board_that_goes_on_from_another_cannot_be_declined(world: World) -> None:
    world.board("alice", "bob")
    world.signup("carol")
    for userid, move in (("alice", "a1-a2"), ("bob", "f5-f6")):
        run(world, userid, f"tumble move 101 {userid} {userid}-secret {move}")
    run(world, "bob", "tumble resign 101 bob bob-secret")
    asked = to(run(world, "alice", "tumble substitute 101 alice alice-secret carol"), "carol")
    world.reply(asked, "accept")
    assert offered(world, 102, 1) == ["propose", "resign"]
    assert "cannot be declined" in fail(world, "carol", "tumble decline 102 carol carol-secret").text


@pytest.mark.parametrize(
    ("verb", "theirs", "mine"),
    [
        ("propose", {"accept": "You agree to a draw.", "reject": "You reject the proposal."}, "withdraw"),
        ("undo", {"accept": "You agree to the take-back.", "reject": "You reject the proposal."}, "withdraw"),
    ],
)
def test_a_proposal_is_answered(world: World, verb: str, theirs: dict[str, str], mine: str) -> None:
    world.board("alice", "bob")
    run(world, "alice", "tumble move 101 alice alice-secret c1-c2")
    run(world, "alice", f"tumble {verb} 101 alice alice-secret")
    found = costs(world, 101, 1)
    assert all(found[word].startswith(text) for word, text in theirs.items())
    assert mine in costs(world, 101, 0)["reject"]
    assert "accept" not in costs(world, 101, 0)


def test_what_is_over_can_be_played_again_unless_it_was_not_played(world: World) -> None:
    world.board("alice", "bob")
    world.board("alice", "bob")
    run(world, "alice", "tumble resign 101 alice alice-secret")
    run(world, "alice", "tumble decline 102 alice alice-secret")
    assert (offered(world, 101), offered(world, 102)) == (["rematch"], [])
