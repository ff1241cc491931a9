"""A server process of an installed pbmserv, and players who send it mails by SMTP and read its Maildirs."""

import re
import smtplib
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.utils import make_msgid
from pathlib import Path

SERVER = "pbmserv@localhost"
ANSWER_SECONDS = 20


def demonstration(folder: Path) -> dict[str, str]:
    """Return the environment of a demonstration site in a folder, with nothing of the surrounding environment."""
    return {
        "HOME": str(folder),
        "PBMSERV_DATABASE_URL": f"sqlite:///{folder}/pbmserv.db",
        "PBMSERV_LISTEN": "smtp://127.0.0.1:0",
        "PBMSERV_RELAY": f"maildir:{folder}/letters",
        "PBMSERV_TRUST_FROM": "1",
        "PBMSERV_CONFIRM_ADDRESSES": "0",
        "PBMSERV_UNPROVED_ANSWERS_A_DAY": "1000",  # one player asks for all pages
    }


@contextmanager
def serving(bin_: Path, site: Mapping[str, str], folder: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """Run a server process and yield it with its port. It logs to the file `log`."""
    with (folder / "log").open("w") as log:
        command = [str(bin_ / "pbmserv"), "serve"]
        server = subprocess.Popen(command, cwd=folder, env=site, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert server.stdout
            first = server.stdout.readline()
            found = re.match(r"pbmserv listens on smtp://127\.0\.0\.1:(\d+) for pbmserv@localhost$", first)
            assert found, first + (folder / "log").read_text()
            yield server, int(found[1])
        finally:
            server.kill()
            server.communicate()


def ask(port: int, letters: Path, sender: str, subject: str) -> str:
    """Send a command, wait for the letter that answers it, and return its text."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = sender, SERVER, subject, make_msgid(domain="x.test")
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as smtp:
        smtp.send_message(mail)
    return text(wait_for(letters, lambda x: x["In-Reply-To"] == mail["Message-ID"] and x["To"] == sender))


def wait_for(letters: Path, is_it: Callable[[Message], bool]) -> Message:
    """Wait for the first letter, to any player, for which the condition is true, and return it."""
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        for file in letters.glob("*/new/*"):  # without `mailbox`, which fails if a Maildir is half made
            letter = message_from_bytes(file.read_bytes())
            if is_it(letter):
                return letter
        time.sleep(0.05)
    raise AssertionError("the letter did not come")


def text(letter: Message) -> str:
    """Return the plain text of a letter."""
    (plain,) = [part for part in letter.walk() if part.get_content_type() == "text/plain"]
    content = plain.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()
