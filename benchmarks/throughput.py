"""The whole job: a mail with a move comes in by SMTP, is checked, played and committed, and two letters are sent.

    python -m benchmarks.throughput [--quick]

pbmserv is compared with a minimal server (floor.py). The servers take turns, so that other load on the machine affects
all of them equally. A run ends when all its letters have arrived at the relay (sink.py).
"""

import argparse
import asyncio
import json
import math
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from signal import SIGUSR1
from statistics import median

from rich.progress import track

from benchmarks import peer_salmon, postfix, servers, work
from benchmarks.load import Run, play
from benchmarks.processes import Process
from benchmarks.report import Sheet, quantile, ratio
from benchmarks.servers import Place, Server
from benchmarks.slow_disk import SlowDisk

DELAYS = (0, 2, 10)  #: milliseconds that each sync takes longer


@dataclass(frozen=True)
class Plan:
    """How much is measured.

    A short run misleads: the way of its last letters is a large part of it, and its games are a few plies long. So a
    run takes `seconds` at least, and each session sends `fewest` mails or more: a whole game.
    """

    rounds: int = 5
    seconds: float = 5.0
    fewest: int = work.LONGEST
    sessions: Sequence[int] = (1, 8, 32)
    slow: Sequence[int] = (8, 32)  #: sessions, on slow disks
    slow_seconds: float = 2.0

    @property
    def on_slow_disks(self) -> "Plan":
        """The same for slow disks: these runs are many, and what is looked for is large."""
        return replace(self, sessions=self.slow, seconds=self.slow_seconds)


QUICK = Plan(1, 1.0, 10, slow_seconds=0.5)


@dataclass
class Series:
    """The runs of one server with so many sessions, each with so many mails.

    With `fresh`, each mail has a new connection.
    """

    server: Server
    sessions: int
    count: int = 1
    fresh: bool = False
    runs: list[Run] = field(default_factory=list)
    processor: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  #: ms for each mail
    syncs: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  #: for each mail

    def calibrate(self, sink: Process, plan: Plan) -> None:
        """Find out how many mails a run needs. This run itself is not counted; it warms the server up."""
        self.count = plan.fewest
        self.measure(sink)
        self.count = max(plan.fewest, math.ceil(plan.seconds * self.rates[0] / self.sessions))
        for found in (self.runs, self.processor, self.syncs):
            found.clear()

    def measure(self, sink: Process) -> None:
        """Measure one run."""
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
        """Return the number of mails in one run."""
        return self.sessions * self.count

    @property
    def rates(self) -> list[float]:
        """Return the whole jobs per second, by run."""
        return [self.mails / run.seconds for run in self.runs]

    @property
    def work(self) -> list[float]:
        """Processor time of all processes of the server for one mail, in milliseconds, by run."""
        mine = [self.processor[process.name] for process in self.server.processes]
        return [sum(of_a_run) for of_a_run in zip(*mine, strict=True)]

    def milliseconds(self, times: str, q: float) -> float:
        """Return a quantile of `accepted` or `delivered`: the median of the runs."""
        return 1000 * median(quantile(getattr(run, times), q) for run in self.runs)

    def _used(self, sink: Process) -> list[tuple[str, float, int]]:
        processes = [(p.name, p.processor, p.syncs) for p in (*self.server.processes, sink)]
        return [*processes, ("load", time.process_time(), 0)]


def measure(place: Place, plan: Plan, series: Sequence[Series], what: str) -> None:
    """Measure all rounds, the servers in turns.

    Before, each is warmed up: passwords are hashed once, and remembered.
    """
    for one in track(series, f"{what}: how many mails", transient=True):
        one.calibrate(place.sink, plan)
    for _ in range(plan.rounds):
        for one in track(series, what, transient=True):
            one.measure(place.sink)


def whole_job(place: Place, plan: Plan) -> list[Sheet]:
    """Return the main table, and the table of the time of each process."""
    with ExitStack() as stack:
        found = [stack.enter_context(servers.floor(place))]
        found += stack.enter_context(servers.sqlite(place, max(plan.sessions)))
        found += stack.enter_context(servers.on_postgresql(place, max(plan.sessions)))
        peers = stack.enter_context(peer_salmon.salmon(place))
        series = [Series(s, n) for n in plan.sessions for s in found + peers * (n <= peer_salmon.MOST_SESSIONS)]
        series += [Series(s, plan.sessions[len(plan.sessions) // 2], fresh=True) for s in found[:2]]
        measure(place, plan, series, "moves")
    return [_speed(series), _processors(series)]


def _speed(series: Sequence[Series]) -> Sheet:
    sheet = Sheet(
        "Moves, from the mail to the letters",
        (
            *("server", "sessions", "commands/s", "to floor", "processor", "to floor"),
            *("p50 to 250", "p99", "p50 to letters", "p99"),
        ),
        notes=[
            "Times in milliseconds. `processor`: what all processes of the server use for one command. It is "
            "steadier than the rate. `new`: a connection for each mail. The last of a run's letters end its time.",
            "As mail servers do, the clients send MAIL, RCPT and DATA together to a server that offers PIPELINING, as "
            "pbmserv does and the floor, which is aiosmtpd as it comes, does not.",
        ],
    )
    for s in series:
        base = _base(s, series)
        times = [f"{s.milliseconds(t, q):.1f}" for t in ("accepted", "delivered") for q in (0.5, 0.99)]
        sessions = f"{s.sessions}{' new' * s.fresh}"
        rates = f"{median(s.rates):.0f}", f"{ratio(s.rates, base.rates):.2f}"
        used = f"{median(s.work):.2f}", f"{ratio(s.work, base.work):.2f}"
        sheet.rows.append((s.server.name, sessions, *rates, *used, *times))
    return sheet


def _base(s: Series, series: Sequence[Series]) -> Series:
    """Return the series of the floor under the same load."""
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
    """Return the table of the floor and pbmserv on disks with slow syncs, with the number of syncs for each command."""
    title = "Slow disks"
    columns = ("added to a sync", "server", "sessions", "commands/s", "to floor", "p50 to 250", "syncs for a command")
    if not place.disk.available:
        return Sheet(title, columns, notes=["Not measured: there is no C compiler to make a slow disk with."])
    sheet = Sheet(title, columns, notes=["Syncs of the listener are commits, but for a few of the checkpoints."])
    for delay in DELAYS:
        with ExitStack() as stack:
            found = [stack.enter_context(servers.floor(place, delay))]
            found += stack.enter_context(servers.sqlite(place, max(plan.slow), delay))[:1]
            series = [Series(s, n) for n in plan.slow for s in found]
            measure(place, plan.on_slow_disks, series, f"a disk with {delay} ms")
        for s in series:
            faster = ratio(s.rates, _base(s, series).rates)
            syncs = ", ".join(f"{p.name} {median(s.syncs[p.name]):.2f}" for p in s.server.processes)
            figures = (f"{median(s.rates):.0f}", f"{faster:.2f}", f"{s.milliseconds('accepted', 0.5):.1f}", syncs)
            sheet.rows.append((f"{delay} ms", s.server.name, str(s.sessions), *figures))
    return sheet


def stages(place: Place, plan: Plan) -> Sheet:
    """Return the table of the processor time of a command by stage. It is measured on servers of its own."""
    file, sessions = place.folder / "stages.json", 8
    with servers.sqlite(place, sessions, program=("benchmarks.stages", str(file))) as found:
        listener = found[0].processes[0]
        assert isinstance(listener, Process)
        series = Series(found[0], sessions)
        series.calibrate(place.sink, plan)
        listener.signal(SIGUSR1)
        time.sleep(0.2)  # the signal to begin counting
        series.measure(place.sink)
    used = {name: 1000 * s / series.mails for name, s in json.loads(file.read_text()).items()}
    used["sender"] = series.processor["sender"][0]
    all_of_it = sum(used.values())
    rows = [(name, f"{ms:.2f}", f"{ms / all_of_it:.0%}") for name, ms in used.items()]
    note = f"One run of {series.mails} commands, under a stopwatch that adds a little to each stage."
    return Sheet("Processor time of a command by stage", ("stage", "ms", "share"), [*rows], [note])


def accepting(place: Place, plan: Plan) -> Sheet:
    """Return the table of mails accepted per second, without their letters, beside a mail server that keeps no mail."""
    sheet = Sheet("Mails accepted, beside Postfix", ("server", "sessions", "mails/s", "to Postfix"))
    if not postfix.is_installed():
        sheet.notes.append("Postfix is not installed, or may not be started by this user.")
        return sheet
    with ExitStack() as stack:
        found = [stack.enter_context(postfix.discarding(place.folder))]
        found += stack.enter_context(servers.sqlite(place, max(plan.sessions)))[:1]
        series = [Series(s, n) for n in plan.sessions if n > 1 for s in found]
        measure(place, plan, series, "Postfix")
    for s in series:
        rates, base = ([x.mails / run.accepting for run in x.runs] for x in (s, _base(s, series)))
        sheet.rows.append((s.server.name, str(s.sessions), f"{median(rates):.0f}", f"{ratio(rates, base):.2f}"))
    sheet.notes.append("Postfix writes each mail to its queue and on disk, and hands it to its transport `discard`.")
    return sheet


@contextmanager
def placed() -> Iterator[Place]:
    """Make a folder, which is deleted afterwards, and a relay."""
    with tempfile.TemporaryDirectory(prefix="pbmserv-bench-") as name:
        sink = Process("sink", ["benchmarks.sink"])
        try:
            yield Place(Path(name), sink, SlowDisk(Path(name)))
        finally:
            sink.stop()


def sheets(plan: Plan) -> Iterator[Sheet]:
    """Yield all tables, one after the other."""
    with placed() as place:
        yield from whole_job(place, plan)
        yield stages(place, plan)
        yield slow_disks(place, plan)
        yield accepting(place, plan)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round")
    for sheet in sheets(QUICK if parser.parse_args().quick else Plan()):
        sheet.show()


if __name__ == "__main__":
    main()
