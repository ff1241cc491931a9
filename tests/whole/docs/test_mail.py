"""docs/mail.md agrees with the code: its numbers are those of the constants."""

import re
from datetime import timedelta

import pytest

from pbmserv.boards import past as budget
from pbmserv.boards.clocks.deadlines import DAY, LONGEST_PAUSE
from pbmserv.boards.entries import MOST_ENTRIES
from pbmserv.commands.accounts import NEW_ADDRESSES
from pbmserv.commands.talk import BROADCASTS_A_DAY
from pbmserv.inbox.authentication.password_checks import WRONG_A_DAY, Rate, Rates
from pbmserv.inbox.lines.parse import MOST_LINES, MOST_WORDS
from pbmserv.inbox.pipeline import MOST_ERRORS
from pbmserv.letters.letters import AWAY
from pbmserv.letters.policy import Policy
from pbmserv.letters.text.wording import number_word
from pbmserv.letters.waiting.relay_trouble import GIVE_UP
from pbmserv.letters.waiting.suspension import MOST_BOUNCES
from pbmserv.mail.envelope import BUSY, TOO_LARGE
from pbmserv.mail.reading import mime
from pbmserv.mail.reading.automatic import MOST_RECEIVED
from pbmserv.mail.smtp.intake import TOO_MANY, SessionLimits
from pbmserv.mail.smtp.session import ENDLESS, TIME_IS_UP
from tests.tools.tree import ROOT

TEXT = (ROOT / "docs/mail.md").read_text("utf-8")
FLAT = " ".join(TEXT.split())
ROWS = {
    cells[0]: cells[1:] for line in TEXT.splitlines() if (cells := re.findall(r"[^|]+", line.replace(" | ", "|")[2:-2]))
}
LIMITS, RATES, POLICY = SessionLimits(), Rates(), Policy()


def kib(size: int) -> str:
    return f"{size // 1024} KiB"


@pytest.mark.parametrize(
    ("row", "most", "reply"),
    [
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
        ("passwords tried for one account by one origin", RATES.account),
        ("passwords tried for one account, From is one of its addresses", RATES.account),
        ("passwords tried by one origin", RATES.login),
        ("accounts opened by one origin", RATES.signup),
        ("new passwords of one account", RATES.account),
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
        f"| moves of one mail | {budget.MOST_MOVES} |",
        f"| of those, on boards against oneself | {budget.MOST_AGAINST_ONESELF} |",
        f"| boards shown for one mail | {budget.MOST_PAGES}, each {budget.ENTRIES_OF_A_PAGE} entries of a log count as",
        f"| moves replayed for one mail, to find earlier positions | {budget.MOST_REPLAYED} |",
        f"| answer to one mail | {kib(budget.MOST_ANSWER_BYTES)}, and the command that passes it |",
        f"| of these, for a mail that proves nothing | {budget.FEW_PAGES} boards, {budget.FEW_REPLAYED} "
        f"moves replayed, {kib(budget.FEW_BYTES)} |",
        f"| entries of the log of a board | {MOST_ENTRIES} |",
        f"| answers to one address in a day | {Policy().answers_a_day}, or {Policy().answer_mb_a_day} MB |",
        f"| of those to mails that prove nothing | {POLICY.unproved_answers_a_day}, or "
        f"{POLICY.unproved_answer_kb_a_day} kB,",
        f"| {MOST_BOUNCES} in a row |",
        f"{WRONG_A_DAY} wrong passwords for one account",
        f"{LONGEST_PAUSE / DAY:g} days at most, once in a turn",
        f"tried again for {GIVE_UP / timedelta(days=1):g} days",
        f"confirmation letters to at most {number_word(NEW_ADDRESSES)} addresses",
        f"| players to whom one player writes messages in a day | {POLICY.messages_a_day} |",
        f"| chats of one player in a day | {POLICY.chats_a_day} |",
        f"| broadcasts of one player in a day | {BROADCASTS_A_DAY} |",
        f"| players whom one player challenges in a day | {POLICY.challenges_a_day} |",
        f"| last boards with one opponent who has not moved on any of them | {POLICY.unanswered_boards} |",
        f"| boards of one game that other players can start with a player | {POLICY.board_limit} |",
        f"| invitations of one player in a day | {POLICY.invitations_a_day} |",
        f"| invitations of one player without an answer | {POLICY.unanswered_invitations} |",
        f"| addresses of one player that get a confirmation letter in a day | {POLICY.confirmations_a_day} |",
        f"| such letters of one kind in an hour, by mails of one origin | {POLICY.origin_strangers_an_hour} |",
        f"| such letters of one kind in an hour, by all mails | {POLICY.strangers_an_hour} |",
    ],
)
def test_numbers(words: str) -> None:
    assert words in FLAT
