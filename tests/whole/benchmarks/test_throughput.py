"""The benchmark of the whole job, in the smallest size that runs all its parts."""

from pathlib import Path

import pytest

from benchmarks import footprint, letter_form, locks, long_games, servers, stages, throughput
from benchmarks.slow_disk import SlowDisk
from benchmarks.throughput import Plan, Series, placed, slow_disks, whole_job
from benchmarks.throughput import stages as measure_stages

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PLAN = Plan(1, 0, 1, (2,), (2,), 0)


def test_every_server_is_measured_and_compared() -> None:
    with placed() as place:
        speed, processors = whole_job(place, PLAN)
    names = {row[0] for row in speed.rows}
    assert {"floor", "pbmserv", "pbmserv, passwords"} <= names
    assert len(speed.rows) == len(processors.rows) == len(names) + 2  # and two runs with new connections


def test_every_stage_has_its_time() -> None:
    with placed() as place:
        sheet = measure_stages(place, Plan(1, 0, 2))
    assert [row[0] for row in sheet.rows] == ["listener", *stages.BORDERS, "sender"]
    assert all(float(row[1]) > 0 for row in sheet.rows)


def test_a_slow_disk_is_slow_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throughput, "DELAYS", (2,))
    with placed() as place:
        if not place.disk.available:
            pytest.skip("there is no C compiler")
        sheet = slow_disks(place, PLAN)
        with servers.floor(place, 50) as floor:
            series = Series(floor, 1, 3)
            series.measure(place.sink)
    assert {row[0] for row in sheet.rows} == {"2 ms"}
    assert series.syncs["floor"] == [1.0]
    assert min(series.runs[0].accepted) >= 0.05  # the delay was added


def test_without_a_compiler_slow_disks_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not SlowDisk(tmp_path).available


def test_long_boards_are_played_on_and_measured() -> None:
    (sheet,) = long_games.sheets((1, 6))
    assert [row[0] for row in sheet.rows] == ["1 plies", "6 plies"]


def test_every_form_of_a_letter_has_its_size_and_its_time() -> None:
    (sheet,) = letter_form.sheets(1, 1)
    assert [row[1] for row in sheet.rows] == ["plain text", "before", "now"] * (len(sheet.rows) // 3)
    for plain, before, now in zip(*(iter(sheet.rows),) * 3, strict=True):
        assert plain[3] == ""
        sizes = [int(row[3].replace(",", "")) for row in (before, now)]
        assert min(sizes) > 3_000  # a letter whose HTML cannot be made has none
        assert max(sizes) < 102_000


def test_questions_leave_little_under_the_lock() -> None:
    (sheet,) = locks.sheets(1, 1, 12)
    assert len(sheet.rows) == 5
    for row in sheet.rows:
        inside, ahead = map(int, row[2].split(" → "))
        assert ahead < inside


def test_a_small_machine_knows_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(footprint, "STARTS", 1)
    monkeypatch.setattr(footprint, "SESSIONS", 2)
    with placed() as place:
        memory = footprint.running(place, 4)
    assert [row[1].split()[-1] for row in memory.rows] == ["MB", "MB", "s", "s"]
    assert [row[1].split()[-1] for row in footprint.installed().rows] == ["MB", "MB"]
