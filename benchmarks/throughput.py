"""The whole job: a mail with a move comes in by SMTP, is proved, played and committed, and two letters have gone out.

    python -m benchmarks.throughput [--quick]

Beside pbmserv runs the floor (see floor.py); they are measured in turns, so that whatever else the machine does hits
both. A run counts when all its letters have come to the relay (see sink.py).
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGUSR1
from statistics import median

from rich.console import Console
from rich.table import Table as Grid

from benchmarks import work
from benchmarks.load import Mail, Run, play
from benchmarks.processes import Process
from pbmserv import migrate
from pbmserv.mail.tokens import Signer

MAILS = {1: 120, 8: 60, 64: 12}  #: of each session in one run, by the number of sessions
ROUNDS = 5


@dataclass
class Case:
    """A server under measurement, with the mails that it gets."""

    name: str
    mails: Callable[[int, int], list[Mail]]  #: of a session, so many
    processes: Sequence[Process]
    fresh: bool = False
    runs: dict[int, list[Run]] = field(default_factory=lambda: defaultdict(list))
    processor: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def measure(self, sink: Process, sessions: int, count: int) -> None:
        """One run of `count` mails in each of so many sessions."""
        batches = [self.mails(n, count) for n in range(sessions)]
        readers = [[work.address(f"{name}{n}") for name in ("ann", "bob")] for n in range(sessions)]
        watched = {p.name: p for p in (*self.processes, sink)}
        before = {name: p.processor for name, p in watched.items()} | {"load": time.process_time()}
        port = self.processes[0].port
        self.runs[sessions].append(asyncio.run(play(port, sink.port, batches, readers, fresh=self.fresh)))
        after = {name: p.processor for name, p in watched.items()} | {"load": time.process_time()}
        for name, used in after.items():
            self.processor[name].append((used - before[name]) / (sessions * count))


@contextmanager
def floor(folder: Path, sink: Process, settings: dict[str, str]) -> Iterator[Case]:
    """The floor."""
    process = Process("floor", ["benchmarks.floor", str(folder / "floor.db"), str(sink.port)], settings)
    signer = Signer(work.ADDRESS, b"floor")

    def mails(session: int, count: int) -> list[Mail]:
        """The same answers as pbmserv gets; nobody reads whether the board is there."""
        names = [f"{name}{session}" for name in ("ann", "bob")]
        moves = [work.game(session % work.GAMES)[n % 20] for n in range(count)]
        return [
            work.mail(names[n % 2], signer.sign("b", 101, n % 2, n), f"Re: Tumble Board 101 {names[n % 2]}",
                      f"{moves[n][1]}\r\n\r\n{work.COMMENT}")
            for n in range(count)
        ]  # fmt: skip

    try:
        yield Case("floor", mails, [process])
    finally:
        process.stop()


@contextmanager
def ours(
    folder: Path, sink: Process, settings: dict[str, str], sessions: int, program: Sequence[str] = ("pbmserv",)
) -> Iterator[list[Case]]:
    """Pbmserv as it is deployed: one process that listens, one that sends."""
    folder.mkdir(exist_ok=True)
    settings = {
        **settings,
        "PBMSERV_DATABASE_URL": f"sqlite:///{folder}/pbmserv.db",
        "PBMSERV_RELAY": f"smtp://127.0.0.1:{sink.port}",
        "PBMSERV_LISTEN": "smtp://127.0.0.1:0",
        "PBMSERV_SECRET_KEY": "benchmark" * 5,
    }
    engine = work.connected(settings["PBMSERV_DATABASE_URL"])
    migrate.upgrade(engine)
    tables = work.tables(engine, sessions, Signer(work.ADDRESS, settings["PBMSERV_SECRET_KEY"].encode()))
    with ExitStack() as stack:
        stack.callback(engine.dispose)
        processes = [Process("listener", [*program, "serve", "--roles", "listener,clock"], settings)]
        stack.callback(processes[-1].stop)
        processes.append(Process("sender", ["pbmserv", "serve", "--roles", "sender"], settings))
        stack.callback(processes[-1].stop)
        yield [
            Case("pbmserv, answers", lambda n, count: tables[n].mails(engine, count), processes),
            Case("pbmserv, passwords", lambda n, count: tables[n].mails(engine, count, passwords=True), processes),
        ]


def stages(folder: Path, sink: Process, sessions: int, count: int) -> dict[str, float]:
    """Milliseconds of processor time for each command, by stage."""
    file = folder / "stages.json"
    with ours(folder / "stages", sink, {}, sessions, ["benchmarks.stages", str(file)]) as (case, _):
        case.measure(sink, sessions, 4)
        case.processes[0].signal(SIGUSR1)
        time.sleep(0.1)
        case.measure(sink, sessions, count)
        sender = case.processor["sender"][-1]
    found = json.loads(file.read_text())
    return {stage: 1000 * s / (sessions * count) for stage, s in found.items()} | {"deliver": 1000 * sender}


def report(cases: Sequence[Case]) -> None:
    """Medians, and in brackets the ratio to the floor: the median of the ratios of the rounds."""
    first = cases[0]
    columns = ("server", "sessions", "commands/s", "p50 ms to 250", "p99", "p50 ms to letters", "p99")
    grid = Grid(*columns)
    for sessions in first.runs:
        for case in cases:
            runs, base = case.runs[sessions], first.runs[sessions]
            count = len(runs[0].accepted)
            ratio = median(b.seconds / r.seconds for r, b in zip(runs, base, strict=True))
            cells = [f"{count / median(r.seconds for r in runs):.0f} ({ratio:.2f})"]
            for times in ("accepted", "delivered"):
                cells += [f"{1000 * median(_quantile(getattr(r, times), q) for r in runs):.1f}" for q in (0.5, 0.99)]
            grid.add_row(case.name, str(sessions), *cells)
    console = Console(width=140)
    console.print(grid)
    for case in cases:
        console.print(case.name, {name: f"{1000 * median(ms):.2f} ms" for name, ms in case.processor.items()})


def _quantile(values: Sequence[float], q: float) -> float:
    return sorted(values)[min(int(len(values) * q), len(values) - 1)]


def main() -> None:
    """Run all servers, measure them in turns, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round")
    quick = parser.parse_args().quick
    rounds, mails = (1, {n: max(m // 4, 4) for n, m in MAILS.items()}) if quick else (ROUNDS, MAILS)
    with tempfile.TemporaryDirectory(prefix="pbmserv-bench-") as name, ExitStack() as stack:
        sink = Process("sink", ["benchmarks.sink"])
        stack.callback(sink.stop)
        cases = [stack.enter_context(floor(Path(name), sink, {}))]
        cases += stack.enter_context(ours(Path(name) / "sqlite", sink, {}, max(mails)))
        for case in cases:
            case.measure(sink, max(mails), 2)
            case.runs.clear()
            case.processor.clear()
        for _ in range(rounds):
            for sessions, count in mails.items():
                for case in cases:
                    case.measure(sink, sessions, count)
        report(cases)
        print({stage: f"{ms:.2f} ms" for stage, ms in stages(Path(name), sink, 8, mails[8]).items()})


if __name__ == "__main__":
    main()
