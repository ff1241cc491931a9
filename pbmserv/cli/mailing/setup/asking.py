"""Asks at a terminal, or reads the answers from a pipe, one a line. An empty line takes what stands in brackets."""

from __future__ import annotations

import getpass
import sys
import textwrap
from collections.abc import Callable, Collection
from typing import TypeVar

from pbmserv.cli.terminal.console import console, fail
from pbmserv.cli.terminal.exits import Exit

T = TypeVar("T")

_WIDTH = 78


class NotRight(Exception):
    """An answer does not work. The text says why, and what to try."""


def say(text: str) -> None:
    """Print lines, none of them longer than a usual terminal, and under their indent."""
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        wrapped = textwrap.fill(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        console.print(wrapped, markup=False)


def ask(question: str, usual: str = "") -> str:
    """Return the answer to a question, without blanks around it. Exits with 65 if nobody answers any more."""
    console.print(f"{question}{f' [{usual}]' if usual else ''}: ", markup=False, end="")
    return _line() or usual


def ask_secret(question: str, usual: str = "") -> str:
    """Do the same with an answer that is not shown, and with a usual one that is not shown either."""
    console.print(f"{question}{' [Enter: as it is]' if usual else ''}: ", markup=False, end="")
    if not sys.stdin.isatty():
        return _line() or usual
    return getpass.getpass("").strip() or usual


def choose(question: str, words: Collection[str], usual: str) -> str:
    """Return one of these words, of which the beginning is enough. Raises NotRight."""
    answer = ask(f"{question} ({', '.join(words)})", usual).lower()
    matching = [word for word in words if answer and word.startswith(answer)]
    if len(matching) != 1:
        raise NotRight(f"Answer with one of these words: {', '.join(words)}")
    return matching[0]


def settled(question: Callable[[], T]) -> T:
    """Ask until the answer works, and return what it gives. Without a terminal, exit with 65 if it does not."""
    while True:
        try:
            return question()
        except NotRight as wrong:
            if not sys.stdin.isatty():
                raise fail(f"{wrong}\nNothing was written.", Exit.DATA) from None
            say(f"   {wrong}")


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise fail("\nThere are no more answers. Nothing was written.", Exit.DATA)
    if not sys.stdin.isatty():
        console.print()
    return line.strip()
