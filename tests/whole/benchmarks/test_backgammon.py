"""gnubg reads our boards and judges our robots."""

from pathlib import Path

import pytest

from benchmarks.backgammon.errors import GNUBG, Errors, analysed

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not Path(GNUBG).exists(), reason="gnubg is not installed")]


def test_another_program_counts_our_errors() -> None:
    errors = analysed(Errors(1, 3), games=1, plies=0)
    assert errors.turns > 20
    assert 0 < errors.turns_cost / errors.turns < 0.2
    assert errors.cubes > 0
