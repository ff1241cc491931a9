"""A server with all roles whose letters are sent by 0, 1, 2 … child processes (PBMSERV_SENDERS).

    python -m benchmarks.senders [--quick] [senders ...]

The servers run in turns, each on an SQLite database of its own. It shows what a further process gives for its memory.
"""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from statistics import median

from benchmarks import servers
from benchmarks.processes import Process
from benchmarks.report import Sheet, ratio
from benchmarks.servers import Place, Server
from benchmarks.throughput import Plan, Series, measure, placed

PLAN = Plan(rounds=5, seconds=4.0, fewest=20, sessions=(8, 32))
QUICK = replace(PLAN, rounds=3, seconds=1.5)
COUNTS = (0, 1, 2)


@contextmanager
def _serving(place: Place, sessions: int, count: int) -> Iterator[Server]:
    with servers.prepared(place, sessions) as (settings, mails):
        process = Process("server", ["pbmserv", "serve"], settings | {"PBMSERV_SENDERS": str(count)})
        try:
            yield Server(f"PBMSERV_SENDERS={count}", [process], mails)
        finally:
            process.stop()


def sheet(plan: Plan, counts: Sequence[int] = COUNTS) -> Sheet:
    """Return the table."""
    with placed() as place, ExitStack() as stack:
        most = max(plan.sessions)
        found = [stack.enter_context(_serving(place, most, n)) for n in counts]
        series = [Series(server, n) for n in plan.sessions for server in found]
        measure(place, plan, series, "senders")
        rows = [_row(s, next(b for b in series if b.sessions == s.sessions)) for s in series]
    speed = ("commands/s", "to the first", "processor ms", "p50 to 250", "p50 to letters", "p99")
    note = "`MB`: resident memory of all processes afterwards."
    return Sheet("Several senders, on SQLite", ("server", "sessions", *speed, "MB"), [*rows], [note])


def _row(s: Series, base: Series) -> tuple[str, ...]:
    times = [s.milliseconds("accepted", 0.5), s.milliseconds("delivered", 0.5), s.milliseconds("delivered", 0.99)]
    memory = sum(process.memory for process in s.server.processes)
    rates = f"{median(s.rates):.0f}", f"{ratio(s.rates, base.rates):.2f}"
    shown = (f"{ms:.1f}" for ms in times)
    return (s.server.name, str(s.sessions), *rates, f"{median(s.work):.2f}", *shown, f"{memory:.0f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short rounds")
    parser.add_argument("counts", nargs="*", type=int, default=COUNTS, help="numbers of senders")
    given = parser.parse_args()
    sheet(QUICK if given.quick else PLAN, given.counts).show()


if __name__ == "__main__":
    main()
