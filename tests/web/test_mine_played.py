"""Whole games played by touching the board on the players' own pages, without typing a square."""

import random

import pytest

from pbmserv.games.base import board as rules
from pbmserv.games.base.board import Board
from tests.web.filled import begin
from tests.web.touching import HOME, play
from tests.world import World

PLAYERS = {"tumble": ("alice", "bob"), "trippples": ("alice", "bob"), "3io": ("alice", "bob")}


def whole_game(board: Board, seed: int) -> list[str]:
    """Return random moves until the board is over. A move that wins is always seen."""
    choose, moves = random.Random(seed), list[str]()
    while not board.result:
        seat, game = min(board.to_move), board.game
        texts = [game.format(move) for move in game.legal_moves(board.position, seat)]
        nexts = {text: rules.play(board, seat, text).board for text in choose.sample(texts, len(texts))}
        best = next((t for t, after in nexts.items() if after.result and after.result.winners == (seat,)), None)
        moves.append(best or next(iter(nexts)))
        board = nexts[moves[-1]]
    return moves


@pytest.mark.parametrize(
    ("game", "options", "seed"),
    [
        ("tumble", "c", 1),
        ("town", "", 1),
        ("trippples", "", 1),
        pytest.param("tumble", "", 2, marks=pytest.mark.slow),
        pytest.param("threes", "", 1, marks=pytest.mark.slow),
        pytest.param("3io", "", 1, marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_without_typing_a_square(world: World, game: str, options: str, seed: int) -> None:
    world.signup("alice", "bob")
    world.allow(web_url=HOME)
    number = begin(world, *PLAYERS.get(game, ("alice",)), game=game, options=options)
    letters = play(world, number, whole_game(world.row(number).board, seed))
    assert world.row(number).board.result
    assert any("is over" in letter.text for letter in letters)
    world.verify()
