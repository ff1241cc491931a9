"""Dots and Boxes: lines, boxes that give another turn, ends, and random games beside OpenSpiel."""

import pytest

from pbmserv.errors import IllegalMove
from pbmserv.games.base import Outcome, Seat, View
from pbmserv.games.base.picture import EAST, LAST, MADE, WEST
from pbmserv.games.territory.dots import DotsAndBoxes, Position, frame_of
from pbmserv.rng import NoChance
from tests.games.drawing import draw
from tests.games.oracle.agreement import Rival, compare
from tests.games.oracle.engine import with_oracle

GAME = DotsAndBoxes()
OPENING = GAME.setup({}, 2, NoChance())
SMALL = GAME.setup({"size": "3"}, 2, NoChance())


def played(texts: str, position: Position = SMALL) -> Position:
    for text in texts.split():
        position = GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position
    return position


class TestLines:
    def test_a_board_of_five_by_five_boxes_has_sixty_lines(self) -> None:
        assert len(GAME.legal_moves(OPENING, 0)) == 60
        assert len(OPENING.boxes) == 25
        assert GAME.to_move(OPENING) == {0}

    @pytest.mark.parametrize("text", ["a1-b1", "a1b1", "b1-a1", "b1a1", "A1-B1"])
    def test_spellings(self, text: str) -> None:
        assert GAME.parse(OPENING, 0, text) == "a1-b1"

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("b1a1", "'b1a1' is not possible: there is a line from a1 to b1 already."),
            ("a1c1", "'a1c1' is not possible: a1 and c1 are not two dots beside each other on this board."),
            ("a1b2", "'a1b2' is not possible: a1 and b2 are not two dots beside each other on this board."),
            ("d4e4", "'d4e4' is not possible: d4 and e4 are not two dots beside each other on this board."),
        ],
    )
    def test_why_not(self, text: str, why: str) -> None:
        with pytest.raises(IllegalMove) as caught:
            GAME.parse(played("a1b1"), 1, text)
        assert caught.value.text == why


class TestBoxes:
    def test_who_closes_a_box_owns_it_and_draws_again(self) -> None:
        after = played("a1b1 a1a2 b1b2")
        assert after.turn == 1
        after = played("a2b2", after)
        assert (after.boxes[0], after.turn) == ("B", 1)

    def test_a_line_that_closes_nothing_ends_the_turn(self) -> None:
        assert [played(texts).turn for texts in ("", "a1b1", "a1b1 a1a2")] == [0, 1, 0]

    def test_one_line_can_close_two_boxes(self) -> None:
        after = played("a1b1 a1a2 a2b2 b1c1 c1c2 b2c2 b1b2")
        assert after.boxes[:2] == ("R", "R")
        assert after.turn == 0
        assert GAME.scores(after) == (2, 0)

    def test_nobody_has_to_close_a_box(self) -> None:
        open_box = played("a1b1 a1a2 b1b2")
        assert len(GAME.legal_moves(open_box, 1)) == 21

    def test_a_line_is_marked_up_to_its_ends_with_the_box_that_it_closes(self) -> None:
        picture = GAME.picture(View(0, played("a1b1 a1a2 b1b2 c1c2 a2b2"))).marked(GAME.marks("a2-b2", 1, 0))
        rows = [[(cell.mark, cell.fresh) for cell in row[:4] if cell] for row in picture.rows[-3:]]
        end, none = ("", (WEST,)), ("", ())
        assert rows == [[("", (EAST,)), (LAST, ()), end, none], [none, (MADE, ()), none, none], [none] * 4]

    def test_the_diagram(self) -> None:
        after = played("a1b1 a1a2 b1b2 a2b2 c3d3 c4d4 c3c4 d3d4")
        assert draw(GAME, after) == "\n".join(
            [
                "    A   B   C   D",
                " 4  +   +   +---+",
                "            | R |",
                " 3  +   +   +---+",
                "",
                " 2  +---+   +   +",
                "    | B |",
                " 1  +---+   +   +",
                "    A   B   C   D",
                "Boxes: Red 1, Blue 1",
            ]
        )


class TestEnds:
    def finished(self, red: int) -> Position:
        """A board of four by four boxes, of which Red has this number; the last line closes one for Red."""
        lines = (True,) * 39 + (False,)
        return Position(lines, ("R",) * (red - 1) + ("B",) * (16 - red) + (".",))

    @pytest.mark.parametrize(("red", "ranks"), [(9, (1, 2)), (7, (2, 1)), (8, (1, 1))])
    def test_most_boxes_win(self, red: int, ranks: tuple[int, ...]) -> None:
        before = self.finished(red)
        (last,) = GAME.legal_moves(before, 0)
        after = played(last, before)
        assert GAME.outcome(after) == Outcome("boxes", ranks, (red, 16 - red))
        assert GAME.to_move(after) == frozenset()

    def test_the_loony_endgame(self) -> None:
        """A chain of three boxes: the opponent closes all of it, and would have to open the next one."""
        chain = played("a1a2 b1b2 c1c2 d1d2 b3b4 a2b2 b2c2 c2d2")
        after = played("a1b1 b1c1 c1d1", chain)
        assert GAME.scores(after)[chain.turn] == 3


def actions(position: Position, seat: Seat, move: str) -> tuple[str, ...]:
    """OpenSpiel counts rows of dots from the top, and names a line by its first dot."""
    one, two = move.split("-")
    line = f"{'h' if one[1] == two[1] else 'v'},{position.side + 1 - int(two[1])}"
    return (f"P{seat + 1}({line},{ord(one[0]) - 97})",)


def drawing(position: Position) -> str:
    side, lines = position.side, frame_of(position.side).lines

    def drawn(column: int, row: int, east: int, north: int) -> bool:
        one, two = f"{chr(97 + column)}{row + 1}", f"{chr(97 + column + east)}{row + 1 + north}"
        return position.lines[lines[f"{one}-{two}"]]

    found = ""
    for row in reversed(range(side + 1)):
        left, middle, right = "┌┬┐" if row == side else "├┼┤" if row else "└┴┘"
        joints = [left, *[middle] * (side - 1), right]
        for column, joint in enumerate(joints[:-1]):
            found += joint + ("───" if drawn(column, row, 1, 0) else "╴ ╶")
        found += joints[-1] + "\n"
        if row:
            for column in range(side + 1):
                found += "│" if drawn(column, row - 1, 0, 1) else " "
                if column < side:
                    owner = position.boxes[(row - 1) * side + column]
                    found += {"R": " 1 ", "B": " 2 ", ".": "   "}[owner]
            found += "\n"
    return found


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize("size", ["3", "5", "6"])
def test_openspiel_agrees(size: str) -> None:
    rival = Rival("dots_and_boxes", actions, {"num_rows": int(size), "num_cols": int(size)}, drawing)
    report = compare(GAME, rival, plies=800, options={} if size == "5" else {"size": size})
    assert report.endings["boxes"] >= 5
