"""Whole games to a real end, which other tests play by mail, by touching links of letters, and on pages."""

from random import Random
from typing import NamedTuple

import pytest

from pbmserv.games import GAMES
from pbmserv.games.base import Seat
from pbmserv.games.base import board as rules
from pbmserv.games.base.board import Board

_TRIED = 20  #: moves among which a player looks for one that ends the game
_LONGEST = 2_500  #: plies
_PATIENCE = 40  #: plies after which a player passes, where the rules let him, so that games of territory end


class Whole(NamedTuple):
    """A game to play. `options` as in a challenge; `seed` of the players' choices; `fast` is for `make test`."""

    key: str
    options: str = ""
    seed: int = 1
    fast: bool = False


#: Games and options of which there is something to say; all other games are played without options.
_CHOSEN = (
    Whole("town"),
    Whole("tumble", seed=4, fast=True),
    Whole("tumble", "-c", seed=54),
    Whole("trippples"),
    Whole("trippples", "-p", seed=46),
    Whole("3io", seed=13),
    Whole("3io", "-twostep", seed=102),
    Whole("gomoku", seed=98, fast=True),
    Whole("hex", "-size=5", seed=120),
    Whole("havannah", "-size=4"),
    Whole("breakthrough", seed=196, fast=True),
    Whole("four", seed=2, fast=True),
    Whole("loa", seed=6),
    Whole("amazons", "-size=6"),
    Whole("draughts", seed=35),
    Whole("draughts", "-international"),
    Whole("chess", seed=27),
    Whole("oware", seed=16, fast=True),
    Whole("morris", seed=78),
    Whole("dots", "-size=3", fast=True),
    Whole("go", "-size=9"),
)
_OTHERS = [Whole(game.info.key) for game in GAMES if game.info.key not in {whole.key for whole in _CHOSEN}]
WHOLE = [
    pytest.param(whole, id=f"{whole.key}{whole.options}", marks=() if whole.fast else pytest.mark.slow)
    for whole in (*_CHOSEN, *_OTHERS)
]


def players_of(whole: Whole) -> tuple[str, ...]:
    """Return who plays: as few as the game needs."""
    (game,) = (game for game in GAMES if game.info.key == whole.key)
    return ("alice", "bob", "carol", "dave")[: game.info.seats[0]]


def texts_of(board: Board) -> list[str]:
    """Return the moves that a player thinks of."""
    (seat, *_), game = sorted(board.to_move), board.game
    moves = [move for move in game.legal_moves(board.position, seat) if not game.repeats(board.position, move)]
    texts = [game.format(move) for move in moves]
    passes = [text for text in texts if not game.cells_of(text)]
    return passes if passes and board.ply >= _PATIENCE else texts


def moves_to_the_end(board: Board, seed: int) -> list[tuple[Seat, str]]:
    """Return moves until the board is over: random ones, but a player who sees an end goes for it."""
    luck, moves = Random(seed), list[tuple[Seat, str]]()
    while not board.result:
        seat, game = min(board.to_move), board.game
        texts = texts_of(board)
        some = {text: rules.play(board, seat, text).board for text in luck.sample(texts, min(len(texts), _TRIED))}
        best = next((text for text, after in some.items() if after.result), None)
        text = best or next(iter(some))
        moves.append((seat, text))
        board = some[text]
        assert len(moves) < _LONGEST, f"{game.info.key} does not end: choose another seed"
    return moves
