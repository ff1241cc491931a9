"""`pbmserv serve`: what it says when it starts."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pbmserv.cli.terminal import launch
from pbmserv.cli.terminal.launch import Launch, memory
from pbmserv.cli.terminal.running import settings_of, without_login
from pbmserv.config import Config
from pbmserv.db import engines, migrate
from tests.tools.process import run


@pytest.mark.parametrize(
    ("relay", "shown"),
    [
        ("smtp+starttls://me:sword@fish@mx.example.org:587", "mx.example.org:587"),
        ("smtp://127.0.0.1:25", "smtp://127.0.0.1:25"),
        ("maildir:/srv/games@home/letters", "maildir:/srv/games@home/letters"),
    ],
)
def test_a_server_shows_its_relay_without_the_password(relay: str, shown: str) -> None:
    assert without_login(relay) == shown


@pytest.mark.parametrize(
    ("roles", "senders", "own", "children"),
    [
        ("listener,sender,clock", 0, (0, 1), []),
        ("listener,sender,clock", 1, (0, 1), [(0, 1)]),
        ("listener,sender", 3, (0, 3), [(0, 3), (1, 3), (2, 3)]),
        ("sender", 0, (0, 1), []),
        ("sender", 1, (0, 1), []),
        ("sender", 3, (0, 3), [(1, 3), (2, 3)]),
        ("listener,clock", 3, (0, 3), []),
    ],
)
def test_a_process_that_only_sends_is_one_of_the_senders(
    tmp_path: Path, roles: str, senders: int, own: tuple[int, int], children: list[tuple[int, int]]
) -> None:
    url = f"sqlite:///{tmp_path}/pbmserv.db"
    config = Config(database_url=url, roles=roles, senders=senders, metrics="127.0.0.1:9464")
    settings = settings_of(Launch.of(config, b"key"))
    assert settings.share == own
    assert [share for plan in settings.children for share in plan.shares] == children
    for found in settings.children:
        given = Launch.load(found.settings)
        assert (given.roles, given.senders, given.metrics) == (["sender"], 0, config.metrics)
        assert (given.database_url, given.policy) == (url, config.policy)


@pytest.mark.parametrize(
    ("cores", "megabytes", "senders"), [({0}, 9000, 0), ({0, 1}, 9000, 2), ({0, 1, 5, 7}, 961, 2), ({0, 1}, 510, 0)]
)
def test_without_a_setting_two_children_send_unless_the_machine_is_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: set[int], megabytes: float, senders: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: cores)
    monkeypatch.setattr(launch, "memory", lambda: megabytes)
    url = f"sqlite:///{tmp_path}/pbmserv.db"
    assert Launch.of(Config(database_url=url), b"key").senders == senders
    assert Launch.of(Config(database_url=url, senders=1), b"key").senders == 1


def test_the_least_limit_of_a_control_group_is_the_memory_of_a_server(tmp_path: Path) -> None:
    whole = memory(tmp_path)
    slice_ = tmp_path / "sys/fs/cgroup/system.slice"
    for file, text in {
        tmp_path / "proc/self/cgroup": "1:name=systemd:/\n0::/system.slice/pbmserv.service\n",
        slice_ / "memory.max": "64000000\n",
        slice_ / "pbmserv.service/memory.max": "max\n",
    }.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert memory(tmp_path) == 64 < whole


@pytest.mark.slow
def test_a_child_whose_parent_has_ended_ends(tmp_path: Path) -> None:
    done = run(tmp_path, {}, "serve", "--child", "0/1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_what_a_game_prints_in_a_child_is_no_report_to_its_parent(tmp_path: Path) -> None:
    """The parent would count it as what happened to a letter, and show it to whoever reads the metrics."""
    program = "from pbmserv.cli.terminal import running; running.run = print; running.run_child('0/1')"
    given = Launch.of(Config(database_url=f"sqlite:///{tmp_path}/pbmserv.db"), b"key").dump()
    done = subprocess.run([sys.executable, "-c", program], input=given + b"\n", capture_output=True, check=True)
    assert done.stdout == b""
    assert done.stderr.startswith(b"Launch(")


@pytest.mark.slow
def test_a_child_does_nothing_for_a_server_of_another_version(tmp_path: Path) -> None:
    """The files were replaced while the server ran, and one of its children has died."""
    given = json.loads(Launch.of(Config(database_url=f"sqlite:///{tmp_path}/pbmserv.db"), b"key").dump())
    for changed in ({**given, "version": "1.9.0"}, {k: v for k, v in given.items() if k != "version"}):
        done = run(tmp_path, {}, "serve", "--child", "0/1", stdin=json.dumps(changed) + "\n")
        assert done.returncode == 75
        assert " and its files were replaced by those of " in " ".join(done.stderr.split())
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_child_leaves_the_database_as_it_is(tmp_path: Path) -> None:
    """If the program was replaced while the server ran, a new child must not change the tables of the old server."""
    url = f"sqlite:///{tmp_path}/pbmserv.db"
    engine = engines.connect(url)
    migrate.upgrade(engine)
    migrate.downgrade(engine, "0005")
    given = replace(Launch.of(Config(database_url=url), b"key"), roles=["sender"])
    done = run(tmp_path, {}, "serve", "--child", "0/1", stdin=given.dump().decode() + "\n")
    assert done.returncode == 78
    assert "another schema" in done.stderr
    with engine.connect() as connection:
        assert migrate.revision(connection) == "0005"
    engine.dispose()
