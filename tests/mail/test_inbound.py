"""Each fixture is read as `expected.toml` says, with every kind of line end."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbmserv.mail.inbound import Mail, read
from pbmserv.mail.reading.encoding import fold

FIXTURES = Path(__file__).parent / "fixtures"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FIXTURES / "expected.toml").read_text("utf-8"))
DEFAULTS: dict[str, Any] = {
    "standing": "normal",
    "sender": "alice@example.org",
    "name": "Alice",
    "subject": "",
    "body": "",
    "is_vacation": False,
}
UNIX, WIRE = b"\n", b"\r\n"

each_fixture = pytest.mark.parametrize("name", EXPECTED)


def _read(name: str, line_end: bytes = WIRE) -> Mail:
    data = (FIXTURES / f"{name}.eml").read_bytes().replace(b"\n", line_end)
    return read(data, is_ours=lambda left: left.endswith(".ourown"))


@each_fixture
def test_a_mail_is_read_as_expected(name: str) -> None:
    mail, expected = _read(name), DEFAULTS | EXPECTED[name]
    problem, folded = expected.pop("problem", ""), expected.pop("folded", None)
    assert {field: getattr(mail, field) for field in expected} == expected
    assert problem in mail.problem
    assert bool(problem) == bool(mail.problem)
    assert folded in (None, " ".join(map(fold, mail.subject.split())))


@each_fixture
def test_line_ends_do_not_matter(name: str) -> None:
    assert _read(name, UNIX) == _read(name, WIRE)


def test_every_mail_has_an_expectation() -> None:
    assert {path.stem for path in FIXTURES.glob("*.eml")} == set(EXPECTED)
