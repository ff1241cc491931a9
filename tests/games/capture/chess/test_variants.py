"""A variant of chess is a few lines beside the laws of FIDE."""

from collections.abc import Iterator
from itertools import chain

import pytest

from pbmserv.conformance.test_endings import test_who_cannot_win_never_wins as demand_honest_can_win
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.sheet import Reading, formats_of
from pbmserv.games.capture.chess import Chess
from pbmserv.games.capture.chess.laws import Laws
from pbmserv.games.capture.chess.pieces import GRID, Move, Position
from tests.games.base.logged import Logged
from tests.games.capture.chess.hills import DeadHill, KingOfTheHill
from tests.games.records.reader import form, sheet_of


def end(game: Chess, fen: str, *moves: str) -> tuple[str, tuple[int, ...]] | None:
    (pgn,) = formats_of(game)
    assert pgn.read
    (reading,) = pgn.read(f'[FEN "{fen}"]\n\n*\n'.encode())
    assert isinstance(reading, Reading)
    board = play.begin(Start(game, {}, 2, "0" * 32, origin=reading.origin))
    for text in moves:
        board = play.play(board, min(board.to_move), text).board
    return (board.result.reason, board.result.ranks) if board.result else None


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("8/8/8/8/8/2kr4/8/K7 w - - 0 1", "Kb1 Kd2 Ka2 Rc3 Kb1 Ke3 Ka2 Kd4", ("hill", (2, 1))),
        ("k7/8/8/8/8/8/4Kp2/8 w - - 0 1", "Kxf2", None),  # two kings alone: each can still walk there
        ("k7/8/8/8/8/8/4K3/8 w - - 0 1", "Kf3", None),
        ("k7/8/8/8/8/8/4Kp2/8 w - - 0 1", "Kxf2 Kb7 Kf3 Kc6 Ke4", ("hill", (1, 2))),
        ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", "Qb7 Kg8 Kb1 Kh8 Kc1 Kg8 Kb1 Kh8 Qf7", ("stalemate", (1, 1))),
    ],
)
def test_king_of_the_hill(fen: str, moves: str, expected: tuple[str, tuple[int, int]] | None) -> None:
    assert end(KingOfTheHill(), fen, *moves.split()) == expected


class RoamingLaws(Laws):
    """The king's knight can jump to e4 at once, and mate is not the end."""

    def legal(self, position: Position) -> Iterator[Move]:
        knight, target = GRID.square("g1"), GRID.square("e4")
        jumps = [Move(knight, target)] if position.board[knight] == "N" and position.board[target] == "." else []
        return chain(jumps if position.turn == 0 else (), super().legal(position))

    def ended(self, position: Position) -> str:
        return ""


class Roaming(Chess):
    laws = RoamingLaws()


def test_a_record_has_the_moves_and_signs_of_the_variant() -> None:
    logged = Logged(Roaming())
    logged.moves("g1e4", "e7e5", "f2f3", "d8h4", "g2g3", "h4g3")
    assert "1. Ne4 e5 2. f3 Qh4+ 3. g3 Qxg3+" in form("chess", "pgn").write(sheet_of(logged))


@pytest.mark.slow
def test_the_suite_finds_a_king_that_can_win_although_the_game_says_no() -> None:
    demand_honest_can_win(KingOfTheHill())
    with pytest.raises(AssertionError, match=r"`can_win` says that seat . cannot win any more, but it does"):
        demand_honest_can_win(DeadHill())
