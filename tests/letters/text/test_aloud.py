"""Boards and moves to be heard, in every game and language."""

from random import Random

import pytest

from pbmserv.conformance.walks import random_turn
from pbmserv.games import GAMES, find
from pbmserv.games.base import AnyGame
from pbmserv.games.base.board import Start, begin
from pbmserv.letters.text import aloud
from pbmserv.letters.text.templates import SPOKEN, template_of
from pbmserv.rng import Rng
from tests.world import RENDERER


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (["e4: white", "c3: black", "d5: white", "Score: 3"], ["White: e4 d5", "c3: black", "Score: 3"]),
        (
            [f"{square}: white" for square in ["a4", "c4", "b3", "e2", "a1", "b1", "d1"]],
            ["White: a4 c4, b3, e2, a1 b1 d1"],
        ),
        (["own a5: frigate", "a5: miss", "own a6: frigate"], ["Own frigate: a5 a6", "a5: miss"]),
        (["a1-a2: drawn", "c1-d1: drawn", "7: king", "12: king"], ["Drawn: a1-a2 c1-d1", "King: 7 12"]),
        (["The board is empty."], ["The board is empty."]),
    ],
)
def test_what_is_alike_is_said_once(facts: list[str], told: list[str]) -> None:
    assert aloud.grouped(facts) == told


def test_the_latest_moves_are_told_in_twelve_words() -> None:
    moves = [f"Ply {n}, bob: h{n} to g{n}" for n in range(1, 5)]
    assert aloud.brief(moves) == "Ply 3, bob: h3 to g3. Ply 4, bob: h4 to g4."
    assert aloud.brief(["a " * 13]) == aloud.brief([]) == ""


@pytest.mark.parametrize("game", GAMES, ids=template_of)
def test_an_opening_and_a_game_are_told_in_few_lines(game: AnyGame) -> None:
    """No place is told alone if another one has the same, and no letter of a diagram stands behind its colour."""
    luck, board = Random(7), begin(Start(game, game.usual_options({}), game.info.seats[0], "5eed" * 8))
    for _ in range(20):
        for renderer in (RENDERER, RENDERER.to("de")):
            lines = renderer.diagram(game, game.view(board.position, 0), SPOKEN).replace("\n  ", " ").split("\n")
            assert len(lines) < 34
            about = [line.split(": ")[1] for line in lines if aloud._PLACE.fullmatch(line.split(": ")[0])]
            assert len(about) == len(set(about)), lines
            assert not {"black B", "white W", "red R"} & set(map(str.lower, lines))
        if not board.to_move:
            break
        board = random_turn(board, Rng(f"{luck.random()}", board.length)).change.board


@pytest.mark.parametrize(
    ("key", "empty"),
    [("go", "The board is empty."), ("four", "The board is empty."), ("dots", "No line is drawn yet.")],
)
def test_an_empty_board_is_called_empty(key: str, empty: str) -> None:
    game = find(key)
    board = begin(Start(game, game.usual_options({}), 2, "0"))
    assert empty in RENDERER.diagram(game, game.view(board.position, 0), SPOKEN).split("\n")


@pytest.mark.parametrize(
    ("key", "written", "told"),
    [
        ("tumble", "h4-f6t", "h4 to f6, tumble"),
        ("3io", "1a1+", "tile 1 to a1, with crew"),
        ("3io", "sc3", "score c3"),
        ("threes", "w", "up"),
        ("trippples", "b2f", "b2, freeze"),
        ("morris", "a1-a4xg7", "a1 to a4 takes g7"),
        ("draughts", "32-28", "32 to 28"),
    ],
)
def test_moves_have_words(key: str, written: str, told: str) -> None:
    assert find(key).spoken(written) == told


def test_squares_are_spelt() -> None:
    assert aloud.spelt("White: e4 d10\n  K3") == "White: echo 4 delta 10 kilo 3"
    assert aloud.spelt("Ply 1, bob7: a1-a2, komi 7.5") == "Ply 1, bob7: alfa 1-alfa 2, komi 7.5"
