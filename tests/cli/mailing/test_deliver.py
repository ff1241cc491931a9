"""`pbmserv deliver` hands a mail to the server, and says to the program that calls it whether to keep the mail."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmserv.cli.terminal.exits import Exit
from pbmserv.mail.signed_addresses import Signer
from tests.cli.conftest import Desk
from tests.tools.process import run
from tests.tools.sink import DISCONNECT, Sink, in_thread
from tests.tools.warm import ForkedProcess
from tests.world import ADDRESS, KEY

SIGNED = Signer(ADDRESS, KEY).answer(101, 0, 0, None)
MAIL = f"Return-Path: <alice@example.org>\nDelivered-To: {SIGNED}\nFrom: x@example.org\n\n.h4-g5t\n"


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> Iterator[Sink]:
    with in_thread(Sink()) as sink:
        monkeypatch.setenv("PBMSERV_LISTEN", f"smtp://127.0.0.1:{sink.port}")
        yield sink


@pytest.mark.parametrize(
    ("words", "mail", "envelope"),
    [
        ((), MAIL, ("alice@example.org", SIGNED)),
        (("--from", "bob@example.org", "--to", "pbm@example.org"), MAIL, ("bob@example.org", "pbm@example.org")),
        (("--from", ""), MAIL, ("", SIGNED)),
        ((), f"From MAILER-DAEMON Sun Mar  1 12:00:00 2026\n{MAIL}", ("", SIGNED)),
        (
            (),
            "From carol@example.org Sun\nSubject: help\n\n\u2659\n",
            ("carol@example.org", ADDRESS),
        ),
    ],
)
def test_the_envelope_is_given_or_read(
    desk: Desk, sink: Sink, words: tuple[str, ...], mail: str, envelope: tuple[str, str]
) -> None:
    desk.run("deliver", *words, stdin=mail)
    (letter,) = sink.letters
    assert (letter.mail_from, letter.recipient) == envelope
    _, _, text = mail.partition("Return-Path")
    assert letter.data.decode().endswith(text.replace("\n", "\r\n"))


def test_each_address_of_the_listener_is_tried(desk: Desk, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    away = "smtp://127.0.0.1:0, lmtp+unix:///nowhere/in.sock, smtp://127.0.0.1:1"
    monkeypatch.setenv("PBMSERV_LISTEN", f"{away}, smtp://127.0.0.1:{sink.port}")
    desk.run("deliver", stdin=MAIL)
    assert len(sink.letters) == 1


@pytest.mark.parametrize(
    ("verb", "reply", "code"),
    [
        ("RCPT", "550 5.1.1 No such address here", Exit.DATA),
        ("RCPT", "451 4.3.0 Not now", Exit.TEMPORARY),
        ("DATA", "552 5.3.4 Too large", Exit.DATA),
        ("CONNECT", DISCONNECT, Exit.TEMPORARY),
        ("final", "451 4.3.0 Not now", Exit.TEMPORARY),
    ],
)
def test_the_mail_is_kept_unless_it_is_refused(desk: Desk, sink: Sink, verb: str, reply: str, code: int) -> None:
    sink.break_at(verb, reply)
    said = desk.says("deliver", code=code, stdin=MAIL)
    assert "The server did not take the mail" in said
    assert reply[:3] == DISCONNECT[:3] or reply.split(maxsplit=2)[2] in said


def test_no_fault_of_ours_is_blamed_on_the_mail(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBMSERV_LISTEN", "smtp://127.0.0.1:1")
    assert "could not be handed over" in desk.says("deliver", code=Exit.TEMPORARY, stdin=MAIL)
    monkeypatch.setenv("PBMSERV_LISTNE", "x")
    assert "PBMSERV_LISTEN?" in desk.says("deliver", code=Exit.TEMPORARY, stdin=MAIL)
    monkeypatch.delenv("PBMSERV_LISTNE")
    odd = MAIL.replace("alice@", "jörg@", 1)
    assert "The sender must be written in ASCII" in desk.says("deliver", code=Exit.DATA, stdin=odd)
    assert "more than 256 KiB" in desk.says("deliver", code=Exit.DATA, stdin=MAIL + "x" * 300_000)


def test_in_a_folder_without_the_key_no_other_key_is_made(
    desk: Desk, sink: Sink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With another key no signed address would fit, so answers to letters would act for nobody."""
    for name in ("SECRET_KEY", "DATABASE_URL"):
        monkeypatch.delenv(f"PBMSERV_{name}")
    told = desk.says("deliver", code=Exit.TEMPORARY, stdin=MAIL)
    assert "var/pbmserv.key is missing: call this in the folder of pbmserv.toml" in told
    assert sink.letters == []
    assert not (tmp_path / "var").exists()


@pytest.mark.slow
def test_a_server_answers_what_is_delivered(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path) as server:
        settings = server.settings | {"PBMSERV_LISTEN": server.urls[0]}
        done = run(tmp_path, settings, "deliver", stdin="From: alice@example.org\nSubject: signup alice secret1\n\n")
        assert (done.returncode, done.stderr) == (0, "")
        assert "alice" in server.told("players", "list")
