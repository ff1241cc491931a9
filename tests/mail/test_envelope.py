"""What the log says of a mail."""

from pbmserv.mail.envelope import Progress


def test_a_mail_whose_transaction_failed_has_no_number() -> None:
    progress = Progress(mail=7, status="done")
    progress.did("read")
    stored, failed = progress.log_fields("250 2.0.0 Accepted"), progress.log_fields("451 4.3.0 Temporary failure")
    assert stored == {"mail": 7, "status": "done", "read_ms": stored["read_ms"]}
    assert failed.items() >= {"status": "failed"}.items()
    assert "mail" not in failed
