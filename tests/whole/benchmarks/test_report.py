"""The arithmetic of the benchmarks."""

import subprocess
from pathlib import Path

import pytest

from benchmarks.report import Sheet, changed_since, exponent, quantile, ratio


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


def test_figures_say_how_much_has_changed_since_they_were_measured(tmp_path: Path) -> None:
    names = ("pbmserv/inbox/a.py", "pbmserv/cli/a.py", "benchmarks/RESULTS.md")
    hot, cold, results = (tmp_path / name for name in names)
    for file in (hot, cold, results):
        file.parent.mkdir(parents=True)
        file.write_text("1\n2\n3\n")
    assert changed_since(tmp_path).endswith("does not say on which commit it was measured")

    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()

    results.write_text("on commit 0123456, 2026-11-26")
    assert changed_since(tmp_path).endswith("that commit is not in this clone, so what changed since is not known")
    git("init")
    git("add", ".")
    git("commit", "-m", "All")
    assert changed_since(tmp_path).endswith("that commit is not in this clone, so what changed since is not known")
    results.write_text(f"on commit {git('rev-parse', '--short', 'HEAD')}, 2026-11-26\n\non commit 0123456 another")
    assert changed_since(tmp_path).endswith(" 0 lines of the hot path changed since")
    hot.write_text("1\n4\n3\n")
    git("commit", "-a", "-m", "More")
    hot.write_text("1\n4\n3\n5\n")
    cold.write_text("")
    assert changed_since(tmp_path).endswith(" 3 lines of the hot path changed since")
