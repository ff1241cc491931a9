"""CONTRIBUTING.md tells numbers, and those that can be compared are today's."""

import ast
import re
import tomllib
from collections.abc import Callable
from functools import cache
from statistics import median, quantiles

import pytest

from tests.looks.measure import WIDTHS
from tests.tools.tree import ROOT, definitions


def _text(name: str) -> str:
    return (ROOT / name).read_text()


PAGE, PROJECT = " ".join(_text("CONTRIBUTING.md").split()), tomllib.loads(_text("pyproject.toml"))
WORDS = {"thirteen": 13, "twenty": 20}


def _functions() -> list[int]:
    """Return how many lines each function of pbmserv has."""
    found = (d for module in definitions().values() for d in module if not isinstance(d, ast.ClassDef))
    return [(d.end_lineno or d.lineno) - d.lineno + 1 for d in found]


def _files() -> list[int]:
    return [len(_text(f"pbmserv/{file}").splitlines()) for file in definitions()]


@cache
def _mutated() -> dict[str, str]:
    """Return the table of `make mutants`: files and folders of pbmserv, and their tests."""
    table = re.search(r"^MODULES = (\{.*?^\})", _text("tests/tools/mutants.py"), re.MULTILINE | re.DOTALL)
    assert table
    return dict(ast.literal_eval(table[1]))


def test_what_make_mutants_changes_exists() -> None:
    places = [ROOT / "pbmserv" / module for module in _mutated()]
    tests = [ROOT / "tests" / name for names in _mutated().values() for name in names.split()]
    assert [place for place in (*places, *tests) if not place.exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "today", "within"),
    [
        (r"Half of our functions have at most (\d+) lines", lambda: median(_functions()), 0),
        (r"nine in ten at most (\d+)\.", lambda: quantiles(_functions(), n=10)[-1], 1),
        (r"Half of our files have at most (\d+)\.", lambda: median(_files()), 10),
        (r"fails below (\d+) %", lambda: PROJECT["tool"]["coverage"]["report"]["fail_under"], 0),
        (r"You need Python 3\.(\d+) or later", lambda: int(PROJECT["project"]["requires-python"].split(".")[1]), 0),
        (r"tests of (\w+) central modules", lambda: len(_mutated()), 0),
        (r"the random tests with (\w+) times", lambda: int(re.findall(r"SOAK=(\d+)", _text("Makefile"))[0]), 0),
        (r"windows of (\d+) to", lambda: min(WIDTHS), 0),
        (r"windows of \d+ to (\d+) pixels", lambda: max(WIDTHS), 0),
    ],
)
def test_a_number_is_todays(words: str, today: Callable[[], float], within: int) -> None:
    found = re.search(words, PAGE)
    assert found, "another sentence tells this number now: change it here, too"
    said = WORDS.get(found[1]) or int(found[1])
    assert abs(today() - said) <= within
