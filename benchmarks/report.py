"""What the benchmarks print: tables of figures, on the terminal and in Markdown.

    python -m benchmarks.report

says how much of the hot path has changed since RESULTS.md was measured; `make check` does this.
"""

import math
import os
import platform
import re
import sqlite3
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import linear_regression, median

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("RESULTS.md")
#: What each mail and its letters run through.
_HOT = (*(f"pbmserv/{wing}" for wing in ("inbox", "letters", "mail", "server", "store")), "templates")
_COMMIT = re.compile(r"\bcommit ([0-9a-f]{7,40})\b")
LIBRARIES = ("SQLAlchemy", "aiosmtpd", "aiosmtplib", "Jinja2")


@dataclass
class Sheet:
    """A table with a heading, and the notes that you need to read it."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def show(self) -> None:
        """Print the table."""
        console, table = Console(width=150), Table(*self.columns, title=self.title, title_justify="left")
        for row in self.rows:
            table.add_row(*row)
        console.print(table, *self.notes, sep="\n", highlight=False)

    def markdown(self) -> str:
        """Return the table in Markdown."""
        lines = [self.columns, ["---"] * len(self.columns), *self.rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return "\n\n".join([f"## {self.title}", table, *self.notes]) + "\n"


def renew(sheet: Sheet) -> None:
    """Write a sheet in place of the one with its title in RESULTS.md, and when it was measured."""
    before, title, rest = RESULTS.read_text().partition(f"## {sheet.title}\n")
    _, following, after = rest.partition("\n## ")
    told = f"Measured on commit {commit()}, {datetime.now(UTC).date()}, apart from the rest of this page; {machine()}."
    made = replace(sheet, notes=[*sheet.notes, told]).markdown()
    RESULTS.write_text(f"{before}{'' if title else chr(10)}{made}{following}{after}")


def quantile(values: Sequence[float], q: float) -> float:
    """Return the smallest value that is not exceeded by at least this share of the values (nearest rank)."""
    return sorted(values)[max(math.ceil(len(values) * q) - 1, 0)]


def ratio(mine: Sequence[float], base: Sequence[float]) -> float:
    """Return how much larger mine are: the median of the ratios of the rounds, because the machine's speed changes."""
    return median(m / b for m, b in zip(mine, base, strict=True))


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the slope of the costs over the sizes, both as logarithms: 0 is flat, 1 is linear."""
    return linear_regression([math.log(s) for s in sizes], [math.log(c) for c in costs]).slope


def machine() -> str:
    """Return a description of the machine and the software."""
    cpu = next((x.partition(":")[2].strip() for x in _lines("/proc/cpuinfo") if x.startswith("model name")), "")
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        f"{os.cpu_count()} x {cpu or platform.machine()}, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {libraries}, load before: "
        f"{os.getloadavg()[0]:.1f}"
    )


def commit() -> str:
    """Return the commit of this tree, with `-dirty` behind it if the tree is not as it was committed."""
    return (_git(ROOT, "describe", "--always", "--dirty", "--abbrev=9", "--exclude=*") or "unknown").strip()


def changed_since(root: Path = ROOT) -> str:
    """Say how many lines of the hot path were added or removed since the first commit that RESULTS.md names."""
    found = _COMMIT.search((root / "benchmarks/RESULTS.md").read_text())
    if not found:
        return "benchmarks/RESULTS.md does not say on which commit it was measured"
    measured = f"benchmarks/RESULTS.md was measured on {found[1]}:"
    if (told := _git(root, "diff", "--numstat", found[1], "--", *_HOT)) is None:
        return f"{measured} that commit is not in this clone, so what changed since is not known"
    counts = (count for line in told.splitlines() for count in line.split("\t")[:2])
    return f"{measured} {sum(int(n) for n in counts if n.isdecimal()):,} lines of the hot path changed since"


def _git(root: Path, *words: str) -> str | None:
    """Return what git says about a tree; None if it is no clone, or git is missing or refuses."""
    command = ["git", "--no-optional-locks", *words]
    try:
        return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def _lines(file: str) -> list[str]:
    path = Path(file)
    return path.read_text().splitlines() if path.exists() else []


if __name__ == "__main__":
    print(changed_since())
