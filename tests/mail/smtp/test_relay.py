"""The setting that says where letters go: each form is read as it is meant, and every other one is refused."""

import asyncio
import traceback
from pathlib import Path

import pytest

from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.smtp.client import Target
from pbmserv.mail.smtp.relay import open_relay, read_target


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("smtp://mail.example", Target("smtp", "mail.example", 25)),
        ("smtp://127.0.0.1:2525/", Target("smtp", "127.0.0.1", 2525)),
        ("smtp://[::1]:25", Target("smtp", "::1", 25)),
        ("lmtp://mail.example", Target("lmtp", "mail.example", 24)),
        ("smtp+starttls://mail.example", Target("smtp+starttls", "mail.example", 587)),
        ("smtp+starttls://a%40b:c%2Fd@mail.example:25", Target("smtp+starttls", "mail.example", 25, "a@b", "c/d")),
        ("smtps://me@b.example:c@mail.example", Target("smtps", "mail.example", 465, "me@b.example", "c")),
    ],
)
def test_a_url_names_a_server(url: str, target: Target) -> None:
    assert read_target(url) == target


def test_the_three_spellings_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for url, folder in (("maildir:a/b", "a/b"), (f"maildir:{tmp_path}/c", "c"), (f"maildir://{tmp_path}/d", "d")):
        asyncio.run(open_relay(url).deliver(Outgoing(1, "pbmserv@example.org", "ann@example.org", b"x\r\n")))
        assert (tmp_path / folder / "ann@example.org" / "new").is_dir()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "swordfish",
        "maildir:",
        "maildir:/",
        "maildir://var/letters",
        "smtp:",
        "smtp://",
        "smtp://host:swordfish",
        "smtp://host:99999",
        "smtp://ann:swordfish@host",
        "lmtp://ann:swordfish@host",
        "smtp+starttls://ann@host",
        "smtp+starttls://ann:swordfish@",
        "smtp+starttls://ann:swordfish",
        "smtp+starttls://ann:sword#swordfish@host",
        "smtp+starttls://ann:sword/swordfish@host",
        "smtp+starttls://host/swordfish",
        "smtps://ann@host",
        "smtps://host/swordfish",
        "http://host",
        "http://host:80",
    ],
)
def test_a_url_that_is_none(url: str) -> None:
    with pytest.raises(ValueError, match="Write maildir:folder, smtp://host:port") as caught:
        open_relay(url)
    assert "swordfish" not in "".join(traceback.format_exception(caught.value)).replace("swordfish@host:port", "")
