"""Passwords appear nowhere: not in the database file, not in a letter, not in a log, in no encoding."""

from base64 import b64encode
from collections.abc import Iterator
from quopri import encodestring

import pytest
from structlog.testing import capture_logs

from tests.world import World

pytestmark = pytest.mark.both

CANARY = "Canary-Ünder-7"


def disguises(password: str) -> Iterator[bytes]:
    """The password in plain and in the encodings in which a mail or a log could carry it."""
    for encoding in ("utf-8", "latin-1", "utf-16-le", "utf-16-be"):
        plain = password.encode(encoding)
        yield plain
        yield encodestring(plain)
        yield encodestring(plain, quotetabs=True)
        for shift in range(3):  # base64 looks different at each of three places; its first and last digits are others'
            text = b64encode(b"\0" * shift + plain)
            yield text[shift + 1 : -4]
    yield password.encode("unicode_escape")
    yield password.encode().hex().encode()


LINES = (
    "signup alice {0}",
    "signup alice {0} alice@elsewhere.example",
    "tumble challenge alice alice -c --as=alice:{0}",
    "tumble challenge alice alice -c --as=alice:{0} --nagtime=x",
    "tumble challenge alice nobody --as=alice:{0}",
    "tumble move 101 alice {0} h4-g5t",
    "tumble move 101 alice {0} h4-g5t h9-h9t",
    "tumble move 101 alice {0}x a5-b4t",
    "tumble move 101 {0} alice a5-b4t",
    "tumble move {0} alice 101 a5-b4t",
    "tumble move 101 alice a5-b4t {0}",
    "tumble moev 101 alice {0} a5-b4t",
    "tumbel move 101 alice {0} a5-b4t",
    "tumble propose 101 alice {0}",
    "tumble reject 101 alice {0}",
    "tumble undo 101 alice {0}",
    "tumble accept 101 alice {0}",
    "tumble decline 101 alice {0}",
    "tumble showas alice {0} 101",
    "tumble showas alice {0} 999",
    "tumble set alice {0} u",
    "tumble set alice u {0}",
    "tumble resign 101 alice {0}",
    "tumble resign 101 alice {0} {0}",
    "threes resign 101 alice {0}",
    "list {0}",
    "help {0}",
    "{0}",
    "{0} tumble show 101",
)


@pytest.mark.sqlite
def test_no_password_is_stored_sent_or_logged(world: World) -> None:
    letters = []
    with capture_logs() as logs:
        for line in LINES:
            command = line.format(CANARY)
            letters += world.mail("alice", command, f"{command}\nsincerely")
            letters += world.mail("alice", "multiple", f"games\n{command}\n{command}")
    with world.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
        connection.exec_driver_sql("BEGIN")
    stored = b"".join(f.read_bytes() for f in sorted(world.file.parent.glob("pbmserv.db*")))
    seen = "\n".join(x.text + x.html + str(x.message.items()) for x in letters) + str(logs)
    for disguise in disguises(CANARY):
        assert disguise not in stored
        assert disguise.decode("latin-1") not in seen
    assert CANARY not in seen
    assert len(letters) > 2 * len(LINES)
    assert b"tumble move 101 alice PASSWORD h4-g5t" in stored  # the search looked at the right files


def test_the_search_finds_what_it_looks_for(world: World) -> None:
    world.signup("alice")
    for disguise in disguises(CANARY):
        assert disguise.strip()
    encoded = [CANARY.encode(), b64encode(CANARY.encode()), b64encode(b"xx" + CANARY.encode() + b"yy"),
               encodestring(CANARY.encode()), CANARY.encode("utf-16")]  # fmt: skip
    for text in encoded:
        assert any(d in text for d in disguises(CANARY)), text
