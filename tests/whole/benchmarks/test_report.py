"""The arithmetic of the benchmarks."""

import pytest

from benchmarks.report import Sheet, exponent, quantile, ratio


@pytest.mark.parametrize(("share", "expected"), [(0.5, 50), (0.99, 99), (0.0, 1), (1.0, 100)])
def test_a_quantile_is_one_of_the_values(share: float, expected: float) -> None:
    assert quantile([*range(100, 0, -1)], share) == expected


def test_a_ratio_is_taken_round_by_round() -> None:
    assert ratio([10, 30, 200], [20, 60, 100]) == 0.5


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_found(power: float) -> None:
    sizes = [1e3, 1e5, 1e6]
    assert exponent(sizes, [7 * size**power for size in sizes]) == pytest.approx(power)


def test_a_sheet_is_a_table_in_markdown() -> None:
    sheet = Sheet("Speed", ("server", "moves"), [("floor", "7")], ["In vain."])
    assert sheet.markdown() == "## Speed\n\n| server | moves |\n| --- | --- |\n| floor | 7 |\n\nIn vain.\n"
