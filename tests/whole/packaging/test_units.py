"""The systemd units of deploy/, checked by systemd itself."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tools.tree import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")

UNITS = sorted(f.name for f in (ROOT / "deploy").iterdir() if f.suffix in (".service", ".timer"))
SERVERS = [name for name in UNITS if name.endswith(".service") and "backup" not in name]
MOST_EXPOSED = 2.0  #: the exposure by systemd's own scale of 10; a service without any hardening has 9.6


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with the units. Their program is replaced by one that is installed here."""
    for name in UNITS:
        text = (ROOT / "deploy" / name).read_text()
        (tmp_path / name).write_text(text.replace("/opt/pbmserv/bin/pbmserv", "/bin/true"))
    return tmp_path


def _analyze(*words: str) -> str:
    """Return what systemd-analyze prints about this unit. It must find no error."""
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", UNITS)
def test_systemd_takes_every_line(units: Path, name: str) -> None:
    said = _analyze("verify", "--man=no", str(units / name))
    assert "pbmserv" not in said  # for an unknown setting it prints only a warning


def test_a_setting_that_systemd_does_not_know_would_be_found(units: Path) -> None:
    unit = units / "pbmserv.service"
    unit.write_text(unit.read_text().replace("NoNewPrivileges=", "NoNewPrivilege="))
    assert "NoNewPrivilege" in _analyze("verify", "--man=no", str(unit))


@pytest.mark.parametrize("name", SERVERS)
def test_what_faces_the_network_is_hardened(units: Path, name: str) -> None:
    said = _analyze("security", "--offline=yes", "--no-pager", str(units / name))
    exposure = re.search(r"Overall exposure level .*: ([0-9.]+)", said)
    assert exposure
    assert float(exposure[1]) <= MOST_EXPOSED
