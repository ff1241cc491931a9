"""Salmon as a peer: installed into a folder of its own, started on the same terms as the floor."""

import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from benchmarks import servers
from benchmarks.processes import Process
from benchmarks.servers import Place, Server

MOST_SESSIONS = 8  #: with more, its relay connections stall so long that a round takes minutes
PACKAGES = ("salmon-mail==3.3.0", "Jinja2>=3.1.6")
_PROGRAM = Path(__file__).with_name("salmon_server.py")
_SECONDS = 180  #: for the installation


@contextmanager
def salmon(place: Place) -> Iterator[list[Server]]:
    """Salmon with the mails that the floor gets; no server where it cannot be installed."""
    python = _installed(place.folder / "salmon")
    if python is None:
        yield []
        return
    command = [str(_PROGRAM), str(place.folder / "salmon.db"), str(place.sink.port)]
    process = Process("salmon", command, program=[str(python)])
    try:
        yield [Server("Salmon", [process], servers.answers_of_one_board)]
    finally:
        process.stop()


@cache
def _installed(folder: Path) -> Path | None:
    """The interpreter of an environment that has Salmon; None where it cannot be installed."""
    venv.create(folder)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-compile", *PACKAGES]
    try:
        subprocess.run(install, check=True, capture_output=True, timeout=_SECONDS)
    except subprocess.SubprocessError:
        return None
    return python
