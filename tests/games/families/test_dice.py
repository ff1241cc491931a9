"""Games of dice at one table: points against a second count and known numbers, whole games, and every check."""

import os
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, cycle, product
from math import isclose
from typing import Any

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.games.families.dice.dice_row import SEATS, BoxRow, PotRow
from pbmserv.games.families.dice.dice_rows import ROWS
from pbmserv.games.families.dice.planning import plan_for, throws
from pbmserv.letters.text.aloud import heard
from pbmserv.rng import Rng
from pbmserv.robots.thinking import Problem, choose
from tests.world import RENDERER, World

_ROWS = {row.key: row for row in ROWS}
_ALL = "SOAK" in os.environ

# --- the second count, from the sentences of the rules --------------------------------------------------------------


def _upper(dice: tuple[int, ...]) -> dict[str, int]:
    names = ("ones", "twos", "threes", "fours", "fives", "sixes")
    return {name: sum(d for d in dice if d == n) for n, name in enumerate(names, 1)}


def _yacht(dice: tuple[int, ...]) -> dict[str, int]:
    shape = sorted(Counter(dice).values(), reverse=True)
    four = next((d * 4 for d in dice if dice.count(d) > 3), 0)
    return {
        **_upper(dice),
        "house": sum(dice) if shape == [3, 2] else 0,
        "4alike": four,
        "little": 30 if dice == (1, 2, 3, 4, 5) else 0,
        "big": 30 if dice == (2, 3, 4, 5, 6) else 0,
        "choice": sum(dice),
        "yacht": 50 if shape == [5] else 0,
    }


def _yacht13(dice: tuple[int, ...]) -> dict[str, int]:
    shape = sorted(Counter(dice).values(), reverse=True)
    faces = "".join(str(n) for n in range(1, 7) if n in dice)
    return {
        **_upper(dice),
        "3alike": sum(dice) if shape[0] >= 3 else 0,
        "4alike": sum(dice) if shape[0] >= 4 else 0,
        "house": 25 if shape == [3, 2] else 0,
        "run4": 30 if any(run in faces for run in ("1234", "2345", "3456")) else 0,
        "run5": 40 if any(run in faces for run in ("12345", "23456")) else 0,
        "yacht": 50 if shape == [5] else 0,
        "choice": sum(dice),
    }


def _yacht15(dice: tuple[int, ...]) -> dict[str, int]:
    pairs = sorted((d for d, n in Counter(dice).items() if n >= 2), reverse=True)
    most, times = max(Counter(dice).items(), key=lambda item: item[1])
    old = _yacht(dice)
    return old | {
        "pair": 2 * pairs[0] if pairs else 0,
        "2pairs": 2 * sum(pairs) if len(pairs) == 2 else 0,
        "3alike": 3 * most if times >= 3 else 0,
        "little": old["little"] // 2,
        "big": old["big"] * 2 // 3,
    }


def _crag(dice: tuple[int, ...]) -> dict[str, int]:
    runs = {"odd": (1, 3, 5), "even": (2, 4, 6), "low": (1, 2, 3), "high": (4, 5, 6)}
    is_thirteen, has_pair = sum(dice) == 13, len(set(dice)) < 3
    return {
        **_upper(dice),
        **{name: 20 * (dice == run) for name, run in runs.items()},
        "3alike": 25 * (len(set(dice)) == 1),
        "thirteen": 26 * is_thirteen,
        "crag": 50 * (is_thirteen and has_pair),
    }


def _cargo(dice: tuple[int, ...]) -> dict[str, int]:
    left = list(dice)
    for needed in (6, 5, 4):
        if needed not in left:
            return {"cargo": 0}
        left.remove(needed)
    return {"cargo": sum(left)}


def _tripps(dice: tuple[int, ...]) -> dict[str, int]:
    return {"least": sum({1: 1, 2: 2, 3: 0, 4: 4, 5: 5, 6: 6}[d] for d in dice)}


_SECOND = {
    "yacht": _yacht,
    "yacht13": _yacht13,
    "yacht15": _yacht15,
    "crag": _crag,
    "shipcrew": _cargo,
    "tripps": _tripps,
}


def _sets(size: int) -> dict[tuple[int, ...], int]:
    """Return what counts as a set of so many dice."""
    sets: dict[tuple[int, ...], int] = {(1,): 100, (5,): 50} if size == 1 else {}
    if size >= 3:
        sets |= {(n,) * size: (1000 if n == 1 else 100 * n) * 2 ** (size - 3) for n in range(1, 7)}
    if size == 6:
        pairs = {tuple(sorted(2 * three)): 1500 for three in product(range(1, 7), repeat=3)}
        return {(1, 2, 3, 4, 5, 6): 1500, **pairs, **{d: max(1500, p) for d, p in sets.items()}}
    return sets


@cache
def _parted(dice: tuple[int, ...]) -> float:
    """Return the most points if all dice are parted into sets; less than nothing if they cannot be."""
    if not dice:
        return 0
    best = float("-inf")
    for size in range(1, len(dice) + 1):
        for rest in combinations(dice[1:], size - 1):
            points = _sets(size).get(tuple(sorted((dice[0], *rest))))
            if points:
                left = Counter(dice) - Counter((dice[0], *rest))
                best = max(best, points + _parted(tuple(sorted(left.elements()))))
    return best


@pytest.mark.slow
def test_points_are_those_of_a_second_count() -> None:
    for key, second in _SECOND.items():
        row = _ROWS[key]
        assert isinstance(row, BoxRow)
        for dice, _ in throws(row.dice):
            assert {box: worth(dice) for box, worth in row.boxes.items()} == second(dice), (key, dice)
    farkle = _ROWS["farkle"]
    assert isinstance(farkle, PotRow)
    for count in range(1, 7):
        for dice, _ in throws(count):
            assert farkle.worth(dice) == max(0, _parted(dice)), dice


def test_known_numbers() -> None:
    """How likely five alike are in three throws, and that nothing counts of so many dice in farkle."""
    yacht, farkle = _ROWS["yacht"], _ROWS["farkle"]
    assert isinstance(yacht, BoxRow)
    assert isinstance(farkle, PotRow)
    assert isclose(plan_for(yacht, "yacht").average, 50 * 347897 / 7558272)
    assert isclose(plan_for(yacht, "sixes").average, 30 * (1 - (5 / 6) ** 3))
    counting = {dice for n in range(1, 7) for dice, _ in throws(n) if farkle.worth(dice)}
    parts = [sum(p for dice, p in throws(n) if counting.isdisjoint(_subsets(dice))) for n in range(1, 7)]
    known = [4 / 6, 16 / 36, 60 / 216, 204 / 1296, 600 / 7776, 1080 / 46656]
    assert all(map(isclose, parts, known)), parts


def _subsets(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    return {part for n in range(1, len(dice) + 1) for part in combinations(dice, n)}


# --- whole games ----------------------------------------------------------------------------------------------------


def _finished(key: str, seats: int, level: int) -> Board:
    game = find(key)
    board = play.begin(Start(game, {}, seats, f"{seats:032x}"))
    for ply in range(5000):
        if board.result:
            break
        seat = min(board.to_move)
        choice = choose(Problem(game, game.view(board.position, seat), {}, seats), level, Rng(f"{key}{seats}", ply))
        board = play.play(board, seat, choice.text).board
    return board


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, *(pytest.param(n, marks=[] if n == 8 else pytest.mark.slow) for n in SEATS[1:])])
def test_robots_play_to_the_end(seats: int) -> None:
    for row in ROWS if _ALL else ROWS[seats % 6 :: 6]:
        result = _finished(row.key, seats, 1 + seats % 3).result
        assert result, row.key
        assert len(result.ranks) == seats


@pytest.mark.slow
@pytest.mark.parametrize("rows", [ROWS[1:12:9], pytest.param(ROWS if _ALL else ROWS[::3])], ids=["two", "more"])
def test_every_check_of_conformance(rows: tuple[BoxRow, ...]) -> None:
    for row, seats in zip(rows, cycle((3, 2, 4)), strict=False):
        options = tuple((option.name, "") for option in find(row.key).info.options)
        playthrough = record(find(row.key), Walk(row.key, Setup(options, seats), 1))
        for check in CHECKS:
            check(playthrough)


@pytest.mark.parametrize("key", _ROWS)
def test_a_move_is_legal_if_the_list_has_it(key: str) -> None:
    """Also those of earlier positions are asked for, most of which are not legal any more."""
    game = find(key)
    board = play.begin(Start(game, {}, 3, "5" * 32))
    known = ["66", "keepall", "bank", "to1", "to3050", "to120", "99x6", "11"]
    asked = list(filter(game.is_move, known))
    for ply in range(60):
        if not board.to_move:
            break
        position, seat = board.position, min(board.to_move)
        legal = game.legal_moves(position, seat)
        asked = list(dict.fromkeys((*asked, *legal)))
        named = [move for text in asked for move in game.named(position, seat, text)]
        assert named == [text for text in asked if text in legal]
        board = play.play(board, seat, Rng(key, ply).choice(legal)).board


# --- the rules ------------------------------------------------------------------------------------------------------


def _table(key: str, *texts: str, **changes: object) -> Any:
    """Return a table after some moves, whose first dice are given."""
    game = find(key)
    position = game.setup({}, 3, Rng("0" * 32, 0))
    position = replace(position, **changes)
    for ply, text in enumerate(texts, start=1):
        seat = position.turn
        position = game.apply(position, seat, game.parse(position, seat, text), Rng("0" * 32, ply)).position
    return position


@pytest.mark.parametrize(
    ("key", "changes", "text", "why"),
    [
        ("yacht", {"dice": (1, 2, 3, 4, 6)}, "66", "the dice are 1 2 3 4 6"),
        ("yacht", {"sheets": ((-1,) * 11 + (0,),) * 3}, "yacht", "this box is filled"),
        ("yacht", {"left": 0}, "roll", "no throw is left, so name a box"),
        ("shipcrew", {"dice": (1, 2, 4, 5, 5)}, "55", "these dice cannot be kept now"),
        ("farkle", {"dice": (1, 2, 3, 4, 6, 6)}, "1bank", "the first points that count are 500"),
        ("farkle", {"dice": (1, 2, 3, 4, 6, 6)}, "12roll", "one of these counts nothing"),
        ("farkle", {"dice": (1, 1, 1, 4, 6, 6)}, "hold", "say also which dice you set aside"),
        ("pig", {}, "hold", "nothing is in the pot yet"),
        ("pig", {"pot": 12}, "to5", "name a number from 13 to 100"),
        ("liarsdice", {"bid": 35, "bidder": 2}, "3x4", "the last bid is 3x5, and yours must be higher"),
        ("mia", {"bid": 21, "bidder": 2, "rolled": False}, "roll", "nothing is higher, so doubt"),
    ],
)
def test_why_a_move_is_not_possible(key: str, changes: dict[str, object], text: str, why: str) -> None:
    position = _table(key, **changes)
    with pytest.raises(PlayerError) as refused:
        find(key).parse(position, position.turn, text)
    assert why in refused.value.text


@pytest.mark.parametrize("words", ["6 5", "6, 5", "keep 5, 6", "5 and 6", "keep 65 roll", "keep 6 5!", "6 5."])
def test_dice_are_kept_in_any_order(words: str) -> None:
    game, position = find("yacht"), _table("yacht", dice=(1, 2, 4, 5, 6))
    (text,) = game.moves_in(words.split())
    assert game.parse(position, 0, text) == "56"


@pytest.mark.parametrize("text", ["3 six", "3 sixes", "three sixes", "3*6", "3 x 6"])
def test_bids_are_read_as_they_are_said(text: str) -> None:
    position = _table("liarsdice")
    assert find("liarsdice").parse(position, 0, text) == "3x6"


@pytest.mark.parametrize("word", ["7777777", "1111111bank", "0666", "5pm", "next"])
def test_words_that_keep_no_dice_name_none(word: str) -> None:
    assert find("yacht").cells_of("661roll") == ("6a", "6b", "1a")
    assert find("yacht").cells_of(word) == ()
    assert find("liarsdice").cells_of(word) == ()


@pytest.mark.parametrize(
    ("key", "text", "written"),
    [
        ("farkle", "to300", "roll until 300"),
        ("farkle", "15roll", "keep 1 5 roll"),
        ("farkle", "15bank", "keep 1 5 bank"),
        ("pig", "to20", "roll until 20"),
        ("yacht", "66", "keep 6 6"),
        ("yacht", "go-sixes", "go for sixes"),
        ("yacht", "house", "house"),
    ],
)
def test_moves_are_written_in_words_and_read_back(key: str, text: str, written: str) -> None:
    game = find(key)
    assert game.written(None, 0, text) == written
    assert game.normalise(written) == text
    for words in (written, heard(game, written, RENDERER.to("de").say)):
        assert text in (game.normalise(words), *map(game.normalise, game.moves_in(words.split())))


@pytest.mark.parametrize(("words", "moves"), [("behalte alle", ["alle"]), ("alle würfeln", ["alle", "roll"])])
def test_who_keeps_all_dice_rolls_none(words: str, moves: list[str]) -> None:
    game = find("yacht")
    assert list(map(game.normalise, game.moves_in(words.split()))) == moves
    assert not game.is_move("alle")
    said = {"alle würfeln": "roll", "alles nochmal": "roll", "keep nothing": "roll", "keep everything": "keepall"}
    assert {words: game.normalise(words) for words in said} == said


def test_all_dice_are_kept_by_naming_a_box() -> None:
    board = play.begin(Start(find("yacht"), {}, 2, "0" * 32))
    for words in ("keep everything", "keep all", "".join(map(str, board.position.dice))):
        with pytest.raises(PlayerError, match="to keep all dice, name a box"):
            play.play(board, 0, words)


@pytest.mark.parametrize(
    ("key", "words", "box"),
    [
        ("yacht", "chance", "choice"),
        ("yacht", "Full House", "house"),
        ("yacht", "large straight", "big"),
        ("yacht13", "large straight", "run5"),
        ("yacht13", "go for three of a kind", "go-3alike"),
        ("yacht15", "kleine Straße", "little"),
    ],
)
def test_boxes_have_the_names_of_other_sheets(key: str, words: str, box: str) -> None:
    assert find(key).normalise(words) == box


def test_dice_that_are_to_be_thrown_again_are_not_kept_and_those_kept_score_nothing() -> None:
    game = find("yacht")
    for words in ("roll 4 4", "keep threes", "keep the threes", "behalte dreien"):
        assert not any(game.is_move(game.normalise(move)) for move in game.moves_in(words.split()))
    assert game.moves_in(["roll", "/", "4", "4"]) == ["roll", "44"]


def test_enough_points_begin_the_last_round_of_farkle() -> None:
    start = {"sheets": ((9900,), (500,), (500,)), "dice": (1, 1, 1, 1, 1, 1), "turn": 0}
    position = _table("farkle", "111111bank", **start)
    assert (position.sheets[0][0], position.last, position.over) == (17900, 0, "")
    while not position.over:
        position = find("farkle").apply(position, position.turn, "to500", Rng("1" * 32, 1)).position
    assert position.sheets[0][0] == 17900


def test_who_is_wrong_loses_a_die_and_who_is_out_last_is_second() -> None:
    cups = ((5, 5, 6), (5, 1, 2), (5, 1))
    true = _table("liarsdice", "4x5", "doubt", cups=cups, lives=(3, 3, 2))
    assert (true.lives, true.turn) == ((3, 2, 2), 1)
    wrong = _table("liarsdice", "5x5", "doubt", cups=cups, lives=(1, 3, 2))
    assert (wrong.lives, wrong.turn, wrong.fallen) == ((0, 3, 2), 1, (0,))
    game = find("liarsdice")
    last = game.retire(wrong, 2, Rng("0" * 32, 3)).position
    outcome = game.outcome(last)
    assert outcome
    assert outcome.ranks == (3, 1, 2)


def test_who_leaves_is_passed_over_and_comes_after_who_stays() -> None:
    game = find("yacht")
    board = play.begin(Start(game, {}, 3, "0" * 32))
    board = play.resign(board, 1).board
    turns = []
    while not board.result:
        turns.append(min(board.to_move))
        board = play.play(board, turns[-1], game.legal_moves(board.position, turns[-1])[-1]).board
    assert turns == [0, 2] * 12
    assert board.result.ranks[1] == 3


# --- by mail --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_turn_is_said_in_few_letters(world: World) -> None:
    world.signup("alice", "bob", "carol")
    letters = world.mail("alice", "yacht challenge alice bob carol")
    to_alice = next(letter for letter in letters if "alice" in letter.to)
    kept = world.row(101).board.position.dice[-1]
    (step,) = world.reply(to_alice, f"keep {kept}")
    assert step.to == "alice@example.org"  # the others are told when the turn is over
    told = world.reply(step, "roll for sixes")
    assert all(f"Kept {kept}, threw" in letter.text for letter in told if "bob" in letter.to)
    world.reply(next(letter for letter in told if "bob" in letter.to), "roll / roll / choice")
    texts = [entry.text for entry in world.query(lambda s: s.boards.entries(101))]
    assert texts == [str(kept), "go-sixes", "roll", "roll", "choice"]
    assert world.row(101).board.to_move == {2}


def test_nobody_else_reads_hidden_dice(world: World) -> None:
    world.signup("alice", "bob", "carol")
    letters = [*world.mail("alice", "liarsdice challenge alice bob carol"), *world.mail("dave", "liarsdice show 101")]
    cups = world.row(101).board.position.cups
    for letter in letters:
        seen = tuple(int(face) for face in re.findall(r"\[([1-6])\]", letter.text.partition("Bids")[0]))
        owner = next((seat for seat, name in enumerate(("alice", "bob", "carol")) if letter.to.startswith(name)), None)
        assert seen == (() if owner is None else cups[owner]), letter.to


@pytest.mark.parametrize("begin", [0, 2], ids=["whole", "dice"])
def test_nobody_else_reads_dice_of_a_pasted_diagram(world: World, begin: int) -> None:
    world.signup("alice", "bob", "carol")
    (to_alice, *_) = world.mail("alice", "liarsdice challenge alice bob carol")
    line = next(line for line in to_alice.text.split("\n") if line.startswith("P1"))
    told = world.reply(to_alice, f"3x5\nGood luck!\n{line[begin:]}")
    to_bob = next(letter for letter in told if "bob" in letter.to)
    assert "Good luck!" in to_bob.text
    assert "".join(line.split()[1:]) not in "".join(to_bob.text.split())


def test_only_the_board_tells_a_hidden_throw(world: World) -> None:
    """A sentence that one player reads could be quoted to the others, so there is none."""
    world.signup("alice", "bob")
    letters = world.mail("alice", "mia challenge alice bob")
    told = world.reply(next(letter for letter in letters if "alice" in letter.to), "31")
    (thrown,) = world.reply(next(letter for letter in told if "bob" in letter.to), "roll")
    (row,) = (line for line in thrown.text.split("\n") if line.startswith("P2"))
    told = world.reply(thrown, f"21\nGood luck!\n{row}")
    to_alice = next(letter for letter in told if "alice" in letter.to)
    assert "Good luck!" in to_alice.text
    assert row not in to_alice.text.replace("    P2", "P2")
    assert [note for entry in world.query(lambda s: s.boards.entries(101)) for note in entry.notes] == []
