"""The way out of aiosmtpd (ADR 95) still passes the tests of the wire, and is measured beside it."""

import os
import subprocess
import sys

import pytest

from benchmarks.throughput import Plan
from benchmarks.wire import sheet, whole_job
from tests.tools.tree import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

WIRE = ("test_session.py", "test_session_limits.py", "test_session_trouble.py", "test_listener.py")
#: They look at what aiosmtpd and asyncio's streams do inside.
INSIDE = "not nothing_of_a_message_is_logged and not go_out_together"


def test_the_tests_of_the_wire_pass_with_it() -> None:
    files = [str(ROOT / "tests/mail/smtp" / name) for name in WIRE]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-k", INSIDE, *files]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"SESSION": "own"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_both_are_measured() -> None:
    for measured in (sheet(1, [(2, 3)]), whole_job(Plan(1, 0, 2, sessions=(1,)))):
        assert [row[1] for row in measured.rows] == ["aiosmtpd", "own"]
