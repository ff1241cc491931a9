"""The count of a game of Go in letters: three mails after the last stone, and what a letter says to answer."""

import pytest

from tests.world import Received, World

#: Black gets the left of the board, White the right. Each has a stone that cannot live in the other's area.
_STONES = "e5 f5 e4 f4 e6 f6 e3 f3 e7 f7 e2 f2 e8 f8 e1 f1 e9 f9 h5 c5 c4 h4 c6 h6"


@pytest.mark.slow
def test_three_mails_count_a_board(world: World) -> None:
    letters = passed(world)
    assert "Black has passed. If White passes too, the board is counted." in letters["bob"].flat
    assert "pass dead-c3-d7 count" in letters["bob"].text
    letters = _by_reader(world.reply(letters["bob"], "pass dead-c5-h5 count"))
    assert "White wants to count like this." in letters["alice"].text
    assert "If you agree, send count. To play on, send resume." in letters["alice"].text
    over = world.reply(letters["alice"], "count")
    assert "Counted: Black 45, White 42.5" in over[0].text
    result = world.row().board.result
    assert result
    assert (result.reason, result.scores) == ("count", (45, 42.5))


@pytest.mark.slow
def test_the_player_who_passes_last_is_asked_to_begin(world: World) -> None:
    letters = world.reply(passed(world)["bob"], "pass")
    asked = next(letter for letter in letters if letter.to.startswith("bob"))
    assert asked.first_line.startswith("Your move, bob")
    assert "Name a stone of each dead group, such as dead-c3-d7, and then send count." in asked.text
    (offer, *_) = world.reply(asked, "dead-h5 count")
    assert "wants to count like this" in offer.text


@pytest.mark.slow
def test_who_accepts_a_count_is_offered_the_move(world: World) -> None:
    letters = _by_reader(world.reply(passed(world)["bob"], "pass dead-c5-h5 count"))
    for line in ("accept", "ok"):
        (answer,) = world.reply(letters["alice"], line)
        assert "draw" not in answer.flat.partition("You can also answer")[0]
        assert "To play count, answer this letter with the word yes." in answer.flat
    world.reply(answer, "yes")
    assert world.row().board.result


@pytest.mark.slow
def test_who_does_not_agree_plays_on(world: World) -> None:
    letters = _by_reader(world.reply(passed(world)["bob"], "pass dead-h5 count"))
    world.reply(letters["alice"], "resume h3")
    assert world.row().board.to_move == {1}
    assert world.row().board.position.count is None


def passed(world: World, komi: str = "6,5") -> dict[str, Received]:
    """Play until Black has passed, and return the letters about that by their readers."""
    world.signup("alice", "bob")
    world.mail("alice", f"go challenge alice bob -size=9 -komi={komi}")
    seats = ("alice", "bob")
    letters = list[Received]()
    for ply, text in enumerate([*_STONES.split(), "pass"]):
        player = seats[ply % 2]
        letters = world.mail(player, f"go move 101 {player} {player}-secret {text}")
    return _by_reader(letters)


def _by_reader(letters: list[Received]) -> dict[str, Received]:
    return {letter.to.partition("@")[0]: letter for letter in letters}
