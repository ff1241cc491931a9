"""Run a Postfix of our own in a folder. For the benchmarks it queues every mail and then throws it away.

The tests of Postfix together with pbmserv are in tests/whole/packaging."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from benchmarks import work
from benchmarks.load import Mail
from benchmarks.processes import Running
from benchmarks.servers import Server

_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = postfix.example
mydestination =
maillog_file = /dev/stdout
maillog_file_prefixes = /dev
"""

_DISCARD = """
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
default_transport = discard:
smtpd_client_connection_count_limit = 0
"""

_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""

_QUEUES = (
    *("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold"),
    *("incoming", "maildrop", "pid", "private", "public", "saved", "trace"),
)
_MASTER_PROGRAMS = (Path("/usr/lib/postfix/sbin/master"), Path("/usr/libexec/postfix/master"))


def is_installed() -> bool:
    """Return whether Postfix is installed and can be started: its master must be root."""
    return os.geteuid() == 0 and any(program.exists() for program in _MASTER_PROGRAMS)


@contextmanager
def discarding(folder: Path) -> Iterator[Server]:
    """Run a Postfix that discards all mail, with queues of its own below `folder`."""
    numbers = count()
    recipient = "somebody@elsewhere.example"

    def mails(session: int, wanted: int) -> list[Mail]:
        return [work.mail(f"ann{session}", recipient, f"Mail {next(numbers)}", work.COMMENT) for _ in range(wanted)]

    with running(folder / "postfix", _DISCARD) as postfix:
        yield Server("Postfix", [postfix], mails, letters=False)


@contextmanager
def running(home: Path, main: str = "", services: str = "") -> Iterator[Running]:
    """Run Postfix in a new folder, with these lines added to our main.cf and master.cf.

    Raises RuntimeError if it does not greet. Its log is the file `log` in that folder.
    """
    port = free_port()
    _configure(home, _MAIN.format(folder=home) + main, _MASTER.format(port=port) + services)
    program = next(p for p in _MASTER_PROGRAMS if p.exists())
    with (home / "log").open("wb") as log:
        process = subprocess.Popen([program, "-c", home, "-s"], stdout=log, stderr=log)
    try:
        _wait(port)
        yield Running("postfix", process.pid, port)
    finally:
        process.terminate()
        process.wait(30)


def _configure(home: Path, main: str, services: str) -> None:
    for name in _QUEUES:
        (home / "queue" / name).mkdir(parents=True)
    (home / "data").mkdir()
    for place in (home / "data", *(home / "queue" / name for name in _QUEUES if name != "pid")):
        shutil.chown(place, pwd.getpwnam("postfix").pw_uid)
    for place in (home, home.parent):  # the processes of Postfix do not run as root
        place.chmod(0o755)
    (home / "main.cf").write_text(main)
    (home / "master.cf").write_text(services)


def free_port() -> int:
    """Return a port on which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _wait(port: int) -> None:
    """Wait for the banner of Postfix."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            if connection.recv(4) == b"220 ":
                return
        time.sleep(0.1)
    raise RuntimeError("Postfix did not start")
