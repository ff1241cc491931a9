"""The whole job: a mail with a move comes in by SMTP, is proved, played and committed, and two letters have gone out.

    python -m benchmarks.throughput [--quick]

Beside pbmserv runs the floor (floor.py). The servers are measured in turns, so that whatever else the machine does hits
all alike, and a run ends when all its letters have come to the relay (sink.py).
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGUSR1
from statistics import median

from rich.progress import track

from benchmarks import postfix, servers, work
from benchmarks.load import Run, play
from benchmarks.processes import Process
from benchmarks.report import Sheet, quantile, ratio
from benchmarks.servers import Place, Server
from benchmarks.slow_disk import SlowDisk

DELAYS = (0, 2, 10)  #: milliseconds that each sync takes longer


@dataclass(frozen=True)
class Plan:
    """How much is measured: by the number of sessions, the mails of each of them in one run."""

    rounds: int = 5
    mails: dict[int, int] = field(default_factory=lambda: {1: 60, 8: 20, 64: 4})
    slow: dict[int, int] = field(default_factory=lambda: {8: 8, 32: 4})


QUICK = Plan(1, {1: 10, 8: 6, 64: 2}, {8: 4, 32: 2})


@dataclass
class Series:
    """The runs of one server with so many sessions, each with so many mails. `fresh`: a connection for each mail."""

    server: Server
    sessions: int
    count: int
    fresh: bool = False
    runs: list[Run] = field(default_factory=list)
    processor: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  #: ms for each mail
    syncs: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  #: for each mail

    def measure(self, sink: Process) -> None:
        """One run."""
        batches = [self.server.mails(n, self.count) for n in range(self.sessions)]
        names = work.NAMES if self.server.letters else ()
        readers = [[work.address(f"{name}{n}") for name in names] for n in range(self.sessions)]
        before = self._used(sink)
        self.runs.append(asyncio.run(play(self.server.port, sink.port, batches, readers, fresh=self.fresh)))
        for (name, processor, syncs), (_, processor_before, syncs_before) in zip(self._used(sink), before, strict=True):
            self.processor[name].append(1000 * (processor - processor_before) / self.mails)
            self.syncs[name].append((syncs - syncs_before) / self.mails)

    @property
    def mails(self) -> int:
        """In one run."""
        return self.sessions * self.count

    @property
    def rates(self) -> list[float]:
        """Whole jobs in a second, by run."""
        return [self.mails / run.seconds for run in self.runs]

    def milliseconds(self, times: str, q: float) -> float:
        """A quantile of `accepted` or `delivered`: the median of the runs."""
        return 1000 * median(quantile(getattr(run, times), q) for run in self.runs)

    def _used(self, sink: Process) -> list[tuple[str, float, int]]:
        processes = [(p.name, p.processor, p.syncs) for p in (*self.server.processes, sink)]
        return [*processes, ("load", time.process_time(), 0)]


def measure(place: Place, plan: Plan, series: Sequence[Series], what: str) -> None:
    """All rounds, the servers in turns; before them, each is warmed up: passwords are hashed once, and remembered."""
    most = max(s.sessions for s in series)
    for server in {id(s.server): s.server for s in series}.values():
        Series(server, most, 2).measure(place.sink)
    for _ in range(plan.rounds):
        for one in track(series, what, transient=True):
            one.measure(place.sink)


def whole_job(place: Place, plan: Plan) -> list[Sheet]:
    """The main table, and what each process took for it."""
    with ExitStack() as stack:
        found = [stack.enter_context(servers.floor(place))]
        found += stack.enter_context(servers.sqlite(place, max(plan.mails)))
        found += stack.enter_context(servers.on_postgresql(place, max(plan.mails)))
        series = [Series(s, n, count) for n, count in plan.mails.items() for s in found]
        series += [Series(s, 8, plan.mails[8], fresh=True) for s in found[:2]]
        measure(place, plan, series, "moves")
    return [_speed(series), _processors(series)]


def _speed(series: Sequence[Series]) -> Sheet:
    sheet = Sheet(
        "Moves, from the mail to the letters",
        ("server", "sessions", "commands/s", "to floor", "p50 to 250", "p99", "p50 to letters", "p99"),
        notes=[
            "Times in milliseconds. `new`: a connection for each mail. The last of a run's letters end its time.",
            "As mail servers do, the clients send MAIL, RCPT and DATA together to a server that offers PIPELINING, as "
            "pbmserv does and the floor, which is aiosmtpd as it comes, does not.",
        ],
    )
    for s in series:
        base = _base(s, series)
        times = [f"{s.milliseconds(t, q):.1f}" for t in ("accepted", "delivered") for q in (0.5, 0.99)]
        sessions = f"{s.sessions}{' new' * s.fresh}"
        sheet.rows.append(
            (s.server.name, sessions, f"{median(s.rates):.0f}", f"{ratio(s.rates, base.rates):.2f}", *times)
        )
    return sheet


def _base(s: Series, series: Sequence[Series]) -> Series:
    """The floor under the same load."""
    return next(f for f in series if (f.sessions, f.fresh) == (s.sessions, s.fresh))


def _processors(series: Sequence[Series]) -> Sheet:
    sheet = Sheet(
        "Processor time of each process for one command, in milliseconds", ("server", "sessions", "processes")
    )
    for s in series:
        parts = ", ".join(f"{name} {median(ms):.2f}" for name, ms in s.processor.items())
        sheet.rows.append((s.server.name, f"{s.sessions}{' new' * s.fresh}", parts))
    return sheet


def slow_disks(place: Place, plan: Plan) -> Sheet:
    """The floor and pbmserv on disks whose syncs take longer; how many there are for a command."""
    title = "Slow disks"
    columns = ("added to a sync", "server", "sessions", "commands/s", "to floor", "p50 to 250", "syncs for a command")
    if not place.disk.available:
        return Sheet(title, columns, notes=["Not measured: there is no C compiler to make a slow disk with."])
    sheet = Sheet(title, columns, notes=["Syncs of the listener are commits, but for a few of the checkpoints."])
    for delay in DELAYS:
        with ExitStack() as stack:
            found = [stack.enter_context(servers.floor(place, delay))]
            found += stack.enter_context(servers.sqlite(place, max(plan.slow), delay))[:1]
            series = [Series(s, n, count) for n, count in plan.slow.items() for s in found]
            measure(place, plan, series, f"a disk with {delay} ms")
        for s in series:
            faster = ratio(s.rates, _base(s, series).rates)
            syncs = ", ".join(f"{p.name} {median(s.syncs[p.name]):.2f}" for p in s.server.processes)
            figures = (f"{median(s.rates):.0f}", f"{faster:.2f}", f"{s.milliseconds('accepted', 0.5):.1f}", syncs)
            sheet.rows.append((f"{delay} ms", s.server.name, str(s.sessions), *figures))
    return sheet


def stages(place: Place, plan: Plan) -> Sheet:
    """Where the processor time of a command goes; the servers are not the ones of the other tables."""
    file, sessions = place.folder / "stages.json", 8
    with servers.sqlite(place, sessions, program=("benchmarks.stages", str(file))) as found:
        listener = found[0].processes[0]
        assert isinstance(listener, Process)
        series = Series(found[0], sessions, plan.mails[sessions])
        Series(found[0], sessions, 2).measure(place.sink)
        listener.signal(SIGUSR1)
        time.sleep(0.2)  # it begins to count
        series.measure(place.sink)
    used = {name: 1000 * s / series.mails for name, s in json.loads(file.read_text()).items()}
    used["deliver"] = series.processor["sender"][0]
    all_of_it = sum(used.values())
    rows = [(name, f"{ms:.2f}", f"{ms / all_of_it:.0%}") for name, ms in used.items()]
    note = f"One run of {series.mails} commands, under a stopwatch that adds a little to each stage."
    return Sheet("Processor time of a command by stage", ("stage", "ms", "share"), [*rows], [note])


def accepting(place: Place, plan: Plan) -> Sheet:
    """Mails accepted in a second, without waiting for their letters, beside a mail server that keeps none of them."""
    sheet = Sheet("Mails accepted, beside Postfix", ("server", "sessions", "mails/s", "to Postfix"))
    if not postfix.is_installed():
        sheet.notes.append("Postfix is not installed, or may not be started by this user.")
        return sheet
    with ExitStack() as stack:
        found = [stack.enter_context(postfix.discarding(place.folder))]
        found += stack.enter_context(servers.sqlite(place, max(plan.mails)))[:1]
        series = [Series(s, n, count) for n, count in plan.mails.items() if n > 1 for s in found]
        measure(place, plan, series, "Postfix")
    for s in series:
        rates, base = ([x.mails / run.accepting for run in x.runs] for x in (s, _base(s, series)))
        sheet.rows.append((s.server.name, str(s.sessions), f"{median(rates):.0f}", f"{ratio(rates, base):.2f}"))
    sheet.notes.append("Postfix writes each mail to its queue and on disk, and hands it to its transport `discard`.")
    return sheet


@contextmanager
def placed() -> Iterator[Place]:
    """A folder that goes away, and a relay."""
    with tempfile.TemporaryDirectory(prefix="pbmserv-bench-") as name:
        sink = Process("sink", ["benchmarks.sink"])
        try:
            yield Place(Path(name), sink, SlowDisk(Path(name)))
        finally:
            sink.stop()


def sheets(plan: Plan) -> Iterator[Sheet]:
    """All tables, one after the other."""
    with placed() as place:
        yield from whole_job(place, plan)
        yield stages(place, plan)
        yield slow_disks(place, plan)
        yield accepting(place, plan)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round")
    for sheet in sheets(QUICK if parser.parse_args().quick else Plan()):
        sheet.show()


if __name__ == "__main__":
    main()
