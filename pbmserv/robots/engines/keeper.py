"""A small program that starts an engine, and ends it with all that it has started when its socket is closed.

It imports nothing of pbmserv, because it runs as `python -I -S -c SOURCE ORDER`. The order is JSON: the words of the
`command`, `memory` in bytes, `uid` and `gid` or null, and the number of the `socket`. On this socket it says `closed`
or `open` (the network), or why the engine cannot be started; and with which code it has ended.
"""

import ctypes
import json
import os
import resource
import select
import signal
import sys
from contextlib import suppress
from typing import Any

_DEATH_SIGNAL, _DUMPABLE, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 4, 36, 38  # prctl(2)
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # unshare(2)
_FIRST_TO_GO = b"1000"  # of proc(5), oom_score_adj


def main(order: dict[str, Any]) -> None:
    """Start the engine, and return when it and all of its children are gone."""
    os.set_inheritable(order["socket"], False)
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    _prctl(_SUBREAPER, 1)  # what loses its parent becomes our child
    engine = os.fork()
    if not engine:
        _become(order)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    while (code := _ended(engine)) is None:
        ready, _, _ = select.select([order["socket"], woken], [], [])
        if order["socket"] in ready:
            break
        os.read(woken, 64)
    _say(order, f"ended {code}")
    _end_all(engine)


def _become(order: dict[str, Any]) -> None:
    """Become the engine, with nothing of the server but three pipes."""
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        is_closed = _unshare(_NEW_NETWORK)
        if order["uid"] is not None:
            os.setgroups([])
            os.setgid(order["gid"])
            os.setuid(order["uid"])
            _prctl(_DUMPABLE, 1)
        is_closed = is_closed or _closed_by_a_namespace()
        _bound(order["memory"])
        _prctl(_NO_NEW_PRIVILEGES, 1)
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)
        _say(order, "closed" if is_closed else "open")
        os.execve(order["command"][0], order["command"], {})  # noqa: S606 - what the operator has set
    except Exception as error:
        _say(order, f"it cannot be started: {error}")
    finally:
        os._exit(127)


def _bound(memory: int) -> None:
    """Bound what the engine allocates; not its addresses, of which programs with graphics cards reserve very many."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    _write("/proc/self/oom_score_adj", _FIRST_TO_GO)


def _closed_by_a_namespace() -> bool:
    """Leave the network, as everybody may who may have a namespace of users. Returns whether that is so here."""
    user, group = os.getuid(), os.getgid()
    if not _unshare(_NEW_USER | _NEW_NETWORK):
        return False
    _write("/proc/self/setgroups", b"deny")
    _write("/proc/self/uid_map", b"%d %d 1" % (user, user))
    _write("/proc/self/gid_map", b"%d %d 1" % (group, group))
    return True


def _unshare(what: int) -> bool:
    with suppress(AttributeError):  # another system than Linux
        return int(ctypes.CDLL(None).unshare(what)) == 0
    return False


def _prctl(what: int, value: int) -> None:
    with suppress(AttributeError):
        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def _write(file: str, text: bytes) -> None:
    with suppress(OSError):
        descriptor = os.open(file, os.O_WRONLY)
        try:
            os.write(descriptor, text)
        finally:
            os.close(descriptor)


def _say(order: dict[str, Any], text: str) -> None:
    with suppress(OSError):
        os.write(order["socket"], f"{text}\n".encode())


def _ended(engine: int) -> int | None:
    """Bury all dead children. Returns the exit code of the engine if it is one of them."""
    code = None
    with suppress(ChildProcessError):
        while (dead := os.waitpid(-1, os.WNOHANG))[0]:
            if dead[0] == engine:
                code = os.waitstatus_to_exitcode(dead[1])
    return code


def _end_all(engine: int) -> None:
    """Kill the engine's group, then all children; theirs become ours then, until there are none."""
    with suppress(OSError):
        os.killpg(engine, signal.SIGKILL)
    while children := _children():
        for child in children:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with suppress(OSError):
                os.waitpid(child, 0)


def _children() -> list[int]:
    """Return the processes whose parent we are; none on systems without /proc."""
    children = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{int(name)}/stat", "rb") as file:
            if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                children.append(int(name))
    return children


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
