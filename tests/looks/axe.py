"""axe-core, the usual checker of accessible pages, in the version whose checksum stands here.

npm fetches it from the registry that the machine uses. It is kept in build/axe, and no file of the project is needed.
"""

import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path

from tests.tools.tree import ROOT
from tests.web.chromium import Tab

VERSION = "4.14.1"
SHA512 = (
    "1477dafa598d8d065f273d6af302aa203c02e83131707b7fa648cd41bd3d6b73"
    "4f8c22a0dab86ee6a6f64b8afbe804b214d36db85a2826965edfb3a0b9d546b5"
)
#: The rules of WCAG 2.2 at levels A and AA.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
#: Its rules about colours, which a dark page has of its own. All others say the same of it again, at twice the cost.
_COLOURS = ("color-contrast", "link-in-text-block")
#: tests/looks/measure.js measures sizes in every window, for a tenth of the time.
_LEFT_OUT = "target-size"
_FOLDER = ROOT / "build/axe"
#: The men on a board are symbols, and their names say more than `B1`. WCAG 2.2, 2.5.3, is about words, not symbols.
_SYMBOLS = "rule.id === 'label-content-name-mismatch' && document.querySelector(node.target).closest('svg')"
_RUN = """axe.run(document, %s).then(found =>
    found.violations.flatMap(rule => rule.nodes.filter(node => !(%s)).map(
        node => `${rule.id}: ${node.html.slice(0, 160)} (${node.failureSummary})`)))"""


class Missing(Exception):
    """axe-core cannot be had on this machine."""


def violations(tab: Tab, but: str = "", *, colours: bool = False) -> list[str]:
    """Return what axe finds wrong with the page of the tab, without a rule, or only about colours. Raises Missing."""
    if not tab.evaluate("typeof axe === 'object'"):
        tab.evaluate(source())
    if colours:
        options: dict[str, object] = {"runOnly": [rule for rule in _COLOURS if rule != but]}
    else:
        left_out = {rule: {"enabled": False} for rule in (_LEFT_OUT, but) if rule}
        options = {"runOnly": TAGS, "rules": left_out}
    options["resultTypes"] = ["violations"]
    found: list[str] = tab.evaluate(_RUN % (json.dumps(options), _SYMBOLS))
    return found


@cache
def source() -> str:
    """Return the program. Raises Missing."""
    package = _FOLDER / f"axe-core-{VERSION}.tgz"
    if not package.exists():
        _fetch(package)
    digest = hashlib.sha512(package.read_bytes()).hexdigest()
    assert digest == SHA512, f"{package} is not the file that was published as {VERSION}"
    with tarfile.open(package) as files:
        program = files.extractfile("package/axe.min.js")
        assert program
        return program.read().decode() + ";0"  # else the value of the expression is axe itself


def _fetch(package: Path) -> None:
    """Fetch the package. Several processes may do it at the same time."""
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("there is no npm here, so axe-core cannot be fetched (Debian: apt-get install npm)")
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_FOLDER) as folder:
        wanted = ["pack", f"axe-core@{VERSION}", "--silent", "--pack-destination", folder]
        done = subprocess.run([npm, *wanted], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise Missing(f"npm cannot fetch axe-core {VERSION}: {done.stderr.strip()[-200:]}")
        (Path(folder) / package.name).replace(package)
