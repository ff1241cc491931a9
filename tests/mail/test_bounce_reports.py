"""Reports about letters, in the forms that mail systems use."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.bounce_reports import Verdict, about, judge, judge_reply

FIXTURES = Path(__file__).parent / "bounces"
PERMANENT = (
    "dsn-failed dsn-without-action dsn-forwarded-to-two qmail exim postfix-before-dsn "
    "dragonfly opensmtpd yahoo sendmail-5 notes workmail"
)
TEMPORARY = "dsn-delayed dsn-without-action-and-late warning-in-words opensmtpd-delayed still-being-retried"
UNKNOWN = (
    "dsn-relayed dsn-of-nonsense mdn-displayed mdn-deleted vacation-from-mailer-daemon a-persons-words garbage "
    "dsn-refused-by-policy dsn-message-too-big dsn-protocol dsn-content exim-refused-by-policy"
)
EXPECTED = {
    name: verdict
    for verdict, names in zip(Verdict, (PERMANENT, TEMPORARY, UNKNOWN), strict=True)
    for name in names.split()
}


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["unix", "wire"])
@pytest.mark.parametrize("name", EXPECTED)
def test_a_report_is_understood(name: str, line_end: bytes) -> None:
    data = (FIXTURES / f"{name}.eml").read_bytes().replace(b"\n", line_end)
    assert judge(data) is EXPECTED[name]


def test_every_report_has_an_expectation() -> None:
    assert {path.stem for path in FIXTURES.glob("*.eml")} == set(EXPECTED)


@given(st.sampled_from(sorted(EXPECTED)), st.binary(max_size=20), st.floats(0, 1), st.floats(0, 1))
def test_no_damage_raises(name: str, noise: bytes, start: float, size: float) -> None:
    data = (FIXTURES / f"{name}.eml").read_bytes()
    at = int(start * len(data))
    assert judge(data[:at] + noise + data[at + int(size * 40) :]) in Verdict


@given(st.binary())
def test_no_bytes_raise(data: bytes) -> None:
    assert judge(data) in Verdict
    assert about(data) is not None


@pytest.mark.parametrize("name", ["dsn-failed", "qmail", "exim"])
def test_a_report_names_its_recipient_and_the_letter(name: str) -> None:
    data = (FIXTURES / f"{name}.eml").read_bytes() + b"\n> Message-Id:\n <m7@x.example>\n"
    assert about(data).message_ids == (() if name == "dsn-failed" else ("<m7@x.example>",))  # behind its last part
    assert "alice@example.org" in about(data).recipients


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("550 5.1.1 <alice@example.org>: no such user", Verdict.PERMANENT),
        ("550 No such user", Verdict.PERMANENT),
        ("551 User not local", Verdict.PERMANENT),
        ("553 5.1.3 Bad address", Verdict.PERMANENT),
        ("550-5.2.1 The account is disabled", Verdict.PERMANENT),
        ("552 5.2.2 Mailbox full", Verdict.PERMANENT),
        ("450 4.2.1 Mailbox busy", Verdict.TEMPORARY),
        ("550 5.7.1 We do not like your network", Verdict.UNKNOWN),
        ("554 5.7.1 Relay access denied", Verdict.UNKNOWN),
        ("552 5.3.4 Message too big", Verdict.UNKNOWN),
        ("554 Transaction failed", Verdict.UNKNOWN),
        ("250 2.0.0 Taken", Verdict.UNKNOWN),
        ("the relay takes no addresses with letters beyond ASCII", Verdict.UNKNOWN),
        ("5505 5.1.1 no reply code", Verdict.UNKNOWN),
        ("", Verdict.UNKNOWN),
    ],
)
def test_a_refusal_counts_if_it_is_about_the_address(reply: str, verdict: Verdict) -> None:
    assert judge_reply(reply) is verdict
