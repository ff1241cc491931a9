"""Chess: OpenSpiel allows the same moves, and games end in the same way."""

from typing import Any

import pytest

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess import Chess
from pbmserv.games.capture.chess.laws import FIDE, claim
from pbmserv.games.capture.chess.moving import in_check
from pbmserv.games.capture.chess.pieces import EMPTY, Move, Position
from pbmserv.games.capture.chess.san import san
from pbmserv.rng import Rng
from tests.games.oracle.agreement import Difference, Rival, compare, into_ends
from tests.games.oracle.engine import with_oracle

GAME = Chess()


def actions(position: Position, seat: Seat, move: Move) -> tuple[str, ...]:
    then = FIDE.after(position, move)
    sign = "#" if then.over == "mate" else "+" if in_check(then.board, then.turn) else ""
    return (san(position, move) + sign,)


def draws_need_no_claim(difference: Difference) -> bool:
    """OpenSpiel ends a game as soon as a player could claim a draw (9.2, 9.3)."""
    return difference.what == "end" and difference.theirs and claim(difference.position) != ""


def capturing(position: Position, moves: list[Move], rng: Rng) -> Move:
    """Choose a capture if there is one, so that few men are left."""
    captures = [move for move in moves if position.board[move.target] != EMPTY]
    return rng.choice(captures or moves)


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize("choose", [capturing, into_ends(GAME)], ids=["capturing", "into ends"])
def test_openspiel_agrees(choose: Any) -> None:
    rival = Rival("chess", actions, swapped=True, known={"draws need no claim": draws_need_no_claim})
    report = compare(GAME, rival, plies=1_000, choose=choose)
    assert report.endings["mate"] + report.endings["dead"] >= 1
