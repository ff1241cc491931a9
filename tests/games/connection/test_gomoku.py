"""Gomoku: rows that win, in all directions, and those that do not."""

import pytest

from pbmserv.errors import IllegalMove, NotAMove
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.connection.gomoku import EMPTY, SIGNS, Gomoku, Position
from pbmserv.rng import NoChance
from tests.games.base.logged import Logged
from tests.games.oracle.agreement import Rival, compare, into_ends
from tests.games.oracle.engine import with_oracle
from tests.games.records.reader import form, sheet_of
from tests.games.records.reader import played as logged

GAME = Gomoku()
BLACK_WINS = Outcome("five", (1, 2))


def position_of(black: str, white: str, *, turn: Seat = 0, **options: str) -> Position:
    opening = GAME.setup(options, 2, NoChance())
    points = list(opening.points)
    for stone, names in zip(SIGNS, (black, white), strict=True):
        for name in names.split():
            points[opening.grid.square(name)] = stone
    return Position("".join(points), turn, opening.exact)


def played(position: Position, text: str) -> Position:
    return GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position


@pytest.mark.parametrize(
    ("stones", "last"),
    [
        ("a1 b1 c1 d1", "e1"),
        ("o11 o12 o13 o14", "o15"),
        ("a1 b2 d4 e5", "c3"),
        ("o1 n2 m3 l4", "k5"),
        ("f8 g8 i8 j8", "h8"),
    ],
)
def test_five_in_a_row_win_in_every_direction(stones: str, last: str) -> None:
    assert GAME.outcome(played(position_of(stones, "h7 g7 f7"), last)) == BLACK_WINS


def test_white_wins_too() -> None:
    position = position_of("a1 a3 a5 a7 a9", "f8 g8 h8 i8", turn=1)
    assert GAME.outcome(played(position, "j8")) == Outcome("five", (2, 1))


def test_four_do_not_win_nor_do_five_around_the_edge() -> None:
    assert GAME.outcome(played(position_of("a1 b1 c1", "h7"), "d1")) is None
    assert GAME.outcome(played(position_of("m1 n1 o1 a2", "h7"), "b2")) is None


def test_six_in_a_row_win_unless_it_must_be_exactly_five() -> None:
    stones = "a1 b1 c1 e1 f1"
    assert GAME.outcome(played(position_of(stones, "h7"), "d1")) == BLACK_WINS
    assert GAME.outcome(played(position_of(stones, "h7", exact=""), "d1")) is None
    both = f"{stones} d2 d3 d4 d5"  # six in the row, and five in the column
    assert GAME.outcome(played(position_of(both, "h7", exact=""), "d1")) == BLACK_WINS


def test_a_full_board_is_a_draw() -> None:
    rows = ["XXOO" * 4, "OOXX" * 4]
    full = "".join(rows[row % 2][:15] for row in range(15))
    almost = Position(EMPTY + full[1:], turn=0)
    assert GAME.outcome(played(almost, "a1")) == Outcome("full", (1, 1))


def test_the_large_board() -> None:
    position = position_of("", "", size="19")
    assert len(GAME.legal_moves(position, 0)) == 361
    assert GAME.example(position, 0) == "j10"
    assert played(position, "S19").points[-1] == "X"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("h7", "'h7' is not possible: h7 is occupied."),
        ("p1", "'p1' is not possible: this board has 15 points on each side."),
    ],
)
def test_a_refusal_says_why(text: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        played(position_of("h7", ""), text)
    assert refused.value.text == why


@pytest.mark.parametrize("text", ["", "h", "h0", "h20", "t1", "hh8", "h08"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        played(position_of("", ""), text)


def actions(position: Position, seat: Seat, move: str) -> tuple[str, ...]:
    row, column = divmod(position.grid.square(move), position.grid.columns)
    return (f"{row},{column}",)


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize("size", ["15", "19"])
def test_openspiel_agrees(size: str) -> None:
    options = {"size": size} if size != "15" else {}
    rival = Rival("gomoku", actions, {"size": int(size)})
    report = compare(GAME, rival, 500, options, choose=into_ends(GAME))
    assert report.endings["five"] >= 1


class TestSwap2:
    """The opening of tournaments, as the Gomoku World Championships have it since 2009."""

    OPENING = GAME.setup({"swap2": ""}, 2, NoChance())

    def after(self, texts: str) -> Position:
        position = self.OPENING
        for text in texts.split():
            position = played(position, text)
        return position

    def stones(self, position: Position) -> dict[str, str]:
        named = ((position.grid.name(point), stone) for point, stone in enumerate(position.points))
        return {name: stone for name, stone in named if stone != EMPTY}

    def test_the_first_player_puts_three_stones(self) -> None:
        assert [self.after(texts).turn for texts in ("", "h8", "h8 i9", "h8 i9 j8")] == [0, 0, 0, 1]
        assert self.stones(self.after("h8 i9 j8")) == {"h8": "X", "i9": "O", "j8": "X"}

    @pytest.mark.parametrize(
        ("texts", "turn", "black"),
        [
            ("h8 i9 j8 white", 1, 0),
            ("h8 i9 j8 black", 0, 1),
            ("h8 i9 j8 two a1 b1 white", 0, 1),
            ("h8 i9 j8 two a1 b1 black", 1, 0),
        ],
    )
    def test_white_is_to_move_when_the_colours_are_taken(self, texts: str, turn: Seat, black: Seat) -> None:
        position = self.after(texts)
        assert GAME.to_move(position) == {turn}
        assert position.black == black
        after = played(position, "o15")
        assert self.stones(after)["o15"] == "O"
        assert self.stones(played(after, "o14"))["o14"] == "X"

    def test_the_second_player_can_put_two_more_stones(self) -> None:
        assert [self.after(f"h8 i9 j8 two{more}").turn for more in ("", " a1", " a1 b1")] == [1, 1, 0]
        assert self.stones(self.after("h8 i9 j8 two a1 b1")) == {
            "h8": "X", "i9": "O", "j8": "X", "a1": "O", "b1": "X",
        }  # fmt: skip

    def test_the_words_are_possible_only_then(self) -> None:
        assert GAME.legal_moves(self.after("h8 i9 j8"), 1) == ("white", "black", "two")
        assert GAME.legal_moves(self.after("h8 i9 j8 two a1 b1"), 0) == ("white", "black")
        for texts in ("", "h8", "h8 i9 j8 two a1"):
            with pytest.raises(IllegalMove, match="first all stones of the opening are put down"):
                self.after(f"{texts} white")
        with pytest.raises(IllegalMove, match="only in the opening of the option -swap2"):
            self.after("h8 i9 j8 white white")
        with pytest.raises(IllegalMove, match="only in the opening"):
            played(position_of("", ""), "two")
        with pytest.raises(IllegalMove, match="now you choose one of the words white, black, two"):
            self.after("h8 i9 j8 a1")
        with pytest.raises(IllegalMove, match="one of the words white, black"):
            self.after("h8 i9 j8 two a1 b1 two")

    def test_black_wins_for_the_seat_that_took_black(self) -> None:
        texts = "a1 i9 b1 black i10 c1 i11 d1 i12 e1"
        assert GAME.outcome(self.after(texts)) == Outcome("five", (2, 1))
        assert GAME.outcome(self.after("a1 i9 b1 white i10 c1 i11 d1 i12 e1")) == Outcome("five", (1, 2))

    def test_robots_judge_by_the_colours_that_were_taken(self) -> None:
        position = self.after("a1 i9 b1 black o1 c1 o3 d1")
        assert GAME.evaluate(position, position.black) > 0 > GAME.evaluate(position, 1 - position.black)

    def test_a_line_says_who_does_what(self) -> None:
        def line(texts: str) -> str:
            picture = GAME.picture(GAME.view(self.after(texts), None))
            (told,) = picture.lines
            return told

        assert line("") == "Player 1 puts three stones: a black one, a white one and a black one."
        assert line("h8 i9 j8").startswith("Player 2 sends white or black to take a colour, or two")
        assert line("h8 i9 j8 two").startswith("Player 2 puts a white stone")
        assert line("h8 i9 j8 two a1 b1") == "Player 1 sends white or black to take a colour."
        assert line("h8 i9 j8 black") == "Black: Player 2, White: Player 1"

    def test_in_the_smart_game_format_the_colours_are_those_of_the_stones(self) -> None:
        board = logged("gomoku", {"swap2": ""}, "h8", "i9", "j8", "two", "a1", "b1", "white", "o15", "o14")
        text = form("gomoku", "sgf").write(sheet_of(board)).replace("\n", "")
        assert "PB[bob]PW[alice]" in text
        assert text.endswith(";B[hh];W[ig];B[jh];W[ao];B[bo];W[oa];B[ob])")

    def test_a_fork_names_the_colour_of_the_next_stone(self) -> None:
        begun = logged("gomoku", {"swap2": ""}, "h8")
        fork = Logged(GAME, options={"swap2": ""}, origin=begun.board.position)
        fork.moves("i8")
        text = form("gomoku", "sgf").write(sheet_of(fork)).replace("\n", "")
        assert text.endswith("AB[hh]PL[W];W[ih])")

    @pytest.mark.parametrize(("moves", "word"), [("", "white"), ("", "two"), ("h8 i9 j8 two", "white")])
    def test_colours_are_taken_when_all_stones_are_there(self, moves: str, word: str) -> None:
        position = logged("gomoku", {"swap2": ""}, *moves.split()).board.position
        with pytest.raises(IllegalMove) as refused:
            GAME.parse(position, position.turn, word)
        assert refused.value.text == f"'{word}' is not possible: first all stones of the opening are put down."

    def test_a_board_of_an_earlier_version_has_no_such_line(self) -> None:
        old = GAME.load('{"points":"' + "." * 225 + '","turn":0,"exact":false,"won":false}')
        assert old == GAME.setup({}, 2, NoChance())
        assert GAME.picture(GAME.view(old, None)).lines == ()
