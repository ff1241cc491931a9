"""Backgammon by mail: the words of a line are one turn, and in a match a player is asked before the dice are rolled."""

import pytest

from tests.commands.answers import ply, run
from tests.world import Received, World


@pytest.fixture
def letters(world: World) -> list[Received]:
    """The first letters of board 101."""
    return world.once(_begin)


def _begin(world: World, options: str = "") -> list[Received]:
    world.signup("alice", "bob")
    return run(world, "alice", f"backgammon challenge alice bob {options}".strip())


def two_men(world: World) -> tuple[str, str]:
    """Two legs that are a legal turn on board 101."""
    board = world.row().board
    (seat,) = board.to_move
    text = next(t for t in board.game.legal_moves(board.position, seat) if t.count("/") == 2 and "+" in t)
    one, other = text.split("+")
    return one, other


def of_mover(world: World, letters: list[Received]) -> Received:
    """The letter of the player who is to move."""
    row = world.row()
    (seat,) = row.board.to_move
    return next(x for x in letters if x.to.startswith(row.players[seat].userid))


@pytest.mark.parametrize(
    "line",
    [
        "{0} {1}",
        "{1} {0}",
        "{0}, {1}.",
        "{0};{1}",
        "{0} + {1}",
        "My move: {0} {1}",
        "*{0} {1}*",
        "{0} {1}#1",
        "“{1} {0}”",
    ],
)
def test_a_line_is_one_turn(world: World, letters: list[Received], line: str) -> None:
    legs = two_men(world)
    world.reply(of_mover(world, letters), line.format(*legs))
    assert ply(world) == 1
    assert world.row().board.position.dice


def test_a_command_line(world: World, letters: list[Received]) -> None:
    row = world.row()
    (seat,) = row.board.to_move
    userid = row.players[seat].userid
    world.mail(userid, f"backgammon move 101 {userid} {userid}-secret {' '.join(two_men(world))}")
    assert ply(world) == 1


def test_half_a_turn_is_refused_with_the_reason(world: World, letters: list[Received]) -> None:
    (answer,) = world.reply(of_mover(world, letters), two_men(world)[0])
    assert "both dice can be used, so they must be." in answer.flat
    assert ply(world) == 0


def test_the_letter_has_the_dice_and_the_board_of_its_reader(world: World, letters: list[Received]) -> None:
    answers = world.reply(of_mover(world, letters), " ".join(two_men(world)))
    row = world.row()
    (seat,) = row.board.to_move
    high, low = row.board.position.dice
    name = row.board.seat_names[seat]
    for letter in answers:
        assert f"{name} has rolled {high} and {low}." in letter.text
    mine = of_mover(world, answers)
    assert mine.text.count("+12-11-10--9--8--7--+BAR+-6--5--4--3--2--1--+OFF") == 1


@pytest.mark.slow
def test_in_a_match_roll_double_and_take_are_words(world: World) -> None:
    letters = world.once(_begin, "-match=3")
    first = of_mover(world, letters)
    asked = of_mover(world, world.reply(first, " ".join(two_men(world))))
    assert "rolls or doubles." in asked.text
    assert {"roll", "double"} <= set(asked.html.replace("<", ">").split(">"))
    doubled = of_mover(world, world.reply(asked, "Double!"))
    assert "doubles." in doubled.text
    for line, move in {"I refuse": "drop", "I decline": "drop", "Ich lehne ab": "drop", "accept": "take"}.items():
        (answer,) = world.reply(doubled, line)
        assert f"To play {move}, answer this letter with the word yes." in answer.flat
    rolled = of_mover(world, world.reply(doubled, "take"))
    assert "has rolled" in rolled.text
    assert "Cube: 2" in rolled.text
