"""Mancala games: all rows, against a second program, OpenSpiel and solved games, and every check of conformance."""

import os
import random
from dataclasses import replace

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.base import Seat
from pbmserv.games.families.mancala.mancala_game import Mancala, game_of
from pbmserv.games.families.mancala.mancala_row import Move, Position, Sowing
from pbmserv.games.families.mancala.mancala_rows import ROWS
from pbmserv.games.families.mancala.one_row import OneRow
from pbmserv.rng import NoChance
from tests.games.oracle.agreement import Rival, compare
from tests.games.oracle.engine import with_oracle
from tests.games.oracle.sower import Across, Around
from tests.world import World

_POSITIONS = 150 * int(os.environ.get("SOAK", "1")) ** 2  #: of each row; `make soak` looks at 60,000
_NONE = NoChance()


def _game(key: str) -> Mancala:
    game = find(key)
    assert isinstance(game, Mancala)
    return game


def _played(key: str, moves: str) -> tuple[Mancala, Position]:
    game = _game(key)
    position = game.setup({}, 2, _NONE)
    for text in moves.split():
        position = game.apply(position, position.turn, game.parse(position, position.turn, text), _NONE).position
    return game, position


def _chosen(game: Mancala, position: Position, luck: random.Random) -> Move:
    """Return a move, more often one that captures much or goes on a safari."""
    moves = game.rules.legal(position)
    if luck.random() < 0.3:
        return max(moves, key=lambda move: game.rules.after(position, move).captured)
    return luck.choice([move for move in moves if move.safari and luck.random() < 0.5] or moves)


@pytest.mark.parametrize("row", ROWS, ids=[row.key for row in ROWS])
def test_a_second_program_plays_the_same(row: Sowing) -> None:
    game, luck, count = _game(row.key), random.Random(os.environ.get("SEED", "1")), 0
    while count < _POSITIONS:
        position, other = game.setup({}, 2, _NONE), (Around if row.rows == 1 else Across)(row.key)
        while not position.ended and count < _POSITIONS:
            assert {game.format(move) for move in game.rules.legal(position)} == other.texts()
            move = _chosen(game, position, luck)
            other.play(game.format(move))
            position = game.apply(position, position.turn, move, _NONE).position
            assert _theirs(other) == _ours(game, position)
            count += 1


def _ours(game: Mancala, position: Position) -> tuple[object, ...]:
    won = ("-" if (seat := game.winner(position)) is None else "SN"[seat]) if position.ended else ""
    if won:
        return (won, position.stores)
    pits = {game.rules.name(pit): seeds for pit, seeds in enumerate(position.pits)}
    barred = game.rules.name(position.barred) if position.barred >= 0 else ""
    return (won, position.stores, "SN"[position.turn], pits, barred)


def _theirs(other: Around | Across) -> tuple[object, ...]:
    counts = other.at if isinstance(other, Around) else other.enter
    stores = (counts["S"], counts["N"])
    if other.won:
        return (other.won, stores)
    pits = {pit: seeds for pit, seeds in other.at.items() if pit not in "SN"}
    return (other.won, stores, other.mover, pits, other.barred if isinstance(other, Across) else "")


def _actions(position: Position, seat: Seat, move: Move) -> tuple[str, ...]:
    return (str(move.pit + 1 + seat),)


@with_oracle
@pytest.mark.slow
def test_openspiel_plays_the_same_kalah() -> None:
    rival = Rival("mancala", _actions)
    assert compare(find("kalah"), rival, plies=_POSITIONS * 10).endings["empty"] >= 20


#: Irving, Donkers and Uiterwijk, Solving Kalah, 2000: by pits, who wins with 1, 2, 3 … seeds in each; S is South.
_SOLVED = {1: "-NSNS-", 2: "SNNN"}


@pytest.mark.parametrize("pits", _SOLVED)
def test_small_kalah_is_won_by_whom_it_should(pits: int) -> None:
    rules = [OneRow(replace(ROWS[0], lay=str(seeds + 1) * pits)) for seeds in range(len(_SOLVED[pits]))]
    assert "".join("-SN"[_value(rule, rule.start(rule.row.lay), {})] for rule in rules) == _SOLVED[pits]


def _value(rules: OneRow, position: Position, known: dict[Position, int]) -> int:
    """Return who wins: 1 is South, -1 North, 0 nobody."""
    if position.ended:
        south, north = position.stores
        return (south > north) - (south < north)
    if position not in known:
        best = max if position.turn == 0 else min
        thens = (rules.after(position, move).position for move in rules.legal(position))
        known[position] = best(_value(rules, then, known) for then in thens)
    return known[position]


@pytest.mark.slow
@pytest.mark.parametrize("rows", [ROWS[::7], pytest.param(ROWS, marks=pytest.mark.slow)], ids=["two", "all"])
def test_every_check_of_conformance(rows: tuple[Sowing, ...]) -> None:
    for row in rows:
        playthrough = record(find(row.key), Walk(row.key, Setup((), 2), 1))
        for check in CHECKS:
            check(playthrough)


@pytest.mark.parametrize(
    ("key", "moves", "text", "why"),
    [
        ("kalah", "", "g", "the pits A to F are yours"),
        ("kalah", "c", "c", "there are no seeds in pit C"),
        ("hus", "", "a2", "there are fewer than two seeds in a2"),
        ("hus", "", "e2d2", "name the pit alone, without another one"),
        ("bao", "", "a1b1", "a seed is entered in a pit with seeds of your front row"),
        ("bao", "", "e2f2", "your house is not sown while another pit of the front row has seeds"),
        ("kujifunza", "", "a1b1", "you can capture, so you have to"),
        ("bao", "", "c3b3", "the pit c3 is not yours"),
    ],
)
def test_why_a_move_is_not_possible(key: str, moves: str, text: str, why: str) -> None:
    game, position = _played(key, moves)
    with pytest.raises(PlayerError) as refused:
        game.parse(position, position.turn, text)
    assert why in refused.value.text


def test_only_bao_stops_where_the_other_front_row_is_empty() -> None:
    _, position = _played("hus", "e1 h4 b1 b4")
    assert position.pits[-8:] == (1, 2, 0, 5, 1, 2, 5, 2)


def test_a_row_is_a_game() -> None:
    row = Sowing("small", "Small", "Three pits.", credit="us.", lay="333", through_store=True, early=True)
    game = game_of(row)
    position = game.setup({}, 2, _NONE)
    assert game.apply(position, 0, Move(0), _NONE).position.turn == 0


def test_who_moves_again_reads_so_and_options_change_the_seeds(world: World) -> None:
    world.signup("alice", "bob")
    number = world.board("alice", "bob", game="kalah")
    letters = world.mail("alice@example.org", f"kalah move {number} alice alice-secret c")
    to_alice = next(letter for letter in letters if "alice" in str(letter.message["To"]))
    assert "South moves again." in to_alice.text
    assert _game("kalah").setup({"seeds": "6"}, 2, _NONE).pits == (6,) * 12
    (family,) = world.mail("alice@example.org", "help oware variants")
    assert all(row.key in family.text for row in ROWS)


@pytest.mark.parametrize("key", ["bao", "kalah"])
def test_words_name_no_cells(key: str) -> None:
    """A letter is read word by word, and each is asked for the cells that it names."""
    assert [_game(key).cells_of(word) for word in ("", "x", "propose", "thanks")] == [()] * 4


def test_bao_is_played_by_its_cells() -> None:
    """A turn that can stop at the house or go on from there is two moves, of which one has the house as its end."""
    game, luck = _game("bao"), random.Random(4)
    position = game.setup({}, 2, _NONE)
    while not (safaris := [move for move in game.rules.legal(position) if move.safari]):
        position = game.apply(position, position.turn, luck.choice(game.rules.legal(position)), _NONE).position
    text = game.format(safaris[0])
    assert game.parse(position, position.turn, text[:-1]) == safaris[0]._replace(safari=False)
    assert game.cells_of(text) == (*game.cells_of(text[:-1]), game.rules.name(position.marked[position.turn]))
