"""What Prometheus reads from a working server: the figures are right, and there are no personal data."""

import socket
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.tools.mail_program import Client
from tests.tools.process import Process, free_port, run, until
from tests.tools.warm import ForkedProcess

slow = pytest.mark.slow  # starts a real server

LABELS = {"fate", "stage", "game", "kind", "le", "version"}


def scrape(place: str) -> str:
    """Return the text of the metrics page."""
    with urlopen(f"http://{place}/metrics", timeout=10) as page:
        return str(page.read().decode())


def figures(place: str) -> dict[tuple[str, str], float]:
    """Return (name without our prefix, value of the label) -> value, without buckets."""
    found = {}
    for family in text_string_to_metric_families(scrape(place)):
        for sample in family.samples:
            if sample.name.startswith("pbmserv_") and "le" not in sample.labels:
                assert set(sample.labels) <= LABELS
                found[sample.name.removeprefix("pbmserv_"), next(iter(sample.labels.values()), "")] = sample.value
    return found


@slow
@pytest.mark.parametrize("senders", [0, 2])
def test_a_server_at_work(tmp_path: Path, senders: int) -> None:
    """If child processes send its letters, it counts these, too."""
    place = f"127.0.0.1:{free_port()}"
    with ForkedProcess(tmp_path, PBMSERV_METRICS=place, PBMSERV_SENDERS=str(senders)) as server:
        with Client(server) as client:
            client.send("alice@example.org", "signup alice secret1")
            client.send("bob@example.org", "signup bob secret2")
            client.send("alice@example.org", "tumble challenge alice bob -c")
            client.send("alice@example.org", "tumble move 101 alice secret1 h4-g5t")
            client.send("bob@example.org", "tumble move 101 bob secret2 a1-a1")
            until(lambda: figures(place)["outbox_letters", ""] == 0)
            until(lambda: ("clock_age_seconds", "") in figures(place))
            written = len(list((tmp_path / "var/letters").glob("*/new/*")))
            until(lambda: figures(place)["letters_total", "sent"] == written)
            found = figures(place)
        assert "nothing was lost" in server.stop()
    assert (found["mails_total", "done"], found["mails_total", "error"]) == (4, 1)
    assert found["moves_total", "tumble"] == 1
    assert found["passwords_hashed_total", ""] == 4  # two signups, and for each player the first password of a move
    assert found["commit_mails_count", ""] == found["commit_seconds_count", ""] == 5
    assert found["mail_seconds_count", "read"] == found["mail_seconds_count", "commit"] == 5
    assert found["senders", ""] == max(senders, 1)
    assert found["letters_total", "sent"] == written == 7
    assert (found["sessions_open", ""], found["shelf_mails", ""], found["database_up", ""]) == (1, 0, 1)
    assert found["clock_seconds_count", ""] >= 1
    assert 0 <= found["clock_age_seconds", ""] < time.time()


@slow
def test_a_place_that_others_can_reach_is_named_loudly(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path, PBMSERV_METRICS=f"0.0.0.0:{free_port()}") as server:
        assert "level='warning' event='doctor' check='settings' said='Others can reach PBMSERV_METRICS" in server.log
        server.stop()


@pytest.mark.parametrize("place", ["9464", "127.0.0.1:", "127.0.0.1:99999"])
def test_a_place_that_is_none(tmp_path: Path, place: str) -> None:
    done = Process(tmp_path, PBMSERV_METRICS=place).asked("boards", "list")
    assert done.exit_code == 78
    assert "PBMSERV_METRICS: must be host:port, such as 127.0.0.1:9464" in done.stderr


@slow
def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run(tmp_path, {"PBMSERV_LISTEN": "smtp://127.0.0.1:0", "PBMSERV_METRICS": place}, "serve")
    assert done.returncode == 69
    assert f"Cannot show metrics on {place} (PBMSERV_METRICS): Address already in use" in done.stderr
    assert "Traceback" not in done.stderr
