"""What a refusal says of words for places, steps, boxes and deeds, as strangers wrote them."""

from dataclasses import replace

import pytest

from tests.commands.answers import run, to
from tests.inbox.test_offers import on
from tests.world import ADDRESS, Received, World


def _of_turn(letters: list[Received]) -> Received:
    """Return the letter to the player whose turn it is."""
    return next(letter for letter in letters if letter.first_line.startswith("Your move"))


@pytest.mark.parametrize(
    ("begin", "before", "line", "told"),
    [
        ("tictactoe", ["b2"], "middle", "'b2' is not possible: b2 is occupied."),
        ("go", ["k10"], "first time! I put my piece in the middle", "'k10' is not possible: k10 is occupied."),
        ("go", ["k10"], "middle left?", "Your moves that are nearest to that place: "),
        ("oware", [], "G, three seeds", "'g' is not possible: the houses A to F are yours."),
        ("gomoku", ["j8"], "j8... h7? j7? no", "'j8' is not possible: j8 is occupied. The nearest are: "),
        ("oware", [], "the one with 4 seeds, ok?", "Your moves with the one with 4 seeds: "),
        ("go", ["pass", "pass"], "can we continue playing?", "To play on, ask for your last move back: answer undo."),
        ("go", ["d4", "q4", "pass", "pass"], "nothing dead, just count", "done. To agree here, send: count"),
        ("go", ["pass", "pass"], "On compte combien de points?", "done. To agree here, send: count"),
        ("go", ["d4", "q4", "pass", "pass"], "d4 ist tot, q4 auch", "done. Your moves with d4: dead-d4 "),
        ("go", ["pass", "pass"], "let's play it out", "To play on, ask for your last move back: answer undo."),
        ("go", ["pass", "pass", "count"], "can we play on?", "To play on, answer resume."),
        ("four", [], "In Spalte A bitte", "Your moves with a: a1"),
        ("dots", ["a1-b1", "a1-a2", "b1-b2"], "close the box", "To play a2-b2, answer this letter with the word yes."),
        ("dots", [], "close the box", "was not understood, so nothing was done. You wrote: close the box It is your"),
        ("dots", [], "from b3 down one", "Your moves with b3: "),
        ("dots", [], "Ich verbinde a5 und a6", "To play a5-a6, answer this letter with the word yes."),
        ("go", [], "k 10 or j1, what do you think?", "Your moves with k10: K10 Your moves with j1: J1"),
        ("chess", [], "sorry, I signed up for Go! please cancel", "To end this board, answer decline: nobody loses."),
    ],
)
def test_what_is_told(world: World, begin: str, before: list[str], line: str, told: str) -> None:
    world.signup("alice", "bob")
    letters = run(world, "alice", f"{begin} challenge alice bob")
    for move in before:
        letters = world.reply(_of_turn(letters), move)
    (answer,) = world.reply(_of_turn(letters), line)
    assert told in answer.flat


def test_who_tells_the_other_to_resign_is_not_told_how(world: World) -> None:
    world.signup("alice", "bob")
    letter = to(run(world, "alice", "chess challenge alice bob"), "alice")
    (answer,) = world.reply(letter, "resign already Bob :-D")
    assert "To end this board" not in answer.flat


def test_who_may_not_bank_yet_is_told_so() -> None:
    board = on("farkle")
    position = replace(board.position, dice=(1, 2, 3, 4, 6, 6))
    assert "'bank' is not possible: the first points that count are " in board.game.why_not(position, 0, "bank")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("keep the fives and bank", ["555bank"]),
        ("take the 500 and stop", ["555bank"]),
        ("all and bank", ["555bank"]),
        ("the fives, roll", ["555roll"]),
        ("bank", ["5bank", "55bank", "555bank"]),
        ("keep the fives, bank or roll", []),
        ("both ones and bank", []),
        ("go on till you have 500 then stop", []),
        ("keep a 5, roll the others", ["5roll"]),
        ("keep the 5, roll the others", []),
        ("keep the fives, roll the rest", ["555roll"]),
        ("keep the fives, roll the two", []),
    ],
)
def test_dice_that_are_named_with_their_end(text: str, moves: list[str]) -> None:
    board = on("farkle")
    position = replace(board.position, dice=(2, 3, 5, 5, 5, 6))
    assert [*board.game.foreign(position, text)] == moves


@pytest.mark.parametrize("line", ["Who's bob? I know three bobs", "how long does a game last?"])
def test_who_asks_about_an_invitation_is_told_where(world: World, line: str) -> None:
    world.signup("alice")
    letter = to(run(world, "alice", "go challenge alice carol@example.org"), "carol@example.org")
    (answer,) = world.reply(letter, line)
    assert f"To ask how games go here, send to {ADDRESS}: help. For the rules: go help." in answer.flat
