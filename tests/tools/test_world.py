"""The mails that the tests send are those of a mail program, although most are put together without one."""

from email import policy
from email.message import EmailMessage

from tests.world import written

DATE = "Sun, 01 Mar 2026 12:00:00 +0000"


def test_a_mail_is_written_as_the_package_email_does() -> None:
    for sender, subject, body in (
        ("alice@example.org", "tumble move 101 alice secret c1-c2", "Hello\n\n> quoted: *,~\nend"),
        ("alice@example.org", "help", ""),
        ("alice@example.org", "help", "\n"),
        ("Alice <alice@example.org>", "=?utf-8?q?h=C3=A9?=", "é\n"),
        ("alice@example.org", "x" * 70, "y" * 100),
        ("alice@example.org", " two  spaces ", "a\x0bb\x1cc \n"),
    ):
        fields = {
            "From": sender,
            "To": "pbmserv@games.example",
            "Subject": subject,
            "Date": DATE,
            "Message-ID": "<1@x>",
        }
        message = EmailMessage()
        for name, value in fields.items():
            message[name] = value
        message.set_content(body)
        assert written(fields, body) == message.as_bytes(policy=policy.SMTP), (sender, subject, body)
