"""Sessions on aiosmtpd, and on asyncio alone (own_session.py), in turns: the wire alone, and the whole job (ADR 95).

python -m benchmarks.wire [--rounds 5]
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from statistics import median

from benchmarks import own_session, servers
from benchmarks.load import PER_ADDRESS, Mail, Session
from benchmarks.processes import Process
from benchmarks.report import Sheet, ratio
from benchmarks.throughput import Plan, Series, measure, placed
from pbmserv.cli.terminal import logs
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.smtp import listener

_KINDS = ("aiosmtpd", "own")
_LOADS = ((1, 4000), (8, 800), (32, 200))  #: sessions, and the mails of each in a run
_MAIL = Mail(
    "ann@example.org", "pbmserv@localhost", b"From: ann@example.org\r\nSubject: x\r\n\r\n" + b"Hello.\r\n" * 60
)


async def _take(mail: Incoming) -> str:
    """Accept a mail at once: what is left is the wire."""
    return ACCEPTED


async def _serve(kind: str) -> None:
    """Listen on a free port, which is printed, until killed."""
    logs.configure("kv", "info")
    if kind == "own":
        own_session.use()
    served = listener.Listener(["smtp://127.0.0.1:0"], _take, lambda _: True, "localhost")
    await served.start()
    sys.stdout.write(f"{served.addresses[0].rpartition(':')[2]}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


async def _load(port: int, sessions: int, count: int) -> None:
    connect = asyncio.get_running_loop().create_connection
    sources = [(f"127.0.0.{1 + n // PER_ADDRESS}", 0) for n in range(sessions)]
    made = [await connect(lambda: Session([_MAIL] * count), "127.0.0.1", port, local_addr=s) for s in sources]
    await asyncio.gather(*(talk.accepted for _, talk in made))


def _run(server: Process, sessions: int, count: int) -> tuple[float, float]:
    """Return mails per second, and the processor time of the server for one, in milliseconds."""
    used, began = server.processor, time.perf_counter()
    asyncio.run(_load(server.port, sessions, count))
    mails = sessions * count
    return mails / (time.perf_counter() - began), 1000 * (server.processor - used) / mails


def sheet(rounds: int, loads: Sequence[tuple[int, int]] = _LOADS) -> Sheet:
    """Measure both in turns."""
    result = Sheet(
        "The wire alone: sessions on aiosmtpd, and on asyncio alone",
        ("sessions", "on", "mails/s", "to aiosmtpd", "processor for a mail, ms"),
        notes=["Each mail is accepted at once. Both speak with uvloop, if it is installed, as servers do."],
    )
    processes = [Process(kind, ["benchmarks.wire", "--serve", kind]) for kind in _KINDS]
    try:
        for sessions, count in loads:
            runs = [[_run(server, sessions, count) for server in processes] for _ in range(rounds + 1)][1:]
            for n, kind in enumerate(_KINDS):
                rates, base = [run[n][0] for run in runs], [run[0][0] for run in runs]
                spent = median(run[n][1] for run in runs)
                faster = f"{ratio(rates, base):.2f}"
                result.rows.append((str(sessions), kind, f"{median(rates):.0f}", faster, f"{spent:.3f}"))
    finally:
        for server in processes:
            server.stop()
    return result


def whole_job(plan: Plan) -> Sheet:
    """Measure pbmserv with both in turns: mails with moves, and their letters."""
    result = Sheet(
        "The whole job: pbmserv on aiosmtpd, and on asyncio alone",
        ("sessions", "on", "moves/s", "to aiosmtpd", "processor for a move, ms", "to aiosmtpd"),
    )
    with placed() as place, ExitStack() as stack:
        most = max(plan.sessions)
        programs = ("pbmserv",), ("benchmarks.own_session",)
        both = [stack.enter_context(servers.sqlite(place, most, program=program))[0] for program in programs]
        series = [Series(server, n) for n in plan.sessions for server in both]
        measure(place, plan, series, "moves")
    for n, one in enumerate(series):
        base = series[n - n % 2]
        rates, used = (f"{ratio(mine, its):.2f}" for mine, its in ((one.rates, base.rates), (one.work, base.work)))
        row = (str(one.sessions), _KINDS[n % 2], f"{median(one.rates):.0f}", rates, f"{median(one.work):.2f}", used)
        result.rows.append(row)
    return result


def main() -> None:
    """Measure and print the tables, or be one of the servers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", choices=_KINDS)
    asked = parser.parse_args()
    if not asked.serve:
        sheet(asked.rounds).show()
        whole_job(Plan(asked.rounds, 3.0, sessions=(8, 32))).show()
        return
    try:
        from uvloop import new_event_loop
    except ImportError:
        asyncio.run(_serve(asked.serve))
    else:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(_serve(asked.serve))


if __name__ == "__main__":
    main()
