"""What the pictures of our games show. The conformance suite checks what holds for the pictures of all games."""

from dataclasses import replace

import pytest

from pbmserv import games
from pbmserv.conformance.walks import setups
from pbmserv.games.base import AnyGame, Cell, Picture
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.picture import LAST, WIN
from pbmserv.games.race.three_io import Position as Galaxy
from pbmserv.games.race.three_io import ThreeIO
from pbmserv.games.race.three_io.tiles import FEATURES, Tile
from pbmserv.games.race.trippples import Move, Trippples
from pbmserv.games.solitaire.threes import Position as Cards
from pbmserv.games.solitaire.threes import Threes
from pbmserv.games.solitaire.triple_town import Position as Town
from pbmserv.games.solitaire.triple_town import TripleTown
from pbmserv.games.solitaire.triple_town.picture import SIGNS
from pbmserv.games.solitaire.triple_town.tiles import NAMES, TILES
from pbmserv.rng import Rng

RNG = Rng("a picture", 0)


def seen(game: AnyGame, position: object) -> Picture:
    """The picture for a spectator."""
    picture = game.picture(game.view(position, None))
    assert picture
    return picture


def cell(picture: Picture, name: str) -> Cell:
    return next(cell for cell in picture.cells if cell.name == name)


def labels(cell: Cell) -> list[str]:
    return [piece.label for piece in cell.pieces]


class TestTumblingDown:
    def test_a_stack_is_piled_up_run_by_run(self) -> None:
        game = games.find("tumble")
        position = game.setup({}, 2, RNG)
        stacks = ("BBWWWB", *position.stacks[1:])
        a1 = cell(seen(game, replace(position, stacks=stacks)), "a1")
        assert [(p.colour, p.label) for p in a1.pieces] == [("black", "B2"), ("white", "W3"), ("black", "B1")]

    def test_white_stands_at_the_top_and_can_have_the_board_turned(self) -> None:
        game = games.find("tumble")
        picture = seen(game, game.setup({}, 2, RNG))
        assert picture.top == (1,)
        assert picture.turned().rows[0][0] == picture.rows[7][7]
        assert (picture.turned().files, picture.turned().ranks[0]) == (tuple("HGFEDCBA"), "1")
        assert picture.turned().turned() == picture


class TestTripleTown:
    game = TripleTown()

    def town(self, tile: str = "Gr", stored: str = "", **land: str) -> Picture:
        return seen(self.game, Town(tuple(land.get(name, "") for name in NAMES), tile, stored, moves=4, score=25))

    def test_each_thing_has_a_sign_of_its_own_and_its_code(self) -> None:
        assert set(SIGNS) == set(TILES)
        assert len(set(SIGNS.values())) == len(TILES)
        hut = cell(self.town(b3="Hu"), "b3")
        assert (labels(hut), hut.pieces[0].art, hut.pieces[0].in_ascii) == (["\N{TENT}"], "town-hut", "Hu")

    def test_the_storehouse_is_touched_to_store(self) -> None:
        stores = [cell(self.town(stored=stored), "a6") for stored in ("", "Tr")]
        assert [(store.text, *(p.in_ascii for p in store.pieces)) for store in stores] == [("store",), ("store", "Tr")]
        assert self.game.cells_of("store") == ("a6",)
        assert self.game.cells_of("b3") == ("b3",)

    def test_what_comes_next(self) -> None:
        picture = self.town("Bo", "Tr")
        assert [(t.says, t.cells[0].pieces[0].art) for t in picture.beside] == [
            ("Tile to play: imperial-bot", "town-imperial-bot")
        ]
        assert (picture.lines, picture.notes) == (("Score: 25",), ("Storehouse (A6): tree", "Moves: 4"))


class TestThrees:
    game = Threes()

    def test_cards_have_their_colours(self) -> None:
        picture = seen(self.game, Cards((1, 2, 3, 12288, *[0] * 12), (4, 4, 4), 1))
        assert [(p.colour, p.label) for c in picture.rows[3] if c for p in c.pieces] == [
            ("blue", "1"), ("red", "2"), ("white", "3"), ("white", "12288"),
        ]  # fmt: skip

    def test_a_plus_card_has_no_number(self) -> None:
        for coming in (6, 12, 24):
            next_card, _ = seen(self.game, Cards((96,) * 16, (4, 4, 4), coming)).beside
            assert (next_card.says, labels(next_card.cells[0])) == ("Next card: plus", ["+"])

    def test_an_arrow_is_touched_to_push_where_something_would_move(self) -> None:
        _, push = seen(self.game, Cards((1, 1, 1, 0) * 4, (4, 4, 4), 1)).beside
        assert [(c.name, c.arrows) for c in push.cells] == [("a", ()), ("w", ()), ("s", ()), ("d", (2,))]
        assert (push.holds, self.game.cells_of("w")) == (("right",), ("w",))
        assert len(seen(self.game, Cards((1,) * 16, (4, 4, 4), 1)).beside) == 1

    def test_no_arrow_looks_like_a_hint_because_it_was_the_last_push(self) -> None:
        assert self.game.marks("s", 0, 0) == {}


class TestThreeIO:
    game = ThreeIO()

    def galaxy(self, *tiles: Tile, hands: tuple[tuple[int, ...], ...] = ((0, 3), (0,))) -> Galaxy:
        sectors = (*tiles, *[None] * (36 - len(tiles)))
        return Galaxy(sectors, hands, (30, 6, 3, 24, 4, 2), (12, 9), quick=True)

    def test_a_sector(self) -> None:
        names = [feature.name for feature in FEATURES]
        station = Tile(names.index("station"), crew=(0, 0, 1), tokens=2)
        picture = seen(self.game, self.galaxy(station, Tile(names.index("planet"))))
        a1, b1, c1 = (cell(picture, name) for name in ("a1", "b1", "c1"))
        assert (a1.pieces[0].art, labels(a1)[1]) == ("space-station", "x3")
        assert [(p.colour, p.label) for p in a1.pieces[2:]] == [("blue", "11"), ("red", "2"), ("yellow", "+2")]
        assert labels(b1) == ["\N{EARTH GLOBE EUROPE-AFRICA}", "5p"]
        assert (c1.name, c1.pieces, c1.text) == ("c1", (), "")

    def test_each_feature_has_a_sign_of_its_own(self) -> None:
        cells = seen(self.game, self.galaxy(*map(Tile, range(len(FEATURES))))).cells
        assert len({cell.pieces[0].sign for cell in cells[:36] if cell.pieces}) == len(FEATURES)

    def test_hands_and_scores(self) -> None:
        one, two = seen(self.game, self.galaxy()).beside
        assert one.says == "Player 1: crew left 3, hand: dust (tile 1), probe (tile 2)"
        assert [c.text for c in one.cells] == ["Dust", "Probe"]
        assert two.says == "Player 2: crew left 3, hand: dust (tile 1)"

    def test_who_has_left_holds_nothing(self) -> None:
        picture = seen(self.game, replace(self.galaxy(), out=(1,)))
        assert len(picture.beside) == 1
        assert picture.lines[:2] == ("Points by player: 12, 9", "Player 2 has left")

    @pytest.mark.parametrize(
        ("hand", "says"),
        [
            ((0, 3), ["dust", "dust + crew", "probe", "probe + crew"]),
            ((0, 0), ["dust (1)", "dust (1) + crew", "dust (2)", "dust (2) + crew"]),
        ],
    )
    def test_captions(self, hand: tuple[int, ...], says: list[str]) -> None:
        position = self.galaxy(Tile(0, crew=(0,)), hands=(hand, (0,)))
        moves = {self.game.format(move): move for move in self.game.legal_moves(position, 0)}
        assert [self.game.caption(position, moves[text]) for text in ("1b1", "1b1+", "2b1", "2b1+")] == says
        assert self.game.caption(position, moves["sa1"]) == "score"
        assert [self.game.cells_of(text) for text in ("1b1+", "sa1", "draw")] == [("b1",), ("a1",), ()]


class TestTrippples:
    game = Trippples()

    def opening(self, option: str = "") -> Picture:
        return seen(self.game, self.game.setup({option: ""} if option else {}, 4 if option == "d" else 2, RNG))

    def test_corners_say_whose_they_are(self) -> None:
        picture = self.opening()
        assert [cell(picture, s).text for s in ("h1", "a1", "a8", "h8", "d4")] == [
            "start", "start", "finish", "finish", "neutral",
        ]  # fmt: skip
        assert [cell(picture, s).art for s in ("h1", "a8", "h8")] == ["", "flag-square", "flag-round"]
        assert [labels(cell(picture, s)) for s in ("h1", "a1")] == [["■"], ["●"]]
        assert picture.lines == ("Arrows for Square, under ● on A1: N NE E SE S SW W NW",)
        assert picture.notes == ("■ Square: finish on A8", "● Circle: finish on H8")

    def test_a_tile_shows_its_arrows(self) -> None:
        position = self.game.setup({}, 2, RNG)
        square = self.game.format(Move(position.tiles.index("863")))
        assert cell(seen(self.game, position), square).arrows == (0, 2, 3)

    def test_the_tile_to_place(self) -> None:
        position = self.game.setup({"p": ""}, 2, RNG)
        (tray,) = seen(self.game, position).beside
        assert tray.says == "Square places"
        assert len(tray.cells[0].arrows) == 3 or tray.cells[0].text == "neutral"

    def test_four_markers_have_numbers_and_partners_one_colour(self) -> None:
        pieces = [c.pieces[0] for c in self.opening("d").cells if c.pieces]
        assert sorted((p.sign, p.colour) for p in pieces) == [("1", "blue"), ("2", "red"), ("3", "blue"), ("4", "red")]

    def test_a_corner_in_doubles_is_a_finish_when_its_own_marker_has_left(self) -> None:
        position = self.game.setup({"d": ""}, 4, RNG)
        assert (cell(seen(self.game, position), "h1").text, position.markers[0]) == ("start 1", 7)
        left = replace(position, markers=(14, *position.markers[1:]))
        assert (cell(seen(self.game, left), "h1").text, cell(seen(self.game, left), "a8").text) == (
            "finish 2",
            "start 2",
        )

    def test_a_start_has_arrows_until_its_marker_has_left(self) -> None:
        position = self.game.setup({}, 2, RNG)
        assert cell(seen(self.game, position), "h1").arrows == tuple(range(8))
        assert cell(seen(self.game, replace(position, markers=(14, 0))), "h1").arrows == ()

    def test_what_lies_face_down_shows_nothing(self) -> None:
        down = [c for c in self.opening("h").cells if labels(c) == ["?"]]
        assert len(down) == 60
        assert {(c.arrows, c.text, c.ground) for c in down} == {((), "", "grey")}

    def test_a_freeze_has_the_square_of_its_move(self) -> None:
        assert self.game.cells_of("d4f") == ("d4",)
        assert self.game.caption(self.game.setup({}, 2, RNG), Move(27, freeze=True)) == "D4, freeze"


@pytest.mark.parametrize("game", games.listed(), ids=lambda g: g.info.key)
def test_a_mark_is_put_on_the_cell_of_a_move(game: AnyGame) -> None:
    setup = setups(game)[0]
    board = play.begin(Start(game, dict(setup.options), setup.seats, "0" * 32))
    seat = min(board.to_move)
    text, picture = game.example(board.position, seat), game.picture(game.view(board.position, seat))
    assert picture
    marked = picture.marked(dict.fromkeys(game.cells_of(text), LAST))
    assert {c.name or c.of for c in marked.cells if c.mark} == set(game.cells_of(text))


@pytest.mark.parametrize(
    ("key", "moves", "wins"),
    [
        ("four", "a1 b1 a2 b2 a3 b3 a4", "a1 a2 a3 a4"),
        ("gomoku", "a1 a2 b1 b2 c1 c2 d1 d2 e1", "a1 b1 c1 d1 e1"),
        ("hex", "b1 a1 b2 a2 b3", "b1 b2 b3"),
    ],
)
def test_the_line_that_wins_is_marked(key: str, moves: str, wins: str) -> None:
    game = games.find(key)
    board = play.begin(Start(game, {"size": "3", "noswap": ""} if key == "hex" else {}, 2, "0" * 32))
    for move in moves.split():
        board = play.play(board, min(board.to_move), move).board
    assert {c.name for c in seen(game, board.position).cells if c.state == WIN} == set(wins.split())
