"""`pbmserv mailbox login`, as a person uses it: with a browser here, with one elsewhere, with a short code."""

import json
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from pbmserv.cli.mailing import mailbox
from pbmserv.cli.terminal.console import console
from pbmserv.config import Config
from tests.cli.conftest import Desk
from tests.inbox.mails import message
from tests.mail.oauth.test_logging_in import stranded
from tests.tools.dovecot import IS_AVAILABLE, dovecot
from tests.tools.oauth_provider import USER, Issuer, issuer
from tests.tools.process import COMMAND, environment

pytestmark = pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot")


@pytest.fixture
def provider() -> Iterator[Issuer]:
    with issuer() as made:
        yield made


@pytest.fixture
def settings(desk: Desk, provider: Issuer, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Variables for a mailbox without a password."""
    with dovecot(introspection=f"{provider.url}/introspect") as served:
        url = f"imap://club%40example.org@127.0.0.1:{served.port}"
        variables = {"PBMSERV_MAILBOX": url, "PBMSERV_ROLES": "mailbox", **provider.variables()}
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        yield variables


@pytest.mark.slow
def test_a_browser_on_another_machine(desk: Desk, provider: Issuer, settings: dict[str, str]) -> None:
    """Its owner pastes where it was sent to. Before, and when the login is over, everything says what to do."""
    assert "Nobody can log in as club@example.org: nobody has logged in yet" in desk.says("status", code=1)
    assert "nobody has logged in as club@example.org yet -> pbmserv mailbox login" in desk.says("doctor", code=1)
    command = subprocess.Popen(
        [*COMMAND, "mailbox", "login"],
        env=environment(PBMSERV_DATABASE_URL=desk.world.url, PBMSERV_SECRET_KEY="the key of the tests", **settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert command.stdin
    assert command.stdout
    url = next(line for line in command.stdout if line.startswith("http")).strip()
    printed, _ = command.communicate(f"{stranded(url)}\n", timeout=30)
    assert (command.returncode, "club@example.org is logged in" in printed) == (0, True), printed
    assert [token for token in provider.given if token in printed] == []
    told = desk.says("doctor", code=1)
    assert "ok login club@example.org has a login" in told
    assert "ok mailbox club@example.org@127.0.0.1/INBOX has 0 mails" in told
    assert desk.event()[0] == "mailbox club@example.org: login"
    assert "login club@example.org, its token was renewed" in desk.says("status", code=1)
    desk.world.act(lambda store: store.mailboxes.change_login(USER, trouble="invalid_grant: the password was changed"))
    assert "Log in again: pbmserv mailbox login" in desk.says("status", code=1)
    assert "the login of club@example.org is over: invalid_grant" in desk.says("doctor", code=1)


def test_a_browser_on_this_machine(
    provider: Issuer, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def browse(text: str, **_: Any) -> None:
        if url := next((line for line in text.splitlines() if line.startswith("http")), ""):
            threading.Thread(target=lambda: urllib.request.urlopen(url, timeout=10).close()).start()  # noqa: S310

    monkeypatch.setattr(console, "print", browse)
    mailbox.log_in(Config())
    assert provider.is_good(provider.given[-2])


@pytest.mark.slow
def test_a_short_code_and_an_account_that_is_another_one(
    desk: Desk, provider: Issuer, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBMSERV_OAUTH_DEVICE_URL", f"{provider.url}/device")
    assert "The code is: WDJB-MJHT" in desk.says("mailbox", "login")
    assert desk.world.query(lambda store: store.mailboxes.login(USER)) is not None
    monkeypatch.setenv("PBMSERV_MAILBOX", settings["PBMSERV_MAILBOX"].replace("club", "other"))
    assert "The mailbox does not let us in" in desk.says("mailbox", "login", code=69)
    assert desk.world.query(lambda store: store.mailboxes.login("other@example.org")) is None


def test_nothing_to_log_in_to(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Nothing here needs a login by OAuth2" in desk.says("mailbox", "login", code=78)
    monkeypatch.setenv("PBMSERV_OAUTH_CLIENT", "program-1")
    monkeypatch.setenv("PBMSERV_RELAY", "smtps://club@example.org@smtp.example.org")
    assert "PBMSERV_OAUTH_TOKEN_URL" in desk.says("mailbox", "login", code=78)


def test_a_mail_that_the_database_does_not_know(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("new", "cur"):
        (tmp_path / "box" / part).mkdir(parents=True)
    assert "There is no PBMSERV_MAILBOX in the settings" in desk.says("mailbox", "verify", code=78)
    monkeypatch.setenv("PBMSERV_MAILBOX", f"maildir:{tmp_path}/box")
    assert "done: 0 mails, 0 not in the database" in desk.says("mailbox", "verify")
    (tmp_path / "box/cur/1.a.b:2,S").write_bytes(message("mallory", "hello"))
    told = desk.says("mailbox", "verify", code=1)
    assert "1 not in the database mallory@example.org: hello" in told
    assert told.endswith("Move them back to where mails come in: then the server reads them.")
    unknown = [{"uid": ANY, "sender": "mallory@example.org", "title": "hello"}]
    told = json.loads(desk.says("mailbox", "verify", "--json", code=1))
    assert (told["ok"], told["folders"]["done"]) == (False, {"looked_at": 1, "unknown": unknown})
