"""The source distribution with all extras in an empty virtual environment, used from outside of the source tree."""

import json
import re
import signal
import subprocess
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.tools.tree import ROOT
from tests.whole.packaging.conftest import installed

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def bin_(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installed programs. Here uv builds the wheel, as on a machine without one.

    What it needs is installed first, by the hashes of deploy/constraints.txt, as deploy/upgrade.py does.
    """
    home = tmp_path_factory.mktemp("installed") / "venv"
    installed(home, "--require-hashes", "--requirement", str(ROOT / "deploy/constraints.txt"))
    return installed(home, f"{sdist}[all]")


def _run(bin_: Path, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [bin_ / "pbmserv", *words],
        cwd=folder,
        env={"HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def _get(place: str, path: str) -> bytes:
    """Return the page at this URL, which must exist."""
    with closing(HTTPConnection(place, timeout=20)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200
        return answer.read()


def test_doctor_finds_all_that_it_looks_for(bin_: Path, tmp_path: Path) -> None:
    assert _run(bin_, tmp_path, "migrate").returncode == 0
    done = _run(bin_, tmp_path, "doctor", "--json")
    told = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    assert told["templates"]["status"] == "ok"
    assert told["database"]["status"] == "ok"
    assert "Traceback" not in done.stderr


def test_the_pages_and_their_style_are_shown(bin_: Path, tmp_path: Path) -> None:
    assert _run(bin_, tmp_path, "migrate").returncode == 0
    command = [str(bin_ / "pbmserv"), "web", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env={"HOME": str(tmp_path), "COLUMNS": "200"}, stdout=subprocess.PIPE, text=True
    ) as pages:
        try:
            assert pages.stdout
            found = re.search(r"http://(\S+)", pages.stdout.readline())
            assert found
            text = _get(found[1], "/").decode()
            assert "Tumbling Down" in text
            style = re.search(r'href="(/[^"]+\.css[^"]*)"', text)
            assert style
            assert b"{" in _get(found[1], style[1])
            assert _run(bin_, tmp_path, "health", "--web", found[1]).stdout == "web       works\n"
        finally:
            pages.send_signal(signal.SIGTERM)
