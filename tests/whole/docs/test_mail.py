"""docs/mail.md says what the code does: its numbers are the constants'."""

import re
from datetime import timedelta

import pytest

from pbmserv.boards.deadlines import DAY, LONGEST_PAUSE
from pbmserv.commands.play import MOST_MOVES
from pbmserv.inbox.parse import MOST_LINES, MOST_WORDS
from pbmserv.inbox.password_checks import WRONG_A_DAY, Rate, Rates
from pbmserv.inbox.pipeline import MOST_ERRORS
from pbmserv.letters.letters import AWAY
from pbmserv.mail.envelope import BUSY, TOO_LARGE
from pbmserv.mail.reading import mime
from pbmserv.mail.reading.automatic import MOST_RECEIVED
from pbmserv.mail.smtp.intake import TOO_MANY, SessionLimits
from pbmserv.mail.smtp.session import ENDLESS, TIME_IS_UP
from pbmserv.server.outbox import GIVE_UP
from pbmserv.store.addresses import MOST_BOUNCES
from tests.tools.tree import ROOT

TEXT = (ROOT / "docs/mail.md").read_text("utf-8")
FLAT = " ".join(TEXT.split())
ROWS = {
    cells[0]: cells[1:] for line in TEXT.splitlines() if (cells := re.findall(r"[^|]+", line.replace(" | ", "|")[2:-2]))
}
LIMITS, RATES = SessionLimits(), Rates()


def kib(size: int) -> str:
    return f"{size // 1024} KiB"


@pytest.mark.parametrize(
    ("row", "most", "reply"),
    [
        ("message", kib(mime.MOST_BYTES), TOO_LARGE),
        ("message", kib(LIMITS.message), TOO_LARGE),
        ("headers, of the message or of one part", kib(mime.MOST_HEADERS), TOO_LARGE),
        ("one header", kib(mime.MOST_HEADER), TOO_LARGE),
        ("decoded text", kib(mime.MOST_TEXT), TOO_LARGE),
        ("parts", str(mime.MOST_PARTS), TOO_LARGE),
        ("parts inside each other", str(mime.MOST_DEPTH), TOO_LARGE),
        ("unfinished line", kib(LIMITS.line), ENDLESS),
        ("recipients of one mail", str(LIMITS.recipients), "452 4.5.3"),
        ("connections", str(LIMITS.connections), TOO_MANY),
        ("connections of one peer", str(LIMITS.per_peer), TOO_MANY),
        ("length of a session", f"{LIMITS.session_seconds:g} s", TIME_IS_UP),
        ("mails that wait for their commit", str(LIMITS.waiting), BUSY),
    ],
)
def test_bounds_and_replies(row: str, most: str, reply: str) -> None:
    found_most, found_reply = ROWS[row]
    assert found_most == most
    assert f"`{' '.join(reply.split()[:2])}`" in found_reply


@pytest.mark.parametrize(
    ("row", "rate"),
    [
        ("passwords tried for one account", RATES.account),
        ("passwords tried from one mail domain", RATES.login_domain),
        ("passwords tried from one peer (SMTP, not LMTP)", RATES.login_peer),
        ("accounts opened from one mail domain", RATES.signup_domain),
        ("accounts opened from one peer", RATES.signup_peer),
    ],
)
def test_rates(row: str, rate: Rate) -> None:
    burst, seconds = ROWS[row]
    assert (burst, seconds) == (str(rate.burst), f"{rate.seconds:g} s")


@pytest.mark.parametrize(
    "words",
    [
        f"more than {MOST_RECEIVED} `Received` headers",
        f"after {MOST_ERRORS} mails of one sender in a day",
        f"offer a vacation for {AWAY.days} days",
        f"| commands in one mail | {MOST_LINES} |",
        f"| words of one command | {MOST_WORDS} |",
        f"| moves of one command | {MOST_MOVES} |",
        f"| {MOST_BOUNCES} in a row |",
        f"{WRONG_A_DAY} wrong passwords for one account",
        f"{LONGEST_PAUSE / DAY:g} days at most, once in a turn",
        f"tried again for {GIVE_UP / timedelta(days=1):g} days",
    ],
)
def test_numbers(words: str) -> None:
    assert words in FLAT
