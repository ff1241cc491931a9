"""What the benchmarks print: tables of figures, on the terminal and in Markdown."""

import math
import os
import platform
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import linear_regression, median

from rich.console import Console
from rich.table import Table

LIBRARIES = ("SQLAlchemy", "aiosmtpd", "aiosmtplib", "Jinja2")


@dataclass
class Sheet:
    """A table with a heading, and what has to be known to read it."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def show(self) -> None:
        """Print it."""
        console, table = Console(width=150), Table(*self.columns, title=self.title, title_justify="left")
        for row in self.rows:
            table.add_row(*row)
        console.print(table, *self.notes, sep="\n", highlight=False)

    def markdown(self) -> str:
        """The same for a page."""
        lines = [self.columns, ["---"] * len(self.columns), *self.rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return "\n\n".join([f"## {self.title}", table, *self.notes]) + "\n"


def quantile(values: Sequence[float], q: float) -> float:
    """The smallest of the values that at least this share of them does not exceed (nearest rank)."""
    return sorted(values)[max(math.ceil(len(values) * q) - 1, 0)]


def ratio(mine: Sequence[float], base: Sequence[float]) -> float:
    """How much larger mine are: the median of the ratios of the rounds, because the machine changes between them."""
    return median(m / b for m, b in zip(mine, base, strict=True))


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of the costs over the sizes, both as logarithms: 0 is flat, 1 is linear."""
    return linear_regression([math.log(s) for s in sizes], [math.log(c) for c in costs]).slope


def machine() -> str:
    """Where and with what it was measured."""
    cpu = next((x.partition(":")[2].strip() for x in _lines("/proc/cpuinfo") if x.startswith("model name")), "")
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        f"{os.cpu_count()} x {cpu or platform.machine()}, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {libraries}, load before: "
        f"{os.getloadavg()[0]:.1f}"
    )


def _lines(file: str) -> list[str]:
    path = Path(file)
    return path.read_text().splitlines() if path.exists() else []
