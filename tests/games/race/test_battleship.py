"""Sea Battle: placing, shots, salvoes, what is told, and what stays hidden."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from pbmserv.errors import MoveError
from pbmserv.games.base import Options, Outcome, Seat
from pbmserv.games.base import board as play_on
from pbmserv.games.base.board import Board, Change, Start, begin, play, preview, view_of
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry
from pbmserv.games.base.picture import EARLIER, LAST, MARKS
from pbmserv.games.race.battleship import SeaBattle
from pbmserv.games.race.battleship.fleets import NAMES, SHIPS, squares_of
from pbmserv.games.race.battleship.guessing import guessed
from pbmserv.games.race.battleship.waters import known_sunk
from pbmserv.letters.pictures.diagrams import picture_of
from pbmserv.rng import Rng
from tests.games.drawing import draw
from tests.games.race.battleship_referee import SEA, Umpire, along, named, read

GAME = SeaBattle()
FLEET = "a1-a5 c1-c4 e1-e3 g1-i1 g5-h5"
OTHER = "b10-f10 j1-j4 a7-c7 e7-g7 i9-i10"


def played(texts: str, *, board: Board | None = None, options: Options | None = None) -> Board:
    """Play moves such as `0:a1-a5`, each with its seat, or only the moves of the seat to move."""
    board = board or begin(Start(GAME, options or {}, 2, "0" * 32))
    for word in texts.split():
        seat, _, text = word.rpartition(":")
        board = play(board, int(seat) if seat else min(board.to_move), text).board
    return board


def placed(options: Options | None = None) -> Board:
    """A board where both fleets are complete."""
    return played(" ".join(f"{seat}:{w}" for seat, f in enumerate((FLEET, OTHER)) for w in f.split()), options=options)


def answers(board: Board, seat: Seat, texts: str) -> list[str]:
    """Play moves of a seat, and return all notes."""
    notes = list[str]()
    for text in texts.split():
        change = play(board, seat, text)
        board = change.board
        notes += [note.text for note in change.entry.notes]
    return notes


def refusal(board: Board, seat: Seat, text: str) -> str:
    with pytest.raises(MoveError) as refused:
        play(board, seat, text)
    return refused.value.text


def test_both_place_at_the_same_time_in_any_order() -> None:
    board = begin(Start(GAME, {}, 2, "0" * 32))
    assert board.to_move == {0, 1}
    board = played("1:b10-f10 0:a1-a5 1:j1-j4 1:a7-c7 1:e7-g7 1:i9-i10", board=board)
    assert board.to_move == {0}
    assert played("0:c1-c4 0:e1-e3 0:g1-i1 0:g5-h5", board=board).position == placed().position
    assert placed().to_move == {0}


def test_a_ship_can_be_written_from_either_end() -> None:
    wanted = played("0:a1-a5").position
    assert {played(f"0:{text}").position for text in ("a5-a1", "A1A5", "a5a1")} == {wanted}


@pytest.mark.parametrize(
    ("texts", "wrong", "why"),
    [
        ("", "a1-a4", "that is 4 long, and your carrier, which comes next, is 5 long"),
        ("", "a1-b5", "your carrier has 5 squares in a row or column, so name the first and the last"),
        ("", "a1", "your carrier has 5 squares in a row or column, so name the first and the last"),
        ("", "h1-l1", "there is no square l1 on the board"),
        ("", "a8-a12", "there is no square a12 on the board"),
        ("", "again", "you have placed no ship yet"),
        ("0:a1-a5", "a3-d3", "your carrier lies on a3"),
        ("0:a1-a5 0:b1-b4", "b2-d2", "your frigate lies on b2"),
    ],
)
def test_what_is_wrong_with_a_placement_is_said(texts: str, wrong: str, why: str) -> None:
    assert refusal(played(texts), 0, wrong) == f"'{wrong}' is not possible: {why}."


def test_ships_may_touch() -> None:
    assert played("0:a1-a5 0:b1-b4 0:c1-c3 0:d1-d3 0:e1-e2").to_move == {1}


def test_a_fleet_can_be_one_word_in_any_order() -> None:
    assert GAME.words("g5-h5/a1-a5/e1-e3/c1-c4/g1-i1") == ["a1-a5", "c1-c4", "e1-e3", "g1-i1", "g5-h5"]
    assert GAME.words("b2/c3/d4") == ["b2", "c3", "d4"]
    assert GAME.words("a1-a5") == ["a1-a5"]


def test_a_word_among_ships_stays_where_it_is() -> None:
    assert GAME.words("again/g1-g3") == ["again", "g1-g3"]
    assert GAME.words("a1-a5/random") == ["a1-a5", "random"]
    assert GAME.words("c1-c3/again/a1-a5") == ["c1-c3", "again", "a1-a5"]


def test_placing_can_begin_again_until_the_last_ship() -> None:
    board = played("0:a1-a5 0:c1-c4 0:again")
    assert board.position == begin(board.start).position
    assert refusal(placed(), 0, "again") == "'again' is not possible: all ships are placed."


def test_chance_places_the_ships_that_are_missing() -> None:
    board = played("0:a1-a5 0:c1-c4 0:random 1:random")
    assert board.position.shooting
    first, second, *_ = board.position.fleets[0]
    assert (first, second) == ("a1-a5", "c1-c4")
    for fleet in board.position.fleets:
        squares = [square for ship in fleet for square in squares_of(ship)]
        assert len(set(squares)) == len(squares) == sum(ship.length for ship in SHIPS)
    again = played("0:a1-a5 0:c1-c4 0:random 1:random")
    assert again.position == board.position, "the seed of the board decides"


def test_a_trial_does_not_draw_a_fleet() -> None:
    assert preview(begin(Start(GAME, {}, 2, "0" * 32)), 0, "random") is None
    assert preview(placed(), 0, "b10") is None


def test_a_shot_is_answered_and_the_turn_passes_also_after_a_hit() -> None:
    board = placed()
    assert answers(board, 0, "a10") == ["Miss."]
    assert answers(board, 0, "b10") == ["Hit."]
    assert played("b10", board=board).to_move == {1}
    assert refusal(played("b10 a9", board=board), 0, "b10") == "'b10' is not possible: you have shot at b10 already."
    assert refusal(board, 0, "b10-c10") == "'b10-c10' is not possible: all ships are placed, and a shot is one square."


def test_a_ship_that_sinks_is_named_to_all() -> None:
    board = played("i9 a10", board=placed())
    (note,) = play(board, 0, "i10").entry.notes
    assert (note.text, note.seats) == ("Hit, and the gunboat sinks.", None)
    for reader in (None, 0, 1):
        assert "Blue has lost: gunboat" in draw(GAME, played("i10", board=board).position, reader)


@pytest.mark.parametrize(
    ("sea", "crossed"),
    [
        ({"a1": "x", "a2": "x", "a3": "#", "c3": "x"}, {"a1", "a2", "a3"}),
        ({"a1": "x", "a2": "x", "a3": "#", "b3": "x", "c3": "x"}, {"a3"}),  # or the row
        ({"a1": "x", "a2": "x", "a3": "#", "a4": "x"}, {"a2", "a3"}),  # or one further
    ],
)
def test_the_hits_of_a_sunk_ship_are_crossed_if_the_shots_prove_it(sea: dict[str, str], crossed: set[str]) -> None:
    shots = "".join(sea.get(name, ".") for name in NAMES)
    position = replace(placed().position, seas=("." * 100, shots), sunk=((), (2,)))
    picture = GAME.picture(GAME.view(position, 0))
    assert {cell.name for cell in picture.cells if any(piece.art == "sunk" for piece in cell.pieces)} == crossed


def test_all_hits_of_a_sunk_ship_are_crossed_in_the_own_sea() -> None:
    assert {NAMES[square] for square in known_sunk(placed().position.fleets[1], "." * 100, (2,))} == {"a7", "b7", "c7"}


def test_ships_that_are_lost_are_a_list() -> None:
    lost = replace(placed().position, sunk=((0, 1, 2), (3, 4)))
    drawn = draw(GAME, lost)
    assert "Red has lost: carrier, frigate and destroyer" in drawn
    assert "Blue has lost: submarine and gunboat" in drawn


def test_a_salvo_has_a_shot_for_each_ship_and_is_answered_as_a_whole() -> None:
    board = placed({"salvo": ""})
    assert answers(board, 0, "a10 i9 i10 j1") == []
    after = played("a10 i9 i10 j1", board=board)
    assert after.to_move == {0}
    assert refusal(after, 0, "i9") == "'i9' is not possible: you have shot at i9 already."
    told = ["a10: Miss.", "i9: Hit.", "i10: Hit, and the gunboat sinks.", "j1: Hit.", "j2: Hit."]
    assert answers(after, 0, "j2") == [f"Shot at {answer}" for answer in told]
    after = played("j2", board=after)
    assert after.to_move == {1}
    assert after.position.shots == 4, "Blue has lost a ship"


def test_the_whole_fleet_sunk_ends_the_board() -> None:
    board = placed({"salvo": ""})
    targets = [named(square) for ship in OTHER.split() for square in sorted(along(*map(read, ship.split("-"))))]
    while not board.result:
        (seat,) = board.to_move
        board = played(targets.pop() if seat == 0 and targets else GAME.example(board.position, seat), board=board)
    assert board.result == Outcome("fleet", (1, 2))
    assert GAME.view(board.position, None).position == board.position, "in the end everybody sees all"


def test_public_texts_name_no_squares_until_the_end() -> None:
    board, log = begin(Start(GAME, {}, 2, "0" * 32)), list[Entry]()
    for seat, text in ((0, "a1-a5"), (0, "random"), (1, "a2-a6"), (1, "again"), (1, "random"), (0, "a10")):
        change = play(board, seat, text)
        board, log = change.board, [*log, change.entry]
    told = ["ship", "fleet", "ship", "again", "fleet", "a10"]
    assert [e.text for e in read_by(board, log)] == told
    assert [e.text for e in read_by(board, log, {0})] == ["a1-a5", "random", *told[2:]]
    assert [e.joins for e in read_by(board, log)] == [False, True, True, True, True, False]
    assert read_by(board, log, all_=True) == log


def test_a_log_is_replayed_once_for_all_its_readers_and_led_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a third of the time of a mail about a long board would go into replaying it for each reader."""
    board, log, applied = begin(Start(GAME, {}, 2, "1" * 32)), list[Entry](), count()
    apply = GAME.apply
    monkeypatch.setattr(GAME, "apply", lambda *args: (next(applied), apply(*args))[1])
    for seat, text, more in ((0, "random", 0), (1, "random", 0), (0, "a10", 0), (1, "b9", None), (0, "c8", 1)):
        change = play(board, seat, text)
        board, log, before = change.board, [*log, change.entry], next(applied)
        if more is not None:  # moves that are replayed: none of those that somebody has read, and never the last one
            told = [[e.text for e in read_by(board, log, seats)] for seats in ({0}, {1}, ())]
            assert next(applied) - before - 1 == more
    shots = ["a10", "b9", "c8"]
    assert told == [["random", "fleet", *shots], ["fleet", "random", *shots], ["fleet", "fleet", *shots]]


def test_the_last_shot_is_marked_in_the_sea_that_it_hit() -> None:
    board = played("b10 j9", board=placed())
    for reader, name in ((0, "own j9"), (1, "j9"), (None, "red j9")):
        assert GAME.marked_cells("j9", 1, reader) == (name,)
        assert name in GAME.picture(GAME.view(board.position, reader)).names
    assert GAME.marked_cells("a1-a5", 1, 1) == ()


def test_a_picture_says_whose_sea_it_is_and_what_its_signs_mean() -> None:
    assert GAME.picture(GAME.view(played("0:a1-a5").position, 1)).titles[0] == "Your own sea"
    boards = (placed(), played("b10", board=placed()))
    pictures = [GAME.picture(GAME.view(board.position, 1)) for board in boards]
    assert [picture.lines[0][:6] for picture in pictures] == ["Red ha", "Red ha"]
    assert [picture.notes[:1] for picture in pictures] == [
        (),
        ("A star is a hit, a dot a miss, a cross in a star a hit on a sunk ship.",),
    ]


@pytest.mark.parametrize(
    ("options", "shots", "marked"),
    [
        ({}, "b10 j9 c8", {LAST: {"c8", "own j9"}}),
        (
            {"salvo": ""},
            "a1 a2 a3 a4 a5 b1 b2",
            {LAST: {"own a5", "b2"}, EARLIER: {"own a1", "own a2", "own a3", "own a4", "b1"}},
        ),
    ],
)
def test_the_last_shots_of_both_are_marked(options: Options, shots: str, marked: dict[str, set[str]]) -> None:
    board, log = placed(options), list[Entry]()
    for shot in shots.split():
        change = play(board, min(board.to_move), shot)
        board, log = change.board, [*log, change.entry]
    picture = picture_of(board, log[-1].seat, log)
    assert picture
    there = {mark: {cell.name for cell in picture.cells if cell.mark == mark} for mark in MARKS}
    assert {mark: cells for mark, cells in there.items() if cells} == marked


@pytest.mark.parametrize("options", [{}, {"salvo": ""}])
@pytest.mark.parametrize("games", [4, pytest.param(25, marks=pytest.mark.slow)])
def test_another_umpire_says_the_same(options: dict[str, str], games: int) -> None:
    assert sum(_match(options, luck) for luck in range(games)) > 100 * games


def _match(options: dict[str, str], luck: int) -> int:
    """Play a random game with two umpires beside it, and return its plies."""
    board, umpires, rng = begin(Start(GAME, options, 2, f"{luck:032}")), (Umpire(), Umpire()), Rng("sea", luck)
    while not board.position.shooting:
        seat = rng.choice(sorted(board.to_move))
        assert set(GAME.legal_moves(board.position, seat)) - {"random", "again"} == umpires[seat].wanted()
        text = rng.choice(sorted(umpires[seat].wanted()))
        umpires[seat].place(text)
        board = play(board, seat, text).board
    while all(umpire.afloat() for umpire in umpires):
        board = _turn(board, umpires[min(board.to_move)].afloat(), umpires[1 - min(board.to_move)], rng)
    assert board.result
    assert board.result.ranks == ((1, 2) if umpires[0].afloat() else (2, 1))
    return board.ply


def _turn(board: Board, ships: int, target: Umpire, rng: Rng) -> Board:
    """Play the shots of one turn, and compare what is told of them."""
    (seat,) = board.to_move
    free = sorted(named(square) for square in SEA - target.shot)
    assert sorted(GAME.legal_moves(board.position, seat)) == free
    shots = rng.shuffled(free)[: ships if board.position.salvo else 1]
    wanted = [target.answer(read(text)) for text in shots]
    told = list[str]()
    for text in shots:
        change = play(board, seat, text)
        told += [note.text for note in change.entry.notes]
        board = change.board
    if board.position.salvo:
        assert told == [f"Shot at {text}: {answer}" for text, answer in zip(shots, wanted, strict=True)]
    else:
        assert told == wanted
    assert board.result or board.to_move == {1 - seat}
    return board


@pytest.mark.parametrize("end", [play_on.void, lambda board: play_on.adjudicate(board, (1, 2)), play_on.end_full])
def test_an_end_by_ruling_shows_the_fleets_too(end: Callable[[Board], Change]) -> None:
    board = placed()
    for reader in (None, 0, 1):
        assert view_of(board, reader) == GAME.view(board.position, reader)
        assert view_of(end(board).board, reader).position == board.position


def test_a_guess_explains_a_hit_by_what_can_lie_there() -> None:
    """A carrier has ten of 120 ways to cover a square in the middle, a gunboat four of 180."""
    fleets = [guessed(f"{'.' * 44}x{'.' * 55}", (), Rng("luck", n)) for n in range(400)]
    covering = [[44 in squares_of(fleet[number]) for fleet in fleets].count(True) for number in range(len(SHIPS))]
    assert sum(covering) == 400
    assert covering[0] > covering[1] > covering[4] > 0
    assert covering[0] > 2 * covering[4]
