"""What a small machine has to give: memory, the time of a start, and what is installed.

    python -m benchmarks.footprint [mails]

One process with all roles, on SQLite, as `pbmserv serve` starts it.
"""

import asyncio
import importlib.metadata
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from benchmarks import servers, work
from benchmarks.load import play
from benchmarks.processes import Running
from benchmarks.report import Sheet
from benchmarks.servers import Place
from benchmarks.throughput import placed

SESSIONS = 32
MAILS = 20_000
STARTS = 5
_BASELINE = "python -c pass"
_NAME = re.compile(r"[\w.-]+")  #: how a requirement begins (PEP 508)


@contextmanager
def _started(settings: dict[str, str]) -> Iterator[tuple[Running, float]]:
    """A server, and the seconds until its first 220."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    began = time.perf_counter()
    ours = {"PBMSERV_LISTEN": f"smtp://127.0.0.1:{port}", "PBMSERV_SENDERS": "0"}
    environment = {**os.environ, **settings, **ours}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once, and not at each start
    process = subprocess.Popen(
        [sys.executable, "-m", "pbmserv", "serve"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for_220(port, process)
        yield Running("pbmserv", process.pid, port), time.perf_counter() - began
    finally:
        process.terminate()
        process.wait(timeout=60)


def _wait_for_220(port: int, process: "subprocess.Popen[bytes]") -> None:
    while process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                if connection.recv(3) == b"220":
                    return
        except ConnectionRefusedError:
            time.sleep(0.002)
    raise RuntimeError("pbmserv did not start")


def running(place: Place, mails: int) -> Sheet:
    """Memory and time of one process."""
    with servers.prepared(place, SESSIONS) as (settings, mails_of):
        starts = []
        for _ in range(STARTS):
            with _started(settings) as (_, seconds):
                starts.append(seconds)
        with _started(settings) as (process, _):
            time.sleep(1)  # the first claim and the first sweep are over
            at_rest = process.memory
            batches = [mails_of(n, mails // SESSIONS) for n in range(SESSIONS)]
            readers = [[work.address(f"{name}{n}") for name in work.NAMES] for n in range(SESSIONS)]
            asyncio.run(play(process.port, place.sink.port, batches, readers))
            afterwards = process.memory
    rows = [
        ("resident memory at rest", f"{at_rest:.0f} MB"),
        (f"resident memory after {mails:,} mails", f"{afterwards:.0f} MB"),
        (f"until the first 220, median of {STARTS}", f"{median(starts):.2f} s"),
        (f"until `{_BASELINE}` ends, for comparison", f"{_bare_start():.2f} s"),
    ]
    return Sheet("One process with all roles", ("", ""), [*rows])


def _bare_start() -> float:
    """Seconds of an interpreter that does nothing."""
    seconds = []
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        seconds.append(time.perf_counter() - began)
    return median(seconds)


def installed() -> Sheet:
    """The size of the wheel, and of what pip installs with it."""
    with tempfile.TemporaryDirectory(prefix="pbmserv-wheel-") as folder:
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder]
        subprocess.run(command, check=True, capture_output=True)
        wheel = next(Path(folder).glob("*.whl")).stat().st_size
    sizes = {name: size for name in sorted(_required("pbmserv") - {"pbmserv"}) if (size := _size(name))}
    rows = [
        ("the wheel", f"{wheel / 1e6:.2f} MB"),
        (f"its {len(sizes)} dependencies", f"{sum(sizes.values()) / 1e6:.0f} MB"),
    ]
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    note = "The largest: " + ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in largest) + "."
    return Sheet("What is installed", ("", ""), [*rows], [note])


def _required(name: str, found: frozenset[str] = frozenset()) -> frozenset[str]:
    """A distribution and all that it needs, without extras but those that are asked for; their folded names."""
    name = name.lower().replace("_", "-")
    if name in found:
        return found
    found |= {name}
    try:
        requirements = importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:  # for another system
        return found - {name}
    for requirement in requirements:
        needed = _NAME.match(requirement)
        if needed and "extra ==" not in requirement:
            found = _required(needed[0], found)
    return found


def _size(name: str) -> int:
    files = importlib.metadata.files(name) or []
    return sum(path.stat().st_size for file in files if (path := Path(str(file.locate()))).is_file())


def sheets(mails: int = MAILS) -> Iterator[Sheet]:
    """Both tables."""
    with placed() as place:
        yield running(place, mails)
    yield installed()


def main() -> None:
    """Measure and print."""
    for sheet in sheets(int(sys.argv[1]) if len(sys.argv) > 1 else MAILS):
        sheet.show()


if __name__ == "__main__":
    main()
