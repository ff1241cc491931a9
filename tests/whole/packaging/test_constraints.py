"""deploy/constraints.txt: what servers install. It is complete, has hashes, and agrees with pyproject.toml.

pip installs it in test_sdist.py.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.tools.tree import ROOT

FILE = ROOT / "deploy/constraints.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
#: Self-references are replaced by what they name.
OF_SERVERS = [
    Requirement(line)
    for lines in (PROJECT["dependencies"], *(EXTRAS[x] for x in re.findall(r"\w+", EXTRAS["all"][0])[1:]))
    for line in lines
]


def _pins() -> Iterator[tuple[Requirement, str]]:
    """Yield what is pinned, each with the lines of its hashes."""
    text = re.sub(r"^ *#.*\n", "", FILE.read_text(), flags=re.MULTILINE).replace("\\\n", "")
    for line in text.splitlines():
        pinned, *hashes = line.split("--hash=")
        yield Requirement(pinned.strip()), " ".join(hashes)


PINNED = defaultdict[str, list[Requirement]](list)
for _pin, _ in _pins():
    PINNED[canonicalize_name(_pin.name)].append(_pin)


def test_each_package_is_pinned_with_hashes_and_no_place() -> None:
    for pin, hashes in _pins():
        assert re.fullmatch(r"==\S+", str(pin.specifier)), pin
        assert re.fullmatch(r"(sha256:[0-9a-f]{64} *)+", hashes), pin
    assert "://" not in FILE.read_text()


def _version(pin: Requirement) -> Version:
    return Version(str(pin.specifier).removeprefix("=="))


@pytest.mark.parametrize("needed", OF_SERVERS, ids=lambda r: r.name)
def test_what_servers_need_is_in_it_and_new_enough(needed: Requirement) -> None:
    """If this fails: make constraints."""
    versions = [_version(pin) for pin in PINNED[canonicalize_name(needed.name)]]
    assert versions
    assert [version for version in versions if not needed.specifier.contains(version, prereleases=True)] == []


def test_what_these_need_is_in_it_too() -> None:
    """As far as it is installed here."""
    todo, seen = (
        [(canonicalize_name(r.name), frozenset(r.extras)) for r in OF_SERVERS],
        set[tuple[str, frozenset[str]]](),
    )
    while todo:
        name, extras = todo.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        assert name in PINNED
        try:
            lines = requires(name) or []
        except PackageNotFoundError:
            continue
        for needed in map(Requirement, lines):
            if not needed.marker or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                todo.append((canonicalize_name(needed.name), frozenset(needed.extras)))
    assert len(seen) > len(OF_SERVERS)
