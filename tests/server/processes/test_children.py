"""Child processes that send: they are told what happens, started again, and never outlive their parent's word."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbmserv import metrics
from pbmserv.model.letters import ALL, Share
from pbmserv.server.processes import children as children_module
from pbmserv.server.processes.children import ChildPlan, Children
from pbmserv.server.processes.fork_server import ENDED, ForkServer
from tests.tools.aio import in_loop, until

#: A child that writes into a file what it hears, and reports two letters at its start.
LISTENING = """
import os, sys
print("sent", "alive", "deferred", sep="\\n", flush=True)
with open(sys.argv[1], "ab", buffering=0) as heard:
    while data := os.read(0, 4096):
        heard.write(data)
    heard.write(b"end")
"""
FAILING = "import sys; sys.exit(3)"
DEAF = "import time; time.sleep(60)"


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children_module, "FIRST_PAUSE", 0.01)


@asynccontextmanager
async def running(program: str, *words: object, count: int = 1) -> AsyncIterator[Children]:
    """Run children and end them."""
    command = (sys.executable, "-c", program, *map(str, words))
    shares = [Share(number, count) for number in range(count)]
    children = Children(ChildPlan("sender", shares, command, b"{}"))
    task = asyncio.create_task(children.run())
    try:
        yield children
    finally:
        children.stop()
        await task
        assert children.count == 0


@in_loop
async def test_they_get_the_settings_are_woken_and_end_when_told(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    async with running(LISTENING, heard, count=2) as children:
        await until(lambda: heard.exists() and heard.read_bytes() == b"{}\n" * 2)
        children.wake()
        await until(lambda: heard.read_bytes() == b"{}\n" * 2 + b"\n" * 2)
        assert children.count == 2
    assert heard.read_bytes() == b"{}\n" * 2 + b"\n" * 2 + b"end" * 2


@in_loop
async def test_their_letters_are_counted(tmp_path: Path) -> None:
    fates: list[str] = []
    metrics.tell_letters(fates.append)
    try:
        async with running(LISTENING, tmp_path / "heard"):
            await until(lambda: fates == ["sent", "deferred"])
    finally:
        metrics.tell_letters(None)


@pytest.mark.slow
@in_loop
async def test_one_that_dies_is_started_again_after_a_growing_pause() -> None:
    with capture_logs() as logs:
        async with running(FAILING):
            await until(lambda: len([line for line in logs if line["event"] == "sender_died"]) >= 3)
    died = [line for line in logs if line["event"] == "sender_died"]
    assert [line["pause"] for line in died][:3] == [0.01, 0.02, 0.04]
    assert {line["code"] for line in died} == {3}
    assert [line["pid"] for line in died] == [line["pid"] for line in logs if line["event"] == "sender_started"]


@in_loop
async def test_one_that_cannot_be_started_is_tried_again(tmp_path: Path) -> None:
    children = Children(ChildPlan("sender", [ALL], [str(tmp_path / "nothing")], b"{}"))
    with capture_logs() as logs:
        task = asyncio.create_task(children.run())
        await until(lambda: len(logs) >= 2)
        children.stop()
        await task
    assert {line["event"] for line in logs} == {"sender_died"}
    assert "No such file" in logs[0]["error"]


@pytest.mark.parametrize("said", [f"{ENDED}-9\n", ""])
@in_loop
async def test_one_that_is_killed_or_silent_before_it_says_its_number(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is started as a program. If a silent one begins later, it finds that its input has ended."""
    monkeypatch.setattr(children_module, "SILENCE", 0.3)
    asking, asked = socket.socketpair()
    forked = ForkServer(os.getpid(), asking)
    plan = ChildPlan("sender", [ALL], (sys.executable, "-c", LISTENING, os.devnull), b"{}")
    children = Children(plan, forked)
    with capture_logs() as logs:
        task = asyncio.create_task(children.run())
        _, (its_input, its_output), *_ = await asyncio.to_thread(socket.recv_fds, asked, 99, 2)
        if said:
            os.write(its_output, said.encode())
            os.close(its_output)
        await until(lambda: "sender_started" in [line["event"] for line in logs])
    assert logs[0]["event"] == "fork_server_failed"  # a start that is too slow is tried again
    os.set_blocking(its_input, False)
    assert os.read(its_input, 1) == b""
    children.stop()
    await task
    os.close(its_input)
    asked.close()
    forked.close()


@in_loop
async def test_one_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children_module, "PATIENCE", 0.05)
    with capture_logs() as logs:
        async with running(DEAF) as children:
            await until(lambda: children.count == 1)
    assert [line["event"] for line in logs] == ["sender_started", "sender_hangs"]


@pytest.mark.slow
@in_loop
async def test_one_that_says_nothing_for_too_long_is_killed_and_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children_module, "SILENCE", 0.3)
    with capture_logs() as logs:
        async with running(DEAF):
            await until(lambda: [line["event"] for line in logs].count("sender_started") == 2)
    events = [line["event"] for line in logs]
    events = events[events.index("sender_started") :]  # on a slow machine the start itself may take too long
    assert events[:4] == ["sender_started", "sender_hangs", "sender_died", "sender_started"]


@in_loop
async def test_one_that_is_being_started_when_all_end(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    async with running(LISTENING, heard) as children:
        children.stop()
    assert not heard.exists() or heard.read_bytes() == b"{}\nend"


@in_loop
async def test_they_do_not_speak_for_their_parent_to_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "HOME")
    for name in names:
        monkeypatch.setenv(name, "1")
    said = tmp_path / "environment"
    program = (
        f"import os; open({str(said)!r}, 'w').write(str([n for n in {names!r} if n in os.environ])); os.read(0, 9)"
    )
    async with running(program):
        await until(lambda: said.exists() and said.read_text() == "['HOME']")
