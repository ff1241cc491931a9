"""What a refusal says of words for places, steps, boxes and deeds, as strangers wrote them."""

import pytest

from tests.commands.answers import run, to
from tests.world import World


@pytest.mark.parametrize(
    ("begin", "before", "line", "told"),
    [
        ("tictactoe", ["b2"], "middle", "'b2' is not possible: b2 is occupied."),
        ("go", ["k10"], "first time! I put my piece in the middle", "'k10' is not possible: k10 is occupied."),
        ("go", ["k10"], "middle left?", "Your moves that are nearest to that place: "),
        ("oware", [], "G, three seeds", "'g' is not possible: the houses A to F are yours."),
        ("gomoku", ["j8"], "j8... h7? j7? no", "'j8' is not possible: j8 is occupied. The nearest are: "),
        ("dots", [], "from b3 down one", "Your moves with b3: "),
        ("dots", [], "Ich verbinde a5 und a6", "Your moves with a5 a6: a5-a6"),
        ("go", [], "k 10 or j1, what do you think?", "Your moves with k10: K10 Your moves with j1: J1"),
        ("chess", [], "sorry, I signed up for Go! please cancel", "To end this board, answer decline: nobody loses."),
    ],
)
def test_what_is_told(world: World, begin: str, before: list[str], line: str, told: str) -> None:
    world.signup("alice", "bob")
    letters = run(world, "alice", f"{begin} challenge alice bob")
    names = ["alice", "bob"]
    for move in before:
        letters = world.reply(to(letters, names[0]), move)
        names.reverse()
    (answer,) = world.reply(to(letters, names[0]), line)
    assert told in answer.flat


def test_who_tells_the_other_to_resign_is_not_told_how(world: World) -> None:
    world.signup("alice", "bob")
    letter = to(run(world, "alice", "chess challenge alice bob"), "alice")
    (answer,) = world.reply(letter, "resign already Bob :-D")
    assert "To end this board" not in answer.flat
