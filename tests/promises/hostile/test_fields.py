"""Words of a player stay words: in a header, a template, an SQL statement and an operator's terminal."""

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.outbound import Letter, build
from pbmserv.mail.reading.headers import normal_address
from tests.commands.answers import fail, status
from tests.examples import spread
from tests.world import ADDRESS, World

HEADERS = {"From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Reply-To", "Auto-Submitted",
           "X-MS-Reactions", "MIME-Version", "Content-Type", "List-Unsubscribe", "List-Unsubscribe-Post", "List-Id",
           "X-PBM-Kind"}  # fmt: skip
INJECTIONS = [
    "x\r\nBcc: victim@elsewhere.example",
    "x\nBcc: victim@elsewhere.example\n\nhello",
    "x\rBcc: victim@elsewhere.example",
    "x\r\n\tBcc: victim@elsewhere.example",
    "x\u2028Bcc: victim@elsewhere.example",
    "x\x85Bcc: victim@elsewhere.example",
    "x\x00Bcc: victim@elsewhere.example",
    "=?utf-8?Q?x=0D=0ABcc:_victim@elsewhere.example?=",
    "=?utf-8?Q?x=0D=0ABcc=3A_victim?=",
    "=?utf-8?B?eA0KQmNjOiB2aWN0aW1AZWxzZXdoZXJlLmV4YW1wbGU=?=",
]
META = ["{{1237*1011}}", "{% for x in y %}", "{{ ''.__class__ }}", "'; DROP TABLE player; --", '" OR "1"="1', "%s%n",
        "<b>x</b>", "${1237*1011}", "$(id)", "../../etc/passwd", "\\", "`id`"]  # fmt: skip
FIELDS = [
    "signup {0} eve-secret",
    "signup eve {0}",
    "signup eve eve-secret {0}",
    "signup eve eve-secret {0}@example.org",
    "tumble challenge alice {0}",
    "tumble challenge alice bob -{0}",
    "tumble challenge alice bob --nagtime={0}",
    "tumble challenge alice bob --as={0}:{0}",
    "tumble move {0} alice alice-secret c1-c2",
    "tumble move 101 {0} alice-secret c1-c2",
    "tumble move 101 alice alice-secret {0}",
    "tumble show {0}",
    "tumble {0} 101",
    "{0} show 101",
    "help {0}",
    "set alice alice-secret timezone={0}",
    "who {0}",
]


@pytest.fixture
def playing(world: World) -> World:
    """A server on which alice and bob play board 101."""
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    world.board("alice", "bob")
    world.letters()


@pytest.mark.parametrize("bad", spread(INJECTIONS, 3), ids=range(len(INJECTIONS)))
@pytest.mark.parametrize("field", ["Subject: ", "From: ", "Message-ID: <", "References: <", "body", "line"])
def test_no_header_can_be_added(playing: World, field: str, bad: str) -> None:
    headers = {"From": "alice@example.org", "Subject": "tumble propose 101 alice alice-secret", "Message-ID": "<a@b>"}
    body = bad if field == "body" else ""
    if field == "line":
        headers["Subject"] = f"signup eve eve-secret {bad}"
    elif field != "body":
        name, _, start = field.partition(": ")
        end = " <alice@example.org>" if name == "From" else ">" if start else ""
        headers[name] = f"{start}{bad}{end}"
    raw = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    letters = playing.bytes(f"{raw}\r\n{body}\r\n".encode())
    letters += playing.mail("bob", "tumble showas bob bob-secret 101")
    assert status(playing) == "done"
    for letter in letters:
        assert set(letter.message.keys()) <= HEADERS
        assert "victim@elsewhere.example" not in letter.to
        assert b"\r\nBcc" not in letter.data.partition(b"\r\n\r\n")[0]
        assert letter.data.count(b"\r") == letter.data.count(b"\n") == letter.data.count(b"\r\n")


@pytest.mark.parametrize("field", spread(FIELDS, 2))
def test_nothing_is_a_template_or_a_statement(playing: World, field: str) -> None:
    for bad in META:
        letters = playing.mail("alice", field.format(bad))
        assert status(playing) in ("done", "error"), (field, bad)
        assert letters
        text = "".join(x.text + x.html for x in letters)
        assert "1250607" not in text
        assert "<b>x</b>" not in "".join(x.html for x in letters)
        assert "class 'str'" not in unescape(text)
    assert playing.query(lambda s: s.players.find("alice"))
    assert playing.query(lambda s: s.players.find("bob"))
    playing.verify()


def test_a_comment_is_passed_on_as_it_is(playing: World) -> None:
    comment = "\n".join(META)
    (alice, bob) = playing.mail("alice", "tumble propose 101 alice alice-secret", comment)
    for line in META:
        assert line in bob.text
    assert "&lt;b&gt;x&lt;/b&gt;" in bob.html
    assert "<b>x</b>" not in bob.html
    assert alice.to == "alice@example.org"


CONTROLS = ["\x07", "\x1b[2J", "\x08", "\x7f", "\x9b", "\u202e", "\u2066", "\u200f", "\u200b", "\ufeff", "\U000e0041"]


@pytest.mark.parametrize("bad", CONTROLS, ids=lambda c: f"U+{ord(c[0]):04X}")
def test_controls_and_bidi_tricks_are_removed_from_comments(playing: World, bad: str) -> None:
    mail = EmailMessage(policy.SMTP)
    mail["From"], mail["To"], mail["Message-ID"] = "alice@example.org", ADDRESS, "<bidi@client.example>"
    mail["Subject"] = "tumble propose 101 alice alice-secret"
    mail.set_content(f"before{bad}after", cte="base64")
    letters = playing.bytes(mail.as_bytes())
    assert len(letters) == 2
    for letter in letters:
        shown = letter.text + letter.html + letter.subject
        assert not {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs") and c != "\n"}
    assert "before" in letters[-1].text


@pytest.mark.parametrize(
    "userid", ["аlice", "alіce", "alice\u0301", "ａlіce", "ALİCE", "al ice", "al\u00adice!", "ɑlice", "𝓪lісe", "alicе"]
)
def test_a_userid_that_only_looks_like_another_is_refused(playing: World, userid: str) -> None:
    answer = fail(playing, "eve", f"signup {userid} eve-secret")
    assert (
        "2 to 20" in answer.flat
        or "one word each" in answer.flat
        or "taken" in answer.flat
        or "Choose another" in answer.flat
    ), answer.text
    assert "signup" in answer.text
    assert sorted(playing.query(lambda s: s.players.userids())) == ["alice", "bob"]


def test_a_full_width_userid_is_the_plain_one(playing: World) -> None:
    """Some keyboards write full-width letters. They are folded, so there cannot be a second account."""
    assert "taken" in fail(playing, "eve", "signup ａｌｉｃｅ eve-secret").text


@given(st.from_regex(r"[a-z!#$%&'*+/=?^_`{|}~.-]{1,40}@[a-z]{1,9}\.example", fullmatch=True) | st.emails())
def test_any_address_that_is_taken_can_be_written_to(address: str) -> None:
    for recipient in filter(None, [normal_address(address), normal_address(f"=?utf-8?Q?x=0D=0ABcc=3A_v?={address}")]):
        letter = Letter(recipient, "s", "t\n", "<a@b>", datetime(2026, 3, 1, tzinfo=UTC), "<p>\n")
        message = message_from_bytes(build(letter, ADDRESS), policy=policy.default)
        assert message["To"].addresses[0].addr_spec == recipient


def test_an_address_that_is_an_encoded_word_is_refused(playing: World) -> None:
    """If it were accepted, letters to this player's opponents would always fail."""
    before = playing.dump()
    playing.mail("eve", "multiple", "signup eve eve-secret =?utf-8?Q?x=0D=0ABcc=3A_v=40e?=@example.org")
    assert status(playing) == "error"
    assert playing.dump() == before


def test_a_letter_with_another_header_is_never_built() -> None:
    letter = Letter("a@b.example", "s", "t\n", "<a@b>", datetime(2026, 3, 1, tzinfo=UTC), "<p>\n")
    for bad in ("<=?utf-8?Q?x=0D=0ABcc:_v?=>", "<=?utf-8?Q?x=0ABcc:_v?=>"):
        try:
            data = build(replace(letter, in_reply_to=bad), ADDRESS)
        except ValueError:  # refused: the `email` package of this Python would write it
            continue
        assert b"\nBcc" not in data
