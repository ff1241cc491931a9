"""No mail costs the whole pipeline more than a second of CPU time and 64 MB. The kernel measures both."""

import subprocess
import sys
from pathlib import Path

import pytest

from pbmserv.conformance.walks import SEED
from tests.examples import SOAK
from tests.tools.tree import ROOT


@pytest.mark.skipif(sys.platform != "linux", reason="needs fork, /proc and RLIMIT_AS")
@pytest.mark.timeout(300)
@pytest.mark.slow
def test_bombs_do_no_harm(tmp_path: Path) -> None:
    program = [sys.executable, "-P", str(Path(__file__).with_name("pipeline_bombs.py")), str(tmp_path)]
    result = subprocess.run(
        program,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "SOAK": str(SOAK), "SEED": str(SEED)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
