"""The envelope of a mail is kept on the shelf together with the mail. The log says what became of the mail."""

import pytest

from pbmserv.mail.envelope import ACCEPTED, BARE_LINE_END, BUSY, TOO_LARGE, TRY_AGAIN, Incoming, Progress


@pytest.mark.parametrize("data", [b"", b"Subject: list\r\n\r\nx\r\n", b"\n\x00\xff\r\n"])
@pytest.mark.parametrize("mail_from", ["", "ann@example.org", "änn@bücher.example"])
def test_a_mail_comes_back_from_the_shelf_as_it_was(data: bytes, mail_from: str) -> None:
    for is_cut in (False, True):
        mail = Incoming(data, mail_from, ("pbmserv@example.org", "postmaster"), "192.0.2.1", is_cut=is_cut)
        assert Incoming.unpack(mail.pack()) == mail
    assert Incoming.unpack(b'["", ["a"], ""]\nx') == Incoming(b"x", "", ("a",))  # of a release before 2.0


@pytest.mark.parametrize(
    ("reply", "fate"),
    [(ACCEPTED, "done"), (TRY_AGAIN, "failed"), (BUSY, "busy"), (BARE_LINE_END, "malformed"), (TOO_LARGE, "too large")],
)
def test_the_log_says_what_became_of_a_mail(reply: str, fate: str) -> None:
    progress = Progress(status="done")
    assert progress.fate(reply) == fate
    assert progress.log_fields(reply) == {"status": fate}


def test_a_mail_whose_transaction_failed_has_no_number() -> None:
    progress = Progress(mail=7, status="done")
    progress.did("read")
    stored, failed = progress.log_fields(ACCEPTED), progress.log_fields(TRY_AGAIN)
    assert stored == {"mail": 7, "status": "done", "read_ms": stored["read_ms"]}
    assert failed.items() >= {"status": "failed"}.items()
    assert "mail" not in failed
