"""How much a mail does under the write lock of SQLite: a question that is answered ahead, and one in its transaction.

    python -m benchmarks.locks

At the pipeline, on an SQLite file, in one thread; processor time in milliseconds. The lock is held from BEGIN IMMEDIATE
until the connection is back in its pool. Statements and calls of Python functions do not depend on the machine.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

import sqlalchemy as sa

from benchmarks import work
from benchmarks.long_games import LongGames
from benchmarks.report import Sheet
from pbmserv.commands import command_language
from pbmserv.db import engines
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.policy import Policy
from pbmserv.mail.envelope import ACCEPTED, Incoming

SHORT, LONG = 60, 6_000  #: plies of the two boards that are shown
ROUNDS = 9
_LINES = 10  #: of the longest question


@dataclass
class Cost:
    """What one mail cost: milliseconds of processor time under the lock and in all, and statements there and before."""

    locked: float
    processor: float
    inside: int
    before: int


class Locks(LongGames):
    """A server with a short and a long board, which measures its transactions."""

    def __init__(self, folder: Path, short: int, long: int) -> None:
        super().__init__(folder)
        policy = Policy(answers_a_day=10**6, answer_mb_a_day=10**6)
        self._site = replace(self._site, policy=policy)
        self._pipeline = Pipeline(self._engine, self._site, command_language(), bytes)
        self._statements, self._began, self._locked = 0, 0.0, 0.0
        sa.event.listen(self._engine, "checkout", lambda driver, *_: driver.set_trace_callback(self._count))
        sa.event.listen(self._engine, "begin", self._begin)
        sa.event.listen(self._engine, "checkin", self._end)
        short_board, long_board = self._board(short), self._board(long)
        self.questions = {
            "`help`": "help",
            "`list`": "list",
            f"`show`, {short} plies": f"tumble show {short_board}",
            f"`show`, {long:,} plies": f"tumble show {long_board}",
            f"{_LINES} lines of `show`, {long:,} plies": "\r\n".join(
                f"tumble show {long_board}#{long - n}" for n in range(_LINES)
            ),
        }

    def cost(self, question: str, *, ahead: bool) -> Cost:
        """Ask a question, answered ahead or in its transaction."""
        mail = work.mail(self._players[0].userid, work.ADDRESS, "multiple", question)
        incoming = Incoming(mail.data, mail.sender, (mail.recipient,), "127.0.0.1")
        self._statements, began = 0, time.process_time()
        prepared = self._pipeline.prepare(incoming)
        if ahead:
            prepared = self._pipeline.answer(prepared)
        before, self._statements = self._statements, 0
        replies = self._pipeline.handle([prepared])
        ended = time.process_time()
        if replies != [ACCEPTED]:
            raise RuntimeError(f"not answered: {question}")
        return Cost(1000 * self._locked, 1000 * (ended - began), self._statements, before)

    def calls(self, question: str, *, ahead: bool) -> int:
        """How many Python functions are called for a question."""
        count = 0

        def called(frame: FrameType, event: str, arg: Any) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(called)
        try:
            self.cost(question, ahead=ahead)
        finally:
            sys.setprofile(None)
        return count

    def _count(self, statement: str) -> None:
        self._statements += 1

    def _begin(self, connection: sa.Connection) -> None:
        if not engines.only_reads(connection):
            self._began = time.thread_time()

    def _end(self, *_: object) -> None:
        if self._began:
            self._locked, self._began = time.thread_time() - self._began, 0.0


def sheets(rounds: int = ROUNDS, short: int = SHORT, long: int = LONG) -> Iterator[Sheet]:
    """The table. Both ways are measured in turns."""
    sheet = Sheet(
        "Questions and the write lock of SQLite, in the transaction → answered ahead",
        ("question", "under the lock", "statements there", "before", "in all", "calls"),
    )
    with tempfile.TemporaryDirectory(prefix="pbmserv-locks-") as folder:
        server = Locks(Path(folder), short, long)
        for name, question in server.questions.items():
            both: tuple[list[Cost], list[Cost]] = ([], [])
            for _ in range(rounds + 1):  # the first time, statements are compiled and templates are read
                for costs, ahead in zip(both, (False, True), strict=True):
                    costs.append(server.cost(question, ahead=ahead))
            old, new = (_typical(costs[1:]) for costs in both)
            calls = [server.calls(question, ahead=ahead) for ahead in (False, True)]
            sheet.rows.append(_row(name, old, new, calls))
        server.close()
    yield sheet


def _typical(costs: Sequence[Cost]) -> Cost:
    last = costs[-1]
    return replace(last, locked=median(c.locked for c in costs), processor=median(c.processor for c in costs))


def _row(name: str, old: Cost, new: Cost, calls: Sequence[int]) -> Sequence[str]:
    figures = (
        (f"{old.locked:.2f}", f"{new.locked:.2f}"),
        (str(old.inside), str(new.inside)),
        (str(old.before), str(new.before)),
        (f"{old.processor:.2f}", f"{new.processor:.2f}"),
        (f"{calls[0]:,}", f"{calls[1]:,}"),
    )
    return (name, *(" → ".join(pair) for pair in figures))


def main() -> None:
    """Measure and print."""
    for sheet in sheets():
        sheet.show()


if __name__ == "__main__":
    main()
