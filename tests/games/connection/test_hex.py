"""Hex: chains that win, the edges of the two players, swap, and random games beside OpenSpiel."""

from collections.abc import Sequence

import pytest

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import SWAP, Outcome, Seat
from pbmserv.games.connection.hex import Hex
from pbmserv.games.connection.hexagons import Position
from pbmserv.rng import NoChance, Rng
from tests.games.oracle.agreement import Choose, Report, Rival, at_random, compare, into_ends
from tests.games.oracle.engine import with_oracle

GAME = Hex()
OPENING = GAME.setup({}, 2, NoChance())
RED_WINS, BLUE_WINS = Outcome("connected", (1, 2)), Outcome("connected", (2, 1))


def small(size: int, **options: str) -> Position:
    return GAME.setup({"size": str(size), **options}, 2, NoChance())


def played(position: Position, texts: str) -> Position:
    for text in texts.split():
        move = GAME.parse(position, position.turn, text)
        position = GAME.apply(position, position.turn, move, NoChance()).position
    return position


def shown(position: Position) -> list[str]:
    """The rows from the top, without their offsets."""
    side = int(len(position.cells) ** 0.5)
    return [position.cells[i : i + side] for i in range(0, len(position.cells), side)]


class TestChains:
    def test_red_connects_top_and_bottom(self) -> None:
        assert GAME.outcome(played(small(3), "b1 a1 b2 c1 b3")) == RED_WINS

    def test_blue_connects_left_and_right(self) -> None:
        assert GAME.outcome(played(small(3), "a1 a2 b1 b2 a3 c2")) == BLUE_WINS

    def test_neither_wins_with_the_edges_of_the_other(self) -> None:
        assert GAME.outcome(played(small(3), "a2 a1 b2 a3 c2")) is None
        assert GAME.outcome(played(small(3), "a1 b1 a2 b2 c3 b3")) is None

    def test_a_chain_goes_down_to_the_left_but_not_to_the_right(self) -> None:
        """b1 and a2 touch. a1 and b2 do not: between them run the short diagonal and the chain of the other."""
        assert GAME.outcome(played(small(3), "c1 a1 b2 b1 a3")) == RED_WINS
        assert GAME.outcome(played(small(3), "a1 c1 b2 b3 c3")) is None

    def test_two_cells_with_two_free_cells_between_them_are_a_bridge(self) -> None:
        """Whatever Blue takes of b2 and a3, Red takes the other: the first thing that players of the game learn."""
        bridge = played(small(4), "b1 d1 a3 d2 a4 d3")
        assert bridge.turn == 0
        for taken, other in (("a2", "b2"), ("b2", "a2")):
            assert GAME.outcome(played(bridge, f"d4 {taken} {other}")) == RED_WINS

    def test_a_full_board_has_a_winner(self) -> None:
        position = small(3)
        while GAME.to_move(position):
            position = played(position, GAME.moves(position, position.turn)[-1])
        assert position.won == "connected"

    @pytest.mark.parametrize("size", range(3, 20))
    def test_every_size(self, size: int) -> None:
        assert len(GAME.legal_moves(small(size), 0)) == size * size
        column = " ".join(f"a{row} {chr(96 + size)}{row}" for row in range(1, size))
        assert GAME.outcome(played(small(size), f"{column} a{size}")) == RED_WINS


class TestSwap:
    def test_the_stone_goes_to_its_mirror_image_in_blue(self) -> None:
        after = played(small(4), "c1 swap")
        assert shown(after) == ["....", "....", "B...", "...."]
        assert after.turn == 0

    def test_a_stone_on_the_long_diagonal_stays(self) -> None:
        first = played(small(5), "c3")
        step = GAME.apply(first, 1, SWAP, NoChance())
        assert shown(step.position)[2] == "..B.."
        assert [note.text for note in step.notes] == ["The stone on c3 is Blue's now."]

    def test_the_note_says_where_the_stone_is(self) -> None:
        step = GAME.apply(played(OPENING, "k2"), 1, SWAP, NoChance())
        assert [note.text for note in step.notes] == ["The stone on k2 is now a blue one on b11."]

    def test_the_mirror_image_is_as_good_for_blue_as_the_stone_was_for_red(self) -> None:
        """Both win in one move on a board of three: Red from the top with b1 b2 b3, Blue from the left the same way."""
        assert GAME.outcome(played(small(3, noswap=""), "b1 a1 b2 c1 b3")) == RED_WINS
        assert GAME.outcome(played(small(3), "b1 swap a1 b2 a3 c2")) == BLUE_WINS

    @pytest.mark.parametrize("texts", ["", "d4 e5", "d4 swap", "d4 swap e5"])
    def test_it_is_possible_only_right_after_the_first_move(self, texts: str) -> None:
        position = played(OPENING, texts)
        assert SWAP not in GAME.legal_moves(position, position.turn)
        with pytest.raises(IllegalMove, match="only for the second player, right after the first move"):
            played(position, "swap")

    def test_noswap(self) -> None:
        position = played(GAME.setup({"noswap": ""}, 2, NoChance()), "f6")
        assert SWAP not in GAME.legal_moves(position, 1)
        with pytest.raises(IllegalMove, match="not with the option -noswap"):
            played(position, "swap")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("f6", "'f6' is not possible: f6 is occupied."),
        ("l1", "'l1' is not possible: there is no cell l1 on this board."),
        ("a12", "'a12' is not possible: there is no cell a12 on this board."),
    ],
)
def test_a_refusal_says_why(text: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        played(played(OPENING, "f6"), text)
    assert refused.value.text == why


@pytest.mark.parametrize("text", ["-", "f", "a0", "t1", "a20", "f06", "swaps", "pass"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        played(OPENING, text)


def test_the_example_is_near_the_middle() -> None:
    assert GAME.example(OPENING, 0) == "f6"
    assert GAME.example(played(OPENING, "f6"), 1) == "f5"


def actions(position: Position, seat: Seat, move: str) -> tuple[str, ...]:
    return (move,)


def drawing(position: Position) -> str:
    """OpenSpiel's player 0 is x and connects top and bottom."""
    rows = (" " * row + "".join(f"{man} " for man in men) for row, men in enumerate(shown(position)))
    return "\n".join(rows).translate(str.maketrans("RB", "xo"))


def compared(size: int, plies: int, choose: Choose = at_random, *, swap: bool) -> Report:
    options = {"size": str(size)} | ({} if swap else {"noswap": ""})
    rival = Rival("hex", actions, {"board_size": size, "swap": swap}, drawing, board=_without_chains)
    return compare(GAME, rival, plies, options, choose)


def _without_chains(drawn: str) -> str:
    """OpenSpiel writes a winning chain in capitals."""
    return drawn.lower()


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize(("size", "plies"), [(3, 500), (11, 700), (19, 400)])
@pytest.mark.parametrize("swap", [True, False])
def test_openspiel_agrees(size: int, plies: int, swap: bool) -> None:
    assert compared(size, plies, swap=swap).endings["connected"] >= 1


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees_about_ends() -> None:
    assert compared(6, 500, into_ends(GAME), swap=True).endings["connected"] >= 10


@with_oracle
@pytest.mark.slow
def test_openspiel_agrees_about_swap() -> None:
    """Every first move is taken over."""
    compared(5, 500, _swapping, swap=True)


def _swapping(position: Position, moves: Sequence[str], rng: Rng) -> str:
    return SWAP if SWAP in moves else rng.choice(moves)
