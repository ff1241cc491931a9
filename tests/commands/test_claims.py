"""A draw that the rules let a player claim, and moves in which capitals matter, by mail."""

import pytest

from tests.world import Received, World

#: Knights go out and back twice: the first position stands for the third time.
REPEATED = ("Nf3", "Nf6", "Ng1", "Ng8") * 2


@pytest.fixture
def chess(world: World) -> World:
    """Board 101 of alice and bob."""
    world.signup("alice", "bob")
    world.mail("alice", "chess challenge alice bob")
    return world


def played(world: World, *texts: str) -> dict[str, Received]:
    """Play moves in turn. Return the last letters, by the player."""
    for ply, text in enumerate(texts):
        player = ("alice", "bob")[ply % 2]
        letters = world.mail(player, f"chess move 101 {player} {player}-secret {text}")
    return {letter.to.partition("@")[0]: letter for letter in letters}


@pytest.mark.parametrize("claimer", ["alice", "bob"])
@pytest.mark.parametrize("line", ["propose", "draw", "move 101"])
def test_a_claim_ends_the_board_at_once(chess: World, claimer: str, line: str) -> None:
    last = played(chess, *REPEATED)
    if line == "move 101":
        letters = chess.mail(claimer, f"chess move 101 {claimer} {claimer}-secret propose")
    else:
        letters = chess.reply(last[claimer], line)
    assert {letter.to for letter in letters} == {"alice@example.org", "bob@example.org"}
    for letter in letters:
        assert letter.first_line == "Board 101 is over: a draw (claimed, because the position stood three times)."
    assert chess.query(lambda s: s.boards.entries(101))[-1].kind == "propose"


def test_a_letter_says_that_a_draw_can_be_claimed(chess: World) -> None:
    turn = played(chess, *REPEATED)["alice"]
    assert "propose ends the board as a draw" in turn.flat
    assert "propose" in turn.text


def test_before_that_it_is_an_offer(chess: World) -> None:
    letters = chess.mail("alice", "chess propose 101 alice alice-secret")
    assert any("offers a draw" in letter.text for letter in letters)


BISHOP_OR_PAWN = ("d4", "e6", "Bd2", "Bb4", "a3", "Bc3")  #: now a pawn and a bishop can capture on c3


@pytest.mark.parametrize(("line", "move"), [("bxc3", "b2c3"), ("Bxc3", "d2c3"), ("My move: Bxc3!", "d2c3")])
def test_capitals_of_a_move_matter_in_a_reply(chess: World, line: str, move: str) -> None:
    chess.reply(played(chess, *BISHOP_OR_PAWN)["alice"], line)
    assert chess.query(lambda s: s.boards.entries(101))[-1].text == move


def test_capitals_of_a_move_matter_in_a_command_and_in_a_queue(chess: World) -> None:
    played(chess, *BISHOP_OR_PAWN[:-1])
    chess.mail("alice", "chess queue 101 alice alice-secret Bc3:Bxc3")
    chess.mail("bob", "chess move 101 bob bob-secret Bc3")
    assert chess.query(lambda s: s.boards.entries(101))[-1].text == "d2c3"


def test_mate_is_written_with_a_cross(chess: World) -> None:
    assert played(chess, "f3", "e5", "g4", "Qh4#")["bob"].first_line == "Board 101 is over: bob wins (checkmate)."
