"""Reading a mail costs at most a second of CPU time and 64 MB. The kernel measures both, not the time on the clock."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.tree import ROOT


@pytest.mark.slow  # reads mails that are made to cost time
@pytest.mark.skipif(sys.platform != "linux", reason="needs fork, /proc and RLIMIT_AS")
def test_bombs_do_no_harm() -> None:
    program = [sys.executable, "-P", str(Path(__file__).with_name("reader_bombs.py"))]
    result = subprocess.run(
        program, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
