"""The fork server: children share its memory, come from it again when they die, and nobody outlives the server."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmserv.server.processes import fork_server
from tests.tools.process import Process, until
from tests.tools.warm import ForkedProcess

pytestmark = [pytest.mark.sqlite, pytest.mark.skipif(not fork_server.IS_SAFE, reason="children are started here")]


#: A server that dies as soon as it has asked for a child: nobody reads what the child says.
DYING = """
import os, sys
from pbmserv.server.processes import fork_server
forked = fork_server.begin()
if isinstance(forked, str):
    sys.exit(f"a child: {forked}")
told, output = os.pipe()
os.close(told)
forked.fork("sender 0/1", os.open(os.devnull, os.O_RDONLY), output)
forked.close()
"""

#: Runs a command as the process that gets orphans, as process 1 of a container does (PR_SET_CHILD_SUBREAPER).
AS_PROCESS_1 = "import ctypes, os, sys; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    """A server with two children that send. It is in the session of another process, as on a terminal."""
    with ForkedProcess(tmp_path, PBMSERV_SENDERS="2") as process:
        until(lambda: [name_of(child) for child in process.children] == ["pbmserv sender"] * 2)
        yield process


def status(pid: int) -> dict[str, str]:
    """What the system says of a process; nothing if it has ended, even if nobody has asked for its exit code."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    found = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return {} if found["State"].startswith("Z") else found


def name_of(pid: int) -> str:
    return status(pid).get("Name", "")


def parent_of(pid: int) -> int:
    return int(status(pid).get("PPid", 0))


def kill_one(server: Process) -> tuple[int, int]:
    """Kill a child. Returns the one that goes on, and the one in place of the killed one."""
    killed, other = server.children
    os.kill(killed, signal.SIGKILL)
    return other, until(lambda: next((child for child in server.children if child not in (killed, other)), 0))


def megabytes(pid: int, kind: str) -> int:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(kilobytes) for kilobytes in re.findall(rf"^{kind}_\w+: +(\d+)", rollup, re.MULTILINE)) // 1000


@pytest.mark.slow
def test_a_killed_child_is_forked_again_and_shares_most_of_its_memory(server: Process) -> None:
    other, new = kill_one(server)
    assert "event='sender_died' pid=" in server.log
    assert "code=-9" in server.log
    assert parent_of(new) == parent_of(other) != server.pid
    assert parent_of(parent_of(new)) == server.pid
    assert name_of(parent_of(new)) == "pbmserv forks"
    until(lambda: name_of(new) == "pbmserv sender")
    assert megabytes(other, "Shared") > megabytes(other, "Private")
    assert "nothing was lost" in server.stop()
    assert not any(map(status, (other, new)))


@pytest.mark.slow
def test_without_its_fork_server_a_server_starts_children_as_programs(server: Process) -> None:
    forking = parent_of(server.children[0])
    for number in (signal.SIGINT, signal.SIGTERM):  # as when all processes of a service get it
        os.kill(forking, number)
    other, new = kill_one(server)
    assert parent_of(new) == forking
    until(lambda: name_of(new) == "pbmserv sender")
    os.kill(forking, signal.SIGKILL)
    os.kill(other, signal.SIGKILL)
    until(lambda: [parent_of(child) for child in server.children] == [server.pid])
    until(lambda: b"--child" in Path(f"/proc/{server.children[0]}/cmdline").read_bytes())
    assert server.log.count("event='fork_server_failed' error='it has ended'") == 1
    assert status(new), "a child needs the fork server only to begin"
    assert "nothing was lost" in server.stop()
    until(lambda: not status(new))


@pytest.mark.slow
def test_as_process_1_of_a_container_a_server_keeps_no_zombies(tmp_path: Path) -> None:
    with Process(tmp_path, under=(sys.executable, "-c", AS_PROCESS_1), PBMSERV_SENDERS="2") as server:
        until(lambda: [name_of(child) for child in server.children] == ["pbmserv sender"] * 2)
        forking, orphans = parent_of(server.children[0]), server.children
        os.kill(forking, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{forking}").exists())
        assert all(map(status, orphans))
        for orphan in orphans:
            os.kill(orphan, signal.SIGKILL)
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in orphans))
        until(lambda: server.log.count("code=-9") == 2)  # it says so after it has asked for the exit code


@pytest.mark.slow
def test_a_child_whose_server_has_just_died_is_no_second_fork_server() -> None:
    done = subprocess.run([sys.executable, "-c", DYING], capture_output=True, text=True, check=True)
    assert done.stderr == "a child: sender 0/1\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, *(pytest.param(n, marks=pytest.mark.slow) for n in (signal.SIGHUP, signal.SIGINT))]
)
def test_nobody_outlives_the_server(server: Process, number: signal.Signals) -> None:
    family = [*server.children, parent_of(server.children[0])]
    os.kill(server.pid, number)
    assert server.wait() == {signal.SIGINT: 0}.get(number, -number)
    until(lambda: not any(map(status, family)))
