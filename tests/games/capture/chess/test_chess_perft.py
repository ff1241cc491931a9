"""Chess: the number of ways to play some plies is that which other programs published.

The numbers are those of the Chess Programming Wiki, where many programs agree on them. They count only moves, so they
also go on from positions in which a game is drawn.
"""

from collections.abc import Mapping

import pytest

from pbmserv.games.capture.chess.opening import opening
from tests.examples import SOAK, some_of
from tests.games.capture.chess.chess_positions import perft, position_of

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
CHECKS = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
MIDDLE = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

START_COUNTS = (20, 400, 8_902, 197_281, 4_865_609)
COUNTS = {
    KIWIPETE: (48, 2_039, 97_862, 4_085_603),
    ENDING: (14, 191, 2_812, 43_238, 674_624),
    PROMOTIONS: (6, 264, 9_467, 422_333),
    CHECKS: (44, 1_486, 62_379, 2_103_487),
    MIDDLE: (46, 2_079, 89_890, 3_894_594),
}
#: Fischer random chess; the rights to castle name the files of the rooks.
FISCHER_COUNTS = {
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": (21, 528, 12_189, 326_672),
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": (21, 807, 18_002, 667_366),
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": (20, 479, 10_471, 273_318),
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9": (22, 593, 13_440, 382_958),
}
#: More ways than these are counted in the slow tests only.
FEW = 10_000
MOST = 5_000_000 if SOAK > 1 else 700_000


def _cases(counts: Mapping[str, tuple[int, ...]], most: int, least: int = 0) -> list[tuple[str, int, int]]:
    return [
        (fen, plies, count)
        for fen, numbers in counts.items()
        for plies, count in enumerate(numbers, start=1)
        if least < count <= most
    ]


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_from_the_start(plies: int) -> None:
    assert perft(opening(), plies) == START_COUNTS[plies - 1]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_from_the_start_to_more_plies() -> None:
    plies = 5 if SOAK > 1 else 4
    assert perft(opening(), plies) == START_COUNTS[plies - 1]


@pytest.mark.parametrize(("fen", "plies", "count"), _cases(COUNTS, FEW))
def test_from_other_positions(fen: str, plies: int, count: int) -> None:
    assert perft(position_of(fen), plies) == count


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("fen", "plies", "count"), some_of(_cases(COUNTS, MOST, FEW), 3))
def test_from_other_positions_to_more_plies(fen: str, plies: int, count: int) -> None:
    assert perft(position_of(fen), plies) == count


@pytest.mark.parametrize(("fen", "plies", "count"), _cases(FISCHER_COUNTS, FEW))
def test_fischer_random_chess(fen: str, plies: int, count: int) -> None:
    assert perft(position_of(fen, fischer=True), plies) == count


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("fen", "plies", "count"), some_of(_cases(FISCHER_COUNTS, 1_000_000, FEW), 3))
def test_fischer_random_chess_to_more_plies(fen: str, plies: int, count: int) -> None:
    assert perft(position_of(fen, fischer=True), plies) == count
