"""`pbmserv setup`: each answer is tried, what is wrong is told in words, and what is written stays until one agrees."""

import contextlib
import os
import pty
import select
import subprocess
import termios
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmserv.cli.mailing.setup import round_trip
from pbmserv.cli.mailing.setup.asking import NotRight
from pbmserv.cli.mailing.setup.coming import user_at
from pbmserv.cli.mailing.setup.draft_settings import DraftSettings
from pbmserv.cli.mailing.setup.mail_trouble import with_advice
from pbmserv.cli.mailing.setup.providers import PROVIDERS, provider_of
from pbmserv.cli.main import app
from pbmserv.cli.terminal.exits import Exit
from pbmserv.config import OWN_SECRETS, Config
from pbmserv.mail.imap.account import read_account
from pbmserv.mail.smtp.endpoints import most_a_day
from pbmserv.mail.smtp.hand_over import hand_over_bytes
from pbmserv.mail.smtp.relay import read_target
from tests.tools.dovecot import IS_AVAILABLE, dovecot
from tests.tools.oauth_provider import CLIENT, SECRET, issuer
from tests.tools.process import COMMAND, environment, free_port
from tests.tools.sink import Letter, Postman, Sink, in_thread

NAME, AT_HOME = "club@example.org", ["deliver", "files"]
LAST = ["chess, go", "none", "no"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("PBMSERV_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PBMSERV_LISTEN", "smtp://127.0.0.1:0")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(answers: Sequence[str], code: int = 0) -> str:
    """Return what `pbmserv setup` says to these answers, on one line."""
    done = CliRunner().invoke(app, ["setup"], input="".join(f"{answer}\n" for answer in answers))
    assert done.exit_code == code, (done.output, done.exception)
    return " ".join(done.output.split())


@pytest.mark.slow  # three trial games
def test_what_is_written_stays_until_one_agrees(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV", "/usr/bin/uv")
    assert "write `uvx pbmserv serve`" in said([NAME, *AT_HOME, *LAST])
    toml = folder / "pbmserv.toml"
    assert toml.read_text().splitlines()[1:] == [
        'address = "club@example.org"',
        'relay = "maildir:var/letters"',
        'games = ["chess", "go"]',
        "robots = 0",
    ]
    toml.write_text(f"{toml.read_text()}# mine\nrobot_rest = 5\n")
    toml.chmod(0o600)  # somebody keeps a secret in it
    before = toml.read_text()
    assert "pbmserv.toml is as it was." in said([""] * 6)
    assert "Nothing was written." in said([NAME, *AT_HOME, "four", "none", "no", "no"], 1)
    assert toml.read_text() == before
    assert '- games = ["chess", "go"] + games = ["four"]' in said([NAME, *AT_HOME, "four", "none", "no", "yes"])
    assert toml.read_text() == before.replace('"chess", "go"', '"four"')
    assert toml.stat().st_mode & 0o777 == 0o600
    assert not (folder / "var").exists()


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (["club"], "must be name@domain"),
        ([NAME, "pigeon"], "one of these words: mailbox, listener, maildir, deliver"),
        ([NAME, "maildir", "nowhere"], "nowhere/new is missing"),
        ([NAME, "listener", "smtp://127.0.0.1"], "smtp://host:port"),
        ([NAME, "mailbox", "imap://127.0.0.1:1", "", "x"], "Nothing takes connections there. Check host and port: 993"),
        ([NAME, "mailbox", "127.0.0.1:1", "", "", "", ""], "or app password, of its user; or PBMSERV_OAUTH_CLIENT"),
        (["a@outlook.com", "mailbox", "", ""], "It takes no passwords from programs any more"),
        ([NAME, "deliver", "submission", "localhost:1", "", "x"], "Check host and port: 993 for IMAP, 465 or 587"),
        ([NAME, "deliver", "relay", "ftp://x"], "Cannot send letters to 'ftp:…'"),
        ([NAME, *AT_HOME, "chess, whist"], "there is no game whist; the games are"),
        ([NAME, *AT_HOME, "all", "pbm.example.org"], "must be http:// or https:// with a host"),
        ([NAME, *AT_HOME, "all", "none"], "There are no more answers."),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(folder: Path, answers: list[str], told: str) -> None:
    assert told in said(answers, Exit.DATA)
    assert os.listdir(folder) == []


def _echoes(terminal: int) -> bool:
    """Return whether what is typed is shown."""
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


@pytest.mark.slow
def test_at_a_terminal_a_question_is_asked_until_its_answer_works(folder: Path) -> None:
    """What stands in brackets is offered again, and a password is not shown."""
    answers = ["club", NAME, "mailbox", "imap://127.0.0.1:1", "", "swordfish", "", "", "swordfish"]
    terminal, its_end = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "setup"],
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
        env=environment(),
        start_new_session=True,
    ) as process:
        os.close(its_end)
        shown = b""
        for answer in [*answers, "\x04"]:  # the end of a file: nobody answers any more
            while not shown.endswith(b": ") or (answer == "swordfish" and _echoes(terminal)):
                shown += os.read(terminal, 4096) if select.select([terminal], [], [], 0.01)[0] else b""
            os.write(terminal, f"{answer}\n".encode())
            shown += os.read(terminal, 4096)
        with contextlib.suppress(OSError):  # the terminal ends with its process
            while more := os.read(terminal, 4096):
                shown += more
    os.close(terminal)
    assert process.returncode == Exit.DATA
    assert shown.count(b"must be name@domain") == 1
    assert shown.count(b"Connection refused") == 2
    assert b"swordfish" not in shown


@pytest.mark.slow
@pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot")
def test_a_wrong_password_is_told_with_what_to_try(folder: Path) -> None:
    with dovecot() as served:
        told = said([NAME, "mailbox", f"imap://127.0.0.1:{served.port}", "", "swordfish"], Exit.DATA)
    assert "the login failed: [AUTHENTICATIONFAILED] Authentication failed. Check" in told
    assert "want an app password" in told
    assert "swordfish" not in told
    assert os.listdir(folder) == []


@pytest.mark.slow  # waits a second for the login, and plays a trial game
@pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot")
def test_without_a_password_a_person_logs_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with issuer() as provider, dovecot(introspection=f"{provider.url}/introspect") as served:
        for name, value in provider.variables().items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("PBMSERV_OAUTH_DEVICE_URL", f"{provider.url}/device")
        mailbox = ["mailbox", f"imap://127.0.0.1:{served.port}", "", "", CLIENT, SECRET]
        told = said([NAME, *mailbox, "files", *LAST])
    assert "The code is: WDJB-MJHT" in told
    assert f"{NAME} is logged in" in told
    assert "127.0.0.1/INBOX can be used. 0 mails are there" in told
    assert f'oauth_client = "{CLIENT}"' in (folder / "pbmserv.toml").read_text()
    assert os.listdir(OWN_SECRETS) == ["pbmserv_oauth_secret"]


@pytest.mark.slow  # two trial games
@pytest.mark.parametrize("way", ["listener", "maildir"])
def test_the_mail_to_itself_comes_by_the_way_that_was_chosen(
    folder: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """A relay brings what goes to the address itself, and loses what goes to one with a plus."""
    monkeypatch.setattr(round_trip, "_LATER", 0.1)
    for part in ("new", "cur"):
        (folder / "box" / part).mkdir(parents=True)
    listen = f"smtp://127.0.0.1:{free_port()}"

    def bring(letter: Letter) -> None:
        if letter.recipient == NAME and way == "listener":
            hand_over_bytes(letter.data, letter.mail_from, letter.recipient, [listen])
        elif letter.recipient == NAME:
            (folder / "box/new/1.mail").write_bytes(letter.data)

    with in_thread(Sink()) as sink:
        sink.letters = Postman(bring)
        where = listen if way == "listener" else f"{folder}/box"
        told = said([NAME, way, where, "relay", f"smtp://127.0.0.1:{sink.port}", *LAST])
    assert "It has come. A mail to an address with a plus has not" in told
    assert {letter.recipient for letter in sink.letters} == {NAME, "club+setup@example.org"}
    assert not Config().policy.plus
    assert os.listdir(folder / "box/new") == []
    if way == "maildir":  # `mailbox verify` counts only what a server has done
        assert os.listdir(folder / "box/cur") == ["1.mail:2,FS"]


def test_known_providers_have_urls_that_can_be_read() -> None:
    for provider in PROVIDERS:
        assert {provider_of(f"club@{domain.upper()}") for domain in provider.domains} == {provider}
        assert read_account(user_at(provider.imap, "me@x.example")).port == 993
        assert read_target(user_at(provider.submission, "me:secret").replace("%3A", ":")) is not None
    limited = {provider.name for provider in PROVIDERS if most_a_day(provider.submission)}
    assert limited == {"Gmail", "Outlook", "Yahoo", "iCloud"}
    assert provider_of("club@example.org") is None


def test_what_no_answer_could_mend_is_told_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBMSERV_LISTNE", "x")
    (folder / "pbmserv.toml").write_text('adress = "club@example.org"\n')
    told = said([], Exit.CONFIG)
    assert "PBMSERV_LISTNE: There is no such setting. Did you mean PBMSERV_LISTEN?" in told
    assert "adress: There is no such setting. Did you mean PBMSERV_ADDRESS?" in told


@pytest.mark.parametrize(
    ("was", "new"),
    [
        (
            '# mine\naddress = "a@b.example" # old\nlog_level = "debug"',
            '# mine\naddress = "c@d.example"\nlog_level = "debug"',
        ),
        ('log_level = "debug"\n', 'log_level = "debug"\naddress = "c@d.example"\n'),
        ('address\t= "c@d.example"', 'address\t= "c@d.example"'),
    ],
)
def test_other_lines_stay_as_they_were(was: str, new: str) -> None:
    draft = DraftSettings(was, tomllib.loads(was))
    draft.set(address="c@d.example")
    assert draft.file == new


def test_a_setting_in_several_lines_is_left_to_its_author() -> None:
    was = 'games = [\n  "chess",\n]\n'
    draft = DraftSettings(was, tomllib.loads(was))
    draft.set(games=["go"])
    with pytest.raises(NotRight, match="Write each setting in one line"):
        draft.changes()


def test_a_password_leaves_the_file_of_settings(folder: Path) -> None:
    (folder / "pbmserv.toml").write_text('relay_password = "swordfish"\nrelay = "smtps://me@smtp.example.org"\n')
    draft = DraftSettings.begin()
    assert draft.changes() == [
        "- relay_password = …",
        "pbmserv.secrets/pbmserv_relay_password (another secret)",
    ]
    draft.write()
    assert (folder / "pbmserv.toml").read_text() == 'relay = "smtps://me@smtp.example.org"\n'
    assert Config().relay == "smtps://me:swordfish@smtp.example.org"


def test_an_empty_secret_is_a_file_less() -> None:
    draft = DraftSettings("", {}, {"relay_password": "swordfish"})
    draft.set(relay="smtps://me@smtp.example.org")
    draft.write()
    assert os.stat(OWN_SECRETS).st_mode & 0o777 == 0o700
    assert os.stat(f"{OWN_SECRETS}/pbmserv_relay_password").st_mode & 0o777 == 0o600
    assert Config().relay == "smtps://me:swordfish@smtp.example.org"
    again = DraftSettings.begin()
    again.set({"relay_password": ""}, relay="smtp://127.0.0.1:25")
    assert "pbmserv_relay_password (another secret)" in again.changes()[-1]
    again.write()
    assert (os.listdir(OWN_SECRETS), Config().relay) == ([], "smtp://127.0.0.1:25")


@pytest.mark.parametrize(
    ("trouble", "advice"),
    [
        ("no connection to the relay: [Errno -2] Name or service not known", "There is no such host"),
        ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed", "SSL_CERT_FILE"),
        ("[SSL: WRONG_VERSION_NUMBER] wrong version number", "does not begin with TLS"),
        ("Timed out connecting to smtp.example.org on port 25", "most cloud machines cannot use port 25"),
        ("the relay refuses our login (535)", "app password"),
        ("select failed: Client tried to access nonexistent namespace.", "no such folder"),
    ],
)
def test_what_to_try(trouble: str, advice: str) -> None:
    assert advice in with_advice(trouble)


def test_the_provider_says_which_password_it_takes() -> None:
    assert "apppasswords" in with_advice("the login failed: no", provider_of("club@gmail.com"))
