"""Each limit in time is in the table of ADR 24, which says whether the time counts in which the server was away."""

import ast
import re
from pathlib import Path

import pytest

import pbmserv

ROOT = Path(pbmserv.__file__).parent
TABLE = (ROOT.parent / "docs" / "adr" / "0024-time-that-does-not-count.md").read_text(encoding="utf-8")
#: What people ask for if they say nothing, and a bound of a bank: they end nothing. A day is only a unit, too.
UNITS = {
    "cli.manage.history.stats._USUAL",
    "cli.manage.history.trace._USUAL",
    "cli.manage.ratings._USUAL",
    "cli.manage.history.trace._ALWAYS",
    "boards.clocks.deadlines.FULLEST_BANK",
}


def _limits() -> set[str]:
    """Return the constants of all modules that are lengths of time: a timedelta, or so many days."""
    found = set()
    for path in ROOT.rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and _is_time(node.value):
                found |= {f"{module}.{t.id}" for t in node.targets if isinstance(t, ast.Name)}
    return found


def _is_time(value: ast.expr) -> bool:
    calls = (n for n in ast.walk(value) if isinstance(n, ast.Call))
    if any(isinstance(c.func, ast.Name) and c.func.id == "timedelta" for c in calls):
        return True
    return isinstance(value, ast.BinOp) and any(isinstance(n, ast.Name) and n.id == "DAY" for n in ast.walk(value))


@pytest.mark.slow
def test_it_is_decided_for_each_limit_whether_the_absence_of_the_server_counts() -> None:
    rows = [line.split("|")[1:4] for line in TABLE.splitlines() if line.startswith("| `")]
    assert {time.strip() for _, _, time in rows} == {"server", "calendar"}
    told = {name for names, _, _ in rows for name in re.findall("`([^`]+)`", names)}
    assert {name for name in _limits() - UNITS if not name.endswith("DAY")} == told
