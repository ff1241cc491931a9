"""Chess: the form of a position in which a search makes moves says the same as the rules, wherever a game goes."""

import pytest

from pbmserv.games import find
from pbmserv.games.base import Seat
from pbmserv.games.capture.chess import fen
from pbmserv.games.capture.chess.fast.position import FastPosition
from pbmserv.games.capture.chess.laws import FIDE
from pbmserv.games.capture.chess.pieces import Move, Position
from pbmserv.rng import NoChance, Rng

CHESS = find("chess")
#: Castling for both, promotions with captures, captures in passing out of a pin, endings with few men, blocked pawns.
BEGINNINGS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 140 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/4k3/8/2N5/8/4p3/4K3 w - - 90 1",
    "4k3/8/p1p1p1p1/P1P1P1P1/8/1p6/1P6/4K3 w - - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w BGbg - 0 1",
    "b1q1rkrb/pppppppp/8/8/8/8/PPPPPPPP/B1Q1RKRB w GEge - 0 1",
)


def same(fast: FastPosition, position: Position) -> None:
    """Compare all that both know of a position."""
    seat: Seat = position.turn
    outcome, legal = CHESS.outcome(position), CHESS.legal_moves(position, seat)
    own = fast.outcome()
    if outcome and outcome.reason == "fivefold":
        return
    assert (own and (own.reason, own.ranks)) == (outcome and (outcome.reason, outcome.ranks))
    assert sorted(map(fast.named, fast.moves({}))) == sorted(legal)
    assert set(map(fast.named, fast.loud(-1))) <= set(CHESS.loud(position, seat))
    assert fast.is_claimable() == (position.quiet >= 100)
    assert fast.seat == seat
    assert fast.key == FastPosition(position, FIDE).key
    assert fast.value() == pytest.approx(CHESS.evaluate(position, seat))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(BEGINNINGS)))
def test_it_says_the_same_as_the_rules(number: int) -> None:
    """Games at random; each move is made, its reply is made, and both are taken back."""
    rng, text = Rng("fast", number), BEGINNINGS[number]
    position = fen.read(text, fischer=fen.is_fischer(text) or number >= 6)
    fast, keys = FastPosition(position, FIDE), dict[str, object]()
    for _ in range(60):
        same(fast, position)
        if CHESS.outcome(position):
            break
        keys.setdefault(CHESS.position_key(position), fast.key)
        assert keys[CHESS.position_key(position)] == fast.key
        moves = {fast.named(move): move for move in fast.moves({})}
        for move in rng.shuffled(sorted(moves))[:4]:
            fast.make(moves[move])
            same(fast, CHESS.apply(position, position.turn, move, NoChance()).position)
            fast.unmake()
        same(fast, position)
        move = _next(rng, sorted(moves))
        position = CHESS.apply(position, position.turn, move, NoChance()).position
        fast.make(moves[move])
    assert len(set(keys.values())) == len(keys)
    while fast._before:
        fast.unmake()
    same(fast, fen.read(text, fischer=position.fischer))


def _next(rng: Rng, moves: list[Move]) -> Move:
    """Return a move at random, rare ones more often."""
    rare = [move for move in moves if move.promotion or move.rook >= 0]
    return rng.choice(rare if rare and rng.randrange(3) == 0 else moves)
