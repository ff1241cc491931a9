"""Trippples: the worked cases TR1-TR20 of the rules, the diagrams, and what is true in every game."""

import textwrap
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.errors import IllegalMove, NotAMove, PlayerError
from pbmserv.games.base import Step
from pbmserv.games.base.board import Start, begin, play, preview, resign, undo
from pbmserv.games.base.log import Kind
from pbmserv.games.race.trippples import Trippples
from pbmserv.games.race.trippples.moves import Position, key, remember
from pbmserv.games.race.trippples.tiles import FINISH, GRID, NEUTRAL, START, TRIPLES
from pbmserv.rng import Rng
from tests.examples import examples
from tests.games.chance import Unshuffled
from tests.games.drawing import draw, help_page

GAME = Trippples()
DIAGRAM = Path(__file__).with_name("trippples_diagram.txt").read_text().rstrip("\n")
SHORT = {START: "sta", FINISH: "fin", NEUTRAL: "N"}
CANONICAL = """
8  fin 317 347 214 217 247 147 fin
7  627 614 617 647 321 324 327 314
6  917 947 632 631 634 637 621 624
5  934 937 921  N   N  924 927 914
4  962 961 964  N   N  967 932 931
3  837 821 824 827 814 817 847 963
2  863 862 861 864 867 832 831 834
1  sta 896 893 892 891 894 897 sta
   A   B   C   D   E   F   G   H
"""
#: R28: every set of option letters with which a board can begin.
COMBINATIONS = ("", "p", "w", "e", "i", "h", "d", "pw", "ep", "ip", "dp", "ew", "iw", "dw", "epw", "ipw", "dpw")


def new(options: str = "", rng: Rng | None = None) -> Position:
    """A new game, on the canonical board unless `rng` shuffles the tiles."""
    return GAME.setup(dict.fromkeys(options, ""), 4 if "d" in options else 2, rng or Unshuffled())


def stand(markers: str, options: str = "", turn: int = 0, up: str = "") -> Position:
    """The canonical board with the markers on these squares. With option `h`, only the tiles `up` are face up."""
    position = new(options)
    down = tuple(s for s in position.down if GRID.name(s) not in up.split())
    squares = tuple(GRID.square(name) for name in markers.split())
    return remember(replace(position, markers=squares, turn=turn, down=down, history=()))


def lay(position: Position, **tiles: str) -> Position:
    """The same position with other tiles on these squares."""
    return replace(position, tiles=tuple(tiles.get(GRID.name(s), old) for s, old in enumerate(position.tiles)))


def step(position: Position, token: str) -> Step[Position]:
    seat = position.turn
    return GAME.apply(position, seat, GAME.parse(position, seat, token), Unshuffled())


def after(position: Position, tokens: str) -> Position:
    """The position after these moves, each made by the seat to move."""
    for token in tokens.split():
        position = step(position, token).position
    return position


def moves(position: Position) -> set[str]:
    """All legal moves except those that call a freeze."""
    return {GAME.format(m) for m in GAME.legal_moves(position, position.turn) if not m.freeze}


def tile(position: Position, name: str) -> str:
    return position.tiles[GRID.square(name)]


def why_not(position: Position, token: str) -> str:
    with pytest.raises(IllegalMove) as error:
        GAME.parse(position, position.turn, token)
    return error.value.text


def test_tr1_all_56_triples_on_the_canonical_board() -> None:
    position = new()
    assert len(set(TRIPLES) & set(position.tiles)) == len(TRIPLES) == 56
    wanted = [line.split()[1:] for line in CANONICAL.strip().splitlines()[:8]]
    rows = [[SHORT.get(name, name) for name in position.tiles[row * 8 : row * 8 + 8]] for row in reversed(range(8))]
    assert rows == wanted


@dataclass(frozen=True)
class Case:
    """A position and moves from it. After them: the seat to move, all legal moves and some illegal ones."""

    id: str
    position: Position
    tokens: str
    seat: int
    moves: str
    illegal: str = ""


@pytest.mark.parametrize(
    "case",
    [
        Case("TR2", new(), "", 0, "h2 g1 g2", illegal="f3"),
        Case("TR3", new(), "g2", 1, "a2", illegal="b2 b1"),
        Case("TR4", new(), "g2 a2", 0, "g3 h2", illegal="h1"),
        Case("TR5", new(), "g2 a2 g3 a3 h2 a4", 1, "a5 b3"),
        Case("TR6a", stand("c3 a4"), "", 0, "d3 c2", illegal="d4"),
        Case("TR6b", stand("g7 b2"), "", 0, "g8 h7 g6"),
        Case("TR6c", stand("g7 b1"), "", 0, "g8 h7", illegal="h8"),
        Case("TR6d", stand("b2 b3"), "", 0, "b1", illegal="b3 a1"),
        Case("TR7", stand("b7 g1"), "", 0, "b8 c8 a8"),
        Case("TR9", new(), "h2 a2 h3 b3 h4 c2 h5 b2 h6 b1", 0, "h7", illegal="h7f"),
        Case("TR10", new(), "h2 a2 h3 b3 h4 c2 h5 b2 h6 c2 h7", 1, "d1 b1 b2", illegal="d1f"),
        Case("TR11", new(), "", 0, "h2 g1 g2", illegal="g2f"),
        Case("TR12a", stand("a7 b3", turn=1), "", 1, "c3 b2 a4"),
        Case("TR14a", stand("c3 a4", "w"), "", 0, "d4 d3 c2"),
        Case("TR14b", stand("c3 a4", "w"), "d4", 0, "e3 d3 c3 c4 c5", illegal="d5 e5 e4"),
        Case("TR14c", stand("c3 a4", "w"), "d4 c5", 1, "b5 a3"),
        Case("TR15", new("e"), "", 0, "g3 h3 h2 h1 g1 f1 f2 f3"),
        Case("TR17a", new("h"), "g2", 1, "a2", illegal="a2f"),
        Case("TR17b", stand("d7 b1", "h", up="d7 b1"), "d8 e8", 0, "f8 d7 e7 f7", illegal="d8"),
        Case("TR18a", new("d"), "", 0, "h2 g1 g2"),
        Case("TR18b", stand("g2 b7 b2 g7", "d"), "", 0, "h2 g1 f1 f2 f3", illegal="h1"),
    ],
    ids=lambda case: case.id,
)
def test_worked_moves(case: Case) -> None:
    position = after(case.position, case.tokens)
    assert position.turn == case.seat
    assert moves(position) == set(case.moves.split())
    for token in case.illegal.split():
        with pytest.raises(IllegalMove):
            GAME.parse(position, position.turn, token)


@pytest.mark.parametrize(
    ("case", "position", "tokens", "reason", "ranks"),
    [
        ("TR7", stand("b7 g1"), "a8", "finish", (1, 2)),
        ("TR8", new(), "h2 a2 h3 b3 h4 c2 h5 b2 h6 b1 h7", "frozen", (1, 1)),
        ("TR10", new(), "h2 a2 h3 b3 h4 c2 h5 b2 h6 c2 h7 b1f", "freeze", (2, 1)),
        ("TR10", new(), "h2 a2 h3 b3 h4 c2 h5 b2 h6 c2 h7 b1", "frozen", (1, 1)),
        ("TR12b", stand("a7 b3", turn=1), "a4 b8 b3 a7 a4 b8 b3 a7", "indirect", (1, 2)),
        ("TR13", stand("b1 d1", turn=1), "d2 b2 d1 b1 d2 b2 d1 b1", "repetition", (1, 1)),
    ],
)
def test_worked_endings(case: str, position: Position, tokens: str, reason: str, ranks: tuple[int, ...]) -> None:
    *most, last = tokens.split()
    before = after(position, " ".join(most))
    assert GAME.outcome(before) is None, case
    outcome = GAME.outcome(after(before, last))
    assert outcome is not None
    assert (outcome.reason, outcome.ranks) == (reason, ranks)
    assert reason in GAME.info.endings
    assert not GAME.to_move(after(before, last))


def test_tr5_the_missed_turn_is_told() -> None:
    result = step(after(new(), "g2 a2 g3 a3 h2"), "a4")
    assert result.missed == (0,)
    assert [note.text for note in result.notes] == ["Square cannot move and misses a turn."]


def test_tr12_the_moves_that_lose_show_north() -> None:
    position = stand("a7 b3", turn=1)
    assert ["a8" in moves(after(position, token)) for token in ("c3", "b2", "a4")] == [True, True, False]
    assert moves(after(position, "a4 b8")) == {"b3"}
    assert moves(after(position, "a4")) >= {"b7", "a6", "b8"}


def test_tr16_inside_out() -> None:
    position = new("i")
    assert [tile(position, name) for name in ("a1", "h1", "d5", "e5")] == [START, START, FINISH, FINISH]
    loose = [t for t in position.tiles if t not in (START, FINISH)]
    assert sorted(loose) == sorted([*TRIPLES, *[NEUTRAL] * 4])
    for square, seat in (("d5", 0), ("e5", 1)):
        outcome = GAME.outcome(after(lay(stand("d6 e6", "i", turn=seat), d6="832", e6="832"), square))
        assert outcome is not None
        assert outcome.winners == (seat,)


def test_tr17_hidden_tiles_turn_up() -> None:
    first = step(new("h"), "g2")
    assert first.revealed
    assert [note.text for note in first.notes] == ["G2 turns up: 831 (N SE SW)."]
    wild = step(stand("d7 b1", "h", up="d7 b1"), "d8")
    assert [note.text for note in wild.notes] == ["D8 turns up: neutral.", "Square has a free move from D8."]
    assert "e8" in moves(wild.position)
    again = step(wild.position, "e8")
    assert again.position.turn == 0
    assert "d8" not in moves(again.position)


def test_tr18_the_corners_of_doubles() -> None:
    position = new("d")
    assert [GRID.name(s) for s in position.markers] == ["h1", "a8", "a1", "h8"]
    assert moves(stand("g2 b7 b2 a7", "d", turn=1)) & {"a8", "h1"} == set()
    outcome = GAME.outcome(after(lay(stand("b7 c2 e2 c3", "d"), c3="867"), "a8"))  # under the second opponent: NW
    assert outcome is not None
    assert (outcome.reason, outcome.ranks) == ("finish", (1, 2, 1, 2))


def test_tr19_placing_in_square_order() -> None:
    position = new("p")
    assert position.shown == "896"
    assert "d4" in why_not(position, "d4")
    for n, square in enumerate(s for s, t in enumerate(new("p").tiles) if t == ""):
        assert position.turn == n % 2
        position = after(position, GRID.name(square))
    assert replace(position, options="") == new()
    assert position.turn == 0


def test_tr20_nothing_can_be_played_after_the_end() -> None:
    board = replace(begin(Start(GAME, {}, 2, "0" * 32)), position=stand("b7 g1"))
    board = play(board, 0, "a8").board
    with pytest.raises(PlayerError, match="over"):
        play(board, 1, "b8")


def test_r23_a_free_move_that_is_impossible() -> None:
    position = lay(stand("c1 a1", "iw", turn=1), b1=NEUTRAL, a2=NEUTRAL, b2=NEUTRAL, c2=NEUTRAL, c1="896")
    result = step(position, "b1")
    assert (result.position.free, result.missed, result.position.turn) == (False, (0,), 1)
    assert moves(result.position) == {"b2", "c2"}  # an ordinary move again, so you may enter neutral tiles


def test_r28_the_combinations() -> None:
    letters = [option.name for option in GAME.info.options]
    every = ("".join(sorted(c)) for n in range(len(letters) + 1) for c in combinations(letters, n))
    accepted = [options for options in every if not clash(options)]
    assert sorted(accepted) == sorted(COMBINATIONS)
    assert clash("eh") == "The options -e and -h do not go together."
    assert clash("dpi") == "The options -i and -d do not go together."


def clash(options: str) -> str:
    try:
        GAME.check(dict.fromkeys(options, ""), 4 if "d" in options else 2)
    except PlayerError as error:
        return error.text
    return ""


@pytest.mark.parametrize(
    ("options", "seats", "text"),
    [
        ("", 4, "Trippples is for 2 players, not for 4."),
        ("p", 3, "Trippples is for 2 players, not for 3."),
        ("d", 2, "Trippples with option -d is for 4 players, not for 2."),
    ],
)
def test_wrong_numbers_of_seats(options: str, seats: int, text: str) -> None:
    with pytest.raises(PlayerError) as error:
        GAME.check(dict.fromkeys(options, ""), seats)
    assert error.value.text == text


@pytest.mark.parametrize(
    ("position", "token", "text"),
    [
        (new(), "f3", "your marker stands on H1, and that square is not next to it"),
        (new(), "h1", "your marker stands on H1, and that square is not next to it"),
        (after(new(), "g2"), "b1", "the tile under Square (G2) shows N SE SW, not E"),
        (after(new(), "g2 a2"), "h1", "it is a start tile, and nobody may return to one"),
        (stand("g7 b1"), "h8", "it is not your finish"),
        (stand("b2 b3"), "b3", "a marker stands there"),
        (stand("c3 a4"), "d4", "it is a neutral tile"),
        (after(stand("c3 a4", "w"), "d4"), "e4", "a free move cannot go to another neutral tile"),
        (new("p"), "a1", "that square already has its tile"),
        (new("p"), "b1f", "you can call a freeze only with a move of your marker"),
        (stand("g2 b7 b2 g7", "d"), "g3", "the tile under North-West (B7) shows E SW W and the tile under"),
        (new("d"), "g2f", "the freeze call does not hold, because a freeze cannot be called with option -d"),
        (new(), "g2f", "the freeze call does not hold, because your opponent could still move to A2"),
        (stand("b7 g1"), "a8f", "the freeze call does not hold, because that move reaches your finish"),
        (stand("c3 a4", "w"), "d4f", "the freeze call does not hold, because you would have a free move"),
        (
            after(new(), "h2 a2 h3 b3 h4 c2 h5 b2 h6 b1"),
            "h7f",
            "the freeze call does not hold, because it is your only move",
        ),
        (after(new(), "g2 a2 g3 a3 h2"), "a4f", "the freeze call does not hold, because you could still move to A5"),
    ],
)
def test_why_a_move_is_not_possible(position: Position, token: str, text: str) -> None:
    assert f"'{token}' is not possible: {text}" in why_not(position, token)


def test_r16_a_call_needs_another_move_that_does_not_lose() -> None:
    """Circle on B2 has two moves. B1 freezes both players. C1 is safe, or it lets Square go from A7 to A8."""
    position = stand("a7 b2", turn=1)
    safe = lay(position, a7="321", b1="147", c1="147")
    losing = lay(position, a7="321", b1="147", c1="896")
    assert moves(safe) == moves(losing) == {"b1", "c1"}
    assert after(safe, "b1f").ending == "freeze"
    assert after(losing, "b1").ending == "frozen"
    assert "each of your other moves would let your opponent reach the finish" in why_not(losing, "b1f")


@pytest.mark.parametrize("text", ["i1", "a9", "b2ff", "b2 f", "f", "freeze", ""])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        GAME.parse(new(), 0, text)


def test_r17_to_r20_one_move_that_does_not_lose_is_enough_not_to_be_avoiding() -> None:
    """As TR12, but C3 does not let Square finish. So Circle had another move that does not lose."""
    position = lay(stand("a7 b3", turn=1), c3="624")
    assert after(position, "a4 b8 b3 a7 a4 b8 b3 a7").ending == "repetition"


def test_r26_and_r27_know_no_indirect_win() -> None:
    hidden = stand("a7 b3", "h", turn=1, up=" ".join(GRID.name(s) for s in range(64)))
    same = replace(hidden, tiles=stand("a7 b3").tiles)
    assert after(same, "a4 b8 b3 a7 a4 b8 b3 a7").ending == "repetition"


def test_r19_a_tile_that_turns_up_starts_the_count_anew() -> None:
    position = stand("b1 d1", "h", turn=1, up="b1 d1 b2")
    turned = step(position, "d2").position  # D2 was face down
    assert len(turned.history) == 1
    assert after(turned, "b2 d1 b1 d2 b2 d1 b1").ending == ""
    assert after(turned, "b2 d1 b1 d2 b2 d1 b1 d2").ending == "repetition"


def test_r9_the_seat_after_the_last_placement_moves_first_even_if_a_seat_has_left() -> None:
    position = new("dp")
    squares = [GRID.name(s) for s, found in enumerate(position.tiles) if not found]
    assert after(position, " ".join(squares)).turn == 0  # 56 tiles, 14 from each
    short = GAME.retire(after(position, " ".join(squares[:5])), 3, Unshuffled()).position
    placed_by = []
    for name in squares[5:]:
        placed_by.append(short.turn)
        short = after(short, name)
    assert (set(placed_by), placed_by[-1], short.turn) == ({0, 1, 2}, 0, 1)


def test_r19_leaving_neither_counts_as_a_position_nor_begins_a_new_count() -> None:
    start = stand("b2 g7 a1 h8", "d")
    before = replace(start, history=(*start.history, key(start)))  # the position occurred twice with all seats
    left = GAME.retire(before, 3, Unshuffled()).position
    assert left.history == before.history
    assert remember(left).ending == "repetition"


def test_r13_missed_turns_in_doubles() -> None:
    """Every tile in use has the arrows NE E SE, and two of the markers stand at the east edge."""
    result = step(lay(stand("a4 h5 h3 d6", "d"), b4="963", h5="963", h3="963", d6="963"), "b4")
    assert (result.missed, result.position.turn) == ((1, 2), 3)
    assert [note.text for note in result.notes] == [
        "North-West cannot move and misses a turn.",
        "South-West cannot move and misses a turn.",
    ]


def test_r29_in_doubles_a_seat_that_leaves_is_skipped_and_its_arrows_count() -> None:
    board = begin(Start(GAME, {"d": ""}, 4, "0" * 32))
    board = replace(board, position=stand("g2 b7 b2 g7", "d"))
    board = resign(board, 1).board
    assert board.result is None
    assert moves(board.position) == {"h2", "g1", "f1", "f2", "f3"}
    board = resign(board, 0, Kind.FORFEIT).board
    assert board.to_move == {2}
    board = play(board, 2, GAME.example(board.position, 2)).board
    assert board.to_move == {3}
    board = resign(board, 3).board
    assert board.result is not None
    assert (board.result.reason, board.result.ranks) == ("resign", (1, 2, 1, 2))
    assert board.result.winners == (0, 2)


def test_r29_a_substitute_moves_the_marker_of_who_left() -> None:
    start = stand("g2 b7 b2 g7", "d")
    left = GAME.retire(start, 1, Unshuffled()).position
    back = GAME.rejoin(left, 1)
    assert (back.out, back.markers) == ((), start.markers)
    assert step(back, GAME.example(back, back.turn)).position.turn == 1


def test_r29_a_seat_may_leave_while_tiles_are_placed() -> None:
    board = begin(Start(GAME, {"d": "", "p": ""}, 4, "0" * 32))
    board = resign(board, 0).board
    assert board.to_move == {1}
    for seat in (1, 2, 3, 1):
        empty = GRID.name(board.position.tiles.index(""))
        board = play(board, seat, empty).board
    board = resign(board, 2).board
    assert board.result is not None
    assert board.result.ranks == (2, 1, 2, 1)


def test_preview_and_undo_stop_at_what_comes_to_light() -> None:
    hidden = begin(Start(GAME, {"h": ""}, 2, "0" * 32))
    assert preview(hidden, 0, "g2") is None
    placing = begin(Start(GAME, {"p": ""}, 2, "0" * 32))
    assert preview(placing, 0, "b1") is None
    open_ = begin(Start(GAME, {}, 2, "0" * 32))
    assert preview(open_, 0, "g2") is not None
    change = play(hidden, 0, "g2")
    with pytest.raises(PlayerError, match="taken back"):
        undo(change.board, 0, [change.entry])


def test_the_diagram() -> None:
    assert draw(GAME, after(new(), "g2 a2 g3 a3")) == DIAGRAM


def test_a_start_that_was_left_tells_whose_it_is() -> None:
    position = stand("b2 c3")
    starts = [cell.art for cell in GAME.picture(GAME.view(position, 0)).cells if cell.text == "start"]
    assert sorted(starts) == ["marker-round", "marker-square"]


def bottom(position: Position, display: str = "") -> list[str]:
    """The lines below the board."""
    lines = draw(GAME, position, display=display).splitlines()
    assert lines[34] == lines[0]
    assert all(len(line) <= 79 and line == line.rstrip() for line in lines)
    return lines[35:]


def cell(position: Position, name: str) -> list[str]:
    """The three lines of one square."""
    row, column = divmod(GRID.square(name), 8)
    lines = draw(GAME, position).splitlines()
    return [lines[2 + (7 - row) * 4 + i][4 + 4 * column : 7 + 4 * column] for i in range(3)]


def test_the_display_with_arrows_and_moves() -> None:
    position = after(new(), "g2 a2 g3 a3")
    assert bottom(position) == []
    assert bottom(position, "m") == ["Arrows under Circle on A3: N SE NW", "Square can move: g4 h2 f4"]
    assert bottom(new("d"), "m") == [
        "South: 1 South-East to A8, 3 South-West to H8",
        "North: 2 North-West to H1, 4 North-East to A1",
        "Arrows under North-West on A8 and North-East on H8: N NE E SE S SW W NW",
        "South-East can move: h2 g1 g2",
    ]


def test_a_free_move_is_told() -> None:
    position = after(stand("c3 a4", "w"), "d4")
    assert cell(position, "d4") == [":::", ":S:", ":::"]
    assert bottom(position) == ["Square has a free move from D4."]
    assert bottom(position, "m")[1:] == ["Square can move: e3 d3 c3 c4 c5"]


def test_the_tile_to_place_is_drawn() -> None:
    assert bottom(new("p")) == [
        "",
        "Square places:          +---+",
        "                        | |/|",
        "896 (N NE E)            | o-|",
        "                        |   |",
        "                        +---+",
    ]
    assert cell(new("p"), "b1") == ["   ", "   ", "   "]
    loose = replace(new("ip"), shown=NEUTRAL)
    assert bottom(loose)[3] == "neutral (no arrows)     |:::|"


def test_markers_and_brackets() -> None:
    assert cell(new(), "h1") == [" _ ", "[S]", "sta"]
    assert cell(after(new(), "g2"), "h1") == [" _ ", "[*]", "sta"]
    assert cell(after(new(), "g2"), "a1") == [" _ ", "(C)", "sta"]
    assert cell(after(stand("b7 g1"), "a8"), "a8") == [" _ ", "[S]", "fin"]
    assert cell(new("e"), "g7") == [" _ ", "( )", "fin"]
    assert cell(new("i"), "d5") == [" _ ", "[ ]", "fin"]
    assert cell(new("h"), "d4") == ["???", "???", "???"]
    assert cell(new("d"), "a8") == [" _ ", "[2]", "sta"]
    assert cell(stand("g2 b7 b2 g7", "d"), "h1") == [" _ ", "( )", "fin"]
    assert cell(stand("g2 b7 b2 g7", "d"), "g7") == ["\\  ", " 4 ", " |\\"]


def test_a_seat_that_left_is_marked() -> None:
    position = GAME.retire(new("d"), 3, Unshuffled()).position
    assert bottom(position)[1] == "North: 2 North-West to H1, 4 North-East to A1 (has left)"


def test_the_help_page_shows_the_worked_example() -> None:
    page = help_page(GAME)
    assert textwrap.indent(DIAGRAM, "  ") in page
    assert GAME.info.credit in page
    assert all(f"-{option.name} " in page for option in GAME.info.options)
    assert max(map(len, page.splitlines())) <= 72


def reachable(position: Position) -> set[str]:
    """The legal moves, computed in a second way from the rules: square by square, with coordinates."""
    seats, seat = len(position.markers), position.turn
    at = [GRID.name(s) for s in position.markers]
    digits = {d for s in range(seats) if (s - seat) % 2 for d in arrow_digits(tile(position, at[s]))}
    found = set()
    for square in (f"{column}{row}" for column in "abcdefgh" for row in "12345678"):
        step_ = (ord(square[0]) - ord(at[seat][0]), int(square[1]) - int(at[seat][1]))
        digit = STEPS.get(step_, "")
        shown = digit and (position.free or digit in digits)
        if shown and square not in at and enterable(position, square):
            found.add(square)
    return found


STEPS = {(0, 1): "8", (1, 1): "9", (1, 0): "6", (1, -1): "3", (0, -1): "2", (-1, -1): "1", (-1, 0): "4", (-1, 1): "7"}
FINISHES = {"d": "a8 h1 h8 a1", "e": "b7 g7", "i": "d5 e5"}


def arrow_digits(found: str) -> str:
    return "12346789" if found == START else found if found.isdigit() else ""


def enterable(position: Position, square: str) -> bool:
    finishes = next((FINISHES[o] for o in position.options if o in FINISHES), "a8 h8").split()
    if square == finishes[position.turn] or GRID.square(square) in position.down:
        return True
    if tile(position, square) == NEUTRAL:
        return not position.free and ("w" in position.options or "h" in position.options)
    return tile(position, square).isdigit()


SETUPS = st.tuples(st.sampled_from(COMBINATIONS), st.integers(0, 2**32).map(str))


def random_play(options: str, seed: str) -> list[tuple[Position, str, Step[Position]]]:
    """A game of random moves to its end: for each move the position before it, its text and its step."""
    pick, played = Rng(seed, 0, "pick"), list[tuple[Position, str, Step[Position]]]()
    position = new(options, Rng(seed, 0))
    while seats := GAME.to_move(position):
        (seat,) = seats
        text = GAME.format(pick.choice(GAME.legal_moves(position, seat)))
        result = GAME.apply(position, seat, GAME.parse(position, seat, text), Rng(seed, len(played) + 1))
        played.append((position, text, result))
        position = result.position
        assert len(played) < 5000
    return played


@pytest.mark.slow
@examples(10, 20)
@given(setup=SETUPS)
def test_legal_moves_are_those_of_the_rules(setup: tuple[str, str]) -> None:
    for position, _, _ in random_play(*setup):
        if not position.shown:
            assert moves(position) == reachable(position)


@pytest.mark.slow
@examples(10, 20)
@given(setup=SETUPS)
def test_what_holds_in_every_play(setup: tuple[str, str]) -> None:
    for before, _, result in random_play(*setup):
        position = result.position
        assert GAME.load(GAME.dump(position)) == position
        assert all(len(note.text) <= 79 for note in result.notes)
        assert (GAME.outcome(position) is None) == bool(GAME.to_move(position))
        assert result.revealed == (len(position.down) < len(before.down))
        assert len(set(position.markers)) == len(position.markers)
        assert set(result.missed).isdisjoint({position.turn})
        known = [*position.tiles, *position.pile, position.shown]
        assert sorted(t for t in known if t.isdigit()) == sorted(TRIPLES)


@pytest.mark.slow
@examples(8, 15)
@given(setup=SETUPS)
def test_a_freeze_may_be_called_exactly_when_both_are_stuck(setup: tuple[str, str]) -> None:
    for before, _, _ in random_play(*setup):
        if before.shown or set(before.options) & set("dh"):
            continue
        calls = {GAME.format(m) for m in GAME.legal_moves(before, before.turn) if m.freeze}
        freezing = {t for t in moves(before) if after(before, t).ending == "frozen"}
        safe = {t for t in moves(before) if not lets_finish(before, t)}
        assert calls == {f"{t}f" for t in freezing if safe - {t}}


def lets_finish(before: Position, token: str) -> bool:
    """Whether the opponent can reach the finish right after this move."""
    then = after(before, token)
    if then.ending or then.turn == before.turn:
        return False
    return any(after(then, answer).ending == "finish" for answer in moves(then))


@pytest.mark.slow
@examples(5, 15)
@given(seed=st.integers(0, 2**32).map(str))
def test_nobody_sees_a_tile_that_lies_face_down(seed: str) -> None:
    for before, _, _ in random_play("h", seed):
        for reader in (0, 1, None):
            view = GAME.view(before, reader)
            assert [GRID.name(s) for s in before.down] == [
                GRID.name(s) for s, t in enumerate(view.position.tiles) if t == "?"
            ]
            assert GAME.legal_moves(view.position, before.turn) == GAME.legal_moves(before, before.turn)


@pytest.mark.parametrize(
    ("before", "texts", "left"),
    [
        (stand("c3 a4"), "", ""),
        (stand("c3 a4"), "d3", "c3"),
        (stand("c3 a4", "w"), "d4 e3", "c3"),  # over a neutral tile, in one turn
        (stand("c3 a4", "h", up="a4"), "d4", ""),  # a tile was turned up, so earlier positions are forgotten
    ],
)
def test_the_square_that_a_marker_left_is_known(before: Position, texts: str, left: str) -> None:
    assert GAME.came_from(after(before, texts)) == tuple(left.split())
