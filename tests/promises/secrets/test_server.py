"""No password is in any file or log of a real server at DEBUG level, nor in the output of a crash."""

import subprocess
import sys
from pathlib import Path

import pytest

from pbmserv.commands import COMMANDS
from tests.examples import some_of
from tests.promises.durable.client import unsent
from tests.promises.secrets.canary import CANARIES, files, leaks, lines
from tests.tools.mail_program import Client
from tests.tools.process import Process, environment, free_port, until
from tests.whole.e2e.test_metrics import scrape

pytestmark = pytest.mark.slow  # starts real servers

LOUD = str(Path(__file__).with_name("loud.py"))


@pytest.mark.parametrize(("form", "of_a_library"), [("kv", "level='debug'"), ("json", '"level": "debug"')])
def test_what_a_server_leaves_behind(tmp_path: Path, form: str, of_a_library: str) -> None:
    canary = CANARIES[1]
    settings = {"PBMSERV_LOG_FORMAT": form, "PBMSERV_METRICS": f"127.0.0.1:{free_port()}"}
    server = Process(tmp_path, under=("sh", "-c", f"exec {sys.executable} {LOUD} serve"), **settings)
    server.start()
    try:
        with Client(server) as client:
            client.send("alice@example.org", f"signup alice {canary}")
            client.send("alice@example.org", f"tumble challenge alice alice --as=alice:{canary}")
            for command in some_of(COMMANDS[form == "json" :: 2], 2):  # the other half is for the other form
                right, *wrong = lines(command, canary)
                for line in (right, *wrong[-3:]):
                    client.send("alice@example.org", line)
            client.send("alice@example.org", "games", f"tumble move 101 alice {canary} h4-f6")
            client.send("alice@example.org", "multiple", f"tumble show 101\ntumble resign 101 alice {canary}\ngames")
            client.smtp.command_encoding = "utf-8"
            client.smtp.docmd(f"VRFY {canary}")
            client.smtp.docmd(canary)
            client.smtp.docmd("MAIL", f"FROM:<{canary}> {canary}")
        statuses = until(lambda: [m.status for m in server.query(lambda s: s.mails.newest(200))])
        until(lambda: unsent(server) == 0, 20)
        (tmp_path / "metrics").write_text(scrape(settings["PBMSERV_METRICS"]))
    finally:
        server.kill()
    assert "shelved" in statuses
    assert of_a_library in server.log
    assert not leaks(files(tmp_path), canary)


def test_what_a_crash_prints(tmp_path: Path) -> None:
    for canary in CANARIES:
        words = [sys.executable, LOUD, "send", "alice@example.org", f"signup alice {canary}"]
        done = subprocess.run(words, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert "a crash" in done.stderr
        assert not leaks([done.stderr.encode(), done.stdout.encode(), *files(tmp_path)], canary)
