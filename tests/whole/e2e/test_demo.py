"""`pbmserv demo` plays its game to the end."""

from pathlib import Path

import pytest

from pbmserv.cli.mailing.demo import SCRIPT
from tests.tools.process import run


@pytest.mark.slow  # plays a demonstration
def test_demo(tmp_path: Path) -> None:
    """Every mail and every letter is shown: one error, its correction, a comment, and a king at the end."""
    done = run(tmp_path, {}, "demo")
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout
    assert shown.count("@example.org writes ") == len(SCRIPT)
    assert shown.count("Tumble Board 101 error") == 2  # in the letter, and in the subject of its answer
    assert "To tumble the whole stack in that direction, add a t: h1-a8t" in shown
    assert "bob writes:\n    A pleasure. Your move!" in shown
    assert "Your display for Tumbling Down boards is u." in shown
    assert shown.count("Board 101 is over: alice wins (a king was captured).") == 2
    assert list(tmp_path.iterdir()) == []
