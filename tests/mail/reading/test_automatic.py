"""Which mails are never answered, and when our own mail server vouches for From."""

import pytest

from pbmserv.mail.inbound import Mail, Standing, read

PASS = "mx.example.net; dmarc=pass header.from=example.org"


def _read(headers: str = "", *, sender: str = "alice@example.org", mail_from: str | None = None) -> Mail:
    data = f"From: {sender}\nSubject: list\n{headers}\n".encode()
    return read(data, is_ours=lambda left: left == "m1.signed", authserv="mx.example.net", mail_from=mail_from)


@pytest.mark.parametrize(("mail_from", "standing"), [("", "silent"), ("alice@example.org", "normal"), (None, "normal")])
def test_the_null_sender_is_never_answered(mail_from: str | None, standing: str) -> None:
    assert _read(mail_from=mail_from).standing == standing


@pytest.mark.parametrize("local", ["MAILER-DAEMON", "postmaster", "noreply", "no_reply", "do-not-reply", "no-reply+x"])
def test_machines_are_never_answered(local: str) -> None:
    assert _read(sender=f"{local}@example.org").standing is Standing.SILENT


@pytest.mark.parametrize("local", ["noreplyguy", "alice.postmaster", "mailer"])
def test_people_with_such_names_are(local: str) -> None:
    assert _read(sender=f"{local}@example.org").standing is Standing.NORMAL


def test_our_own_letters_are_known_by_their_signed_message_id() -> None:
    assert _read("Message-ID: <m1.signed@example.org>\n").problem == "sent by our own server"
    assert _read("Message-ID: <m1.forged@example.org>\n").standing is Standing.NORMAL


def test_our_own_letters_are_no_vacation_notices() -> None:
    assert not _read("Message-ID: <m1.signed@example.org>\nAuto-Submitted: auto-replied\n").is_vacation


def test_a_vacation_notice_with_the_null_sender_is_one() -> None:
    mail = _read("Auto-Submitted: Auto-Replied\n", mail_from="")
    assert (mail.standing, mail.is_vacation) == (Standing.SILENT, True)


@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: auto-replied\n",
        "X-Apple-Action: VACATION\n",
        "X-Autoreply: yes\n",
        "X-Auto-Reply: yes\n",
        "X-Autoreply-From: <alice@example.org>\n",
        "X-POST-MessageClass: 9; Autoresponder\n",
        "Precedence: auto_reply\n",
    ],
)
def test_an_out_of_office_notice_is_known_by_its_headers(headers: str) -> None:
    mail = _read(headers)
    assert (mail.standing, mail.is_vacation) == (Standing.SILENT, True)


@pytest.mark.parametrize(
    ("subject", "is_vacation"),
    [
        ("Automatic reply: Tumble Board 101", True),
        ("Out of the Office", True),
        ("Abwesenheitsnotiz", True),
        ("=?utf-8?q?R=C3=A9ponse_automatique?= : Tumble", True),
        ("Your invoice", False),
    ],
)
def test_a_generated_mail_is_a_vacation_notice_by_its_subject(subject: str, *, is_vacation: bool) -> None:
    data = f"From: alice@example.org\nAuto-Submitted: auto-generated\nSubject: {subject}\n\nx".encode()
    assert read(data, is_ours=lambda left: False).is_vacation is is_vacation


@pytest.mark.parametrize(
    "headers",
    [
        "Subject: Mail delivery failed: returning message to sender\n",
        "Subject: Warning: message 1abcDE-0001Ab-00 delayed 24 hours\n",
        "Subject: x\nX-Failed-Recipients: alice@example.org\n",
        "Subject: x\n",
    ],
)
def test_a_returned_mail_is_no_vacation_notice(headers: str) -> None:
    data = f"From: Mailer-Daemon@example.org\nAuto-Submitted: auto-replied\n{headers}\nx".encode()
    mail = read(data, is_ours=lambda left: False)
    assert (mail.standing, mail.is_vacation) == (Standing.SILENT, False)


@pytest.mark.parametrize(
    "head",
    [
        "From: staff@hotmail.com\nSubject: complaint about message from 192.0.2.1\nContent-Type: multipart/mixed",
        "From: feedback@arf.example.com\nContent-Type: multipart/report; report-type=feedback-report",
    ],
)
def test_a_complaint_is_never_answered(head: str) -> None:
    mail = read(f"{head}; boundary=b\n\n--b\n\nx\n--b--\n".encode(), is_ours=lambda left: False)
    assert (mail.standing, mail.problem) == (Standing.SILENT, "a complaint about our letters")


@pytest.mark.parametrize("received", [50, 51])
def test_a_loop_ends(received: int) -> None:
    assert (_read("Received: from a by b\n" * received).problem == "in a loop") == (received == 51)


@pytest.mark.parametrize(
    ("results", "passed"),
    [
        ([PASS], True),
        (["mx.example.net 1; spf=pass smtp.mailfrom=example.com;\n dmarc=pass (p) header.from=Example.ORG"], True),
        (["mx.example.net; spf=pass smtp.mailfrom=example.org", PASS], True),
        ([], False),
        (["mx.example.net; dmarc=fail header.from=example.org"], False),
        (["mx.example.net; dmarc=pass header.from=example.com"], False),
        (["mx.example.net; dmarc=pass"], False),
        (["evil.example.net; dmarc=pass header.from=example.org"], False),
        (["mx.example.net.evil.example; dmarc=pass header.from=example.org"], False),
        ([PASS, "mx.example.net; dmarc=fail header.from=example.org"], False),
        ([PASS, "mx.example.net; dmarc=("], False),
        (["mx.example.net; dkim=pass header.d=example.org"], False),
        ([f"{PASS} ({'a' * 1900})"], True),
        ([f"{PASS} ({'a' * 2100})"], False),
    ],
)  # fmt: skip
def test_dmarc_counts_as_our_own_server_saw_it(results: list[str], passed: bool) -> None:
    assert _read("".join(f"Authentication-Results: {value}\n" for value in results)).dmarc_pass is passed


def test_without_a_server_of_our_own_nothing_counts() -> None:
    data = f"From: alice@example.org\nAuthentication-Results: {PASS}\n\nlist".encode()
    assert not read(data, is_ours=lambda left: False).dmarc_pass
