"""Slots: a sender that lives keeps its slot, and a killed one loses it at once."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from pbmserv.db import engines
from pbmserv.server.processes.slots import Slots

#: A process that takes a slot, says so, and keeps it until it is killed.
HOLDER = """
import sys, time
from pbmserv.db import engines
from pbmserv.server.processes.slots import Slots
with Slots(engines.connect(sys.argv[1])).taken() as number:
    print(number, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def slots(tmp_path: Path) -> Slots:
    """The slots of a database that nobody uses."""
    return Slots(engines.connect(f"sqlite:///{tmp_path}/pbmserv.db"))


def test_each_sender_has_its_own(slots: Slots) -> None:
    with slots.taken() as first, slots.taken() as second, slots.taken() as third:
        assert (first, second, third) == (1, 2, 3)
    with slots.taken() as again:
        assert again == 1


def test_the_first_free_one_is_taken(slots: Slots) -> None:
    with ExitStack() as first:
        assert first.enter_context(slots.taken()) == 1
        with slots.taken():
            first.close()
            with slots.taken() as third:
                assert third == 1


def test_a_slot_is_locked_only_if_its_sender_is_dead(slots: Slots) -> None:
    with slots.taken() as number:
        with slots.locked(number) as is_mine:
            assert not is_mine
        with slots.locked(number + 1) as is_mine, slots.taken() as next_one:
            assert is_mine
            assert next_one == number + 2


@pytest.mark.slow
def test_a_killed_process_loses_its_slot(slots: Slots, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/pbmserv.db"
    with subprocess.Popen([sys.executable, "-c", HOLDER, url], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "1\n"
        with slots.locked(1) as is_mine:
            assert not is_mine
        process.kill()
        process.wait()
        with slots.locked(1) as is_mine:
            assert is_mine


def test_the_files_are_private_and_found_by_any_path(slots: Slots, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "pbmserv.db")
    (tmp_path / "pbmserv.db").touch()
    beside = Slots(engines.connect(f"sqlite:///{tmp_path}/link.db"))
    with slots.taken() as first, beside.taken() as second:
        assert (first, second) == (1, 2)
    assert {file.name: file.stat().st_mode & 0o777 for file in tmp_path.glob("*.sender*")} == {
        "pbmserv.sender1": 0o600,
        "pbmserv.sender2": 0o600,
    }


def test_a_file_of_another_user_is_left_alone(slots: Slots, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may open every file, so this test pretends that it may not."""
    (tmp_path / "pbmserv.sender1").touch()
    really_open = os.open

    def refuse(file: Path, *given: int) -> int:
        if file.suffix in (".sender1", ".sender3"):
            raise PermissionError
        return really_open(file, *given)

    monkeypatch.setattr(os, "open", refuse)
    with slots.locked(1) as is_mine:
        assert not is_mine
    with slots.taken() as number:
        assert number == 2
        with pytest.raises(PermissionError), slots.taken():  # in this folder no file can be made
            pass


def test_postgresql_has_none() -> None:
    with pytest.raises(ValueError, match="only an SQLite database"):
        Slots(engines.connect("postgresql://me@127.0.0.1/none"))
